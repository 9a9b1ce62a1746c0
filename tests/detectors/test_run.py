import json
from pathlib import Path

import pytest

from tests.detectors.conftest import conversation, refusal, stopped_after, toy, write
from tests.detectors.test_command import lines, record
from tracegen.cli import run as command_line
from tracegen.detectors import Choice, Run, Shape, Windowing, detect
from tracegen.detectors import protocol as detector_protocol
from tracegen.detectors.windows import windowing
from tracegen.errors import InputError, OutputError
from tracegen.eval.scoring import score


def test_workers_and_resumption_do_not_change_a_byte(corpus: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    detect(Run(corpus, Choice("regex"), one))
    detect(Run(corpus, Choice("regex"), two, workers=2))
    assert one.read_bytes() == two.read_bytes()


def test_a_killed_run_goes_on_where_it_was(corpus: Path, tmp_path: Path, capfd: object) -> None:
    out = tmp_path / "preds.jsonl"
    stopped_after(3, Run(corpus, Choice(toy()), out))
    partial = tmp_path / "preds.jsonl.partial"
    assert not out.exists()
    with partial.open("ab") as file:
        file.write(b'{"id":"c-4","spans":[{"tu')  # torn by the kill
    with pytest.raises(OutputError, match="--resume continues it"):
        detect(Run(corpus, Choice(toy()), out))
    outcome = detect(Run(corpus, Choice(toy()), out, resume=True))
    assert (outcome.conversations, outcome.spans) == (5, 6)
    assert record(out)["cost"]["conversations"] == 5
    assert not partial.exists()


def test_resume_asks_only_for_what_is_missing(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    failing = Choice(toy("--fail", "crash"))
    assert len(detect(Run(corpus, failing, out)).failures) == 1
    outcome = detect(Run(corpus, failing, out, resume=True))
    assert [failure.id for failure in outcome.failures] == ["c-4"]
    assert record(out)["cost"]["conversations"] == 4
    assert [row["id"] for row in lines(out)] == ["c-1", "c-2", "c-3", "c-5"]


def test_resume_asks_again_where_a_stopped_run_had_failed(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    flaky = Choice(toy("--fail", "bad-json", "--once", str(tmp_path / "failed")))
    stopped_after(4, Run(corpus, flaky, out))
    assert '"kind":"bad JSON"' in (tmp_path / "preds.jsonl.partial").read_text()
    outcome = detect(Run(corpus, flaky, out, resume=True))
    assert (outcome.failures, outcome.spans) == ((), 6)


def test_resume_with_other_settings_is_refused(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("regex"), out))
    with pytest.raises(InputError, match="another detector"):
        detect(Run(corpus, Choice("null"), out, resume=True))
    with pytest.raises(InputError, match="another scope"):
        detect(Run(corpus, Choice("regex"), out, Shape("conversation"), resume=True))


def test_predictions_are_not_overwritten_unless_forced(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("null"), out))
    with pytest.raises(OutputError, match="--force"):
        detect(Run(corpus, Choice("regex"), out))
    detect(Run(corpus, Choice("mask-all"), out, force=True))
    assert sum(len(row["spans"]) for row in lines(out)) == 10


def test_the_run_record_says_what_ran_and_what_it_cost(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    shape = Shape("conversation", True, windowing("slide", 4, "words", 0.5))
    detect(Run(corpus, Choice("presidio-patterns"), out, shape))
    found = record(out)
    assert found["detector"]["name"] == "presidio-patterns"
    assert found["detector"]["version"].startswith("2.")
    assert found["labels"] == "presidio"
    assert (found["policy"], found["window"], found["unit"], found["overlap"]) == (
        "slide", 4, "words", 0.5,
    )  # fmt: skip
    cost = found["cost"]
    assert cost["calls"] > cost["conversations"] == 5
    assert cost["characters_shown"] > cost["characters"]
    assert cost["characters_unread"] == 0
    assert cost["latency_per_2000_characters"]["p50"] > 0
    assert cost["latency_per_2000_characters"]["p50"] <= cost["latency_per_2000_characters"]["p95"]


def test_truncation_counts_what_nobody_read(tmp_path: Path) -> None:
    corpus = write(tmp_path / "c.jsonl", [conversation("c", ("one two Mira Holt", ""))])
    out = tmp_path / "preds.jsonl"
    outcome = detect(Run(corpus, Choice("oracle"), out, Shape("message", False, Windowing(
        "truncate", 8))))  # fmt: skip
    assert outcome.spans == 0
    assert record(out)["cost"]["characters_unread"] == 9


@pytest.mark.parametrize("policy", ["chunk", "slide"])
@pytest.mark.parametrize("scope", ["message", "conversation"])
def test_the_oracle_loses_nothing_through_any_windows(
    corpus: Path, tmp_path: Path, policy: str, scope: str
) -> None:
    out = tmp_path / "preds.jsonl"
    shape = Shape(scope, True, windowing(policy, 5, "chars", 0.4))  # type: ignore[arg-type]
    detect(Run(corpus, Choice("oracle"), out, shape))
    metrics = score(corpus, out).report["metrics"]
    assert metrics["exact_typed"]["f1"] == 1
    assert metrics["characters"]["f1"] == 1


SCRIPTS = (
    "Grüße aus Köln", "Привет, как дела", "안녕하세요 반갑습니다", "你好，世界。今天很好",
    "こんにちは、世界です", "مرحبا بالعالم", "नमस्ते दुनिया क्षेत्र", "สวัสดีชาวโลก", "שלום עולם",
    "Γεια σου κόσμε", "👩🏽‍🚒 😀😀", "one\r\ntwo\r\n", "e\u0301 ﬁ\u200b \u00a0",
)  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS)
def test_every_script_emoji_and_line_end_comes_back_exactly(text: str, tmp_path: Path) -> None:
    one = conversation("c", (f"{text} Mira Holt\r\n{text}", f"{text}Mira Holt {text}"))
    corpus = write(tmp_path / "c.jsonl", [one])
    for number, (scope, size, unit) in enumerate(
        (scope, size, unit)
        for scope in ("message", "conversation")
        for size, unit in ((24, "chars"), (6, "words"))
    ):
        out = tmp_path / f"{number}.jsonl"
        shape = Shape(scope, True, windowing("slide", size, unit, 0.5))  # type: ignore[arg-type]
        detect(Run(corpus, Choice(toy()), out, shape))
        (row,) = lines(out)
        found = [
            one.turns[0].message(span["source"])[span["start"] : span["end"]]
            for span in row["spans"]
        ]
        assert found == ["Mira Holt"] * 2


def test_only_the_languages_asked_for_are_run(tmp_path: Path) -> None:
    both = [conversation("c-en", ("a", "")), conversation("c-de", ("b", ""), language="de")]
    corpus = write(tmp_path / "c.jsonl", both)
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("mask-all"), out, languages=("de",)))
    assert [row["id"] for row in lines(out)] == ["c-de"]


class Broken:
    name, version = "broken", "1"

    def detect(self, passages: object) -> object:
        raise KeyError("Mira Holt")


def test_an_exception_in_a_detector_is_a_failure_that_quotes_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tracegen.detectors.run.make_detector", lambda choice: Broken())
    outcome = detect(Run(corpus, Choice("broken"), tmp_path / "preds.jsonl"))
    assert [failure.kind for failure in outcome.failures] == ["exception"] * 5
    assert outcome.failures[0].detail.startswith("KeyError in detect")
    assert "Mira" not in (tmp_path / "preds.jsonl.run.json").read_text()
    assert "KeyError" in capfd.readouterr().err


def test_spans_of_wrong_types_are_refused() -> None:
    passage = detector_protocol.Passage("p", "text", "en")
    for wrong in (None, "ab", [(0, 1)], [(0.0, 1, "x")], [(True, 2, "x")], [(0, 9, "x")],
                  [(2, 1, "x")], [(-1, 1, "x")], [(0, 1, 3)], [(0, 1, "x", "high")]):  # fmt: skip
        with pytest.raises(detector_protocol.DetectorFailure):
            detector_protocol.checked(passage, wrong)


def test_the_command_exits_1_and_names_the_conversation_that_failed(
    corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "preds.jsonl"
    words = ["detect", str(corpus), "--detector", toy("--fail", "crash"), "-o", str(out)]
    assert command_line(words) == 1
    said = capfd.readouterr()
    assert "c-4: crash: the program ended with exit code 7" in said.err
    assert said.out == ""


def test_the_command_says_how_to_score(
    corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "preds.jsonl"
    words = ["detect", str(corpus), "--detector", "presidio-patterns", "-o", str(out)]
    assert command_line(words) == 0
    assert f"tracegen score {corpus} {out} --labels presidio" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--detector", "presidio"], "did you mean"),
        (["--detector", "command:"], "needs the program's words"),
        (["--detector", "null:x"], "takes no argument"),
        (["--detector", "null", "--scope", "turn"], "unknown scope"),
        (["--detector", "null", "--languages", "xx"], "unknown language"),
        (["--detector", "http://example.com/"], "another machine"),
        (["--detector", "hf:/nowhere"], "no config.json"),
        (["--detector", "gliner:/nowhere"], "no such folder"),
        (["--detector", "presidio-spacy:en=no_such_model"], "not installed"),
    ],
)
def test_bad_words_are_one_line_and_exit_2(
    corpus: Path, tmp_path: Path, words: list[str], problem: str,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    said = refusal([str(corpus), *words], tmp_path / "preds.jsonl", capfd)
    assert problem in said


def test_a_conversation_twice_in_a_corpus_is_refused(tmp_path: Path) -> None:
    corpus = write(tmp_path / "c.jsonl", [conversation("c", ("a", ""))] * 2)
    with pytest.raises(InputError, match="'c' twice"):
        detect(Run(corpus, Choice("null"), tmp_path / "preds.jsonl"))


def test_the_scorer_asks_for_a_conversation_that_failed(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice(toy("--fail", "crash")), out))
    with pytest.raises(InputError, match="c-4"):
        score(corpus, out)
    json.loads(out.with_name(out.name + ".run.json").read_text())
