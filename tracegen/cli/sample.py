"""`tracegen sample`."""

import sys
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tracegen.cli.terminal import print_conversation
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.render import Setting, render
from tracegen.seeds import Stream
from tracegen.templates import load


def sample(
    template: Annotated[Path, typer.Argument(help="A template file.")],
    seed: Annotated[int, typer.Option(help="Another number, another conversation.")] = 1,
    turns: Annotated[int | None, typer.Option(min=1, help="Only the first turns.")] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="The size of growing ballast.")] = None,
    colour: Annotated[bool, typer.Option(help="Colour spans, or name them in brackets.")] = True,
) -> None:
    """Print one conversation of a template, without gates, to see how it reads.

    Example: tracegen sample templates/de/banking/umzug.yaml --seed 3
    """
    loaded = load(template)
    stream = Stream("sample", loaded.id, seed)
    rendered = render(
        loaded, stream, Setting(date(2026, 1, 15)), messages=turns and 2 * turns, rows=rows
    )
    conversation = assemble(Heading(f"sample-{seed}", "sample"), loaded, [rendered])
    plain = not colour or not sys.stdout.isatty()
    console = Console(no_color=True if plain else None, highlight=False)
    print_conversation(conversation, console, full=True)
