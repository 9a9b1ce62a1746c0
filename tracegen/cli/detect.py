"""`tracegen detect`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from tracegen.cli.options import AllowRemote, Overlap, Startup, Timeout, Unit, listed
from tracegen.cli.progress import progress, resumable


def detect(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, .parquet or .jsonl file.")],
    detector: Annotated[
        str,
        typer.Option(
            help="presidio-patterns, presidio-spacy[:en=MODEL,...], regex, null, mask-all, oracle, "
            "command:ARGV, http:URL, hf:FOLDER, gliner:FOLDER, or one that a package registers."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Predictions, JSON lines.")],
    scope: Annotated[
        str, typer.Option(help="What is shown at once: message or conversation.")
    ] = "message",
    roles: Annotated[
        bool, typer.Option("--roles", help='Put "user: " or "assistant: " before each message.')
    ] = False,
    policy: Annotated[
        str, typer.Option(help="whole, truncate (first window only), chunk, or slide.")
    ] = "whole",
    window: Annotated[int | None, typer.Option(help="Size of a window, in --unit.")] = None,
    unit: Unit = "chars",
    overlap: Overlap = 0.5,
    languages: Annotated[
        str | None, typer.Option(help="Only conversations in these languages: de,fr.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes, each with a detector.")] = 1,
    timeout: Timeout = 60.0,
    startup: Startup = 300.0,
    allow_remote: AllowRemote = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a stopped run, or try failures again.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Run a detector over a corpus and write its predictions.

    Beside PREDS lies PREDS.run.json: detector, version, settings, cost, and every failure by
    conversation. A conversation whose detector failed has no line in PREDS, so the scorer asks for
    it instead of counting it as nothing found. Exit 1 when there is a failure.

    Example: tracegen detect out/demo --detector presidio-patterns -o presidio.jsonl
    """
    from tracegen.detectors import Choice, Run, Shape
    from tracegen.detectors import detect as run_detector
    from tracegen.detectors.frames import scope_of
    from tracegen.detectors.windows import windowing
    from tracegen.model import LANGUAGES

    chosen = () if languages is None else tuple(listed("language", languages, LANGUAGES))
    shape = Shape(scope_of(scope), roles, windowing(policy, window, unit, overlap))
    choice = Choice(detector, timeout, startup, allow_remote)
    run = Run(corpus, choice, out, shape, workers, chosen, resume, force)
    with (
        resumable(
            lambda: out.with_name(f"{out.name}.partial").exists(), "finished conversations are"
        ),
        progress("detecting", 0) as advance,
    ):
        outcome = run_detector(run, advance)
    measure = outcome.measure
    typer.echo(
        f"{out}: {outcome.conversations:,} conversations, {outcome.spans:,} spans, "
        f"{len(outcome.failures):,} failures",
        err=True,
    )
    if measure.seconds:
        p50, p95 = (1000 * (measure.latency(share) or 0) for share in (0.5, 0.95))
        typer.echo(
            f"{measure.characters / measure.seconds:,.0f} characters/s, per 2,000 characters "
            f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, {measure.calls:,} calls",
            err=True,
        )
    if measure.unread:
        typer.echo(f"{measure.unread:,} characters lie in no window: nobody read them", err=True)
    for failure in outcome.failures[:20]:
        typer.echo(f"{failure.id}: {failure.kind}: {failure.detail}", err=True)
    if outcome.failures:
        typer.echo(
            f"{len(outcome.failures):,} conversations have no prediction; --resume tries again",
            err=True,
        )
        raise typer.Exit(1)
    words = ["tracegen", "score", str(corpus), str(out)]
    words += ["--labels", outcome.labels] if outcome.labels != "tracegen" else []
    typer.echo(f"next: {shlex.join(words)}", err=True)
