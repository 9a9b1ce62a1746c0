"""Cells of a report: the same counts for every value of a stratum."""

from collections.abc import Sequence

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import ABSENT, Flags, Ints, total, unique
from tracegen.eval.counting import Counts, decoy_hits, exact_hits, in_set
from tracegen.eval.identifiers import Identifiers
from tracegen.eval.metrics import Block, leaks, negatives, with_ratios
from tracegen.eval.metrics import identifiers as identifier_block
from tracegen.eval.resampling import THIN
from tracegen.eval.strata import STRATA, Stratum

_FEW = 4_000_000
"""Up to so many pairs of cell and document, a table of flags is faster than sorting."""


def cells(alignment: Alignment, counts: Counts, keys: Sequence[str]) -> dict[str, dict[str, Block]]:
    """The cells of each key that hold any gold, prediction or document.

    Raises:
        InputError: there is no such key.
    """
    known = counts.identifiers
    exact, covered = exact_hits(alignment), alignment.covered
    outcome = exact + 2 * (covered > 0) + 4 * (covered == alignment.size)
    result = {}
    for key in keys:
        if key not in STRATA:
            raise InputError(unknown("stratum", key, STRATA))
        stratum = STRATA[key](alignment, known)
        result[key] = _Cut(alignment, counts, outcome, stratum).blocks()
    return result


class _Cut:
    """A stratum with its counts, one entry a cell."""

    def __init__(
        self, alignment: Alignment, counts: Counts, outcome: Ints, stratum: Stratum
    ) -> None:
        self.stratum, self.size, self.z = stratum, len(stratum.names), alignment.options.z
        self.alignment, self.counts = alignment, counts
        group = stratum.gold
        inside = group != ABSENT
        self.inside, self.group = inside, group[inside]
        outcomes = total(8 * self.group + outcome[inside], 8 * self.size).reshape(-1, 8)
        self.n = outcomes.sum(axis=1)
        self.exact = outcomes[:, 1::2].sum(axis=1)
        self.overlap = outcomes[:, [2, 3, 6, 7]].sum(axis=1)
        self.contained = outcomes[:, 4:].sum(axis=1)
        self.characters = self._spans(alignment.size)
        self.covered = self._spans(alignment.covered)
        self.documents = _documents(self.group, alignment.spans.document[inside], self.size)
        self.predicted: Ints | None = None
        if stratum.found is not None:
            self.predicted = total(stratum.found[stratum.found != ABSENT], self.size)
        self.sums: Ints | None = None
        if stratum.documents is not None:
            self.sums = counts.grouped(stratum.documents[counts.documents], self.size)
        else:
            self._count_identifiers(counts.identifiers)

    def _spans(self, weights: Ints | Flags) -> Ints:
        return total(self.group, self.size, weights[self.inside])

    def _count_identifiers(self, known: Identifiers) -> None:
        """Count an identifier in every cell in which it is mentioned; covered means everywhere."""
        owner = known.of_span[self.inside]
        cell, member = _pairs(self.group, owner, self.size, len(known))
        self.identifiers: dict[str, tuple[Ints, Ints]] = {}
        for name in ("all", "multi"):
            chosen = in_set(known, name)[member]
            covered = chosen & known.covered[member]
            self.identifiers[name] = (
                total(cell, self.size, covered),
                total(cell, self.size, chosen),
            )

    def blocks(self) -> dict[str, Block]:
        names = self.stratum.names
        return {names[cell]: self._block(cell) for cell in range(self.size) if self._used(cell)}

    def _used(self, cell: int) -> bool:
        columns = [self.n]
        if self.predicted is not None:
            columns.append(self.predicted)
        if self.sums is not None:
            columns.append(self.sums[:, self.counts.names.index("documents")])
        return any(column[cell] for column in columns)

    def _block(self, cell: int) -> Block:
        n = int(self.n[cell])
        block: Block = {
            "documents": int(self.documents[cell]),
            "thin": bool(self.documents[cell] < THIN),
            "recall": self._share(self.exact, self.n, cell),
            "overlap": self._share(self.overlap, self.n, cell),
            "containment": self._share(self.contained, self.n, cell),
        }
        if self.predicted is not None:
            tp, predicted = int(self.exact[cell]), int(self.predicted[cell])
            block["exact_typed"] = with_ratios({"tp": tp, "predicted": predicted, "gold": n})
        return block | (self._whole(cell) if self.sums is not None else self._parts(cell))

    def _whole(self, cell: int) -> Block:
        """What a cell made of whole documents can say."""
        assert self.sums is not None  # noqa: S101 (the caller asks only then)
        own = dict(zip(self.counts.names, self.sums[cell].tolist(), strict=True))
        parts = ("tp", "predicted", "gold")
        return {
            "characters": with_ratios({name: own[f"characters_{name}"] for name in parts}),
            "leaks": leaks(own),
            "identifiers": identifier_block(own),
            "negatives": negatives(own),
            "decoys": with_ratios({"hit": own["decoys_hit"], "total": own["decoys"]}),
        }

    def _parts(self, cell: int) -> Block:
        """What a cell made of parts of documents can say."""
        identifiers = {
            name: with_ratios({"covered": int(covered[cell]), "total": int(totals[cell])})
            for name, (covered, totals) in self.identifiers.items()
        }
        characters = self._share(self.covered, self.characters, cell)
        return {"characters": characters, "identifiers": identifiers}

    def _share(self, part: Ints, whole: Ints, cell: int) -> Block:
        return with_ratios({"k": int(part[cell]), "n": int(whole[cell])}, self.z)


def _documents(group: Ints, document: Ints, size: int) -> Ints:
    """How many distinct documents each cell's gold comes from."""
    cell, _ = _pairs(group, document, size, int(document.max(initial=0)) + 1)
    return total(cell, size)


def _pairs(group: Ints, member: Ints, size: int, width: int) -> tuple[Ints, Ints]:
    """The distinct pairs of cell and member."""
    if size * width > _FEW:
        keys = unique(group * width + member)
        return keys // width, keys % width
    seen = np.zeros((size, width), dtype=np.bool_)
    seen[group, member] = True
    cell, found = seen.nonzero()
    return cell, found


def decoys(alignment: Alignment) -> dict[str, Block]:
    """Decoys hit, by kind."""
    column, hits = alignment.gold.decoys.names["kind"], decoy_hits(alignment)
    names = sorted(column.names)
    codes = column.recoded(names)
    chosen = alignment.selection.documents[alignment.gold.decoys.document] & (codes != ABSENT)
    totals = total(codes[chosen], len(names))
    hit = total(codes[chosen], len(names), hits[chosen])
    return {
        name: with_ratios({"hit": int(hit[code]), "total": int(totals[code])})
        for code, name in enumerate(names)
        if totals[code]
    }


def confusion(alignment: Alignment) -> dict[str, dict[str, int]]:
    """What each gold label was taken for; `missed`, and a row `spurious` of extra predictions."""
    labels = alignment.labels
    taken = np.where(alignment.mistaken_for != ABSENT, alignment.mistaken_for, alignment.label)
    taken = np.where(alignment.covered > 0, taken, len(labels))
    width = len(labels) + 1
    table = total(alignment.label * width + taken, len(labels) * width).reshape(-1, width)
    columns = [*labels, "missed"]
    result = {
        label: {columns[i]: n for i, n in enumerate(table[code].tolist()) if n}
        for code, label in enumerate(labels)
        if table[code].any()
    }
    extra = total(alignment.found.label[alignment.in_gold == 0], len(labels))
    result["spurious"] = {labels[i]: n for i, n in enumerate(extra.tolist()) if n}
    return result
