"""Count what was checked and what missed, and print it as a table."""

from collections import Counter
from dataclasses import dataclass, field

_SHOWN = 12


@dataclass(slots=True)
class Report:
    """Tallies by rule; a rule may allow a share of misses (names repeat, people use nicknames)."""

    checked: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    allowed: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def tally(self, rule: str, where: str, holds: bool, example: str) -> None:
        """Count one test of a rule at a locale and kind."""
        self.checked[rule, where] += 1
        if not holds:
            self.missed[rule, where] += 1
            self.examples.setdefault((rule, where), example)

    def failures(self) -> list[tuple[str, str, int, int, str]]:
        """Rule, place, misses, tests and an example of all that missed more than allowed."""
        return [
            (rule, where, count, self.checked[rule, where], self.examples[rule, where])
            for (rule, where), count in sorted(self.missed.items())
            if count > self.allowed.get(rule, 0.0) * self.checked[rule, where]
        ]

    def table(self) -> str:
        """One line a rule: values tested, share that holds, places tested, places that fail."""
        failing = Counter(rule for rule, *_ in self.failures())
        lines = [f"{'rule':<66}{'values':>10}{'hold':>10}{'wanted':>8}{'places':>8}{'fail':>6}"]
        for rule in sorted({rule for rule, _ in self.checked}):
            total = sum(n for (one, _), n in self.checked.items() if one == rule)
            missed = sum(n for (one, _), n in self.missed.items() if one == rule)
            places = sum(1 for one, _ in self.checked if one == rule)
            share = f"{100 * (1 - missed / total):.2f} %"
            wanted = f"{100 * (1 - self.allowed.get(rule, 0.0)):.0f} %"
            lines.append(
                f"{rule:<66}{total:>10,}{share:>10}{wanted:>8}{places:>8}{failing[rule]:>6}"
            )
        return "\n".join(lines)

    def print(self) -> bool:
        """Print table, notes and failures; whether all holds."""
        failures = self.failures()
        print(self.table())
        for note in self.notes:
            print(note)
        for rule, where, count, total, example in failures[: _SHOWN * 10]:
            print(f"FAIL {where}: {rule}: {count:,} of {total:,}, such as {example!r}")
        print(f"{len(failures)} failures" if failures else "all hold")
        return not failures
