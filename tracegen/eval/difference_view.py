"""A comparison in a terminal and as Markdown."""

from rich.console import Console
from rich.table import Table

from tracegen.eval.comparing import LOWER_IS_BETTER
from tracegen.eval.markdown import grid, inline
from tracegen.eval.metrics import Block
from tracegen.eval.plain import plain
from tracegen.eval.summary import NAMES, NONE, number

_WIDTH = 41


def show(comparison: Block, console: Console, most: int = 5, *, every: bool = False) -> None:
    """Print one table a pair, its plot of differences, and its slices.

    Args:
        comparison: what `compare` returned.
        console: where to print.
        most: how many of the best and of the worst slices.
        every: print all slices instead, a table a stratum.
    """
    first = comparison["systems"][0]["name"]
    for system in comparison["systems"]:
        console.print(plain(_read_with(system), "dim"))
    for system, pair in zip(comparison["systems"][1:], comparison["pairs"], strict=True):
        console.print(plain(system["name"], "bold") + " against " + plain(first, "bold"))
        console.print(_measures(pair, first, system["name"]))
        console.print(_plot(pair))
        console.print(plain(_mcnemar(pair, first, system["name"]), "dim"))
        for title, cells in slice_tables(comparison, pair, most, every=every):
            console.print(_slices(title, cells))


def _read_with(system: Block) -> str:
    """Which label map read a file's labels, and why that one."""
    chosen = system["label_map"]
    why = {"asked for": "", "run record": " (its run record says so)", "default": " (by default)"}
    return f"{system['name']}: labels read with {chosen['name']}{why[chosen['why']]}"


def slice_tables(
    comparison: Block, pair: Block, most: int, *, every: bool
) -> list[tuple[str, list[Block]]]:
    """The slices worth showing under a title each: those that changed most, or all."""
    if every:
        return [
            (
                key.replace("_", " × "),
                [c for c in pair["slices"] if c["slice"].startswith(f"{key}=")],
            )
            for key in comparison["method"]["by"]
        ]
    best, worst = extremes(pair, most)
    return [(title, cells) for title, cells in (("better in", best), ("worse in", worst)) if cells]


def extremes(pair: Block, most: int) -> tuple[list[Block], list[Block]]:
    """The slices that changed most for the better and for the worse, sure ones first."""
    changed = [cell for cell in pair["slices"] if cell["difference"]]
    ranked = sorted(changed, key=lambda cell: (cell["p_holm"], -abs(cell["difference"])))
    better = [cell for cell in ranked if cell["difference"] > 0]
    worse = [cell for cell in ranked if cell["difference"] < 0]
    return better[:most], worse[:most]


def bar(low: float, value: float, high: float, reach: float, width: int = _WIDTH) -> str:
    """An interval on a scale from -reach to reach, zero in the middle.

    Example:
        >>> bar(0.0, 0.5, 1.0, 1.0, 9)
        '    ├─●─┤'
    """

    def place(number_: float) -> int:
        return min(width - 1, max(0, round((number_ / reach + 1) / 2 * (width - 1))))

    cells = [" "] * width
    cells[width // 2] = "│"
    for index in range(place(low), place(high) + 1):
        cells[index] = "─"
    cells[place(low)], cells[place(high)] = "├", "┤"
    cells[place(value)] = "●"
    return "".join(cells)


def _reach(pair: Block) -> float:
    ends = [abs(m[end]) for m in pair["measures"].values() for end in ("low", "high") if m[end]]
    return float(max([*ends, 0.01]))


def _measures(pair: Block, first: str, second: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.padding = (0, 1, 0, 0)  # the names of the metrics are long, a terminal has 80 columns
    table.add_column("metric", no_wrap=True)
    for name in (first[-8:], second[-8:], "gap", "95 %", "p"):
        table.add_column(plain(name), justify="right", no_wrap=True)
    for name, measure in pair["measures"].items():
        table.add_row(NAMES[name], *cells(measure))
    return table


def _plot(pair: Block) -> Table:
    """Each difference with its interval on one scale, zero in the middle."""
    reach = _reach(pair)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.padding = (0, 1, 0, 0)
    table.add_column(f"gap, ±{reach:.3f}", no_wrap=True)
    table.add_column(f"worse{' ' * (_WIDTH - 11)}better", no_wrap=True)
    for name, measure in pair["measures"].items():
        if measure["low"] is None or measure["difference"] is None:
            continue
        sign = -1 if name in LOWER_IS_BETTER else 1
        ends = sorted((sign * measure["low"], sign * measure["high"]))
        shown = bar(ends[0], sign * measure["difference"], ends[1], reach)
        style = _style(name, measure)
        table.add_row(NAMES[name], f"[{style}]{shown}[/]" if style else shown)
    return table


def cells(measure: Block) -> list[str]:
    """Both values, the difference with its interval, and p."""
    gap = measure["difference"]
    interval = "" if measure["low"] is None else f"{measure['low']:+.3f} {measure['high']:+.3f}"
    return [
        number(measure["first"]),
        number(measure["second"]),
        NONE if gap is None else f"{gap:+.3f}",
        interval,
        p_text(measure["p"]),
    ]


def p_text(p: float | None) -> str:
    """A p value in four digits, or a dash."""
    if p is None:
        return NONE
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _style(name: str, measure: Block) -> str:
    if measure["low"] <= 0 <= measure["high"]:
        return ""
    better = (measure["difference"] > 0) != (name in LOWER_IS_BETTER)
    return "green" if better else "red"


def _mcnemar(pair: Block, first: str, second: str) -> str:
    block = pair["mcnemar"]
    return (
        f"covered whole only by {first}: {block['only_first']:,}; only by {second}: "
        f"{block['only_second']:,}; McNemar p {p_text(block['p'])} (takes mentions for independent)"
    )


def _slices(title: str, slices: list[Block]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(title)
    for name in ("mentions", "found", "difference", "p", "p (Holm)"):
        table.add_column(name, justify="right")
    for cell in slices:
        table.add_row(plain(cell["slice"]), *_slice_cells(cell))
    return table


def _slice_cells(cell: Block) -> list[str]:
    return [
        f"{cell['mentions']:,}",
        f"{cell['first']:,} → {cell['second']:,}",
        f"{cell['difference']:+.3f}",
        p_text(cell["p"]),
        p_text(cell["p_holm"]),
    ]


def markdown(comparison: Block, most: int = 5, *, every: bool = False) -> str:
    """The same for a pull request."""
    first = comparison["systems"][0]["name"]
    parts = ["\n".join(f"* {inline(_read_with(system))}" for system in comparison["systems"])]
    for system, pair in zip(comparison["systems"][1:], comparison["pairs"], strict=True):
        parts.append(inline(f"## {system['name']} against {first}"))
        rows = [[NAMES[name], *cells(measure)] for name, measure in pair["measures"].items()]
        head = ("metric", first, system["name"], "difference", "95 %", "p")
        parts += [grid(head, rows), inline(_mcnemar(pair, first, system["name"])) + "."]
        for title, found in slice_tables(comparison, pair, most, every=every):
            rows = [[cell["slice"], *_slice_cells(cell)] for cell in found]
            head = (title, "mentions", "found", "difference", "p", "p (Holm)")
            parts.append(grid(head, rows))
    return "\n\n".join(parts) + "\n"
