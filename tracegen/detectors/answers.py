"""Read what a program or service answers; nothing is guessed, and no text gets into an error."""

import json
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import msgspec

from tracegen.detectors.protocol import DetectorFailure, Found, Passage, checked


class Span(msgspec.Struct):
    """A span as programs write it."""

    start: int
    end: int
    label: str
    score: float | None = None


class Answer(msgspec.Struct):
    """The answer to one passage."""

    id: str
    spans: list[Span]
    offset_unit: str = "codepoint"


T = TypeVar("T")
_DECODER = msgspec.json.Decoder(Answer)
_READ = frozenset((*Answer.__struct_fields__, *Span.__struct_fields__, "results"))
_FORM = "answer of the form {id, spans: [{start, end, label}]}"
_SIZES: dict[str, Callable[[int], int]] = {
    "utf8": lambda point: 1 + (point > 0x7F) + (point > 0x7FF) + (point > 0xFFFF),
    "utf16": lambda point: 1 + (point > 0xFFFF),
}


def parse_answer(line: bytes, passage: Passage, asked: Collection[str]) -> list[Found]:
    """The spans of one answer line.

    Args:
        line: the line without its end.
        passage: what was asked.
        asked: ids that were asked and answered before.

    Raises:
        DetectorFailure: the line is no answer to the passage.
    """
    return accepted(decoded(_DECODER, line, _FORM), passage, asked)


def decoded(decoder: msgspec.json.Decoder[T], content: bytes, form: str) -> T:
    """What JSON says, if it says each thing once: of two lists of spans neither is to be believed.

    Args:
        decoder: reads the form.
        content: the JSON.
        form: in words, for an error.

    Raises:
        DetectorFailure: it is no JSON of the form, or has a key twice.
    """
    try:
        answer = decoder.decode(content)
        # numbers stay as they are written: a long one in an unknown field is nobody's business
        json.loads(
            content.decode("utf-8", "replace"), object_pairs_hook=_each_once,
            parse_int=str, parse_float=str, strict=False,
        )  # fmt: skip
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        # messages of msgspec quote field names, never values
        raise DetectorFailure("bad JSON", f"no {form} ({error})") from error
    return answer


def _each_once(pairs: Sequence[tuple[str, object]]) -> None:
    names = [name for name, _ in pairs if name in _READ]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"key twice: {name}")


def accepted(answer: Answer, passage: Passage, asked: Collection[str]) -> list[Found]:
    """The spans of a parsed answer, in code points.

    Raises:
        DetectorFailure: it answers something else, or its offsets cannot be right.
    """
    if answer.id != passage.id:
        if answer.id in asked:
            raise DetectorFailure("wrong order", "answers a passage that was answered before")
        raise DetectorFailure("wrong id", "answers a passage that was not asked about")
    places = None
    if answer.offset_unit != "codepoint":
        places = _places(passage.text, answer.offset_unit)
    found = [
        (_point(span.start, places), _point(span.end, places), span.label, span.score)
        for span in answer.spans
    ]
    return checked(passage, found)


def _places(text: str, unit: str) -> dict[int, int]:
    """Offset in the unit to code point, for every border between characters."""
    if unit not in _SIZES:
        raise DetectorFailure("bad answer", "offset_unit is codepoint, utf16 or utf8")
    size, places, at = _SIZES[unit], {0: 0}, 0
    for number, character in enumerate(text, 1):
        at += size(ord(character))
        places[at] = number
    return places


def _point(offset: int, places: dict[int, int] | None) -> int:
    if places is None:
        return offset
    if offset not in places:
        raise DetectorFailure("out of range", f"offset {offset} lies in no border of characters")
    return places[offset]
