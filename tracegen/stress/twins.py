"""Every conversation beside its short twin, by story: what both hold differs by one thing only."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tracegen.stress.mentions import Judged


class Beside(NamedTuple):
    """A conversation, and of each of its mentions whether the twin's was covered."""

    one: Judged
    then: Sequence[bool]


def stories(conversations: Sequence[Judged]) -> list[list[Beside]]:
    """The conversations of each story that has an answered twin, without the twins.

    A story is what varies by chance: its conversations hold the same mentions, so that a test or a
    resample must take all of them or none.
    """
    known = twin_answers(conversations)
    found: dict[str, list[Beside]] = defaultdict(list)
    for one in conversations:
        then = known.get(one.pair)
        if not one.level.is_twin and then is not None and len(then) == len(one.mentions):
            found[one.pair].append(Beside(one, then))
    return list(found.values())


def twin_answers(conversations: Iterable[Judged]) -> dict[str, tuple[bool, ...]]:
    """Of each pair, whether the twin's mentions were covered, in order."""
    return {
        one.pair: tuple(mention.covered for mention in one.mentions)
        for one in conversations
        if one.level.is_twin
    }
