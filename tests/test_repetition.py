from benchmarks.repetition import of_conversations
from tracegen.model import Conversation, Turn, document
from tracegen.pipeline.paragraphs import SHORTEST, paragraphs, repeated
from tracegen.render import Exchange, Rendered

STORY = "A story that all conversations of a pair have in common, word for word."
FIRST = "The first document, which stands in one conversation and in no other one."
SECOND = "The second document, which stands in two conversations of the language."


def conversation(number: int, level: str, *texts: str) -> Conversation:
    turns = tuple(Turn(turn, text, "Fine.") for turn, text in enumerate(texts))
    return Conversation(
        f"c-{number}", "tracegen", "en/banking/one", "en", "en_US", "ladder", "pair", "depth",
        level, turns, (), (), len(document(turns)), (),
    )  # fmt: skip


def test_paragraphs_lie_between_blank_lines_and_are_long_enough() -> None:
    short, long = "x" * (SHORTEST - 1), "y" * SHORTEST
    assert list(paragraphs(f"{short}\n\n  {long}\nand on\n\n\n{long}\n")) == [
        f"{long}\nand on",
        long,
    ]


def test_repeated_looks_at_all_parts_and_both_sides() -> None:
    parts = [
        Rendered((Exchange(FIRST, SECOND, None, (), ()),), frozenset()),
        Rendered((Exchange(SECOND, "Fine.", None, (), ()),), frozenset()),
    ]
    assert repeated(parts) == [SECOND]
    assert repeated(parts[:1]) == []


def test_the_story_is_left_out_and_every_occurrence_counts() -> None:
    found = of_conversations(
        [
            conversation(0, "twin", STORY),
            conversation(1, "1000@0", STORY, FIRST, SECOND),
            conversation(2, "1000@50", SECOND, STORY),
            conversation(3, "1000@100", FIRST + "!", FIRST + "!", STORY),
        ]
    )
    assert (found.conversations, found.paragraphs, found.across, found.inside) == (4, 5, 2, 1)
    assert found.share == 0.4
