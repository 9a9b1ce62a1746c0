from tests.detectors.conftest import conversation
from tracegen.detectors.frames import Predicted, frames
from tracegen.detectors.protocol import Found

TALK = conversation("c", ("Hi 😀\r\nMira Holt", "Hello"), ("", "Mira Holt!"))


def test_a_conversation_is_its_messages_joined_by_a_line_end_empty_ones_skipped() -> None:
    (frame,) = frames(TALK, "conversation", roles=False, gold=False)
    assert frame.text == "Hi 😀\r\nMira Holt\nHello\nMira Holt!"


def test_every_message_is_a_frame_of_its_own() -> None:
    shown = frames(TALK, "message", roles=False, gold=False)
    assert [frame.text for frame in shown] == ["Hi 😀\r\nMira Holt", "Hello", "Mira Holt!"]


def test_roles_stand_before_each_message() -> None:
    (frame,) = frames(TALK, "conversation", roles=True, gold=False)
    assert frame.text.splitlines()[-2:] == ["assistant: Hello", "assistant: Mira Holt!"]


def test_offsets_come_back_to_messages_whatever_stands_before_them() -> None:
    for roles in (False, True):
        for scope in ("message", "conversation"):
            back = []
            for frame in frames(TALK, scope, roles=roles, gold=True):
                for gold in frame.gold:
                    assert frame.text[gold.start : gold.end] == "Mira Holt"
                back += frame.back(frame.gold)
            assert [(span.turn, span.source, span.start, span.end) for span in back] == [
                (0, "user", 6, 15),
                (1, "assistant", 0, 9),
            ]


def test_a_span_over_two_messages_becomes_one_in_each() -> None:
    (frame,) = frames(TALK, "conversation", roles=True, gold=False)
    start, end = frame.text.index("Holt"), frame.text.index("Hello") + 5
    assert frame.back([Found(start, end, "x", 0.5)]) == [
        Predicted(0, "user", 11, 15, "x", 0.5),
        Predicted(0, "assistant", 0, 5, "x", 0.5),
    ]


def test_a_span_on_a_role_prefix_alone_is_nobodys() -> None:
    (frame,) = frames(TALK, "conversation", roles=True, gold=False)
    assert frame.back([Found(0, 6, "x")]) == []
