"""Check templates: load them, render them with many seeds, run the gates on the result."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from tracegen.errors import InputError, unknown
from tracegen.gates import Gates
from tracegen.lint.carriers import broken_carriers
from tracegen.lint.coverage import Coverage, coverage
from tracegen.lint.duplicates import near_duplicates
from tracegen.lint.findings import Finding
from tracegen.lint.literals import check_literals
from tracegen.lint.variety import low_variety
from tracegen.locales import KINDS, load_pack
from tracegen.model import Conversation, Turn, document
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.render import Rendered, Setting, render
from tracegen.render.cast import Cast
from tracegen.seeds import Stream
from tracegen.templates import Template, discover, load
from tracegen.templates.prose import forms as forms_used
from tracegen.templates.prose import literals

SEEDS = 24
"""How often each template is rendered."""

REFUSED_SHARE = 0.25
"""Up to this share of renderings a gate may refuse: values that happen to collide are redrawn."""

_MAY_LEAK = re.compile(r"[\d@\uFF20]|://|www\.|-----BEGIN|[A-Za-z0-9_\-]{24}")

REFERENCE = date(2026, 1, 15)
_ROWS = (1, 7)
_ACCIDENTAL = ("repeated values",)


class Linter:
    """Lints templates one by one, then what only shows across them."""

    def __init__(self, seeds: int = SEEDS) -> None:
        """Prepare; the gates keep their caches between templates."""
        self._seeds = seeds
        self._gates = Gates()
        self._seen: list[tuple[Template, set[str]]] = []

    def lint(self, path: Path) -> Iterator[Finding]:
        """Findings of one template file."""
        try:
            template = load(path)
            pack = load_pack(template.locale)
        except InputError as error:
            yield _finding(error, path)
            return
        if pack.identity.language != template.language:
            problem = f"locale {template.locale} is not of language {template.language}"
            yield Finding(str(path), None, "locale", problem)
            return
        yield from check_literals(template)
        yield from self._literal_leaks(template)
        forms = list(_forms(template))
        yield from forms
        carriers: set[str] = set()
        if not forms:
            yield from self._renderings(template, carriers)
            if template.ballast:
                yield from low_variety(template, Setting(REFERENCE))
        self._seen.append((template, carriers))

    def finish(self) -> Iterator[Finding]:
        """Findings across all templates linted so far."""
        yield from near_duplicates(template for template, _ in self._seen)

    def coverage(self) -> dict[str, Coverage]:
        """What each language's templates use."""
        return coverage(self._seen)

    def _literal_leaks(self, template: Template) -> Iterator[Finding]:
        """PII with a shape that is written out, in whatever alternative or branch it stands."""
        seen: set[tuple[int, str]] = set()
        for prose in literals(template):
            if not _MAY_LEAK.search(prose.text):
                continue
            turns = (Turn(0, prose.text),)
            alone = Conversation(
                "lint", "tracegen", template.id, template.language, template.locale, "lint",
                None, None, None, turns, (), (), len(document(turns)), (),
            )  # fmt: skip
            for violation in self._gates.check(alone).violations:
                if violation.gate != "leak rescan":
                    continue
                line = prose.line + prose.text.count("\n", 0, violation.start or 0)
                if (line, violation.rule) not in seen:
                    seen.add((line, violation.rule))
                    problem = "is written out; use a placeholder or a decoy"
                    yield Finding(str(template.path), line, f"literal {violation.rule}", problem)

    def _renderings(self, template: Template, carriers: set[str]) -> Iterator[Finding]:
        refused: dict[tuple[str, str], list[str]] = {}
        broken: set[tuple[str, str]] = set()
        for seed in range(self._seeds):
            stream = Stream("lint", template.id, seed)
            rows = _ROWS[seed % len(_ROWS)] if template.facts.grows else None
            try:
                rendered = render(template, stream, Setting(REFERENCE), rows=rows)
            except InputError as error:
                yield _finding(error, template.path)
                return
            carriers |= rendered.carriers
            for turn, carrier, problem in broken_carriers(rendered):
                if (carrier, str(turn)) not in broken:
                    broken.add((carrier, str(turn)))
                    yield Finding(str(template.path), None, f"{carrier} does not parse",
                                  f"turn {turn}, seed {seed}: {problem}")  # fmt: skip
            for key, text in self._violations(template, rendered, seed):
                refused.setdefault(key, []).append(text)
        yield from self._judge(template, refused)

    def _violations(
        self, template: Template, rendered: Rendered, seed: int
    ) -> Iterator[tuple[tuple[str, str], str]]:
        conversation = assemble(Heading("lint", "lint"), template, [rendered])
        seen: set[tuple[str, str]] = set()
        for violation in self._gates.check(conversation).violations:
            key = (violation.gate, violation.rule)
            if key in seen:
                continue
            seen.add(key)
            text = ""
            if violation.turn is not None and violation.start is not None:
                message = conversation.turns[violation.turn].message(violation.source or "user")
                text = message[violation.start : violation.end][:60].replace("\n", "⏎")
            yield key, f"turn {violation.turn} {violation.source}, seed {seed}: {text!r}"

    def _judge(
        self, template: Template, refused: dict[tuple[str, str], list[str]]
    ) -> Iterator[Finding]:
        for (gate, rule), places in sorted(refused.items()):
            share = len(places) / self._seeds
            if gate in _ACCIDENTAL and share <= REFUSED_SHARE:
                continue
            yield Finding(
                str(template.path), None, f"{gate}: {rule}",
                f"{len(places)} of {self._seeds} renderings; {places[0]}",
            )  # fmt: skip


def lint_paths(paths: Sequence[Path], linter: Linter) -> Iterator[Finding]:
    """Findings of all template files below some paths, then those across them."""
    for root in paths:
        for path in discover(root):
            yield from linter.lint(path)
    yield from linter.finish()


def _forms(template: Template) -> Iterator[Finding]:
    """Forms that no value of the kind has in this locale."""
    cast = Cast(template, Stream("lint", "forms"), REFERENCE)
    by_name = {placeholder.name: placeholder for placeholder in template.placeholders}
    for use in forms_used(template):
        placeholder = by_name.get(use.name)
        if placeholder is None or KINDS[placeholder.kind].decoy:
            continue
        try:
            forms = cast.slot(placeholder).value.forms
        except InputError as error:
            yield _finding(error, template.path, use.line)
            return
        if use.form not in forms:
            problem = unknown(f"form of {placeholder.kind}", use.form, forms)
            yield Finding(str(template.path), use.line, "unknown form", problem)


def _finding(error: InputError, path: Path, line: int | None = None) -> Finding:
    where = error.where if error.where and error.where.isdigit() else None
    place = int(where) if where else line
    problem = error.problem if where or not error.where else f"{error.where}: {error.problem}"
    if error.file is not None and error.file != str(path):
        problem = f"{error.file}: {problem}"
    return Finding(str(path), place, "does not render" if line else "broken", problem)
