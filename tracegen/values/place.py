"""Postal addresses in the country's order, from a persona's place and a common street."""

from tracegen.seeds import Stream
from tracegen.values.patterns import fill, native_digits
from tracegen.values.person import draw_form
from tracegen.values.value import Persona, Value, Written


def address(persona: Persona, stream: Stream) -> Value:
    """A street address in the persona's town.

    Example:
        `Lindenweg 14, 88131 Lindau`
    """
    facts, place = persona.pack.addresses, persona.place
    fields = {
        "street": stream.child("street").choice(facts.streets),
        "number": stream.child("number").mask(stream.choice(facts.numbers)),
        "unit": stream.child("unit").mask(stream.choice(facts.units)) if facts.units else "",
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
    weights = {name: form.weight for name, form in facts.forms.items()}
    return Value("address", draw_form(weights, stream.child("form")), forms)
