"""What a detector is shown of a conversation, and the way back to its messages.

Scope `message` shows each message alone, `conversation` the messages in order, joined by a line
end. With roles, each message follows on `user: ` or `assistant: `. Those prefixes and the line ends
belong to no message: a span is cut to the messages it lies in, one span a message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import msgspec

from tracegen.detectors.protocol import Found
from tracegen.errors import InputError, unknown
from tracegen.model import Conversation, Source

Scope = Literal["message", "conversation"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Predicted(msgspec.Struct, frozen=True, omit_defaults=True):
    """One span of a prediction record; offsets are code points of the message."""

    turn: int
    source: Source
    start: int
    end: int
    label: str
    score: float | None = None


class Place(NamedTuple):
    """A message inside a frame's text."""

    start: int
    end: int
    turn: int
    source: Source


@dataclass(frozen=True, slots=True)
class Frame:
    """A text to show, and where its messages lie in it."""

    text: str
    places: tuple[Place, ...]
    gold: tuple[Found, ...] = ()

    def back(self, found: Iterable[Found]) -> list[Predicted]:
        """Spans at offsets of their messages."""
        spans = []
        for span in found:
            for place in self.places:
                start, end = max(span.start, place.start), min(span.end, place.end)
                if start < end or place.start <= span.start == span.end <= place.end:
                    spans.append(
                        Predicted(
                            place.turn, place.source, start - place.start, end - place.start,
                            span.label, span.score,
                        )
                    )  # fmt: skip
        return spans


def scope_of(name: str) -> Scope:
    """The scope that a person named.

    Raises:
        InputError: there is none.
    """
    for known in SCOPES:
        if name == known:
            return known
    raise InputError(unknown("scope", name, SCOPES))


def frames(conversation: Conversation, scope: Scope, roles: bool, gold: bool) -> list[Frame]:
    """The frames of a conversation; empty messages have none."""
    shown = [message for message in conversation.messages() if message.text]
    parts = [
        (f"{message.source}: " if roles else "", message.text, message.turn, message.source)
        for message in shown
    ]
    if scope == "message":
        return [_frame([part], conversation, gold) for part in parts]
    return [_frame(parts, conversation, gold)] if parts else []


def _frame(
    parts: Sequence[tuple[str, str, int, Source]], conversation: Conversation, gold: bool
) -> Frame:
    places, position = [], 0
    for prefix, text, turn, source in parts:
        start = position + len(prefix)
        places.append(Place(start, start + len(text), turn, source))
        position = start + len(text) + 1
    text = "\n".join(prefix + text for prefix, text, _, _ in parts)
    return Frame(text, tuple(places), _gold(places, conversation) if gold else ())


def _gold(places: Sequence[Place], conversation: Conversation) -> tuple[Found, ...]:
    starts = {(place.turn, place.source): place.start for place in places}
    return tuple(
        Found(span.start + base, span.end + base, span.label)
        for span in conversation.spans
        if (base := starts.get((span.turn, span.source))) is not None
    )
