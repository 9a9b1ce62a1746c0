"""Find a detector by the name that a person gave: `name` or `name:argument`."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from tracegen.detectors.protocol import Detector
from tracegen.errors import InputError, unknown

LONGEST = 86_400
"""Seconds, a day: what the system can wait for, and what a person may have meant."""

GROUP = "tracegen.detectors"
"""The entry point group of third parties: a callable that takes the argument, or nothing."""


class Choice(NamedTuple):
    """A detector by name, with what the command line says about running it.

    Attributes:
        timeout: seconds within which one answer must come, for programs and services.
        startup: seconds within which the first answer must come, while a model loads.
        remote: whether a service may be on another machine.
        options: what the detector itself understands, by name.
    """

    name: str
    timeout: float = 60.0
    startup: float = 300.0
    remote: bool = False
    options: Mapping[str, str] = {}


BUILT_IN: Mapping[str, tuple[str, str]] = {
    "presidio-patterns": ("presidio", "Presidio's pattern recognizers, all 13 languages, no model"),
    "presidio-spacy": ("presidio_spacy", "Presidio with spaCy models: presidio-spacy:en=MODEL,..."),
    "regex": ("patterns", "our own patterns, an honest baseline"),
    "null": ("trivial", "finds nothing"),
    "mask-all": ("trivial", "masks everything"),
    "oracle": ("trivial", "the gold itself"),
    "command": ("command", "any program, JSON lines in and out: command:ARGV"),
    "http": ("http", "a service: http:URL"),
    "https": ("http", "a service: https:URL"),
    "hf": ("huggingface", "a token classifier from a folder: hf:FOLDER"),
    "gliner": ("gliner", "a GLiNER model from a folder: gliner:FOLDER"),
}
"""Name to the module that makes it, and a line of help."""


def make_detector(choice: Choice) -> Detector:
    """The detector of that name, ready to work.

    Raises:
        InputError: no such detector, or it cannot be set up; says what is missing.
    """
    _check(choice)
    name, _, argument = choice.name.partition(":")
    if name in BUILT_IN:
        module = import_module(f"tracegen.detectors.{BUILT_IN[name][0]}")
        make: Callable[[Choice, str], Detector] = module.make
        return make(choice, argument)
    others = _third_party()
    if name not in others:
        raise InputError(unknown("detector", name, [*BUILT_IN, *others]))
    return _load(others[name], argument)


def _check(choice: Choice) -> None:
    try:
        choice.name.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"detector {choice.name!a}: is not UTF-8, and the run record is; rename what it names"
        ) from None
    for option, seconds in (("--timeout", choice.timeout), ("--startup", choice.startup)):
        if not 0 < seconds <= LONGEST:  # NaN is neither
            raise InputError(f"{option} {seconds:g}: must be above 0 and at most {LONGEST:,} s")


def _third_party() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _load(point: EntryPoint, argument: str) -> Detector:
    try:
        make = point.load()
        detector = make(argument) if argument else make()
    except Exception as error:  # a third party's code may raise anything
        raise InputError(
            f"detector {point.name!r} cannot be set up ({type(error).__name__}: {error})",
            file=point.value,
        ) from error
    if not isinstance(detector, Detector):
        raise InputError(
            "made no detector; it needs name, version and detect(passages)", file=point.value
        )
    return detector
