"""Every case of `eval/cases/` comes out exactly as worked out by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.eval.records import conversation, lines, span
from tracegen.eval.gates import judge
from tracegen.eval.labels import LabelMap
from tracegen.eval.limits import Limits
from tracegen.eval.options import Options
from tracegen.eval.permutation import permuted_difference
from tracegen.eval.report import difference
from tracegen.eval.scoring import score
from tracegen.eval.statistics import holm, kappa, mcnemar, sample_size, wilson
from tracegen.resources import parse_yaml, read_text, room

ROOM = room("eval") / "cases"
Case = dict[str, Any]


def read(name: str) -> Any:
    path = ROOM / name
    return parse_yaml(read_text(path), path)


def span_cases() -> Iterator[Any]:
    for path in sorted(ROOM.glob("*.yaml")):
        for case in read(path.name).get("cases", []):
            yield pytest.param(case, id=f"{path.stem}: {case['name']}")


def gold_row(document: Case) -> Case:
    subjects = document.get("subjects", {})
    spans = [
        {**mark, "text": mark["value"], "entity_id": mark["entity"]}
        | ({"subject": subjects[mark["entity"]]} if mark["entity"] in subjects else {})
        for mark in document.get("gold", [])
    ]
    turns = [{"turn": number, **turn} for number, turn in enumerate(document["turns"])]
    decoys = [{**mark, "text": mark["value"]} for mark in document.get("decoys", [])]
    return {
        "id": document["id"],
        "language": "en",
        "source_corpus": document.get("corpus", "tracegen"),
        "turns": turns,
        "spans": spans,
        "decoys": decoys,
    }


def report_of(case: Case, folder: Path) -> Case:
    documents = case["documents"]
    corpus = lines(folder / "gold.jsonl", [gold_row(one) for one in documents])
    records = [{"id": one["id"], "spans": one.get("predicted", [])} for one in documents]
    choices: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in case.get("options", {}).items()
    }
    labels: Any = "tracegen"
    if "labels" in case:
        labels = LabelMap(
            detector="case", source="case", labels=case["labels"], ignore=case.get("drop", {})
        )
    report = score(
        corpus,
        lines(folder / "predicted.jsonl", records),
        labels=labels,
        offset_unit=case.get("unit", "codepoint"),
        options=Options(**choices),
    ).report
    report["gates"] = judge(report, Limits())
    return report


def found(report: Any, path: str) -> Any:
    for key in path.split("."):
        report = report[key]
    return report


def part(expected: Any, actual: Any) -> Any:
    """The actual value, narrowed to what is expected."""
    if isinstance(expected, dict):
        return {key: part(value, actual[key]) for key, value in expected.items()}
    return actual


@pytest.mark.parametrize("case", list(span_cases()))
def test_a_case_has_its_known_answer(case: Case, tmp_path: Path) -> None:
    report = report_of(case, tmp_path)
    for path, expected in case["expect"].items():
        actual = part(expected, found(report, path))
        assert difference(actual, expected) is None, (path, actual, expected)


STATISTICS = read("statistics.yaml")


@pytest.mark.parametrize("row", STATISTICS["wilson"])
def test_wilson_intervals_have_their_known_ends(row: Case) -> None:
    low, high = wilson(row["k"], row["n"], row["z"])
    digits = row["digits"]
    assert (round(low, digits), round(high, digits)) == (row["low"], row["high"])


@pytest.mark.parametrize("row", STATISTICS["sample_size"])
def test_sample_sizes_are_rounded_up(row: Case) -> None:
    assert sample_size(row["recall"], row["half_width"]) == row["mentions"]


@pytest.mark.parametrize("row", STATISTICS["mcnemar"])
def test_mcnemar_is_exact(row: Case) -> None:
    assert mcnemar(row["first"], row["second"]) == row["p"]


@pytest.mark.parametrize("row", STATISTICS["holm"])
def test_holm_corrects_several_p_values(row: Case) -> None:
    assert holm(row["p"]) == pytest.approx(row["corrected"])


@pytest.mark.parametrize("row", STATISTICS["kappa"])
def test_kappa_is_undefined_without_variation(row: Case) -> None:
    value = kappa(row["both"], row["first"], row["second"], row["neither"])
    assert value == (None if row["kappa"] is None else pytest.approx(row["kappa"]))


@pytest.mark.parametrize("row", STATISTICS["permutation"])
def test_few_documents_are_permuted_exactly(row: Case) -> None:
    change = np.array(row["second"]) - np.array(row["first"])
    assert permuted_difference(change, 100, 0) == row["p"]


@pytest.mark.parametrize("row", STATISTICS["weighted"])
def test_weighted_recall_is_that_of_the_population(row: Case, scored: Any) -> None:
    gold, predicted, sizes = [], [], {}
    for number, stratum in enumerate(row["strata"]):
        name = f"stratum{number}"
        sizes[name] = {"population": stratum["population"], "sampled": stratum["sampled"]}
        for one in range(stratum["sampled"]):
            mention = [span("Ada came", "Ada", "private_person")]
            spans = mention if one < stratum["gold"] else []
            gold.append(conversation(f"{name}-{one}", "Ada came", spans=spans, slice=name))
            hit = mention if one < stratum["hits"] else []
            predicted.append({"id": f"{name}-{one}", "spans": hit})
    options = {"strata": {"by": "slice", "strata": sizes}}
    block = scored(gold, predicted, options=options).report["metrics"]["weighted"]["exact_typed"]
    assert (block["tp"], block["gold"], block["recall"]) == (
        row["hits"],
        row["gold"],
        row["recall"],
    )


@pytest.mark.parametrize("row", STATISTICS["pooled"])
def test_published_identifier_coverage_pools_to_its_total(row: Case, scored: Any) -> None:
    gold, predicted = [], []
    for mentions, part in enumerate(row["parts"], 1):
        covered = round(part["identifiers"] * part["rate"])
        for number in range(part["identifiers"]):
            spans = [
                {"turn": 0, "source": "user", "start": start, "end": start + 3,
                 "label": "private_person", "text": "Ada", "entity_id": "person_1"}
                for start in range(0, 4 * mentions, 4)
            ]  # fmt: skip
            name, text = f"{mentions}-{number}", "Ada " * mentions
            gold.append(conversation(name, text, spans=spans))
            found = spans if number < covered else spans[:-1]  # all mentions, or all but one
            predicted.append({"id": name, "spans": found})
    block = scored(gold, predicted).report["metrics"]["identifiers"]
    cells = (block["buckets"]["1"], block["multi"])
    for part, cell in zip(row["parts"], cells, strict=True):
        assert (cell["total"], round(cell["rate"], 3)) == (part["identifiers"], part["rate"])
    assert round(block["all"]["rate"], 3) == row["rate"]
    assert block["all"]["total"] == sum(part["identifiers"] for part in row["parts"])
