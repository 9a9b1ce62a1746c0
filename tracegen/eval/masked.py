"""Masked output: what a redactor let through, whatever its detector claimed."""

from tracegen.eval.alignment import Alignment
from tracegen.eval.columns import Ints
from tracegen.eval.metrics import Block


def alphanumeric_leaks(alignment: Alignment) -> Block:
    """Leaking spans and characters when only letters and digits count."""
    spans = characters = 0
    for row in leaking(alignment).tolist():
        left = sum(text.isalnum() for text in clear_text(alignment, row))
        spans += left > 0
        characters += left
    return {"spans": spans, "characters": characters, "gold": len(alignment.spans)}


def leaking(alignment: Alignment) -> Ints:
    """The rows of gold spans with a character in clear."""
    return (alignment.covered < alignment.size).nonzero()[0]


def clear_text(alignment: Alignment, row: int) -> str:
    """The characters of a gold span that no prediction masks."""
    import numpy as np

    spans = alignment.spans
    start, end = int(spans.start[row]), int(spans.end[row])
    places = np.arange(start, end)
    clear = (alignment.masked.measure(places, places + 1) == 0) & (
        alignment.neutral.measure(places, places + 1) == 0
    )
    text = alignment.gold.text(int(spans.document[row]), start, end)
    return "".join(c for c, is_clear in zip(text, clear.tolist(), strict=True) if is_clear)
