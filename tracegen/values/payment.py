"""Makers of payment cards and IBANs, and the look-alike card that fails its check."""

from functools import cache

from tracegen.checksums import luhn
from tracegen.errors import InvariantError
from tracegen.resources import Facts, parse_yaml, read_text, room, validate
from tracegen.seeds import DIGITS, Stream
from tracegen.values.identifiers import Maker, choose, draw, value_of
from tracegen.values.value import Persona, Value


class TestCard(Facts):
    """A number that a payment provider publishes for tests."""

    number: str
    source: str


class _Cards(Facts):
    brands: dict[str, tuple[TestCard, ...]]


@cache
def test_cards() -> dict[str, tuple[TestCard, ...]]:
    """The published test numbers by brand.

    Raises:
        InputError: `locales/common/cards.yaml` is broken.
    """
    path = room("locales") / "common" / "cards.yaml"
    return validate(_Cards, {"brands": parse_yaml(read_text(path), path)}, path).brands


def credit_card(persona: Persona, stream: Stream) -> Value:
    """A published test number of a brand that is common in the persona's country.

    Raises:
        InvariantError: a locale names a brand without test numbers.
    """
    choice = choose(persona.pack, "credit_card", stream)
    cards = test_cards().get(choice.brand or "")
    if not cards:
        raise InvariantError(f"no test numbers of the card brand {choice.brand!r}")
    return value_of("credit_card", choice, stream.choice(cards).number, persona, stream)


def iban(persona: Persona, stream: Stream) -> Value:
    """An IBAN with right national and international checks and the code of no bank."""
    choice = choose(persona.pack, "iban", stream)
    return value_of("iban", choice, draw(choice, persona, stream), persona, stream)


_LOOKALIKES = ("4###", "4###", "51##", "53##", "55##", "2221", "6011", "3530", "6200")


def bad_card(stream: Stream) -> str:
    """Sixteen digits in fours that look like a card of a known brand and fail Luhn's rule."""
    body = stream.mask(stream.choice(_LOOKALIKES) + "###########")
    right = luhn(body)[0]
    digits = body + stream.choice([digit for digit in DIGITS if digit != right])
    return " ".join(digits[i : i + 4] for i in range(0, 16, 4))


MAKERS: dict[str, Maker] = {"credit_card": credit_card, "iban": iban}
