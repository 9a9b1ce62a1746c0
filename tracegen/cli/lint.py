"""`tracegen lint`."""

from pathlib import Path
from typing import Annotated

import typer

from tracegen.cli.progress import progress
from tracegen.lint import Coverage, Linter
from tracegen.resources import room
from tracegen.templates import discover


def lint(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Template files or folders; the room templates/ by default."),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Print what each language covers and lacks.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=1, help="How many times each template is rendered.")
    ] = 24,
) -> None:
    """Check templates: placeholders, forms, literal PII, language, particles, carriers, gates.

    Prints one line a finding (file:line: rule: what is wrong) and exits 1 if there is any.

    Example: tracegen lint templates/de --report
    """
    files = [path for root in paths or [room("templates")] for path in discover(root)]
    linter = Linter(seeds)
    count = 0
    with progress("linting", len(files)) as advance:
        for path in files:
            for finding in linter.lint(path):
                typer.echo(str(finding))
                count += 1
            advance(1)
    for finding in linter.finish():
        typer.echo(str(finding))
        count += 1
    if report:
        for language, coverage in sorted(linter.coverage().items()):
            _print(language, coverage)
    typer.echo(f"{len(files)} files, {count} findings", err=True)
    if count:
        raise typer.Exit(1)


def _print(language: str, coverage: Coverage) -> None:
    typer.echo(
        f"{language}: {coverage.templates} templates in {len(coverage.families)} families, "
        f"{coverage.ballast} ballast pieces, {len(coverage.labels)} labels, "
        f"{len(coverage.kinds - coverage.decoys)} kinds, {len(coverage.decoys)} decoy kinds, "
        f"{len(coverage.carriers)} carriers"
    )
    for gap in coverage.missing():
        typer.echo(f"  {gap}")
