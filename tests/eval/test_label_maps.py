"""Label maps say one thing of one sort of value, and know what the detectors here can answer."""

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tracegen.eval.labels import bundled, check_targets, load_map, meaning
from tracegen.model import LABELS

NEVER_GOLD: frozenset[str] = frozenset()

RULES = [
    (r"\bcvv|\bcvc|cvv$|security code", {"secret"}),
    (r"time|ti", NEVER_GOLD),
    (r"\b(expir\w+|expiry)( date)?\b", NEVER_GOLD),
    (r"\b(bic|swift)( code| bic)?\b", NEVER_GOLD),
    (r"\brouting\b", NEVER_GOLD),
    (r"\bsort code\b", {"account_number"}),
    (r"\buuid\b", NEVER_GOLD),
    (r"\btollfree\b", NEVER_GOLD),
    (r"\b(transaction|reservation|ticket|flight) number\b", NEVER_GOLD),
    (r"(organi[sz]ation|company)( name)?|companyname|org", NEVER_GOLD),
    (r"age", NEVER_GOLD),
    (r"\bstudent id\b", {"other_pii"}),
    (r"\b(employee|customer|patient) id\b", {"other_pii"}),
    (r"(date of birth|dob|bod|dateofbirth)", {"private_date"}),
    (r"city|state|county|zip ?code|post ?code|postal code", {"private_address"}),
]
"""Words of a raw label (a whole one where no `\\b` is used), and what a map may make of it."""


def words(raw: str) -> str:
    """`SWIFTCode`, `SWIFT_CODE` and `swift code` are the same words."""
    return re.sub(
        r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+", " ", raw
    ).lower().strip()  # fmt: skip


def entries() -> Iterator[tuple[str, str, frozenset[str]]]:
    for name in bundled():
        known = load_map(name)
        for raw in (*known.labels, *known.ignore):
            yield name, raw, frozenset(known.labels.get(raw, ()))


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_label_map_speaks_only_of_our_labels(name: str) -> None:
    known = load_map(name)
    check_targets(known, set(LABELS), name)
    assert known.source
    assert name == "tracegen" or known.checked
    assert name == "tracegen" or {label for labels in known.labels.values() for label in labels}


@pytest.mark.parametrize(("pattern", "targets"), RULES)
def test_every_map_follows_the_rule(pattern: str, targets: set[str]) -> None:
    match = re.compile(pattern).search if r"\b" in pattern else re.compile(pattern).fullmatch
    found = {(name, raw): given for name, raw, given in entries() if match(words(raw))}
    assert found
    assert {place: set(given) for place, given in found.items() if given != targets} == {}


def test_the_same_words_mean_the_same_in_every_map() -> None:
    given: dict[str, dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, raw, targets in entries():
        given[words(raw)][targets].append(f"{name}: {raw}")
    assert {key: dict(said) for key, said in given.items() if len(said) > 1} == {}


def test_every_entity_of_the_installed_presidio_is_known() -> None:
    entities = presidio_entities()
    assert len(entities) >= 100
    known, labels = load_map("presidio"), set(LABELS)
    unknown = [
        raw for raw in sorted(entities) if "(unmapped)" in meaning(known, raw, labels).labels
    ]
    assert unknown == []
    medical = {raw for raw in known.ignore if raw.startswith("MEDICAL_")}
    assert {*known.labels, *known.ignore} - medical == entities
    assert meaning(known, "SOMETHING_NEW", labels).labels == ("(unmapped)",)


def presidio_entities() -> set[str]:
    """What the recognizers say that need no model, service or argument."""
    from presidio_analyzer import EntityRecognizer, predefined_recognizers

    package = "presidio_analyzer.predefined_recognizers"
    for module in pkgutil.walk_packages(predefined_recognizers.__path__, f"{package}."):
        importlib.import_module(module.name)
    entities: set[str] = set()
    kinds: list[type] = [EntityRecognizer]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if inspect.isabstract(kind) or not kind.__module__.startswith(package):
            continue
        try:
            entities.update(kind().supported_entities or ())
        except (ImportError, TypeError, ValueError):  # needs a model, a service or an argument
            continue
    return entities
