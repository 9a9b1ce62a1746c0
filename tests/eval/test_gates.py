"""Gates judge counts, tell "not measurable" from "pass", and hold slices against a baseline."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.eval.records import conversation, lines, span
from tracegen.errors import InputError
from tracegen.eval.baseline import against, difference
from tracegen.eval.gates import judge, passed
from tracegen.eval.limits import Limits, read_limits, recall_floors, with_flags
from tracegen.eval.report import Report
from tracegen.eval.statistics import wilson
from tracegen.eval.terminal import show

TEXT = "Ada has 12 3456"


def corpus(size: int, hits: int, language: str = "en") -> tuple[list[Any], list[Any]]:
    """Conversations with a name and a number each; the number is found in some."""
    gold, found = [], []
    for number in range(size):
        name = span(TEXT, "Ada", "private_person", entity_id="person_1")
        account = span(TEXT, "12 3456", "account_number", entity_id="account_1")
        row_id = f"{language}{number}"
        gold.append(conversation(row_id, TEXT, spans=[name, account], language=language))
        found.append({"id": row_id, "spans": [name, account] if number < hits else [name]})
    return gold, found


def report_of(scored: Any, size: int = 3, hits: int = 2, **options: Any) -> Report:
    report: Report = scored(*corpus(size, hits), options=options).report
    return report


def verdicts(report: Report, limits: Limits, **choices: Any) -> dict[str, str]:
    return {gate["name"]: gate["verdict"] for gate in judge(report, limits, **choices)}


def test_counts_pass_at_the_limit_and_fail_above_it(scored: Any) -> None:
    report = report_of(scored)
    for limit, verdict in ((1, "pass"), (0, "fail")):
        gates = verdicts(
            report,
            Limits(max_leaks=limit, max_high_severity_leaks=limit, max_leaking_documents=limit),
        )
        assert gates.pop("max_invalid") == "pass"
        assert set(gates.values()) == {verdict}
    assert verdicts(report, Limits(max_leaked_characters=7))["max_leaked_characters"] == "pass"
    assert verdicts(report, Limits(max_leaked_characters=6))["max_leaked_characters"] == "fail"


def test_ratios_are_compared_as_counts_and_not_as_rounded_numbers(scored: Any) -> None:
    report = report_of(scored)
    recall = {"min_recall": 5 / 6}
    assert round(report["metrics"]["exact_typed"]["recall"], 6) == 0.833333
    assert verdicts(report, Limits(min_recall=0.8333333))["min_recall"] == "pass"
    assert verdicts(report, Limits(min_recall=0.83333334))["min_recall"] == "fail"
    assert recall["min_recall"] < 0.83333334


def test_a_floor_for_one_label(scored: Any) -> None:
    floors = recall_floors(["0.8", "account_number=0.7", "private_person:1"])
    gates = verdicts(report_of(scored), Limits(**floors))
    assert gates["min_recall"] == "pass"
    assert gates["min_recall[account_number]"] == "fail"
    assert gates["min_recall[private_person]"] == "pass"
    with pytest.raises(InputError, match="min_recall: unknown label 'money'"):
        verdicts(report_of(scored), Limits(min_label_recall={"money": 0.5}))
    with pytest.raises(InputError, match="must be FLOOR or LABEL=FLOOR"):
        recall_floors(["secret=high"])


def test_an_undefined_ratio_is_not_measurable_unless_allowed(scored: Any) -> None:
    report = report_of(scored)
    limits = Limits(max_fp0=0.1, min_cd_multi=0.9)
    assert verdicts(report, limits)["max_fp0"] == "not measurable"
    assert not passed(judge(report, limits))
    assert passed(judge(report, limits, allow_empty=True))


def test_the_bad_end_of_the_interval_is_stricter_than_the_value(scored: Any) -> None:
    report = report_of(scored, size=30, hits=29)
    limits = Limits(min_containment=0.95, max_leaks=1)
    assert verdicts(report, limits)["min_containment"] == "pass"
    assert verdicts(report, limits, gate_on="lower")["min_containment"] == "fail"
    with pytest.raises(InputError, match="needs --resamples"):
        verdicts(report, Limits(min_masking_precision=0.5), gate_on="lower")
    resampled = report_of(scored, size=30, hits=29, resamples=200)
    gates = verdicts(resampled, Limits(min_masking_precision=0.5), gate_on="lower")
    assert gates["min_masking_precision"] == "pass"


def test_the_bad_end_is_never_better_with_resamples_than_without(scored: Any) -> None:
    limits = Limits(min_recall=0.9, min_cd=0.9, max_fp0=0.5, min_masking_precision=0.9)
    gold, found = corpus(3, 3)
    gold.append(conversation("clean", "Nothing"))
    found.append({"id": "clean", "spans": []})
    resampled = scored(gold, found, options={"resamples": 200}).report
    assert resampled["intervals"]["exact_typed.recall"]["low"] == 1.0
    assert passed(judge(resampled, limits))
    judged = {gate["name"]: gate for gate in judge(resampled, limits, gate_on="lower")}
    assert judged["min_recall"]["value"] == pytest.approx(wilson(6, 6)[0], abs=1e-6)
    assert judged["max_fp0"]["value"] == pytest.approx(wilson(0, 1)[1], abs=1e-6)
    assert judged["min_masking_precision"]["value"] == pytest.approx(wilson(6, 6)[0], abs=1e-6)
    assert {gate["verdict"] for name, gate in judged.items() if name != "max_invalid"} == {"fail"}


def test_the_bad_end_is_the_lowest_of_wilson_conversations_and_templates(scored: Any) -> None:
    report = report_of(scored, size=30, hits=29, resamples=200)
    end = report["intervals"]["containment.recall"]
    end["low"] = 0.2
    assert judge(report, Limits(min_containment=0.2), gate_on="lower")[-1]["value"] == 0.2
    end["template"] = {"low": 0.1, "high": 1.0}
    gate = judge(report, Limits(min_containment=0.2), gate_on="lower")[-1]
    assert (gate["value"], gate["verdict"]) == (0.1, "fail")


def test_a_floor_for_a_label_without_gold_is_not_measurable(scored: Any) -> None:
    report, limits = report_of(scored, hits=3), Limits(min_label_recall={"secret": 0.9})
    assert verdicts(report, limits)["min_recall[secret]"] == "not measurable"
    assert passed(judge(report, limits, allow_empty=True))


def test_a_flag_replaces_one_floor_and_leaves_the_others_of_the_file() -> None:
    file = Limits(max_leaks=3, max_fp0=0.1, min_label_recall={"secret": 0.99, "private_url": 0.5})
    flags = {"max_fp0": 0.2, "max_leaks": None} | recall_floors(["private_url=0.7", "0.4"])
    limits = with_flags(file, flags)
    assert limits.min_label_recall == {"secret": 0.99, "private_url": 0.7}
    assert (limits.max_leaks, limits.max_fp0, limits.min_recall) == (3, 0.2, 0.4)


@pytest.mark.parametrize("name", sorted(set(Limits.model_fields) - {"min_label_recall"}))
@pytest.mark.parametrize("value", [-1, 5, 0.5, ".nan", ".inf", "yes", '"1"'])
def test_a_limit_that_no_score_can_mean_is_refused(name: str, value: Any, tmp_path: Path) -> None:
    share = name.startswith("min") or name == "max_fp0"
    path = tmp_path / "gates.yaml"
    path.write_text(f"{name}: {value}\n")
    if value == (0.5 if share else 5):
        assert getattr(read_limits(path), name) == value
        return
    message = "must be a share from 0 to 1" if share else "must be a whole number, 0 or more"
    with pytest.raises(InputError, match=rf"gates\.yaml:{name}\b.*: {message}"):
        read_limits(path)


def test_a_floor_of_a_file_is_refused_by_its_label(tmp_path: Path) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text("min_label_recall: {secret: 99}\n")
    with pytest.raises(InputError, match=r"gates\.yaml:min_label_recall\.secret: must be a share"):
        read_limits(path)


@pytest.mark.parametrize("value", [5.0, float("nan"), float("inf"), -0.1])
def test_a_flag_that_no_score_can_mean_is_refused(value: float) -> None:
    with pytest.raises(InputError, match=r"--max-fp0 \S+: must be a share from 0 to 1"):
        with_flags(Limits(), {"max_fp0": value})
    with pytest.raises(InputError, match="--max-leaks -1: must be a whole number, 0 or more"):
        with_flags(Limits(), {"max_leaks": -1})


def test_a_gates_file_with_an_unknown_gate_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text("max_leaks: 0\nmin_label_recall: {secret: 0.9}\n")
    assert read_limits(path).min_label_recall == {"secret": 0.9}
    path.write_text("max_leeks: 0\n")
    with pytest.raises(InputError, match=r"gates\.yaml:max_leeks: .* did you mean 'max_leaks'"):
        read_limits(path)
    path.write_text("max_leaks: [0\n")
    with pytest.raises(InputError, match="broken YAML"):
        read_limits(path)


def test_the_terminal_names_the_label_of_a_floor(scored: Any) -> None:
    report = report_of(scored)
    report["gates"] = judge(report, Limits(**recall_floors(["0.8", "account_number=0.7"])))
    console = Console(file=StringIO(), width=80)
    show(report, ["label"], console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"min_recall +0\.8 ", shown)
    assert re.search(r"min_recall\[account_number\] +0\.7 ", shown)


def test_the_baseline_gate_fires_where_a_slice_got_worse_beyond_noise(scored: Any) -> None:
    before, same = report_of(scored, 60, 58), report_of(scored, 60, 56)
    assert [gate["verdict"] for gate in against(same, before)] == ["pass"]
    worse = against(report_of(scored, 60, 30), before)
    assert worse[0]["verdict"] == "fail"
    assert "baseline[label=account_number.recall]" in {gate["name"] for gate in worse}
    assert "baseline[label=private_person.recall]" not in {gate["name"] for gate in worse}


def test_a_baseline_of_other_gold_is_refused(scored: Any) -> None:
    with pytest.raises(InputError, match="was scored on other gold"):
        against(report_of(scored, 3, 3), report_of(scored, 4, 3))


def test_the_noise_band_is_newcombes() -> None:
    low, high = difference({"k": 56, "n": 70}, {"k": 48, "n": 80}, z=1.959964)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


def test_lines_may_come_in_any_order_and_the_gates_stay(scored: Any, tmp_path: Path) -> None:
    gold, found = corpus(5, 3)
    one = scored(gold, found).report
    other = scored(gold[::-1], found[::-1]).report
    assert judge(one, Limits(max_leaks=0)) == judge(other, Limits(max_leaks=0))
    assert lines(tmp_path / "x.jsonl", gold).exists()
