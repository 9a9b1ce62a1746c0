"""`tracegen plan`."""

from pathlib import Path
from typing import Annotated, Any

import typer


def plan(
    corpus: Annotated[
        Path | None, typer.Argument(help="A corpus whose cells are held against the number.")
    ] = None,
    half_width: Annotated[
        float, typer.Option(help="Recall is to be known to plus or minus this, at 95 %.")
    ] = 0.05,
    recall: Annotated[float, typer.Option(help="The recall expected.")] = 0.7,
    by: Annotated[
        str, typer.Option(help="What needs so many mentions: label, language, language_label, ...")
    ] = "language_label",
    design_effect: Annotated[
        float, typer.Option(help="Factor for mentions of one conversation being alike.")
    ] = 1.0,
    json: Annotated[Path | None, typer.Option(help="Write JSON; - is stdout.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite this file.")] = False,
) -> None:
    """Say how many mentions a wanted precision needs, and which cells of a corpus fall short.

    Only cells that fall short are listed, then of which language or label more is needed. Exits 1
    when there is one.

    Example: tracegen plan corpus/ --half-width 0.05 --recall 0.7 --by label
    """
    from rich.console import Console

    from tracegen.eval.planning import plan as run
    from tracegen.eval.report import encode
    from tracegen.outputs import check_outputs, write_atomically

    stdout = json is not None and str(json) == "-"
    check_outputs([None if stdout else json], [corpus], force=force)
    result = run(corpus, half_width=half_width, recall=recall, by=by, design_effect=design_effect)
    if json and not stdout:
        write_atomically(json, encode(result))
    if stdout:
        typer.echo(encode(result).decode(), nl=False)
    else:
        _show(result, Console())
    if result.get("short"):
        raise typer.Exit(1)


def _show(result: dict[str, Any], console: Any) -> None:
    from rich.table import Table

    from tracegen.eval.plain import plain

    console.print(
        f"[bold]{result['mentions']:,}[/] mentions a cell make a recall of {result['recall']:g} "
        f"known to ±{result['half_width']:g} (95 %)"
    )
    if "cells" not in result:
        return
    short, cells = result["short"], result["cells"]
    console.print(f"{len(cells) - len(short)} of {len(cells)} cells have that many")
    if not short:
        return
    what = result["by"].replace("_", " × ")
    console.print(f"These {len(short):,} fall short (each is a {what}; the others have enough):")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(what)
    for name in ("mentions", "missing", "more conversations like these"):
        table.add_column(name, justify="right")
    for name in short:
        cell = cells[name]
        more = cell["more_conversations"]
        shown = "–" if more is None else f"{more:,}"
        table.add_row(plain(name), f"{cell['mentions']:,}", f"{cell['missing']:,}", shown)
    console.print(table)
    for need in result["needs"]:
        console.print(plain(_advice(result["by"], need)))


def _advice(by: str, need: dict[str, Any]) -> str:
    """What to generate more of."""
    of = f"of {'language' if by == 'language_label' else by} {need['of']}" if need["of"] else ""
    parts = []
    if need["most_for"]:
        most = need["most_for"].rpartition("/")[2] if by == "language_label" else need["most_for"]
        reason = "" if most == need["of"] else f" ({most} needs most)"
        parts.append(f"{need['more_conversations']:,} more conversations{reason}")
    if need["absent"]:
        names = ", ".join(
            name.rpartition("/")[2] if by == "language_label" else name for name in need["absent"]
        )
        parts.append(f"templates with {names}: there is no mention to have more of")
    return f"more {of or 'needed'}: {'; '.join(parts)}"
