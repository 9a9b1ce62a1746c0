"""`tracegen check`."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from tracegen.cli.progress import progress
from tracegen.corpus import read
from tracegen.errors import InputError
from tracegen.gates import GATES, Gates, Vault, Violation
from tracegen.outputs import check_apart, write_atomically

_SHOWN = 20


def check(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder, .parquet or .jsonl file.")],
    vault: Annotated[
        Path | None, typer.Option(help="JSON file of source values that must not occur.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report here as well.")] = None,
    notes: Annotated[
        bool, typer.Option("--notes", help="List what nothing searches for, by language.")
    ] = False,
) -> None:
    """Run the gates on any corpus: ours, or rows of PII-TRACE's public schema.

    Rows without entity ids are checked for all but the rules that need ids; the report says so. No
    value is ever printed. Exit 1 when there is a violation.

    Example: tracegen check out/demo --json report.json
    """
    check_apart([json], [corpus, vault])
    gates = Gates(vault=Vault.read(vault) if vault else None)
    rules: Counter[tuple[str, str]] = Counter()
    remarks: Counter[str] = Counter()
    violations: list[Violation] = []
    conversations = bad = untested = 0
    seen: set[str] = set()
    with progress("checking", 0) as advance:
        for conversation in read(corpus):
            if conversation.id in seen:
                raise InputError(f"the id {conversation.id!r} is given twice", file=corpus)
            seen.add(conversation.id)
            verdict = gates.check(conversation)
            conversations += 1
            bad += bool(verdict.violations)
            untested += verdict.untested_messages
            remarks.update(f"not applicable: {note}" for note in verdict.not_applicable)
            remarks.update(f"not covered: {note}" for note in verdict.not_covered)
            rules.update((one.gate, one.rule) for one in verdict.violations)
            violations += verdict.violations
            advance(1)
    if not conversations:
        raise InputError("holds no conversation", file=corpus)
    _print(conversations, bad, untested, rules, remarks, notes, violations)
    if json is not None:
        report = _report(corpus, gates, conversations, bad, untested, rules, remarks, violations)
        write_atomically(json, msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    if violations:
        raise typer.Exit(1)


def _print(
    conversations: int, bad: int, untested: int, rules: Counter[tuple[str, str]],
    remarks: Counter[str], notes: bool, violations: list[Violation],
) -> None:  # fmt: skip
    for one in violations[:_SHOWN]:
        place = "" if one.turn is None else f" turn {one.turn} {one.source} {one.start}-{one.end}"
        typer.echo(f"{one.conversation}{place}: {one.gate}: {one.rule} [{one.template}]")
    if len(violations) > _SHOWN:
        typer.echo(f"… and {len(violations) - _SHOWN:,} more (--json lists all)")
    for gate in GATES:
        count = sum(times for (name, _), times in rules.items() if name == gate)
        typer.echo(f"{gate}: {count:,} violations")
    uncovered = [remark for remark in remarks if remark.startswith("not covered")]
    for remark, times in sorted(remarks.items()):
        if notes or remark not in uncovered:
            typer.echo(f"{remark} ({times:,} conversations)")
    if uncovered and not notes:
        typer.echo(f"not covered: {len(uncovered)} sorts of values have no recognizer (--notes)")
    typer.echo(f"language: {untested:,} messages too short to judge")
    typer.echo(f"{conversations:,} conversations, {bad:,} with violations")


def _report(
    corpus: Path, gates: Gates, conversations: int, bad: int, untested: int,
    rules: Counter[tuple[str, str]], remarks: Counter[str], violations: list[Violation],
) -> dict[str, Any]:  # fmt: skip
    return {
        "schema": 1,
        "corpus": corpus.name,
        "versions": dict(gates.versions),
        "conversations": conversations,
        "with_violations": bad,
        "untested_messages": untested,
        "rules": [
            {"gate": gate, "rule": rule, "times": times}
            for (gate, rule), times in sorted(rules.items())
        ],
        "notes": dict(sorted(remarks.items())),
        "violations": [one._asdict() for one in violations],
    }
