"""The second gate: every occurrence of an entity's value is a labelled mention.

The search runs over the whole document without case; then the squashed values are looked for in
what lies between the gold spans, so that an unlabelled repetition with other dashes, spaces,
digits or zero-width characters is seen as well.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from tracegen.gates.boundaries import stands_alone
from tracegen.gates.entities import by_entity, inconsistent, needles, shared, whole_values
from tracegen.gates.folding import GAP, casefold_aligned, squash
from tracegen.gates.layout import Laid
from tracegen.model import Conversation

NOT_APPLICABLE = "repeated values: rows carry no entity ids"


class Found(NamedTuple):
    """A broken rule at a place."""

    rule: str
    turn: int
    source: str
    start: int | None
    end: int | None


def check_repeats(conversation: Conversation, messages: list[Laid]) -> Iterator[Found]:
    """Everything in which the record breaks the rules on repeated values."""
    entities = by_entity(conversation)
    for mentions in entities.values():
        for rule, span in inconsistent(mentions):
            yield Found(rule, span.turn, span.source, span.start, span.end)
    for span in shared(entities):
        yield Found("two entities share a value", span.turn, span.source, span.start, span.end)
    yield from _unlabelled(needles(entities), messages)
    yield from _rewritten(whole_values(entities), messages)


def _unlabelled(wanted: set[str], messages: list[Laid]) -> Iterator[Found]:
    text = casefold_aligned("\n".join(laid.text for laid in messages))
    starts: list[int] = []
    golds: list[tuple[int, int]] = []
    at = 0
    for laid in messages:
        starts.append(at)
        golds += [(at + m.start, at + m.end) for m in laid.marks if m.label is not None]
        at += len(laid.text) + 1
    gold_starts = [start for start, _ in golds]
    for needle in sorted(wanted):
        place = text.find(needle)
        while place >= 0:
            end = place + len(needle)
            inside = bisect_right(gold_starts, place) - 1
            labelled = inside >= 0 and end <= golds[inside][1]
            if not labelled and stands_alone(text, place, end):
                number = bisect_right(starts, place) - 1
                laid, offset = messages[number], starts[number]
                if end - offset <= len(laid.text):
                    yield Found(
                        "unlabelled occurrence",
                        laid.turn,
                        laid.source,
                        place - offset,
                        end - offset,
                    )
            place = text.find(needle, end if labelled else place + 1)


def _outside_gold(laid: Laid) -> str:
    pieces: list[str] = []
    end = 0
    for mark in laid.marks:
        if mark.label is not None:
            pieces.append(laid.text[end : mark.start])
            end = mark.end
    pieces.append(laid.text[end:])
    return GAP.join(pieces)


def _rewritten(values: set[str], messages: list[Laid]) -> Iterator[Found]:
    squashed = [squash(_outside_gold(laid)) for laid in messages] if values else []
    everything = GAP.join(squashed)
    for value in sorted(values):
        if value in everything:
            for laid, text in zip(messages, squashed, strict=True):
                if value in text:
                    yield Found("occurrence in another form", laid.turn, laid.source, None, None)
