"""Counts with their shares: nothing is printed as a ratio whose counts are not kept."""

from typing import Any, NamedTuple

from tracegen.eval.statistics import wilson


class Share(NamedTuple):
    """So many of so many."""

    found: int = 0
    total: int = 0

    @property
    def rate(self) -> float | None:
        """The ratio; None of nothing."""
        return self.found / self.total if self.total else None

    def plus(self, other: "Share") -> "Share":
        """Both together."""
        return Share(self.found + other.found, self.total + other.total)

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval; everything is possible of nothing."""
        return wilson(self.found, self.total)

    def described(self) -> dict[str, Any]:
        """For the report."""
        low, high = self.interval()
        return {
            "found": self.found, "total": self.total, "rate": self.rate, "low": low, "high": high,
        }  # fmt: skip


def share(flags: "list[bool]") -> Share:
    """How many are true."""
    return Share(sum(flags), len(flags))
