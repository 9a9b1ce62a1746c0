"""What a detector's answers on a ladder say: where recall falls, and what made it fall."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, log
from typing import Any, NamedTuple

from tracegen.seeds import Stream
from tracegen.stress.counts import Share, share
from tracegen.stress.mentions import Judged, Mention

FALL = 0.05
"""Points of recall whose loss counts as a fall."""

RESAMPLES = 500


class Cliff(NamedTuple):
    """The place after which recall is lower: between `last` and `first`, in words or characters."""

    unit: str
    last: int
    """The last place before it at which a mention ends."""
    first: int
    """The first place after it."""
    low: int
    high: int
    """The 95 % interval of the place, from resampled conversations."""
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

    @property
    def p(self) -> float | None:
        """McNemar's exact two-sided p."""
        return mcnemar(self.lost, self.gained)


def mcnemar(lost: int, gained: int) -> float | None:
    """The chance of a split at least as uneven if losing and gaining were equally likely."""
    total = lost + gained
    if not total:
        return None
    tail = sum(comb(total, k) for k in range(min(lost, gained) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 1 << total)))  # powers overflow a float


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


def first_fall(conversations: Sequence[Judged], seed: int) -> dict[str, Any]:
    """The shortest length at which recall is 5 points below the twins', with its interval.

    Resampled are the conversations of each length, and the twins. The interval holds the middle
    95 % of the resampled answers; null is "at no length".
    """
    strata: dict[int, list[Judged]] = defaultdict(list)
    for one in conversations:
        if one.axis == "depth":
            strata[0 if one.level.is_twin else one.level.length or 0].append(one)
    answer = _falls_at(by_length(conversations))
    lengths = sorted(length for length in strata if length)
    answers: list[float] = []
    for number in range(RESAMPLES if lengths else 0):
        stream = Stream("first fall", seed, number)
        drawn = [stream.choice(stratum) for stratum in strata.values() for _ in stratum]
        again = _falls_at(by_length(drawn))
        answers.append(float("inf") if again is None else again)
    answers.sort()
    low, high = (
        (answers[int(0.025 * len(answers))], answers[int(0.975 * len(answers)) - 1])
        if answers
        else (float("inf"), float("inf"))
    )
    return {
        "length": answer,
        "low": None if low == float("inf") else int(low),
        "high": None if high == float("inf") else int(high),
        "points": FALL,
        "resamples": len(answers),
    }


def _falls_at(cells: Mapping[int, Share]) -> int | None:
    base = cells.get(0, Share()).rate
    if base is None:
        return None
    for length in sorted(cells):
        rate = cells[length].rate
        if length and rate is not None and rate <= base - FALL:
            return length
    return None


def cliff(conversations: Sequence[Judged], unit: str, seed: int) -> Cliff | None:
    """The place that best parts mentions that are found from those that are not.

    Two recalls, one up to a place and a lower one after it, are fitted by likelihood; mentions that
    the twin missed as well say nothing and are left out. None where the two differ by less than
    5 points.
    """
    known = twin_answers(conversations)
    points: list[list[tuple[int, bool]]] = []
    for one in conversations:
        if one.level.is_twin:
            continue
        twin = known.get(one.pair, ())
        points.append(
            [
                (getattr(mention, unit), mention.covered)
                for mention in one.mentions
                if mention.rank < len(twin) and twin[mention.rank]
            ]
        )
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
    if (before.rate or 0) - (after.rate or 0) < FALL:
        return None
    return last, first, before, after


def _likelihood(part: Share) -> float:
    missed = part.total - part.found
    return sum(
        count * log(count / part.total) for count in (part.found, missed) if count and part.total
    )


def twin_answers(conversations: Iterable[Judged]) -> dict[str, tuple[bool, ...]]:
    """Of each pair, whether the twin's mentions were covered, in order."""
    return {
        one.pair: tuple(mention.covered for mention in one.mentions)
        for one in conversations
        if one.level.is_twin
    }


def twins(conversations: Sequence[Judged], edge: Cliff | None) -> Twins:
    """Every mention against its twin's."""
    known = twin_answers(conversations)
    counts = [0, 0, 0, 0, 0]
    for one in conversations:
        twin = known.get(one.pair)
        if one.level.is_twin or twin is None or len(twin) != len(one.mentions):
            continue
        for mention, then in zip(one.mentions, twin, strict=True):
            if then and mention.covered:
                counts[0] += 1
            elif then:
                counts[1] += 1
                place = mention.words if edge and edge.unit == "words" else mention.characters
                counts[4] += edge is None or place <= edge.last
            elif mention.covered:
                counts[2] += 1
            else:
                counts[3] += 1
    return Twins(*counts)
