"""A conversation laid out for the gates: messages with their marks, and the text between the marks.

A mark is a gold span or a decoy. In the *blanked* text of a message every mark is one U+FFFC, so
that what a template wrote around its values is the same text in every conversation, and verdicts
on its lines can be kept.
"""

from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

from tracegen.model import Conversation, Message

BLANK = "\ufffc"


_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)


def zeroed(text: str) -> str:
    """The text with 0 for every ASCII digit."""
    return text.encode("utf-8", "surrogatepass").translate(_ZEROS).decode("utf-8", "surrogatepass")


class Mark(NamedTuple):
    """A stretch of a message that the record declares."""

    start: int
    end: int
    label: str | None
    """The gold label; None for a decoy."""


class Laid:
    """One message, its marks in order, and its blanked text."""

    __slots__ = (
        "_lengths", "_places", "blanked", "lang", "lines", "marks", "shapes", "source", "text",
        "turn",
    )  # fmt: skip

    def __init__(self, message: Message, language: str, marks: list[Mark]) -> None:
        """Blank the marks of a message."""
        self.turn, self.source, self.text = message.turn, message.source, message.text
        self.lang = message.lang or language
        self.marks = _disjoint(marks, len(self.text))
        self._places: list[int] = []
        self._lengths: list[int] = []
        self.blanked = self._blank() if self.marks else self.text
        self.lines = self.blanked.split("\n")
        self.shapes = zeroed(self.blanked).split("\n")
        """The lines with every ASCII digit as 0: rows of a table or log are then often the same."""

    def _blank(self) -> str:
        pieces: list[str] = []
        end = dropped = 0
        for mark in self.marks:
            pieces.append(self.text[end : mark.start])
            end = mark.end
            dropped += mark.end - mark.start - 1
            self._places.append(end - dropped)
            self._lengths.append(dropped)
        pieces.append(self.text[end:])
        return BLANK.join(pieces)

    def original(self, blanked_offset: int) -> int:
        """The offset in the message of an offset in its blanked text (between marks)."""
        at = bisect_right(self._places, blanked_offset)
        return blanked_offset + (self._lengths[at - 1] if at else 0)

    def overlapping(self, start: int, end: int) -> list[Mark]:
        """The marks that share a character with a stretch."""
        first = bisect_right(self.marks, start, key=lambda mark: mark.end)
        found: list[Mark] = []
        for mark in self.marks[first:]:
            if mark.start >= end:
                break
            found.append(mark)
        return found


def _disjoint(marks: list[Mark], length: int) -> list[Mark]:
    """Marks inside the message, in order, the part that overlaps an earlier one cut off.

    Broken marks are the first gate's business; the others must only survive them.
    """
    kept: list[Mark] = []
    end = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        start, stop = max(mark.start, end), min(mark.end, length)
        if start < stop:
            kept.append(Mark(start, stop, mark.label))
            end = stop
    return kept


def lay_out(conversation: Conversation) -> list[Laid]:
    """Every message of a conversation with its marks."""
    marks: defaultdict[tuple[int, str], list[Mark]] = defaultdict(list)
    for span in conversation.spans:
        marks[span.turn, span.source].append(Mark(span.start, span.end, span.label))
    for decoy in conversation.decoys:
        marks[decoy.turn, decoy.source].append(Mark(decoy.start, decoy.end, None))
    return [
        Laid(message, conversation.language, marks.get((message.turn, message.source), []))
        for message in conversation.messages()
    ]
