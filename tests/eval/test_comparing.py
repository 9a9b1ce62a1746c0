"""Comparisons, agreement and plans."""

from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.eval.records import Row, conversation, lines, span
from tracegen.cli import run
from tracegen.errors import InputError
from tracegen.eval.agreement import agree
from tracegen.eval.comparing import MEASURES, Procedure, compare, compare_runs
from tracegen.eval.difference_view import bar, markdown, show
from tracegen.eval.permutation import ENUMERATE_UP_TO, permuted_difference
from tracegen.eval.planning import plan
from tracegen.eval.resampling import draws
from tracegen.eval.scoring import score
from tracegen.eval.summary import NAMES, headline

TEXT = "Ada has 12 3456"
QUICK = Procedure(rounds=400, resamples=200)


def files(folder: Path, size: int, *hits: int) -> list[Path]:
    """A corpus and detectors that find the number in the first so many conversations."""
    gold = []
    for number in range(size):
        spans = [
            span(TEXT, "Ada", "private_person", entity_id="p"),
            span(TEXT, "12 3456", "account_number", entity_id="n"),
        ]
        gold.append(conversation(f"c{number}", TEXT, spans=spans, template_id=f"t{number % 3}"))
    paths = [lines(folder / "gold.jsonl", gold)]
    for number, count in enumerate(hits):
        records = [
            {"id": row["id"], "spans": row["spans"][: 2 if at < count else 1]}
            for at, row in enumerate(gold)
        ]
        paths.append(lines(folder / f"d{number}.jsonl", records))
    return paths


def test_a_detector_compared_with_itself_differs_in_nothing(tmp_path: Path) -> None:
    corpus, one, other = files(tmp_path, 5, 3, 3)
    (pair,) = compare(corpus, [one, other], procedure=QUICK)["pairs"]
    assert pair["differing_documents"] == 0
    recall = pair["measures"]["exact_typed.recall"]
    assert (recall["difference"], recall["low"], recall["high"], recall["p"]) == (0, 0, 0, 1)
    assert pair["mcnemar"] == {"only_first": 0, "only_second": 0, "p": None}
    assert {cell["p"] for cell in pair["slices"]} == {None}


def test_a_clear_gain_is_found_where_it_is(tmp_path: Path) -> None:
    corpus, one, other = files(tmp_path, 60, 20, 50)
    (pair,) = compare(corpus, [one, other], procedure=QUICK)["pairs"]
    recall = pair["measures"]["exact_typed.recall"]
    assert recall["difference"] == 0.25
    assert recall["p"] == round(1 / 401, 6)
    assert 0.15 < recall["low"] < 0.25 < recall["high"] < 0.35
    assert pair["mcnemar"]["only_second"] == 30
    cells = {cell["slice"]: cell for cell in pair["slices"]}
    assert cells["label=account_number"]["difference"] == 0.5
    assert cells["label=private_person"]["p"] is None
    assert cells["label=account_number"]["p_holm"] >= cells["label=account_number"]["p"]


def test_few_conversations_that_differ_are_permuted_exactly(tmp_path: Path) -> None:
    corpus, one, other = files(tmp_path, 6, 0, 3)
    (pair,) = compare(corpus, [one, other], procedure=QUICK)["pairs"]
    assert pair["differing_documents"] == 3
    assert pair["measures"]["exact_typed.recall"]["p"] == 0.25


def test_the_random_permutation_agrees_with_the_exact_one() -> None:
    change = np.array([1] * 9 + [-1] * 3)
    exact = permuted_difference(change, 1, 0)
    assert len(change) == ENUMERATE_UP_TO
    drawn = permuted_difference(np.append(change, [1, -1]), 20_000, 7)
    exact_with_two_more = 0.1796  # of 2^14 sign changes, those with |sum| >= 6
    assert drawn == pytest.approx(exact_with_two_more, abs=0.01)
    assert exact == pytest.approx(0.146, abs=0.001)


def test_draws_are_the_same_on_every_run_and_even() -> None:
    one = np.concatenate(list(draws(7, 3000, 5)))
    assert (one == np.concatenate(list(draws(7, 3000, 5)))).all()
    assert (np.bincount(one.reshape(-1).astype(np.int64), minlength=7) > 2800).all()
    assert one.shape == (3000, 7)


def test_three_detectors_are_each_held_against_the_first(tmp_path: Path) -> None:
    corpus, *found = files(tmp_path, 8, 4, 4, 8)
    result = compare(corpus, found, procedure=QUICK)
    assert [system["name"] for system in result["systems"]] == ["d0", "d1", "d2"]
    gaps = [pair["measures"]["exact_typed.recall"]["difference"] for pair in result["pairs"]]
    assert gaps == [0, 0.25]


def shown(comparison: Any, **choices: Any) -> str:
    out = StringIO()
    show(comparison, Console(file=out, width=80), **choices)
    return out.getvalue()


def test_a_comparison_calls_the_metrics_what_a_score_calls_them(tmp_path: Path) -> None:
    corpus, *found = files(tmp_path, 8, 4, 8)
    result = compare(corpus, found, procedure=QUICK)
    leaks = result["pairs"][0]["measures"]["leaks.span_rate"]
    assert (leaks["first"], leaks["second"], leaks["difference"]) == (0.25, 0, -0.25)
    names = {line.name.removeprefix("… ") for line in headline(score(corpus, found[0]).report)}
    for text in (shown(result), markdown(result)):
        assert "leaking mentions" in text
        assert "clean conversations flagged (FP0)" in text
        assert not any(path in text for path in MEASURES)
    assert {NAMES[path] for path in MEASURES} - names == {"characters, F1"}
    plot = next(
        line for line in shown(result).splitlines() if "leaking mentions" in line and "●" in line
    )
    assert plot.index("│") < plot.index("●")  # fewer leaks are drawn as better


def test_a_stratum_asked_for_is_shown_with_all_its_cells(tmp_path: Path) -> None:
    corpus, *found = files(tmp_path, 8, 4, 8)
    chosen = Procedure(by=("label", "language"), rounds=50, resamples=0)
    result = compare(corpus, found, procedure=chosen)
    for text in (shown(result, every=True), markdown(result, every=True)):
        cells = ("label=account_number", "label=private_person", "language=en")
        assert all(text.count(cell) == 1 for cell in cells)
    assert "label=private_person" not in shown(result)  # nothing changed there


def test_runs_on_different_gold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    corpus, found = files(tmp_path, 3, 3)
    other_corpus, other_found = files(tmp_path / "x", 4, 3)
    with pytest.raises(InputError, match="different gold"):
        compare_runs(score(corpus, found), score(other_corpus, other_found), QUICK)
    with pytest.raises(InputError, match="at least two"):
        compare(corpus, [found])
    with pytest.raises(InputError, match="3 label maps for 2 files"):
        compare(corpus, [found, found], labels=["tracegen"] * 3)


def test_a_bar_shows_an_interval_around_zero() -> None:
    assert bar(-1.0, 0.0, 1.0, 1.0, 9) == "├───●───┤"
    assert bar(0.5, 0.75, 1.0, 1.0, 9) == "    │ ├●┤"


def test_intervals_are_given_over_conversations_and_over_templates(scored: Any) -> None:
    gold = [
        conversation(f"c{n}", TEXT, spans=[span(TEXT, "Ada", "secret")], template_id=f"t{n % 4}")
        for n in range(40)
    ]
    found = [
        {"id": row["id"], "spans": row["spans"] if n % 4 else []} for n, row in enumerate(gold)
    ]
    report = scored(gold, found, options={"resamples": 500}).report
    interval = report["intervals"]["exact_typed.recall"]
    assert interval["low"] < 0.75 < interval["high"]
    assert interval["template"]["clusters"] == 4
    assert (interval["thin"], interval["template"]["thin"]) == (False, True)
    assert interval["template"]["high"] - interval["template"]["low"] > 2 * (
        interval["high"] - interval["low"]
    )
    assert report == scored(gold, found, options={"resamples": 500}).report


def annotated(folder: Path, name: str, spans: list[Row]) -> Path:
    return lines(folder / name, [conversation("a", "Ada Quill met Bo", spans=spans)])


def test_annotators_who_agree_have_kappa_one_for_characters_and_none_for_spans(
    tmp_path: Path,
) -> None:
    spans = [span("Ada Quill met Bo", "Ada Quill", "private_person")]
    path = annotated(tmp_path, "a.jsonl", spans)
    result = agree(path, path)
    assert result["characters"]["kappa"] == 1
    assert result["spans"] | {"labels": None} == {
        "ranges": 1, "both": 1, "only_first": 0, "only_second": 0, "kappa": None, "f1": 1.0,
        "labels": None,
    }  # fmt: skip
    assert result["disagreements"] == []


def test_disagreements_are_named_with_their_place_and_kind(tmp_path: Path) -> None:
    text = "Ada Quill met Bo"
    one = [span(text, "Ada Quill", "private_person"), span(text, "Bo", "private_person")]
    two = [span(text, "Ada", "private_person"), span(text, "Bo", "secret")]
    result = agree(annotated(tmp_path, "a.jsonl", one), annotated(tmp_path, "b.jsonl", two))
    kinds = [(item["side"], item["start"], item["kind"]) for item in result["disagreements"]]
    assert kinds == [
        (1, 0, "same label, other range"),
        (2, 0, "same label, other range"),
        (1, 14, "same range, other label"),
        (2, 14, "same range, other label"),
    ]
    # 16 characters: 3 both person, 2 person/secret, 6 person/outside, 5 outside on both sides
    observed, expected = 8 / 16, (11 * 3 + 0 * 2 + 5 * 11) / 256
    assert result["characters"]["kappa"] == round((observed - expected) / (1 - expected), 6)
    assert result["characters"]["labels"]["secret"]["kappa"] == 0


def test_annotations_of_different_text_are_refused(tmp_path: Path) -> None:
    one = lines(tmp_path / "a.jsonl", [conversation("a", "Ada")])
    other = lines(tmp_path / "b.jsonl", [conversation("a", "Eva")])
    with pytest.raises(InputError, match="'a' has different text"):
        agree(one, other)
    third = lines(tmp_path / "c.jsonl", [conversation("b", "Ada")])
    with pytest.raises(InputError, match="'a' is annotated on one side only"):
        agree(one, third)


def test_a_plan_names_the_cells_that_fall_short(tmp_path: Path) -> None:
    assert plan(half_width=0.05, recall=0.7) == {
        "half_width": 0.05, "recall": 0.7, "mentions": 323,
    }  # fmt: skip
    corpus, _ = files(tmp_path, 10, 1)
    result = plan(corpus, half_width=0.2, recall=0.5, by="label")
    assert result["mentions"] == 25
    assert result["cells"]["private_person"] == {
        "mentions": 10, "documents": 10, "missing": 15, "more_conversations": 15,
    }  # fmt: skip
    everything = plan(corpus, half_width=0.4, recall=0.5)
    assert everything["mentions"] == 7
    assert "en/private_person" not in everything["short"]
    assert "en/secret" in everything["short"]
    assert everything["cells"]["en/secret"]["more_conversations"] is None
    with pytest.raises(InputError, match="0 < recall < 1"):
        plan(recall=1.0)


def test_a_plan_says_of_which_language_or_label_more_is_needed(tmp_path: Path, capsys: Any) -> None:
    corpus, _ = files(tmp_path, 10, 1)
    (need,) = plan(corpus, half_width=0.2, recall=0.5)["needs"]
    assert (need["of"], need["more_conversations"]) == ("en", 15)
    assert need["most_for"] == "en/private_person"
    assert "en/secret" in need["absent"]
    (need,) = plan(corpus, half_width=0.2, recall=0.5, by="label")["needs"]
    assert (need["of"], need["most_for"], need["absent"]) == (None, "account_number", [])
    assert plan(corpus, half_width=0.4, recall=0.5, by="label")["needs"] == []
    words = ["plan", str(corpus), "--half-width", "0.2", "--recall", "0.5"]
    assert run(words) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "9 fall short" in out
    assert "more of language en: 15 more conversations (private_person needs most)" in out
    assert run([*words, "--by", "label"]) == 1
    assert "more needed: 15 more conversations" in capsys.readouterr().out
