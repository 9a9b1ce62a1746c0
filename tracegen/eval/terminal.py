"""A report in a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tracegen.eval.plain import plain
from tracegen.eval.report import Report
from tracegen.eval.summary import headline, notes, tables

_VERDICTS = {"pass": "green", "fail": "bold red", "not measurable": "yellow"}


def show(report: Report, keys: Sequence[str], console: Console) -> None:
    """Print headline, the cells of some strata, notes and gates."""
    corpus = report["corpus"]
    console.print(
        f"[bold]{corpus['documents']:,}[/] conversations, [bold]{corpus['spans']:,}[/] mentions, "
        f"[bold]{report['predictions']['spans']:,}[/] predictions"
    )
    console.print(_headline(report))
    for table in tables(report, keys):
        console.print(_grid(table.head, table.rows))
    cells = [cell for key in keys for cell in report["by"][key].values()]
    if any(one["thin"] for one in (*cells, *report["intervals"].values())):
        console.print("* from fewer than 10 conversations", style="dim")
    for line in notes(report):
        console.print(plain(f"note: {line}", "yellow"))
    if report["gates"]:
        console.print(_gates(report))


def _headline(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("metric")
    table.add_column("value", justify="right", style="bold")
    table.add_column("95 %", justify="right")
    table.add_column("counts", justify="right", style="dim")
    for line in headline(report):
        table.add_row(line.name, line.value, line.interval, line.counts)
    return table


def _grid(head: Sequence[str], rows: list[list[str]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for index, name in enumerate(head):
        table.add_column(name, justify="right" if index else "left", no_wrap=index > 0)
    for row in rows:
        table.add_row(*map(plain, row))
    return table


def _gates(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("gate")
    for name in ("limit", "value", "verdict"):
        table.add_column(name, justify="right")
    for gate in report["gates"]:
        value = "–" if gate["value"] is None else f"{gate['value']:g}"
        style = _VERDICTS[gate["verdict"]]
        table.add_row(
            plain(gate["name"]), f"{gate['limit']:g}", value, f"[{style}]{gate['verdict']}[/]"
        )
    return table
