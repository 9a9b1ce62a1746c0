"""Render parts, put them together, and try again until the gates let a conversation pass."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tracegen.gates import Gates, Violation
from tracegen.model import Conversation
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.pipeline.catalogue import Catalogue
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.plan import Part
from tracegen.pipeline.spec import Spec
from tracegen.render import Rendered, Setting, render
from tracegen.seeds import Stream
from tracegen.templates import Template


class Bench(NamedTuple):
    """What every maker of conversations works with; nothing of it changes but the ledger."""

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
