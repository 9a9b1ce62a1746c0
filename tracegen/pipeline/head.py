"""Take away the head of a conversation, as if its beginning had not been pasted."""

import unicodedata
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from tracegen.model import Conversation, Decoy, Source, Span, Turn, document

Mark = TypeVar("Mark", Span, Decoy)


def cut_head(conversation: Conversation, count: int) -> Conversation | None:
    """The conversation without its first code points.

    Whole messages go, then the rest of one; a turn without a message goes too, and turns are
    numbered anew.

    Args:
        conversation: its head must hold no gold.
        count: code points of the document to take away.

    Returns:
        None where the cut would go through a span, a decoy, or a character with its marks.
    """
    lost = _lost(conversation, count)
    if lost is None or any(
        span.start < lost[span.turn, span.source] for span in conversation.spans
    ):
        return None
    kept: list[Decoy] = []
    for decoy in conversation.decoys:
        gone = lost[decoy.turn, decoy.source]
        if decoy.start >= gone:
            kept.append(decoy)
        elif decoy.end > gone:
            return None
    turns: list[Turn] = []
    numbers: dict[int, int] = {}
    for turn in conversation.turns:
        user = turn.user[lost[turn.turn, "user"] :]
        assistant = turn.assistant[lost[turn.turn, "assistant"] :]
        if user or assistant:
            numbers[turn.turn] = len(turns)
            turns.append(Turn(len(turns), user, assistant, turn.lang))
    return msgspec.structs.replace(
        conversation,
        turns=tuple(turns),
        spans=_moved(conversation.spans, numbers, lost),
        decoys=_moved(kept, numbers, lost),
        length=len(document(tuple(turns))),
    )


def _lost(conversation: Conversation, count: int) -> dict[tuple[int, Source], int] | None:
    """How many code points each message loses."""
    lost: dict[tuple[int, Source], int] = {}
    for message in conversation.messages():
        gone = min(count, len(message.text))
        if 0 < gone < len(message.text) and unicodedata.category(message.text[gone])[0] == "M":
            return None
        lost[message.turn, message.source] = gone
        if message.text:
            count = max(0, count - len(message.text) - 1)
    return lost


def _moved(
    marks: Sequence[Mark], numbers: dict[int, int], lost: dict[tuple[int, Source], int]
) -> tuple[Mark, ...]:
    moved: list[Mark] = []
    for mark in marks:
        gone = lost[mark.turn, mark.source]
        place = {"turn": numbers[mark.turn], "start": mark.start - gone, "end": mark.end - gone}
        moved.append(msgspec.structs.replace(mark, **place))
    return tuple(moved)
