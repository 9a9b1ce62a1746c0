"""Label maps: what a detector's labels mean in the gold's labels (room `eval/labels/`)."""

from dataclasses import dataclass
from pathlib import Path

import pydantic

from tracegen.errors import InputError, unknown
from tracegen.resources import Facts, read_yaml, room

UNMAPPED = "(unmapped)"
"""The reserved label of predictions whose raw label no map knows; never a hit, always counted."""

IDENTITY = "tracegen"


class LabelMap(Facts):
    """One file of `eval/labels/`."""

    detector: str
    """Whose labels these are."""
    source: str
    """Where the list of labels comes from."""
    checked: str | None = None
    """What the list was checked against, and when."""
    identity: bool = False
    """Whether a raw label that the gold itself uses means that label."""
    prefixes: bool = False
    """Whether tagging prefixes (`B-`, `I-`, `E-`, `S-`, `L-`, `U-`) are cut off first."""
    others: list[str] = pydantic.Field(default_factory=list)
    """Gold labels beside the nine that this map speaks of, whether or not the gold has any."""
    labels: dict[str, list[str]] = pydantic.Field(default_factory=dict)
    """Raw label: the gold labels it may mean, the likeliest first."""
    ignore: dict[str, str] = pydantic.Field(default_factory=dict)
    """Raw label: why its predictions are dropped before scoring."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one raw label means."""

    labels: tuple[str, ...]
    """Gold labels, the likeliest first; empty with `ignored`, `(UNMAPPED,)` when not known."""
    ignored: bool = False


def bundled() -> list[str]:
    """The names of the maps in the room."""
    return sorted(path.stem for path in (room("eval") / "labels").glob("*.yaml"))


def load_map(name: str) -> LabelMap:
    """A map of the room by its name, or one's own by its file.

    Raises:
        InputError: no such map, or the file is not one.
    """
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        if name not in bundled():
            raise InputError(unknown("label map", name, bundled()) + "; or name a .yaml file")
        path = room("eval") / "labels" / f"{name}.yaml"
    known = read_yaml(LabelMap, path)
    both = sorted(set(known.labels) & set(known.ignore))
    if both:
        raise InputError("is both mapped and ignored; choose one", file=path, where=both[0])
    empty = sorted(raw for raw, labels in known.labels.items() if not labels)
    if empty:
        raise InputError("maps to nothing; list it under `ignore`", file=path, where=empty[0])
    return known


def check_targets(known: LabelMap, labels: set[str], name: str) -> None:
    """Refuse a map that speaks of labels that the gold cannot hold.

    Raises:
        InputError: a target is neither one of the nine labels nor used by the gold.
    """
    for raw, targets in known.labels.items():
        for target in targets:
            if target not in labels:
                raise InputError(unknown("label", target, labels), file=name, where=raw)


def meaning(known: LabelMap, raw: str, labels: set[str]) -> Meaning:
    """What a raw label means; unknown ones are `UNMAPPED`, never dropped."""
    name = raw
    if known.prefixes and len(raw) > 2 and raw[1] == "-" and raw[0] in "BIESLU":
        name = raw[2:]
    if name in known.ignore:
        return Meaning((), ignored=True)
    if name in known.labels:
        return Meaning(tuple(known.labels[name]))
    if known.identity and name in labels:
        return Meaning((name,))
    return Meaning((UNMAPPED,))
