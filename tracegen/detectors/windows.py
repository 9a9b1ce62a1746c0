"""Cut a text into windows, and put together again what a detector found in them.

Policies: `whole` is one window; `truncate` the first window only, as a detector with a silent limit
sees it; `chunk` windows side by side; `slide` windows that overlap. Windows start where a unit
starts and reach to the start of the unit after their last, so that no character is left out, and no
window has more units than asked for: where tokens lie inside a character it ends before that
character, and where its text alone makes more tokens than it made in its place it ends earlier.
Only where the text of one token makes more than a window may hold is it a window all the same.

What overlapping or neighbouring windows find is merged by three rules, label by label:

1. Equal spans are one, with the highest score.
2. A span that touches an inner edge of its window may be the rest of a longer one. If a span of
   the same label contains it, it is dropped.
3. If a span cut by the end of one window overlaps or follows directly (white space apart) on a
   span of the same label cut by the start of a later window, the two are joined.

Everything else is kept, overlaps included: which of two views is right is the scorer's question.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from tracegen.detectors.protocol import Found
from tracegen.errors import InputError, unknown
from tracegen.units import CHARACTERS, Unit, read_unit

Policy = Literal["whole", "truncate", "chunk", "slide"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


class Window(NamedTuple):
    """A stretch of a text that a detector sees at once."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Windowing:
    """How texts are cut; `check` what a person chose before use."""

    policy: Policy = "whole"
    size: int | None = None
    unit: Unit = CHARACTERS
    overlap: float = 0.5

    def windows(self, text: str) -> list[Window]:
        """The windows of a text, in order; none for an empty text."""
        if not text:
            return []
        if self.policy == "whole" or self.size is None:
            return [Window(0, len(text))]
        cuts = self.unit.starts(text)
        if cuts.total <= self.size:
            return [Window(0, len(text))]
        places = [0, *cuts.places[1:], len(text)]
        before = [0, *cuts.before[1:], cuts.total]
        found: list[Window] = []
        first = begun = 0
        step = round(self.size * (1 - self.overlap))
        while True:
            last = self._last(text, places, before, first)
            window = Window(places[first], places[last])
            if not found or found[-1].end < window.end:  # else it would show nothing new
                found.append(window)
            if self.policy == "truncate" or last == len(places) - 1:
                return found
            if self.policy == "chunk":
                first = last
                continue
            begun = max(begun + step, before[first + 1])
            first = min(bisect_right(before, begun) - 1, last)

    def _last(self, text: str, places: Sequence[int], before: Sequence[int], first: int) -> int:
        """The place that ends the window which starts at a place, at least one place on."""
        assert self.size is not None  # noqa: S101 (the caller asked)
        last = max(first + 1, bisect_right(before, before[first] + self.size) - 1)
        if self.unit.tokenizer is not None:
            while (
                last > first + 1 and self.unit.count(text[places[first] : places[last]]) > self.size
            ):
                last -= 1
        return last


def windowing(policy: str, size: int | None, unit: str, overlap: float) -> Windowing:
    """Check what a person chose.

    Raises:
        InputError: names the option.
    """
    for known in POLICIES:
        if policy == known:
            break
    else:
        raise InputError(unknown("policy", policy, POLICIES))
    if known == "whole" and size is not None:
        raise InputError("--window says how to cut; choose --policy truncate, chunk or slide")
    if known != "whole" and size is None:
        raise InputError(f"--policy {policy} needs --window N, the size in --unit")
    if size is not None and size < 1:
        raise InputError(f"--window {size}: must be 1 or more")
    if not 0 <= overlap < 1:
        raise InputError(f"--overlap {overlap}: must be at least 0 and less than 1")
    return Windowing(known, size, read_unit(unit), overlap)


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int
    end: int
    score: float | None
    cut_left: bool
    cut_right: bool


def merge(text: str, seen: Iterable[tuple[Window, Sequence[Found]]]) -> list[Found]:
    """What was found in the windows of a text, at offsets of the text, merged.

    Args:
        text: the text that was cut.
        seen: each window with the spans found in it, at offsets of the window.
    """
    by_label: dict[str, list[_Piece]] = {}
    for window, found in seen:
        for span in found:
            start, end = span.start + window.start, span.end + window.start
            left = window.start > 0 and not text[window.start : start].strip()
            right = window.end < len(text) and not text[end : window.end].strip()
            by_label.setdefault(span.label, []).append(_Piece(start, end, span.score, left, right))
    merged = [
        Found(piece.start, piece.end, label, piece.score)
        for label, pieces in by_label.items()
        for piece in _joined(text, _outermost(_collapsed(pieces)))
    ]
    return sorted(merged, key=lambda span: (span.start, span.end, span.label))


def _collapsed(pieces: list[_Piece]) -> list[_Piece]:
    """Equal spans as one; it counts as cut only where every window cut it."""
    known: dict[tuple[int, int], _Piece] = {}
    for piece in pieces:
        place = (piece.start, piece.end)
        other = known.get(place)
        known[place] = piece if other is None else _both(piece, other, *place, together=True)
    return list(known.values())


def _both(one: _Piece, other: _Piece, start: int, end: int, *, together: bool) -> _Piece:
    scores = [piece.score for piece in (one, other) if piece.score is not None]
    left, right = one.cut_left, other.cut_right
    if together:
        left, right = one.cut_left and other.cut_left, one.cut_right and other.cut_right
    return _Piece(start, end, max(scores, default=None), left, right)


def _outermost(pieces: list[_Piece]) -> list[_Piece]:
    """Without the cut spans that lie in another one."""
    kept: list[_Piece] = []
    reach = -1
    for piece in sorted(pieces, key=lambda piece: (piece.start, -piece.end)):
        if piece.end > reach or not (piece.cut_left or piece.cut_right):
            kept.append(piece)
        reach = max(reach, piece.end)
    return kept


def _joined(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """Halves on both sides of an edge as one; expects spans in order of their starts."""
    done: list[_Piece] = []
    open_at: int | None = None
    for piece in pieces:
        if piece.cut_left and open_at is not None:
            half = done[open_at]
            if piece.start <= half.end or not text[half.end : piece.start].strip():
                done[open_at] = _both(
                    half, piece, half.start, max(half.end, piece.end), together=False
                )
                open_at = open_at if done[open_at].cut_right else None
                continue
        done.append(piece)
        if piece.cut_right:
            open_at = len(done) - 1
    return done
