"""Names written out in a template's literal text."""

from collections.abc import Iterator
from functools import cache

import regex

from tracegen.locales import load_pack
from tracegen.locales.model import LocalePack

_WORD = regex.compile(r"[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*")
_GLUED = frozenset({"zh", "ja", "ko", "th"})
"""Languages that write given and family name without a space, or words without spaces."""

_AFTER_KOREAN_NAME = regex.compile(
    r" ?(?:님|씨|드림|올림)|입니다|이에요|예요|이?라고 (?:합니다|해요)"
)

_SHORTEST = 3
"""Letters from which a single word is taken for a name of the pack."""

_SHORTEST_GLUED_GIVEN = 2


def names_in(text: str, pack: LocalePack) -> Iterator[tuple[int, str]]:
    """(position, what was found) of every name of the pack that stands in a text."""
    if pack.identity.language in _GLUED:
        yield from _glued(text, pack.identity.locale)
        return
    pool = _natives(pack.identity.locale, "given") | _natives(pack.identity.locale, "family")
    for word in _WORD.finditer(text):
        if len(word[0]) >= _SHORTEST and word[0] in pool:
            yield word.start(), word[0]


def _glued(text: str, locale: str) -> Iterator[tuple[int, str]]:
    """Family name, perhaps a space, given name; or the other way round in Thai."""
    family, given = _natives(locale, "family"), _natives(locale, "given")
    first, second = (given, family) if locale == "th_TH" else (family, given)
    first_lengths, second_lengths = _lengths(first), _lengths(second)
    for start in range(len(text)):
        for length in first_lengths:
            if text[start : start + length] not in first:
                continue
            rest = start + length
            rest += text[rest : rest + 1] == " "
            for other in second_lengths:
                name = text[rest : rest + other]
                if len(name) != other or other < _SHORTEST_GLUED_GIVEN or name not in second:
                    continue
                if locale != "ko_KR" or _korean_name(text, start, rest + other):
                    yield start, text[start : rest + other]


def _korean_name(text: str, start: int, end: int) -> bool:
    """Whether three syllables are used as a name: many ordinary words are made of the same ones."""
    return not text[start - 1 : start].isalpha() and bool(_AFTER_KOREAN_NAME.match(text, end))


@cache
def _natives(locale: str, part: str) -> frozenset[str]:
    pack = load_pack(locale)
    return frozenset(
        name.native for gender in ("female", "male") for name in pack.names[part, gender].parts
    )


@cache
def _lengths(names: frozenset[str]) -> tuple[int, ...]:
    return tuple(sorted({len(name) for name in names}))
