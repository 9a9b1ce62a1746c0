"""What a locale's values look like: an example and the written forms of every kind, and why."""

from dataclasses import dataclass
from datetime import date

from tracegen.locales import KINDS, LocalePack, load_pack
from tracegen.seeds import Stream
from tracegen.values import MAKERS
from tracegen.values.decoys import supports
from tracegen.values.personas import PersonaWish, draw_persona
from tracegen.values.strengths import decoy_value
from tracegen.values.value import Persona

_REFERENCE = date(2026, 1, 15)


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind in one locale.

    Attributes:
        example: the text that stands where a template names no form.
        forms: form name to text.
        policy: `reserved` or `random_valid`, both where choices differ, `decoy` for a decoy.
        why: why that policy.
        validator: schemes and rules that judge the values.
    """

    locale: str
    kind: str
    example: str
    forms: dict[str, str]
    policy: str
    why: str
    validator: str


def entries(locale: str) -> list[Entry]:
    """Every kind of a locale, with values of one invented person.

    Raises:
        InputError: there is no such pack.
    """
    pack = load_pack(locale)
    persona = draw_persona(1, pack, Stream("table", locale), _REFERENCE, PersonaWish())
    made = []
    for kind, facts in KINDS.items():
        if not facts.decoy:
            made.append(_entry(kind, persona))
        elif supports(kind, pack):
            value = decoy_value(kind, pack, Stream("table", locale, kind))
            forms = {name: form.before + form.text for name, form in value.forms.items()}
            text = value.forms["plain"].text
            made.append(Entry(locale, kind, text, forms, "decoy", facts.why or "", "nothing"))
    return made


def _entry(kind: str, persona: Persona) -> Entry:
    value = MAKERS[kind](persona, Stream("table", persona.locale, kind))
    forms = {name: form.before + form.text + form.after for name, form in value.forms.items()}
    policy, why = policy_of(kind, persona.pack)
    example = value.forms[value.default].text
    validator = validator_of(kind, persona.pack)
    return Entry(persona.locale, kind, example, forms, policy, why, validator)


def policy_of(kind: str, pack: LocalePack) -> tuple[str, str]:
    """How values of a kind are kept from reaching a real person, and why that way."""
    if kind == "phone":
        pairs = [(one.policy, one.source or _NO_RANGE) for one in pack.phones.ranges]
    elif kind in pack.identifiers:
        pairs = [(one.policy, one.why or "") for one in pack.identifiers[kind]]
    else:
        facts = KINDS[kind]
        pairs = [(facts.policy or "random_valid", facts.why or "")]
    policies = " and ".join(sorted({policy for policy, _ in pairs}))
    return policies, "; ".join(dict.fromkeys(why for _, why in pairs if why))


_NO_RANGE = "the country sets no valid range aside; any valid number may be somebody's"


def validator_of(kind: str, pack: LocalePack) -> str:
    """The schemes of `validators/` behind a kind, or the rule that its values are checked by."""
    schemes = dict.fromkeys(one.scheme for one in pack.identifiers.get(kind, ()) if one.scheme)
    return ", ".join(schemes) or KINDS[kind].rule or "shape only"
