"""What a run says of itself adds up, however often it was stopped, and holds for one input only."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.detectors.conftest import conversation, toy, write
from tests.detectors.models import byte_tokenizer
from tests.detectors.test_command import lines, record
from tracegen.detectors import Choice, Found, Passage, Run, Shape, detect
from tracegen.detectors.windows import windowing
from tracegen.errors import InputError
from tracegen.eval.scoring import score


class Counting:
    """Counts the passages that it is asked about, and fails on c-4 as often as told."""

    name, version = "counting", "1"

    def __init__(self) -> None:
        self.notes = {"passages": 0, "surprises": 0}
        self.asked: list[str] = []
        self.failures = 0

    def detect(self, passages: Sequence[Passage]) -> list[list[Found]]:
        self.asked += [passage.id for passage in passages]
        self.notes["passages"] += len(passages)
        if self.failures and passages[0].id.startswith("c-4"):
            self.failures -= 1
            raise ValueError
        return [[Found(0, 1, "private_person")] for _ in passages]


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Counting]:
    """Every detector that is made, the last one last."""
    made: list[Counting] = []

    def make(choice: Choice) -> Counting:
        made.append(Counting())
        made[-1].failures = int(choice.options["fails"])
        return made[-1]

    monkeypatch.setattr("tracegen.detectors.run.make_detector", make)
    return made


def run(corpus: Path, out: Path, *, fails: int = 0, stop: int = 0, resume: bool = False) -> None:
    """Run a counting detector; `stop` interrupts it after so many conversations."""
    asked = 0

    def advance(done: int) -> None:
        nonlocal asked
        asked += 1
        if asked == stop:
            raise KeyboardInterrupt

    choice = Run(corpus, Choice("counting", options={"fails": str(fails)}), out, resume=resume)
    if stop:
        with pytest.raises(KeyboardInterrupt):
            detect(choice, advance)
    else:
        detect(choice, advance)


def amounts(out: Path) -> Any:
    """What a run record counts, without times."""
    found = record(out)
    times = ("seconds", "characters_per_second", "latency_per_2000_characters")
    cost = {name: count for name, count in found["cost"].items() if name not in times}
    return cost, found["notes"], found["answered"], found["spans"]


@pytest.fixture
def whole(corpus: Path, tmp_path: Path, counting: list[Counting]) -> Any:
    """What one uninterrupted run counts."""
    run(corpus, tmp_path / "whole.jsonl")
    counted = amounts(tmp_path / "whole.jsonl")
    assert counted[1] == {"passages": 10, "surprises": 0}
    assert (counted[0]["calls"], counted[0]["conversations"]) == (10, 5)
    return counted


def test_cost_and_notes_of_a_stopped_run_add_up(
    corpus: Path, tmp_path: Path, whole: Any, counting: list[Counting]
) -> None:
    out = tmp_path / "preds.jsonl"
    run(corpus, out, stop=2)
    run(corpus, out, stop=4, resume=True)
    run(corpus, out, resume=True)
    assert amounts(out) == whole
    assert counting[-1].asked == ["c-5#0"]


def test_a_finished_run_keeps_its_cost_when_failures_are_asked_again(
    corpus: Path, tmp_path: Path, whole: Any, counting: list[Counting], capfd: Any
) -> None:
    out = tmp_path / "preds.jsonl"
    run(corpus, out, fails=2)
    first = record(out)
    assert (first["answered"], first["cost"]["conversations"], first["cost"]["calls"]) == (4, 4, 8)
    run(corpus, out, fails=1, resume=True)
    assert [one for one in record(out)["each"] if one["id"] != "c-4"] == first["each"]
    assert record(out)["cost"] == first["cost"]
    run(corpus, out, resume=True)
    assert counting[-1].asked == ["c-4#0", "c-4#1"]
    assert amounts(out) == whole
    assert record(out)["cost"]["seconds"] > first["cost"]["seconds"]
    assert record(out)["cost"]["latency_per_2000_characters"]["p95"] > 0


def test_resuming_what_is_complete_changes_nothing(
    corpus: Path, tmp_path: Path, whole: Any, counting: list[Counting]
) -> None:
    out = tmp_path / "whole.jsonl"
    before = out.read_bytes(), record(out)
    run(corpus, out, resume=True)
    assert (out.read_bytes(), record(out)) == before
    assert counting[-1].asked == []


@pytest.mark.parametrize("how", ["partial", "bad-json", "out-of-range"])
def test_counts_hold_after_failures_of_a_program(corpus: Path, tmp_path: Path, how: str) -> None:
    out, whole = tmp_path / "preds.jsonl", tmp_path / "whole.jsonl"
    failing = Choice(toy("--fail", how, "--once", str(tmp_path / "failed")))
    detect(Run(corpus, failing, out))
    found = record(out)
    assert (found["conversations"], found["answered"], found["failures"]["total"]) == (5, 4, 1)
    assert found["answered"] == len(lines(out)) == found["cost"]["conversations"]
    assert found["spans"] == sum(len(row["spans"]) for row in lines(out))
    detect(Run(corpus, failing, out, resume=True))
    assert record(out)["failures"] == {"total": 0, "kinds": {}, "conversations": []}
    detect(Run(corpus, Choice(toy()), whole))
    assert out.read_bytes() == whole.read_bytes()
    assert amounts(out)[0] == amounts(whole)[0]


def parquet(path: Path, source: Path) -> Path:
    pq.write_table(pa.Table.from_pylist(lines(source)), path)
    return path


def changed(corpus: Path) -> None:
    """Other texts of the same length under the same ids."""
    rows = corpus.read_text(encoding="utf-8")
    corpus.write_text(rows.replace("Good day", "Good die"), encoding="utf-8")


@pytest.mark.parametrize("form", ["file", "folder", "parquet"])
def test_other_texts_under_the_same_ids_are_another_corpus(
    form: str, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "preds.jsonl"
    (tmp_path / "folder").mkdir()
    place = {"file": corpus, "folder": tmp_path / "folder", "parquet": tmp_path / "c.parquet"}[form]

    def lay() -> None:
        if form == "folder":
            (place / "conversations.jsonl").write_bytes(corpus.read_bytes())
        elif form == "parquet":
            parquet(place, corpus)

    lay()
    detect(Run(place, Choice("regex"), out))
    score(place, out)
    changed(corpus)
    lay()
    with pytest.raises(InputError, match="another corpus_digest"):
        detect(Run(place, Choice("regex"), out, resume=True))
    with pytest.raises(InputError, match="was made on the corpus"):
        score(place, out)


def test_the_same_rows_in_another_form_are_scored(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("regex"), out))
    score(parquet(tmp_path / "c.parquet", corpus), out)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(corpus.read_bytes())
    score(copy, out)


def test_the_digest_of_plain_rows_is_that_of_their_manifest(corpus: Path, tmp_path: Path) -> None:
    detect(Run(corpus, Choice("null"), tmp_path / "preds.jsonl"))
    found = record(tmp_path / "preds.jsonl")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.jsonl").write_bytes(corpus.read_bytes())
    manifest = {"corpus_digest": found["corpus_digest"]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    detect(Run(folder, Choice("null"), tmp_path / "more.jsonl"))
    more = record(tmp_path / "more.jsonl")
    assert more["corpus_digest"] == found["corpus_digest"]
    assert (found["corpus_digest_of"], more["corpus_digest_of"]) == ("jsonl", "rows")


def test_predictions_beside_a_corpus_are_no_part_of_it(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.jsonl").write_bytes(corpus.read_bytes())
    detect(Run(folder, Choice("regex"), folder / "preds.jsonl"))
    detect(Run(folder, Choice("regex"), folder / "preds.jsonl", resume=True))
    score(folder, folder / "preds.jsonl")


def test_another_tokenizer_under_the_same_name_is_another_unit(tmp_path: Path) -> None:
    corpus = write(tmp_path / "c.jsonl", [conversation("c", ("Mira Holt", ""))])
    tokenizer = byte_tokenizer(tmp_path)
    file = tmp_path / "tokenizer.json"
    out = tmp_path / "preds.jsonl"
    shape = Shape("message", False, windowing("chunk", 4, f"tokens:{file}", 0.5))
    detect(Run(corpus, Choice("oracle"), out, shape))
    assert len(record(out)["tokenizer_sha256"]) == 64
    tokenizer.add_tokens(["Mira"])
    tokenizer.save(str(file))
    with pytest.raises(InputError, match="another tokenizer_sha256"):
        detect(Run(corpus, Choice("oracle"), out, shape, resume=True))


def test_a_run_record_has_one_line_a_conversation(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("regex"), out))
    text = out.with_name(f"{out.name}.run.json").read_text(encoding="utf-8")
    own = [line for line in text.splitlines() if line.startswith('  {"id":"c-')]
    assert [msgspec.json.decode(line.rstrip(","))["id"] for line in own] == [
        f"c-{number}" for number in range(1, 6)
    ]
