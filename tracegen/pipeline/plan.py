"""Decide what each conversation of a slice is made of; no text and no value yet.

A plan depends on the spec, the catalogue and the conversation's index alone, so that more
conversations leave the earlier ones as they are.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from tracegen.pipeline.catalogue import LEAST_ROWS, Catalogue, Filler, Story
from tracegen.pipeline.spec import RECURRENCES, LengthBand, Recurrence, Spec
from tracegen.seeds import Stream

TAIL = 1.5
"""Exponent of the truncated Pareto law of lengths in a wide band: most lie near its low end."""

_WORTH_FILLING = 150
"""Code points below which a gap to the wanted length is left."""

_BALLAST_ONLY = 0.5
"""Share of the conversations without PII that are made of ballast alone."""


_BETWEEN = 0.3
"""Share of the conversations whose ballast may stand between the turns of the story as well."""

_CHOICE = 4
"""Stories among which one is drawn, at least, when the number of mentions narrows the choice."""


class Part(NamedTuple):
    """A template to render: its first `messages` messages, or ballast with `rows` rows."""

    template: str
    messages: int | None = None
    rows: int | None = None


class Plan(NamedTuple):
    """One conversation: the story, and where ballast goes.

    `ballast` holds (position, part): the part stands before the story's turn of that number.
    """

    number: int
    language: str
    story: Part
    ballast: tuple[tuple[int, Part], ...]


class _Wish(NamedTuple):
    recurrence: Recurrence | None
    structured: bool
    mentions: int | None
    length: int
    band: LengthBand


def make_plan(spec: Spec, catalogue: Catalogue, index: int, again: int = 0) -> Plan:
    """The plan of conversation `index`; `again` counts up when a plan proved unusable."""
    count = len(spec.languages)
    language, number = spec.languages[index % count], index // count
    stream = Stream(spec.seed, "plan", index, again)
    wish = _wish(spec, stream, _positive(spec, index % count, number))
    story = _story(catalogue, language, wish, stream)
    gap = wish.length - story.length
    if wish.band.low > story.length:
        gap = max(gap, wish.band.low - story.length + _WORTH_FILLING)
    fillers = catalogue.fillers[language]
    ballast = _ballast(fillers, story, gap, wish, stream.child("ballast"))
    return Plan(index, language, Part(story.template, story.messages), tuple(ballast))


def _positive(spec: Spec, phase: int, number: int) -> bool:
    """Whether the language's conversation has PII: spread evenly, so any prefix has the share."""
    shift = phase / len(spec.languages)
    share = spec.with_pii
    return int((number + 1) * share + shift) > int(number * share + shift)


def _wish(spec: Spec, stream: Stream, positive: bool) -> _Wish:
    shares = [getattr(spec.recurrence, name) for name in RECURRENCES]
    recurrence = stream.child("recurrence").weighted(RECURRENCES, list(accumulate(shares)))
    bands = list(accumulate(band.share for band in spec.lengths))
    band = stream.child("band").weighted(spec.lengths, bands)
    return _Wish(
        recurrence if positive else None,
        stream.child("structured").chance(
            spec.structured if band.structured is None else band.structured
        ),
        _draw_mentions(spec.mentions, stream.child("mentions")) if positive else None,
        draw_length(band, stream.child("length")),
        band,
    )


def _draw_mentions(mean: float | None, stream: Stream) -> int | None:
    """A number of mentions by the geometric law of a mean: many have few, a few have many."""
    if mean is None:
        return None
    return 1 + int(math.log(1 - stream.random()) / math.log(1 - 1 / mean))


def draw_length(band: LengthBand, stream: Stream) -> int:
    """A length in a band, by a truncated Pareto law where the band is wide."""
    if band.high <= 12 * band.low:
        ratio = band.high / band.low
        return int(band.low * ratio ** stream.random())
    cut = 1 - (band.low / band.high) ** TAIL
    return int(band.low * (1 - stream.random() * cut) ** (-1 / TAIL))


def _story(catalogue: Catalogue, language: str, wish: _Wish, stream: Stream) -> Story:
    if wish.recurrence is not None:
        pool = catalogue.stories[language]
    else:
        pool = catalogue.negatives.get(language, ())
        if not pool or stream.child("ballast only").chance(_BALLAST_ONLY):
            return _opening(catalogue.fillers[language], wish, stream)
    fits: Sequence[Callable[[Story], bool]] = (
        lambda story: story.length < wish.band.high,
        lambda story: wish.recurrence is None or story.recurrence == wish.recurrence,
        lambda story: story.structured <= wish.structured,
        lambda story: story.length <= wish.length * 1.15,
        lambda story: story.structured == wish.structured or wish.length > 3000,
    )
    for fit in fits:
        pool = [story for story in pool if fit(story)] or pool
    if wish.mentions is not None:
        pool = _nearest(pool, wish.mentions)
    return stream.child("story").choice(pool)


def _nearest(pool: Sequence[Story], mentions: int) -> Sequence[Story]:
    """The stories whose number of mentions is nearest, at least a few to choose from."""
    ranked = sorted(pool, key=lambda story: (abs(story.mentions - mentions), story.template))
    edge = abs(ranked[min(_CHOICE, len(ranked)) - 1].mentions - mentions)
    return [story for story in ranked if abs(story.mentions - mentions) <= edge]


def _opening(fillers: Sequence[Filler], wish: _Wish, stream: Stream) -> Story:
    """A ballast piece that serves as the story of a conversation without PII."""
    pool = [one for one in fillers if one.structured <= wish.structured] or fillers
    pool = [one for one in pool if one.base < wish.length] or [min(pool, key=lambda one: one.base)]
    one = stream.child("opening").choice(pool)
    return Story(one.template, 0, round(one.base + one.slope * 5), "none", one.structured, 0)


def _ballast(
    fillers: Sequence[Filler], story: Story, gap: int, wish: _Wish, stream: Stream
) -> list[tuple[int, Part]]:
    """Pieces that fill a gap, around the story or between its turns; all are used before one again.

    Most people finish one thing before they ask another, so most stories are left in one piece.
    """
    last = _last_position(story)
    between = stream.child("between").chance(_BETWEEN)
    parts: list[tuple[int, Part]] = []
    structured = story.structured
    deck: list[Filler] = []
    while gap > _WORTH_FILLING:
        if not deck:
            deck = [one for one in fillers if one.template != story.template or parts]
            deck = stream.child("deck", len(parts)).shuffled(deck or list(fillers))
        need = wish.structured and not structured
        piece = _piece(deck, gap, wish.structured, need)
        if piece is None:
            break
        deck.remove(piece)
        rows = _rows(piece, gap, stream.child("rows", len(parts)))
        length = piece.base + piece.slope * (rows or 0)
        places = stream.child("position", len(parts))
        position = places.between(0, last) if between else places.choice((0, last))
        parts.append((position, Part(piece.template, rows=rows)))
        structured = structured or piece.structured
        gap -= round(length)
    return parts


def _last_position(story: Story) -> int:
    """Ballast may stand before any turn and after the last, unless that waits for an answer."""
    turns = (story.messages + 1) // 2
    return turns - 1 if story.messages % 2 else max(turns, 1)


def _piece(deck: Sequence[Filler], gap: int, allowed: bool, needed: bool) -> Filler | None:
    """The next piece of the deck that fits the gap and the wish for structured content."""
    pool = [one for one in deck if one.least <= gap * 1.1]
    plain = [one for one in pool if not one.structured]
    if needed:
        pool = [one for one in pool if one.structured] or pool
    elif not allowed:
        pool = plain or ([] if gap < 2000 else pool)
    return pool[0] if pool else None


def _rows(piece: Filler, gap: int, stream: Stream) -> int | None:
    """Rows so that a growing piece fills between a third and all of the gap."""
    if not piece.slope:
        return None
    share = 1.0 if gap < 2500 else stream.between(35, 100) / 100
    return max(LEAST_ROWS, int((gap * share - piece.base) / piece.slope))
