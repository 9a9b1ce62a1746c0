"""Small corpora to run detectors on."""

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from tracegen.cli import run as command_line
from tracegen.detectors import Run, detect
from tracegen.model import Conversation, Span, Turn, document

Maker = Callable[..., Path]


def conversation(name: str, *turns: tuple[str, str], language: str = "en") -> Conversation:
    """A conversation whose gold is every `Mira Holt` in it."""
    numbered = tuple(Turn(number, *turn) for number, turn in enumerate(turns))
    spans = []
    for turn in numbered:
        for source in ("user", "assistant"):
            text, start = turn.message(source), -1
            while (start := text.find("Mira Holt", start + 1)) >= 0:
                spans.append(
                    Span(turn.turn, source, start, start + 9, "private_person", "Mira Holt",
                         "person", "person_1", 1, "full", "prose")
                )  # fmt: skip
    return Conversation(
        name, "test", "en/test/one", language, None, "test", None, None, None, numbered,
        tuple(spans), (), len(document(numbered)), (),
    )  # fmt: skip


def write(path: Path, conversations: list[Conversation]) -> Path:
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in conversations))
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Five conversations; the fourth holds the word that makes the toy misbehave."""
    return write(
        tmp_path / "corpus.jsonl",
        [
            conversation("c-1", ("Hello, Mira Holt here.", "Good day, Mira Holt.")),
            conversation("c-2", ("Nothing to see.", "")),
            conversation("c-3", ("Ask Mira Holt.", "I will."), ("Thanks!", "Mira Holt says hi.")),
            conversation("c-4", ("😀 TRIGGER by Mira Holt.", "Oh.")),
            conversation("c-5", ("Bye, Mira Holt.", "")),
        ],
    )


def toy(*words: str) -> str:
    """The detector name of the toy program with these options."""
    return "command:" + shlex.join([sys.executable, str(Path(__file__).parent / "toy.py"), *words])


def stopped_after(answers: int, run: Run) -> None:
    """Interrupt a run when it has so many answers."""
    asked: list[int] = []

    def stop(done: int) -> None:
        asked.append(done)
        if len(asked) == answers:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        detect(run, stop)


def refusal(words: Sequence[str], out: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """The one line with which the command refuses these words; nothing is written."""
    assert command_line(["detect", *words, "-o", str(out)]) == 2
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert list(out.parent.glob(f"{out.stem}*")) == []
    return said
