"""What a person may choose about a scoring run, each choice named in the report."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.columns import Flags, Names
from tracegen.eval.gold import Gold
from tracegen.model import LABELS

Merge = Literal["none", "overlapping", "touching"]

LONGEST = 1_000_000_000
"""The largest tolerance: longer than any message, and far from what offsets can hold."""

MOST_RESAMPLES = 1_000_000

HIGH_SEVERITY = ("account_number", "secret")
"""What a stranger can do harm with at once."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to count. The defaults are the protocol's."""

    tolerance: int | None = None
    """Edge distance of the tolerance metric; None leaves it out."""
    merge: Merge = "none"
    """Whether predictions are joined before overlap and containment are counted."""
    single: bool = False
    """Whether containment asks for one covering span instead of the union."""
    ignore_punctuation: bool = False
    """Whether leaks count letters and digits only; the headline leaks never change."""
    high_severity: tuple[str, ...] = HIGH_SEVERITY
    only: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    """More strata than the usual ones."""
    resamples: int = 0
    seed: int = 0
    z: float = 1.959964
    strata: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse choices that mean nothing.

        Raises:
            InputError: names the option.
        """
        if self.tolerance is not None and self.tolerance < 0:
            raise InputError(f"--tolerance {self.tolerance}: must be 0 or more")
        if self.tolerance is not None and self.tolerance > LONGEST:
            raise InputError(
                f"--tolerance {self.tolerance}: must be at most {LONGEST:,} characters"
            )
        if self.merge not in get_args(Merge):
            raise InputError(unknown("merge", self.merge, get_args(Merge)))
        if self.resamples < 0:
            raise InputError(f"--resamples {self.resamples}: must be 0 or more")
        if self.resamples > MOST_RESAMPLES:
            raise InputError(f"--resamples {self.resamples}: must be at most {MOST_RESAMPLES:,}")

    def described(self) -> dict[str, Any]:
        """The choices for the report's signature."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which documents and labels are scored."""

    documents: Flags
    labels: tuple[str, ...]
    """The label space: the nine, then others that the gold uses."""
    ignored: frozenset[str]


def select(gold: Gold, options: Options, others: Sequence[str] = ()) -> Selection:
    """Read `only` and `ignore`: each name is a label or a language of the gold.

    Args:
        gold: what is scored.
        options: the choices.
        others: labels that count as known although the gold does not use them.

    Raises:
        InputError: a name is neither, a severe label is none, or nothing is left.
    """
    gold.check_labels()
    used = gold.spans.names["label"].names
    labels = (*LABELS, *sorted({*used, *others} - set(LABELS)))
    languages = set(gold.fields["language"].names)
    for name in options.high_severity:
        if name not in labels:
            raise InputError(f"--high-severity: {unknown('label', name, labels)}")
    for name in (*options.only, *options.ignore):
        if name not in labels and name not in languages:
            raise InputError(unknown("label or language", name, {*labels, *languages}))
    only_labels = [name for name in options.only if name in labels]
    only_languages = [name for name in options.only if name in languages]
    dropped = {name for name in options.ignore if name in labels}
    if only_labels:
        dropped |= set(labels) - set(only_labels)
    wanted = set(only_languages or languages) - set(options.ignore)
    documents = _among(gold.fields["language"], wanted, all_of=not (only_languages))
    if not documents.any():
        raise InputError("no conversation is left; --only and --ignore exclude every language")
    return Selection(documents, labels, frozenset(dropped))


def _among(column: Names, wanted: set[str], *, all_of: bool) -> Flags:
    """Rows whose name is wanted; rows without a name only where all were asked for."""
    known = [name in wanted for name in column.names]
    return np.array([*known, all_of], dtype=np.bool_)[column.codes]
