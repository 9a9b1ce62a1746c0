"""Time grows with the text and no faster: each bound is many times what a quiet machine takes."""

import time
from collections.abc import Callable

import pytest

from tracegen.gates import Gates
from tracegen.model import Conversation

Build = Callable[..., Conversation]


def _seconds(gates: Gates, conversation: Conversation) -> float:
    start = time.process_time()
    gates.check(conversation)
    return time.process_time() - start


@pytest.mark.parametrize(
    "text",
    [
        "." * 40_000,
        "1" * 40_000,
        "a" * 40_000,
        "@" * 40_000,
        "a:" * 20_000,
        "AB12 " * 8_000,
        "a.b@" * 10_000,
        "`" * 40_000,
        "[A_" * 10_000,
        "{{" * 5_000,
        "-" * 40_000,
        ",;" * 20_000,
        "本" * 40_000,
        "\\u00e4" * 5_000,
        "12 " * 10_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_no_text_is_pathological(build: Build, gates: Gates, text: str) -> None:
    gates.check(build("Hallo, dies ist ein Satz, der nur die Profile lädt und nichts weiter tut."))
    assert _seconds(gates, build(text)) < 3


def test_a_long_conversation_takes_time_in_proportion(build: Build) -> None:
    def conversation(rows: int) -> Conversation:
        lines = [
            f"| {n} | 2026-01-12 08:{n % 60:02d}:20 | {n * 7 % 1000},{n % 10} °C | Ofen {n} an |"
            for n in range(rows)
        ]
        name = "⟦Anna Weber|private_person person_1 full⟧"
        return build("\n".join(lines), f"Danke, {name}.", f"Bitte, {name}: " + "\n".join(lines))

    gates = Gates(presidio=False)
    gates.check(conversation(10))
    short = min(_seconds(Gates(presidio=False), conversation(400)) for _ in range(3))
    long = min(_seconds(Gates(presidio=False), conversation(3200)) for _ in range(2))
    assert long < 8 * short * 2.5 + 0.2
