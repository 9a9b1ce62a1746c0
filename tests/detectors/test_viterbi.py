import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracegen.detectors.viterbi import Scheme
from tracegen.errors import InputError

BIOES = dict(enumerate(["O", "B-x", "I-x", "E-x", "S-x", "B-y", "E-y"]))
BARE = {0: "O", 1: "x", 2: "E-y"}
BIO = {0: "O", 1: "B-x", 2: "I-x", 3: "B-y", 4: "I-y"}


SPELLINGS = {
    "BIOES": (BIOES, r"(?P<x>B-x (?:I-x )*E-x |S-x )|(?P<y>B-y E-y )|O "),
    "BIO": (BIO, r"(?P<x>B-x (?:I-x )*)|(?P<y>B-y (?:I-y )*)|O "),
    "bare": (BARE, r"(?P<x>(?:x )+)|(?P<y>(?:E-y )+)|O "),
}
"""Tags, and what they may spell: an expression for one span or one tag of none."""


@pytest.mark.parametrize("scheme", SPELLINGS)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 4))
def test_the_path_is_the_best_of_all_legal_ones(scheme: str, seed: int, length: int) -> None:
    names, spelling = SPELLINGS[scheme]
    logits = np.random.default_rng(seed).normal(size=(length, len(names)))
    legal = [
        path
        for path in itertools.product(range(len(names)), repeat=length)
        if re.fullmatch(f"(?:{spelling})*", "".join(f"{names[number]} " for number in path))
    ]
    best = max(legal, key=lambda path: sum(logits[i, tag] for i, tag in enumerate(path)))
    assert tuple(Scheme.of(names).best(logits)) == best
    text = "".join(f"{names[number]} " for number in best)
    spans = [
        (text[: hit.start()].count(" "), text[: hit.end()].count(" "), hit.lastgroup)
        for hit in re.finditer(spelling, text)
        if hit.lastgroup
    ]
    labels = {"x": "x", "y": "E-y" if scheme == "bare" else "y"}
    assert [run[:3] for run in Scheme.of(names).spans(logits)] == [
        (start, end, labels[group]) for start, end, group in spans
    ]


def one_hot(
    names: dict[int, str], *tags: str
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    numbers = {tag: number for number, tag in names.items()}
    logits = np.zeros((len(tags), len(names)))
    for row, tag in enumerate(tags):
        logits[row, numbers[tag]] = 9.0
    return logits


def spelled(names: dict[int, str], *tags: str) -> list[tuple[int, int, str]]:
    return [run[:3] for run in Scheme.of(names).spans(one_hot(names, *tags))]


def test_neighbours_of_one_label_stay_two_spans() -> None:
    assert spelled(BIOES, "B-x", "E-x", "S-x", "B-x", "I-x", "E-x") == [
        (0, 2, "x"), (2, 3, "x"), (3, 6, "x"),
    ]  # fmt: skip
    assert spelled(BIO, "B-x", "I-x", "B-x", "B-y", "I-y", "O") == [
        (0, 2, "x"), (2, 3, "x"), (3, 5, "y"),
    ]  # fmt: skip


def test_a_span_that_never_closes_is_repaired_by_the_scheme() -> None:
    logits = one_hot(BIOES, "O", "B-x", "I-x", "O")
    logits[3, 3] = 8.9  # E-x is nearly as likely
    assert [run[:3] for run in Scheme.of(BIOES).spans(logits)] == [(1, 4, "x")]


def test_l_and_u_are_e_and_s() -> None:
    names = {0: "O", 1: "B-x", 2: "I-x", 3: "L-x", 4: "U-x"}
    assert spelled(names, "U-x", "B-x", "L-x") == [(0, 1, "x"), (1, 3, "x")]


def test_bare_labels_join_while_they_last() -> None:
    names = {0: "O", 1: "PERSON", 2: "DATE"}
    assert spelled(names, "PERSON", "PERSON", "DATE", "O", "PERSON") == [
        (0, 2, "PERSON"), (2, 3, "DATE"), (4, 5, "PERSON"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "label", ["E-MAIL", "S-NUMBER", "U-NUMBER", "L-DAY"], ids=lambda name: str(name)[0]
)
def test_a_bare_label_with_a_dash_is_no_position(label: str) -> None:
    names = {0: "O", 1: "PERSON", 2: label}
    assert spelled(names, label, label, label, "O", "PERSON") == [
        (0, 3, label), (4, 5, "PERSON"),
    ]  # fmt: skip


def test_a_position_that_nothing_begins_belongs_to_the_label() -> None:
    names = {0: "O", 1: "B-x", 2: "I-x", 3: "E-MAIL"}
    assert spelled(names, "B-x", "I-x", "E-MAIL", "E-MAIL") == [(0, 2, "x"), (2, 4, "E-MAIL")]


def test_a_label_with_a_dash_keeps_it_behind_its_position() -> None:
    names = {0: "O", 1: "B-E-MAIL", 2: "I-E-MAIL"}
    assert spelled(names, "B-E-MAIL", "I-E-MAIL") == [(0, 2, "E-MAIL")]


def test_a_scheme_of_i_alone_may_open_with_i() -> None:
    assert spelled({0: "O", 1: "I-x"}, "O", "I-x", "I-x") == [(1, 3, "x")]


def test_scores_are_probabilities() -> None:
    (run,) = Scheme.of(BIO).spans(one_hot(BIO, "B-x", "I-x"))
    assert 0.99 < run.score <= 1


def test_no_token_is_no_span() -> None:
    assert Scheme.of(BIO).spans(np.zeros((0, 5))) == []


@pytest.mark.parametrize("names", [{}, {1: "O", 2: "B-x"}, {0: "B-x", 1: "I-x"}])
def test_a_label_list_without_sense_is_refused(names: dict[int, str]) -> None:
    with pytest.raises(InputError, match="id2label"):
        Scheme.of(names)
