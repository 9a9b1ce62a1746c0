"""How many mentions a wanted precision needs, and which cells of a corpus fall short."""

from math import ceil, inf
from pathlib import Path

import numpy as np

from tracegen.errors import InputError, unknown
from tracegen.eval.columns import ABSENT, Ints, total
from tracegen.eval.gold import FIELDS, Gold
from tracegen.eval.metrics import Block
from tracegen.eval.scoring import read_gold
from tracegen.eval.statistics import sample_size
from tracegen.model import LABELS

MOST = 10**12
"""More mentions than any corpus will have; the rest of the plan is still counted exactly."""

KEYS = ("language_label", "label", "language", "kind", "carrier", "form", "slice", "template_id")


def plan(
    corpus: Path | Gold | None = None,
    *,
    half_width: float = 0.05,
    recall: float = 0.7,
    by: str = "language_label",
    design_effect: float = 1.0,
) -> Block:
    """How many mentions make a recall known to plus or minus a half-width, at 95 %.

    Args:
        corpus: gold whose cells are held against that number.
        half_width: the wanted half-width of the interval.
        recall: the recall expected; 0.5 is the most demanding.
        by: the cells that each need so many mentions.
        design_effect: how many times more, because mentions of one conversation are alike.

    Raises:
        InputError: a number out of range, or an unknown stratum.
    """
    if not 0 < half_width < 1 or not 0 < recall < 1 or not 1 <= design_effect < inf:
        raise InputError(
            "plan needs 0 < half-width < 1, 0 < recall < 1 and a design effect of 1 or more"
        )
    if by not in KEYS:
        raise InputError(unknown("stratum", by, KEYS))
    needed = _needed(recall, half_width, design_effect)
    result: Block = {"half_width": half_width, "recall": recall, "mentions": needed}
    if corpus is None:
        return result
    gold = corpus if isinstance(corpus, Gold) else read_gold(corpus)
    cells = _cells(gold, by, needed)
    short = [name for name, cell in cells.items() if cell["missing"]]
    result |= {"by": by, "conversations": len(gold), "cells": cells, "short": short}
    return result | {"needs": needs(result)}


def _needed(recall: float, half_width: float, design_effect: float) -> int:
    try:
        needed = sample_size(recall, half_width) * design_effect
    except (OverflowError, ZeroDivisionError):  # the square of the half-width is no number
        needed = inf
    if needed > MOST:
        raise InputError(
            f"--half-width {half_width:g} with --design-effect {design_effect:g} needs more than "
            f"{MOST:,} mentions; choose a larger half-width or a smaller design effect"
        )
    return ceil(needed)


def needs(result: Block) -> list[Block]:
    """What would fill the cells that fall short: per language, or of the whole corpus.

    One entry a group: `of` names it (None for the whole corpus), `more_conversations` like those
    there fill every cell of it that has any mention, `most_for` is the cell that needs most, and
    `absent` are the cells without a mention, which more of the same would never fill.
    """
    groups: dict[str | None, list[str]] = {}
    for name in result["short"]:
        groups.setdefault(_group(result["by"], name), []).append(name)
    found = []
    for group, names in groups.items():
        more = {name: result["cells"][name]["more_conversations"] for name in names}
        some = {name: value for name, value in more.items() if value is not None}
        worst = max(some, key=some.__getitem__) if some else None
        found.append(
            {
                "of": group,
                "more_conversations": some[worst] if worst else 0,
                "most_for": worst,
                "absent": [name for name in names if more[name] is None],
            }
        )
    return found


def _group(by: str, name: str) -> str | None:
    """The part of the corpus that a cell is filled from: a language, slice or template, or all."""
    if by == "language_label":
        return name.split("/", 1)[0]
    return name if by in FIELDS else None


def _cells(gold: Gold, by: str, needed: int) -> dict[str, Block]:
    """Mentions of each cell, and the conversations that would bring it to the number needed."""
    names, cell, population = _cut(gold, by)
    inside = cell != ABSENT
    mentions = total(cell[inside], len(names))
    pairs = np.unique(cell[inside] * len(gold) + gold.spans.document[inside])
    documents = total(pairs // len(gold), len(names))
    result = {}
    for code, name in enumerate(names):
        have = int(mentions[code])
        missing = max(0, needed - have)
        more = ceil(missing * population[code] / have) if missing and have else None
        result[name] = {
            "mentions": have,
            "documents": int(documents[code]),
            "missing": missing,
            "more_conversations": more if missing else 0,
        }
    return result


def _cut(gold: Gold, by: str) -> tuple[list[str], Ints, list[int]]:
    """Cell names, the cell of each span, and how many conversations each cell is drawn from."""
    spans = gold.spans
    language = gold.fields["language"]
    if by == "language_label":
        languages = sorted(language.names)
        used = set(spans.names["label"].names)
        labels = [*(LABELS if used & set(LABELS) else ()), *sorted(used - set(LABELS))]
        code = language.recoded(languages)
        per_language = total(code[code != ABSENT], len(languages)).tolist()
        own = code[spans.document]
        cell = np.where(
            own == ABSENT, ABSENT, own * len(labels) + spans.names["label"].recoded(labels)
        )
        names = [f"{one}/{label}" for one in languages for label in labels]
        return names, cell, [size for size in per_language for _ in labels]
    if by in gold.fields:
        names = sorted(gold.fields[by].names)
        code = gold.fields[by].recoded(names)
        sizes = total(code[code != ABSENT], len(names)).tolist()
        return names, code[spans.document], sizes
    names = sorted(spans.names[by].names)
    return names, spans.names[by].recoded(names), [len(gold)] * len(names)
