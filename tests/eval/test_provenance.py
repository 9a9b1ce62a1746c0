"""Whose labels predictions use, which corpus they were made on, and what is said about it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.cli import run
from tracegen.errors import InputError
from tracegen.eval.comparing import Procedure, compare
from tracegen.eval.scoring import score

TEXT = "Ada has 12 3456"
QUICK = Procedure(rounds=50, resamples=0)


class Files(NamedTuple):
    """A corpus folder with a manifest, and two detectors that find everything."""

    corpus: Path
    presidio: Path
    ours: Path


@pytest.fixture
def files(tmp_path: Path) -> Files:
    name = span(TEXT, "Ada", "private_person", entity_id="p")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    lines(corpus / "conversations.jsonl", [conversation("a", TEXT, spans=[name])])
    manifest(corpus, "1" * 64)
    presidio = lines(
        tmp_path / "presidio.jsonl", [{"id": "a", "spans": [name | {"label": "PERSON"}]}]
    )
    ours = lines(tmp_path / "ours.jsonl", [{"id": "a", "spans": [name]}])
    return Files(corpus, presidio, ours)


def manifest(corpus: Path, digest: str) -> None:
    (corpus / "manifest.json").write_text(json.dumps({"corpus_digest": digest}))


def record(predictions: Path, **fields: Any) -> None:
    """Write a run record as `tracegen detect` does."""
    whole: Row = {
        "labels": "presidio",
        "corpus_digest": "1" * 64,
        "corpus": ["conversations.jsonl"],
    }
    predictions.with_name(f"{predictions.name}.run.json").write_text(json.dumps(whole | fields))


def recall(predictions: Path, files: Files, labels: str | None = None) -> tuple[Any, Any, Any]:
    report = score(files.corpus, predictions, labels=labels).report
    chosen = report["signature"]["label_map"]
    return report["metrics"]["exact_typed"]["recall"], chosen["name"], chosen["why"]


def test_without_labels_the_map_is_the_run_records(files: Files) -> None:
    assert recall(files.presidio, files) == (0, "tracegen", "default")
    record(files.presidio)
    assert recall(files.presidio, files) == (1, "presidio", "run record")
    assert recall(files.presidio, files, "spacy")[1:] == ("spacy", "asked for")
    assert recall(files.ours, files) == (1, "tracegen", "default")


def test_each_file_of_a_comparison_is_read_with_its_own_map(files: Files, capsys: Any) -> None:
    record(files.presidio)
    result = compare(files.corpus, [files.presidio, files.ours], procedure=QUICK)
    assert [system["label_map"] for system in result["systems"]] == [
        {"name": "presidio", "why": "run record"},
        {"name": "tracegen", "why": "default"},
    ]
    assert result["pairs"][0]["measures"]["exact_typed.recall"]["difference"] == 0
    words = ["compare", str(files.corpus), str(files.presidio), str(files.ours), "--rounds", "9"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "presidio: labels read with presidio (its run record says so)" in out
    assert "ours: labels read with tracegen (by default)" in out


def test_a_comparison_without_a_map_for_most_of_a_file_is_refused(
    files: Files, capsys: Any
) -> None:
    words = ["compare", str(files.corpus), str(files.presidio), str(files.ours), "--rounds", "9"]
    assert run(words) == 2
    captured = capsys.readouterr()
    assert "presidio.jsonl: 100% of the predictions have a label" in captured.err
    assert captured.err.strip().endswith("say --labels presidio --labels tracegen")
    assert captured.out == ""
    assert run([*words, "--labels", "tracegen"]) == 0  # asked for: warned, not refused
    assert "warning: " in capsys.readouterr().err
    assert run([*words, "--labels", "presidio", "--labels", "tracegen"]) == 0
    assert capsys.readouterr().err == ""


def test_more_than_a_few_unknown_labels_are_said_aloud_with_the_remedy(
    files: Files, capsys: Any
) -> None:
    words = ["score", str(files.corpus), str(files.presidio), "--resamples", "0"]
    assert run(words) == 0
    said = capsys.readouterr().err
    assert "presidio.jsonl: 1 of 1 predictions (100%)" in said
    assert "(PERSON)" in said
    assert "say --labels " in said
    assert run([*words, "--labels", "presidio"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("strange", "warned"), [(1, False), (2, True)])
def test_five_in_a_hundred_unknown_labels_are_few(
    strange: int, warned: bool, tmp_path: Path, capsys: Any
) -> None:
    text = "x" * 40
    spans = [
        {"turn": 0, "source": "user", "start": at, "end": at + 1,
         "label": "NOBODY_KNOWS" if at < strange else "secret"}
        for at in range(20)
    ]  # fmt: skip
    gold = lines(tmp_path / "gold.jsonl", [conversation("a", text)])
    found = lines(tmp_path / "found.jsonl", [{"id": "a", "spans": spans}])
    assert run(["score", str(gold), str(found), "--resamples", "0"]) == 0
    said = capsys.readouterr().err
    assert ("NOBODY_KNOWS" in said) is warned
    assert ("say --labels FILE.yaml" in said) is warned


@pytest.mark.parametrize("command", ["score", "compare", "errors"])
def test_predictions_of_another_corpus_are_refused_although_the_ids_fit(
    command: str, files: Files, capsys: Any
) -> None:
    record(files.presidio, corpus_digest="2" * 64)
    words = [command, str(files.corpus), str(files.presidio)]
    assert run([*words, str(files.ours)] if command == "compare" else words) == 2
    said = capsys.readouterr().err
    assert "presidio.jsonl: was made on the corpus 222222222222 (conversations.jsonl)" in said
    assert f"{files.corpus} is 111111111111" in said


def test_a_corpus_or_a_run_without_a_digest_is_not_held_against_the_other(files: Files) -> None:
    record(files.presidio, corpus_digest=None)
    assert recall(files.presidio, files)[0] == 1
    record(files.presidio, corpus_digest="2" * 64)
    (files.corpus / "manifest.json").unlink()
    assert recall(files.presidio, files)[0] == 1


def test_what_detect_writes_is_what_the_scorer_checks(tmp_path: Path, files: Files) -> None:
    out = tmp_path / "found.jsonl"
    words = ["detect", str(files.corpus), "--detector", "presidio-patterns", "-o", str(out)]
    assert run(words) == 0
    assert recall(out, files)[1:] == ("presidio", "run record")
    manifest(files.corpus, "3" * 64)
    with pytest.raises(InputError, match=r"111111111111 .* is 333333333333"):
        score(files.corpus, out)


def test_a_run_record_that_cannot_be_used_is_named(files: Files) -> None:
    record(files.presidio, labels="no-such-map")
    with pytest.raises(InputError, match=r"run\.json: labels: unknown label map.*--labels"):
        score(files.corpus, files.presidio)
    files.presidio.with_name("presidio.jsonl.run.json").write_text("[]")
    with pytest.raises(InputError, match=r"run\.json: is not the run record"):
        score(files.corpus, files.presidio)
