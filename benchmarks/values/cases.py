"""Draw personas and their values, the same on every run."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from tracegen.locales import load_pack
from tracegen.seeds import Stream
from tracegen.values import MAKERS
from tracegen.values.personas import PersonaWish, draw_persona
from tracegen.values.value import Persona, Value

REFERENCE = date(2026, 1, 15)
_NO_WISH = PersonaWish()


@dataclass(frozen=True, slots=True)
class Case:
    """One value, whose it is, and where in the tables it counts."""

    persona: Persona
    value: Value
    number: int

    @property
    def where(self) -> str:
        """Locale and kind."""
        return f"{self.persona.locale} {self.value.kind}"

    @property
    def default(self) -> str:
        """The text that stands where a template names no form."""
        return self.value.forms[self.value.default].text

    def stream(self) -> Stream:
        """A fresh copy of the stream the value was made from."""
        return stream_of(self.persona.locale, self.number, self.value.kind)


def stream_of(locale: str, number: int, kind: str) -> Stream:
    """The stream of one value."""
    return Stream("values", locale, number, kind)


@cache
def people(locale: str, count: int) -> tuple[Persona, ...]:
    """So many personas of a locale."""
    pack = load_pack(locale)
    return tuple(
        draw_persona(1, pack, Stream("values", locale, number), REFERENCE, _NO_WISH)
        for number in range(count)
    )


def cases(locale: str, kind: str, count: int) -> Iterator[Case]:
    """One value of a kind for each of so many personas."""
    make = MAKERS[kind]
    for number, persona in enumerate(people(locale, count)):
        yield Case(persona, make(persona, stream_of(locale, number, kind)), number)
