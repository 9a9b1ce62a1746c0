"""Ballast of a wanted length, no piece twice."""

from collections.abc import Sequence
from typing import NamedTuple

from tracegen.pipeline.catalogue import Filler
from tracegen.pipeline.plan import Part
from tracegen.seeds import Stream

_LEAST_ROWS = 3
_QUESTION = 0.4
_WORTH = 0.6
"""Share of its length by which the smallest piece may overshoot what is left to fill."""


class _Chosen(NamedTuple):
    filler: Filler
    share: float


def deal(fillers: Sequence[Filler], sides: Sequence[float], stream: Stream) -> list[list[Filler]]:
    """Every piece to one side, so that each side can grow to its length.

    Args:
        fillers: the pieces of a language.
        sides: the wanted length of each side.
        stream: draws the order.
    """
    hands: list[list[Filler]] = [[] for _ in sides]
    wanted = [side for side in range(len(sides)) if sides[side] > 0]
    if not wanted:
        return hands
    deck = stream.child("deal").shuffled(fillers)
    growing = [one for one in deck if one.slope]
    fixed = [one for one in deck if not one.slope]
    wanted.sort(key=lambda side: -sides[side])
    for number, one in enumerate(growing):  # the longer side first, then in turns
        hands[wanted[number % len(wanted)]].append(one)
    for one in fixed:  # a piece that cannot grow goes where most is left to fill
        room = {side: sides[side] - sum(held.base for held in hands[side]) for side in wanted}
        hands[max(wanted, key=lambda side: room[side])].append(one)
    return hands


def fill(hand: Sequence[Filler], length: float, stream: Stream) -> list[Part]:
    """Parts whose texts together are about so long, in a random order.

    Pieces that cannot grow are taken while they leave room; the rest is shared among those that
    can, unevenly, the last one taking what is left.
    """
    left = length
    fixed: list[Filler] = []
    growing = [one for one in hand if one.slope]
    least = min((_least(one) for one in growing), default=0.0)
    for one in hand:
        if not one.slope and one.base + least <= left and len(fixed) < 1 + left // 20_000:
            fixed.append(one)
            left -= one.base
    parts = [Part(one.template) for one in fixed]
    parts += _grown(growing, left, stream)
    if not parts:
        parts = _single(hand, length)
    return stream.child("order").shuffled(parts)


def _single(hand: Sequence[Filler], length: float) -> list[Part]:
    """The piece that comes nearest to a short length; its question alone where all are too long."""
    whole = min(hand, key=_least, default=None)
    if whole is not None and _least(whole) * _WORTH <= length:
        return [Part(whole.template, rows=_LEAST_ROWS if whole.slope else None)]
    asked = min((one for one in hand if one.slope), key=_asked, default=None)
    if asked is not None and _asked(asked) * _WORTH <= length:
        return [Part(asked.template, messages=1, rows=1)]
    return []


def _asked(one: Filler) -> float:
    """About how long a growing piece is without its answer."""
    return _QUESTION * one.base + one.slope


def _least(one: Filler) -> float:
    return one.base + one.slope * _LEAST_ROWS


def _grown(growing: Sequence[Filler], left: float, stream: Stream) -> list[Part]:
    chosen: list[_Chosen] = []
    base = 0.0
    for number, one in enumerate(growing):
        if base + _least(one) <= left and len(chosen) < 1 + left // 3000:
            chosen.append(_Chosen(one, 0.5 + stream.child("share", number).random()))
            base += _least(one)
    spare = left - base
    total = sum(held.share for held in chosen)
    parts = []
    for held in chosen:
        extra = spare * held.share / total
        rows = _LEAST_ROWS + max(0, round(extra / held.filler.slope))
        parts.append(Part(held.filler.template, rows=rows))
    return parts
