"""Streams: independent, equal for equal paths, even."""

import pytest

from tracegen.seeds import Stream


def test_equal_paths_draw_equal_values() -> None:
    first, second = Stream("a", 1), Stream("a", 1)
    assert [first.random() for _ in range(40)] == [second.random() for _ in range(40)]


def test_the_first_draws_of_a_stream_never_change() -> None:
    stream = Stream("anchor", 7)
    assert [stream.below(1000) for _ in range(10)] == ANCHOR
    assert Stream("anchor", 7).mask("##-@@-??-[xy]-\\#") == MASK_ANCHOR


ANCHOR = [17, 230, 805, 971, 773, 816, 44, 631, 32, 175]
MASK_ANCHOR = "82-OV-ne-x-#"


def test_a_child_does_not_depend_on_what_was_drawn_before() -> None:
    fresh, used = Stream("parent"), Stream("parent")
    used.random()
    assert fresh.child("x").random() == used.child("x").random()


def test_paths_that_join_alike_differ() -> None:
    assert Stream("ab", "c").random() != Stream("a", "bc").random()


def test_draws_are_even_within_and_between_streams() -> None:
    inside = Stream("even")
    tens = [0] * 10
    for _ in range(20_000):
        tens[inside.below(10)] += 1
    assert min(tens) > 1800
    tens = [0] * 10
    for number in range(20_000):
        tens[int(Stream("even", number).mask("#"))] += 1
    assert min(tens) > 1800


def test_characters_of_a_long_mask_are_even_and_independent() -> None:
    texts = [Stream("mask", number).mask("#" * 20) for number in range(4000)]
    for place in range(20):
        assert 300 < sum(text[place] == "7" for text in texts) < 500
    pairs = sum(text[4] == text[5] for text in texts)
    assert 320 < pairs < 480


@pytest.mark.parametrize(("low", "high"), [(1, 6), (0, 0), (-3, 3)])
def test_between_includes_both_ends(low: int, high: int) -> None:
    drawn = {Stream("between", number).between(low, high) for number in range(300)}
    assert drawn == set(range(low, high + 1))


def test_a_shuffle_keeps_every_item() -> None:
    assert sorted(Stream("cards").shuffled(list(range(52)))) == list(range(52))
