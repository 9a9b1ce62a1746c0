"""Paragraphs: the measure of whether ballast says the same again."""

from collections import Counter
from collections.abc import Iterable, Iterator

from tracegen.render import Rendered

SHORTEST = 40
"""Code points from which a paragraph counts: a heading or the fence of a listing may repeat."""


def paragraphs(text: str) -> Iterator[str]:
    """Blocks between blank lines that are long enough to count, without space at their ends.

    A table, a log or a list without blank lines is one paragraph, however long.
    """
    for block in text.split("\n\n"):
        stripped = block.strip()
        if len(stripped) >= SHORTEST:
            yield stripped


def paragraphs_of(part: Rendered) -> Iterator[str]:
    """The paragraphs of all messages of a part."""
    for exchange in part.exchanges:
        yield from paragraphs(exchange.user)
        yield from paragraphs(exchange.assistant)


def repeated(parts: Iterable[Rendered]) -> list[str]:
    """The paragraphs that occur more than once in these parts together, each once."""
    seen = Counter(paragraph for part in parts for paragraph in paragraphs_of(part))
    return [paragraph for paragraph, times in seen.items() if times > 1]
