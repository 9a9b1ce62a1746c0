"""`tracegen show`."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tracegen.cli.terminal import print_conversation
from tracegen.corpus import read
from tracegen.errors import InputError


def show(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, .parquet or .jsonl file.")],
    identity: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A conversation; the first by default.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Only conversations of this language.")
    ] = None,
    with_pii: Annotated[
        bool, typer.Option("--with-pii", help="Only conversations that hold PII.")
    ] = False,
    count: Annotated[int, typer.Option(min=1, help="How many to show.")] = 1,
    colour: Annotated[
        bool, typer.Option(help="Colour spans, or write them as [text](entity).")
    ] = True,
    full: Annotated[
        bool, typer.Option("--full", help="Print long stretches without spans whole.")
    ] = False,
) -> None:
    """Print conversations, their spans coloured by label and their decoys underlined.

    Long stretches without spans are shortened. Without colours (a pipe, --no-colour) spans are
    written as [text](entity).

    Example: tracegen show out/demo demo-000007
    """
    plain = not colour or not sys.stdout.isatty()
    console = Console(no_color=True if plain else None, highlight=False)
    shown = 0
    for conversation in read(corpus):
        if identity is not None and conversation.id != identity:
            continue
        if language is not None and conversation.language != language:
            continue
        if with_pii and not conversation.spans:
            continue
        print_conversation(conversation, console, full=full)
        shown += 1
        if shown == count:
            break
    if not shown:
        wanted = f"conversation {identity!r}" if identity else "conversation like that"
        raise InputError(f"holds no {wanted}", file=corpus)
