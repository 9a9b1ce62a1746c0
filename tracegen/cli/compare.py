"""`tracegen compare`."""

from pathlib import Path
from typing import Annotated

import typer

from tracegen.cli.options import Ignore, Only, map_files


def compare(
    corpus: Annotated[Path, typer.Argument(help="Corpus folder, or a Parquet or JSONL file.")],
    predictions: Annotated[
        list[Path], typer.Argument(help="Two files of predictions or more; the first is the rival.")
    ],
    labels: Annotated[
        list[str] | None,
        typer.Option(help="Label map: one for all files, or one each."),
    ] = None,
    offset_unit: Annotated[
        str, typer.Option(help="What the offsets count: codepoint, utf16 or utf8.")
    ] = "codepoint",
    only: Only = None,
    ignore: Ignore = None,
    by: Annotated[
        list[str] | None, typer.Option(help="Compare in every cell of this stratum; repeatable.")
    ] = None,
    on: Annotated[
        str, typer.Option(help="Count a mention in a slice when exact, or when contained.")
    ] = "exact",
    rounds: Annotated[int, typer.Option(min=1, help="Swaps of the permutation test.")] = 10_000,
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples.")] = 2_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of both.")] = 0,
    json: Annotated[Path | None, typer.Option(help="Write JSON; - is stdout.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite these files.")] = False,
) -> None:
    """Compare detectors on the same gold: differences, intervals, paired tests, slices.

    Each further file is held against the first. p values come from a paired permutation over
    conversations; those of slices are corrected by Holm's method. Without --labels each file is
    read with the map its run record names (FILE.run.json), else with `tracegen`.

    Example: tracegen compare corpus/ old.jsonl new.jsonl --labels presidio --labels gliner-pii
    """
    from rich.console import Console

    from tracegen.eval.comparing import SLICES, Procedure
    from tracegen.eval.comparing import compare as run
    from tracegen.eval.difference_view import markdown as as_markdown
    from tracegen.eval.difference_view import show
    from tracegen.eval.options import Options
    from tracegen.eval.report import encode
    from tracegen.outputs import check_outputs, write_atomically

    stdout = json is not None and str(json) == "-"
    outputs = [None if stdout else json, markdown]
    check_outputs(outputs, [corpus, *predictions, *map_files(labels or ())], force=force)
    comparison = run(
        corpus,
        predictions,
        labels=labels or (),
        offset_unit=offset_unit,
        options=Options(only=tuple(only or ()), ignore=tuple(ignore or ())),
        procedure=Procedure(tuple(by or SLICES), on, rounds, resamples, seed),
    )
    for system in comparison["systems"]:
        if system["warning"]:
            typer.echo(f"warning: {system['warning']}", err=True)
    if json and not stdout:
        write_atomically(json, encode(comparison))
    if markdown:
        write_atomically(markdown, as_markdown(comparison, every=bool(by)).encode())
    if stdout:
        typer.echo(encode(comparison).decode(), nl=False)
    else:
        show(comparison, Console(), every=bool(by))
