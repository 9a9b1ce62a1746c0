"""What the linter asks of a template's text: its literal stretches and the forms it names."""

from collections.abc import Iterator
from typing import NamedTuple

from jinja2 import nodes

from tracegen.templates.environment import sandbox
from tracegen.templates.model import Template, parse_placeholder
from tracegen.templates.parse import parse_messages
from tracegen.templates.source import read_source


class Prose(NamedTuple):
    """A stretch of literal text, with the line where it starts.

    `after` is the placeholder printed straight before it, if any; `lang` the turn's own language.
    """

    line: int
    text: str
    after: str | None = None
    lang: str | None = None


class FormUse(NamedTuple):
    """A written form that the text asks for: `{{ iban_1.grouped }}`."""

    line: int
    name: str
    form: str


def literals(template: Template) -> Iterator[Prose]:
    """The literal text between the tags, and the texts in quotes inside them."""
    for tree, lang in _trees(template):
        for output in tree.find_all(nodes.Output):
            after: str | None = None
            for node in output.nodes:
                if isinstance(node, nodes.TemplateData):
                    yield Prose(node.lineno, node.data, after, lang)
                after = _printed(node)
        for constant in tree.find_all(nodes.Const):
            if isinstance(constant.value, str) and constant.value.strip():
                yield Prose(constant.lineno, constant.value, None, lang)


def forms(template: Template) -> Iterator[FormUse]:
    """The forms that the text asks for by name."""
    for tree, _ in _trees(template):
        for node in tree.find_all(nodes.Getattr):
            if isinstance(node.node, nodes.Name) and parse_placeholder(node.node.name):
                yield FormUse(node.lineno, node.node.name, node.attr)


def _trees(template: Template) -> Iterator[tuple[nodes.Template, str | None]]:
    source = read_source(template.path)
    parsed = parse_messages(source.messages, sandbox(), template.path)
    for message, alternatives in zip(source.messages, parsed.trees, strict=True):
        for tree in alternatives:
            yield tree, source.facts.turns[message.turn].lang


def _printed(node: nodes.Node) -> str | None:
    """The placeholder that an expression prints, when it is one and nothing more."""
    if isinstance(node, nodes.Getattr):
        node = node.node
    if isinstance(node, nodes.Name) and parse_placeholder(node.name):
        return node.name
    return None
