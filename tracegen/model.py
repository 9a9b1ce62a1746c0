"""The record: one conversation with its gold spans and decoys.

Offsets are half-open `[start, end)` counts of Unicode code points into one message. The field
names are those of the public PII-TRACE rows, so that code written for those reads ours; the
fields that only tracegen knows are optional, so that imported rows fit as well. `docs/format.md`
describes every field.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

Source = Literal["user", "assistant"]
SOURCES: tuple[Source, ...] = ("user", "assistant")

LABELS: tuple[str, ...] = (
    "private_person",
    "private_email",
    "private_phone",
    "private_address",
    "private_url",
    "private_date",
    "account_number",
    "secret",
    "other_pii",
)
"""The nine PII types of PII-TRACE, in its order."""

LANGUAGES: tuple[str, ...] = (
    "en", "de", "fr", "it", "ru", "ko", "zh", "ja", "ar", "hi", "th", "he", "el",
)  # fmt: skip
"""The thirteen languages, BCP 47."""


class Turn(msgspec.Struct, frozen=True):
    """One exchange; either message may be empty."""

    turn: int
    user: str = ""
    assistant: str = ""
    lang: str | None = None
    """Set where the turn is deliberately in another language than the conversation."""

    def message(self, source: str) -> str:
        """The text of one side."""
        return self.user if source == "user" else self.assistant


class Span(msgspec.Struct, frozen=True):
    """One labelled mention of an entity."""

    turn: int
    source: Source
    start: int
    end: int
    label: str
    text: str
    kind: str | None = None
    entity_id: str | None = None
    subject: int | None = None
    form: str | None = None
    carrier: str | None = None


class Decoy(msgspec.Struct, frozen=True):
    """A stretch that looks like PII and is not."""

    turn: int
    source: Source
    start: int
    end: int
    text: str
    kind: str


class Message(NamedTuple):
    """A message with its place; `turn` is the turn's own number, not its position."""

    turn: int
    source: Source
    text: str
    lang: str | None


class Conversation(msgspec.Struct, frozen=True):
    """One record of a corpus."""

    id: str
    source_corpus: str
    template_id: str | None
    language: str
    locale: str | None
    slice: str | None
    pair_id: str | None
    axis: str | None
    level: str | None
    turns: tuple[Turn, ...]
    spans: tuple[Span, ...]
    decoys: tuple[Decoy, ...]
    length: int
    carriers: tuple[str, ...]

    def messages(self) -> Iterator[Message]:
        """Every message in order, empty ones included."""
        for turn in self.turns:
            yield Message(turn.turn, "user", turn.user, turn.lang)
            yield Message(turn.turn, "assistant", turn.assistant, turn.lang)


def document(turns: tuple[Turn, ...]) -> str:
    r"""The messages in order, empty ones skipped, joined by one `\n`."""
    return "\n".join(text for turn in turns for text in (turn.user, turn.assistant) if text)


def starts(conversation: Conversation) -> dict[tuple[int, Source], int]:
    """Where each message, by turn and source, starts in the document; empty ones have no place."""
    found: dict[tuple[int, Source], int] = {}
    at = 0
    for message in conversation.messages():
        if message.text:
            found[message.turn, message.source] = at
            at += len(message.text) + 1
    return found


def order(span: Span | Decoy) -> tuple[int, int, int, int]:
    """The sort key of spans and decoys: turn, user before assistant, start, end."""
    return (span.turn, SOURCES.index(span.source), span.start, span.end)
