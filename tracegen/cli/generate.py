"""`tracegen generate`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tracegen.cli.options import listed
from tracegen.cli.progress import progress, resumable
from tracegen.model import LANGUAGES
from tracegen.pipeline.generate import Result, Run
from tracegen.pipeline.generate import generate as run_generation
from tracegen.pipeline.spec import read_spec

_FORMATS = ("parquet", "jsonl")


def generate(
    spec: Annotated[str, typer.Argument(help="A bundled slice (demo, pii-trace) or a .yaml file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The corpus folder to make.")],
    seed: Annotated[int | None, typer.Option(help="Another seed than the spec's.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="How many conversations.")] = None,
    languages: Annotated[
        str | None, typer.Option(help="These languages instead of the spec's, by comma: de,fr.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes; 0 is one a core. Bytes do not depend on it.")
    ] = 0,
    formats: Annotated[str, typer.Option(help="parquet, jsonl or both, by comma.")] = "parquet",
    safety: Annotated[
        str | None,
        typer.Option(help="strict: gold e-mail and links at example.com/.org/.net."),
    ] = None,
    vault: Annotated[
        Path | None, typer.Option(help="JSON file of source values that must not occur.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a stopped run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Generate a corpus; every conversation passes the gates before it is written.

    The same spec, seed and version give the same bytes on any day and with any number of workers;
    a larger --count keeps the earlier conversations. Exit 1 when more conversations were dropped
    than the spec allows.

    Example: tracegen generate demo --out out/demo --languages de,fr --count 100
    """
    changes: dict[str, Any] = {"seed": seed, "count": count, "safety": safety}
    if languages is not None:
        changes["languages"] = tuple(listed("language", languages, LANGUAGES))
    given = {name: value for name, value in changes.items() if value is not None}
    wanted = read_spec(spec, **given)
    chosen = tuple(listed("format", formats, _FORMATS))
    run = Run(out, workers, chosen, vault, resume, force)
    with (
        resumable(lambda: out.with_name(f"{out.name}.partial").exists(), "finished shards are"),
        progress("generating", wanted.count) as advance,
    ):
        result = run_generation(wanted, run, advance)
    _report(result, out)
    if result.dropped_share > wanted.dropped_limit:
        typer.echo(
            f"{result.dropped} conversations were dropped ({result.dropped_share:.2%}), more than "
            f"the limit of {wanted.dropped_limit:.2%}; manifest.json names gates and templates",
            err=True,
        )
        raise typer.Exit(1)


def _report(result: Result, out: Path) -> None:
    typer.echo(
        f"{out}: {result.rows:,} conversations, {result.mentions:,} mentions, "
        f"{result.characters:,} characters, gates passed, {result.dropped} dropped",
        err=True,
    )
    typer.echo(f"corpus digest {result.digest}", err=True)
