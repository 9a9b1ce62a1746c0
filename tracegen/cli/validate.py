"""`tracegen validate`."""

from typing import Annotated

import typer

from tracegen.validators import load, scheme_named


def validate(
    scheme: Annotated[str, typer.Argument(help="A scheme of the room validators/: de-idnr, iban.")],
    value: Annotated[str, typer.Argument(help="The value, written as people write it.")],
) -> None:
    """Check one identifier against its scheme: shape, check characters, dates, impossible ranges.

    Exit 0 if it is valid, 1 if it is refused, with the reason on one line. An unknown scheme is
    exit 2 with the schemes there are. A valid value in a range that belongs to nobody says so.

    Example: tracegen validate de-idnr "86 095 742 719"
    """
    if scheme not in load():
        for name, known in load().items():
            typer.echo(f"{name:<22} {known.facts.name} ({known.facts.english})", err=True)
    chosen = scheme_named(scheme)
    reason = chosen.refusal(value)
    if reason is not None:
        typer.echo(f"refused: {reason}")
        raise typer.Exit(1)
    reserved = chosen.reserved(value)
    typer.echo(f"valid: {chosen.facts.name}" + (f"; nobody's: {reserved.why}" if reserved else ""))
