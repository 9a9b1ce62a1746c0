"""Rules about a template's literal text: no PII, no stuck Korean particle, NFC."""

import re
import unicodedata
from collections.abc import Iterator

from tracegen.lint.findings import Finding
from tracegen.lint.names import names_in
from tracegen.locales import load_pack
from tracegen.locales.model import LocalePack
from tracegen.templates import Template
from tracegen.templates.prose import literals

_PARTICLE = re.compile(
    r"(은|는|이|가|을|를|과|와|으로|로|이나|나|아|야|이라고|라고|이에요|예요|이랑|랑)(?![가-힣])"
)
_JOSA_ARGUMENT = re.compile(r"\(?[가-힣]{1,3}\)?[가-힣]?/[가-힣]{1,3}\Z")


def check_literals(template: Template) -> Iterator[Finding]:
    """Findings about the text between the tags."""
    pack = load_pack(template.locale)
    seen: set[tuple[int, str]] = set()
    for prose in literals(template):
        for rule, problem, line in _prose_findings(template, prose.text, prose.after, pack):
            key = (prose.line + line, rule)
            if key not in seen:
                seen.add(key)
                yield Finding(str(template.path), prose.line + line, rule, problem)


def _prose_findings(
    template: Template, text: str, after: str | None, pack: LocalePack
) -> Iterator[tuple[str, str, int]]:
    if unicodedata.normalize("NFC", text) != text:
        yield "not NFC", "write composed characters (NFC)", 0
    if template.language == "ko" and after:
        particle = _PARTICLE.match(text)
        if particle:
            yield (
                "particle",
                f"{particle[1]!r} straight after {after}: write {{{{ {after} | josa(...) }}}}",
                0,
            )
    for position, name in names_in(text, pack):
        line = text.count("\n", 0, position)
        yield "literal name", f"{name!r} is a name of the pack; use a placeholder or reword", line
    if template.language != "ko" and _JOSA_ARGUMENT.match(text):
        yield "particle", "josa() is for Korean text", 0
