"""What a detector is: something that is given passages and returns spans."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NamedTuple, Protocol, runtime_checkable


class Found(NamedTuple):
    """A span that a detector reports, in code points of the passage."""

    start: int
    end: int
    label: str
    score: float | None = None


class Passage(NamedTuple):
    """A stretch of text that a detector sees at once: a message, a conversation, or a window.

    `gold` is filled only for a detector that says `sees_gold`.
    """

    id: str
    text: str
    language: str
    gold: tuple[Found, ...] = ()


class DetectorFailure(Exception):  # noqa: N818 (an outcome that is counted)
    """A detector gave no usable answer for one passage.

    It is never the same as an empty answer: the conversation gets no prediction record.

    Args:
        kind: one of a few fixed words, counted in the run record.
        detail: what happened, without any of the text.
    """

    def __init__(self, kind: str, detail: str) -> None:
        """Keep kind and detail apart."""
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail

    def __reduce__(self) -> tuple[type["DetectorFailure"], tuple[str, str]]:
        """Cross a process boundary whole."""
        return (DetectorFailure, (self.kind, self.detail))


@runtime_checkable
class Detector(Protocol):
    """What every detector offers; plain classes need not inherit from it.

    A detector may also have `labels` (the name of its label map in `eval/labels/`), `sees_gold`,
    `settings` (a mapping), `notes` (counts that belong into the run record) and `close()`.
    """

    name: str
    version: str

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage, one list a passage, in the order asked."""
        ...


def label_map(detector: Detector) -> str:
    """The label map that reads this detector's labels."""
    return str(getattr(detector, "labels", "tracegen"))


def sees_gold(detector: Detector) -> bool:
    """Whether the detector is to be shown the gold."""
    return bool(getattr(detector, "sees_gold", False))


def settings(detector: Detector) -> Mapping[str, object]:
    """What was chosen about the detector, for the run record."""
    return dict(getattr(detector, "settings", {}))


def notes(detector: Detector) -> Mapping[str, int]:
    """What the detector counted while it worked, such as restarts."""
    return dict(getattr(detector, "notes", {}))


def close(detector: Detector) -> None:
    """Let the detector end processes and connections of its own."""
    end = getattr(detector, "close", None)
    if end is not None:
        end()


def checked(passage: Passage, found: object) -> list[Found]:
    """A detector's spans of one passage, refused as a whole if one cannot be right.

    Raises:
        DetectorFailure: a span has a wrong type or lies outside the passage.
    """
    if not isinstance(found, Sequence) or isinstance(found, str | bytes):
        raise DetectorFailure("bad answer", "the spans of a passage must be a list")
    spans = []
    for span in found:
        fields = tuple(span) if isinstance(span, Sequence) else ()
        if len(fields) not in (3, 4):
            raise DetectorFailure("bad answer", "a span is (start, end, label[, score])")
        start, end, label = fields[:3]
        score = fields[3] if len(fields) == 4 else None
        if type(start) is not int or type(end) is not int or not isinstance(label, str):
            raise DetectorFailure("bad answer", "start and end are whole numbers, label a text")
        if not _is_text(label):
            raise DetectorFailure("bad answer", "a label is text that UTF-8 can hold")
        if not (score is None or (isinstance(score, int | float) and isfinite(score))):
            raise DetectorFailure("bad answer", "a score is a finite number")
        if not 0 <= start <= end <= len(passage.text):
            raise DetectorFailure(
                "out of range", f"span {start}-{end} in a text of {len(passage.text)} characters"
            )
        spans.append(Found(start, end, label, None if score is None else float(score)))
    return spans


def _is_text(label: str) -> bool:
    try:
        label.encode()
    except UnicodeEncodeError:
        return False
    return True
