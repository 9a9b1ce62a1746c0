"""Our own patterns, from `eval/detectors/regex.yaml`: a baseline anyone could write."""

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

import pydantic
import regex

from tracegen import __version__
from tracegen.checksums import check_characters
from tracegen.detectors.protocol import Detector, DetectorFailure, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError
from tracegen.resources import Facts, read_yaml, room

_SECONDS = 20.0
"""Time limit of one pattern on one passage."""


class PatternFacts(Facts):
    """One pattern."""

    label: str
    pattern: str
    check: str | None = None
    digits: tuple[int, int] | None = None


class PatternFile(Facts):
    """`regex.yaml`."""

    source: str
    patterns: tuple[PatternFacts, ...] = pydantic.Field(min_length=1)


def _luhn(text: str) -> bool:
    digits = _digits(text)
    return digits[-1] in check_characters("luhn", digits[:-1], {})


def _iban(text: str) -> bool:
    plain = "".join(character for character in text if character.isalnum()).upper()
    return plain[2:4] in check_characters("mod97", plain[4:] + plain[:2], {})


_CHECKS: dict[str, Callable[[str], bool]] = {"luhn": _luhn, "iban": _iban}


def _digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(one)) for one in text if one.isdecimal())


class Patterns:
    """The detector `regex`."""

    name = "regex"
    version = __version__

    def __init__(self) -> None:
        """Compile the room's patterns."""
        self._patterns = _compiled()

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage, none overlapping."""
        return [self._spans(passage.text) for passage in passages]

    def _spans(self, text: str) -> list[Found]:
        taken = bytearray(len(text))
        spans: list[Found] = []
        for facts, pattern in self._patterns:
            group = "value" if "value" in pattern.groupindex else 0
            try:
                matches = list(pattern.finditer(text, timeout=_SECONDS))
            except TimeoutError as error:
                raise DetectorFailure("timeout", f"a pattern for {facts.label}") from error
            for match in matches:
                start, end = match.span(group)
                if _fits(facts, match[group]) and not any(taken[start:end]):
                    taken[start:end] = b"\x01" * (end - start)
                    spans.append(Found(start, end, facts.label))
        return sorted(spans)


def _fits(facts: PatternFacts, text: str) -> bool:
    if facts.digits and not facts.digits[0] <= len(_digits(text)) <= facts.digits[1]:
        return False
    return facts.check is None or _CHECKS[facts.check](text)


@cache
def _compiled() -> tuple[tuple[PatternFacts, "regex.Pattern[str]"], ...]:
    path = room("eval") / "detectors" / "regex.yaml"
    facts = read_yaml(PatternFile, path)
    for one in facts.patterns:
        if one.check is not None and one.check not in _CHECKS:
            raise InputError(f"no check {one.check!r}; known: {', '.join(_CHECKS)}", file=path)
    return tuple((one, regex.compile(one.pattern)) for one in facts.patterns)


def make(choice: Choice, argument: str) -> Detector:
    """The detector.

    Raises:
        InputError: an argument was given.
    """
    if argument:
        raise InputError("detector 'regex': takes no argument after the colon")
    return Patterns()
