"""Our own patterns: the first opinion of the leak rescan, on the prepared view of a line."""

from collections.abc import Callable

import regex

from tracegen.gates import rules
from tracegen.gates.checks import CHECKS, Part, passes
from tracegen.gates.verdict import Hit

DIGIT = regex.compile(r"[0-9]")


class _Pattern:
    """One compiled shape with its cheap first test."""

    def __init__(self, shape: rules.Shape) -> None:
        flags = regex.IGNORECASE if shape.ignore_case else 0
        self.name = shape.name
        self._needs = shape.needs
        self._needs_pattern = regex.compile(shape.needs_pattern) if shape.needs_pattern else None
        self._digits = shape.digits
        self._regex = regex.compile(shape.pattern, flags)
        self._check: Callable[[regex.Match[str]], Part] | None = (
            CHECKS[shape.check] if shape.check else None
        )
        self._checks = shape.checks

    def possible(self, view: str, digits: int) -> bool:
        """Whether the pattern could match at all."""
        if digits < self._digits or (self._needs is not None and self._needs not in view):
            return False
        return self._needs_pattern is None or self._needs_pattern.search(view) is not None

    def hits(self, view: str) -> list[Hit]:
        """All matches that pass their check."""
        found: list[Hit] = []
        for match in self._regex.finditer(view):
            part: Part = match.span()
            if self._check is not None:
                part = self._check(match)
            elif self._checks and not passes(match, self._checks):
                part = None
            if part is not None:
                found.append(Hit(self.name, *part))
        return found


class OwnShapes:
    """The patterns of one language."""

    def __init__(self, language: str) -> None:
        """Compile the general patterns and the language's own."""
        self._patterns = [
            _Pattern(shape)
            for shape in rules.all_shapes()
            if shape.languages is None or language in shape.languages
        ]

    def hits(self, view: str, digits: int) -> list[Hit]:
        """All hits in a view; `digits` is the number of its digits."""
        return [
            hit
            for pattern in self._patterns
            if pattern.possible(view, digits)
            for hit in pattern.hits(view)
        ]
