"""`tracegen score`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tracegen.cli.options import Ignore, Only, map_files

_GATES = "Gates"
_COUNTING = "Counting"
_OUTPUT = "Output"


def score(
    corpus: Annotated[
        Path, typer.Argument(help="Corpus folder, or a Parquet or JSONL file of records.")
    ],
    predictions: Annotated[
        Path, typer.Argument(help='JSONL or Parquet: {"id", "spans": [{start, end, label, ...}]}.')
    ],
    labels: Annotated[
        str | None,
        typer.Option(help="Label map: a name in eval/labels/ or a YAML file; else the record's."),
    ] = None,
    offset_unit: Annotated[
        str, typer.Option(help="What the predictions' offsets count: codepoint, utf16 or utf8.")
    ] = "codepoint",
    only: Only = None,
    ignore: Ignore = None,
    tolerance: Annotated[
        int | None, typer.Option(help="Also count hits whose edges are at most this far off.")
    ] = None,
    merge: Annotated[
        str, typer.Option(help="Join predictions first: none, overlapping or touching.")
    ] = "none",
    single: Annotated[
        bool, typer.Option("--single", help="Containment asks for one covering prediction.")
    ] = False,
    ignore_punctuation: Annotated[
        bool, typer.Option("--ignore-punctuation", help="Also count leaks of letters and digits.")
    ] = False,
    high_severity: Annotated[
        list[str] | None, typer.Option(help="A high-severity label; account_number and secret.")
    ] = None,
    masked: Annotated[
        Path | None, typer.Option(help="JSONL of redacted messages, same ids and turns.")
    ] = None,
    strata: Annotated[
        Path | None, typer.Option(help="YAML with population and sampled counts, for weights.")
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option(help="Print (and report) this stratum; repeatable.")
    ] = None,
    resamples: Annotated[
        int, typer.Option(min=0, help="Bootstrap resamples; 0 leaves the intervals out.")
    ] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
    json: Annotated[
        Path | None, typer.Option(help="Write the report as JSON (- is stdout).")
    ] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write the report as Markdown.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the report as one HTML page.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite these files.")] = False,
    gates: Annotated[Path | None, typer.Option(help="YAML file of gates.")] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Earlier report: no slice may get worse beyond noise.")
    ] = None,
    gate_on: Annotated[
        str, typer.Option(help="Judge ratios by their value (point) or bad end (lower).")
    ] = "point",
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="A gate on an undefined ratio passes.")
    ] = False,
    max_leaks: Annotated[int | None, typer.Option(help="Leaking mentions.")] = None,
    max_leaked_characters: Annotated[int | None, typer.Option(help="Characters in clear.")] = None,
    max_leaking_documents: Annotated[
        int | None, typer.Option(help="Leaking conversations.")
    ] = None,
    max_high_severity_leaks: Annotated[
        int | None, typer.Option(help="Leaking mentions of a high-severity label.")
    ] = None,
    max_surviving: Annotated[
        int | None, typer.Option(help="Mentions readable in the masked output.")
    ] = None,
    min_containment: Annotated[float | None, typer.Option(help="Containment recall.")] = None,
    min_recall: Annotated[
        list[str] | None, typer.Option(help="Exact recall: FLOOR or LABEL=FLOOR; repeatable.")
    ] = None,
    min_cd: Annotated[float | None, typer.Option(help="Identifiers covered.")] = None,
    min_cd_multi: Annotated[float | None, typer.Option(help="... mentioned twice or more.")] = None,
    min_cd_cross: Annotated[float | None, typer.Option(help="... in several turns.")] = None,
    max_fp0: Annotated[
        float | None, typer.Option("--max-fp0", help="Clean conversations flagged.")
    ] = None,
    min_masking_precision: Annotated[
        float | None, typer.Option(help="Share of masked characters that are gold.")
    ] = None,
    max_unmapped: Annotated[
        int | None, typer.Option(help="Predictions whose label the map does not know.")
    ] = None,
    max_dropped: Annotated[
        int | None, typer.Option(help="Predictions of length 0 or with an ignored label.")
    ] = None,
    max_invalid: Annotated[
        int | None, typer.Option(help="Predictions out of range; 0 unless said otherwise.")
    ] = None,
) -> None:
    """Score a detector: what leaked, which identifiers were caught every time, how sure we are.

    Gold is any corpus of conversations; every number is defined in eval/README.md. Exits 1 when
    a gate fails (after writing the report) and 2 when an input cannot be used. Without --labels,
    labels are read with the map that PREDICTIONS.run.json names, else with `tracegen`.

    Example: tracegen score corpus/ presidio.jsonl --labels presidio --max-leaks 0 --json r.json
    """
    from tracegen.eval.gates import judge, passed
    from tracegen.eval.limits import Limits, read_limits, recall_floors, with_flags
    from tracegen.eval.options import HIGH_SEVERITY, Options
    from tracegen.eval.provenance import unmapped_warning
    from tracegen.eval.report import encode, read_report
    from tracegen.eval.scoring import score as run
    from tracegen.eval.weights import read_strata
    from tracegen.outputs import check_outputs, write_atomically

    stdout = json is not None and str(json) == "-"
    outputs = [None if stdout else json, markdown, html]
    inputs = [corpus, predictions, masked, strata, gates, baseline, *map_files([labels])]
    check_outputs(outputs, inputs, force=force)
    flags: dict[str, Any] = {
        "max_leaks": max_leaks,
        "max_leaked_characters": max_leaked_characters,
        "max_leaking_documents": max_leaking_documents,
        "max_high_severity_leaks": max_high_severity_leaks,
        "max_surviving": max_surviving,
        "min_containment": min_containment,
        "min_cd": min_cd,
        "min_cd_multi": min_cd_multi,
        "min_cd_cross": min_cd_cross,
        "max_fp0": max_fp0,
        "min_masking_precision": min_masking_precision,
        "max_unmapped": max_unmapped,
        "max_dropped": max_dropped,
        "max_invalid": max_invalid,
    } | recall_floors(min_recall or [])
    limits = with_flags(read_limits(gates) if gates else Limits(), flags)
    earlier = read_report(baseline) if baseline else None
    options = Options(
        tolerance=tolerance,
        merge=_merge(merge),
        single=single,
        ignore_punctuation=ignore_punctuation,
        only=tuple(only or ()),
        ignore=tuple(ignore or ()),
        by=tuple(by or ()),
        resamples=resamples,
        seed=seed,
        strata=read_strata(strata) if strata else {},
        high_severity=tuple(high_severity or HIGH_SEVERITY),
    )
    scored = run(
        corpus, predictions, labels=labels, offset_unit=offset_unit, options=options, masked=masked
    )
    report = scored.report
    warning = unmapped_warning(report, predictions)
    if warning:
        typer.echo(f"warning: {warning}", err=True)
    report["gates"] = judge(report, limits, gate_on=_gate_on(gate_on), allow_empty=allow_empty)
    if earlier:
        from tracegen.eval.baseline import against

        report["gates"] += against(report, earlier)
    keys = by or ["label", "language"]
    if json and not stdout:
        write_atomically(json, encode(report))
    if markdown:
        from tracegen.eval.markdown import as_markdown

        write_atomically(markdown, as_markdown(report, keys).encode())
    if html:
        from tracegen.eval.html import page

        write_atomically(html, page(report).encode())
    if stdout:
        typer.echo(encode(report).decode(), nl=False)
    else:
        from rich.console import Console

        from tracegen.eval.terminal import show

        show(report, keys, Console())
    if not passed(report["gates"]):
        raise typer.Exit(1)


def _merge(name: str) -> Any:
    return name  # checked by Options.check


def _gate_on(name: str) -> Any:
    from tracegen.errors import InputError, unknown

    if name not in ("point", "lower"):
        raise InputError(unknown("--gate-on", name, ("point", "lower")))
    return name
