"""Names as people write them: the forms of `names.yaml` filled from a persona."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from tracegen.errors import InputError
from tracegen.locales.model import LocalePack, NameForm, NamePart
from tracegen.seeds import Stream
from tracegen.values.patterns import Split, split
from tracegen.values.urn import Urn, urn_of_names
from tracegen.values.value import Persona, Value


def person(persona: Persona, stream: Stream) -> Value:
    """The persona's name.

    Example:
        `Anna Weber`, `.formal` writes `Frau` outside and labels `Weber`
    """
    fields = _NameFields(persona)
    forms = {
        name: pattern.fill(fields) for name, pattern in _patterns(persona.pack, persona.gender)
    }
    return Value("person", _urn(persona.pack).draw(stream), forms)


@cache
def _urn(pack: LocalePack) -> Urn[str]:
    """The forms that stand where a template names none."""
    return urn_of_names(pack.name_facts.forms)


@cache
def _patterns(pack: LocalePack, gender: str) -> Sequence[tuple[str, Split]]:
    """Every form of a pack for a gender, ready to be filled."""
    forms = pack.name_facts.forms.items()
    return [(name, split(_pattern(form, gender, name))) for name, form in forms]


def _pattern(form: NameForm, gender: str, name: str) -> str:
    pattern = form.female if gender == "female" else form.male
    pattern = pattern if pattern is not None else form.pattern
    if pattern is None:
        raise InputError(f"names.yaml: form {name!r} has no pattern for {gender}")
    return pattern


class _NameFields(dict[str, str]):
    """The fields of a name pattern, each made when a pattern first asks for it."""

    def __init__(self, persona: Persona) -> None:
        super().__init__()
        self._persona = persona

    def __missing__(self, field: str) -> str:
        name, _, way = field.partition(".")
        part: NamePart | None = getattr(self._persona, name) if name in PARTS else None
        if part is None:
            raise KeyError(field)
        self[field] = text = _written_part(part, way, field)
        return text


def _written_part(part: NamePart, way: str, field: str) -> str:
    if not way:
        return part.native
    if way in CASES:
        return part.cases.get(way, part.native)
    write = _WAYS.get(way)
    if write is None:
        raise KeyError(field)
    return write(part)


_WAYS: Mapping[str, Callable[[NamePart], str]] = {
    "initial": lambda part: part.native[0],
    "latin": lambda part: part.latin,
    "latin_initial": lambda part: part.latin[0],
    "latin_upper": lambda part: part.latin.upper(),
}
"""Ways of writing a part of a name that are no cases."""

PARTS = frozenset({"given", "family", "patronymic"})
"""Parts of a name that a pattern may name."""


CASES = frozenset({"genitive", "dative", "accusative", "instrumental", "prepositional", "vocative"})
"""Cases a pattern may name; an indeclinable name is written as it is."""
