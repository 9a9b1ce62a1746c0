"""Telephone numbers from the ranges of a pack, in the ways people write them."""

from itertools import accumulate

from tracegen.errors import InputError
from tracegen.locales.model import PhoneForm, PhoneRange
from tracegen.seeds import Stream
from tracegen.values.patterns import fill, native_digits
from tracegen.values.person import draw_form
from tracegen.values.value import MASKED, Persona, Value, Written


def phone(persona: Persona, stream: Stream, sort: str | None = None) -> Value:
    """A number of the persona's country; `sort` is "mobile", "landline" or None for either.

    Raises:
        InputError: the pack has no range of the sort.

    Example:
        `0152 28895 417`
    """
    facts = persona.pack.phones
    ranges = [one for one in facts.ranges if _fits(one, persona, sort)]
    if not ranges:
        raise InputError(f"{persona.locale} has no {sort or ''} phone range".replace("  ", " "))
    drawn = stream.weighted(ranges, list(accumulate(one.weight for one in ranges)))
    digits = stream.child("digits")
    groups = [
        persona.place.area_code if group == "{area}" else digits.mask(group)
        for group in drawn.groups
    ]
    fields = {"cc": facts.country_code, "trunk": facts.trunk, "first": groups[0]}
    usable = {name: form for name, form in facts.forms.items() if drawn.type in form.types}
    forms = {name: _write(form, fields, groups[1:], persona) for name, form in usable.items()}
    forms[MASKED] = Written(f"••• ••• {''.join(groups)[-3:]}")
    weights = {name: form.weight for name, form in usable.items()}
    return Value("phone", draw_form(weights, stream.child("form")), forms)


def _fits(one: PhoneRange, persona: Persona, sort: str | None) -> bool:
    if "{area}" in one.groups and not persona.place.area_code:
        return False
    return sort is None or one.type == sort


def _write(form: PhoneForm, fields: dict[str, str], rest: list[str], persona: Persona) -> Written:
    text = fill(form.pattern, {**fields, "rest": form.separator.join(rest)})
    if form.digits == "native":
        text = native_digits(text, persona.pack.identity.digits)
    return Written(text)
