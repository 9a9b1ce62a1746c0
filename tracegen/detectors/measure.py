"""How long a detector took: throughput, and latency by stretches of 2,000 characters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

STRETCH = 2000
"""Characters to which latencies are brought, so that long and short conversations compare."""


@dataclass(slots=True)
class Measure:
    """Times and amounts of a run; only of conversations that were answered."""

    conversations: int = 0
    calls: int = 0
    characters: int = 0
    shown: int = 0
    unread: int = 0
    seconds: float = 0.0
    samples: list[tuple[float, int]] = field(default_factory=list)
    """Seconds and characters of each conversation."""

    def add(self, seconds: float, characters: int, shown: int, unread: int, calls: int) -> None:
        """Count one conversation."""
        self.conversations += 1
        self.calls += calls
        self.characters += characters
        self.shown += shown
        self.unread += unread
        self.seconds += seconds
        if characters:
            self.samples.append((seconds, characters))

    def latency(self, share: float) -> float | None:
        """Seconds per 2,000 characters that this share of conversations stays within."""
        paces = [seconds * STRETCH / max(count, 1) for seconds, count in self.samples]
        return percentile(paces, share)

    def described(self) -> dict[str, Any]:
        """For the run record."""
        return {
            "conversations": self.conversations,
            "calls": self.calls,
            "characters": self.characters,
            "characters_shown": self.shown,
            "characters_unread": self.unread,
            "seconds": round(self.seconds, 6),
            "characters_per_second": round(self.characters / self.seconds)
            if self.seconds
            else None,
            "latency_per_2000_characters": {
                name: None if pace is None else round(pace, 6)
                for name, pace in (("p50", self.latency(0.5)), ("p95", self.latency(0.95)))
            },
        }


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of the values does not exceed."""
    if not values:
        return None
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, max(0, -(-int(share * 1000) * len(ranked) // 1000) - 1))]
