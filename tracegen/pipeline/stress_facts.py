"""What a spec says of the two slices that vary one thing at a time: the ladder and the edges."""

from typing import Literal

import pydantic

from tracegen.model import LABELS
from tracegen.resources import Facts

Axis = Literal["depth", "spread"]
PLACES = ("twin", "before", "straddle", "after")
"""What an edge's conversations are: without ballast, and the value before, on and after it."""


LONGEST = 1_000_000
"""Characters of a rung, or before an edge: every language's ballast is known to reach this far.
Pieces of ballast are few, so that in longer texts each would take more loop steps and time than a
template may."""

_CHARACTERS_A_WORD = 6.5
"""About; tokens are no longer."""


class LadderFacts(Facts):
    """The same story at every length and depth.

    An item is one story with its persona and values, rendered once. Its conversations are the twin
    (the story alone), the story as one block at each depth, and, in `spread`, the story's first
    turn at the head with its other turns at each depth above 0.
    """

    items: int = pydantic.Field(gt=0)
    lengths: tuple[int, ...] = pydantic.Field(min_length=1)
    depths: tuple[int, ...] = pydantic.Field(min_length=1)
    spread: bool = True
    story: int = pydantic.Field(default=900, gt=0)
    """Code points that a story should not exceed."""

    @pydantic.field_validator("lengths", "depths")
    @classmethod
    def _rising(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if list(value) != sorted(set(value)) or value[0] < 0:
            raise ValueError("each once, the low ones first, none below 0")
        return value

    @pydantic.field_validator("lengths")
    @classmethod
    def _reachable(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if value[0] < 1 or value[-1] > LONGEST:
            raise ValueError(f"a length is {reach(LONGEST)}")
        return value

    @pydantic.field_validator("depths")
    @classmethod
    def _percent(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if value[-1] > 100:
            raise ValueError("a depth is a percentage, 0 to 100")
        return value

    def cells(self) -> list[tuple[Axis, int, int] | None]:
        """What each conversation of an item is: None for the twin, else axis, length, depth."""
        cells: list[tuple[Axis, int, int] | None] = [None]
        cells += [("depth", length, depth) for length in self.lengths for depth in self.depths]
        if self.spread:
            cells += [
                ("spread", length, depth)
                for length in self.lengths
                for depth in self.depths
                if depth
            ]
        return cells

    def per_language(self) -> int:
        """Conversations of one language."""
        return self.items * len(self.cells())


def reach(longest: int) -> str:
    """Which sizes can be asked for, and why no others."""
    return f"1 to {longest:,}: the ballast of a conversation is not made longer than that"


class Edge(Facts):
    """A window's edge: so many units from the start of the document."""

    size: int = pydantic.Field(gt=0)
    unit: str
    """As on the command line: `chars`, `words`, or `tokens:FILE` with a `tokenizer.json`."""

    @pydantic.model_validator(mode="after")
    def _reachable(self) -> "Edge":
        longest = LONGEST if self.unit == "chars" else int(LONGEST / _CHARACTERS_A_WORD)
        if self.size > longest:
            raise ValueError(f"an edge in {self.unit.partition(':')[0]} is {reach(longest)}")
        return self

    @property
    def name(self) -> str:
        """How the edge is named in a record."""
        return f"{self.size} {self.unit.partition(':')[0]}"


class EdgeFacts(Facts):
    """One identifier of each label just before, on, and just after each edge."""

    edges: tuple[Edge, ...] = pydantic.Field(min_length=1)

    @pydantic.field_validator("edges")
    @classmethod
    def _told_apart(cls, value: tuple[Edge, ...]) -> tuple[Edge, ...]:
        names = [edge.name for edge in value]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two edges are called {name!r}; put them into two specs")
        return value

    def cells(self) -> list[tuple[str, Edge, str]]:
        """Label, edge and place of each conversation of a language."""
        return [(label, edge, place) for edge in self.edges for label in LABELS for place in PLACES]

    def per_language(self) -> int:
        """Conversations of one language."""
        return len(self.cells())
