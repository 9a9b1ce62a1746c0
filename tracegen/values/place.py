"""Postal addresses in the country's order, from a persona's place and a common street."""

from functools import cache

from tracegen.locales.model import LocalePack
from tracegen.seeds import Stream
from tracegen.values.patterns import fill, native_digits
from tracegen.values.urn import Urn, urn_of_names
from tracegen.values.value import Persona, Value, Written


def address(persona: Persona, stream: Stream) -> Value:
    """A street address in the persona's town.

    Example:
        `Lindenweg 14, 88131 Lindau`
    """
    facts, place = persona.pack.addresses, persona.place
    fields = {
        "street": stream.choice(facts.streets),
        "number": stream.mask(stream.choice(facts.numbers)),
        "unit": stream.mask(stream.choice(facts.units)) if facts.units else "",
        "postcode": place.postcode,
        "city": place.city,
        "district": place.district,
        "province": place.province,
        "province_code": place.province_code,
    }
    forms: dict[str, Written] = {}
    for name, form in facts.forms.items():
        text = fill(form.pattern, fields)
        if form.digits == "native":
            text = native_digits(text, persona.pack.identity.digits)
        forms[name] = Written(text)
    return Value("address", _urn(persona.pack).draw(stream), forms)


@cache
def _urn(pack: LocalePack) -> Urn[str]:
    return urn_of_names(pack.addresses.forms)
