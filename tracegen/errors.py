"""Every error that tracegen raises on purpose.

The tree is split by what the caller can do about it:

    TracegenError
      InputError        something a person wrote or named is wrong: a file, an option, a template
        RenderError     a template failed while it was rendered
      OutputError       a place to write to is unusable: exists, full, read-only
      InvariantError    a bug in tracegen; the message names the seed that reproduces it

Only the command line turns these into exit codes (`InputError` and `OutputError`: 2).
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class TracegenError(Exception):
    """Root of all errors raised on purpose."""


class InputError(TracegenError):
    """A file, option or value that a person gave cannot be used.

    The message is one line: place, what is wrong, what would be right.

    Args:
        problem: what is wrong, with what would be right.
        file: the file at fault, as the person named it.
        where: line, row, key path or id inside the file.
    """

    def __init__(self, problem: str, *, file: object = None, where: object = None) -> None:
        """Join place and problem into one line."""
        self.problem = problem
        self.file = None if file is None else str(file)
        self.where = None if where is None else str(where)
        place = ":".join(part for part in (self.file, self.where) if part)
        line = f"{place}: {problem}" if place else problem
        super().__init__(printable(" ".join(line.splitlines())))


class RenderError(InputError):
    """A template failed while it was rendered: unknown name, lost span, limit passed."""


class OutputError(TracegenError):
    """A file or folder cannot be written: it exists, is read-only, or the disk is full."""


class InvariantError(TracegenError):
    """A promise of tracegen's own code is broken: a bug, never the user's fault."""


def printable(text: object) -> str:
    r"""A text with control characters and lone surrogates escaped.

    What a file holds may break a line or colour a terminal; a file name that is not UTF-8 reaches
    us with surrogates, which can be neither printed nor stored.

    Example:
        >>> printable("two\nlines")
        'two\\nlines'
    """
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), str(text))


def unknown(what: str, given: str, allowed: Iterable[str]) -> str:
    """Say that a name is unknown, with the nearest valid one and, when few, all valid ones.

    Example:
        >>> unknown("language", "xx", ["de", "fr"])
        "unknown language 'xx'; known: de, fr"
    """
    names = sorted(allowed)
    near = get_close_matches(given, names, n=1, cutoff=0.6)
    if near:
        hint = f"did you mean {near[0]!r}?"
        if len(names) <= 20:
            hint += f" known: {', '.join(names)}"
    else:
        hint = f"known: {', '.join(names)}"
    return f"unknown {what} {given!r}; {hint}"
