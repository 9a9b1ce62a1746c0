"""Direction marks of right-to-left text stay outside the spans."""

from pathlib import Path

from tests.writing import check_offsets, one_message, rendered
from tracegen.gates import Gates


def test_isolates_around_a_value_are_not_part_of_it(templates: Path) -> None:
    path = one_message(templates, "call {{ phone_1 | ltr }} or {{ person_1 | rtl }}.")
    conversation = rendered(path)
    check_offsets(conversation)
    text = conversation.turns[0].user
    phone, person = conversation.spans
    assert (text[phone.start - 1], text[phone.end]) == ("\u2066", "\u2069")
    assert (text[person.start - 1], text[person.end]) == ("\u2067", "\u2069")


def test_the_gates_accept_isolates_beside_a_value(templates: Path) -> None:
    path = one_message(templates, "Please call me back at {{ phone_1 | ltr }} after six, will you?")
    assert Gates().check(rendered(path)).violations == ()
