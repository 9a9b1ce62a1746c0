"""Ask a detector about one conversation at a time."""

import sys
import traceback
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from tracegen.detectors.frames import Frame, Predicted, Scope, frames
from tracegen.detectors.protocol import (
    Detector,
    DetectorFailure,
    Found,
    Passage,
    checked,
    notes,
    sees_gold,
)
from tracegen.detectors.windows import Window, Windowing, merge
from tracegen.errors import TracegenError
from tracegen.model import Conversation, order


class Shape(NamedTuple):
    """What a detector is shown at once."""

    scope: Scope = "message"
    roles: bool = False
    windowing: Windowing = Windowing()


class Answer(NamedTuple):
    """What a detector said of one conversation, or why it said nothing.

    `unread` counts the characters in no window, `shown` those in all windows together; `notes` what
    the detector counted since its last answer.
    """

    id: str
    spans: tuple[Predicted, ...] = ()
    failure: DetectorFailure | None = None
    seconds: float = 0.0
    characters: int = 0
    shown: int = 0
    unread: int = 0
    calls: int = 0
    notes: Mapping[str, int] = {}


class Session:
    """A detector with the way it is asked."""

    def __init__(self, detector: Detector, shape: Shape) -> None:
        """Keep both."""
        self._detector = detector
        self._shape = shape
        self._told: Mapping[str, int] = {}

    def answer(self, conversation: Conversation) -> Answer:
        """The spans of a conversation; a failure is an answer of its own, never no spans."""
        shape = self._shape
        shown = frames(conversation, shape.scope, shape.roles, sees_gold(self._detector))
        cut = [shape.windowing.windows(frame.text) for frame in shown]
        passages = _passages(conversation, shown, cut)
        sizes = [len(passage.text) for passage in passages]
        total = sum(len(frame.text) for frame in shown)
        read = sum(_covered(windows) for windows in cut)
        began = perf_counter()
        try:
            found = self._ask(passages)
        except DetectorFailure as failure:
            spans: tuple[Predicted, ...] = ()
            problem: DetectorFailure | None = failure
        else:
            spans, problem = _put_back(shown, cut, found), None
        seconds = perf_counter() - began
        return Answer(
            conversation.id, spans, problem, seconds, total, sum(sizes), total - read,
            len(passages), self._news(),
        )  # fmt: skip

    def _news(self) -> dict[str, int]:
        """What the detector counted since the last answer."""
        before, self._told = self._told, notes(self._detector)
        return {
            name: count - before.get(name, 0)
            for name, count in self._told.items()
            if count != before.get(name, 0)
        }

    def _ask(self, passages: Sequence[Passage]) -> list[list[Found]]:
        if not passages:
            return []
        try:
            found = self._detector.detect(passages)
        except (DetectorFailure, TracegenError):
            raise
        except Exception as error:  # a detector's own code may raise anything
            traceback.print_exc(file=sys.stderr)
            raise DetectorFailure("exception", _place(error)) from error
        if len(found) != len(passages):
            problem = f"{len(found)} lists of spans for {len(passages)} passages"
            raise DetectorFailure("bad answer", problem)
        return [checked(passage, spans) for passage, spans in zip(passages, found, strict=True)]


def _place(error: Exception) -> str:
    """An exception by its type and place; its message might quote the text."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}, line {frame.lineno}"


def _passages(
    conversation: Conversation, shown: Sequence[Frame], cut: Sequence[Sequence[Window]]
) -> list[Passage]:
    pairs = [(frame, window) for frame, row in zip(shown, cut, strict=True) for window in row]
    return [
        Passage(
            f"{conversation.id}#{number}",
            frame.text[window.start : window.end],
            conversation.language,
            _inside(frame.gold, window),
        )
        for number, (frame, window) in enumerate(pairs)
    ]


def _inside(gold: Sequence[Found], window: Window) -> tuple[Found, ...]:
    """Gold as it looks in a window: cut at its edges."""
    return tuple(
        Found(max(span.start, window.start) - window.start,
              min(span.end, window.end) - window.start, span.label)
        for span in gold
        if span.start < window.end and window.start < span.end
    )  # fmt: skip


def _covered(windows: Sequence[Window]) -> int:
    """Characters in at least one window."""
    total = reach = 0
    for window in windows:
        total += max(0, window.end - max(reach, window.start))
        reach = max(reach, window.end)
    return total


def _put_back(
    shown: Sequence[Frame], cut: Sequence[Sequence[Window]], found: Sequence[Sequence[Found]]
) -> tuple[Predicted, ...]:
    spans: list[Predicted] = []
    answers = iter(found)
    for frame, windows in zip(shown, cut, strict=True):
        seen = [(window, next(answers)) for window in windows]
        spans += frame.back(merge(frame.text, seen))
    return tuple(sorted(spans, key=lambda span: (*order_key(span), span.label)))


def order_key(span: Predicted) -> tuple[int, int, int, int]:
    """The sort key of predictions, that of gold."""
    return order(span)  # type: ignore[arg-type] # it has the four fields that count
