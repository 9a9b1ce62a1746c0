from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, processors

from tests.detectors.models import every_tokenizer
from tests.detectors.scripts import SAMPLES
from tracegen.detectors.protocol import Found
from tracegen.detectors.windows import Window, Windowing, merge, windowing
from tracegen.errors import InputError
from tracegen.units import read_unit

FAMILIES = ("bytes", "byte pairs", "word pieces", "unigrams")


def cut(text: str, policy: str, size: int, unit: str = "chars", overlap: float = 0.5) -> list[str]:
    found = windowing(policy, size, unit, overlap).windows(text)
    return [text[window.start : window.end] for window in found]


def test_chunks_lie_side_by_side_and_lose_no_character() -> None:
    assert cut("one two  three four five", "chunk", 2, "words") == [
        "one two  ",
        "three four ",
        "five",
    ]


def test_truncate_keeps_the_first_window_alone() -> None:
    assert cut("one two three four", "truncate", 3, "words") == ["one two three "]


def test_sliding_windows_overlap_by_the_share_asked_for() -> None:
    assert cut("abcdefgh", "slide", 4) == ["abcd", "cdef", "efgh"]
    assert cut("abcdefgh", "slide", 4, overlap=0.25) == ["abcd", "defg", "gh"]


def test_a_text_no_longer_than_the_window_is_one_window() -> None:
    for policy in ("truncate", "chunk", "slide"):
        assert cut("one two", policy, 2, "words") == ["one two"]


def test_an_empty_text_has_no_window() -> None:
    assert cut("", "chunk", 3) == []


@pytest.mark.parametrize(
    ("policy", "size", "unit", "overlap", "problem"),
    [
        ("slice", 3, "chars", 0.5, "unknown policy"),
        ("chunk", None, "chars", 0.5, "needs --window"),
        ("whole", 3, "chars", 0.5, "--window says how to cut"),
        ("chunk", 0, "chars", 0.5, "must be 1 or more"),
        ("slide", 3, "chars", 1.0, "less than 1"),
        ("slide", 3, "bytes", 0.5, "unknown unit"),
        ("slide", 3, "tokens:/nowhere.json", 0.5, "no such tokenizer.json"),
    ],
)
def test_a_choice_that_means_nothing_is_refused(
    policy: str, size: int | None, unit: str, overlap: float, problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        windowing(policy, size, unit, overlap)


def covers(text: str, policy: str, size: int, unit: str, overlap: float) -> None:
    """Check that windows leave no character out and hold no more than they may."""
    found = windowing(policy, size, unit, overlap).windows(text)
    counted = read_unit(unit)
    reach = 0
    for window in found:
        assert window.start <= reach < window.end
        reach = window.end
        if counted.count(text[window.start : window.end]) > size:
            own = [place for place in counted.starts(text).places if place in range(*window)]
            assert size < 8, "only a tiny window is too small for the text of one token"
            assert len(own) <= 1
    assert reach == len(text)


@given(
    st.text("ab \n\tя한😀", max_size=60),
    st.sampled_from(["chunk", "slide"]),
    st.integers(1, 12),
    st.sampled_from(["chars", "words"]),
    st.floats(0, 0.9),
)
def test_windows_cover_a_text_without_a_gap(
    text: str, policy: str, size: int, unit: str, overlap: float
) -> None:
    covers(text, policy, size, unit, overlap)


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The units of a tokenizer of each common family."""
    folder = tmp_path_factory.mktemp("tokenizers")
    return {name: f"tokens:{file}" for name, file in every_tokenizer(folder).items()}


SIZED = st.integers(1, 24), st.floats(0, 0.9)


@pytest.mark.parametrize("family", FAMILIES)
@given(
    st.lists(st.sampled_from([*SAMPLES.values()]), max_size=3),
    st.text("ab \n\tя한你e\u0301क्ष😀👩🏽\u200d🚒🇰🇷", max_size=40),
    st.sampled_from(["chunk", "slide"]),
    *SIZED,
)
def test_a_window_of_tokens_never_has_more_than_it_may(
    tokenizers: dict[str, str], family: str, parts: list[str], rest: str, policy: str, size: int,
    overlap: float,
) -> None:  # fmt: skip
    covers("".join([*parts, rest]), policy, size, tokenizers[family], overlap)


@pytest.mark.parametrize("policy", ["truncate", "chunk", "slide"])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_model_with_that_limit_cuts_no_window(
    tokenizers: dict[str, str], name: str, policy: str
) -> None:
    text = SAMPLES[name] * 40
    for unit in tokenizers.values():
        found = windowing(policy, 102, unit, 0.5).windows(text)
        counts = [read_unit(unit).count(text[start:end]) for start, end in found]
        assert max(counts) <= 102
        # Windows are full, but for a character that did not fit in, and for the last one.
        assert all(count > 90 for count in counts[:-1])


def test_tokens_without_characters_of_their_own_are_counted(tmp_path: Path) -> None:
    tokenizer = Tokenizer.from_file(str(every_tokenizer(tmp_path)["bytes"]))
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    tokenizer.save(str(tmp_path / "trimmed.json"))
    unit = read_unit(f"tokens:{tmp_path / 'trimmed.json'}")
    assert unit.count("a   b") == 5
    assert cut("a   b", "chunk", 3, unit.name) == ["a  ", " b"]


def seen(text: str, *found: tuple[Window, list[Found]]) -> list[tuple[int, int, str]]:
    return [span[:3] for span in merge(text, found)]


TEXT = "aaaa bbbb cccc dddd"


def test_equal_spans_of_overlapping_windows_are_one_with_the_higher_score() -> None:
    merged = merge(
        TEXT,
        [
            (Window(0, 12), [Found(5, 9, "x", 0.3)]),
            (Window(4, 19), [Found(1, 5, "x", 0.7)]),
        ],
    )
    assert merged == [Found(5, 9, "x", 0.7)]


def test_a_span_cut_at_an_edge_gives_way_to_the_whole_one() -> None:
    assert seen(
        TEXT,
        (Window(0, 12), [Found(10, 12, "x")]),
        (Window(6, 19), [Found(4, 8, "x")]),
    ) == [(10, 14, "x")]


def test_halves_on_both_sides_of_an_edge_are_joined() -> None:
    assert seen(
        TEXT,
        (Window(0, 10), [Found(5, 9, "x")]),
        (Window(10, 19), [Found(0, 4, "x")]),
    ) == [(5, 14, "x")]


def test_halves_under_different_labels_stay_apart() -> None:
    assert seen(
        TEXT,
        (Window(0, 10), [Found(5, 9, "x")]),
        (Window(10, 19), [Found(0, 4, "y")]),
    ) == [(5, 9, "x"), (10, 14, "y")]


def test_whole_neighbours_inside_one_window_are_not_joined() -> None:
    assert seen(TEXT, (Window(0, 19), [Found(5, 9, "x"), Found(10, 14, "x")])) == [
        (5, 9, "x"),
        (10, 14, "x"),
    ]


def test_two_whole_views_that_differ_are_both_kept() -> None:
    assert seen(
        TEXT,
        (Window(0, 15), [Found(5, 9, "x")]),
        (Window(4, 19), [Found(1, 10, "x")]),
    ) == [(5, 9, "x"), (5, 14, "x")]


def test_a_value_over_three_small_windows_becomes_one_span() -> None:
    text = "abcdefghij"
    windows = Windowing("chunk", 4).windows(text)
    found = [(window, [Found(0, window.end - window.start, "x")]) for window in windows]
    assert seen(text, *found) == [(0, 10, "x")]


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=12, unique=True),
    st.integers(2, 15),
    st.sampled_from(["chunk", "slide"]),
)
def test_gold_seen_through_any_windows_comes_back_covered(
    points: list[int], size: int, policy: str
) -> None:
    text = "x" * 41
    ends = sorted(points)
    gold = [Found(a, b, "x") for a, b in zip(ends[::2], ends[1::2], strict=False)]
    found = []
    for window in windowing(policy, size, "chars", 0.5).windows(text):
        inside = [
            Found(max(g.start, window.start) - window.start,
                  min(g.end, window.end) - window.start, "x")
            for g in gold if g.start < window.end and window.start < g.end
        ]  # fmt: skip
        found.append((window, inside))
    covered = {at for span in merge(text, found) for at in range(span.start, span.end)}
    assert covered == {at for span in gold for at in range(span.start, span.end)}
