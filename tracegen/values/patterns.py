"""Fill the field patterns of the locale packs: `Frau [{family}]`."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from tracegen.errors import InputError
from tracegen.values.value import Written

_FIELD = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")


def fill(pattern: str, fields: Mapping[str, str]) -> str:
    """Replace every `{field}`.

    Raises:
        InputError: a field that the pattern names does not exist.

    Example:
        >>> fill("{street} {number}", {"street": "Lindenweg", "number": "4"})
        'Lindenweg 4'
    """
    try:
        return _percent(pattern) % fields
    except KeyError as error:
        raise InputError(f"pattern {pattern!r} names the unknown field {error.args[0]!r}") from None


@lru_cache(maxsize=4096)
def _percent(pattern: str) -> str:
    """The pattern in Python's `%` notation, which fills fields with dots in their names."""
    return _FIELD.sub(r"%(\1)s", pattern.replace("%", "%%"))


class Split(NamedTuple):
    """A pattern cut at its brackets, each part in `%` notation."""

    text: str
    before: str = ""
    after: str = ""

    def fill(self, fields: Mapping[str, str]) -> Written:
        """The written form.

        Raises:
            InputError: a field that the pattern names does not exist.
        """
        try:
            if not self.before and not self.after:
                return Written(self.text % fields)
            return Written(
                self.text % fields,
                self.before and self.before % fields,
                self.after and self.after % fields,
            )
        except KeyError as error:
            raise InputError(f"a pattern names the unknown field {error.args[0]!r}") from None


def split(pattern: str) -> Split:
    """Cut a pattern whose brackets mark the labelled part; without brackets it is all labelled.

    Example:
        >>> split("Frau [{family}]").fill({"family": "Weber"})
        Written(text='Weber', before='Frau ', after='')
    """
    if "[" not in pattern:
        return Split(_percent(pattern))
    before, rest = pattern.split("[", 1)
    text, after = rest.split("]", 1)
    return Split(_percent(text), _percent(before), _percent(after))


def native_digits(text: str, digits: str | None) -> str:
    """The text with ASCII digits replaced by a script's own.

    Raises:
        InputError: the locale names no native digits.
    """
    if not digits:
        raise InputError("a form asks for native digits, but locale.yaml has none")
    return text.translate(_to_native(digits))


@cache
def _to_native(digits: str) -> dict[int, str]:
    return {ord("0") + value: digit for value, digit in enumerate(digits)}
