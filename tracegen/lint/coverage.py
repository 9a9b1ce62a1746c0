"""What the templates of a language use: labels, kinds, decoys, carriers, families."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from tracegen.locales import KINDS
from tracegen.model import LABELS
from tracegen.templates import FAMILIES, Template


@dataclass(slots=True)
class Coverage:
    """Sets of what one language's templates use."""

    templates: int = 0
    ballast: int = 0
    prose: int = 0
    """Ballast pieces without any carrier: documents and short exchanges."""
    families: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    carriers: set[str] = field(default_factory=set)

    @property
    def labels(self) -> set[str]:
        """Labels of the kinds used."""
        return {label for kind in self.kinds if (label := KINDS[kind].label)}

    @property
    def decoys(self) -> set[str]:
        """Decoy kinds used."""
        return {kind for kind in self.kinds if KINDS[kind].decoy}

    def missing(self) -> Sequence[str]:
        """What a complete language still needs, as sentences."""
        gaps = []
        labels = [label for label in LABELS if label not in self.labels]
        kinds = [name for name, kind in KINDS.items() if not kind.decoy and name not in self.kinds]
        families = [name for name in FAMILIES if name not in self.families]
        if labels:
            gaps.append(f"no template uses the labels {', '.join(labels)}")
        if kinds:
            gaps.append(f"no template uses the kinds {', '.join(kinds)}")
        if families:
            gaps.append(f"no template in the families {', '.join(families)}")
        if len(self.carriers) < MINIMUM_CARRIERS:
            gaps.append(f"{len(self.carriers)} carriers, at least {MINIMUM_CARRIERS} wanted")
        if len(self.decoys) < MINIMUM_DECOYS:
            gaps.append(f"{len(self.decoys)} decoy kinds, at least {MINIMUM_DECOYS} wanted")
        if self.ballast < MINIMUM_BALLAST:
            gaps.append(f"{self.ballast} ballast pieces, at least {MINIMUM_BALLAST} wanted")
        if self.prose < MINIMUM_PROSE:
            gaps.append(f"{self.prose} ballast pieces of prose, at least {MINIMUM_PROSE} wanted")
        return gaps


MINIMUM_CARRIERS = 6
MINIMUM_DECOYS = 10
MINIMUM_BALLAST = 24
MINIMUM_PROSE = 12
"""Half of the ballast, so that a long conversation is not one table after the other."""


def coverage(
    templates: Iterable[tuple[Template, Collection[str]]],
) -> dict[str, Coverage]:
    """Coverage a language, from templates with the carriers seen when they were rendered."""
    found: dict[str, Coverage] = {}
    for template, carriers in templates:
        one = found.setdefault(template.language, Coverage())
        if template.ballast:
            one.ballast += 1
            one.prose += not carriers
        else:
            one.templates += 1
            one.families.add(template.family)
        one.kinds.update(placeholder.kind for placeholder in template.placeholders)
        one.carriers.update(carriers)
    return found
