"""Check-digit algorithms, pure: which check characters fit a payload.

Every algorithm takes the payload (the characters that the check covers, in compact form) and the
parameters of the scheme's rule, and returns all fitting check strings; a maker writes the first.
An empty result means that no number with this payload exists (a remainder without a digit).
Which characters are covered, and where the check stands, is said by the rule in `validators/`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NONE = "-"
"""In `symbols`: this remainder has no check character."""

Algorithm = Callable[..., tuple[str, ...]]

_ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD_LETTERS = (*_ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_ODD = dict(zip(ALPHANUMERIC, _ODD_DIGITS + _ODD_LETTERS, strict=True))
_EVEN = {c: i if i < 10 else i - 10 for i, c in enumerate(ALPHANUMERIC)}
_RIB_LETTERS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "12345678912345678923456789")


def weighted(
    payload: str,
    *,
    weights: Sequence[int],
    modulus: int,
    complement: bool = False,
    offsets: Sequence[int] = (0,),
    symbols: str | None = None,
    alphabet: str = ALPHANUMERIC,
    width: int = 1,
) -> tuple[str, ...]:
    """The sum of value times weight, reduced by a modulus.

    Args:
        payload: the characters covered.
        weights: one a character.
        modulus: what the sum is reduced by.
        complement: take what is missing to the next multiple instead of the remainder.
        offsets: added to the sum; several mean that several generations of the rule are in use.
        symbols: the check character of each remainder; `-` where there is none. Without it the
            remainder's last `width` digits are taken.
        alphabet: characters in the order of their values.
        width: digits of the check.

    Example:
        >>> weighted("943476591", weights=range(10, 1, -1), modulus=11, complement=True)
        ('9',)
    """
    total = sum(alphabet.index(c) * w for c, w in zip(payload, weights, strict=True))
    found: list[str] = []
    for offset in offsets:
        rest = (total + offset) % modulus
        if complement:
            rest = -rest % modulus
        check = symbols[rest] if symbols else str(rest % 10**width).zfill(width)
        if check != NONE:
            found.append(check)
    return tuple(found)


def cross_sum(payload: str, *, weights: Sequence[int]) -> tuple[str, ...]:
    """Digit sums of the weighted digits, mod 10; a letter counts as its two-digit place.

    Used by German insurance numbers: A is 01, Z is 26.
    """
    digits = "".join(c if c.isdigit() else f"{ord(c) - 64:02d}" for c in payload)
    products = (int(d) * w for d, w in zip(digits, weights, strict=True))
    return (str(sum(p // 10 + p % 10 for p in products) % 10),)


def luhn(payload: str, *, alphabet: str = "0123456789") -> tuple[str, ...]:
    """Luhn's rule, also over a larger alphabet (GSTIN: mod 36)."""
    base = len(alphabet)
    total = 0
    for place, character in enumerate(reversed(payload)):
        value = alphabet.index(character) * (2 if place % 2 == 0 else 1)
        total += value // base + value % base
    return (alphabet[-total % base],)


def integer(
    payload: str,
    *,
    modulus: int,
    factor: int = 1,
    offset: int = 0,
    complement: bool = False,
    width: int = 2,
) -> tuple[str, ...]:
    """The payload read as one whole number, reduced by a modulus.

    With `complement` the result runs from 1 to the modulus, as French keys do.
    """
    rest = (int(payload) * factor + offset) % modulus
    return (str(modulus - rest if complement else rest).zfill(width),)


_LETTERS_AS_NUMBERS = {ord(c): str(i) for i, c in enumerate(ALPHANUMERIC)}


def mod97(payload: str) -> tuple[str, ...]:
    """ISO 7064 mod 97-10 as an IBAN uses it: letters count 10 to 35; 02 to 98.

    Example:
        >>> mod97("370400440532013000DE")
        ('89',)
    """
    return (f"{98 - int(payload.translate(_LETTERS_AS_NUMBERS) + '00') % 97:02d}",)


def mod11_2(payload: str) -> tuple[str, ...]:
    """ISO 7064 mod 11-2: a digit or X."""
    rest = 0
    for digit in payload:
        rest = (rest + int(digit)) * 2 % 11
    return ("0123456789X"[(12 - rest) % 11],)


def mod11_10(payload: str) -> tuple[str, ...]:
    """ISO 7064 mod 11,10: a digit."""
    product = 10
    for digit in payload:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (str((11 - product) % 10),)


def _dihedral(left: int, right: int) -> int:
    """The product in the symmetry group of a pentagon."""
    if left < 5:
        return (left + right) % 5 if right < 5 else (left + right - 5) % 5 + 5
    return (left - 5 - right) % 5 + 5 if right < 5 else (left - right) % 5


def _permutations() -> list[list[int]]:
    step = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    table = [list(range(10))]
    while len(table) < 8:
        table.append([step[value] for value in table[-1]])
    return table


_PERMUTED = _permutations()


def verhoeff(payload: str) -> tuple[str, ...]:
    """Verhoeff's rule over the dihedral group: finds every single change and swap.

    Example:
        >>> verhoeff("236")
        ('3',)
    """
    state = 0
    for place, digit in enumerate(reversed(payload), start=1):
        state = _dihedral(state, _PERMUTED[place % 8][int(digit)])
    return (str(next(d for d in range(10) if _dihedral(state, d) == 0)),)


def odd_even(payload: str) -> tuple[str, ...]:
    """The Italian rule: one table for odd places, one for even, a letter as the check."""
    total = sum((_EVEN if i % 2 else _ODD)[c] for i, c in enumerate(payload))
    return (chr(65 + total % 26),)


def nir(payload: str) -> tuple[str, ...]:
    """The key of a French social security number; Corsica's 2A and 2B count as 19 and 18."""
    number = int(payload.replace("2A", "19").replace("2B", "18"))
    return (f"{97 - number % 97:02d}",)


def rib(payload: str) -> tuple[str, ...]:
    """The key of a French account number; A to I are 1 to 9, J to R 1 to 9, S to Z 2 to 9."""
    return (f"{97 - int(payload.translate(_RIB_LETTERS) + '00') % 97:02d}",)


def kr_brn(payload: str) -> tuple[str, ...]:
    """The Korean business number: weights 1 3 7 1 3 7 1 3 5, and the tens of the last product."""
    digits = [int(d) for d in payload]
    total = sum(d * w for d, w in zip(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5), strict=True))
    return (str(-(total + digits[-1] * 5 // 10) % 10),)


ALGORITHMS: dict[str, Algorithm] = {
    "weighted": weighted,
    "cross_sum": cross_sum,
    "luhn": luhn,
    "luhn36": partial(luhn, alphabet=ALPHANUMERIC),
    "integer": integer,
    "mod97": mod97,
    "mod11_2": mod11_2,
    "mod11_10": mod11_10,
    "verhoeff": verhoeff,
    "odd_even": odd_even,
    "nir": nir,
    "rib": rib,
    "kr_brn": kr_brn,
}


def check_characters(algorithm: str, payload: str, parameters: dict[str, Any]) -> tuple[str, ...]:
    """All fitting check strings, the one to write first; none where the payload cannot be one."""
    return ALGORITHMS[algorithm](payload, **parameters)
