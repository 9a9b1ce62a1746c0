import json
from pathlib import Path
from typing import Any

import pytest

from tests.detectors.conftest import conversation, toy, write
from tracegen.detectors import Choice, Run, detect
from tracegen.errors import InputError


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def record(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_name(path.name + ".run.json").read_text())
    return found


def test_a_program_answers_and_its_offsets_come_back(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    outcome = detect(Run(corpus, Choice(toy()), out))
    assert (outcome.conversations, outcome.spans, outcome.failures) == (5, 6, ())
    assert lines(out)[2] == {
        "id": "c-3",
        "spans": [
            {"turn": 0, "source": "user", "start": 4, "end": 13, "label": "private_person",
             "score": 0.9},
            {"turn": 1, "source": "assistant", "start": 0, "end": 9, "label": "private_person",
             "score": 0.9},
        ],
    }  # fmt: skip


def test_one_process_serves_the_whole_run(corpus: Path, tmp_path: Path, capfd: Any) -> None:
    detect(Run(corpus, Choice(toy()), tmp_path / "preds.jsonl"))
    assert capfd.readouterr().err.count("toy detector ready") == 1


FAILURES = [
    ("crash", "crash", "exit code 7"),
    ("hang", "timeout", "no answer within"),
    ("bad-json", "bad JSON", "no answer of the form"),
    ("wrong-type", "bad JSON", "Expected `int`"),
    ("out-of-range", "out of range", "0-1000000 in a text of"),
    ("wrong-id", "wrong id", "not asked about"),
    ("wrong-order", "wrong order", "answered before"),
    ("two-lines", "wrong order", "was not asked for"),
    ("partial", "partial line", "in the middle of an answer"),
    ("long", "line too long", "8,388,608 bytes"),
    ("inside-character", "out of range", "no border of characters"),
]


@pytest.mark.parametrize(("how", "kind", "detail"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_failure_is_named_counted_and_never_nothing_found(
    corpus: Path, tmp_path: Path, how: str, kind: str, detail: str
) -> None:
    out = tmp_path / "preds.jsonl"
    outcome = detect(Run(corpus, Choice(toy("--fail", how), timeout=1, startup=10), out))
    (failure,) = outcome.failures
    assert (failure.id, failure.kind) == ("c-4", kind)
    assert detail in failure.detail
    assert "Mira" not in failure.detail
    assert [row["id"] for row in lines(out)] == ["c-1", "c-2", "c-3", "c-5"]
    assert [len(row["spans"]) for row in lines(out)] == [2, 0, 2, 1]
    assert record(out)["failures"]["kinds"] == {kind: 1}


def test_offsets_in_a_declared_other_unit_are_converted(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice(toy("--fail", "utf16")), out))
    (span,) = lines(out)[3]["spans"]
    assert (span["start"], span["end"]) == (2, 11)  # the emoji is two units of UTF-16


def test_a_program_that_ends_by_and_by_is_started_again(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    outcome = detect(Run(corpus, Choice(toy("--die-after", "2")), out))
    assert outcome.failures == ()
    assert outcome.spans == 6
    assert record(out)["notes"]["restarts"] == 4  # ten messages


def test_a_program_that_does_not_exist_is_bad_input(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be started"):
        detect(Run(corpus, Choice("command:/no/such/program"), tmp_path / "preds.jsonl"))
    assert list(tmp_path.glob("preds*")) == []


def test_a_program_that_always_fails_stops_the_run(tmp_path: Path) -> None:
    many = [conversation(f"c-{number}", ("TRIGGER", "")) for number in range(30)]
    corpus = write(tmp_path / "many.jsonl", many)
    choice = Choice(toy("--fail", "bad-json"))
    with pytest.raises(InputError, match=r"20 conversations in a row.*bad JSON"):
        detect(Run(corpus, choice, tmp_path / "preds.jsonl"))
    assert not (tmp_path / "preds.jsonl").exists()


def test_a_text_longer_than_any_pipe_gets_through(tmp_path: Path) -> None:
    long = "word " * 200_000 + "Mira Holt"
    corpus = write(tmp_path / "long.jsonl", [conversation("c-1", (long, ""))])
    outcome = detect(Run(corpus, Choice(toy()), tmp_path / "preds.jsonl"))
    assert outcome.spans == 1
