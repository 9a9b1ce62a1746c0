"""How much of a ladder's ballast says the same again: the share of repeated paragraphs.

    python benchmarks/repetition.py                    the whole `window-ladder`, all languages
    python benchmarks/repetition.py --languages de,hi

A paragraph is a block between blank lines of 40 characters or more; a table or a log is one. The
story's own paragraphs are left out: all conversations of a pair share them, which is what a pair is
for. Exits 1 when 5 % or more of a language's paragraphs occur in another conversation of it, or any
occurs twice inside one.
"""

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tracegen.corpus import read
from tracegen.model import Conversation
from tracegen.pipeline.generate import Run, generate
from tracegen.pipeline.paragraphs import paragraphs
from tracegen.pipeline.spec import read_spec

LIMIT = 0.05
TWIN = "twin"


class Repetition(NamedTuple):
    """Paragraphs of one language's ballast."""

    conversations: int
    paragraphs: int
    across: int
    """Paragraphs that occur in another conversation as well, every occurrence counted."""
    inside: int
    """Occurrences of a paragraph in a conversation beyond its first there."""

    @property
    def share(self) -> float:
        """Repeated across conversations, of all."""
        return self.across / max(1, self.paragraphs)


def of_conversations(conversations: Iterable[Conversation]) -> Repetition:
    """Count the paragraphs of one language's conversations."""
    rows = list(conversations)
    stories: dict[str | None, frozenset[str]] = defaultdict(frozenset)
    for row in rows:
        if row.level == TWIN:
            stories[row.pair_id] = frozenset(_paragraphs(row))
    occurrences: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for row in rows:
        own = Counter(text for text in _paragraphs(row) if text not in stories[row.pair_id])
        occurrences.update(own)
        holders.update(own.keys())
    return Repetition(
        len(rows),
        occurrences.total(),
        sum(times for text, times in occurrences.items() if holders[text] > 1),
        sum(occurrences[text] - holders[text] for text in occurrences),
    )


def _paragraphs(conversation: Conversation) -> list[str]:
    return [text for message in conversation.messages() for text in paragraphs(message.text)]


def measure(language: str) -> Repetition:
    """Make the ladder of one language and count."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "ladder"
        spec = read_spec("window-ladder", languages=(language,))
        generate(spec, Run(out=corpus))
        return of_conversations(read(corpus))


def main() -> None:
    """Print a line a language; exit 1 where too much repeats."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--languages", help="by comma; all by default")
    chosen = parser.parse_args().languages
    languages = chosen.split(",") if chosen else read_spec("window-ladder").languages
    failed = False
    print("language  conversations  paragraphs  repeated across  inside")
    for language in languages:
        found = measure(language)
        failed |= found.share >= LIMIT or found.inside > 0
        print(
            f"{language:8}  {found.conversations:13,}  {found.paragraphs:10,}"
            f"  {found.share:15.1%}  {found.inside:6}",
            flush=True,
        )
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
