"""Every template of the room compiles, and every language is complete."""

from pathlib import Path

import pytest

from tests.writing import REFERENCE
from tracegen.lint.coverage import coverage
from tracegen.model import LABELS, LANGUAGES, Decoy, Span
from tracegen.render import Setting, render
from tracegen.resources import room
from tracegen.seeds import Stream
from tracegen.templates import FAMILIES, discover, load

FILES = list(discover(room("templates")))


def name_of(path: Path) -> str:
    return "/".join(path.with_suffix("").parts[-3:])


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_template_renders(path: Path) -> None:
    template = load(path)
    assert template.facts.note
    for seed in range(2):
        rendered = render(template, Stream("room", seed), Setting(REFERENCE))
        assert any(turn.user for turn in rendered.exchanges)
        for turn in rendered.exchanges:
            marks: list[Span | Decoy] = [*turn.spans, *turn.decoys]
            for mark in marks:
                message = turn.user if mark.source == "user" else turn.assistant
                assert message[mark.start : mark.end] == mark.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_complete(language: str) -> None:
    loaded = [load(path) for path in FILES if name_of(path).startswith(f"{language}/")]
    carriers = [
        render(template, Stream("room", seed), Setting(REFERENCE)).carriers
        for template in loaded
        for seed in range(3)
    ]
    seen = [
        (template, frozenset().union(*carriers[3 * index : 3 * index + 3]))
        for index, template in enumerate(loaded)
    ]
    one = coverage(seen)[language]
    assert one.missing() == []
    assert one.templates >= 8
    assert set(LABELS) == one.labels
    assert set(FAMILIES) <= one.families
