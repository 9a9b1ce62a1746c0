"""What a template file says, and what is known of it once it is compiled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import jinja2
import pydantic

from tracegen.errors import unknown
from tracegen.locales import KINDS
from tracegen.model import LANGUAGES
from tracegen.resources import Facts

FAMILIES: tuple[str, ...] = (
    "banking", "health", "housing", "travel", "work", "operations", "shopping", "family",
    "negative",
)  # fmt: skip
"""Families every language has; a language may have more."""

BALLAST = "ballast"
"""The folder of PII-free pieces that lengthen a conversation."""

_PLACEHOLDER = re.compile(r"([a-z][a-z_]*?)_([1-9]\d*)([a-z]?)\Z")


class Placeholder(NamedTuple):
    """A parsed placeholder name: `email_1b` is the second e-mail address of person 1."""

    name: str
    kind: str
    number: int
    letter: str


def parse_placeholder(name: str) -> Placeholder | None:
    """Split a name, or None when it has not the form of a placeholder of a known kind."""
    match = _PLACEHOLDER.match(name)
    if match is None or match[1] not in KINDS:
        return None
    return Placeholder(name, match[1], int(match[2]), match[3])


MAXIMUM_TURNS = 400
"""Turns of one template; longer conversations come from ballast."""

OLDEST = 110
"""Years that a persona may count at most."""

_WISHES: Mapping[str, frozenset[str]] = {
    "person": frozenset({"gender", "age", "related_to", "locale"}),
    "date": frozenset({"within", "after", "days"}),
    "phone": frozenset({"type"}),
}


def misplaced(placeholder: Placeholder, wish: "Wish") -> str | None:
    """What is wrong with a constraint, if it does not apply to the kind."""
    allowed = _WISHES.get(placeholder.kind, frozenset())
    wrong = sorted(wish.model_fields_set - allowed)
    if not wrong:
        return None
    known = f"it takes {', '.join(sorted(allowed))}" if allowed else "it takes no constraints"
    return f"{placeholder.name} cannot have {', '.join(wrong)}; {known}"


class Wish(Facts):
    """One entry of `entities:`; which keys apply depends on the kind."""

    gender: Literal["female", "male"] | None = None
    age: tuple[int, int] | None = None
    related_to: str | None = None
    locale: str | None = None
    within: tuple[int, int] | None = None
    after: str | None = None
    days: tuple[int, int] | None = None
    type: Literal["mobile", "landline"] | None = None

    @pydantic.field_validator("age")
    @classmethod
    def _human(cls, value: tuple[int, int] | None) -> tuple[int, int] | None:
        if value is not None and not 0 <= value[0] <= value[1] <= OLDEST:
            raise ValueError(f"ages lie between 0 and {OLDEST}, not {list(value)}")
        return value

    @pydantic.field_validator("age", "within", "days")
    @classmethod
    def _ordered(cls, value: tuple[int, int] | None) -> tuple[int, int] | None:
        if value is not None and value[0] > value[1]:
            raise ValueError(f"the low end comes first, not {list(value)}")
        return value


class TurnFacts(Facts):
    """One turn: each side is a text, or a list of alternatives of which one is drawn."""

    user: str | tuple[str, ...] = ""
    assistant: str | tuple[str, ...] = ""
    lang: str | None = None

    @pydantic.model_validator(mode="after")
    def _something(self) -> "TurnFacts":
        if not self.user and not self.assistant:
            raise ValueError("a turn needs a user or an assistant text")
        if self.lang is not None and self.lang not in LANGUAGES:
            raise ValueError(unknown("language", self.lang, LANGUAGES))
        return self


class TemplateFacts(Facts):
    """A template file."""

    language: str
    locale: str | None = None
    note: str = ""
    grows: bool = False
    entities: dict[str, Wish] = pydantic.Field(default_factory=dict)
    turns: tuple[TurnFacts, ...] = pydantic.Field(min_length=1, max_length=MAXIMUM_TURNS)


@dataclass(frozen=True, slots=True)
class Template:
    """One compiled template.

    Attributes:
        id: `<language>/<family>/<name>`, the unit of every split.
        placeholders: every placeholder that the text names, sorted by name.
        choices: how many alternatives each message has, in order: user, assistant, user, ...
        digest: sha256 of the file's bytes.
        ballast: whether it is a PII-free piece.
    """

    id: str
    path: Path
    language: str
    locale: str
    family: str
    facts: TemplateFacts
    code: jinja2.Template
    placeholders: Sequence[Placeholder]
    choices: Sequence[int]
    digest: str
    ballast: bool

    @property
    def wishes(self) -> Mapping[str, Wish]:
        """The constraints on entities, by placeholder name."""
        return self.facts.entities
