"""Names as people write them: the forms of `names.yaml` filled from a persona."""

from itertools import accumulate

from tracegen.errors import InputError
from tracegen.locales.model import NameForm, NamePart
from tracegen.seeds import Stream
from tracegen.values.patterns import written
from tracegen.values.value import Persona, Value, Written


def person(persona: Persona, stream: Stream) -> Value:
    """The persona's name.

    Example:
        `Anna Weber`, `.formal` writes `Frau` outside and labels `Weber`
    """
    fields = _fields(persona)
    forms: dict[str, Written] = {}
    weights: dict[str, float] = {}
    for name, form in persona.pack.name_facts.forms.items():
        forms[name] = written(_pattern(form, persona.gender, name), fields)
        weights[name] = form.weight
    return Value("person", draw_form(weights, stream), forms)


def draw_form(weights: dict[str, float], stream: Stream) -> str:
    """The name of the form that stands where a template names none."""
    drawn = [name for name, weight in weights.items() if weight > 0]
    return stream.weighted(drawn, list(accumulate(weights[name] for name in drawn)))


def _pattern(form: NameForm, gender: str, name: str) -> str:
    pattern = form.female if gender == "female" else form.male
    pattern = pattern if pattern is not None else form.pattern
    if pattern is None:
        raise InputError(f"names.yaml: form {name!r} has no pattern for {gender}")
    return pattern


def _fields(persona: Persona) -> dict[str, str]:
    fields: dict[str, str] = {}
    parts = {
        "given": persona.given,
        "family": persona.family,
        "patronymic": persona.patronymic,
    }
    cases = {case for part in parts.values() if part for case in part.cases}
    for name, part in parts.items():
        if part is not None:
            fields.update(_part_fields(name, part, cases))
    return fields


def _part_fields(name: str, part: NamePart, cases: set[str]) -> dict[str, str]:
    fields = {name: part.native, f"{name}.latin": part.latin, f"{name}.initial": part.native[0]}
    fields[f"{name}.latin_initial"] = part.latin[0]
    fields[f"{name}.latin_upper"] = part.latin.upper()
    for case in cases | CASES:
        fields[f"{name}.{case}"] = part.cases.get(case, part.native)
    return fields


CASES = frozenset({"genitive", "dative", "accusative", "instrumental", "prepositional", "vocative"})
"""Cases a pattern may name; an indeclinable name is written as it is."""
