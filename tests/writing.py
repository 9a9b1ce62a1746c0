"""Write templates in tests and render them."""

from datetime import date
from pathlib import Path

from tracegen.model import Conversation, Decoy, Span
from tracegen.pipeline.assemble import Heading, assemble
from tracegen.render import Setting, render
from tracegen.seeds import Stream
from tracegen.templates import load

REFERENCE = date(2026, 1, 15)


def write_template(folder: Path, text: str, *, language: str = "en", name: str = "one") -> Path:
    """Put a template where its id says."""
    path = folder / language / "banking" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def one_message(folder: Path, body: str, *, language: str = "en") -> Path:
    """A template of one user message."""
    lines = "\n".join(f"      {line}" for line in body.splitlines())
    return write_template(
        folder, f"language: {language}\nturns:\n  - user: |\n{lines}\n", language=language
    )


def rendered(path: Path, seed: int = 1) -> Conversation:
    """The conversation of a template file."""
    template = load(path)
    result = render(template, Stream("test", seed), Setting(REFERENCE))
    return assemble(Heading("t-1", "test"), template, [result])


def check_offsets(conversation: Conversation) -> None:
    """Every span and decoy cuts out its text, in order and without overlap."""
    for messages in conversation.messages():
        end = 0
        everything: list[Span | Decoy] = [*conversation.spans, *conversation.decoys]
        marks = [
            mark
            for mark in everything
            if (mark.turn, mark.source) == (messages.turn, messages.source)
        ]
        for mark in sorted(marks, key=lambda mark: mark.start):
            assert messages.text[mark.start : mark.end] == mark.text
            assert mark.start >= end
            assert mark.text
            end = mark.end
