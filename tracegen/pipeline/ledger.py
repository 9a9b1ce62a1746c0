"""What the gates did to a run's conversations: tried, written, redrawn, refused, dropped."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from tracegen.gates import Violation
from tracegen.model import Conversation


class Dropped(msgspec.Struct, frozen=True):
    """A conversation that no attempt got past the gates; `gates` refused the last attempt."""

    id: str
    language: str
    template: str
    gates: Sequence[str]


@dataclass(slots=True)
class Ledger:
    """Counts; `refusals` are by gate, rule, language and template."""

    tried: int = 0
    written: int = 0
    redrawn: int = 0
    dropped: list[Dropped] = field(default_factory=list)
    refusals: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)

    def add(self, other: "Ledger") -> None:
        """Take another shard's counts in."""
        self.tried += other.tried
        self.written += other.written
        self.redrawn += other.redrawn
        self.dropped += other.dropped
        self.refusals += other.refusals

    def refuse(self, candidate: Conversation, violations: Iterable[Violation]) -> None:
        """Count a refusal once for each rule."""
        template = candidate.template_id or ""
        for gate, rule in sorted({(one.gate, one.rule) for one in violations}):
            self.refusals[gate, rule, candidate.language, template] += 1

    def drop(
        self, identity: str, language: str, template: str, violations: Iterable[Violation] = ()
    ) -> None:
        """Note a conversation that is given up."""
        gates = sorted({one.gate for one in violations})
        self.dropped.append(Dropped(identity, language, template, gates))
