"""Presidio's second opinion: recognizers chosen by language, without any model or network.

The recognizers are called directly, on the prepared view of a line, after a cheap test that their
pattern could match at all. One that raises or runs out of time is a finding, not silence.
"""

import logging
import re
import warnings
from typing import Any

from tracegen.gates import rules
from tracegen.gates.suffixes import offline_extractor
from tracegen.gates.verdict import Hit

RECOGNIZER_FAILED = "recognizer failed"
PREFIX = "Presidio: "

_RULES = {
    "EMAIL_ADDRESS": "e-mail",
    "CREDIT_CARD": "card",
    "IBAN_CODE": "IBAN",
    "MAC_ADDRESS": "MAC",
    "PHONE_NUMBER": "phone",
    "CRYPTO": "wallet address",
}
# What each pattern of presidio-analyzer 2.2 cannot match without.
_NEEDS = {
    "EmailRecognizer": re.compile("@"),
    "IbanRecognizer": re.compile("[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}[ -]?[A-Z0-9]{4}"),
    "MacAddressRecognizer": re.compile(
        r"(?:[0-9A-Fa-f]{2}[:\-]){4}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\."
    ),
    "CryptoRecognizer": re.compile("(?:[bB][cC][0-9]|[0-9])[A-Za-z0-9]{25}"),
    "ItFiscalCodeRecognizer": re.compile("[A-Za-z0-9]{16}"),
}
_DIGITS = {"CreditCardRecognizer": 12}
_ID_DIGITS = 8
_REPOSITORY = re.compile(r"git@[\w.\-]+$")
_NO_MAC = re.compile(r"(?:00[:\-]?){6}|(?:ff[:\-]?){6}|(?:0000\.?){3}|(?:ffff\.?){3}", re.I)


def family(rule: str) -> str:
    """The rule without the name of who said it."""
    return rule.removeprefix(PREFIX)


class _Timeouts(logging.Handler):
    """Counts the warnings by which Presidio says that it skipped the rest of a pattern."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a warning of a pattern that timed out."""
        self.count += "timed out" in str(record.msg)


_TIMEOUTS = _Timeouts()


def _recognizer(name: str, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its imports warn about their own future
        from presidio_analyzer import predefined_recognizers

        offline_extractor()
        logger = logging.getLogger("presidio-analyzer")
        if _TIMEOUTS not in logger.handlers:
            logger.addHandler(_TIMEOUTS)
        return getattr(predefined_recognizers, name)(supported_language="xx", **options)


class SecondOpinion:
    """Presidio's recognizers for one language."""

    def __init__(self, language: str) -> None:
        """Build the recognizers that `languages.yaml` names."""
        facts = rules.languages()
        own = facts.languages.get(language)
        named = [(name, 0.0) for name in facts.presidio_common]
        named += [(name, facts.presidio_score) for name in (own.presidio if own else ())]
        self.recognizers: list[tuple[str, Any, float]] = [
            (name, _recognizer(name), score) for name, score in named
        ]
        self._phone: Any = None
        if own and own.regions:
            self._phone = _recognizer("PhoneRecognizer", supported_regions=own.regions, leniency=2)

    def hits(self, view: str, digits: int) -> list[Hit]:
        """Everything that the recognizers say about a view, phone numbers excepted.

        `digits` is the length of its longest run of digits, separators between them.
        """
        return [
            hit
            for name, recognizer, score in self.recognizers
            if _could_match(name, view, digits)
            for hit in analyze(recognizer, view, score)
        ]

    @property
    def knows_phones(self) -> bool:
        """Whether the language has phone regions."""
        return self._phone is not None

    def possible(self, view: str, digits: int) -> bool:
        """Whether any recognizer could match, whichever digits the view has."""
        return any(_could_match(name, view, digits) for name, _, _ in self.recognizers)

    def phone_hits(self, stretch: str) -> list[Hit]:
        """Phone numbers in a candidate stretch."""
        least = rules.languages().phone_min_digits
        return [
            Hit(family(hit.rule), hit.start, hit.end)
            for hit in analyze(self._phone, stretch, 0.0)
            if hit.rule == RECOGNIZER_FAILED
            or sum(map(str.isdigit, stretch[hit.start : hit.end])) >= least
        ]


def _could_match(name: str, view: str, digits: int) -> bool:
    needs = _NEEDS.get(name)
    if needs is not None:
        return needs.search(view) is not None
    return digits >= _DIGITS.get(name, _ID_DIGITS)


def analyze(recognizer: Any, view: str, score: float) -> list[Hit]:
    """What one recognizer says of a view; a failure or a pattern out of time is a hit as well."""
    before = _TIMEOUTS.count
    try:
        results = recognizer.analyze(view, recognizer.supported_entities, None)
    except Exception:
        # Whatever a third party's pattern raises on odd text must refuse the text, not end the run.
        return [Hit(RECOGNIZER_FAILED, 0, len(view))]
    found = [
        Hit(PREFIX + _RULES.get(result.entity_type, result.entity_type), result.start, result.end)
        for result in results
        if result.score >= score and not _is_nobodys(view, result.start, result.end)
    ]
    if _TIMEOUTS.count != before:
        found.append(Hit(RECOGNIZER_FAILED, 0, len(view)))
    return found


def _is_nobodys(view: str, start: int, end: int) -> bool:
    """A repository address or an empty hardware address."""
    text = view[start:end]
    if _REPOSITORY.search(text):
        return view[end : end + 1] in {":", "/"}
    return _NO_MAC.fullmatch(text) is not None
