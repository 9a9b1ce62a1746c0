"""Fill the field patterns of the locale packs: `Frau [{family}]`."""

import re
from collections.abc import Mapping

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

    def value(match: re.Match[str]) -> str:
        try:
            return fields[match[1]]
        except KeyError:
            raise InputError(f"pattern {pattern!r} names the unknown field {match[1]!r}") from None

    return _FIELD.sub(value, pattern)


def written(pattern: str, fields: Mapping[str, str]) -> Written:
    """Fill a pattern whose brackets mark the labelled part; without brackets it is all labelled.

    Example:
        >>> written("Frau [{family}]", {"family": "Weber"})
        Written(text='Weber', before='Frau ', after='')
    """
    if "[" not in pattern:
        return Written(fill(pattern, fields))
    before, rest = pattern.split("[", 1)
    text, after = rest.split("]", 1)
    return Written(fill(text, fields), fill(before, fields), fill(after, fields))


def native_digits(text: str, digits: str | None) -> str:
    """The text with ASCII digits replaced by a script's own.

    Raises:
        InputError: the locale names no native digits.
    """
    if not digits:
        raise InputError("a form asks for native digits, but locale.yaml has none")
    return text.translate({ord("0") + value: digit for value, digit in enumerate(digits)})
