"""Ballast of a wanted length, no piece twice."""

from collections.abc import Sequence
from typing import NamedTuple

from tracegen.pipeline.catalogue import LEAST_ROWS, Filler
from tracegen.pipeline.plan import Part
from tracegen.seeds import Stream

_A_GROWING = 6_000
_A_FIXED = 20_000
"""Code points for each of which one more piece that grows, or does not, is taken: fewer pieces
that grow further leave less to be said again in the next conversation."""

_A_FEW = 3
"""Small pieces on one side of a short conversation, at most."""


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
    for number, one in enumerate([*growing, *fixed]):  # the longer side first, then in turns
        hands[wanted[number % len(wanted)]].append(one)
    return hands


def fill(hand: Sequence[Filler], length: float, stream: Stream) -> list[Part]:
    """Parts whose texts together are about so long, in a random order.

    Pieces that cannot grow are taken while they leave room; the rest is shared among those that
    can, unevenly, the last one taking what is left.
    """
    left = length
    fixed: list[Filler] = []
    growing = [one for one in hand if one.slope]
    room = min((one.least for one in growing), default=0.0)
    for one in hand:
        if not one.slope and one.base + room <= left and len(fixed) < 1 + left // _A_FIXED:
            fixed.append(one)
            left -= one.base
    parts = [Part(one.template) for one in fixed]
    parts += _grown(growing, left, stream)
    if not parts:
        parts = _packed(hand, length)
    return stream.child("order").shuffled(parts)


def _packed(hand: Sequence[Filler], length: float) -> list[Part]:
    """Small pieces for a length that no growing piece fits into, each at its shortest.

    One that overshoots is better than none where it comes nearer to the length.
    """
    chosen: list[Filler] = []
    left = length
    for one in hand:
        if one.least <= left and len(chosen) < _A_FEW:
            chosen.append(one)
            left -= one.least
    smallest = min(hand, key=lambda one: one.least, default=None)
    if not chosen and smallest is not None and smallest.least < 2 * length:
        chosen = [smallest]
    return [Part(one.template, rows=LEAST_ROWS if one.slope else None) for one in chosen]


def _grown(growing: Sequence[Filler], left: float, stream: Stream) -> list[Part]:
    chosen: list[_Chosen] = []
    base = 0.0
    for number, one in enumerate(growing):
        if base + one.least <= left and len(chosen) < 1 + left // _A_GROWING:
            chosen.append(_Chosen(one, 0.5 + stream.child("share", number).random()))
            base += one.least
    spare = left - base
    total = sum(held.share for held in chosen)
    parts = []
    for held in chosen:
        extra = spare * held.share / total
        rows = LEAST_ROWS + max(0, round(extra / held.filler.slope))
        parts.append(Part(held.filler.template, rows=rows))
    return parts
