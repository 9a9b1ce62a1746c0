"""How each kind's values are kept from reaching a real person, by locale."""

from collections.abc import Mapping, Sequence

from tracegen.locales import load_pack

_CONTACTS = ("email", "url")


def value_policies(locales: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """(kind, locale) to `reserved`, `random_valid`, or both where choices differ."""
    policies: dict[tuple[str, str], str] = {}
    for locale in locales:
        pack = load_pack(locale)
        phones = {one.policy for one in pack.phones.ranges}
        policies["phone", locale] = " and ".join(sorted(phones))
        for kind in _CONTACTS:
            policies[kind, locale] = "reserved"
        for kind, choices in pack.identifiers.items():
            policies[kind, locale] = " and ".join(sorted({one.policy for one in choices}))
    return dict(sorted(policies.items()))
