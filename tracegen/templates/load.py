"""Compile templates, and find those of a folder or of the room `templates/`."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import jinja2
from jinja2 import nodes

from tracegen.errors import InputError, RenderError, unknown
from tracegen.locales import DEFAULT_LOCALES, KINDS
from tracegen.model import LANGUAGES
from tracegen.templates.environment import Sandbox, sandbox
from tracegen.templates.model import (
    BALLAST,
    Placeholder,
    Template,
    TemplateFacts,
    misplaced,
    parse_placeholder,
)
from tracegen.templates.parse import FUNCTIONS, parse_messages
from tracegen.templates.source import MessageSource, read_source


def discover(root: Path) -> Iterator[Path]:
    """Template files below a folder, or the file itself, sorted by path."""
    if root.is_file():
        yield root
    elif root.is_dir():
        yield from sorted(path for path in root.rglob("*.yaml") if path.is_file())
    else:
        raise InputError("no such template file or folder", file=root)


def load(path: Path) -> Template:
    """Compile one template file.

    Raises:
        InputError: with file and line: YAML, syntax, an unknown placeholder or function.
    """
    source = read_source(path)
    facts = source.facts
    language, family, name = _names(path, facts)
    environment = sandbox()
    parsed = parse_messages(source.messages, environment, path)
    placeholders = _placeholders(parsed.names, facts, path, family == BALLAST)
    try:
        code = environment.from_string(_combine(source.messages, parsed.trees, environment))
    except (jinja2.TemplateError, RenderError) as error:
        raise _located(error, path) from error
    except (SyntaxError, RecursionError, ValueError, MemoryError) as error:
        raise InputError(f"nested too deeply: {error}", file=path) from error
    code.filename = str(path)
    return Template(
        id=f"{language}/{family}/{name}",
        path=path,
        language=language,
        locale=facts.locale or DEFAULT_LOCALES[language],
        family=family,
        facts=facts,
        code=code,
        placeholders=placeholders,
        choices=[len(message.alternatives) for message in source.messages],
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        ballast=family == BALLAST,
    )


def _names(path: Path, facts: TemplateFacts) -> tuple[str, str, str]:
    if facts.language not in LANGUAGES:
        raise InputError(unknown("language", facts.language, LANGUAGES), file=path)
    parts = path.with_suffix("").parts[-3:]
    if len(parts) < 3 or parts[0] != facts.language:
        raise InputError(
            f"must lie at {facts.language}/<family>/<name>.yaml to have an id", file=path
        )
    return facts.language, parts[1], parts[2]


def _located(error: Exception, path: Path) -> InputError:
    line = getattr(error, "lineno", None)
    problem = getattr(error, "message", None) or getattr(error, "problem", None) or str(error)
    return InputError(problem, file=path, where=line)


def _placeholders(
    used: Mapping[str, int], facts: TemplateFacts, path: Path, ballast: bool
) -> Sequence[Placeholder]:
    found = []
    for name, line in sorted(used.items()):
        if name in FUNCTIONS or name == "range":
            if name == "rows" and not facts.grows:
                raise InputError("rows needs `grows: true`", file=path, where=line)
            continue
        placeholder = parse_placeholder(name)
        if placeholder is None:
            problem = unknown("placeholder", name, [f"{kind}_1" for kind in KINDS])
            short = problem.split(" known:")[0].rstrip(";")
            raise InputError(f"{short} (kinds: locales/kinds.yaml)", file=path, where=line)
        if ballast and not KINDS[placeholder.kind].decoy:
            raise InputError(f"ballast may not hold PII ({name})", file=path, where=line)
        found.append(placeholder)
    for name, wish in facts.entities.items():
        placeholder = parse_placeholder(name)
        if placeholder is None:
            raise InputError(unknown("placeholder", name, used), file=path, where="entities")
        wrong = misplaced(placeholder, wish)
        if wrong:
            raise InputError(wrong, file=path, where="entities")
    return found


def _combine(
    messages: Sequence[MessageSource],
    trees: Sequence[Sequence[nodes.Template]],
    environment: Sandbox,
) -> nodes.Template:
    """One tree for the whole conversation: a mark a message, and a branch an alternative."""
    body: list[nodes.Node] = []
    for index, (message, alternatives) in enumerate(zip(messages, trees, strict=True)):
        line = message.alternatives[0][0]
        mark = nodes.Filter(
            nodes.Const(f"{message.turn}:{message.source}"), "_message", [], [], None, None
        )
        chain: list[nodes.Node] = []
        for number, tree in reversed(list(enumerate(alternatives))):
            if len(alternatives) == 1:
                chain = tree.body
                break
            test = nodes.Compare(
                nodes.Name(f"_choice_{index}", "load"), [nodes.Operand("eq", nodes.Const(number))]
            )
            chain = [nodes.If(test, tree.body, [], chain)]
        for node in (mark, *chain):
            if node.lineno is None:
                node.set_lineno(line)
        body.append(nodes.Output([mark]).set_lineno(line))
        body.extend(chain)
    combined = nodes.Template(body, lineno=1)
    combined.set_environment(environment)
    return combined
