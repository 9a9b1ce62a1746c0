"""What the linter reports."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing to mend: where, which rule, what is wrong and what would be right."""

    file: str
    line: int | None
    rule: str
    problem: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.rule}: {self.problem}"
