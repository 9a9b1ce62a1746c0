"""What a detector's answers on a ladder say: where recall falls, and what made it fall."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

import numpy as np

from tracegen.eval.permutation import permuted_difference
from tracegen.seeds import Stream
from tracegen.stress.counts import Share, share
from tracegen.stress.falls import FALL, RESAMPLES
from tracegen.stress.mentions import Judged, Mention
from tracegen.stress.twins import stories

ROUNDS = 10_000
"""Random swaps of a test, where not all are tried."""


_LEAST = 10
"""Mentions that must lie on each side of a cliff."""


class Cliff(NamedTuple):
    """The place after which recall is lower: between `last` and `first`, in words or characters."""

    unit: str
    last: int
    """The last place before it at which a mention ends."""
    first: int
    """The first place after it."""
    low: int
    high: int
    """The 95 % interval of the place, from resampled stories."""
    before: Share
    after: Share


class Twins(NamedTuple):
    """Each mention of a long conversation against the same mention of its short twin."""

    both: int = 0
    lost: int = 0
    gained: int = 0
    neither: int = 0
    lost_before: int = 0
    """Lost although they end before the cliff: what length alone does not explain."""

    stories: int = 0
    """Stories with a twin and another conversation."""
    changed: int = 0
    """Stories in which losses and gains differ in number: those that p is made of."""
    p: float | None = None
    """Two-sided, if what a story loses it could as well have gained; None where none changed."""


def heat(conversations: Iterable[Judged], axis: str) -> dict[tuple[int, int], Share]:
    """Recall of the mentions by length and depth."""
    cells: dict[tuple[int, int], Share] = defaultdict(Share)
    for one in conversations:
        if one.axis == axis and one.level.length is not None and one.level.depth is not None:
            place = (one.level.length, one.level.depth)
            moved = _moved(one)
            cells[place] = cells[place].plus(share([mention.covered for mention in moved]))
    return dict(cells)


def _moved(one: Judged) -> Sequence[Mention]:
    """The mentions that stand at the depth: all of a block, the later turns of a spread story."""
    if one.axis == "depth" or not one.mentions:
        return one.mentions
    head = one.mentions[0].turn
    return [mention for mention in one.mentions if mention.turn != head]


def consistent(conversations: Iterable[Judged], axis: str) -> dict[tuple[int, int], Share]:
    """Identifiers with mentions in several turns of which every mention is covered."""
    cells: dict[tuple[int, int], Share] = defaultdict(Share)
    for one in conversations:
        if one.axis == axis and one.level.length is not None and one.level.depth is not None:
            place = (one.level.length, one.level.depth)
            cells[place] = cells[place].plus(share(_identifiers(one)))
    return dict(cells)


def _identifiers(one: Judged) -> list[bool]:
    by_entity: dict[str, list[Mention]] = defaultdict(list)
    for mention in one.mentions:
        by_entity[mention.entity].append(mention)
    return [
        all(mention.covered for mention in mentions)
        for mentions in by_entity.values()
        if len({mention.turn for mention in mentions}) > 1
    ]


def edges(conversations: Iterable[Judged]) -> dict[tuple[str, str], Share]:
    """Recall of the mention at the edge, by edge and place."""
    cells: dict[tuple[str, str], Share] = defaultdict(Share)
    for one in conversations:
        if one.at_edge is None or one.level.edge is None or one.level.place is None:
            continue
        place = (one.level.edge, one.level.place)
        cells[place] = cells[place].plus(share([one.mentions[one.at_edge].covered]))
    return dict(cells)


def by_length(conversations: Sequence[Judged]) -> dict[int, Share]:
    """Recall by length, over all depths of axis `depth`; the twins stand under 0."""
    cells: dict[int, Share] = defaultdict(Share)
    for one in conversations:
        if one.axis != "depth":
            continue
        length = 0 if one.level.is_twin else one.level.length or 0
        cells[length] = cells[length].plus(share([mention.covered for mention in one.mentions]))
    return dict(cells)


def cliff(conversations: Sequence[Judged], unit: str, seed: int) -> Cliff | None:
    """The place that best parts mentions that are found from those that are not.

    Two recalls, one up to a place and a lower one after it, are fitted by likelihood; mentions that
    the twin missed as well say nothing and are left out. None where the two differ by less than
    5 points, or fewer than ten mentions lie on a side: two values lost at the end of the longest
    conversations are no limit of length.
    """
    points = [
        [
            (getattr(mention, unit), mention.covered)
            for one, known in story
            for mention, then in zip(one.mentions, known, strict=True)
            if then
        ]
        for story in stories(conversations)
    ]
    best = _best_cut([point for own in points for point in own])
    if best is None:
        return None
    last, first, before, after = best
    places = []
    for number in range(RESAMPLES // 5):
        stream = Stream("cliff", unit, seed, number)
        drawn = [point for _ in points for point in stream.choice(points)]
        again = _best_cut(drawn)
        if again is not None:
            places.append((again[0] + again[1]) // 2)
    places.sort()
    low = places[int(0.025 * len(places))] if places else last
    high = places[max(0, int(0.975 * len(places)) - 1)] if places else first
    return Cliff(unit, last, first, min(low, last), max(high, first), before, after)


def _best_cut(points: Iterable[tuple[int, bool]]) -> tuple[int, int, Share, Share] | None:
    ordered = sorted(points)
    total = share([covered for _, covered in ordered])
    best: tuple[float, int, int, Share, Share] | None = None
    before = Share()
    for index in range(len(ordered) - 1):
        before = before.plus(Share(int(ordered[index][1]), 1))
        place, following = ordered[index][0], ordered[index + 1][0]
        if place == following:
            continue
        after = Share(total.found - before.found, total.total - before.total)
        gain = _likelihood(before) + _likelihood(after)
        if best is None or gain > best[0]:
            best = (gain, place, following, before, after)
    if best is None:
        return None
    _, last, first, before, after = best
    if (before.rate or 0) - (after.rate or 0) < FALL or min(before.total, after.total) < _LEAST:
        return None
    return last, first, before, after


def _likelihood(part: Share) -> float:
    missed = part.total - part.found
    return sum(
        count * log(count / part.total) for count in (part.found, missed) if count and part.total
    )


def twins(conversations: Sequence[Judged], edge: Cliff | None, seed: int) -> Twins:
    """Every mention against its twin's, with a test whose unit is the story.

    A story's mentions are the same in all its conversations, so one that is hard to find is lost in
    many: p comes from swapping the twin and the others of whole stories.
    """
    by_story = stories(conversations)
    counts: Counter[str] = Counter()
    changes = []
    for story in by_story:
        own = Counter(
            what
            for one, known in story
            for mention, then in zip(one.mentions, known, strict=True)
            for what in _fates(mention, then, edge)
        )
        changes.append(own["lost"] - own["gained"])
        counts += own
    changed = np.array([change for change in changes if change], dtype=np.int64)
    p = permuted_difference(changed, ROUNDS, seed) if len(changed) else None
    return Twins(**counts, stories=len(by_story), changed=len(changed), p=p)


def _fates(mention: Mention, then: bool, edge: Cliff | None) -> list[str]:
    """Under which of the counts of `Twins` a mention falls."""
    if not then:
        return ["gained" if mention.covered else "neither"]
    if mention.covered:
        return ["both"]
    place = mention.words if edge and edge.unit == "words" else mention.characters
    return ["lost", "lost_before"] if edge is None or place <= edge.last else ["lost"]
