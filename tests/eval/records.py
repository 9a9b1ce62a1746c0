"""Builders of records and of their files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def conversation(name: str, *messages: str, spans: Sequence[Row] = (), **fields: Any) -> Row:
    """A record: messages alternate between user and assistant; spans are (value, label, ...)."""
    turns = [
        {"turn": number // 2, "user": messages[number], "assistant": ""}
        for number in range(0, len(messages), 2)
    ]
    for number in range(1, len(messages), 2):
        turns[number // 2]["assistant"] = messages[number]
    row = {"id": name, "source_corpus": "tracegen", "language": "en", "turns": turns}
    return row | {"spans": list(spans)} | fields


def span(row_text: str, value: str, label: str, **fields: Any) -> Row:
    """A span over the first occurrence of a value in a user message of turn 0."""
    start = row_text.index(value)
    place = {"turn": 0, "source": "user", "start": start, "end": start + len(value)}
    return place | {"label": label, "text": value} | fields


def lines(path: Path, rows: Sequence[Row]) -> Path:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path
