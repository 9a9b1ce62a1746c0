"""How each kind's values are kept from reaching a real person, by locale."""

from collections.abc import Mapping, Sequence

from tracegen.locales import load_pack
from tracegen.values import MAKERS
from tracegen.values.table import policy_of


def value_policies(locales: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """(kind, locale) to `reserved`, `random_valid`, or both where choices differ."""
    policies = {
        (kind, locale): policy_of(kind, load_pack(locale))[0]
        for locale in locales
        for kind in MAKERS
    }
    return dict(sorted(policies.items()))
