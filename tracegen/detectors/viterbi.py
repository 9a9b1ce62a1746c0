"""The best sequence of tags that a tagging scheme allows, and the spans that it spells.

Tags are `O`, `B-x I-x` (BIO), `B-x I-x E-x S-x` (BIOES, also written L and U for E and S), or bare
labels. Without the scheme's rules a model may open a span that it never closes; with them the
best allowed path is found exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tracegen.errors import InputError

Scores = npt.NDArray[np.floating[Any]]
OUTSIDE = "O"
_ALIASES = {"L": "E", "U": "S"}


class Tag(NamedTuple):
    """A tag taken apart; a bare label has the position `""`."""

    position: str
    label: str


class Run(NamedTuple):
    """A span in tokens, half-open, with the mean probability of its tags."""

    start: int
    end: int
    label: str
    score: float


def parse_tags(names: Sequence[str]) -> tuple[Tag, ...]:
    """Take the tags of a model apart.

    A letter before a dash is a position only in a scheme: where tags with `B-` or `I-` are among
    them. An `E-MAIL` among bare labels is a label, and so is one whose label nothing begins.
    """
    taken = [_taken_apart(name) for name in names]
    begun = {tag.label for tag in taken if tag.position in ("B", "I")}
    return tuple(
        Tag("", name)
        if (tag.position == "E" and tag.label not in begun) or (tag.position == "S" and not begun)
        else tag
        for tag, name in zip(taken, names, strict=True)
    )


def _taken_apart(name: str) -> Tag:
    if name == OUTSIDE:
        return Tag(OUTSIDE, "")
    head, dash, label = name.partition("-")
    head = _ALIASES.get(head, head)
    if dash and label and head in ("B", "I", "E", "S"):
        return Tag(head, label)
    return Tag("", name)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The tags of a model and which may follow which."""

    tags: tuple[Tag, ...]
    allowed: npt.NDArray[np.bool_]
    first: npt.NDArray[np.bool_]
    last: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, names: Mapping[int, str]) -> "Scheme":
        """The scheme of a model's `id2label`.

        Raises:
            InputError: ids are not 0, 1, 2, ..., or there is no tag for "no span".
        """
        if sorted(names) != list(range(len(names))) or not names:
            raise InputError("id2label must number its labels 0, 1, 2, ...")
        tags = parse_tags([names[number] for number in range(len(names))])
        if Tag(OUTSIDE, "") not in tags:
            raise InputError(f"id2label has no {OUTSIDE!r}, the tag of a token in no span")
        opens = {tag.label for tag in tags if tag.position == "B"}
        closes = {tag.label for tag in tags if tag.position == "E"}
        count = range(len(tags))
        allowed = np.array([[_follows(tags[a], tags[b], opens, closes) for b in count]
                            for a in count])  # fmt: skip
        outside = Tag(OUTSIDE, "")
        first = np.array([_follows(outside, tag, opens, closes) for tag in tags])
        last = np.array([_follows(tag, outside, opens, closes) for tag in tags])
        return cls(tags, allowed, first, last)

    def best(self, logits: Scores) -> list[int]:
        """The allowed path with the highest sum of scores; one row a token."""
        if not len(logits):
            return []
        blocked = np.where(self.allowed, 0.0, -np.inf)
        total = np.where(self.first, logits[0].astype(np.float64), -np.inf)
        came: list[npt.NDArray[np.intp]] = []
        for row in logits[1:]:
            options = total[:, None] + blocked
            came.append(options.argmax(axis=0))
            total = options.max(axis=0) + row
        total = np.where(self.last, total, -np.inf)
        path = [int(total.argmax())]
        for back in reversed(came):
            path.append(int(back[path[-1]]))
        return path[::-1]

    def spans(self, logits: Scores) -> list[Run]:
        """The spans of the best path."""
        path = self.best(logits)
        chosen = _probabilities(logits, path)
        runs: list[Run] = []
        start: int | None = None
        for token, number in enumerate([*path, -1]):
            tag = self.tags[number] if number >= 0 else Tag(OUTSIDE, "")
            if start is not None and not self._goes_on(path, start, token, tag):
                label = self.tags[path[start]].label
                runs.append(Run(start, token, label, float(np.mean(chosen[start:token]))))
                start = None
            if start is None and tag.position != OUTSIDE:
                start = token
        return runs

    def _goes_on(self, path: Sequence[int], start: int, token: int, tag: Tag) -> bool:
        """Whether a tag continues the span that began at `start`."""
        if tag.label != self.tags[path[start]].label:
            return False
        if self.tags[path[token - 1]].position in ("E", "S"):
            return False
        return tag.position in ("I", "E", "")


def _follows(before: Tag, after: Tag, opens: set[str], closes: set[str]) -> bool:
    """Whether one tag may stand straight after another."""
    inside = before.position in ("B", "I")
    same = before.label == after.label
    if inside and before.label in closes:  # BIOES: only its own I or E may follow
        return same and after.position in ("I", "E")
    if after.position in ("I", "E") and after.label in opens:
        return inside and same
    return True


def _probabilities(logits: Scores, path: Sequence[int]) -> Scores:
    if not len(logits):
        return np.zeros(0)
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    picked: Scores = shifted[np.arange(len(path)), list(path)] / shifted.sum(axis=1)
    return picked
