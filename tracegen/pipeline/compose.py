"""Make one conversation: plan, render, gate, and redraw when a gate refuses."""

from collections.abc import Mapping

from tracegen.gates import Gates
from tracegen.model import Conversation
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.pipeline.catalogue import Catalogue
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.plan import Part, Plan, make_plan
from tracegen.pipeline.spec import Spec
from tracegen.render import Rendered, Setting, render
from tracegen.seeds import Stream
from tracegen.templates import Template

REPLAN_AFTER = 3
"""Attempts after which the plan is drawn anew as well: some combinations never pass."""


class Composer:
    """Makes the conversations of a spec, one by one; pure in (spec, templates, number)."""

    def __init__(
        self,
        spec: Spec,
        templates: Mapping[str, Template],
        catalogue: Catalogue,
        gates: Gates,
    ) -> None:
        """Keep what all conversations share."""
        self._spec = spec
        self._templates = templates
        self._catalogue = catalogue
        self._gates = gates
        self._setting = Setting(spec.reference_date, spec.safety)
        self.ledger = Ledger()

    def conversation(self, number: int) -> Conversation | None:
        """Conversation `number`, or None when every attempt was refused and it is dropped."""
        identity = f"{self._spec.name}-{number:06d}"
        for attempt in range(self._spec.attempts):
            plan = make_plan(self._spec, self._catalogue, number, attempt // REPLAN_AFTER)
            candidate = self._render(plan, identity, attempt)
            self.ledger.tried += 1
            violations = self._gates.check(candidate).violations
            if not violations:
                self.ledger.written += 1
                return candidate
            self.ledger.redrawn += 1
            self.ledger.refuse(candidate, violations)
        self.ledger.redrawn -= 1  # the last refusal was not followed by another draw
        self.ledger.drop(identity, plan.language, plan.story.template, violations)
        return None

    def _render(self, plan: Plan, identity: str, attempt: int) -> Conversation:
        stream = Stream(self._spec.seed, "conversation", plan.number, attempt)
        story = self._part(plan.story, stream.child("story"))
        before: dict[int, list[Rendered]] = {}
        for index, (position, part) in enumerate(plan.ballast):
            before.setdefault(position, []).append(self._part(part, stream.child("ballast", index)))
        parts: list[Rendered] = []
        for position, exchange in enumerate(story.exchanges):
            parts += before.pop(position, [])
            carriers = story.carriers if position == 0 else frozenset[str]()
            parts.append(Rendered((exchange,), carriers))
        for position in sorted(before):
            parts += before[position]
        heading = Heading(identity, self._spec.name)
        return assemble(heading, self._templates[plan.story.template], parts)

    def _part(self, part: Part, stream: Stream) -> Rendered:
        template = self._templates[part.template]
        rows = part.rows if template.facts.grows else None
        return render(template, stream, self._setting, messages=part.messages or None, rows=rows)
