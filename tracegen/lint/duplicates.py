"""Near-duplicate templates: the same skeleton with other words here and there."""

import re
from collections.abc import Iterable, Iterator

from tracegen.lint.findings import Finding
from tracegen.templates import Template
from tracegen.templates.prose import literals

SHINGLE = 6
"""Words (characters in scripts without word spaces) of one overlapping piece."""

LIMIT = 0.4
"""Share of pieces in common (Jaccard) from which two templates count as one."""

_UNSPACED = frozenset({"zh", "ja", "th"})


def near_duplicates(templates: Iterable[Template]) -> Iterator[Finding]:
    """One finding a pair, named at the later file."""
    known: list[tuple[Template, frozenset[tuple[str, ...]]]] = []
    for template in templates:
        pieces = _shingles(template)
        for other, others in known:
            if other.language != template.language or not pieces or not others:
                continue
            share = len(pieces & others) / len(pieces | others)
            if share >= LIMIT:
                yield Finding(
                    str(template.path), None, "near-duplicate",
                    f"shares {share:.0%} of its text with {other.id}",
                )  # fmt: skip
        known.append((template, pieces))


def _shingles(template: Template) -> frozenset[tuple[str, ...]]:
    text = " ".join(prose.text for prose in literals(template)).casefold()
    if template.language in _UNSPACED:
        units = [character for character in text if character.isalpha()]
        size = SHINGLE * 2
    else:
        units, size = re.findall(r"[^\W\d_]+", text), SHINGLE
    return frozenset(tuple(units[at : at + size]) for at in range(len(units) - size + 1))
