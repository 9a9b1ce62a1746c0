"""Rules about a template's literal text: no PII, no stuck Korean particle, NFC."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from tracegen.lint.findings import Finding
from tracegen.locales import load_pack
from tracegen.locales.model import LocalePack
from tracegen.templates import Template
from tracegen.templates.prose import literals

_PARTICLE = re.compile(
    r"(은|는|이|가|을|를|과|와|으로|로|이나|나|아|야|이라고|라고|이에요|예요|이랑|랑)(?![가-힣])"
)
_GLUED_SCRIPTS = frozenset({"zh", "ja", "ko", "th"})
_LETTERS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


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
    for match in _full_names(text, pack):
        line = text.count("\n", 0, match)
        yield "literal name", "a full name is written out; use a person placeholder", line


def _full_names(text: str, pack: LocalePack) -> Iterator[int]:
    """Where a given and a family name of the pack stand side by side."""
    language = pack.identity.language
    given, family = _native(pack, "given"), _native(pack, "family")
    if language in _GLUED_SCRIPTS:
        return
    words = list(_LETTERS.finditer(text))
    for first, second in pairwise(words):
        if text[first.end() : second.start()] != " ":
            continue
        pair = first[0], second[0]
        if (pair[0] in given and pair[1] in family) or (pair[0] in family and pair[1] in given):
            yield first.start()


@cache
def _native_of(locale: str, part: str) -> frozenset[str]:
    pack = load_pack(locale)
    return frozenset(
        name.native
        for gender in ("female", "male")
        for name in pack.names[part, gender].parts
        if len(name.native) > 1
    )


def _native(pack: LocalePack, part: str) -> frozenset[str]:
    return _native_of(pack.identity.locale, part)
