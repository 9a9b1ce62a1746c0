"""The filters of the sandbox, and the budget that its loops and calls draw on."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import jinja2
from jinja2.runtime import Context

from tracegen.errors import RenderError
from tracegen.templates.carriers import FILTERS, escape_for
from tracegen.templates.josa import josa as particle
from tracegen.templates.text import (
    Mark,
    Mention,
    carries,
    concat,
    mapped,
    pieces_of,
    rewritten,
)

STATE = "_state"
"""The name under which a render's state lies in the context; templates may not name it."""

MAXIMUM_STEPS = 400_000
"""Loop steps and calls that one conversation may take."""


MAXIMUM_SECONDS = 30.0
"""Processor time that one conversation may take: few steps can each do much work."""

_STEPS_BETWEEN_LOOKS = 64


class State:
    """What one rendering has used up."""

    __slots__ = ("started", "steps")

    def __init__(self) -> None:
        """Start with the full budget."""
        self.steps = MAXIMUM_STEPS
        self.started = time.process_time()

    def step(self) -> None:
        """Count one loop step or call.

        Raises:
            RenderError: the budget is used up.
        """
        self.steps -= 1
        if self.steps < 0:
            raise RenderError(f"more than {MAXIMUM_STEPS:,} loop steps and calls; is it endless?")
        look = self.steps % _STEPS_BETWEEN_LOOKS == 0
        if look and time.process_time() - self.started > MAXIMUM_SECONDS:
            raise RenderError(f"takes more than {MAXIMUM_SECONDS:.0f} seconds; is it endless?")


def limited_range(*arguments: int) -> range:
    """`range` of a sane length.

    Raises:
        RenderError: it is longer than a rendering may take.
    """
    if not all(isinstance(argument, int) for argument in arguments) or not arguments:
        raise RenderError("range() takes whole numbers")
    result = range(*arguments)
    if len(result) > MAXIMUM_STEPS:
        raise RenderError(f"a range of more than {MAXIMUM_STEPS:,} steps")
    return result


@jinja2.pass_context
def _counted(context: Context, items: Iterable[Any]) -> Iterable[Any]:
    if isinstance(items, str):
        raise RenderError("a loop over the characters of a text is not allowed")
    state: State = context.parent[STATE]

    def counted() -> Iterator[Any]:
        for item in items:
            state.step()
            yield item

    return counted() if not isinstance(items, (list, tuple, range)) else _Sized(items, state)


class _Sized:
    """A counted iterable that keeps its length, for `loop.last` and `loop.length`."""

    __slots__ = ("_items", "_state")

    def __init__(self, items: Any, state: State) -> None:
        self._items, self._state = items, state

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            self._state.step()
            yield item


MAXIMUM_NESTING = 4
"""Lists inside lists; deeper ones can grow without bound when they hold one another twice."""


def printable(value: object) -> object:
    """What a template may print: texts and numbers.

    Raises:
        RenderError: it is a list, a function or the like.
    """
    if isinstance(value, (str, int, float, jinja2.Undefined)):
        return value
    raise RenderError(f"a {type(value).__name__} cannot be printed; print its parts")


def as_text(value: object) -> str:
    """A chunk for `concat`: strings as they are, numbers in digits."""
    return value if isinstance(value, str) else str(printable(value))


def limited_nesting(value: Any) -> Any:
    """A list or dictionary that a template builds, of a sane depth.

    Raises:
        RenderError: it nests too deeply.
    """
    _check_depth(value, MAXIMUM_NESTING)
    return value


def _check_depth(value: Any, left: int) -> None:
    if not isinstance(value, (list, tuple, dict)):
        return
    if left == 0:
        raise RenderError(f"lists nest more than {MAXIMUM_NESTING} deep")
    for item in value.values() if isinstance(value, dict) else value:
        _check_depth(item, left - 1)


def _change(name: str, change: Callable[[str], str]) -> Callable[[object], str]:
    return lambda text: mapped(as_text(text), change, name)


def _escape(carrier: str) -> Callable[[str], str]:
    return lambda text: escaped(as_text(text), carrier)


def escaped(text: str, carrier: str) -> str:
    """The text as a carrier writes it; an unlabelled quote may stand on both sides."""
    escape = escape_for(carrier)
    parts: list[str] = []
    for piece in pieces_of(text):
        if isinstance(piece, Mark):
            parts.append(piece)
        elif isinstance(piece, Mention):
            parts.append(rewritten(piece, escape.change, carrier, carrier))
        else:
            parts.append(escape.change(piece))
    quotes = escape.quotes(str.__str__(text))
    return concat([quotes, *parts, quotes]) if quotes else concat(parts)


@jinja2.pass_context  # which also keeps jinja2 from folding the mark into a plain constant
def _message(context: Context, place: str) -> Mark:
    turn, source = place.split(":")
    return Mark("message", (int(turn), source))


def _josa(value: object, pair: str) -> str:
    text = as_text(value)
    return concat((text, particle(str.__str__(text), pair)))


_ISOLATES = {"ltr": "\u2066", "rtl": "\u2067"}
_POP = "\u2069"
"""Unicode's isolates: how right-to-left chats keep a number or link in its own direction."""


def _isolated(mark: str) -> Callable[[str], str]:
    """Wrap a value in direction marks, which stay outside its span."""
    return lambda text: concat((mark, as_text(text), _POP))


def _join(items: Iterable[object], separator: str = "") -> str:
    parts: list[str] = []
    for item in items:
        parts += [separator, as_text(item)] if parts else [as_text(item)]
    return concat(parts)


def _length(value: Any) -> int:
    if carries(value):
        raise RenderError("the length of a placeholder is not fixed; do not build on it")
    return len(value)


def filters() -> Mapping[str, Callable[..., Any]]:
    """Every filter a template may use, and two that only compiled templates do."""
    return {
        "_counted": _counted,
        "_message": _message,
        "capitalize": _change("capitalize", lambda text: text[:1].upper() + text[1:]),
        "join": _join,
        "josa": _josa,
        "length": _length,
        **{name: _isolated(mark) for name, mark in _ISOLATES.items()},
        "lower": _change("lower", str.lower),
        "title": _change("title", str.title),
        "upper": _change("upper", str.upper),
        **{name: _escape(carrier) for name, carrier in FILTERS.items()},
    }
