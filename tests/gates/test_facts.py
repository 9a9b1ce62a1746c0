"""Every example in the room is what it claims to be, for the pattern that it belongs to."""

import pytest

from tracegen.gates import rules
from tracegen.gates.scanner import LineScanner
from tracegen.model import LANGUAGES


@pytest.mark.parametrize("shape", rules.all_shapes(), ids=lambda shape: shape.name)
def test_a_shapes_examples_hold(shape: rules.Shape) -> None:
    for language in shape.languages or ("en", "zh"):
        scanner = LineScanner(language, presidio=False)
        for text in shape.valid:
            assert shape.name in {hit.rule for hit in scanner.scan(f"so {text} ok")}, text
        for text in shape.invalid:
            assert shape.name not in {hit.rule for hit in scanner.scan(f"so {text} ok")}, text


def test_every_language_has_an_entry_everywhere() -> None:
    assert set(rules.languages().languages) == set(LANGUAGES)
    assert set(rules.language_check().scripts) == set(LANGUAGES)
    covered = {one for shape in rules.all_shapes() for one in shape.languages or ()}
    assert covered == set(LANGUAGES)
