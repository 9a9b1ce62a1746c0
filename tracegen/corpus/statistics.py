"""Describe a corpus by counts, in the terms of the published PII-TRACE statistics."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from tracegen.model import LABELS, Conversation
from tracegen.resources import Facts, read_yaml, room

LENGTH_BANDS: tuple[tuple[str, int], ...] = (("<1k", 1_000), ("1k-10k", 10_000))
LONGEST_BAND = ">=10k"
MENTION_BUCKETS: tuple[tuple[str, int], ...] = (("1", 1), ("2", 2), ("3-5", 5), ("6-10", 10))
LARGEST_BUCKET = "11+"


class Published(Facts):
    """`eval/published/pii-trace.yaml`: what the paper says of its corpus."""

    source: str
    conversations: int
    languages: int
    with_pii: float
    mentions: int
    recurring: float
    cross_turn: float
    structured: float
    lengths: dict[str, float]


class Statistics(msgspec.Struct):
    """Counts of one corpus, or of one language of it; ratios are derived, None where undefined."""

    conversations: int = 0
    with_pii: int = 0
    mentions: int = 0
    identifiers: int = 0
    recurring: int = 0
    cross_turn: int = 0
    structured: int = 0
    turns: int = 0
    characters: int = 0
    longest: int = 0
    without_ids: int = 0
    lengths: Counter[str] = msgspec.field(default_factory=Counter)
    labels: Counter[str] = msgspec.field(default_factory=Counter)
    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    carriers: Counter[str] = msgspec.field(default_factory=Counter)
    decoys: Counter[str] = msgspec.field(default_factory=Counter)
    buckets: Counter[str] = msgspec.field(default_factory=Counter)
    templates: Counter[str] = msgspec.field(default_factory=Counter)

    def count(self, conversation: Conversation) -> None:
        """Take one conversation in."""
        self.conversations += 1
        self.with_pii += bool(conversation.spans)
        self.mentions += len(conversation.spans)
        self.structured += bool(conversation.carriers)
        self.turns += len(conversation.turns)
        self.characters += conversation.length
        self.longest = max(self.longest, conversation.length)
        self.lengths[length_band(conversation.length)] += 1
        self.carriers.update(conversation.carriers)
        self.decoys.update(decoy.kind for decoy in conversation.decoys)
        self.labels.update(span.label for span in conversation.spans)
        self.kinds.update(span.kind for span in conversation.spans if span.kind)
        if conversation.template_id:
            self.templates[conversation.template_id] += 1
        self._recurrence(conversation)

    def _recurrence(self, conversation: Conversation) -> None:
        turns: dict[str, list[int]] = {}
        for span in conversation.spans:
            if span.entity_id is None:
                self.without_ids += 1
                identity = f"{span.label} {' '.join(span.text.casefold().split())}"
            else:
                identity = span.entity_id
            turns.setdefault(identity, []).append(span.turn)
        self.identifiers += len(turns)
        self.buckets.update(mention_bucket(len(places)) for places in turns.values())
        self.recurring += any(len(places) > 1 for places in turns.values())
        self.cross_turn += any(len(set(places)) > 1 for places in turns.values())


class CorpusStatistics(msgspec.Struct):
    """A corpus as a whole and by language."""

    total: Statistics = msgspec.field(default_factory=Statistics)
    languages: dict[str, Statistics] = msgspec.field(default_factory=dict)


def measure_corpus(conversations: Iterable[Conversation]) -> CorpusStatistics:
    """Count over a corpus, one conversation at a time."""
    statistics = CorpusStatistics()
    for conversation in conversations:
        statistics.total.count(conversation)
        language = statistics.languages.setdefault(conversation.language, Statistics())
        language.count(conversation)
    return statistics


def length_band(length: int) -> str:
    """The band of a document's length in code points."""
    return next((name for name, high in LENGTH_BANDS if length < high), LONGEST_BAND)


def mention_bucket(mentions: int) -> str:
    """The bucket of an identifier's number of mentions."""
    return next((name for name, high in MENTION_BUCKETS if mentions <= high), LARGEST_BUCKET)


def ratio(part: int, whole: int) -> float | None:
    """A share, None when the whole is empty."""
    return part / whole if whole else None


def published() -> Published:
    """The published figures."""
    return read_yaml(Published, room("eval") / "published" / "pii-trace.yaml")


def beside_published(total: Statistics) -> list[tuple[str, float | None, float | None]]:
    """Rows of (what, ours, published), shares except where the name says otherwise."""
    paper = published()
    rows: list[tuple[str, float | None, float | None]] = [
        ("conversations (count)", float(total.conversations), float(paper.conversations)),
        ("mentions (count)", float(total.mentions), float(paper.mentions)),
        (
            "mentions a conversation with PII (count)",
            ratio(total.mentions, total.with_pii),
            paper.mentions / (paper.conversations * paper.with_pii),
        ),
        ("conversations with PII", ratio(total.with_pii, total.conversations), paper.with_pii),
        (
            "… an identifier mentioned twice",
            ratio(total.recurring, total.with_pii),
            paper.recurring,
        ),
        ("… an identifier in two turns", ratio(total.cross_turn, total.with_pii), paper.cross_turn),
        ("with structured content", ratio(total.structured, total.conversations), paper.structured),
    ]
    for band in (*(name for name, _ in LENGTH_BANDS), LONGEST_BAND):
        share = ratio(total.lengths[band], total.conversations)
        rows.append((f"length {band}", share, paper.lengths[band]))
    return rows


def as_json(statistics: CorpusStatistics) -> dict[str, Any]:
    """Counts first, with the shares beside the published ones."""

    def plain(one: Statistics) -> Mapping[str, Any]:
        fields: dict[str, Any] = msgspec.to_builtins(one)
        return {
            name: dict(sorted(value.items())) if isinstance(value, dict) else value
            for name, value in fields.items()
        }

    total = statistics.total
    return {
        "schema": 1,
        "total": plain(total),
        "languages": {name: plain(one) for name, one in sorted(statistics.languages.items())},
        "labels_missing": [label for label in LABELS if not total.labels[label]],
        "beside_published": [
            {"what": what, "ours": ours, "published": paper}
            for what, ours, paper in beside_published(total)
        ],
    }
