"""The length at which recall has fallen below that of the short twins."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tracegen.seeds import Stream
from tracegen.stress.mentions import Judged
from tracegen.stress.twins import Beside, stories

FALL = 0.05
"""Points of recall whose loss counts as a fall."""

RESAMPLES = 500

_SLACK = 1e-12
"""For shares that are no binary fractions: 7 of 140 is a fall of 5 points."""


class _Counts(NamedTuple):
    """Of the mentions at a length: all, those covered there, and those covered in the twins."""

    total: int = 0
    now: int = 0
    then: int = 0


def first_fall(conversations: Sequence[Judged], seed: int) -> dict[str, Any]:
    """The shortest length at which recall is 5 points below the twins', with its interval.

    Each length is compared with the twins of its own conversations, so that a story which lacks a
    rung, or has more of them than others, moves nothing. Resampled are stories, each with its twin
    and all its lengths. The interval holds the middle 95 % of the resampled answers; null is "at no
    length".
    """
    counted = [_by_length(story) for story in stories(conversations)]
    counted = [own for own in counted if own]
    answer = _falls_at(counted)
    answers: list[float] = []
    for number in range(RESAMPLES if counted else 0):
        stream = Stream("first fall", seed, number)
        again = _falls_at([stream.choice(counted) for _ in counted])
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
        "stories": len(counted),
        "resamples": len(answers),
    }


def _by_length(story: Sequence[Beside]) -> dict[int, _Counts]:
    """What one story has at each length of axis `depth`."""
    counted: dict[int, _Counts] = defaultdict(_Counts)
    for one, then in story:
        if one.axis == "depth" and one.level.length is not None:
            known = counted[one.level.length]
            counted[one.level.length] = _Counts(
                known.total + len(then),
                known.now + sum(mention.covered for mention in one.mentions),
                known.then + sum(then),
            )
    return dict(counted)


def _falls_at(counted: Sequence[Mapping[int, _Counts]]) -> int | None:
    for length in sorted({length for own in counted for length in own}):
        parts = [own[length] for own in counted if length in own]
        total = sum(part.total for part in parts)
        lost = sum(part.then - part.now for part in parts)
        if total and lost / total >= FALL - _SLACK:
            return length
    return None
