"""Blocks that name a format must hold that format: parse them as a reader would."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping

import yaml

from tracegen.render import Rendered


def broken_carriers(rendered: Rendered) -> Iterator[tuple[int, str, str]]:
    """(turn, carrier, problem) of every block that does not parse."""
    for region in rendered.regions:
        parse = _PARSERS.get(region.carrier)
        if parse is None:
            continue
        exchange = rendered.exchanges[region.turn]
        message = exchange.user if region.source == "user" else exchange.assistant
        try:
            parse(message[region.start : region.end].strip("\n"))
        except (ValueError, yaml.YAMLError, csv.Error) as error:
            yield region.turn, region.carrier, " ".join(str(error).split())[:120]


def _json(text: str) -> None:
    """One document, or JSON lines."""
    try:
        json.loads(text)
    except ValueError:
        lines = text.splitlines()
        if len(lines) < 2:
            raise
        for line in lines:
            json.loads(line)


def _csv(text: str) -> None:
    delimiter = ";" if text.split("\n", 1)[0].count(";") else ","
    rows = list(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True))
    widths = {len(row) for row in rows if row}
    if len(widths) > 1:
        raise ValueError(f"rows have {sorted(widths)} fields")


def _yaml(text: str) -> None:
    list(yaml.safe_load_all(text))


def _table(text: str) -> None:
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    widths = {row.replace(r"\|", "").count("|") for row in rows}
    if len(widths) > 1:
        raise ValueError(f"rows have {sorted(width - 1 for width in widths)} cells")


_PARSERS: Mapping[str, Callable[[str], None]] = {
    "json": _json,
    "csv": _csv,
    "yaml": _yaml,
    "table": _table,
}
