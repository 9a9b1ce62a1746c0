"""`locales/packs.lock`: the hash of every frozen pack, so that a change cannot go unseen."""

from collections.abc import Mapping
from pathlib import Path

from tracegen.errors import InputError
from tracegen.locales.load import FILES, pack_digest
from tracegen.resources import read_text, room

LOCK = "packs.lock"
PLACEHOLDER = "FILL IN"
"""What a skeleton writes where a person must write a fact."""

_HEAD = """\
# sha256 of every frozen locale pack, written by `tracegen locale build`. A pack that differs from
# its line has been edited since: look at the change, then build the pack again.
"""


def read_lock(folder: Path | None = None) -> Mapping[str, str]:
    """Locale to digest.

    Raises:
        InputError: a line is not `locale digest`.
    """
    path = (folder or room("locales")) / LOCK
    if not path.is_file():
        return {}
    frozen = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line and not line.startswith("#"):
            try:
                locale, digest = line.split()
            except ValueError:
                raise InputError("must be a locale and its hash", file=path, where=number) from None
            frozen[locale] = digest
    return frozen


def freeze(locale: str, folder: Path | None = None) -> str:
    """Write the hash of a complete pack into the lock, and return it.

    Raises:
        InputError: a file is missing or still has something to fill in.
    """
    home = folder or room("locales")
    for name in FILES:
        text = read_text(home / locale / name)
        if PLACEHOLDER in text:
            line = text[: text.index(PLACEHOLDER)].count("\n") + 1
            raise InputError("is still to be filled in", file=home / locale / name, where=line)
    frozen = {**read_lock(home), locale: pack_digest(home / locale)}
    lines = [f"{name} {digest}\n" for name, digest in sorted(frozen.items())]
    (home / LOCK).write_text(_HEAD + "".join(lines), encoding="utf-8")
    return frozen[locale]


def is_frozen(locale: str, folder: Path | None = None) -> bool:
    """Whether a pack is as it was when it was frozen."""
    home = folder or room("locales")
    return read_lock(home).get(locale) == pack_digest(home / locale)
