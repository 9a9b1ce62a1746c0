"""Read a template file and remember on which line each message starts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tracegen.errors import InputError
from tracegen.resources import SafeLoader, parse_yaml, read_text, validate
from tracegen.templates.model import TemplateFacts


class MessageSource(NamedTuple):
    """The alternatives of one message, each with the line of its first character."""

    turn: int
    source: str
    alternatives: Sequence[tuple[int, str]]


class TemplateSource(NamedTuple):
    """A template file, read and checked but not compiled."""

    facts: TemplateFacts
    messages: Sequence[MessageSource]


def read_source(path: Path) -> TemplateSource:
    """Read one template file.

    Raises:
        InputError: with the line where YAML or a key is wrong.
    """
    text = read_text(path)
    value = parse_yaml(text, path)
    if not isinstance(value, dict):
        raise InputError("a template is a mapping with language and turns", file=path, where=1)
    facts = validate(TemplateFacts, value, path)
    lines = list(_lines(yaml.compose(text, Loader=SafeLoader)))
    messages = []
    for number, turn in enumerate(facts.turns):
        for source in ("user", "assistant"):
            texts = getattr(turn, source)
            alternatives = (texts,) if isinstance(texts, str) else texts
            if not alternatives:
                raise InputError(
                    f"turn {number} {source}: an empty list of alternatives", file=path
                )
            starts = [
                line for turn_, source_, line in lines if (turn_, source_) == (number, source)
            ]
            starts = starts or [1]
            messages.append(
                MessageSource(number, source, list(zip(starts, alternatives, strict=True)))
            )
    return TemplateSource(facts, messages)


def _lines(root: Any) -> Iterator[tuple[int, str, int]]:
    """(turn, source, line of the first character) of every alternative."""
    for key, value in root.value:
        if key.value != "turns":
            continue
        for number, turn in enumerate(value.value):
            for side, content in turn.value:
                items = content.value if isinstance(content, yaml.SequenceNode) else [content]
                for item in items:
                    block = getattr(item, "style", None) in ("|", ">")
                    yield number, side.value, item.start_mark.line + (2 if block else 1)
