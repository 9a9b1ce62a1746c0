"""`tracegen stress`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tracegen.cli.options import AllowRemote, Overlap, Startup, Timeout, Unit, listed
from tracegen.cli.progress import resumable

_OF_THE_LADDER = ("languages", "lengths", "depths", "items", "tokenizer")
"""Options that shape what is made, and so say nothing of corpora that are given."""

_OF_WINDOWS = ("window", "unit", "overlap")
"""Options that say nothing where a detector sees every conversation whole."""


def stress(
    context: typer.Context,
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
        str, typer.Option(help="Lengths of the ladder in characters, up to 1,000,000, by comma.")
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
    from tracegen.detectors import Choice
    from tracegen.detectors.windows import windowing
    from tracegen.errors import InputError
    from tracegen.model import LANGUAGES
    from tracegen.outputs import write_atomically
    from tracegen.pipeline.stress_facts import LONGEST, reach
    from tracegen.stress.page import page, plots
    from tracegen.stress.run import Plan
    from tracegen.stress.run import stress as run_stress

    if corpus:
        _refuse(
            context, _OF_THE_LADDER, "shape the ladder and edges that are made, and --corpus gives "
            "those made before; leave out one or the other",
        )  # fmt: skip
    if _words(policies) == ["whole"]:
        _refuse(context, _OF_WINDOWS, "say how to cut; also name truncate, chunk or slide")
    _check_free(out, json, html, [*(corpus or ()), tokenizer], resume=resume, force=force)
    chosen_languages = listed("language", languages, LANGUAGES)
    checked = [
        windowing(name, None if name == "whole" else window, unit, overlap)
        for name in _words(policies)
    ]
    if not checked:
        raise InputError("name at least one policy")
    plan = Plan(
        Choice(detector, timeout, startup, allow_remote), out,
        list(dict.fromkeys(one.policy for one in checked)), window, checked[0].unit, overlap,
        corpus or (), chosen_languages, _numbers("--lengths", lengths, 1, LONGEST, reach(LONGEST)),
        _numbers("--depths", depths, 0, 100, "0 to 100 percent"), items,
        str(tokenizer) if tokenizer else None, seed=seed, workers=workers, resume=resume,
        force=force,
    )  # fmt: skip
    with (
        resumable(lambda: out.is_dir() and any(out.iterdir()), "what is finished is"),
        _watching() as watch,
    ):
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


def _numbers(option: str, text: str, low: int, high: int, bounds: str) -> list[int]:
    from tracegen.errors import InputError

    words = _words(text)
    if not words or not all(word.isdecimal() and word.isascii() for word in words):
        raise InputError(f"{option} {text!r}: whole numbers by comma, such as 1000,4000")
    for word in words:
        digits = word.lstrip("0") or "0"
        if len(digits) > len(str(high)) or not low <= int(digits) <= high:
            raise InputError(f"{option}: {word[:20]} is not {bounds}")
    return sorted(set(map(int, words)))


def _refuse(context: typer.Context, names: tuple[str, ...], why: str) -> None:
    """Refuse options that would say nothing, if any of them is given."""
    from tracegen.errors import InputError

    sources = {name: context.get_parameter_source(name) for name in names}
    said = [f"--{name}" for name, source in sources.items() if source and source.name != "DEFAULT"]
    if said:
        raise InputError(f"{', '.join(said)}: {why}")


def _check_free(
    out: Path, json: Path | None, html: Path | None, inputs: list[Path | None], *, resume: bool,
    force: bool,
) -> None:  # fmt: skip
    """Refuse outputs that would be lost, before any work is done."""
    from tracegen.errors import InputError, OutputError
    from tracegen.outputs import check_apart, check_outputs, is_stream

    if resume and force:
        raise InputError("--resume continues and --force starts anew: say one of them")
    for path in (json, html):
        if resume and path is not None and path.is_file() and not is_stream(path):
            raise OutputError(f"{path}: exists; remove it, or choose another name")
    check_apart([out / "report.json", out / "report.html", json, html], inputs)
    check_outputs([json, html], inputs, force=force)


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
