"""Presidio's pattern recognizers without a model or network, one engine a language."""

import logging
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from tracegen.detectors.protocol import Detector, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError
from tracegen.gates.suffixes import offline_extractor
from tracegen.resources import Facts, read_yaml, room

ANY = "xx"
"""The language under which recognizers are registered when ours is not in the facts."""


class LanguageFacts(Facts):
    """What one language gets beside the common recognizers."""

    regions: tuple[str, ...]
    recognizers: tuple[str, ...]


class PresidioFacts(Facts):
    """`presidio.yaml`."""

    source: str
    minimum_score: float
    common: tuple[str, ...]
    languages: dict[str, LanguageFacts]


@cache
def presidio_facts() -> PresidioFacts:
    """The facts of both Presidio detectors."""
    return read_yaml(PresidioFacts, room("eval") / "detectors" / "presidio.yaml")


class PresidioPatterns:
    """The detector `presidio-patterns`; engines are built when their language first comes."""

    name = "presidio-patterns"
    version = version("presidio-analyzer")
    labels = "presidio"

    def __init__(self) -> None:
        """Build nothing yet."""
        facts = presidio_facts()
        self._minimum = facts.minimum_score
        self._engines: dict[str, Any] = {}
        self.settings = {"minimum_score": self._minimum}

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage."""
        return [self._spans(passage) for passage in passages]

    def _spans(self, passage: Passage) -> list[Found]:
        primary = passage.language.partition("-")[0]
        language = primary if primary in presidio_facts().languages else ANY
        if language not in self._engines:
            self._engines[language] = _engine(language)
        results = self._engines[language].analyze(
            passage.text, language=language, score_threshold=self._minimum
        )
        return resolved(results)


def resolved(results: Iterable[Any]) -> list[Found]:
    """Presidio's results without overlaps between types: the higher score wins, then the longer.

    An e-mail address is also a URL to Presidio, by design; its anonymizer resolves that likewise.
    """
    ranked = sorted(
        results,
        key=lambda one: (-one.score, one.start - one.end, one.start, one.entity_type),
    )
    kept: list[Found] = []
    taken = bytearray(max((one.end for one in ranked), default=0))
    for one in ranked:
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
            kept.append(Found(one.start, one.end, one.entity_type, float(one.score)))
    return sorted(kept)


def recognizers(language: str) -> list[Any]:
    """Fresh recognizers for a language of the facts, or the common ones alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its imports warn about their own future
        from presidio_analyzer import predefined_recognizers

    offline_extractor()
    facts = presidio_facts()
    own = facts.languages.get(language)
    made = [
        getattr(predefined_recognizers, name)(supported_language=language)
        for name in (*facts.common, *(own.recognizers if own else ()))
    ]
    phone: dict[str, Any] = {"supported_regions": own.regions} if own else {}
    made.append(predefined_recognizers.PhoneRecognizer(supported_language=language, **phone))
    return made


def engine(language: str, nlp_engine: Any) -> Any:
    """An analyzer for one language."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

    logger = logging.getLogger("presidio-analyzer")
    logger.addHandler(logging.NullHandler())  # silent; its level stays, since the gates listen
    logger.propagate = False
    registry = RecognizerRegistry(recognizers=recognizers(language), supported_languages=[language])
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine, supported_languages=[language])


def _engine(language: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from presidio_analyzer.nlp_engine import NoOpNlpEngine

    model = {"lang_code": language, "model_name": "none"}
    return engine(language, NoOpNlpEngine(models=[model]))


def make(choice: Choice, argument: str) -> Detector:
    """The detector.

    Raises:
        InputError: an argument was given.
    """
    if argument:
        raise InputError("detector 'presidio-patterns': takes no argument after the colon")
    return PresidioPatterns()
