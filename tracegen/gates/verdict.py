"""What a gate says: violations by rule and place, and what it could not test. Never a value."""

from typing import NamedTuple

SPAN_REPLACEMENT = "span replacement"
REPEATED_VALUES = "repeated values"
LEAK_RESCAN = "leak rescan"
LANGUAGE = "language"

GATES: tuple[str, ...] = (SPAN_REPLACEMENT, REPEATED_VALUES, LEAK_RESCAN, LANGUAGE)
"""The gates, in the order in which they are reported."""


class Violation(NamedTuple):
    """A broken rule and its place; offsets are code points of the message."""

    gate: str
    rule: str
    conversation: str
    template: str | None
    turn: int | None
    source: str | None
    start: int | None
    end: int | None


class Verdict(NamedTuple):
    """The result of all gates on one conversation."""

    violations: tuple[Violation, ...]
    not_applicable: tuple[str, ...]
    not_covered: tuple[str, ...]
    untested_messages: int


class Hit(NamedTuple):
    """A rule that fired at a place of some text."""

    rule: str
    start: int
    end: int
