"""Weighted strata: the sizes in the file are those of the corpus."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, span
from tracegen.errors import InputError
from tracegen.eval.weights import read_strata


def corpus() -> tuple[list[Row], list[Row]]:
    """Three conversations of slice x, two of them German, and one of slice y."""
    mark = span("Ada came", "Ada", "private_person")
    gold = [
        conversation("a", "Ada came", spans=[mark], slice="x", language="de"),
        conversation("b", "Ada came", spans=[mark], slice="x", language="de"),
        conversation("c", "Nothing", slice="x", language="en"),
        conversation("d", "Ada came", spans=[mark], slice="y", language="de"),
    ]
    return gold, [{"id": row["id"], "spans": row["spans"]} for row in gold]


def strata(**sizes: tuple[int, int]) -> Row:
    pairs = sizes.items()
    cells = {name: {"population": whole, "sampled": part} for name, (whole, part) in pairs}
    return {"by": "slice", "strata": cells}


def test_counts_are_weighted_by_population_over_sampled(scored: Any) -> None:
    options = {"strata": strata(x=(300, 3), y=(7, 1))}
    block = scored(*corpus(), options=options).report["metrics"]["weighted"]
    assert block["exact_typed"]["gold"] == 207.0
    assert block["negatives"]["documents"] == 100.0


def test_scoring_a_part_of_the_corpus_leaves_the_weights_as_they_are(scored: Any) -> None:
    options = {"strata": strata(x=(300, 3), y=(7, 1)), "only": ("de",)}
    block = scored(*corpus(), options=options).report["metrics"]["weighted"]
    assert block["exact_typed"]["gold"] == 207.0


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"x": (300, 50), "y": (7, 1)}, "slice 'x' has 3 conversations in the corpus, not 50"),
        ({"x": (300, 2), "y": (7, 1)}, "slice 'x' has 3 conversations in the corpus, not 2"),
        ({"x": (300, 3), "y": (7, 1), "z": (9, 9)}, "slice 'z' has 0 conversations in the corpus"),
        ({"x": (300, 3)}, "unknown slice 'y'"),
    ],
)
def test_sizes_that_are_not_those_of_the_corpus_are_refused(
    sizes: dict[str, tuple[int, int]], message: str, scored: Any
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        scored(*corpus(), options={"strata": strata(**sizes)})


@pytest.mark.parametrize("sampled", [0, 8])
def test_a_sample_is_neither_empty_nor_larger_than_what_it_is_of(
    sampled: int, tmp_path: Path
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(f"by: slice\nstrata:\n  x: {{population: 7, sampled: {sampled}}}\n")
    with pytest.raises(InputError, match=r"strata\.x: needs 0 < sampled <= population"):
        read_strata(path)
