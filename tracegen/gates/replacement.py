"""The first gate: offsets, order, labels, and nothing left of templates and placeholders."""

import unicodedata
from collections.abc import Iterator

from tracegen.gates.repeats import Found
from tracegen.model import LABELS, Conversation, Decoy, Message, Span, order

_PRINTED = frozenset({"None", "nan", "NaN", "null", "undefined", "[object Object]"})


def check_spans(conversation: Conversation) -> Iterator[Found | str]:
    """Broken spans and decoys with their place; faults of the whole record as a rule alone."""
    messages = {(m.turn, m.source): m.text for m in conversation.messages()}
    texts = [text for text in messages.values() if text]
    if len(messages) != 2 * len(conversation.turns):
        yield "turn numbers repeat"
    elif conversation.length != sum(map(len, texts)) + max(0, len(texts) - 1):
        yield "length is not that of the document"
    for name, stretches in (("spans", conversation.spans), ("decoys", conversation.decoys)):
        keys = [order(stretch) for stretch in stretches]
        if keys != sorted(keys):
            yield f"{name} are not sorted"
    marks: list[Span | Decoy] = [*conversation.spans, *conversation.decoys]
    for stretch in marks:
        for rule in _faults(stretch, messages.get((stretch.turn, stretch.source))):
            yield _at(rule, stretch)
    yield from _overlaps(sorted(marks, key=order))


def _at(rule: str, stretch: Span | Decoy) -> Found:
    return Found(rule, stretch.turn, stretch.source, stretch.start, stretch.end)


def _faults(stretch: Span | Decoy, message: str | None) -> Iterator[str]:
    if message is None:
        yield "span in a turn that does not exist"
    elif not 0 <= stretch.start < stretch.end <= len(message):
        yield "span outside its message"
    elif message[stretch.start : stretch.end] != stretch.text:
        yield "offsets do not restore the text"
    if isinstance(stretch, Span) and stretch.label not in LABELS:
        yield "unknown label"
    if stretch.text.strip() in _PRINTED:
        yield "printed non-value"
    elif not stretch.text.strip():
        yield "blank value"


def _overlaps(marks: list[Span | Decoy]) -> Iterator[Found]:
    place: tuple[int, str] | None = None
    end = 0
    for mark in marks:
        if (mark.turn, mark.source) != place:
            place, end = (mark.turn, mark.source), 0
        if mark.start < end:
            yield _at("spans overlap", mark)
        end = max(end, mark.end)


def check_characters(message: Message) -> Iterator[Found]:
    """Text that is not NFC or holds what no text holds."""
    text = message.text
    for rule, at in _characters(text):
        yield Found(rule, message.turn, message.source, at, None if at is None else at + 1)


def _characters(text: str) -> Iterator[tuple[str, int | None]]:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            yield "unpaired surrogate", error.start
            return
        if not unicodedata.is_normalized("NFC", text):
            yield "text is not NFC", None
    if "\x00" in text:
        yield "NUL character", text.index("\x00")
