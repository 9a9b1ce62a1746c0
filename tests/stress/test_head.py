from tracegen.model import Conversation, Decoy, Span, Turn, document
from tracegen.pipeline.head import cut_head

TURNS = (Turn(0, "one two", "three"), Turn(1, "cafe\u0301 ok", "Mira Holt, A-17"))


def conversation(decoys: tuple[Decoy, ...] = ()) -> Conversation:
    span = Span(1, "assistant", 0, 9, "private_person", "Mira Holt", "person", "person_1", 1)
    return Conversation(
        "c", "test", None, "en", None, None, None, None, None, TURNS, (span,), decoys,
        len(document(TURNS)), (),
    )  # fmt: skip


def test_a_part_of_a_message_goes_and_offsets_follow() -> None:
    cut = cut_head(conversation((Decoy(0, "user", 4, 7, "two", "sku"),)), 4)
    assert cut is not None
    assert cut.turns[0].user == "two"
    assert (cut.decoys[0].start, cut.decoys[0].end) == (0, 3)
    assert cut.length == conversation().length - 4


def test_whole_messages_and_turns_go_and_turns_are_numbered_anew() -> None:
    cut = cut_head(conversation(), len("one two\nthree\n"))
    assert cut is not None
    assert [turn.turn for turn in cut.turns] == [0]
    assert cut.spans[0].turn == 0
    assert document(cut.turns) == "cafe\u0301 ok\nMira Holt, A-17"


def test_nothing_is_cut_through() -> None:
    sku = Decoy(0, "user", 4, 7, "two", "sku")
    assert cut_head(conversation((sku,)), 5) is None  # a decoy
    assert cut_head(conversation(), len("one two\nthree\ncafe")) is None  # an accent
    assert cut_head(conversation(), len("one two\nthree\ncafe\u0301 ok\nMi")) is None  # gold


def test_a_decoy_in_the_part_that_goes_is_dropped() -> None:
    cut = cut_head(conversation((Decoy(0, "user", 0, 3, "one", "sku"),)), 4)
    assert cut is not None
    assert cut.decoys == ()
