"""Everything a process needs to make conversations of a spec, loaded once."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tracegen.gates import Gates, Vault
from tracegen.pipeline.catalogue import Catalogue, measure, require
from tracegen.pipeline.compose import Composer
from tracegen.pipeline.inputs import Inputs
from tracegen.pipeline.spec import Spec
from tracegen.templates import Template, load


@dataclass(frozen=True, slots=True)
class Workshop:
    """Compiled templates and what they offer."""

    spec: Spec
    templates: Mapping[str, Template]
    catalogue: Catalogue

    def composer(self, vault: Path | None) -> Composer:
        """A maker of conversations with gates of its own."""
        gates = Gates(vault=Vault.read(vault) if vault else None)
        return Composer(self.spec, self.templates, self.catalogue, gates)


def open_workshop(inputs: Inputs) -> Workshop:
    """Compile and measure the templates.

    Raises:
        InputError: a template or pack is broken, or a language has too few templates.
    """
    templates = {name: load(path) for name, path in inputs.files.items()}
    catalogue = measure(templates, inputs.spec.reference_date)
    require(catalogue, inputs.spec.languages)
    return Workshop(inputs.spec, templates, catalogue)
