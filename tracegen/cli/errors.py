"""`tracegen errors`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tracegen.cli.options import map_files


def errors(
    corpus: Annotated[Path, typer.Argument(help="Corpus folder, or a Parquet or JSONL file.")],
    predictions: Annotated[Path, typer.Argument(help="JSONL or Parquet of predictions.")],
    labels: Annotated[
        str | None, typer.Option(help="Label map: a name or a YAML file; else the run record's.")
    ] = None,
    offset_unit: Annotated[
        str, typer.Option(help="What the offsets count: codepoint, utf16 or utf8.")
    ] = "codepoint",
    error: Annotated[
        list[str] | None,
        typer.Option(help="leak, miss, shift, wrong_type, extra or decoy; repeatable."),
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help="Only this label; repeatable.")] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Only this language; repeatable.")
    ] = None,
    slice_: Annotated[
        list[str] | None, typer.Option("--slice", help="Only this slice; repeatable.")
    ] = None,
    conversation: Annotated[
        list[str] | None, typer.Option("--id", help="Only this conversation; repeatable.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="At most so many, over many conversations; 20 in the terminal."),
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page to browse instead.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite this file.")] = False,
) -> None:
    """Browse a detector's errors with their text: the only report that shows any.

    Underlined: gold; red where it leaks, green where it is masked, yellow: masked for nothing.
    Without colours, as in a pipe, the value is written [value](label). --limit takes one error of
    each conversation before a second one of any. In the page, j and k move, / searches.

    Example: tracegen errors corpus/ found.jsonl --error leak --label secret --html errors.html
    """
    from rich.console import Console

    from tracegen.eval.html.browser import browser
    from tracegen.eval.mistakes import Filters, mistakes_of, spread
    from tracegen.eval.provenance import unmapped_warning
    from tracegen.eval.report import readable
    from tracegen.eval.scoring import read_gold, score
    from tracegen.outputs import check_outputs, write_atomically

    check_outputs([html], [corpus, predictions, *map_files([labels])], force=force)
    gold = read_gold(corpus, texts=True)
    scored = score(gold, predictions, labels=labels, offset_unit=offset_unit)
    wanted = (error, label, language, slice_, conversation)
    filters = Filters(*(tuple(names or ()) for names in wanted))
    found = mistakes_of(scored.alignment, filters)
    warning = unmapped_warning(scored.report, predictions)
    if warning:
        typer.echo(f"warning: {warning}", err=True)
    if html:
        chosen = list(found) if limit is None else spread(found, limit)[0]
        page = browser(chosen, f"Errors of {readable(predictions.name)}")
        write_atomically(html, page.encode())
        typer.echo(f"{len(chosen):,} errors in {html}", err=True)
        return
    console = Console()
    plain = console.color_system is None or console.no_color
    chosen, size = spread(found, limit or 20)
    for mistake in chosen:
        console.print(_shown(mistake, plain), soft_wrap=True)
    rest = size - len(chosen)
    if not size:
        typer.echo("0 errors", err=True)
    if rest:
        typer.echo(f"{rest:,} more: narrow the filters, or say --limit or --html", err=True)


def _shown(mistake: Any, plain: bool) -> Any:
    from rich.text import Text

    from tracegen.eval.plain import visible

    taken = f" → {mistake.taken_for}" if mistake.taken_for not in (None, mistake.label) else ""
    text = Text(f"{mistake.kind}{' (leaks)' if mistake.leak else ''} ", style="bold red")
    text.append(visible(f"{mistake.label}{taken}  "), style="bold")
    text.append(visible(mistake.id), style="dim")
    text.append(f" turn {mistake.turn} {mistake.source} ", style="dim")
    text.append(f"{mistake.start}-{mistake.end}\n", style="dim")
    if plain:
        return text.append(visible(mistake.marked) + "\n")
    for piece in mistake.pieces:
        style = "underline" if piece.gold else ""
        if piece.gold and not piece.masked:
            style += " red"
        elif piece.masked:
            style += " green" if piece.gold else " yellow"
        text.append(visible(piece.text), style=style.strip() or None)
    return text.append("\n")
