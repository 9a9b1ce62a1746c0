"""Time the scorer beside nervaluate and seqeval on the same files, in one run.

    python benchmarks/scorer.py                      own scorer only, 13,000 conversations
    python benchmarks/scorer.py --peers              beside nervaluate and seqeval
    python benchmarks/scorer.py --scale              up to a million spans: is it linear?

The peers are needed here only, so they are no dependency of the project. Install them apart:

    python -m pip install --target out/peers nervaluate==1.2.1 seqeval==1.2.2
    PYTHONPATH=out/peers python benchmarks/scorer.py --peers

Every contestant runs in a process of its own. Ours reads both files and computes every metric and
every stratum. The peers get the gentlest reading of the task: spans and tags are made for them
beforehand; the second ratio counts that and reading the files too, as ours does. nervaluate is
timed twice, as it is called (its four schemas) and with three of its schemas removed. On a machine
that others use as well the clock says little: compare processor time.
"""

import argparse
import json
import multiprocessing
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tracegen.eval.options import Options
from tracegen.eval.scoring import score
from tracegen.model import LABELS
from tracegen.seeds import Stream

_WORDS = (
    "the", "plan", "for", "a", "new", "office", "is", "that", "we", "move", "in", "spring", "and",
    "tell", "all", "of", "them", "soon",
)  # fmt: skip


def make(folder: Path, conversations: int, mentions: int) -> tuple[Path, Path]:
    """Write a corpus and predictions: 15 % missed, 10 % shifted, 5 % mistyped, 10 % invented."""
    corpus, predictions = (
        folder / f"gold-{conversations}.parquet",
        folder / f"p-{conversations}.jsonl",
    )
    rows, found = [], []
    for number in range(conversations):
        stream = Stream("benchmark", number)
        share = mentions * (number + 1) // conversations - mentions * number // conversations
        row = _conversation(number, share, stream)
        rows.append(row)
        found.append({"id": row["id"], "spans": _predicted(row, stream)})
    pq.write_table(pa.Table.from_pylist(rows), corpus, compression="zstd")
    predictions.write_text("\n".join(map(json.dumps, found)) + "\n")
    return corpus, predictions


def copied(corpus: Path, predictions: Path, factor: int) -> tuple[Path, Path]:
    """The same conversations so many times over, under ids of their own."""
    table = pq.read_table(corpus)
    lines = predictions.read_text()
    many, found = corpus.with_stem(f"copied-{factor}"), predictions.with_stem(f"copied-{factor}")
    ids = table.column("id").to_pylist()
    with pq.ParquetWriter(many, table.schema, compression="zstd") as writer, found.open("w") as out:
        for copy in range(factor):
            names = pa.array([f"{name}-{copy}" for name in ids])
            writer.write_table(table.set_column(table.schema.get_field_index("id"), "id", names))
            out.write(
                re.sub(r'^\{"id": "(\w+)"', rf'{{"id": "\1-{copy}"', lines, flags=re.MULTILINE)
            )
    return many, found


def _conversation(number: int, mentions: int, stream: Stream) -> dict[str, Any]:
    turns, spans = [], []
    count = stream.between(2, 6)
    for turn in range(count):
        sides = {}
        for source in ("user", "assistant"):
            words = [stream.choice(_WORDS) for _ in range(stream.between(40, 100))]
            if source == "user":
                share = mentions * (turn + 1) // count - mentions * turn // count
                places = sorted({stream.below(len(words)) for _ in range(share)})
                values = {place: _value(number, stream) for place in places}
                spans += _placed(words, values, turn)
            sides[source] = " ".join(words)
        turns.append({"turn": turn, **sides})
    return {
        "id": f"c{number:07}", "source_corpus": "tracegen", "template_id": f"t{number % 120}",
        "language": "en", "turns": turns, "spans": spans,
    }  # fmt: skip


def _value(number: int, stream: Stream) -> tuple[str, str, str]:
    entity = stream.below(3)
    label = LABELS[(number + entity) % len(LABELS)]
    return f"{label}_{entity}", label, f"value{number}-{entity}-{'x' * (5 + entity)}"


def _placed(
    words: list[str], values: dict[int, tuple[str, str, str]], turn: int
) -> list[dict[str, Any]]:
    spans, at = [], 0
    for place, word in enumerate(words):
        if place in values:
            entity, label, text = values[place]
            words[place] = word = text
            spans.append(
                {"turn": turn, "source": "user", "start": at, "end": at + len(text),
                 "label": label, "text": text, "entity_id": entity, "kind": label, "subject": 1}
            )  # fmt: skip
        at += len(word) + 1
    return spans


def _predicted(row: dict[str, Any], stream: Stream) -> list[dict[str, Any]]:
    found = []
    for span in row["spans"]:
        draw = stream.random()
        start, label = span["start"], span["label"]
        if draw < 0.15:
            continue
        if draw < 0.25:
            start += stream.between(1, 3)
        elif draw < 0.30:
            label = stream.choice(LABELS)
        found.append({"turn": span["turn"], "source": "user", "start": start,
                      "end": span["end"], "label": label})  # fmt: skip
        if stream.chance(0.1):
            length = len(row["turns"][span["turn"]]["assistant"])
            low = stream.below(length - 5)
            found.append({"turn": span["turn"], "source": "assistant", "start": low,
                          "end": low + 5, "label": label})  # fmt: skip
    return found


def own(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """All metrics and strata, files read included."""
    return lambda: score(corpus, predictions, options=Options()).report["metrics"]["exact_typed"]


def own_bootstrap(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """The same with intervals from 2,000 resamples over conversations and over templates."""
    options = Options(resamples=2000)
    return lambda: score(corpus, predictions, options=options).report["metrics"]["exact_typed"]


def nervaluate(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """Its evaluation of span dictionaries, as its documentation calls it."""
    return _nervaluate(corpus, predictions, ("strict", "partial", "exact", "ent_type"))


def nervaluate_strict(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """The same with its strict schema alone."""
    return _nervaluate(corpus, predictions, ("strict",))


def _nervaluate(corpus: Path, predictions: Path, schemas: tuple[str, ...]) -> Callable[[], Any]:
    from nervaluate import Evaluator

    gold, found = _documents(corpus, predictions)
    inclusive = [
        [
            [{"label": label, "start": start, "end": end - 1} for start, end, label in spans]
            for spans in side
        ]
        for side in (gold, found)
    ]
    labels = sorted({label for spans in gold for *_, label in spans})

    def run() -> Any:
        evaluator = Evaluator(*inclusive, tags=labels, loader="dict")
        evaluator.strategies = {name: evaluator.strategies[name] for name in schemas}
        strict = evaluator.evaluate()["overall"]["strict"]
        return {"tp": strict.correct, "predicted": strict.actual, "gold": strict.possible}

    return run


def seqeval(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """Its report a type and overall, of tags of white-space tokens made beforehand.

    The report is what its documentation calls for numbers a type, which ours gives as well;
    `f1_score` alone goes over the tags once instead of once an average.
    """
    from seqeval.metrics import classification_report

    gold, found = _tags(corpus, predictions)
    return lambda: _overall(classification_report(gold, found, output_dict=True))


def seqeval_strict(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """The same in its strict mode."""
    from seqeval.metrics import classification_report
    from seqeval.scheme import IOB2

    gold, found = _tags(corpus, predictions)
    return lambda: _overall(
        classification_report(gold, found, output_dict=True, mode="strict", scheme=IOB2)
    )


def seqeval_f1(corpus: Path, predictions: Path) -> Callable[[], Any]:
    """One F1 over all types and nothing else: the least that it can be asked for."""
    from seqeval.metrics import f1_score

    gold, found = _tags(corpus, predictions)
    return lambda: f"F1 {f1_score(gold, found):.4f} on tokens"


def _overall(report: Any) -> str:
    return f"F1 {report['micro avg']['f1-score']:.4f} on tokens"


Triples = list[list[tuple[int, int, str]]]


def _documents(corpus: Path, predictions: Path) -> tuple[Triples, Triples]:
    """Spans in document offsets."""
    rows = pq.read_table(corpus).to_pylist()
    records = [json.loads(line) for line in predictions.read_text().splitlines()]
    gold: Triples = []
    found: Triples = []
    for row, record in zip(rows, records, strict=True):
        starts = _starts(row)
        for side, spans in ((gold, row["spans"]), (found, record["spans"])):
            placed = [
                (starts[s["turn"], s["source"]] + s["start"],
                 starts[s["turn"], s["source"]] + s["end"], s["label"])
                for s in spans
            ]  # fmt: skip
            side.append(sorted(set(placed)))
    return gold, found


def _starts(row: dict[str, Any]) -> dict[tuple[int, str], int]:
    starts, at = {}, 0
    for turn in row["turns"]:
        for source in ("user", "assistant"):
            starts[turn["turn"], source] = at
            at += len(turn[source]) + 1
    return starts


def _tags(corpus: Path, predictions: Path) -> tuple[list[list[str]], list[list[str]]]:
    rows = pq.read_table(corpus).to_pylist()
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for row, *spans in zip(rows, *_documents(corpus, predictions), strict=True):
        text = " ".join(turn[source] for turn in row["turns"] for source in ("user", "assistant"))
        edges, at = [], 0
        for word in text.split(" "):
            edges.append((at, at + len(word)))
            at += len(word) + 1
        for side, marks in zip(sides, spans, strict=True):
            side.append(_iob(edges, marks))
    return sides


def _iob(edges: list[tuple[int, int]], marks: list[tuple[int, int, str]]) -> list[str]:
    tags = ["O"] * len(edges)
    first = 0
    for start, end, label in marks:
        while edges[first][1] <= start:
            first += 1
        at = first
        while at < len(edges) and edges[at][0] < end:
            tags[at] = ("B-" if at == first else "I-") + label
            at += 1
    return tags


CONTESTANTS = {"own": own, "own, 2,000 resamples": own_bootstrap}
PEERS = {
    "nervaluate": nervaluate,
    "nervaluate, strict alone": nervaluate_strict,
    "seqeval": seqeval,
    "seqeval, strict": seqeval_strict,
    "seqeval, one F1 alone": seqeval_f1,
}


def _child(name: str, corpus: Path, predictions: Path, repeats: int, out: Any) -> None:
    before = time.process_time()
    run = (CONTESTANTS | PEERS)[name](corpus, predictions)
    prepared = time.process_time() - before
    times = []
    result: Any = None
    peak = 0.0
    for _ in range(repeats):
        begun, used = time.perf_counter(), time.process_time()
        result = run()
        times.append((time.perf_counter() - begun, time.process_time() - used))
        peak = peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # of one run
    walls, works = zip(*times, strict=True)
    out.put((statistics.median(walls), statistics.median(works), prepared, peak, str(result)))


def measure(name: str, corpus: Path, predictions: Path, repeats: int) -> tuple[float, float, float]:
    """Processor seconds of a run and of preparing its input, and peak MB, in its own process."""
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    process = context.Process(target=_child, args=(name, corpus, predictions, repeats, out))
    process.start()
    while process.is_alive() and out.empty():
        time.sleep(0.05)
    if out.empty():
        raise SystemExit(f"{name} failed; its message stands above")
    wall, work, prepared, peak, result = out.get()
    process.join()
    print(f"{name:24} {wall:8.3f} s  processor {work:8.3f} s  peak {peak:5.0f} MB  {result}")
    return float(work), float(prepared), float(peak)


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call in a process of its own.

    A process starts with the peak memory of the one that starts it, so this one must stay small.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def main() -> None:
    """Make the files and time the contestants."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conversations", type=int, default=13_000)
    parser.add_argument("--mentions", type=int, default=37_500)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--scale", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.scale:
            base: tuple[Path, Path] = apart(
                make, Path(folder), options.conversations, options.mentions
            )
            for factor in (1, 3, 9, 27):
                print(f"{options.mentions * factor:,} mentions")
                many: tuple[Path, Path] = apart(copied, *base, factor)
                measure("own", *many, 3)
            return
        files: tuple[Path, Path] = apart(
            make, Path(folder), options.conversations, options.mentions
        )
        own_work, *_ = [measure(name, *files, options.repeats)[0] for name in CONTESTANTS]
        for name in PEERS if options.peers else ():
            repeats = 1 if name.startswith("seqeval") else options.repeats
            work, prepared, _ = measure(name, *files, repeats)
            print(
                f"  {work / own_work:.1f} times our processor time; {prepared:.1f} s more to read"
                f" the files into what it wants: {(work + prepared) / own_work:.1f} times"
            )


if __name__ == "__main__":
    main()
