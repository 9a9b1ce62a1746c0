"""Parse the messages of a template file into syntax trees whose lines are those of the file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import jinja2
from jinja2 import nodes

from tracegen.errors import InputError, RenderError
from tracegen.templates.environment import Sandbox, counted, refusal
from tracegen.templates.model import parse_placeholder
from tracegen.templates.source import MessageSource

_TAG = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", re.DOTALL)
_LOOP = "loop"

FUNCTIONS = frozenset({"agree", "any", "number", "clock", "chance", "rows"})
"""Names other than placeholders that a template may use; `rows` only in ballast that grows."""


class Parsed(NamedTuple):
    """The trees of all alternatives by message, and the names that the text does not set itself.

    `names` maps each to the line of its first use.
    """

    trees: Sequence[Sequence[nodes.Template]]
    names: Mapping[str, int]


def parse_messages(messages: Sequence[MessageSource], environment: Sandbox, path: Path) -> Parsed:
    """Parse every alternative of every message.

    Raises:
        InputError: with file and line: broken syntax, or something that the sandbox refuses.
    """
    loaded: dict[str, int] = {}
    stored: dict[str, int] = {_LOOP: 0}
    trees = []
    for message in messages:
        alternatives = []
        for line, text in message.alternatives:
            tree = _parse(text, line, environment, path)
            _walk(tree, line - 1, environment, path, loaded, stored)
            alternatives.append(tree)
        trees.append(alternatives)
    for name, line in stored.items():
        if parse_placeholder(name) or name in FUNCTIONS:
            problem = f"{name!r} is set here and would hide what tracegen gives; rename it"
            raise InputError(problem, file=path, where=line)
    return Parsed(trees, {name: line for name, line in loaded.items() if name not in stored})


def _parse(text: str, line: int, environment: Sandbox, path: Path) -> nodes.Template:
    text = text.removesuffix("\n")
    if "\r" in text:
        text = _carriage_returns(text, path, line)
    try:
        return environment.parse(text)
    except jinja2.TemplateSyntaxError as error:
        problem = error.message or "broken syntax"
        raise InputError(problem, file=path, where=error.lineno + line - 1) from error
    except RenderError as error:
        raise InputError(error.problem, file=path, where=line) from error
    except (RecursionError, ValueError) as error:
        raise InputError(
            f"nested too deeply or too large: {error}", file=path, where=line
        ) from error


def _walk(
    tree: nodes.Template, shift: int, environment: Sandbox, path: Path, loaded: dict[str, int],
    stored: dict[str, int],
) -> None:  # fmt: skip
    """Shift lines, refuse what the sandbox refuses, count loops, collect names; all in one pass."""
    for node in list(_all_nodes(tree)):
        if node.lineno is not None:
            node.lineno += shift
        problem = refusal(node)
        if problem:
            raise InputError(problem, file=path, where=node.lineno)
        if isinstance(node, nodes.Name):
            if node.ctx == "load":
                loaded.setdefault(node.name, node.lineno)
            else:
                stored.setdefault(node.name, node.lineno)
        elif isinstance(node, nodes.Macro):
            stored.setdefault(node.name, node.lineno)
        elif isinstance(node, nodes.For):
            node.iter = counted(node.iter, environment)


def _all_nodes(root: nodes.Node) -> Iterator[nodes.Node]:
    stack: list[nodes.Node] = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.iter_child_nodes())


def _carriage_returns(text: str, path: Path, line: int) -> str:
    r"""Jinja2 turns every line end into `\n`; printing the `\r` keeps it."""
    parts = _TAG.split(text)
    if any("\r" in tag for tag in parts[1::2]) or "{% raw" in text:
        raise InputError("a carriage return inside a tag or raw block", file=path, where=line)
    parts[::2] = [part.replace("\r", '{{ "\\r" }}') for part in parts[::2]]
    return "".join(parts)
