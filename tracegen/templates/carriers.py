"""Write a value into the format around it: JSON, CSV, a Markdown table, SQL and so on.

An escape here changes one value and nothing else. It may put unlabelled text beside the value (the
quotes of a CSV field); the labelled text is then the value as written there, escapes included.
"""

import html
import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from tracegen.errors import RenderError, unknown


class Escape(NamedTuple):
    """How a carrier writes a value."""

    change: Callable[[str], str]
    quotes: Callable[[str], str] = lambda text: ""
    """What stands unlabelled on both sides of the changed value; mostly nothing."""


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _csv(text: str) -> str:
    return text.replace('"', '""')


def _csv_quotes(text: str) -> str:
    return '"' if re.search(r'[",;\t\r\n]', text) else ""


def _one_line(text: str) -> str:
    return re.sub(r"\s*[\r\n]+\s*", ", ", text)


def _table(text: str) -> str:
    return re.sub(r"\s*[\r\n]+\s*", "<br>", text.replace("|", r"\|"))


def _double_quoted(text: str) -> str:
    """One line in double quotes, as log fields and YAML scalars are written."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n")


def _sql(text: str) -> str:
    return text.replace("'", "''")


def _code(text: str) -> str:
    return _double_quoted(text).replace("\t", "\\t")


def _html(text: str) -> str:
    return html.escape(text, quote=True)


def _url(text: str) -> str:
    return quote(text, safe="")


ESCAPES: Mapping[str, Escape] = {
    "json": Escape(_json),
    "csv": Escape(_csv, _csv_quotes),
    "table": Escape(_table),
    "log": Escape(_double_quoted),
    "code": Escape(_code),
    "email": Escape(_one_line),
    "yaml": Escape(_double_quoted),
    "sql": Escape(_sql),
    "html": Escape(_html),
    "url": Escape(_url),
    "form": Escape(_one_line),
}
"""Every carrier but prose. `table` is a Markdown table, `form` are lines of `key: value`."""

PROSE = "prose"

FILTERS: Mapping[str, str] = {
    "json": "json", "csv": "csv", "html": "html", "url": "url", "md": "table", "yaml": "yaml",
    "sql": "sql", "log": "log", "code": "code",
}  # fmt: skip
"""Filter name to carrier."""


def escape_for(carrier: str) -> Escape:
    """The escape of a carrier.

    Raises:
        RenderError: no such carrier.
    """
    try:
        return ESCAPES[carrier]
    except KeyError:
        raise RenderError(unknown("carrier", carrier, ESCAPES)) from None
