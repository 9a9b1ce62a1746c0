"""The digest of all that determines a corpus' bytes, without compiling anything."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracegen import __version__
from tracegen.errors import InputError, unknown
from tracegen.locales import DEFAULT_LOCALES, pack_digest
from tracegen.pipeline.spec import Spec
from tracegen.resources import parse_yaml, read_text, room
from tracegen.templates import BALLAST, discover


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a run reads.

    Attributes:
        templates: template id to the sha256 of its file.
        files: template id to its file.
        packs: locale to the digest of its pack.
        digest: sha256 over version, spec, templates, packs, schemes and shared facts.
    """

    spec: Spec
    templates: Mapping[str, str]
    files: Mapping[str, Path]
    packs: Mapping[str, str]
    digest: str


def read_inputs(spec: Spec) -> Inputs:
    """Find and hash what a spec needs.

    Raises:
        InputError: the templates folder has nothing for a language, or a file is broken.
    """
    root = Path(spec.templates) if spec.templates else room("templates")
    files: dict[str, Path] = {}
    for language in sorted(spec.languages):
        folder = root / language
        found = {
            "/".join(path.with_suffix("").parts[-3:]): path
            for path in (discover(folder) if folder.is_dir() else ())
            if _wanted(spec, path.parent.name)
        }
        if not found:
            raise InputError(f"no templates for language {language!r}", file=root)
        for family in spec.families or ():
            if not (folder / family).is_dir():
                known = sorted(path.name for path in folder.iterdir() if path.is_dir())
                raise InputError(unknown(f"family for language {language!r}", family, known))
        files.update(found)
    templates = {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()
    }
    locales = sorted({locale for path in files.values() for locale in _locales(path)})
    packs = {locale: pack_digest(room("locales") / locale) for locale in locales}
    return Inputs(spec, templates, files, packs, _digest(spec, templates, packs))


def _wanted(spec: Spec, family: str) -> bool:
    return spec.families is None or family == BALLAST or family in spec.families


def _locales(path: Path) -> Iterator[str]:
    """The template's own locale, and those of people from elsewhere."""
    value: Any = parse_yaml(read_text(path), path)
    fields = value if isinstance(value, dict) else {}
    yield str(fields.get("locale") or DEFAULT_LOCALES.get(str(fields.get("language")), "?"))
    entities = fields.get("entities")
    for wish in entities.values() if isinstance(entities, dict) else ():
        if isinstance(wish, dict) and wish.get("locale"):
            yield str(wish["locale"])


def _digest(spec: Spec, templates: Mapping[str, str], packs: Mapping[str, str]) -> str:
    total = hashlib.sha256(f"{__version__}\n{spec.digest()}\n".encode())
    for name, digest in (*sorted(templates.items()), *sorted(packs.items())):
        total.update(f"{name} {digest}\n".encode())
    kinds = room("locales") / "kinds.yaml"
    total.update(hashlib.sha256(kinds.read_bytes()).digest())
    for folder in (room("locales") / "common", room("validators")):
        for path in sorted(folder.rglob("*.yaml")):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return total.hexdigest()
