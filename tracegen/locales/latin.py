"""Write a name in Latin letters where its script tells the sound; for `tracegen locale build`."""

import unicodedata
from functools import cache

from tracegen.resources import Facts, read_yaml, room

_SYLLABLES = range(0xAC00, 0xD7A4)
_VOWELS, _FINALS = 21, 28


class _Hangul(Facts):
    initials: tuple[str, ...]
    vowels: tuple[str, ...]
    finals: tuple[str, ...]


class _LatinFacts(Facts):
    source: str
    Latn: dict[str, str]
    Cyrl: dict[str, str]
    Grek: dict[str, str]
    Hang: _Hangul


@cache
def _facts() -> _LatinFacts:
    return read_yaml(_LatinFacts, room("locales") / "common" / "latin.yaml")


def latin_form(name: str) -> str | None:
    """The Latin form, or None where the script does not tell it (Han, Arabic, Hebrew, ...).

    Example:
        >>> latin_form("Müller-Łuczak"), latin_form("Наталья"), latin_form("李娜")
        ('Mueller-Luczak', 'Natalia', None)
    """
    words = [_word(word) for word in name.split(" ")]
    if any(word is None for word in words):
        return None
    return " ".join("-".join(p[:1].upper() + p[1:] for p in str(w).split("-")) for w in words)


def _word(word: str) -> str | None:
    out: list[str] = []
    text, position = unicodedata.normalize("NFC", word), 0
    while position < len(text):
        taken, latin = _next(text, position)
        if latin is None:
            return None
        out.append(latin)
        position += taken
    return "".join(out)


def _next(text: str, position: int) -> tuple[int, str | None]:
    """How many characters are read, and what is written for them."""
    facts, character = _facts(), text[position]
    if character.isascii():
        return 1, character
    if character in "’ʼ":
        return 1, "'"
    if ord(character) in _SYLLABLES:
        return 1, _syllable(ord(character) - _SYLLABLES.start, facts.Hang)
    for size in (2, 1):
        piece = _bare(text[position : position + size])
        for table in (facts.Latn, facts.Cyrl, facts.Grek):
            for known in (text[position : position + size].lower(), piece):
                if len(known) == size and known in table:
                    return size, _cased(table[known], character)
    base = _bare(character)
    return 1, _cased(base, character) if base.isascii() and base.isalpha() else None


def _bare(text: str) -> str:
    split = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in split if not unicodedata.combining(c))


def _cased(latin: str, character: str) -> str:
    return latin[:1].upper() + latin[1:] if character.isupper() else latin


def _syllable(index: int, hangul: _Hangul) -> str:
    initial, rest = divmod(index, _VOWELS * _FINALS)
    vowel, final = divmod(rest, _FINALS)
    return hangul.initials[initial] + hangul.vowels[vowel] + hangul.finals[final]
