"""`tracegen agree`."""

from pathlib import Path
from typing import Annotated, Any

import typer

SPANS = "spans κ: over the ranges that either side marks, by label or none; F1 says more"
ONE_LABEL = "spans κ with a single label is never above 0 (see eval/README.md): read F1"


def agree(
    first: Annotated[Path, typer.Argument(help="One annotation: a corpus, Parquet or JSONL.")],
    second: Annotated[Path, typer.Argument(help="Another annotation of the same conversations.")],
    json: Annotated[Path | None, typer.Option(help="Write JSON; - is stdout.")] = None,
    disagreements: Annotated[
        Path | None, typer.Option(help="Write the spans to adjudicate as JSON lines, no text.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite these files.")] = False,
) -> None:
    """Measure the agreement of two annotations: Cohen's kappa for characters and spans.

    Example: tracegen agree anna.jsonl ben.jsonl --disagreements adjudicate.jsonl
    """
    from rich.console import Console

    from tracegen.eval.agreement import agree as run
    from tracegen.eval.report import encode
    from tracegen.outputs import check_outputs, write_atomically

    stdout = json is not None and str(json) == "-"
    outputs = [None if stdout else json, disagreements]
    check_outputs(outputs, [first, second], force=force)
    result = run(first, second)
    if json and not stdout:
        write_atomically(json, encode(result))
    if disagreements:
        import msgspec

        lines = [msgspec.json.encode(item) + b"\n" for item in result["disagreements"]]
        write_atomically(disagreements, b"".join(lines))
    if stdout:
        typer.echo(encode(result).decode(), nl=False)
    else:
        _show(result, Console())


def _show(result: dict[str, Any], console: Any) -> None:
    from rich.table import Table

    from tracegen.eval.plain import plain
    from tracegen.eval.summary import number

    characters, spans = result["characters"], result["spans"]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("label")
    for name in ("chars κ", "spans κ", "F1", "both", "first", "second"):
        table.add_column(name, justify="right")
    rows = {"all": (characters["kappa"], spans)} | {
        label: (characters["labels"][label]["kappa"], block)
        for label, block in spans["labels"].items()
    }
    for label, (kappa, block) in rows.items():
        counts = [f"{block[key]:,}" for key in ("both", "only_first", "only_second")]
        table.add_row(
            plain(label), number(kappa), number(block["kappa"]), number(block["f1"]), *counts
        )
    console.print(table)
    console.print(SPANS if len(spans["labels"]) > 1 else ONE_LABEL, style="dim")
    kinds: dict[str, int] = {}
    for item in result["disagreements"]:
        kinds[item["kind"]] = kinds.get(item["kind"], 0) + 1
    for kind, count in sorted(kinds.items()):
        console.print(f"{count:,} × {kind}", style="dim")
