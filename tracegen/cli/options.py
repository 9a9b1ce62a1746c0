"""Options that several commands share, so that one word means one thing everywhere."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tracegen.errors import InputError, unknown

Only = Annotated[
    list[str] | None, typer.Option(help="Score only this label or language; repeatable.")
]
Ignore = Annotated[
    list[str] | None, typer.Option(help="Leave this label or language out; repeatable.")
]
Unit = Annotated[str, typer.Option(help="chars, words, or tokens:FILE with a tokenizer.json.")]
Overlap = Annotated[float, typer.Option(help="Share of a sliding window's overlap.")]
Timeout = Annotated[
    float, typer.Option(min=0.001, help="Seconds a program or service has for one answer.")
]
Startup = Annotated[
    float, typer.Option(min=0.001, help="Seconds a program has for its first answer.")
]
AllowRemote = Annotated[
    bool, typer.Option("--allow-remote", help="Let http: send text to another machine.")
]


def map_files(labels: Iterable[str | None]) -> list[Path]:
    """The label maps that are files of one's own, and no names of bundled ones."""
    paths = [Path(name) for name in labels if name is not None]
    return [path for path in paths if path.suffix in (".yaml", ".yml")]


def listed(what: str, text: str, allowed: Sequence[str]) -> list[str]:
    """The names in a list by comma, each once.

    Args:
        what: one of them, for an error.
        text: what a person wrote.
        allowed: the names that exist.

    Raises:
        InputError: a name that does not exist, or none.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in allowed:
            raise InputError(unknown(what, name, allowed))
    if not names:
        raise InputError(f"no {what} given; known: {', '.join(allowed)}")
    return list(dict.fromkeys(names))
