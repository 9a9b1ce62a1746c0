"""`tracegen stress`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tracegen.cli.options import AllowRemote, Overlap, Startup, Timeout, Unit


def stress(
    detector: Annotated[str, typer.Argument(help="A detector, as `tracegen detect` takes it.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for everything.")] = Path(
        "out/stress"
    ),
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="A ladder or edge corpus made before; repeatable. Else both are made."),
    ] = None,
    languages: Annotated[str, typer.Option(help="Languages of the ladder: en,de.")] = "en",
    lengths: Annotated[
        str, typer.Option(help="Lengths of the ladder in characters, by comma.")
    ] = "1000,2000,4000,8000,16000,32000",
    depths: Annotated[str, typer.Option(help="Depths in percent, by comma.")] = "0,25,50,75,100",
    items: Annotated[int, typer.Option(min=1, help="Stories a language.")] = 2,
    policies: Annotated[
        str, typer.Option(help="Policies to compare, by comma.")
    ] = "whole,truncate,chunk,slide",
    window: Annotated[int, typer.Option(min=1, help="Size of a window, in --unit.")] = 2000,
    unit: Unit = "chars",
    overlap: Overlap = 0.5,
    tokenizer: Annotated[
        Path | None, typer.Option(help="A tokenizer.json: also make edges in its tokens.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    timeout: Timeout = 60.0,
    startup: Startup = 300.0,
    allow_remote: AllowRemote = False,
    seed: Annotated[int, typer.Option(help="Seed of the ladder and of the intervals.")] = 20260115,
    html: Annotated[Path | None, typer.Option(help="Write the page here as well.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report here as well.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a stopped run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Find the lengths, depths and window edges at which a detector fails.

    Makes a ladder (the same story at every length and depth, with its short twin) and an edge
    corpus, runs the detector under each policy, and writes OUT/report.html, OUT/report.json and
    OUT/plots/*.svg. Exit 1 when the detector failed on a conversation.

    Example: tracegen stress presidio-patterns --languages en,de
    """
    from tracegen.cli.terminal_stress import show
    from tracegen.corpus.files import write_atomically
    from tracegen.detectors import Choice
    from tracegen.detectors.windows import windowing
    from tracegen.errors import InputError, unknown
    from tracegen.model import LANGUAGES
    from tracegen.stress.page import page, plots
    from tracegen.stress.run import Plan
    from tracegen.stress.run import stress as run_stress

    chosen_languages = _words(languages)
    for name in chosen_languages:
        if name not in LANGUAGES:
            raise InputError(unknown("language", name, LANGUAGES))
    checked = [
        windowing(name, None if name == "whole" else window, unit, overlap)
        for name in _words(policies)
    ]
    if not checked or not chosen_languages:
        raise InputError("name at least one policy and one language")
    plan = Plan(
        Choice(detector, timeout, startup, allow_remote), out,
        list(dict.fromkeys(one.policy for one in checked)), window, checked[0].unit, overlap,
        corpus or (), chosen_languages, _numbers("--lengths", lengths),
        _numbers("--depths", depths), items, str(tokenizer) if tokenizer else None, seed=seed,
        workers=workers, resume=resume, force=force,
    )  # fmt: skip
    with _watching() as watch:
        report = run_stress(plan, watch)
    content = _encoded(report)
    as_html = page(report)
    (out / "plots").mkdir(exist_ok=True)
    for name, plot in plots(report).items():
        write_atomically(out / "plots" / f"{name}.svg", plot.encode())
    for path in filter(None, (out / "report.json", json)):
        write_atomically(path, content)
    for path in filter(None, (out / "report.html", html)):
        write_atomically(path, as_html.encode())
    show(report)
    typer.echo(f"{out / 'report.html'}: the page; report.json and plots/ beside it", err=True)
    failures = sum(len(own["failures"]) for own in report["policies"].values())
    if failures:
        typer.echo(f"the detector failed {failures:,} times; the report names each", err=True)
        raise typer.Exit(1)


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _numbers(option: str, text: str) -> list[int]:
    from tracegen.errors import InputError

    words = _words(text)
    if not words or not all(word.isdecimal() and word.isascii() for word in words):
        raise InputError(f"{option} {text!r}: whole numbers by comma, such as 1000,4000")
    return sorted(set(map(int, words)))


def _encoded(report: dict[str, Any]) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


def _watching() -> Any:
    """Bars one after the other on stderr, as `progress` shows them."""
    from collections.abc import Callable, Iterator
    from contextlib import ExitStack, contextmanager

    from tracegen.cli.progress import progress
    from tracegen.stress.run import Step, Watch

    @contextmanager
    def watching() -> Iterator[Watch]:
        with ExitStack() as stack:

            def watch(step: Step) -> Callable[[int], None]:
                stack.close()  # the bar before is done
                return stack.enter_context(progress(step.what, step.total))

            yield watch

    return watching()
