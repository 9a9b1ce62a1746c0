"""Join rendered templates into one record."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from tracegen.model import Conversation, Decoy, Span, Turn, document, order
from tracegen.render import Rendered
from tracegen.templates import Template


class Heading(NamedTuple):
    """The fields of a record that do not come from the text."""

    id: str
    slice: str
    pair_id: str | None = None
    axis: str | None = None
    level: str | None = None


def assemble(heading: Heading, template: Template, parts: Sequence[Rendered]) -> Conversation:
    """One conversation from its parts in order; turns are numbered through.

    Args:
        heading: id and slice.
        template: the one that gives the record its identity, language and locale.
        parts: the template's own turns and the ballast around them, in order.
    """
    turns: list[Turn] = []
    spans: list[Span] = []
    decoys: list[Decoy] = []
    carriers: set[str] = set()
    for part in parts:
        for exchange in part.exchanges:
            number = len(turns)
            turns.append(Turn(number, exchange.user, exchange.assistant, exchange.lang))
            spans += (msgspec.structs.replace(span, turn=number) for span in exchange.spans)
            decoys += (msgspec.structs.replace(decoy, turn=number) for decoy in exchange.decoys)
        carriers |= part.carriers
    return Conversation(
        id=heading.id,
        source_corpus="tracegen",
        template_id=template.id,
        language=template.language,
        locale=template.locale,
        slice=heading.slice,
        pair_id=heading.pair_id,
        axis=heading.axis,
        level=heading.level,
        turns=tuple(turns),
        spans=tuple(sorted(spans, key=order)),
        decoys=tuple(sorted(decoys, key=order)),
        length=len(document(tuple(turns))),
        carriers=tuple(sorted(carriers)),
    )
