"""The naive scorer agrees on random corpora, and what holds of any corpus holds."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.eval.naive import Naive
from tests.eval.records import Row
from tracegen.eval.alignment import align
from tracegen.eval.counting import count
from tracegen.eval.gold import Gold
from tracegen.eval.labels import load_map
from tracegen.eval.metrics import metrics
from tracegen.eval.options import Options, select
from tracegen.eval.placing import Predictions
from tracegen.eval.predictions import Prediction, Record, place
from tracegen.eval.rows import Mark, Turn, gold_of
from tracegen.eval.rows import Row as GoldRow
from tracegen.eval.scoring import Scored, score
from tracegen.seeds import Stream

LABELS = ("private_person", "private_email", "secret")
IDENTITY_MAP = load_map("tracegen")


@st.composite
def marks(draw: Any, lengths: Sequence[int], most: int) -> list[Row]:
    """Spans in messages that are long enough to hold one."""
    found = []
    places = [number for number, length in enumerate(lengths) if length]
    for _ in range(draw(st.integers(0, most)) if places else 0):
        number = draw(st.sampled_from(places))
        start = draw(st.integers(0, lengths[number] - 1))
        end = draw(st.integers(start + 1, min(lengths[number], start + 8)))
        found.append(
            {
                "message": number,
                "start": start,
                "end": end,
                "label": draw(st.sampled_from(LABELS)),
                "entity": draw(st.sampled_from("abc")),
            }
        )
    return found


@st.composite
def documents(draw: Any) -> list[Row]:
    """Conversations of a few short messages with gold and predictions."""
    result = []
    for number in range(draw(st.integers(1, 5))):
        lengths = draw(st.lists(st.integers(0, 14), min_size=2, max_size=6))
        lengths += [0] * (len(lengths) % 2)
        gold = draw(marks(lengths, 5))
        found = draw(marks(lengths, 6))
        near = [
            {**mark, "end": mark["end"] - draw(st.integers(0, 1)), "start": mark["start"]}
            for mark in gold
            if draw(st.booleans())
        ]
        found += [mark for mark in near if mark["start"] < mark["end"]]
        result.append(
            {
                "id": f"d{number}",
                "lengths": lengths,
                "gold": gold,
                "found": found,
                "language": draw(st.sampled_from(("en", "de"))),
            }
        )
    return result


def run(rows: list[Row], **choices: Any) -> Scored:
    """Score with the real scorer, from objects."""
    gold, found = _placed(rows)
    return score(gold, found, options=Options(**choices))


def headline(rows: list[Row], **choices: Any) -> Row:
    """The real scorer's metrics alone, without strata, which take longest."""
    gold, found = _placed(rows)
    options = Options(**choices)
    alignment = align(gold, found, IDENTITY_MAP, select(gold, options), options)
    return metrics(count(alignment).sums(), tolerance=options.tolerance)


def _placed(rows: list[Row]) -> tuple[Gold, Predictions]:
    gold, records = [], []
    for row in rows:
        pairs = zip(row["lengths"][::2], row["lengths"][1::2], strict=True)
        turns = [Turn(i, "x" * user, "x" * reply) for i, (user, reply) in enumerate(pairs)]
        spans = [
            Mark(**_where(mark), label=mark["label"], entity_id=mark["entity"])
            for mark in row["gold"]
        ]
        gold.append(GoldRow(row["id"], turns, spans, language=row["language"]))
        found = [Prediction(**_where(mark), label=mark["label"]) for mark in row["found"]]
        records.append((row["id"], Record(row["id"], found)))
    laid = gold_of(gold)
    return laid, place(records, laid, "codepoint")


def _where(mark: Row) -> Row:
    number = mark["message"]
    source = ("user", "assistant")[number % 2]
    return {
        "turn": number // 2,
        "source": source,
        "start": mark["start"],
        "end": mark["end"],
    }


def part(expected: Any, actual: Any) -> Any:
    if isinstance(expected, dict):
        return {key: part(value, actual[key]) for key, value in expected.items()}
    return actual


@settings(max_examples=300, deadline=None)
@given(documents())
def test_the_naive_scorer_agrees(rows: list[Row]) -> None:
    expected = Naive(rows).metrics()
    assert part(expected, headline(rows)) == expected


def drawn(stream: Stream) -> list[Row]:
    """The same kind of corpus, drawn faster than Hypothesis can."""
    result = []
    for number in range(stream.between(1, 4)):
        lengths = [stream.below(15) for _ in range(2 * stream.between(1, 3))]
        gold = drawn_marks(stream, lengths, 5)
        near = [
            {**mark, "end": mark["end"] + stream.between(-1, 1), "label": stream.choice(LABELS)}
            for mark in gold
        ]
        fitting = [one for one in near if one["start"] < one["end"] <= lengths[one["message"]]]
        found = [*drawn_marks(stream, lengths, 4), *fitting]
        name = f"d{number}"
        result.append(
            {"id": name, "lengths": lengths, "gold": gold, "found": found, "language": "en"}
        )
    return result


def drawn_marks(stream: Stream, lengths: list[int], most: int) -> list[Row]:
    places = [number for number, length in enumerate(lengths) if length]
    marks = []
    for _ in range(stream.below(most + 1) if places else 0):
        number = stream.choice(places)
        start = stream.below(lengths[number])
        end = stream.between(start + 1, min(lengths[number], start + 8))
        label, entity = stream.choice(LABELS), stream.choice("abc")
        marks.append(
            {"message": number, "start": start, "end": end, "label": label, "entity": entity}
        )
    return marks


@pytest.mark.parametrize("part_of_ten", range(10))
def test_the_naive_scorer_agrees_on_thousands_of_corpora(part_of_ten: int) -> None:
    for number in range(250):
        rows = drawn(Stream("naive", part_of_ten, number))
        expected = Naive(rows).metrics()
        assert part(expected, headline(rows)) == expected, (part_of_ten, number)


@settings(max_examples=200, deadline=None)
@given(documents(), st.integers(0, 5))
def test_tolerance_finds_a_largest_matching(rows: list[Row], tolerance: int) -> None:
    small = [{**row, "gold": row["gold"][:4], "found": row["found"][:4]} for row in rows[:2]]
    found = headline(small, tolerance=tolerance)
    assert found["tolerance"]["tp"] == Naive(small).matched(tolerance)


@settings(max_examples=60, deadline=None)
@given(documents(), st.randoms(use_true_random=False))
def test_the_order_of_records_spans_and_predictions_is_nothing(
    rows: list[Row], random: Any
) -> None:
    shuffled = [
        {**row, "gold": shuffle(row["gold"], random), "found": shuffle(row["found"], random)}
        for row in shuffle(rows, random)
    ]
    one, other = run(rows).report, run(shuffled).report
    assert one["metrics"] == other["metrics"]
    assert one["by"] == other["by"]
    unique = {(row["id"], *_place(mark)) for row in rows for mark in row["gold"]}
    if len(unique) == sum(len(row["gold"]) for row in rows):
        assert one["signature"] == other["signature"]


def _place(mark: Row) -> tuple[Any, ...]:
    return mark["message"], mark["start"], mark["end"], mark["label"]


def shuffle(values: list[Any], random: Any) -> list[Any]:
    return list(random.sample(values, len(values)))


@settings(max_examples=60, deadline=None)
@given(documents())
def test_renaming_the_labels_renames_the_cells_and_changes_nothing_else(rows: list[Row]) -> None:
    names = dict(zip(LABELS, (*LABELS[1:], LABELS[0]), strict=True))

    def renamed(found: list[Row]) -> list[Row]:
        return [{**mark, "label": names[mark["label"]]} for mark in found]

    turned = [{**row, "gold": renamed(row["gold"]), "found": renamed(row["found"])} for row in rows]
    one, other = run(rows, high_severity=()).report, run(turned, high_severity=()).report
    assert one["metrics"] == other["metrics"]
    moved = {names[label]: cell for label, cell in one["by"]["label"].items()}
    assert other["by"]["label"] == moved


@settings(max_examples=60, deadline=None)
@given(documents())
def test_pooled_counts_are_the_sums_of_the_parts(rows: list[Row]) -> None:
    whole = run(rows).counts.sums()
    parts = [run([row]).counts.sums() for row in rows]
    assert whole == {name: sum(one[name] for one in parts) for name in whole}
    cells = run(rows).report["by"]["language"].values()
    assert whole["leaks"] == sum(cell["leaks"]["spans"] for cell in cells)


@settings(max_examples=200, deadline=None)
@given(documents())
def test_exact_hits_are_contained_and_contained_ones_overlap(rows: list[Row]) -> None:
    found = headline(rows)
    exact, contained = found["exact_typed"]["tp"], found["containment"]["gold_hit"]
    assert exact <= contained <= found["overlap"]["gold_hit"]
    taxonomy = found["taxonomy"]
    fates = sum(taxonomy[name] for name in ("exact", "shift", "wrong_type", "miss"))
    assert fates == found["exact_typed"]["gold"]


@settings(max_examples=100, deadline=None)
@given(documents())
def test_masking_everything_covers_every_identifier_at_a_price(rows: list[Row]) -> None:
    everything = [
        {
            **row,
            "found": [
                {"message": number, "start": 0, "end": length, "label": "secret"}
                for number, length in enumerate(row["lengths"])
                if length
            ],
        }
        for row in rows
    ]
    found = headline(everything)
    assert found["leaks"]["spans"] == 0
    assert found["identifiers"]["all"]["rate"] in (None, 1.0)
    if found["negatives"]["characters"]:
        assert found["negatives"]["masked_fraction"] == 1.0
    assert found["characters"]["predicted"] == sum(sum(row["lengths"]) for row in rows)


@settings(max_examples=100, deadline=None)
@given(documents())
def test_splitting_a_prediction_in_two_changes_no_character_and_no_leak(rows: list[Row]) -> None:
    halves = []
    for row in rows:
        found = []
        for mark in row["found"]:
            middle = (mark["start"] + mark["end"]) // 2
            found += [{**mark, "end": middle}, {**mark, "start": middle}]
        halves.append({**row, "found": [one for one in found if one["start"] < one["end"]]})
    one, other = headline(rows), headline(halves)
    for name in ("characters", "leaks", "identifiers"):
        assert one[name] == other[name]


@pytest.mark.parametrize("extra", [True, False])
@settings(max_examples=50, deadline=None)
@given(rows=documents())
def test_a_false_positive_never_raises_precision(extra: bool, rows: list[Row]) -> None:
    clean = {"id": "z", "lengths": [9, 0], "gold": [], "found": [], "language": "en"}
    false = [{"message": 0, "start": 1, "end": 4, "label": "secret"}] if extra else []
    one = headline([*rows, clean])
    other = headline([*rows, {**clean, "found": false}])
    for name in ("exact_typed", "characters", "containment"):
        before, after = one[name]["precision"], other[name]["precision"]
        assert after is None or before is None or after <= before
        assert one[name]["recall"] == other[name]["recall"]
    assert one["identifiers"] == other["identifiers"]
