"""Plots as SVG, written by hand: a heat map and lines."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from tracegen.stress.counts import Share

_CELL_WIDTH, _CELL_HEIGHT, _LEFT, _TOP = 74, 34, 76, 58
_FONT = "font-family='system-ui, sans-serif'"


class Theme(NamedTuple):
    """Colours of what is no data."""

    paper: str
    ink: str
    soft: str
    rule: str


PRINTED = Theme("#fff", "#222", "#555", "#e4e4e4")
"""A file on its own: white, whatever it is put on."""

IN_PAGE = Theme("var(--card)", "var(--ink)", "var(--soft)", "var(--line)")
"""Inside a page: the page's colours, light or dark."""

_ON_LIGHT, _ON_DARK = "#222", "#fff"
_COLOURS = ((178, 24, 43), (247, 247, 247), (33, 102, 172))
"""Of a recall of 0, of one half, and of 1: told apart by people who see no red or green."""


def heat_map(
    title: str,
    cells: Mapping[tuple[int, int], Share],
    rows: Sequence[int],
    columns: Sequence[int],
    theme: Theme = PRINTED,
) -> str:
    """Recall by length (rows) and depth (columns); a cell without a mention stays empty."""
    width = _LEFT + _CELL_WIDTH * len(columns) + 12
    height = _TOP + _CELL_HEIGHT * len(rows) + 12
    out = [_open(width, height, title, theme)]
    out.append(_text(_LEFT - 8, 52, "depth", theme.soft, size=11, anchor="end"))
    for x, depth in enumerate(columns):
        middle = _LEFT + _CELL_WIDTH * x + _CELL_WIDTH / 2
        out.append(_text(middle, 52, f"{depth} %", theme.ink, size=12, anchor="middle"))
    for y, length in enumerate(rows):
        top = _TOP + _CELL_HEIGHT * y
        middle = top + _CELL_HEIGHT / 2 + 4
        out.append(_text(_LEFT - 8, middle, thousands(length), theme.ink, size=12, anchor="end"))
        for x, depth in enumerate(columns):
            cell = cells.get((length, depth), Share())
            out.append(_cell(_LEFT + _CELL_WIDTH * x, top, cell, theme))
    return "\n".join([*out, "</svg>\n"])


def thousands(length: int) -> str:
    """A length as people say it."""
    return f"{length // 1000}k" if length >= 1000 and length % 1000 == 0 else str(length)


def _cell(left: float, top: float, cell: Share, theme: Theme) -> str:
    rate = cell.rate
    if rate is None:
        return (
            f"<rect x='{left}' y='{top}' width='{_CELL_WIDTH - 2}' height='{_CELL_HEIGHT - 2}' "
            f"fill='none' stroke='{theme.rule}' stroke-dasharray='3'/>"
        )
    ink = _ON_DARK if rate < 0.2 or rate > 0.8 else _ON_LIGHT
    return (
        f"<g><title>{cell.found} of {cell.total}</title>"
        f"<rect x='{left}' y='{top}' width='{_CELL_WIDTH - 2}' height='{_CELL_HEIGHT - 2}' "
        f"fill='{colour(rate)}'/>"
        + _text(
            left + _CELL_WIDTH / 2 - 1, top + _CELL_HEIGHT / 2 + 4, f"{rate:.2f}", ink, size=12,
            anchor="middle",
        )
        + "</g>"
    )  # fmt: skip


def colour(rate: float) -> str:
    """From red over white to blue."""
    low, high = (_COLOURS[0], _COLOURS[1]) if rate < 0.5 else (_COLOURS[1], _COLOURS[2])
    part = rate * 2 if rate < 0.5 else rate * 2 - 1
    mixed = [round(a + (b - a) * part) for a, b in zip(low, high, strict=True)]
    return "#" + "".join(f"{value:02x}" for value in mixed)


_LINES = ("#2166ac", "#b2182b", "#5aae61", "#762a83")
_DASHES = ("", "6 3", "2 3", "8 3 2 3")


def lines(
    title: str,
    series: Mapping[str, Mapping[int, Share]],
    lengths: Sequence[int],
    theme: Theme = PRINTED,
) -> str:
    """Recall by length, a line a policy with its intervals; lengths stand at equal distances."""
    width, height, left, right, top, bottom = 560, 320, 56, 120, 44, 52
    step = (width - left - right) / max(1, len(lengths) - 1)

    def x(index: int) -> float:
        return left + step * index

    def y(rate: float) -> float:
        return top + (height - top - bottom) * (1 - rate)

    out = [_open(width, height, title, theme)]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        out.append(
            f"<line x1='{left}' y1='{y(tick):.1f}' x2='{width - right}' y2='{y(tick):.1f}' "
            f"stroke='{theme.rule}'/>"
        )
        out.append(_text(left - 8, y(tick) + 4, f"{tick:g}", theme.ink, size=11, anchor="end"))
    for index, length in enumerate(lengths):
        name = "twin" if length == 0 else thousands(length)
        out.append(_text(x(index), height - bottom + 20, name, theme.ink, size=11, anchor="middle"))
    middle = (left + width - right) / 2
    out.append(_text(middle, height - 10, "characters", theme.ink, size=11, anchor="middle"))
    for number, (name, cells) in enumerate(series.items()):
        ink, dash = _LINES[number % 4], _DASHES[number % 4]
        points = []
        for index, length in enumerate(lengths):
            cell = cells.get(length, Share())
            if cell.rate is None:
                continue
            low, high = cell.interval()
            out.append(
                f"<line x1='{x(index):.1f}' y1='{y(low):.1f}' x2='{x(index):.1f}' "
                f"y2='{y(high):.1f}' stroke='{ink}' stroke-width='1' opacity='.5'/>"
            )
            points.append(f"{x(index):.1f},{y(cell.rate):.1f}")
        out.append(
            f"<polyline fill='none' stroke='{ink}' stroke-width='2' stroke-dasharray='{dash}' "
            f"points='{' '.join(points)}'/>"
        )
        place = top + 18 * number
        out.append(
            f"<line x1='{width - right + 14}' y1='{place}' x2='{width - right + 44}' y2='{place}' "
            f"stroke='{ink}' stroke-width='2' stroke-dasharray='{dash}'/>"
        )
        out.append(_text(width - right + 50, place + 4, name, theme.ink, size=12))
    return "\n".join([*out, "</svg>\n"])


def _open(width: float, height: float, title: str, theme: Theme) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' role='img' aria-label='{escape(title, quote=True)}'>\n"
        f"<rect width='100%' height='100%' fill='{theme.paper}'/>\n"
        + _text(12, 22, title, theme.ink, size=14, weight="600")
    )


def _text(
    x: float, y: float, text: str, colour: str, *, size: int, anchor: str = "start",
    weight: str = "400",
) -> str:  # fmt: skip
    return (
        f"<text x='{x:g}' y='{y:g}' {_FONT} font-size='{size}' font-weight='{weight}' "
        f"text-anchor='{anchor}' fill='{colour}'>{escape(text)}</text>"
    )
