"""Folded forms of text, one character at a time, by `str.translate` with tables that fill lazily.

* `VIEW` keeps the look of the text and makes it ASCII where it means ASCII: digits of any script,
  full-width forms, dashes, spaces; format characters vanish.
* `FOLD` goes on to case, accents, points and vowel signs of Hebrew and Arabic.
* `SQUASH` keeps letters, marks, digits and blanked marks of `FOLD` only.

Marks of Devanagari and Thai stay: without them words match where they never stood.
"""

import unicodedata
from functools import lru_cache

from tracegen.gates.layout import BLANK

GAP = "\x00"
"""Stands between texts that must not run together; every folded form keeps it."""

_DROPPED_MARKS = (
    (0x0300, 0x036F), (0x0591, 0x05BD), (0x05BF, 0x05C7), (0x064B, 0x065F), (0x0670, 0x0670),
    (0xFE00, 0xFE0F),
)  # fmt: skip
_APOSTROPHES = "'\u2019\u2018\u02bc\u05f3\u00b4`\u2032"
_DASHES = "\u2212\u00ad\u30fc"
_ALEFS = {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ؤ": "و", "ئ": "ي", "ى": "ي", "ة": "ه"}


def _view(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Pd" or character == "\u2212":
        return "-"
    if category[0] == "Z":
        return " "
    if not character.isascii():
        compatible = unicodedata.normalize("NFKC", character)
        if compatible.isascii() and compatible.strip():
            return compatible
    return character


def _fold(character: str) -> str:
    if character == BLANK:
        return BLANK
    if character in _APOSTROPHES:
        return "'"
    if character in "\r\n\t\v\f\u0085":
        return " "
    folded: list[str] = []
    for piece in unicodedata.normalize("NFKD", _view(character)).casefold():
        point = ord(piece)
        if point == 0x0640 or any(low <= point <= high for low, high in _DROPPED_MARKS):
            continue
        folded.append("σ" if piece == "ς" else _ALEFS.get(piece, piece))
    return unicodedata.normalize("NFC", "".join(folded))


def _squash(character: str) -> str:
    return "".join(
        piece
        for piece in _fold(character)
        if piece in {BLANK, GAP} or unicodedata.category(piece)[0] in "LMN"
    )


class _Table(dict[int, str]):
    """A translation table that computes a character's entry when it first meets it."""

    def __init__(self, rule: "type[str] | object") -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, point: int) -> str:
        self[point] = value = self._rule(chr(point))  # type: ignore[operator]
        return value


VIEW = _Table(_view)
FOLD = _Table(_fold)
SQUASH = _Table(_squash)


_NO_LETTER = bytes(byte for byte in range(1, 128) if not chr(byte).isalnum())


@lru_cache(maxsize=8192)
def squash_value(text: str) -> str:
    """`squash`, kept, for values that return."""
    return squash(text)


def squash(text: str) -> str:
    """The letters, marks and digits of a text in their folded form.

    Decomposed text is composed first, so that Hangul letter by letter reads as syllables. NUL
    stays: it stands for a gap.
    """
    if text.isascii():
        return text.encode().translate(None, _NO_LETTER).decode().lower()
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text.translate(SQUASH)


def fold(text: str) -> str:
    """The folded form of a text, runs of white space as one space."""
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.translate(FOLD).split())


def casefold_aligned(text: str) -> str:
    """The text without case, as long as the text itself, so that offsets stay."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(
        one if len(one := character.casefold()) == 1 else character for character in text
    )
