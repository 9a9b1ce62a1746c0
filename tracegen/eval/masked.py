"""Masked output: what a redactor let through, whatever its detector claimed."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from tracegen.errors import InputError
from tracegen.eval.aligning import survivors
from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import Flags, Ints
from tracegen.eval.counting import high_severity
from tracegen.eval.gold import Gold
from tracegen.eval.metrics import Block, with_ratios
from tracegen.eval.rows import Turn

RESIDUE = 4
"""So many letters and digits of a value in a row are a residue."""

_RUN = re.compile(rf"[^\W_]{{{RESIDUE},}}")


class Masked(msgspec.Struct):
    """A redacted conversation: the same id and turns as the original."""

    id: str
    turns: list[Turn]


def read_masked(path: Path, gold: Gold) -> list[str]:
    """The redacted messages, in the order of the gold's messages.

    Raises:
        InputError: a conversation or turn is missing, unknown or given twice.
    """
    messages: list[str | None] = [None] * len(gold.message_document)
    for number, record in _records(path):
        row = gold.index.get(record.id)
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
            messages[place : place + 2] = [turn.user or "", turn.assistant or ""]
    if None in messages:
        missing = gold.ids[int(gold.message_document[messages.index(None)])]
        problem = f"conversation {missing!r} lacks a turn; every turn of the gold is needed"
        raise InputError(problem, file=path)
    return [text or "" for text in messages]


def _records(path: Path) -> Iterator[tuple[int, Masked]]:
    decoder = msgspec.json.Decoder(Masked)
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    yield number, decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    problem = f"is not a redacted conversation ({error}); needed: id, turns"
                    raise InputError(problem, file=path, where=number) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def masked_output(alignment: Alignment, outputs: list[str]) -> Block:
    """What of the gold came through."""
    gold, spans = alignment.gold, alignment.spans
    texts = gold.texts or []
    severe = high_severity(alignment)
    kept: dict[int, bytearray] = {}
    characters = np.zeros(len(spans), dtype=np.int64)
    readable = np.zeros(len(spans), dtype=np.bool_)
    for row, number in enumerate(spans.message.tolist()):
        if number not in kept:
            kept[number] = survivors(texts[number], outputs[number])
        base = int(gold.message_start[number])
        start, end = int(spans.start[row]) - base, int(spans.end[row]) - base
        left = [
            c
            for c, flag in zip(texts[number][start:end], kept[number][start:end], strict=True)
            if flag
        ]
        characters[row] = len(left)
        readable[row] = any(c.isalnum() for c in left)
    residue = _residues(alignment, outputs)
    high = {
        "spans": int((readable & severe).sum()),
        "gold": int(severe.sum()),
        "documents": len(np.unique(spans.document[readable & severe])),
        "documents_with_gold": len(np.unique(spans.document[severe])),
    }
    whole = {
        "characters": int(characters.sum()),
        "spans": int(readable.sum()),
        "gold": len(spans),
        "documents": len(np.unique(spans.document[readable])),
        "documents_with_gold": len(np.unique(spans.document)),
        "high_severity": with_ratios(high),
        "residues": {"spans": int(residue.sum()), "length": RESIDUE},
    }
    return with_ratios(whole)


def _residues(alignment: Alignment, outputs: list[str]) -> Flags:
    """Gold spans of whose value a run of letters and digits is in the output.

    A run counts only where the output has it more often than the text around the gold, so that
    neither a cited value nor an ordinary word is taken for what is left of a value.
    """
    gold, spans = alignment.gold, alignment.spans
    result = np.zeros(len(spans), dtype=np.bool_)
    order = np.argsort(spans.document, kind="stable")
    documents, first = np.unique(spans.document[order], return_index=True)
    for document, rows in zip(documents.tolist(), np.split(order, first[1:]), strict=True):
        low = 2 * int(gold.first_turn[document])
        output = "\n".join(outputs[low : low + 2 * int(gold.turn_counts[document])])
        around, values = _taken_apart(alignment, document, rows)
        times: dict[str, bool] = {}
        for row, value in zip(rows.tolist(), values, strict=True):
            for run in _RUN.findall(value):
                for at in range(len(run) - RESIDUE + 1):
                    window = run[at : at + RESIDUE]
                    if window not in times:
                        times[window] = output.count(window) > around.count(window)
                    result[row] |= times[window]
    return result


def _taken_apart(alignment: Alignment, document: int, rows: Ints) -> tuple[str, list[str]]:
    """A document's text without its gold, and the gold values."""
    text = alignment.gold.document_text(document)
    base = int(alignment.gold.document_start[document])
    ranges = [
        (int(alignment.spans.start[row]) - base, int(alignment.spans.end[row]) - base)
        for row in rows.tolist()
    ]
    pieces, last = [], 0
    for start, end in sorted(ranges):
        pieces.append(text[last:start])
        last = max(last, end)
    return "\x00".join([*pieces, text[last:]]), [text[start:end] for start, end in ranges]


def alphanumeric_leaks(alignment: Alignment) -> Block:
    """Leaking spans and characters when only letters and digits count."""
    spans = characters = 0
    for row in (alignment.covered < alignment.size).nonzero()[0].tolist():
        left = sum(character.isalnum() for character in clear_text(alignment, row))
        spans += left > 0
        characters += left
    return {"spans": spans, "characters": characters, "gold": len(alignment.spans)}


def clear_text(alignment: Alignment, row: int) -> str:
    """The characters of a gold span that no prediction masks."""
    spans = alignment.spans
    start, end = int(spans.start[row]), int(spans.end[row])
    places = np.arange(start, end)
    clear = (alignment.masked.measure(places, places + 1) == 0) & (
        alignment.neutral.measure(places, places + 1) == 0
    )
    text = alignment.gold.text(int(spans.document[row]), start, end)
    return "".join(c for c, is_clear in zip(text, clear.tolist(), strict=True) if is_clear)
