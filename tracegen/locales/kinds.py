"""The registry of kinds: what a placeholder may ask for, and the label each kind carries."""

from collections.abc import Mapping
from typing import Any

from tracegen.errors import InputError
from tracegen.locales.model import Policy
from tracegen.model import LABELS
from tracegen.resources import Facts, parse_yaml, read_text, room, validate


class Kind(Facts):
    """One kind; `label` is None for a decoy.

    Attributes:
        policy: how its values are kept from reaching a real person, where the packs do not say it.
        why: why that policy; for a decoy, why it is nobody's.
        rule: what its values are checked by, where there is no scheme in `validators/`.
    """

    label: str | None = None
    policy: Policy | None = None
    why: str | None = None
    rule: str | None = None

    @property
    def decoy(self) -> bool:
        """Whether values of this kind are decoys."""
        return self.label is None


def _load() -> Mapping[str, Kind]:
    path = room("locales") / "kinds.yaml"
    value: Any = parse_yaml(read_text(path), path)
    kinds = {name: validate(Kind, entry, path) for name, entry in value.items()}
    for name, kind in kinds.items():
        if kind.label is not None and kind.label not in LABELS:
            raise InputError(f"label {kind.label!r} is none of the nine", file=path, where=name)
    return kinds


KINDS: Mapping[str, Kind] = _load()
"""Every kind of `locales/kinds.yaml`, in its order."""
