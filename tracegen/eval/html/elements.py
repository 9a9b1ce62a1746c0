"""Pieces of a page: escaped text, tables, rows with intervals, stacked bars."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple


def text(value: object) -> str:
    """Escaped text that keeps its own direction among others."""
    return f"<bdi>{breakable(str(value))}</bdi>"


def breakable(value: str) -> str:
    """Escaped text that may be broken after an underscore or a stroke."""
    return escape(value).replace("_", "_<wbr>").replace("/", "/<wbr>")


def section(title: str, body: str, hint: str = "") -> str:
    """A titled part of the page; nothing if it has no body."""
    if not body:
        return ""
    line = f'<p class="soft small">{hint}</p>' if hint else ""
    return f"<section><h2>{escape(title)}</h2>{line}{body}</section>"


def pair(*sections: str) -> str:
    """Sections side by side where there is room."""
    filled = [one for one in sections if one]
    return f'<div class="pair">{"".join(filled)}</div>' if len(filled) > 1 else "".join(filled)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of ready HTML cells."""
    top = "".join(f'<th scope="col">{breakable(name)}</th>' for name in head)
    body = "".join(
        f'<tr><td class="name">{row[0]}</td>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    inner = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scroll"><table>{inner}</table></div>'


class Bar(NamedTuple):
    """A value on a scale from 0 to 1, with its interval and the counts behind it."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    counts: str


def dots(bars: Sequence[Bar]) -> str:
    """One row a value: a dot with its interval on a common scale."""
    parts = []
    for bar in bars:
        marks = ""
        if bar.value is not None:
            if bar.low is not None and bar.high is not None:
                width = percent(bar.high - bar.low)
                marks = f'<i class="whisker" style="left:{percent(bar.low)};width:{width}"></i>'
            marks += f'<i class="dot" style="left:{percent(bar.value)}"></i>'
        parts.append(row(bar, marks))
    return f'<div class="rows">{"".join(parts)}</div>' if parts else ""


def fills(bars: Sequence[Bar]) -> str:
    """One row a value: a bar from zero, where more is worse."""
    parts = [
        row(bar, f'<i class="fill" style="width:{percent(bar.value)}"></i>' if bar.value else "")
        for bar in bars
    ]
    return f'<div class="rows">{"".join(parts)}</div>' if parts else ""


def row(bar: Bar, marks: str) -> str:
    """The four cells of a row."""
    shown = "–" if bar.value is None else f"{bar.value:.3f}"
    interval = ""
    if bar.low is not None and bar.high is not None:
        interval = f' title="95 %: {bar.low:.3f} to {bar.high:.3f}"'
    return (
        f"<span>{text(bar.name)}</span><span class=track{interval}>{marks}</span>"
        f'<b>{shown}</b><span class="soft small">{escape(bar.counts)}</span>'
    )


def stack(parts: Sequence[tuple[str, str, int]]) -> str:
    """A bar cut in parts, with its key; each part has a name, a colour and a size."""
    whole = sum(size for _, _, size in parts)
    if not whole:
        return ""
    bar = "".join(
        f'<i style="width:{percent(size / whole)};background:var(--{colour})"'
        f' title="{escape(name)}: {size:,}"></i>'
        for name, colour, size in parts
        if size
    )
    key = "".join(
        f'<span><i style="background:var(--{colour})"></i>{escape(name)} {size:,} '
        f'<span class="soft">({100 * size / whole:.1f} %)</span></span>'
        for name, colour, size in parts
    )
    return f'<div class="stack">{bar}</div><div class="key">{key}</div>'


def percent(share: float) -> str:
    """A share as a CSS length."""
    return f"{100 * max(0.0, min(1.0, share)):.2f}%"
