"""Lengths and places of text in characters, words, or a tokenizer's tokens.

A character is a Unicode code point. A word is a longest run without white space; languages that do
not write spaces have few. A token is what a `tokenizer.json` of the `tokenizers` library makes of a
text, without the special tokens that a model puts around it; a byte-level tokenizer makes several
of one character.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tracegen.errors import InputError

CHARS, WORDS = "chars", "words"
_TOKENS = "tokens:"
_WORD = re.compile(r"\S+")

Bounds = Sequence[tuple[int, int]]
"""The start and end of each unit of a text, in code points."""


class Starts(NamedTuple):
    """Where a text may be cut so that neither a unit nor a character is torn.

    `places` are the characters at which a unit starts and no other goes on, `before` counts the
    units before each of them, `total` all units.
    """

    places: Sequence[int]
    before: Sequence[int]
    total: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of length; `name` is how a person writes it."""

    name: str

    @property
    def short(self) -> str:
        """The name without the tokenizer's file."""
        return "tokens" if self.name.startswith(_TOKENS) else self.name

    def bounds(self, text: str) -> Bounds:
        """Every unit of a text, in order."""
        if self.name == CHARS:
            return _Characters(len(text))
        if self.name == WORDS:
            return [match.span() for match in _WORD.finditer(text)]
        bounds: Bounds = self._tokens(text).offsets
        return bounds

    @property
    def tokenizer(self) -> Path | None:
        """The tokenizer's file, if this is one of tokens."""
        return Path(self.name.removeprefix(_TOKENS)) if self.name.startswith(_TOKENS) else None

    def count(self, text: str) -> int:
        """How many units a text has."""
        return len(self.bounds(text))

    def starts(self, text: str) -> Starts:
        """Where a text may be cut."""
        bounds = self.bounds(text)
        total = len(bounds)
        if self.name == CHARS:
            return Starts(range(total), range(total), total)
        places: list[int] = []
        before: list[int] = []
        reach = 0
        for number, (start, end) in enumerate(bounds):
            if reach <= start < len(text) and (not places or start > places[-1]):
                places.append(start)
                before.append(number)
            reach = max(reach, end)
        return Starts(places, before, total)

    def _tokens(self, text: str) -> Any:
        return _tokenizer(self.name.removeprefix(_TOKENS)).encode(text, add_special_tokens=False)


CHARACTERS = Unit(CHARS)


class _Characters(Sequence[tuple[int, int]]):
    """The bounds of characters, without a list of them."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [(at, at + 1) for at in range(*index.indices(self._length))]
        at = range(self._length)[index]
        return (at, at + 1)


def read_unit(name: str) -> Unit:
    """The unit that a person named.

    Raises:
        InputError: no such unit, or no such tokenizer.
    """
    if name.startswith(_TOKENS):
        _tokenizer(name.removeprefix(_TOKENS))
    elif name not in (CHARS, WORDS):
        raise InputError(
            f"unknown unit {name!r}; known: {CHARS}, {WORDS}, {_TOKENS}<path of a tokenizer.json>"
        )
    return Unit(name)


@lru_cache(maxsize=4)
def _tokenizer(file: str) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise InputError(
            "counting tokens needs the tokenizers library: pip install 'pii-tracegen[tokens]'"
        ) from error
    if not Path(file).is_file():
        raise InputError("no such tokenizer.json", file=file)
    try:
        tokenizer = Tokenizer.from_file(file)
    except Exception as error:  # the library raises plain Exception
        raise InputError(f"not a tokenizer.json: {error}", file=file) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
