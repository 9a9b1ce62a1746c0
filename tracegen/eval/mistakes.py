"""Every mistake of a detector with its text: the one part of the scorer that shows any."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.alignment import FATES, Alignment
from tracegen.eval.columns import ABSENT, Names
from tracegen.eval.intervals import cover

KINDS = ("leak", "miss", "shift", "wrong_type", "extra", "decoy")
"""`leak` is any mention with a character in clear; `decoy` an extra prediction on a decoy."""

_AROUND = 70


class Piece(NamedTuple):
    """A stretch of text: whether gold marks it and whether a prediction masks it."""

    text: str
    gold: bool
    masked: bool


class Mistake(NamedTuple):
    """One mention that was not found just so, or one prediction of nothing."""

    kind: str
    leak: bool
    label: str
    taken_for: str | None
    """The label of the prediction that touches it most; None for a miss."""
    id: str
    turn: int
    source: str
    start: int
    end: int
    language: str | None
    slice: str | None
    template: str | None
    pieces: tuple[Piece, ...]

    @property
    def marked(self) -> str:
        """The text around with the range written as `[text](label)`, for where no colour shows."""
        text = "".join(piece.text for piece in self.pieces)
        start = min(self.start, _AROUND)
        end = start + self.end - self.start
        return f"{text[:start]}[{text[start:end]}]({self.label}){text[end:]}"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which mistakes are wanted; an empty filter lets everything through."""

    kinds: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def check(self, alignment: Alignment) -> None:
        """Refuse names that nothing can have.

        Raises:
            InputError: names the first.
        """
        fields = alignment.gold.fields
        known = {
            "error": (self.kinds, KINDS),
            "label": (self.labels, alignment.labels),
            "language": (self.languages, fields["language"].names),
            "slice": (self.slices, fields["slice"].names),
            "conversation": (self.ids, alignment.gold.ids),
        }
        for what, (wanted, names) in known.items():
            for name in wanted:
                if name not in names:
                    raise InputError(unknown(what, name, names))

    def admit(self, mistake: Mistake) -> bool:
        """Whether a mistake is wanted."""
        kinds = {mistake.kind, "leak"} if mistake.leak else {mistake.kind}
        return (
            (not self.kinds or bool(kinds & set(self.kinds)))
            and (not self.labels or mistake.label in self.labels)
            and (not self.languages or mistake.language in self.languages)
            and (not self.slices or mistake.slice in self.slices)
            and (not self.ids or mistake.id in self.ids)
        )


def mistakes_of(alignment: Alignment, filters: Filters | None = None) -> Iterator[Mistake]:
    """The mistakes of a run in the order of the corpus; the gold must have been read with texts.

    Raises:
        InputError: a filter names something that does not exist.
    """
    filters = filters or Filters()
    filters.check(alignment)
    finder = _Finder(alignment)
    rows = [(start, row, True) for row, start in enumerate(alignment.spans.start.tolist())]
    rows += [(start, row, False) for row, start in enumerate(alignment.found.start.tolist())]
    for _, row, is_gold in sorted(rows):
        mistake = finder.of_gold(row) if is_gold else finder.of_prediction(row)
        if mistake is not None and filters.admit(mistake):
            yield mistake


def spread(found: Iterable[Mistake], limit: int) -> tuple[list[Mistake], int]:
    """At most so many mistakes from as many conversations as can be, and how many there are.

    One of every conversation comes before a second one of any; what is chosen keeps its order.
    """
    seen: Counter[str] = Counter()
    rounds: dict[int, list[tuple[int, Mistake]]] = defaultdict(list)
    size = 0
    for place, mistake in enumerate(found):
        size = place + 1
        turn = seen[mistake.id]
        seen[mistake.id] += 1
        if turn < limit and len(rounds[turn]) < limit:
            rounds[turn].append((place, mistake))
    chosen = [pair for turn in sorted(rounds) for pair in rounds[turn]][:limit]
    return [mistake for _, mistake in sorted(chosen, key=lambda pair: pair[0])], size


class _Finder:
    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        masking = alignment.masking
        order = np.argsort(masking.start, kind="stable")
        self.order, self.starts = order, masking.start[order]
        self.reach = np.maximum.accumulate(masking.end[order])
        decoys = alignment.gold.decoys
        on_decoy = cover(decoys.start, decoys.end)
        self.on_decoy = on_decoy.measure(alignment.found.start, alignment.found.end) > 0

    def of_gold(self, row: int) -> Mistake | None:
        alignment = self.alignment
        fate = FATES[int(alignment.fate[row])]
        leak = bool(alignment.covered[row] < alignment.size[row])
        if fate == "exact" and not leak:
            return None
        label = alignment.labels[int(alignment.label[row])]
        start, end = int(alignment.spans.start[row]), int(alignment.spans.end[row])
        document = int(alignment.spans.document[row])
        return self._mistake(fate, leak, label, self._taken_for(start, end), document, start, end)

    def of_prediction(self, row: int) -> Mistake | None:
        alignment, found = self.alignment, self.alignment.found
        if alignment.in_gold[row]:
            return None
        start, end = int(found.start[row]), int(found.end[row])
        label = alignment.labels[int(found.label[row])]
        kind = "decoy" if self.on_decoy[row] else "extra"
        return self._mistake(kind, False, label, label, int(found.document[row]), start, end)

    def _taken_for(self, start: int, end: int) -> str | None:
        """The label of the prediction that shares most characters with a range."""
        found = self.alignment.masking
        first = int(np.searchsorted(self.reach, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        best, label = 0, None
        for row in self.order[first:last].tolist():
            shared = min(end, int(found.end[row])) - max(start, int(found.start[row]))
            if shared > best:
                best, label = shared, self.alignment.labels[int(found.label[row])]
        return label

    def _mistake(
        self,
        kind: str,
        leak: bool,
        label: str,
        taken_for: str | None,
        document: int,
        start: int,
        end: int,
    ) -> Mistake:
        gold = self.alignment.gold
        message = int(gold.messages_at(np.array([start]))[0])
        base = int(gold.message_start[message])
        return Mistake(
            kind=kind,
            leak=leak,
            label=label,
            taken_for=taken_for,
            id=gold.ids[document],
            turn=int(gold.turns[message // 2]),
            source=("user", "assistant")[message % 2],
            start=start - base,
            end=end - base,
            language=_name(gold.fields["language"], document),
            slice=_name(gold.fields["slice"], document),
            template=_name(gold.fields["template_id"], document),
            pieces=self._pieces(message, base, start, end),
        )

    def _pieces(self, message: int, base: int, start: int, end: int) -> tuple[Piece, ...]:
        """The range and what stands around it, cut where gold or masks begin or end."""
        alignment = self.alignment
        text = (alignment.gold.texts or [])[message]
        low = max(base, start - _AROUND)
        high = min(base + len(text), end + _AROUND)
        places = np.arange(low, high)
        gold = alignment.annotated.measure(places, places + 1) > 0
        masked = alignment.masked.measure(places, places + 1) > 0
        cuts = np.flatnonzero((gold[1:] != gold[:-1]) | (masked[1:] != masked[:-1])) + 1
        edges = [0, *cuts.tolist(), len(places)]
        return tuple(
            Piece(text[low - base + a : low - base + b], bool(gold[a]), bool(masked[a]))
            for a, b in pairwise(edges)
        )


def _name(column: Names, row: int) -> str | None:
    return None if int(column.codes[row]) == ABSENT else column.name(row)


def counts(found: Sequence[Mistake]) -> dict[str, int]:
    """How many mistakes of each kind."""
    result = dict.fromkeys(KINDS, 0)
    for one in found:
        if one.kind in result:
            result[one.kind] += 1
        result["leak"] += one.leak
    return result
