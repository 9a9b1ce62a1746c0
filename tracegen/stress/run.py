"""Run a detector over the ladder under every policy, and put what was found into one report."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tracegen import __version__
from tracegen.corpus import read
from tracegen.corpus.manifest import MANIFEST
from tracegen.detectors import (
    Choice,
    Outcome,
    Policy,
    Run,
    Shape,
    Windowing,
    detect,
    make_detector,
)
from tracegen.detectors.protocol import close
from tracegen.errors import InputError, OutputError
from tracegen.eval.scoring import score
from tracegen.pipeline import generate as generation
from tracegen.pipeline.spec import Spec, read_spec
from tracegen.stress import analysis
from tracegen.stress.falls import first_fall
from tracegen.stress.mentions import Judged, judged, read_level
from tracegen.units import Unit

LADDER, EDGES = "window-ladder", "edge-straddle"
_ALL_CELLS = 1_000_000


class Plan(NamedTuple):
    """What to run; `lengths` and the like only matter for a ladder that is made here."""

    choice: Choice
    out: Path
    policies: Sequence[Policy]
    window: int
    unit: Unit
    overlap: float = 0.5
    corpora: Sequence[Path] = ()
    languages: Sequence[str] = ("en",)
    lengths: Sequence[int] = (1000, 2000, 4000, 8000, 16000, 32000)
    depths: Sequence[int] = (0, 25, 50, 75, 100)
    items: int = 2
    tokenizer: str | None = None
    token_edges: Sequence[int] = (512, 1024, 2048, 4096)
    seed: int = 20260115
    workers: int = 1
    resume: bool = False
    force: bool = False


class Step(NamedTuple):
    """A piece of the work, for whoever shows progress."""

    what: str
    total: int


Watch = Callable[[Step], Callable[[int], None]]


def stress(plan: Plan, watch: Watch) -> dict[str, Any]:
    """Make the corpora, run the detector under each policy, and analyse.

    Args:
        plan: what to run.
        watch: told of each step; returns what is told of its advance.

    Returns:
        The report, as JSON can hold it.

    Raises:
        InputError: the detector or a corpus cannot be used.
        OutputError: the folder is in use or cannot be written.
    """
    if plan.out.exists() and any(plan.out.iterdir()) and not (plan.resume or plan.force):
        raise OutputError(f"{plan.out}: is not empty; --resume continues there, --force replaces")
    close(make_detector(plan.choice))  # a wrong name shows before a corpus is made
    plan.out.mkdir(parents=True, exist_ok=True)
    corpora = list(plan.corpora) or _made(plan, watch)
    for corpus in corpora:
        _check_is_stress(corpus)
    policies = {}
    for policy in plan.policies:
        answered: list[Judged] = []
        outcomes: list[tuple[Path, Outcome, Path]] = []
        for number, corpus in enumerate(corpora):
            target = plan.out / f"{policy}-{number}-{corpus.name}.jsonl"
            advance = watch(Step(f"{policy}: {corpus.name}", 0))
            outcome = detect(_run(plan, policy, corpus, target), advance)
            outcomes.append((corpus, outcome, target))
            answered += judged(corpus, target)
        policies[policy] = _policy(plan, answered, outcomes)
    return {"schema": 1, "tracegen": __version__, "settings": _settings(plan, corpora),
            "policies": policies}  # fmt: skip


def _run(plan: Plan, policy: Policy, corpus: Path, target: Path) -> Run:
    size = None if policy == "whole" else plan.window
    shape = Shape("conversation", False, Windowing(policy, size, plan.unit, plan.overlap))
    return Run(corpus, plan.choice, target, shape, plan.workers, (), plan.resume, plan.force)


def _made(plan: Plan, watch: Watch) -> list[Path]:
    """The ladder and the edges, made below the output folder; finished ones are taken again."""
    folders = []
    for spec in (_ladder(plan), _edges(plan)):
        folder = plan.out / spec.name
        folders.append(folder)
        if (folder / MANIFEST).is_file() and plan.resume:
            digest = msgspec.json.decode((folder / MANIFEST).read_bytes()).get("spec_digest")
            if digest != spec.digest():
                raise InputError("was made with other options; --force makes it anew", file=folder)
            continue
        run = generation.Run(folder, plan.workers, resume=plan.resume, force=plan.force)
        generation.generate(spec, run, watch(Step(f"making {spec.name}", spec.count)))
    return folders


def _ladder(plan: Plan) -> Spec:
    facts = _facts(read_spec(LADDER), "ladder")
    facts |= {"items": plan.items, "lengths": plan.lengths, "depths": plan.depths}
    return _changed(LADDER, plan, ladder=facts)


def _edges(plan: Plan) -> Spec:
    facts = _facts(read_spec(EDGES), "edges")
    if plan.tokenizer:
        facts["edges"] += tuple(
            {"size": size, "unit": f"tokens:{plan.tokenizer}"} for size in plan.token_edges
        )
    return _changed(EDGES, plan, edges=facts)


def _facts(spec: Spec, key: str) -> dict[str, Any]:
    return dict(spec.model_dump()[key])


def _changed(name: str, plan: Plan, **changes: Any) -> Spec:
    return read_spec(
        name, languages=tuple(plan.languages), seed=plan.seed, count=_ALL_CELLS, **changes
    )


def _check_is_stress(corpus: Path) -> None:
    for conversation in read(corpus):
        if read_level(conversation.axis, conversation.level) is None:
            raise InputError(
                f"conversation {conversation.id!r} is of no stress slice; make one with "
                f"`tracegen generate {LADDER}` or {EDGES}", file=corpus,
            )  # fmt: skip
        return
    raise InputError("has no conversation", file=corpus)


def _policy(
    plan: Plan, answered: Sequence[Judged], outcomes: Sequence[tuple[Path, Outcome, Path]]
) -> dict[str, Any]:
    cliffs = {unit: analysis.cliff(answered, unit, plan.seed) for unit in ("words", "characters")}
    found = [one for one in cliffs.values() if one is not None]
    sharpest = max(found, key=_sharpness, default=None)
    return {
        "recall": _by_place(analysis.heat(answered, "depth")),
        "recall_spread": _by_place(analysis.heat(answered, "spread")),
        "consistent_spread": _by_place(analysis.consistent(answered, "spread")),
        "recall_by_length": {
            str(length): cell.described()
            for length, cell in sorted(analysis.by_length(answered).items())
        },
        "first_fall": first_fall(answered, plan.seed),
        "cliff": {unit: _described(one) for unit, one in cliffs.items()},
        "twins": analysis.twins(answered, sharpest, plan.seed)._asdict(),
        "edges": [
            {"edge": edge, "place": place, **cell.described()}
            for (edge, place), cell in sorted(analysis.edges(answered).items())
        ],
        "cost": {corpus.name: _cost(outcome) for corpus, outcome, _ in outcomes},
        "failures": [
            {"corpus": corpus.name, "id": one.id, "kind": one.kind, "detail": one.detail}
            for corpus, outcome, _ in outcomes
            for one in outcome.failures
        ],
        "score": {corpus.name: _score(corpus, target, outcome)
                  for corpus, outcome, target in outcomes},
    }  # fmt: skip


def _sharpness(one: analysis.Cliff) -> float:
    return (one.before.rate or 0) - (one.after.rate or 0)


def _by_place(cells: Mapping[tuple[int, int], Any]) -> list[dict[str, Any]]:
    return [
        {"length": length, "depth": depth, **cell.described()}
        for (length, depth), cell in sorted(cells.items())
    ]


def _described(one: "analysis.Cliff | None") -> dict[str, Any] | None:
    if one is None:
        return None
    return one._asdict() | {"before": one.before.described(), "after": one.after.described()}


def _cost(outcome: Outcome) -> dict[str, Any]:
    return {**outcome.measure.described(), "failures": len(outcome.failures)}


def _score(corpus: Path, predictions: Path, outcome: Outcome) -> dict[str, Any] | None:
    """The scorer's headline; None where conversations failed, since it would refuse the file."""
    if outcome.failures:
        return None
    metrics = score(corpus, predictions, labels=outcome.labels).report["metrics"]
    return {
        name: metrics[name]
        for name in ("exact_typed", "characters", "containment", "identifiers", "leaks")
    }


def _settings(plan: Plan, corpora: Sequence[Path]) -> dict[str, Any]:
    return {
        "detector": plan.choice.name,
        "policies": list(plan.policies),
        "window": plan.window,
        "unit": plan.unit.name,
        "overlap": plan.overlap,
        "corpora": [corpus.name for corpus in corpora],
        "languages": list(plan.languages) if not plan.corpora else None,
        "seed": plan.seed,
    }
