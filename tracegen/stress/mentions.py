"""Which mentions of a ladder a detector covered, and where each of them lies."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tracegen.corpus import read
from tracegen.model import Conversation, Source, Span, document, order, starts

_WORD = re.compile(r"\S+")
_RUNG = re.compile(r"(?P<length>[1-9][0-9]{0,8})@(?P<depth>[0-9]{1,3})")
_EDGE = re.compile(
    r"(?P<edge>[1-9][0-9]{0,8} (?:chars|words|tokens))/(?P<place>twin|before|straddle|after)"
)


class Level(NamedTuple):
    """What a conversation of a stress slice is; lengths and depths are those asked for.

    A twin has neither; a conversation at an edge has `edge` and `place`.
    """

    length: int | None = None
    depth: int | None = None
    edge: str | None = None
    place: str | None = None

    @property
    def is_twin(self) -> bool:
        """Whether it is the story alone."""
        return self.length is None and self.place in (None, "twin")


class Mention(NamedTuple):
    """One gold mention; `words` and `characters` count the document up to the mention's end."""

    rank: int
    label: str
    entity: str
    turn: int
    covered: bool
    start: int
    characters: int
    words: int


class Judged(NamedTuple):
    """A conversation with what became of its mentions, in order of the story."""

    id: str
    pair: str
    language: str
    axis: str
    level: Level
    length: int
    words: int
    mentions: tuple[Mention, ...]
    at_edge: int | None = None
    """The rank of the mention at the edge."""


Ranges = Mapping[tuple[int, str], Sequence[tuple[int, int]]]


class _Span(msgspec.Struct):
    turn: int
    source: Source
    start: int
    end: int


class _Record(msgspec.Struct):
    id: str
    spans: list[_Span]


def read_level(axis: str | None, level: str | None) -> Level | None:
    """What the fields `axis` and `level` of a record say; None where it is of no stress slice."""
    if axis in ("depth", "spread") and level:
        if level == "twin":
            return Level() if axis == "depth" else None
        rung = _RUNG.fullmatch(level)
        if rung and int(rung["depth"]) <= 100:
            return Level(int(rung["length"]), int(rung["depth"]))
    if axis == "edge" and level:
        at_edge = _EDGE.fullmatch(level)
        if at_edge:
            return Level(edge=at_edge["edge"], place=at_edge["place"])
    return None


def judged(corpus: Path, predictions: Path) -> Iterator[Judged]:
    """Every answered conversation of a stress corpus with its mentions judged.

    A mention is covered when each of its characters lies in some span, whatever the label.
    """
    decode = msgspec.json.Decoder(_Record).decode
    answers = {
        (record := decode(line)).id: record.spans for line in predictions.read_bytes().splitlines()
    }
    for conversation in read(corpus):
        level = read_level(conversation.axis, conversation.level)
        spans = answers.get(conversation.id)
        if level is not None and spans is not None:
            yield _judge(conversation, level, _merged(spans))


def _merged(spans: Sequence[_Span]) -> Ranges:
    """The union of the spans of each message, as ranges in order."""
    ranges: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for span in sorted(spans, key=lambda one: (one.turn, one.source, one.start)):
        own = ranges.setdefault((span.turn, span.source), [])
        if own and span.start <= own[-1][1]:
            own[-1] = (own[-1][0], max(own[-1][1], span.end))
        elif span.start < span.end:
            own.append((span.start, span.end))
    return ranges


def _is_covered(span: Span, ranges: Ranges) -> bool:
    own = ranges.get((span.turn, span.source), ())
    index = bisect_left(own, (span.start + 1,)) - 1
    return index >= 0 and own[index][0] <= span.start and span.end <= own[index][1]


def _judge(conversation: Conversation, level: Level, ranges: Ranges) -> Judged:
    text = document(conversation.turns)
    places = starts(conversation)
    words = [match.start() for match in _WORD.finditer(text)]
    mentions = []
    for rank, span in enumerate(sorted(conversation.spans, key=order)):
        start = places[span.turn, span.source] + span.start
        end = start + span.end - span.start
        mentions.append(
            Mention(
                rank, span.label, span.entity_id or "", span.turn, _is_covered(span, ranges),
                start, end, bisect_left(words, end),
            )
        )  # fmt: skip
    found = Judged(
        conversation.id, conversation.pair_id or conversation.id, conversation.language,
        conversation.axis or "", level, len(text), len(words), tuple(mentions),
    )  # fmt: skip
    return found._replace(at_edge=_at_edge(found, words))


def _at_edge(found: Judged, words: Sequence[int]) -> int | None:
    """The mention that the slice put at the edge: the first of the pair's label.

    The edge slice names the label in the pair's id; its target is the label's first mention.
    """
    if found.level.edge is None:
        return None
    label = target_label(found.pair, {mention.label for mention in found.mentions})
    return next((one.rank for one in found.mentions if one.label == label), None)


def target_label(pair: str, labels: Collection[str]) -> str | None:
    """Which of these labels the id of an edge's pair names."""
    return next((label for label in sorted(labels) if f"-{label}-" in pair), None)
