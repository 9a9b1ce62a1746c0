"""Leftovers of templates in a line: template syntax, typed placeholders, values printed by mistake.

Code may legitimately hold `{{` or `None`. Inside code fences and inline code only what is
unmistakably ours counts: `{{ person_1 ... }}`, `{% carrier`, a numbered typed placeholder.
"""

from functools import cache

import regex

from tracegen.gates import rules
from tracegen.gates.verdict import Hit

TEMPLATE_SYNTAX = "template syntax"
TYPED_PLACEHOLDER = "typed placeholder"
PRINTED_VALUE = "printed non-value"

_OURS = regex.compile(
    r"\{\{-?\s*(?:[a-z]+(?:_[a-z]+)*_\d+[a-z]?\b|(?:any|agree|number|clock|chance)\()"
    r"|\{%-?\s*(?:end)?carrier\b"
)
_SYNTAX = regex.compile(r"\{\{|\{%|\{#.*#\}")
_INLINE_CODE = regex.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_BRACKETED = regex.compile(
    r"(?:\[|<|\{\{?|«|⟨|【|__|%)\s?"
    r"([A-Za-z]{2,24}(?:[_ \-][A-Za-z]{2,24}){0,4}?)([_ \-]?\d{1,3})?\s?"
    r"(?:\]|>(?!.{0,80}</)|\}\}?|»|⟩|】|__|%)"
)
_MAY_BRACKET = regex.compile(r"[\[<{«⟨【_%]\s?[A-Za-z]{2}")
_NONE = regex.compile(r"(?<![\w.\-])None(?![\w\-])(?!\s*[)\]}])")
_NONE_IN_CODE = regex.compile(
    r"(?:[=(\[|>]|[\"']:|\b(?:is|not|or|and|returns?|return|to|of|with))\s*$"
)
_NON_VALUE = regex.compile(
    r"(?<=[:|,]\s|[\"'])(?:nan|undefined|null|None)(?=\s*[|;]|[\"']|[.,!?]?\s*$)"
    r"|\[object Object\]|<[\w.]+ object at 0x[0-9a-f]+>"
)
_MAYBE_VALUE = ("None", "nan", "undefined", "null", "object ")


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    facts = rules.placeholders()
    return frozenset(facts.words), frozenset(facts.weak)


def leftovers(line: str, language: str, *, in_code: bool) -> list[Hit]:
    """Every leftover in a line of blanked text."""
    found: list[Hit] = []
    prose = line
    if "`" in line and not in_code:
        prose = _INLINE_CODE.sub(lambda match: " " * len(match.group()), line)
    if "{" in line:
        found += [Hit(TEMPLATE_SYNTAX, *match.span()) for match in _OURS.finditer(line)]
        if not in_code and not found:
            found += [Hit(TEMPLATE_SYNTAX, *match.span()) for match in _SYNTAX.finditer(prose)]
    if _MAY_BRACKET.search(line):
        found += _typed(line, prose, in_code)
    if not in_code and any(piece in line for piece in _MAYBE_VALUE):
        found += _printed(prose, language)
    return found


def _typed(line: str, prose: str, in_code: bool) -> list[Hit]:
    found: list[Hit] = []
    for match in _BRACKETED.finditer(line):
        plain = not in_code and prose[match.start()] != " "
        if _is_placeholder(match, plain):
            found.append(Hit(TYPED_PLACEHOLDER, *match.span()))
    return found


def _is_placeholder(match: "regex.Match[str]", plain: bool) -> bool:
    """Whether a bracketed word is a typed placeholder.

    Numbered and capital ones count everywhere when a word of theirs names a type; without a
    number only in plain text; small ones only with an underscore and a number.
    """
    body, number = match.group(1), match.group(2)
    words, weak = _words()
    parts = regex.split(r"[_ \-]", body.upper())
    known = [part for part in parts if part in words]
    if not known:
        return False
    if not body.isupper():
        return number is not None and number[0] == "_" and match.group()[0] in "[<«⟨【" and plain
    strong = any(part not in weak for part in known)
    if number is not None:
        return strong or number[0] == "_"
    return plain and (strong or len(known) > 1) and match.group()[0] not in "%_"


def _printed(line: str, language: str) -> list[Hit]:
    found = [Hit(PRINTED_VALUE, *match.span()) for match in _NON_VALUE.finditer(line)]
    if language == "en":
        # "Allergies: None" and "None of these" are English; "Dear None," is not.
        found = [hit for hit in found if not _is_english_none(line, hit)]
    for match in _NONE.finditer(line):
        before = line[: match.start()]
        if _NONE_IN_CODE.search(before) or any(hit.start == match.start() for hit in found):
            continue
        opening = not before.strip() or before.rstrip()[-1] in ".!?:;|-*•\"'“("
        if language != "en" or not opening:
            found.append(Hit(PRINTED_VALUE, *match.span()))
    return found


def _is_english_none(line: str, hit: Hit) -> bool:
    quoted = line[hit.start - 1 : hit.start] in {'"', "'"}
    return line[hit.start : hit.end] == "None" and not quoted
