"""Where an occurrence of a value counts: at word boundaries, in scripts that have them.

* Han and kana have none. Thai has none either, but no occurrence begins or ends inside a
  written syllable (after a leading vowel, before a combining mark).
* Hangul: nothing of Hangul before; after it nothing, or a particle.
* Hebrew and Arabic: up to two one-letter words may be glued in front.
* A value that begins or ends with a digit ends at the digits' border.
"""

import unicodedata
from functools import cache

from tracegen.gates import rules

_THAI_LEADING = "เแโใไ"


def script_of(character: str) -> str:
    """A coarse script of a letter: `latin`, `han`, `kana`, `hangul`, `thai`, ... or `other`."""
    point = ord(character)
    if point < 0x0250:
        return "latin"
    if 0xAC00 <= point <= 0xD7A3 or 0x1100 <= point <= 0x11FF:
        return "hangul"
    if 0x3040 <= point <= 0x30FF or 0x31F0 <= point <= 0x31FF:
        return "kana"
    if 0x3400 <= point <= 0x9FFF or 0xF900 <= point <= 0xFAFF or 0x20000 <= point <= 0x3FFFF:
        return "han"
    if 0x0E00 <= point <= 0x0E7F:
        return "thai"
    if 0x0590 <= point <= 0x05FF:
        return "hebrew"
    if 0x0600 <= point <= 0x06FF or 0x0750 <= point <= 0x077F:
        return "arabic"
    if 0x0400 <= point <= 0x04FF:
        return "cyrillic"
    if 0x0370 <= point <= 0x03FF or 0x1F00 <= point <= 0x1FFF:
        return "greek"
    if 0x0900 <= point <= 0x097F:
        return "devanagari"
    return "other"


UNBOUNDED = frozenset({"han", "kana"})
DENSE = frozenset({"han", "kana", "hangul"})
"""Scripts in which two letters make a name part."""


@cache
def _particles() -> tuple[str, ...]:
    return rules.names().korean_particles


@cache
def _prefixes(script: str) -> tuple[str, ...]:
    return rules.names().prefixes.get({"hebrew": "he", "arabic": "ar"}[script], ())


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _begins(text: str, start: int) -> bool:
    if start == 0:
        return True
    first, before = text[start], text[start - 1]
    if first.isdigit():
        return not before.isdigit()
    if not _is_word(first) or not _is_word(before):
        return True
    script = script_of(first)
    if script in UNBOUNDED:
        return True
    if script == "thai":
        return before not in _THAI_LEADING
    if script_of(before) != script:
        return True
    if script in {"hebrew", "arabic"}:
        return _after_prefixes(text, start, script)
    return False


def _after_prefixes(text: str, start: int, script: str) -> bool:
    for length in (1, 2):
        at = start - length
        glued = at >= 0 and all(one in _prefixes(script) for one in text[at:start])
        if glued and (at == 0 or not _is_word(text[at - 1])):
            return True
    return False


def _ends(text: str, end: int) -> bool:
    if end >= len(text):
        return True
    last, after = text[end - 1], text[end]
    if last.isdigit():
        return not after.isdigit()
    if unicodedata.category(after)[0] == "M":
        return False
    if not _is_word(last) or not _is_word(after):
        return True
    script = script_of(last)
    if script in UNBOUNDED or script == "thai":
        return True
    if script == "hangul":
        return script_of(after) != "hangul" or text.startswith(_particles(), end)
    return script_of(after) != script


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether an occurrence is a word or phrase of its own in the text."""
    return _begins(text, start) and _ends(text, end)
