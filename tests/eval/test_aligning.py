"""Characters of an original that came through in their place, however much was replaced."""

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracegen.eval.aligning import survivors
from tracegen.eval.longest import longest_common
from tracegen.seeds import Stream


def shown(original: str, output: str) -> str:
    """The original with a dot for every character that did not come through."""
    flags = survivors(original, output)
    return "".join(c if flag else "." for c, flag in zip(original, flags, strict=True))


@pytest.mark.parametrize(
    ("original", "output", "kept"),
    [
        ("Call 0612345678 now", "Call [PHONE]78 now", "Call ........78 now"),
        ("Call 0612345678 now", "Call XXXXXXXXXX now", "Call .......... now"),
        ("Call 0612345678 now", "Call XX12XXXXXX now", "Call ..12...... now"),
        ("Ada and Ada again", "[P] and Ada again", "... and Ada again"),
        ("Ada and Ada again", "Ada and [P] again", "Ada and ... again"),
        ("same text", "same text", "same text"),
        ("all gone", "", "........"),
        ("佐伯さんは東京で働く", "[名]さんは東京で働く", "..さんは東京で働く"),
        ("a b c d e f", "a X c Y e Z", "a . c . e ."),
        ("Ada Quill pays", "[P] pays", "......... pays"),
        ("IBAN DE12 9876 (old)", "IBAN [N] 9876 (old)", "IBAN .... 9876 (old)"),
        ("सीता देवी यहाँ", "[नाम] यहाँ", "......... यहाँ"),
        ("one\r\ntwo\r\n", "one\ntwo\n", "one.\ntwo.\n"),
    ],
)
def test_characters_survive_where_they_are_aligned(original: str, output: str, kept: str) -> None:
    assert shown(original, output) == kept


def test_a_run_of_equal_words_stays_beside_the_text_that_it_stood_beside() -> None:
    original = "To ada@example.org, bob@example.org, cy@example.org."
    kept = "To " + 15 * "." + ", bob@example.org, " + 14 * "." + "."
    assert shown(original, "To [E], bob@example.org, [E].") == kept
    original = "Now Madrid de Maria de Soto, bye"
    assert shown(original, "[X] Madrid de [NAME]") == "... Madrid de " + 18 * "."


def test_words_that_changed_places_do_not_all_vanish() -> None:
    assert "Quill" in shown("Ada Quill", "Quill Ada") or "Ada" in shown("Ada Quill", "Quill Ada")
    assert "5678" in shown("Call 0612345678", "Call 5678XXXXXX")


def test_other_line_ends_hide_no_clear_value() -> None:
    rows = [f"row {n} of the log is fine" for n in range(800)]
    rows[400] = "her phone is 06 12 34 56 78"
    original = "\r\n".join(rows)
    kept = shown(original, original.replace("\r\n", "\n"))
    assert kept == original.replace("\r", ".")


@pytest.mark.parametrize("names", [370, 380, 3_000])
def test_many_replaced_names_hide_no_clear_value(names: int) -> None:
    parts = [f"Ada{n} Quill{n} wrote, then" for n in range(names)]
    hidden = ["[NAME] wrote, then"] * names
    phone = ["phone 06 12 34 56 78 of"]
    half = names // 2
    original = " ".join(parts[:half] + phone + parts[half:])
    output = " ".join(hidden[:half] + phone + hidden[half:])
    assert "06 12 34 56 78" in shown(original, output)


def test_a_long_value_of_which_the_middle_stayed_is_no_empty_result() -> None:
    secret = "".join(chr(97 + (n * n + n // 7) % 26) for n in range(9_000))
    kept = shown(f"key {secret} end", f"key [cut] {secret[4_000:4_900]} [cut] end")
    assert 900 <= len(kept.replace(".", "")) - len("key  end") <= 1_000


def test_long_messages_are_aligned_soon_whatever_they_repeat() -> None:
    stream = Stream("aligning")
    words = ["de", "la", "no", "si", "a", "o"]
    varied = [
        stream.choice(words) if stream.below(2) else f"w{stream.below(4_000)}"
        for _ in range(30_000)
    ]
    repeated = ["user", "Ada", "Quill", "logged", "in", "at", "06:12\n"] * 4_000
    for tokens in (varied, repeated):
        marked = ["[X]" if n % 9 == 4 else token for n, token in enumerate(tokens)]
        before = process_time()
        kept = shown(" ".join(tokens), " ".join(marked))
        assert process_time() - before < 10
        assert len(kept.replace(".", "")) > 0.8 * len(kept)


texts = st.text(alphabet="ab 1,\r\n", max_size=30)


@settings(max_examples=200, deadline=None)
@given(texts, texts)
def test_no_more_characters_come_through_than_the_output_has(original: str, output: str) -> None:
    flags = survivors(original, output)
    kept = [c for c, flag in zip(original, flags, strict=True) if flag]
    assert len(flags) == len(original)
    assert all(kept.count(c) <= output.count(c) for c in set(kept))
    assert all(survivors(original, original))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["Ada", "met", "Bo", "12"]), st.booleans()), max_size=20))
def test_every_word_that_was_left_comes_through(words: list[tuple[str, bool]]) -> None:
    original = " ".join(word for word, _ in words)
    output = " ".join("[X]" if hidden else word for word, hidden in words)
    left = sum(len(word) for word, hidden in words if not hidden)
    kept = sum(c.isalnum() for c in shown(original, output))
    assert kept == left


def plain(one: str, other: str) -> int:
    """The length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(other) + 1)
    for letter in one:
        above = row
        row = [0]
        for at, against in enumerate(other):
            row.append(above[at] + 1 if letter == against else max(above[at + 1], row[at]))
    return row[-1]


@pytest.mark.parametrize("cells", [0, 40, 10**9])
@settings(max_examples=200, deadline=None)
@given(one=st.text("abc", max_size=40), other=st.text("abcd", max_size=40))
def test_the_common_subsequence_is_a_longest(cells: int, one: str, other: str) -> None:
    pairs = longest_common(list(one), list(other), cells=cells)
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))
    assert len(pairs) == plain(one, other)
