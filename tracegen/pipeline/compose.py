"""Make one conversation: plan, render, gate, and redraw when a gate refuses."""

from tracegen.model import Conversation
from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.plan import Plan, make_plan
from tracegen.render import Rendered
from tracegen.seeds import Stream

REPLAN_AFTER = 3
"""Attempts after which the plan is drawn anew as well: some combinations never pass."""


class Composer:
    """Makes the conversations of a spec, one by one; pure in (spec, templates, number)."""

    def __init__(self, bench: Bench) -> None:
        """Keep what all conversations share."""
        self._bench = bench

    @property
    def ledger(self) -> Ledger:
        """What the gates did."""
        return self._bench.ledger

    def conversation(self, number: int) -> Conversation | None:
        """Conversation `number`, or None when every attempt was refused and it is dropped."""
        spec = self._bench.spec
        heading = Heading(f"{spec.name}-{number:06d}", spec.name)

        def made(attempt: int) -> Conversation:
            again = attempt // REPLAN_AFTER
            plan = make_plan(spec, self._bench.catalogue, number, again)
            return self.render(plan, heading, attempt)

        return self._bench.first_passing(heading, made)

    def render(self, plan: Plan, heading: Heading, attempt: int) -> Conversation:
        """The conversation of a plan, not yet through the gates."""
        stream = Stream(self._bench.spec.seed, "conversation", plan.number, attempt)
        story = self._bench.part(plan.story, stream.child("story"))
        before: dict[int, list[Rendered]] = {}
        for index, (position, part) in enumerate(plan.ballast):
            piece = self._bench.part(part, stream.child("ballast", index))
            before.setdefault(position, []).append(piece)
        parts: list[Rendered] = []
        for position, exchange in enumerate(story.exchanges):
            parts += before.pop(position, [])
            carriers = story.carriers if position == 0 else frozenset[str]()
            parts.append(Rendered((exchange,), carriers))
        for position in sorted(before):
            parts += before[position]
        return self._bench.record(heading, plan.story.template, parts)
