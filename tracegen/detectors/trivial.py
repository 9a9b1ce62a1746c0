"""The three detectors that bound every metric: nothing, everything, and the gold itself."""

from collections.abc import Sequence

from tracegen import __version__
from tracegen.detectors.protocol import Detector, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError


class Null:
    """Finds nothing."""

    name = "null"
    version = __version__

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """No span anywhere."""
        return [[] for _ in passages]


class MaskAll:
    """Masks every passage from end to end; its label means nothing."""

    name = "mask-all"
    version = __version__

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """One span a passage."""
        return [[Found(0, len(passage.text), "other_pii")] for passage in passages]


class Oracle:
    """Returns the gold that lies in each passage: what windows cost when nothing else does."""

    name = "oracle"
    version = __version__
    sees_gold = True

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The gold of each passage."""
        return [list(passage.gold) for passage in passages]


def make(choice: Choice, argument: str) -> Detector:
    """One of the three.

    Raises:
        InputError: an argument was given.
    """
    if argument:
        raise InputError(f"detector {choice.name!r}: takes no argument after the colon")
    kinds: dict[str, type[Null | MaskAll | Oracle]] = {
        kind.name: kind for kind in (Null, MaskAll, Oracle)
    }
    return kinds[choice.name.partition(":")[0]]()
