"""`tracegen lint`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tracegen.cli.progress import progress
from tracegen.lint import Coverage, Finding, Linter, lint_pack, lint_schemes
from tracegen.locales import known_locales
from tracegen.resources import room
from tracegen.templates import discover


def lint(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Template files or folders, or locale packs; everything by default."),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Print what each language covers and lacks.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=1, help="How many times each template is rendered.")
    ] = 24,
) -> None:
    """Check templates, locale packs and identifier schemes.

    Templates: placeholders, forms, literal PII, language, particles, carriers, near-duplicates, and
    many renderings through the gates. Packs: complete, and able to make every kind. Schemes: their
    own examples.

    Prints one line a finding (file:line: rule: what is wrong) and exits 1 if there is any.

    Example: tracegen lint templates/de --report
    """
    roots = paths or [room("templates")]
    packs = known_locales() if not paths else _packs(roots)
    files = [path for root in roots if not _is_pack(root) for path in discover(root)]
    linter = Linter(seeds)
    count = 0
    for locale in packs:
        count += _say(lint_pack(locale))
    if not paths:
        count += _say(lint_schemes())
    with progress("linting", len(files)) as advance:
        for path in files:
            count += _say(linter.lint(path))
            advance(1)
    count += _say(linter.finish())
    if report:
        for language, coverage in sorted(linter.coverage().items()):
            _print(language, coverage)
    summary = f"{len(files)} templates, {len(packs)} locale packs, {count} findings"
    typer.echo(summary, err=True)
    if count:
        raise typer.Exit(1)


def _say(findings: Iterable[Finding]) -> int:
    """Print findings as they come; their number."""
    count = 0
    for finding in findings:
        typer.echo(str(finding))
        count += 1
    return count


def _is_pack(path: Path) -> bool:
    return (path / "locale.yaml").is_file()


def _packs(roots: Sequence[Path]) -> Sequence[str]:
    return [root.resolve().name for root in roots if _is_pack(root)]


def _print(language: str, coverage: Coverage) -> None:
    typer.echo(
        f"{language}: {coverage.templates} templates in {len(coverage.families)} families, "
        f"{coverage.ballast} ballast pieces, {len(coverage.labels)} labels, "
        f"{len(coverage.kinds - coverage.decoys)} kinds, {len(coverage.decoys)} decoy kinds, "
        f"{len(coverage.carriers)} carriers"
    )
    for gap in coverage.missing():
        typer.echo(f"  {gap}")
