"""Everything a process needs to make conversations of a spec, loaded once."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tracegen import __version__
from tracegen.gates import Gates, Vault
from tracegen.locales import load_pack
from tracegen.pipeline.catalogue import Catalogue, measure, require
from tracegen.pipeline.compose import Composer
from tracegen.pipeline.spec import Spec
from tracegen.resources import room
from tracegen.templates import Template, load_all


@dataclass(frozen=True, slots=True)
class Workshop:
    """Templates, their measures, and the digest of all that determines bytes."""

    spec: Spec
    templates: Mapping[str, Template]
    catalogue: Catalogue
    packs: Mapping[str, str]
    digest: str

    def composer(self, vault: Path | None) -> Composer:
        """A maker of conversations with gates of its own."""
        gates = Gates(vault=Vault.read(vault) if vault else None)
        return Composer(self.spec, self.templates, self.catalogue, gates)


def open_workshop(spec: Spec) -> Workshop:
    """Load what a spec needs.

    Raises:
        InputError: a template or pack is broken, or a language has too few templates.
    """
    root = Path(spec.templates) if spec.templates else None
    templates = {
        name: template
        for name, template in load_all(spec.languages, root).items()
        if spec.families is None or template.ballast or template.family in spec.families
    }
    locales = sorted({template.locale for template in templates.values()})
    packs = {locale: load_pack(locale).digest for locale in locales}
    catalogue = measure(templates, spec.reference_date)
    require(catalogue, spec.languages)
    return Workshop(spec, templates, catalogue, packs, _digest(spec, templates, packs))


def _digest(spec: Spec, templates: Mapping[str, Template], packs: Mapping[str, str]) -> str:
    """The sha256 over version, spec, templates, packs, schemes and shared facts."""
    total = hashlib.sha256(f"{__version__}\n{spec.digest()}\n".encode())
    for name, template in sorted(templates.items()):
        total.update(f"{name} {template.digest}\n".encode())
    for locale, digest in sorted(packs.items()):
        total.update(f"{locale} {digest}\n".encode())
    for folder in (room("locales") / "common", room("validators")):
        for path in sorted(folder.rglob("*.yaml")):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return total.hexdigest()
