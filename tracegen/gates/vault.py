r"""Source values that a template was derived from, and the search for them in every folded form.

Searched, whatever stands around it, inside gold spans as well:

* whole values of 8 letters and digits or more (Han, kana and Hangul: 3 or more), folded and
  squashed: case, width, composition, accents and points, digits of other scripts, zero-width
  characters, any separators, line breaks; German umlauts also written with `e`;
* the same after unescaping HTML, percent, `\u` and `\x`, `(at)` and `(dot)`;
* the words of a value of two to six words in any order, within six words
  (or their number plus two);
* the digits of a number of 9 digits or more, and its last 8 at the end of a phone-like stretch;
* a single word of 4 letters or more, as a whole word outside gold spans.

Out of scope: values that are shorter (counted in `not_covered`), dates in another notation,
inflected forms, romanisation, look-alike letters, initials, partly masked values, last four
digits, base64.
"""

import html
import re
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

import pydantic
import regex

from tracegen.errors import InputError
from tracegen.gates.boundaries import DENSE, script_of
from tracegen.gates.folding import fold, squash
from tracegen.resources import read_text

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NUMBER = regex.compile(r"[+(]?\d[\d ().\-/]*\d")
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_AT_DOT = re.compile(r"\s*[\[({<]\s*(at|dot|punkt|ät)\s*[\])}>]\s*", re.IGNORECASE)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_GRAM = 8


def unescaped(text: str) -> str:
    """The text with the escapes of HTML, links, JSON and shy e-mail writers undone."""
    if "\\" in text:
        text = _UNICODE_ESCAPE.sub(lambda m: chr(int(m.group(1) or m.group(2), 16)), text)
        text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\/", "/")
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        text = unquote(text)
    return _AT_DOT.sub(lambda m: "@" if m.group(1).lower() in {"at", "ät"} else ".", text)


class _Values:
    """The values of one entry, sorted by how they may be searched."""

    def __init__(self, values: list[str]) -> None:
        self.whole: set[str] = set()
        self.words: list[frozenset[str]] = []
        self.single: set[str] = set()
        self.tails: set[str] = set()
        self.unsearchable = 0
        for value in values:
            self._add(value)
        self._grams = {value[:_GRAM] for value in self.whole if len(value) >= _GRAM}
        self._short = {value for value in self.whole if len(value) < _GRAM}

    def _add(self, value: str) -> None:
        before = len(self.whole) + len(self.single)
        for variant in {value, value.translate(_UMLAUTS)}:
            squashed = squash(variant)
            words = _WORD.findall(fold(variant))
            least = 3 if squashed and script_of(squashed[0]) in DENSE else 8
            if squashed.isdigit():
                least = 9
            if len(squashed) >= least:
                self.whole.add(squashed)
                if squashed.isdigit():
                    self.tails.add(squashed[-8:])
            if len(words) == 1 and len(squashed) >= 4 and squashed.isalpha():
                self.single.add(squashed)
            long_words = sum(len(word) >= 4 for word in words)
            if 2 <= len(words) <= 6 and long_words >= 1 and len(squashed) >= 8:
                self.words.append(frozenset(words))
        self.unsearchable += len(self.whole) + len(self.single) == before

    def whole_in(self, squashed: str) -> bool:
        """Whether a whole value stands in squashed text; linear in the text."""
        if any(value in squashed for value in self._short):
            return True
        if len(self.whole) <= 64:
            return any(value in squashed for value in self.whole)
        grams = {squashed[at : at + _GRAM] for at in range(len(squashed) - _GRAM + 1)}
        candidates = grams & self._grams
        return bool(candidates) and any(
            value in squashed for value in self.whole if value[:_GRAM] in candidates
        )

    def words_in(self, folded: str) -> bool:
        """Whether all words of a value stand near each other, in any order."""
        if not self.words:
            return False
        places: dict[str, list[int]] = {}
        for at, word in enumerate(_WORD.findall(folded)):
            places.setdefault(word, []).append(at)
        return any(
            all(word in places for word in words) and _near(words, places) for words in self.words
        )

    def tail_in(self, text: str) -> bool:
        """Whether a phone-like stretch ends in the last eight digits of a number."""
        if not self.tails:
            return False
        for match in _NUMBER.finditer(text):
            digits = squash(match.group())
            if 8 <= len(digits) <= 16 and digits[-8:] in self.tails:
                return True
        return False

    def single_in(self, folded: str) -> bool:
        """Whether a value of one word stands as a word."""
        return bool(self.single) and not self.single.isdisjoint(_WORD.findall(folded))


def _near(words: frozenset[str], places: dict[str, list[int]]) -> bool:
    window = max(6, len(words) + 2)
    rarest = min(words, key=lambda word: len(places[word]))
    for at in places[rarest]:
        if all(any(abs(at - other) < window for other in places[word]) for word in words):
            return True
    return False


class Vault:
    """The source values a template was derived from, by template id; `*` is for every template."""

    def __init__(self, values: dict[str, list[str]]) -> None:
        """Keep the values; they are prepared when a template is first met."""
        self._raw = values
        self._prepared: dict[str | None, tuple[_Values, ...]] = {}

    @classmethod
    def read(cls, path: Path | str) -> "Vault":
        """Read a JSON file `{"*": [...], "<template_id>": [...]}`.

        Raises:
            InputError: the file is missing, broken, or has another form.
        """
        try:
            values = pydantic.TypeAdapter(dict[str, list[str]]).validate_json(
                read_text(Path(path)), strict=True
            )
        except pydantic.ValidationError as error:
            problem = error.errors(include_input=False)[0]
            place = problem["loc"][0] if problem["loc"] else None
            raise InputError(
                f'is no vault ({problem["msg"]}); write {{"*": [...], "<template id>": [...]}}',
                file=path,
                where=place,
            ) from None
        return cls(values)

    @cached_property
    def _everywhere(self) -> _Values:
        return _Values(self._raw.get("*", []))

    def values(self, template: str | None) -> tuple[_Values, ...]:
        """The prepared values that concern a template."""
        if template not in self._prepared:
            own = self._raw.get(template, []) if template not in (None, "*") else []
            sets = (self._everywhere, _Values(own))
            self._prepared[template] = tuple(
                s for s in sets if s.whole or s.single or s.unsearchable
            )
        return self._prepared[template]

    def leaks(self, template: str | None, text: str, outside: str) -> str | None:
        """The rule by which a source value stands in a text; `outside` is the text without gold."""
        for values in self.values(template):
            rule = _leak(values, text, outside)
            if rule is None and (plain := unescaped(text)) != text:
                rule = _leak(values, plain, unescaped(outside))
            if rule is not None:
                return rule
        return None

    def unsearchable(self, template: str | None) -> int:
        """How many values concern a template and are too short to be searched."""
        return sum(values.unsearchable for values in self.values(template))


def _leak(values: _Values, text: str, outside: str) -> str | None:
    if values.whole_in(squash(text)):
        return "source value"
    if values.words_in(fold(text)):
        return "words of a source value"
    if values.tail_in(text):
        return "end of a source number"
    if values.single_in(fold(outside)):
        return "source word"
    return None
