"""Masked output: what a redactor let through, whatever its detector claimed."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import regex

from tracegen.datafiles import NEEDED, decoded, json_lines
from tracegen.errors import InputError
from tracegen.eval.aligning import survivors
from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import Flags, Ints
from tracegen.eval.counting import high_severity
from tracegen.eval.gold import SOURCES, Gold
from tracegen.eval.metrics import Block, with_ratios
from tracegen.eval.rows import Turn

RESIDUE = 4
"""So many letters and digits of a value in a row are a residue; marks count with their letters."""

_RESIDUE = regex.compile(rf"[\p{{L}}\p{{N}}][\p{{L}}\p{{M}}\p{{N}}]{{{RESIDUE - 1}}}")


class Masked(msgspec.Struct):
    """A redacted conversation: the same id and turns as the original."""

    id: str | int
    turns: list[Turn]


_KEYS = frozenset((*Masked.__struct_fields__, *Turn.__struct_fields__))
_WHAT = ("a redacted conversation", "id, turns")


def read_masked(path: Path, gold: Gold) -> list[str]:
    """The redacted messages, in the order of the gold's messages.

    Raises:
        InputError: a conversation, turn or message is missing, unknown or given twice.
    """
    messages: list[str | None] = [None] * len(gold.message_document)
    for number, record in _records(path):
        row = gold.index.get(str(record.id))
        if row is None:
            problem = f"conversation {record.id!r} is not in the gold"
            raise InputError(problem, file=path, where=number)
        first = int(gold.first_turn[row])
        turns = gold.turns[first : first + int(gold.turn_counts[row])].tolist()
        for turn in record.turns:
            if turn.turn not in turns:
                problem = f"conversation {record.id!r} has no turn {turn.turn}"
                raise InputError(problem, file=path, where=number)
            place = 2 * (first + turns.index(turn.turn))
            if messages[place] is not None:
                problem = f"turn {turn.turn} of {record.id!r} is given twice"
                raise InputError(problem, file=path, where=number)
            texts = [turn.user, turn.assistant]
            for side, text in enumerate(texts):
                if text is None and gold.message_length[place + side]:
                    problem = f"turn {turn.turn} of {record.id!r} lacks {SOURCES[side]}; {NEEDED}"
                    raise InputError(problem, file=path, where=number)
            messages[place : place + 2] = [text or "" for text in texts]
    if None in messages:
        missing = gold.ids[int(gold.message_document[messages.index(None)])]
        problem = f"conversation {missing!r} lacks a turn; every turn of the gold is needed"
        raise InputError(problem, file=path)
    return [text or "" for text in messages]


def _records(path: Path) -> Iterator[tuple[int, Masked]]:
    decoder = msgspec.json.Decoder(Masked)
    for number, line in json_lines(path):
        yield number, decoded(decoder.decode, line, _KEYS, _WHAT, file=path, where=number)


def masked_output(alignment: Alignment, outputs: list[str]) -> Block:
    """What of the gold came through."""
    gold, spans = alignment.gold, alignment.spans
    texts = gold.texts or []
    severe = high_severity(alignment)
    characters = 0
    readable = np.zeros(len(spans), dtype=np.bool_)
    for number, rows in _gathered(spans.message):
        flags = np.frombuffer(survivors(texts[number], outputs[number]), dtype=np.bool_)
        base = int(gold.message_start[number])
        left = np.flatnonzero(flags) + base
        left = left[alignment.annotated.measure(left, left + 1) > 0]
        characters += len(left)
        shown = [at for at in left.tolist() if texts[number][at - base].isalnum()]
        ends = np.searchsorted(shown, (spans.start[rows], spans.end[rows]))
        readable[rows] = ends[1] > ends[0]
    residue = _residues(alignment, outputs)
    high = {
        "spans": int((readable & severe).sum()),
        "gold": int(severe.sum()),
        "documents": len(np.unique(spans.document[readable & severe])),
        "documents_with_gold": len(np.unique(spans.document[severe])),
    }
    whole = {
        "characters": characters,
        "spans": int(readable.sum()),
        "gold": len(spans),
        "documents": len(np.unique(spans.document[readable])),
        "documents_with_gold": len(np.unique(spans.document)),
        "high_severity": with_ratios(high),
        "residues": {"spans": int(residue.sum()), "length": RESIDUE},
    }
    return with_ratios(whole)


def _gathered(owner: Ints) -> Iterator[tuple[int, Ints]]:
    """Each message or document that has gold, with the rows of that gold."""
    order = np.argsort(owner, kind="stable")
    names, first = np.unique(owner[order], return_index=True)
    for number, start, end in zip(names.tolist(), first, [*first[1:], len(owner)], strict=False):
        yield number, order[start:end]


def _residues(alignment: Alignment, outputs: list[str]) -> Flags:
    """Gold spans of whose value a run of letters and digits is in the output.

    A run counts only where the output has it more often than the text around the gold, so that
    neither a cited value nor an ordinary word is taken for what is left of a value.
    """
    gold, spans = alignment.gold, alignment.spans
    result = np.zeros(len(spans), dtype=np.bool_)
    for document, rows in _gathered(spans.document):
        low = 2 * int(gold.first_turn[document])
        output = "\n".join(outputs[low : low + 2 * int(gold.turn_counts[document])])
        around, values = _taken_apart(alignment, document, rows)
        times: dict[str, bool] = {}
        for row, value in zip(rows.tolist(), values, strict=True):
            for window in _RESIDUE.findall(value, overlapped=True):
                if window not in times:
                    times[window] = output.count(window) > around.count(window)
                result[row] |= times[window]
    return result


def _taken_apart(alignment: Alignment, document: int, rows: Ints) -> tuple[str, list[str]]:
    """A document's text without its gold, and the gold values without what is neutral in them."""
    text = alignment.gold.document_text(document)
    base = int(alignment.gold.document_start[document])
    places = np.arange(base, base + len(text))
    neutral = alignment.neutral.measure(places, places + 1)
    scorable = "".join("\x00" if flag else c for c, flag in zip(text, neutral, strict=True))
    ranges = [
        (int(alignment.spans.start[row]) - base, int(alignment.spans.end[row]) - base)
        for row in rows.tolist()
    ]
    pieces, last = [], 0
    for start, end in sorted(ranges):
        pieces.append(text[last:start])
        last = max(last, end)
    return "\x00".join([*pieces, text[last:]]), [scorable[start:end] for start, end in ranges]


def alphanumeric_leaks(alignment: Alignment) -> Block:
    """Leaking spans and characters when only letters and digits count."""
    spans = 0
    leaked: set[int] = set()
    for row in (alignment.covered < alignment.size).nonzero()[0].tolist():
        start, end = int(alignment.spans.start[row]), int(alignment.spans.end[row])
        text = alignment.gold.text(int(alignment.spans.document[row]), start, end)
        places = np.arange(start, end)
        clear = (alignment.annotated.measure(places, places + 1) > 0) & (
            alignment.masked.measure(places, places + 1) == 0
        )
        shown = [at for at in places[clear].tolist() if text[at - start].isalnum()]
        spans += bool(shown)
        leaked.update(shown)
    return {"spans": spans, "characters": len(leaked), "gold": len(alignment.spans)}
