"""Turn a stream of chunks into messages with offsets, in one forward pass."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tracegen.errors import RenderError
from tracegen.model import SOURCES, Decoy, Source, Span
from tracegen.templates.carriers import PROSE
from tracegen.templates.filters import escaped
from tracegen.templates.text import MAXIMUM_CHARACTERS, Mark, Mention, pieces_of

_TOO_LONG = f"the conversation grows over {MAXIMUM_CHARACTERS:,} characters"


class Region(NamedTuple):
    """The bounds of a carrier block in its message, for the linter to parse."""

    turn: int
    source: Source
    carrier: str
    start: int
    end: int


class Collector:
    """Messages, spans and decoys of one template; offsets are the length written so far."""

    def __init__(self) -> None:
        """Start before the first message."""
        self.messages: dict[tuple[int, Source], str] = {}
        self.spans: list[Span] = []
        self.decoys: list[Decoy] = []
        self.carriers: set[str] = set()
        self.regions: list[Region] = []
        self._parts: list[str] = []
        self._length = 0
        self._total = 0
        self._place: tuple[int, Source] | None = None
        self._carrier: str | None = None
        self._opened = 0
        self._marked = 0

    def feed(self, chunks: Iterable[str], messages: int | None) -> None:
        """Take chunks until they end, or until the given number of messages is complete.

        Raises:
            RenderError: the text passes the limit, or a value is empty.
        """
        for chunk in chunks:
            if type(chunk) is str:  # the common case, kept short: text between the tags
                self._parts.append(chunk)
                self._length += len(chunk)
                if self._length > MAXIMUM_CHARACTERS:
                    raise RenderError(_TOO_LONG)
            elif self._take(chunk, messages):
                break
        self._finish()

    def _take(self, chunk: str, messages: int | None) -> bool:
        """Take a chunk with spans or marks; whether the wanted messages are complete."""
        for piece in self._escaped(chunk):
            if isinstance(piece, Mark):
                if self._done(piece, messages):
                    return True
            else:
                self._write(piece)
        return False

    def _escaped(self, chunk: str) -> Iterator[str]:
        for piece in pieces_of(chunk):
            if self._carrier and isinstance(piece, Mention) and piece.carrier != self._carrier:
                yield from pieces_of(escaped(piece, self._carrier))
            else:
                yield piece

    def _done(self, mark: Mark, messages: int | None) -> bool:
        if mark.name == "carrier":
            self._switch(mark.value)
            return False
        self._finish()
        turn, source = mark.value
        if messages is not None and 2 * turn + SOURCES.index(source) >= messages:
            return True
        self._place = mark.value
        return False

    def _switch(self, carrier: str | None) -> None:
        if carrier is not None:
            self.carriers.add(carrier)
            self._opened = self._length
        elif self._carrier is not None and self._place is not None:
            turn, source = self._place
            self.regions.append(Region(turn, source, self._carrier, self._opened, self._length))
        self._carrier = carrier

    def _write(self, piece: str) -> None:
        length = len(piece)
        if isinstance(piece, Mention):
            self._record(piece, self._length, self._length + length)
        self._parts.append(str.__str__(piece))
        self._length += length

    def _record(self, mention: Mention, start: int, end: int) -> None:
        if start == end or self._place is None:
            raise RenderError(f"{mention.tag.entity_id or mention.tag.kind} has no text")
        turn, source = self._place
        self._marked = end
        tag, text = mention.tag, str.__str__(mention)
        if tag.label is None:
            self.decoys.append(Decoy(turn, source, start, end, text, tag.kind))
            return
        carrier = self._carrier or mention.carrier or PROSE
        if carrier != PROSE:
            self.carriers.add(carrier)
        self.spans.append(
            Span(turn, source, start, end, tag.label, text, tag.kind, tag.entity_id, tag.subject,
                 tag.form, carrier)
        )  # fmt: skip

    def _finish(self) -> None:
        """Close the current message; line ends after its last word are dropped."""
        if self._place is not None:
            text = "".join(self._parts)
            end = max(len(text.rstrip("\r\n")), self._marked)  # never into a value
            self.messages[self._place] = text[:end]
            self._total += self._length
            if self._total > MAXIMUM_CHARACTERS:
                raise RenderError(_TOO_LONG)
        self._parts, self._length, self._place, self._carrier = [], 0, None, None
        self._marked = 0
