"""`--only` and `--ignore`: what is left out, and what still counts."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.eval.conftest import Scorer
from tests.eval.records import Row, conversation, lines, span
from tests.eval.test_naive import LABELS, documents, run
from tracegen.errors import InputError
from tracegen.eval import Limits, judge
from tracegen.eval.comparing import Procedure, compare
from tracegen.eval.mistakes import mistakes_of
from tracegen.eval.options import Options
from tracegen.eval.placing import TALLIES
from tracegen.eval.provenance import unmapped_share, unmapped_warning
from tracegen.eval.scoring import read_gold, score

TEXT = "Ada met Bo at ada@example.org today"


def mark(value: str, label: str, **fields: Any) -> Row:
    return span(TEXT, value, label, **fields)


def parts(report: Row) -> Row:
    """What asks for no label."""
    metrics = report["metrics"]
    return {
        "leaks": metrics["leaks"]["spans"],
        "characters": metrics["characters"]["tp"],
        "overlap": metrics["overlap"]["gold_hit"],
        "containment": metrics["containment"]["gold_hit"],
        "untyped": metrics["exact_untyped"]["tp"],
        "covered": metrics["identifiers"]["all"]["covered"],
        "taxonomy": {name: metrics["taxonomy"][name] for name in ("wrong_type", "miss")},
    }


CHOICES: tuple[Row, ...] = (
    {}, {"only": ("private_person",)}, {"ignore": ("secret",)},
    {"only": ("private_person",), "single": True},
    {"only": ("private_person",), "merge": "touching", "single": True},
)  # fmt: skip


@pytest.mark.parametrize("choices", CHOICES)
def test_a_mask_of_a_label_that_is_not_scored_still_masks(choices: Row, scored: Scorer) -> None:
    gold = [conversation("a", TEXT, spans=[mark("Ada", "private_person", entity_id="p")])]
    found = [{"id": "a", "spans": [mark("Ada", "secret")]}]
    result = scored(gold, found, options=choices)
    assert parts(result.report) == {
        "leaks": 0, "characters": 3, "overlap": 1, "containment": 1, "untyped": 1, "covered": 1,
        "taxonomy": {"wrong_type": 1, "miss": 0},
    }  # fmt: skip
    assert result.report["confusion"]["private_person"] == {"secret": 1}
    assert result.report["metrics"]["exact_typed"]["tp"] == 0
    assert result.report["predictions"]["ignored"] == 0
    assert result.report["predictions"]["deselected"] == (1 if choices else 0)


def test_a_mistake_names_the_label_that_is_not_scored(tmp_path: Path) -> None:
    row = conversation("a", TEXT, spans=[mark("Ada", "private_person")])
    gold = read_gold(lines(tmp_path / "g.jsonl", [row]), texts=True)
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": [mark("Ada", "secret")]}])
    result = score(gold, found, options=Options(only=("private_person",)))
    (mistake,) = mistakes_of(result.alignment)
    assert (mistake.kind, mistake.taken_for) == ("wrong_type", "secret")


def test_a_label_that_is_not_scored_costs_no_precision(scored: Scorer) -> None:
    decoy = {"turn": 0, "source": "user", "start": 8, "end": 10, "text": "Bo", "kind": "code"}
    gold = [
        conversation("a", TEXT, spans=[mark("Ada", "private_person")], decoys=[decoy]),
        conversation("b", TEXT),
    ]
    beside = [mark("Ada met Bo", "secret"), mark("today", "private_date")]
    found = [{"id": "a", "spans": [mark("Ada", "private_person"), *beside]}]
    found += [{"id": "b", "spans": beside}]
    metrics = scored(gold, found, options={"only": ("private_person",)}).report["metrics"]
    for name in ("exact_typed", "exact_untyped", "overlap", "containment"):
        assert metrics[name]["predicted"] == 1, name
    assert (metrics["characters"]["tp"], metrics["characters"]["predicted"]) == (3, 3)
    assert (metrics["negatives"]["flagged"], metrics["negatives"]["masked_characters"]) == (0, 0)
    assert metrics["decoys"]["code"]["hit"] == 0
    assert metrics["taxonomy"]["extra"] == 0


def apart(row: Row) -> Row:
    """The same conversation without gold that touches gold before it."""
    kept: list[Row] = []
    for one in sorted(row["gold"], key=lambda one: (one["message"], one["start"])):
        if not kept or (kept[-1]["message"], kept[-1]["end"]) <= (one["message"], one["start"]):
            kept.append(one)
    own = [{**one, "entity": one["entity"] + one["label"]} for one in kept]
    return {**row, "gold": own}


@settings(max_examples=100, deadline=None)
@given(documents())
def test_a_label_alone_has_the_cell_that_it_has_among_all(rows: list[Row]) -> None:
    rows = [apart(row) for row in rows]
    whole = run(rows).report["by"]["label"]
    for label in LABELS:
        metrics = run(rows, only=(label,)).report["metrics"]
        cell = whole.get(label)
        if cell is None or not cell["recall"]["n"]:
            assert metrics["exact_typed"]["gold"] == 0
            continue
        pairs = {
            "recall": (metrics["exact_typed"]["tp"], metrics["exact_typed"]["gold"]),
            "overlap": (metrics["overlap"]["gold_hit"], metrics["overlap"]["gold"]),
            "containment": (metrics["containment"]["gold_hit"], metrics["containment"]["gold"]),
            "characters": (metrics["characters"]["tp"], metrics["characters"]["gold"]),
        }
        assert pairs == {name: (cell[name]["k"], cell[name]["n"]) for name in pairs}
        covered = metrics["identifiers"]["all"]
        assert covered == cell["identifiers"]["all"]
        for name in ("exact_typed", "exact_untyped", "characters"):
            assert metrics[name]["tp"] <= metrics[name]["predicted"]


def test_gold_wholly_inside_neutral_gold_makes_no_clean_conversation(scored: Scorer) -> None:
    spans = [mark("Ada met Bo", "secret"), mark("Ada", "private_person")]
    gold = [conversation("a", TEXT, spans=spans)]
    found = [{"id": "a", "spans": [mark("today", "private_date")]}]
    metrics = scored(gold, found, options={"ignore": ("secret",)}).report["metrics"]
    assert metrics["exact_typed"]["gold"] == 0
    assert metrics["negatives"]["documents"] == 0
    assert metrics["negatives"]["audited"] == 0


def test_only_and_ignore_take_labels_and_languages(scored: Scorer) -> None:
    gold = [
        conversation(
            "a", TEXT, language="de",
            spans=[mark("Ada", "private_person"), mark("ada@example.org", "private_email")],
        ),
        conversation("b", "Nothing"),
    ]  # fmt: skip
    found: list[Row] = [{"id": "a", "spans": []}, {"id": "b", "spans": []}]

    def counted(**choices: Any) -> tuple[int, int]:
        report = scored(gold, found, options=choices).report
        return report["corpus"]["documents"], report["metrics"]["exact_typed"]["gold"]

    assert counted() == (2, 2)
    assert counted(only=("de",)) == (1, 2)
    assert counted(ignore=("de",)) == (1, 0)
    assert counted(only=("private_email",)) == (2, 1)
    assert counted(only=("de", "private_email"), ignore=("private_person",)) == (1, 1)
    with pytest.raises(InputError, match="unknown label or language 'xx'"):
        counted(only=("xx",))


def test_what_is_wrong_in_other_languages_is_not_counted(scored: Scorer) -> None:
    odd: list[Row] = [
        {**mark("Ada", "private_person"), "end": 999},
        {**mark("Ada", "private_person"), "end": 0},
        {"start": 0, "end": len(TEXT) + 3, "label": "private_person"},
    ]
    gold = [conversation("a", TEXT, "Reply"), conversation("b", TEXT, language="de")]
    found = [
        {"id": "a", "spans": [*odd, mark("Bo", "secret")]},
        {"id": "b", "spans": [mark("Bo", "SECRET")]},
    ]
    report = scored(gold, found, options={"only": ("de",)}).report
    assert report["corpus"]["languages"] == ["de"]
    assert report["predictions"] | {"unmapped": {}} == {
        "records": 1, "spans": 1, "invalid": 0, "zero_length": 0, "crossing": 0, "duplicates": 0,
        "ignored": 0, "deselected": 0, "neutral": 0, "unmapped": {},
    }  # fmt: skip
    assert [gate["verdict"] for gate in judge(report, Limits())] == ["pass"]
    assert unmapped_share(report) == 1
    assert "1 of 1 predictions (100%)" in (unmapped_warning(report, Path("found.jsonl")) or "")
    report["predictions"]["unmapped"] = {"two\nlines": 1}
    assert "two\\nlines" in (unmapped_warning(report, Path("found.jsonl")) or "")
    whole = scored(gold, found).report
    assert [whole["predictions"][name] for name in TALLIES] == [5, 1, 1, 1]
    assert whole["corpus"]["languages"] == ["de", "en"]


def test_a_comparison_in_one_language_refuses_labels_that_nobody_knows_there(
    tmp_path: Path,
) -> None:
    texts = [conversation(f"e{number}", TEXT) for number in range(5)]
    gold = lines(tmp_path / "g.jsonl", [*texts, conversation("d", TEXT, language="de")])
    known = [{"id": row["id"], "spans": [mark("Ada", "private_person")]} for row in texts]
    german = {"id": "d", "spans": [mark("Ada", "PERSON")]}
    found = lines(tmp_path / "p.jsonl", [*known, german])
    quick = Procedure(rounds=9, resamples=0)
    assert compare(gold, [found, found], procedure=quick)["pairs"]
    with pytest.raises(InputError, match="100% of the predictions have a label"):
        compare(gold, [found, found], options=Options(only=("de",)), procedure=quick)
