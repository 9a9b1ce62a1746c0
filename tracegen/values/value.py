"""What a maker returns: one real-world value and the forms in which people write it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from tracegen.locales.model import LocalePack, NamePart, Place

MASKED = "masked"
"""The form that echoes a value partly hidden; it is written as a decoy of kind `masked_value`."""


class Written(NamedTuple):
    """One written form: the labelled text, and unlabelled text that belongs beside it."""

    text: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """One value with all its written forms.

    Attributes:
        kind: a kind of `locales/kinds.yaml`.
        default: the form used when a template names none; a key of `forms`.
        forms: form name to its text; every text is non-empty.
    """

    kind: str
    default: str
    forms: Mapping[str, Written]


@dataclass(frozen=True, slots=True)
class Persona:
    """One coherent person; every value of that person derives from it.

    Attributes:
        number: the subject number of the record, from 1.
        gender: "female" or "male".
        birth_date: Gregorian.
        reference: the corpus' reference date; ages are counted at it.
    """

    number: int
    locale: str
    gender: str
    given: NamePart
    family: NamePart
    patronymic: NamePart | None
    birth_date: date
    place: Place
    pack: LocalePack
    reference: date

    @property
    def female(self) -> bool:
        """Whether female forms of words apply."""
        return self.gender == "female"
