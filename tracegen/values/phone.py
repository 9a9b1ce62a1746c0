"""Telephone numbers from the ranges of a pack, in the ways people write them."""

from collections.abc import Mapping, Sequence
from functools import cache

from tracegen.errors import InputError
from tracegen.locales.model import LocalePack, PhoneForm, PhoneRange
from tracegen.seeds import Stream
from tracegen.values.patterns import Split, native_digits, split
from tracegen.values.urn import Urn, urn_of, urn_of_names
from tracegen.values.value import MASKED, Persona, Value, Written


def phone(persona: Persona, stream: Stream, sort: str | None = None) -> Value:
    """A number of the persona's country; `sort` is "mobile", "landline" or None for either.

    Raises:
        InputError: the pack has no range of the sort.

    Example:
        `0152 28895 417`
    """
    facts = persona.pack.phones
    area = persona.place.area_code
    ranges = _ranges(persona.pack, sort, bool(area))
    if not ranges.items:
        area = stream.choice(_areas(persona.pack))
        ranges = _ranges(persona.pack, sort, True)
    if not ranges.items:
        raise InputError(f"{persona.locale} has no {sort or ''} phone range".replace("  ", " "))
    drawn = ranges.draw(stream)
    groups = [area if group == "{area}" else stream.mask(group) for group in drawn.groups]
    trunk = facts.trunk if drawn.trunk is None else drawn.trunk
    fields = {"cc": facts.country_code, "trunk": trunk, "first": groups[0]}
    usable, urn = _forms(persona.pack, drawn.type)
    forms = {name: _write(form, fields, groups[1:], persona) for name, form in usable.items()}
    forms[MASKED] = Written(f"••• ••• {''.join(groups)[-3:]}")
    return Value("phone", urn.draw(stream), forms)


@cache
def _ranges(pack: LocalePack, sort: str | None, has_area: bool) -> Urn[PhoneRange]:
    """The ranges of a sort; one that needs an area code is left out where the place has none."""
    return urn_of(
        one
        for one in pack.phones.ranges
        if (sort is None or one.type == sort) and (has_area or "{area}" not in one.groups)
    )


@cache
def _areas(pack: LocalePack) -> Sequence[str]:
    """Area codes for people of a place whose own does not fit the ranges of the pack."""
    return tuple(dict.fromkeys(one.area_code for one in pack.places if one.area_code)) or ("",)


@cache
def _forms(pack: LocalePack, sort: str) -> tuple[Mapping[str, PhoneForm], Urn[str]]:
    forms = {name: form for name, form in pack.phones.forms.items() if sort in form.types}
    return forms, urn_of_names(forms)


def _write(form: PhoneForm, fields: dict[str, str], rest: list[str], persona: Persona) -> Written:
    written = _split(form.pattern).fill({**fields, "rest": form.separator.join(rest)})
    if form.digits == "native":
        text = native_digits(written.text, persona.pack.identity.digits)
        return written._replace(text=text)
    return written


@cache
def _split(pattern: str) -> Split:
    return split(pattern)
