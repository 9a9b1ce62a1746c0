"""Our own patterns: the first opinion of the leak rescan, on the prepared view of a line."""

import re
from collections.abc import Callable

import regex

from tracegen.gates import rules
from tracegen.gates.checks import CHECKS, Part, passes
from tracegen.gates.verdict import Hit


class _Pattern:
    """One compiled shape with its cheap first test."""

    def __init__(self, shape: rules.Shape) -> None:
        flags = regex.IGNORECASE if shape.ignore_case else 0
        self.name = shape.name
        self.needs = shape.needs
        self._needs_pattern = re.compile(shape.needs_pattern) if shape.needs_pattern else None
        self.digits = shape.digits
        self._regex = regex.compile(shape.pattern, flags)
        self._check: Callable[[regex.Match[str]], Part] | None = (
            CHECKS[shape.check] if shape.check else None
        )
        self._checks = shape.checks

    def possible(self, view: str, digits: int) -> bool:
        """Whether the pattern could match at all; `digits` is the longest run of digits."""
        if digits < self.digits:
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
        patterns = [
            _Pattern(shape)
            for shape in rules.all_shapes()
            if shape.languages is None or language in shape.languages
        ]
        self._by_piece = [(piece, one) for one in patterns for piece in one.needs]
        self._others = [one for one in patterns if not one.needs]

    def possible(self, view: str, digits: int) -> bool:
        """Whether any pattern could match, whichever digits the view has."""
        for piece, _ in self._by_piece:
            if piece in view:
                return True
        return any(one.possible(view, digits) for one in self._others)

    def hits(self, view: str, digits: int) -> list[Hit]:
        """All hits in a view; `digits` is the length of its longest run of digits."""
        found: list[Hit] = []
        for piece, pattern in self._by_piece:
            if piece in view:
                found += [hit for hit in pattern.hits(view) if hit not in found]
        for pattern in self._others:
            if pattern.possible(view, digits):
                found += pattern.hits(view)
        return found
