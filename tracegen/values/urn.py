"""Draw by weight, with the running sums made once."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Generic, Protocol, TypeVar

from tracegen.seeds import Stream


class Weighty(Protocol):
    """Anything that says how often it is drawn."""

    @property
    def weight(self) -> float:
        """Relative frequency."""


Item = TypeVar("Item")
Heavy = TypeVar("Heavy", bound=Weighty)


class Urn(Generic[Item]):
    """Items with weights; those of weight 0 are never drawn."""

    __slots__ = ("_cumulative", "items")

    def __init__(self, weights: Iterable[tuple[Item, float]]) -> None:
        """Fill the urn from pairs of item and weight."""
        kept = [(item, weight) for item, weight in weights if weight > 0]
        self.items = tuple(item for item, _ in kept)
        self._cumulative = tuple(accumulate(weight for _, weight in kept))

    def draw(self, stream: Stream) -> Item:
        """One item."""
        return stream.weighted(self.items, self._cumulative)


def urn_of(items: Iterable[Heavy]) -> Urn[Heavy]:
    """An urn of things that know their weight."""
    return Urn((item, item.weight) for item in items)


def urn_of_names(items: Mapping[str, Weighty]) -> Urn[str]:
    """An urn of the names under which weighted things are listed."""
    return Urn((name, item.weight) for name, item in items.items())
