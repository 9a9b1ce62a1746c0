"""Everything a process needs to make conversations of a spec, loaded once."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tracegen.gates import Gates, Vault
from tracegen.model import Conversation
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.catalogue import Catalogue, measure, require
from tracegen.pipeline.compose import Composer
from tracegen.pipeline.edges import EdgeComposer
from tracegen.pipeline.inputs import Inputs
from tracegen.pipeline.ladder import LadderComposer
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.spec import Spec
from tracegen.templates import Template, load


class Maker(Protocol):
    """Makes the conversations of a spec, one by one."""

    @property
    def ledger(self) -> Ledger:
        """What the gates did so far."""
        ...

    def conversation(self, number: int) -> Conversation | None:
        """Conversation `number`, or None when every attempt was refused."""
        ...


@dataclass(frozen=True, slots=True)
class Workshop:
    """Compiled templates and what they offer."""

    spec: Spec
    templates: Mapping[str, Template]
    catalogue: Catalogue

    def bench(self, vault: Path | None = None) -> Bench:
        """What a maker works with: gates and a ledger of its own."""
        gates = Gates(vault=Vault.read(vault) if vault else None)
        return Bench(self.spec, self.templates, self.catalogue, gates, Ledger())

    def composer(self, vault: Path | None) -> Maker:
        """A maker of conversations with gates of its own."""
        bench = self.bench(vault)
        if self.spec.ladder is not None:
            return LadderComposer(bench, self.spec.ladder)
        if self.spec.edges is not None:
            return EdgeComposer(bench, self.spec.edges)
        return Composer(bench)


def open_workshop(inputs: Inputs) -> Workshop:
    """Compile and measure the templates.

    Raises:
        InputError: a template or pack is broken, or a language has too few templates.
    """
    templates = {name: load(path) for name, path in inputs.files.items()}
    catalogue = measure(templates, inputs.spec.reference_date)
    require(catalogue, inputs.spec.languages)
    return Workshop(inputs.spec, templates, catalogue)
