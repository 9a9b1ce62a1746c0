"""Run a detector over the ladder under every policy, and put what was found into one report."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tracegen import __version__
from tracegen.datafiles import MANIFEST
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
from tracegen.outputs import writing
from tracegen.pipeline import generate as generation
from tracegen.pipeline.destination import Destination
from tracegen.pipeline.spec import Spec, read_spec
from tracegen.stress import analysis
from tracegen.stress.falls import first_fall
from tracegen.stress.given import check, names, printable
from tracegen.stress.mentions import Judged, judged
from tracegen.units import Unit, read_unit

LADDER, EDGES = "window-ladder", "edge-straddle"
_ALL_CELLS = 1_000_000_000


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
        InputError: the detector, a corpus or a number cannot be used; `resume` with `force`.
        OutputError: the folder is in use or cannot be written.
    """
    _check_out(plan)
    specs = () if plan.corpora else (_ladder(plan), _edges(plan))
    if plan.corpora:
        check(plan.corpora)
    for spec in specs:
        Destination(plan.out / spec.name)  # a path that cannot be written shows as early
    close(make_detector(plan.choice))  # a wrong name shows before a corpus is made
    with writing(plan.out):
        plan.out.mkdir(parents=True, exist_ok=True)
    corpora = list(plan.corpora) or _made(plan, specs, watch)
    if not plan.corpora:
        check(corpora)
    named = dict(zip(names(corpora), corpora, strict=True))
    policies = {}
    for policy in plan.policies:
        answered: list[Judged] = []
        done: list[_Answered] = []
        for number, (name, corpus) in enumerate(named.items()):
            target = plan.out / f"{policy}-{number}-{corpus.name}.jsonl"
            advance = watch(Step(f"{policy}: {name}", 0))
            outcome = detect(_run(plan, policy, corpus, target), advance)
            done.append(_Answered(name, corpus, outcome, target))
            # two ladders may call their pairs alike, and each has its own twins
            answered += (one._replace(pair=f"{name}/{one.pair}") for one in judged(corpus, target))
        policies[policy] = _policy(plan, answered, done)
    return {"schema": 1, "tracegen": __version__, "settings": _settings(plan, list(named)),
            "policies": policies}  # fmt: skip


class _Answered(NamedTuple):
    """A corpus with what the detector made of it under a policy."""

    name: str
    corpus: Path
    outcome: Outcome
    predictions: Path


def _check_out(plan: Plan) -> None:
    if plan.resume and plan.force:
        raise InputError("--resume continues and --force starts anew: say one of them")
    if plan.out.exists() and not plan.out.is_dir():
        raise OutputError(f"{plan.out}: is a file; choose another --out")
    if plan.out.exists() and any(plan.out.iterdir()) and not (plan.resume or plan.force):
        raise OutputError(f"{plan.out}: is not empty; --resume continues there, --force replaces")


def _run(plan: Plan, policy: Policy, corpus: Path, target: Path) -> Run:
    size = None if policy == "whole" else plan.window
    shape = Shape("conversation", False, Windowing(policy, size, plan.unit, plan.overlap))
    return Run(corpus, plan.choice, target, shape, plan.workers, (), plan.resume, plan.force)


def _made(plan: Plan, specs: Sequence[Spec], watch: Watch) -> list[Path]:
    """The ladder and the edges, made below the output folder; finished ones are taken again."""
    folders = []
    for spec in specs:
        folder = plan.out / spec.name
        folders.append(folder)
        if (folder / MANIFEST).is_file() and plan.resume:
            if _spec_digest(folder / MANIFEST) != spec.digest():
                raise InputError("was made with other options; --force makes it anew", file=folder)
            continue
        run = generation.Run(folder, plan.workers, resume=plan.resume, force=plan.force)
        generation.generate(spec, run, watch(Step(f"making {spec.name}", spec.count)))
    return folders


def _spec_digest(manifest: Path) -> Any:
    """The digest of the spec that a corpus was made from."""
    try:
        found = msgspec.json.decode(manifest.read_bytes(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise InputError(
            f"is no manifest ({error}); remove its folder to make the corpus anew", file=manifest
        ) from error
    return found.get("spec_digest")


def _ladder(plan: Plan) -> Spec:
    facts = _facts(read_spec(LADDER), "ladder")
    facts |= {"items": plan.items, "lengths": plan.lengths, "depths": plan.depths}
    return _changed(LADDER, plan, ladder=facts)


def _edges(plan: Plan) -> Spec:
    facts = _facts(read_spec(EDGES), "edges")
    if plan.tokenizer:
        unit = read_unit(f"tokens:{plan.tokenizer}")  # a missing file shows before the ladder
        facts["edges"] += tuple({"size": size, "unit": unit.name} for size in plan.token_edges)
    return _changed(EDGES, plan, edges=facts)


def _facts(spec: Spec, key: str) -> dict[str, Any]:
    return dict(spec.model_dump()[key])


def _changed(name: str, plan: Plan, **changes: Any) -> Spec:
    return read_spec(
        name, languages=tuple(plan.languages), seed=plan.seed, count=_ALL_CELLS, **changes
    )


def _policy(plan: Plan, answered: Sequence[Judged], done: Sequence[_Answered]) -> dict[str, Any]:
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
        "cost": {own.name: _cost(own.outcome) for own in done},
        "failures": [
            {"corpus": own.name, "id": one.id, "kind": one.kind, "detail": one.detail}
            for own in done
            for one in own.outcome.failures
        ],
        "score": {own.name: _score(own) for own in done},
    }


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


def _score(own: _Answered) -> dict[str, Any] | None:
    """The scorer's headline; None where conversations failed, since it would refuse the file."""
    if own.outcome.failures:
        return None
    metrics = score(own.corpus, own.predictions, labels=own.outcome.labels).report["metrics"]
    return {
        name: metrics[name]
        for name in ("exact_typed", "characters", "containment", "identifiers", "leaks")
    }


def _settings(plan: Plan, corpora: Sequence[str]) -> dict[str, Any]:
    return {
        "detector": printable(plan.choice.name),
        "policies": list(plan.policies),
        "window": plan.window,
        "unit": printable(plan.unit.name),
        "overlap": plan.overlap,
        "corpora": list(corpora),
        "languages": list(plan.languages) if not plan.corpora else None,
        "seed": plan.seed,
    }
