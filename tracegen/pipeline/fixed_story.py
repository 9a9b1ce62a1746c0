"""A story that is rendered once, for all conversations that differ in one thing only."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tracegen.gates import Gates, Violation
from tracegen.model import Conversation
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.pipeline.catalogue import Catalogue, Story
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.plan import Part
from tracegen.pipeline.spec import Spec
from tracegen.render import Rendered, Setting, render
from tracegen.seeds import Stream
from tracegen.templates import Template

_PROBE_ROWS = 12
"""Rows of each growing piece beside which a story is tried."""


class Bench(NamedTuple):
    """What both slices work with; nothing of it changes but the ledger."""

    spec: Spec
    templates: Mapping[str, Template]
    catalogue: Catalogue
    gates: Gates
    ledger: Ledger

    @property
    def setting(self) -> Setting:
        """What all renderings share."""
        return Setting(self.spec.reference_date, self.spec.safety)

    def part(self, part: Part, stream: Stream) -> Rendered:
        """Render a template or piece of ballast."""
        template = self.templates[part.template]
        rows = part.rows if template.facts.grows else None
        return render(template, stream, self.setting, messages=part.messages or None, rows=rows)

    def record(self, heading: Heading, template: str, parts: Sequence[Rendered]) -> Conversation:
        """One conversation of parts."""
        return assemble(heading, self.templates[template], parts)

    def first_passing(
        self, heading: Heading, make: Callable[[int], Conversation | None]
    ) -> Conversation | None:
        """The first attempt that passes the gates; counts every attempt and refusal."""
        tried = 0
        last: Conversation | None = None
        why: Sequence[Violation] = ()
        for attempt in range(self.spec.attempts):
            candidate = make(attempt)
            if candidate is None:
                continue
            tried += 1
            self.ledger.tried += 1
            violations = self.gates.check(candidate).violations
            if not violations:
                self.ledger.written += 1
                self.ledger.redrawn += tried - 1
                return candidate
            self.ledger.refuse(candidate, violations)
            last, why = candidate, violations
        self.ledger.redrawn += max(0, tried - 1)
        language, template = (last.language, last.template_id or "") if last else ("", "")
        self.ledger.drop(heading.id, language, template, why)
        return None


def accepted(
    bench: Bench, part: Part, stream: Stream, wanted: Callable[[Rendered], bool]
) -> Rendered | None:
    """The first rendering of a story that passes the gates alone and beside all ballast.

    Its values must not meet a word of the ballast, or every long conversation would be refused
    while the short twin passed.
    """
    template = bench.templates[part.template]
    fillers = bench.catalogue.fillers[template.language]
    heading = Heading("probe", bench.spec.name)
    for attempt in range(bench.spec.attempts):
        own = stream.child("story", attempt)
        story = bench.part(part, own)
        if not wanted(story):
            continue
        beside = [
            bench.part(Part(one.template, rows=_PROBE_ROWS), own.child("beside", number))
            for number, one in enumerate(fillers)
        ]
        if all(
            not bench.gates.check(bench.record(heading, part.template, parts)).violations
            for parts in ([story], [*beside, story])
        ):
            return story
    return None


def labels_of(bench: Bench, story: Story) -> frozenset[str]:
    """The labels of a story's mentions, in a rendering that depends on the template alone."""
    rendered = bench.part(Part(story.template, story.messages), Stream("labels", story.template))
    return frozenset(span.label for exchange in rendered.exchanges for span in exchange.spans)
