"""Text that carries spans: the string classes that pass through a template's rendering.

Jinja2 emits each output of a template as a chunk. A chunk that is a `Mention` is one labelled
stretch; a `Mixed` is text with mentions inside; a `Mark` is empty and tells the collector where it
is. Every operation that would silently lose a span is refused here instead.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from tracegen.errors import RenderError

MAXIMUM_CHARACTERS = 4_000_000
"""Upper bound for one rendered conversation and for any text built on the way."""


@dataclass(frozen=True, slots=True)
class Tag:
    """What a labelled stretch is; `label` is None for a decoy."""

    kind: str
    label: str | None
    entity_id: str | None = None
    subject: int | None = None
    form: str | None = None


def _refuse(what: str) -> Callable[..., NoReturn]:
    def refuse(*arguments: object, **options: object) -> NoReturn:
        raise RenderError(f"{what} of a placeholder would lose its span; write it another way")

    return refuse


class _Tracked(str):
    """Base of the two span-carrying strings: closes the operations that drop spans."""

    __slots__ = ()

    def __str__(self) -> str:
        return self

    def __add__(self, other: str) -> str:
        return concat((self, other))

    def __radd__(self, other: str) -> str:
        return concat((other, self))

    __iter__ = _refuse("a loop over the characters")
    __getitem__ = _refuse("a slice")
    __mod__ = _refuse("the % formatting")
    __rmod__ = _refuse("the % formatting")
    __mul__ = _refuse("a repetition")
    __rmul__ = _refuse("a repetition")
    __format__ = _refuse("the formatting")


class Mention(_Tracked):
    """One stretch with a tag; `carrier` is set by an escaping filter."""

    __slots__ = ("carrier", "slot", "tag")

    tag: Tag
    carrier: str | None
    slot: Any
    """The placeholder that this text came from, so that `.form` can ask for another writing."""

    def __new__(
        cls, text: str, tag: Tag, *, carrier: str | None = None, slot: Any = None
    ) -> "Mention":
        """Tag a text."""
        self = super().__new__(cls, text)
        self.tag, self.carrier, self.slot = tag, carrier, slot
        return self


class Mark(str):
    """An empty chunk that tells the collector something: a new message, a carrier's bounds."""

    __slots__ = ("name", "value")

    name: str
    value: Any

    def __new__(cls, name: str, value: Any) -> "Mark":
        """Make an empty string with a meaning."""
        self = super().__new__(cls, "")
        self.name, self.value = name, value
        return self

    def __str__(self) -> str:
        return self


Piece = str | Mention | Mark


class Mixed(_Tracked):
    """Text with mentions or marks inside, as its pieces in order."""

    __slots__ = ("pieces", "slot")

    pieces: tuple[Piece, ...]
    slot: Any

    def __new__(cls, pieces: tuple[Piece, ...], slot: Any = None) -> "Mixed":
        """Join pieces; none of them is itself mixed."""
        self = super().__new__(cls, "".join(map(str.__str__, pieces)))
        self.pieces, self.slot = pieces, slot
        return self


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The flat pieces of any text."""
    return text.pieces if isinstance(text, Mixed) else (text,)


def carries(text: object) -> bool:
    """Whether a text holds a span or a mark."""
    return isinstance(text, (Mention, Mixed, Mark))


def concat(parts: Iterable[str]) -> str:
    """Join texts and keep their spans; jinja2's buffered blocks and `~` come through here."""
    flat: list[Piece] = []
    length = 0
    tracked = False
    for part in parts:
        tracked = tracked or carries(part)
        flat.extend(pieces_of(part))
        length += len(part)
        if length > MAXIMUM_CHARACTERS:
            raise RenderError(f"the text grows over {MAXIMUM_CHARACTERS:,} characters")
    if not tracked:
        return "".join(flat)
    return flat[0] if len(flat) == 1 else Mixed(tuple(flat))


def mapped(
    text: str, change: Callable[[str], str], name: str, *, carrier: str | None = None
) -> str:
    """Apply a change of writing to each piece; the mentions keep their entity.

    Where the change alters a mention's text, its form becomes `<form>+<name>`, so that one entity
    and form always is one text.

    Args:
        text: plain, tagged or mixed.
        change: must not depend on neighbouring pieces.
        name: what the change is called.
        carrier: set on the mentions when the change escapes for a carrier.
    """
    return concat(_mapped(pieces_of(text), change, name, carrier))


def _mapped(
    pieces: Iterable[Piece], change: Callable[[str], str], name: str, carrier: str | None
) -> Iterator[Piece]:
    for piece in pieces:
        if isinstance(piece, Mark):
            yield piece
        elif isinstance(piece, Mention):
            yield rewritten(piece, change, name, carrier)
        else:
            yield change(piece)


def rewritten(
    mention: Mention, change: Callable[[str], str], name: str, carrier: str | None
) -> Mention:
    """One mention in another writing."""
    before = str.__str__(mention)
    after = change(before)
    tag = mention.tag
    if after != before and tag.form is not None:
        tag = replace(tag, form=f"{tag.form}+{name}")
    return Mention(after, tag, carrier=carrier or mention.carrier)
