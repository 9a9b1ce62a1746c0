"""The leak rescan by shape: nothing that looks like PII outside gold spans and decoys.

1. Every line of the blanked text is scanned; lines repeat, so verdicts are kept.
2. Where a mark touches text that could continue it, the line with its values is scanned too, so
   that a value labelled only in part is seen.
3. A wrapped line is scanned across the break, with our own patterns only.
"""

from collections.abc import Iterator

import regex

from tracegen.gates.layout import Laid, Mark
from tracegen.gates.phones import without_dates
from tracegen.gates.presidio import family
from tracegen.gates.scanner import LineScanner
from tracegen.gates.verdict import Hit

STICKS_OUT = " sticks out of its span"
_REACH = 80
_TAIL_RUN = regex.compile(r"[A-Za-z0-9 .:\-]{1,40}$")
_HEAD_RUN = regex.compile(r"[A-Za-z0-9 .:\-]{1,40}")
_JOINERS = "@.+-_/%"
_WRAPPED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._-+")


def scan_message(laid: Laid, scanner: LineScanner) -> Iterator[Hit]:
    """Every hit outside the marks of a message, at the message's offsets."""
    offset = 0
    previous = ""
    for line, shape in zip(laid.lines, laid.shapes, strict=True):
        for hit in scanner.scan(line, shape):
            yield _placed(laid, hit, offset)
        if previous and line and previous[-1] in _WRAPPED and line[0] in _WRAPPED:
            for hit in _wrapped(previous, line, scanner):
                yield _placed(laid, hit, offset - len(previous) - 1)
        offset += len(line) + 1
        previous = line
    for mark in laid.marks:
        if _continues(laid.text, mark):
            yield from _sticking_out(laid, mark, scanner)


def _placed(laid: Laid, hit: Hit, offset: int) -> Hit:
    start = laid.original(offset + hit.start)
    return Hit(hit.rule, start, laid.original(offset + hit.end - 1) + 1)


def _wrapped(first: str, second: str, scanner: LineScanner) -> Iterator[Hit]:
    """Hits that cross the break after a line of prose; offsets count the break."""
    tail, head = first[-_REACH:], second[:_REACH]
    if not _could_cross(tail, head):
        return
    before = len(first) - len(tail)
    for hit in scanner.own(tail + head):
        crosses = hit.start < len(tail) < hit.end and any(map(str.isalpha, tail[: hit.start]))
        if crosses and not scanner.scan(tail) and not scanner.scan(head):
            yield Hit(hit.rule, before + hit.start, before + hit.end + 1)


def _could_cross(tail: str, head: str) -> bool:
    """Whether an address or a number may run over the break: rows of a table do not."""
    ending, beginning = tail.split(" ")[-1], head.split(" ", 1)[0]
    if "@" in ending or "@" in beginning or min(len(ending), len(beginning)) >= 6:
        return True
    run = _TAIL_RUN.search(tail), _HEAD_RUN.match(without_dates(head))
    return sum(sum(map(str.isdigit, one.group())) for one in run if one is not None) >= 8


def _ascii_word(character: str) -> bool:
    return character.isdigit() or (character.isascii() and character.isalnum())


def _continues(text: str, mark: Mark) -> bool:
    """Whether the text on either side of a mark could be more of its value."""
    left = text[max(0, mark.start - 2) : mark.start]
    right = text[mark.end : mark.end + 2]
    return _joins(left[::-1], text[mark.start]) or _joins(right, text[mark.end - 1])


def _joins(outward: str, edge: str) -> bool:
    """Whether characters going outward from a mark's edge may belong to the edge's value."""
    if not outward:
        return False
    near, far = outward[0], outward[1:]
    if _ascii_word(near):
        return _ascii_word(edge)
    if not far or not _ascii_word(far):
        return False
    if near in _JOINERS:
        return True
    if near == ":":
        return edge in "0123456789abcdefABCDEF" and far in "0123456789abcdefABCDEF"
    return near in " \u00a0\u202f()" and far.isdigit() and (edge.isdigit() or edge in "+()")


def _sticking_out(laid: Laid, mark: Mark, scanner: LineScanner) -> Iterator[Hit]:
    text = laid.text
    low = max(text.rfind("\n", 0, mark.start) + 1, mark.start - _REACH)
    high = text.find("\n", mark.end)
    high = min(high if high >= 0 else len(text), mark.end + _REACH)
    for hit in scanner.scan(text[low:high]):
        start, end = hit.start + low, hit.end + low
        if (
            start < mark.end
            and mark.start < end
            and not _excused(laid, scanner, hit.rule, start, end)
        ):
            yield Hit(family(hit.rule) + STICKS_OUT, start, end)


def _excused(laid: Laid, scanner: LineScanner, rule: str, start: int, end: int) -> bool:
    """Whether a hit that overlaps marks is no more than what they declare."""
    text, kind = laid.text, family(rule)
    marks = laid.overlapping(start, end)
    outside: list[tuple[int, str]] = []
    at = start
    for mark in marks:
        outside.append((at, text[at : mark.start]))
        at = mark.end
    outside.append((at, text[at:end]))
    pieces = [(at, piece) for at, piece in outside if any(map(str.isalnum, piece))]
    if not pieces:
        return True
    if any(_cuts_a_word(text, mark, start, end) for mark in marks):
        return False
    first, last = marks[0], marks[-1]
    host_only = all(at == last.end and piece[0] == "@" for at, piece in pieces)
    if kind == "e-mail" and host_only and last.label != "private_email":
        return True  # a user name or password before a host that is nobody's secret
    if (
        kind == "link"
        and first.label == "private_url"
        and all(at < first.start for at, _ in pieces)
    ):
        return True  # a link written without its scheme, the scheme before it
    if kind == "connection string" and last.label == "secret":
        return pieces[-1][0] < last.end or pieces[-1][1][0] == "@"
    return any(
        family(hit.rule) == kind
        for mark in marks
        for hit in scanner.scan(text[mark.start : mark.end])
    )


def _cuts_a_word(text: str, mark: Mark, start: int, end: int) -> bool:
    left = (
        mark.start > start and _ascii_word(text[mark.start - 1]) and _ascii_word(text[mark.start])
    )
    right = mark.end < end and _ascii_word(text[mark.end]) and _ascii_word(text[mark.end - 1])
    return left or right
