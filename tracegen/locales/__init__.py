"""Locale packs: the facts of a country and its language, read from the room `locales/`."""

from tracegen.locales.kinds import KINDS, Kind
from tracegen.locales.load import (
    DEFAULT_LOCALES,
    FILES,
    known_locales,
    load_pack,
    pack_digest,
)
from tracegen.locales.model import LocalePack

__all__ = [
    "DEFAULT_LOCALES",
    "FILES",
    "KINDS",
    "Kind",
    "LocalePack",
    "known_locales",
    "load_pack",
    "pack_digest",
]
