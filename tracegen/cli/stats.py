"""`tracegen stats`."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from tracegen.corpus import CorpusStatistics, measure_corpus, read
from tracegen.corpus.card import number
from tracegen.corpus.statistics import (
    LARGEST_BUCKET,
    MENTION_BUCKETS,
    as_json,
    beside_published,
    ratio,
)
from tracegen.eval.plain import plain
from tracegen.model import LABELS
from tracegen.outputs import check_apart, write_atomically

_WIDE_GAP = 0.03
"""Difference of shares from which a gap to the published figure is marked."""


def stats(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, .parquet or .jsonl file.")],
    json: Annotated[Path | None, typer.Option(help="Write the counts here as well.")] = None,
) -> None:
    """Describe a corpus beside the published figures of PII-TRACE.

    Example: tracegen stats out/demo
    """
    check_apart([json], [corpus])
    statistics = measure_corpus(read(corpus))
    console = Console(highlight=False)
    console.print(_published(statistics))
    console.print(_languages(statistics))
    console.print(_labels(statistics))
    _closing(statistics, console)
    if json is not None:
        content = msgspec.json.encode(as_json(statistics))
        write_atomically(json, msgspec.json.format(content, indent=1) + b"\n")


def _published(statistics: CorpusStatistics) -> Table:
    table = Table("", "here", "PII-TRACE", "gap", title="Beside the published figures")
    for column in table.columns[1:]:
        column.justify = "right"
    for what, ours, paper in beside_published(statistics.total):
        gap = ""
        if ours is not None and paper:
            relative = "(count)" in what
            difference = ours / paper - 1 if relative else ours - paper
            mark = "  !" if abs(difference) >= _WIDE_GAP else ""
            gap = f"{100 * difference:+.1f} {'% ' if relative else 'pp'}{mark}"
        table.add_row(what, number(what, ours), number(what, paper), gap)
    return table


def _languages(statistics: CorpusStatistics) -> Table:
    names = ("", "rows", "PII", "mentions", "entities", "templates", "characters", "longest")
    table = Table(*names, title="Languages")
    for column in table.columns[1:]:
        column.justify = "right"
    for language, one in sorted(statistics.languages.items()):
        share = number("", ratio(one.with_pii, one.conversations))
        counts = (one.mentions, one.identifiers, len(one.templates), one.characters, one.longest)
        table.add_row(plain(language), f"{one.conversations:,}", share, *(f"{n:,}" for n in counts))
    return table


def _labels(statistics: CorpusStatistics) -> Table:
    table = Table("label", "mentions", "share", title="Labels")
    for column in table.columns[1:]:
        column.justify = "right"
    total = statistics.total
    for label in LABELS:
        share = number("", ratio(total.labels[label], total.mentions))
        table.add_row(label, f"{total.labels[label]:,}", share)
    return table


def _closing(statistics: CorpusStatistics, console: Console) -> None:
    total = statistics.total
    buckets = (*(name for name, _ in MENTION_BUCKETS), LARGEST_BUCKET)
    spread = ", ".join(f"{name}: {total.buckets[name]:,}" for name in buckets)
    console.print(f"identifiers by mentions  {spread}", soft_wrap=True)
    carriers = ", ".join(f"{name} {count:,}" for name, count in total.carriers.most_common())
    console.print(plain(f"carriers  {carriers or 'none'}"), soft_wrap=True)
    decoys = ", ".join(f"{name} {count:,}" for name, count in total.decoys.most_common())
    console.print(plain(f"decoys  {decoys or 'none'}"), soft_wrap=True)
    if total.without_ids:
        console.print(
            f"{total.without_ids:,} mentions have no entity id; identifiers are derived from "
            "label and text",
            soft_wrap=True,
        )
