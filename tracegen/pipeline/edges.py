"""Identifiers just before, on, and just after the edge of a window."""

from collections.abc import Sequence
from typing import NamedTuple

from tracegen.model import Conversation, document, order, starts
from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.catalogue import Filler, Story
from tracegen.pipeline.filling import deal, fill
from tracegen.pipeline.fixed_story import accepted, labels_of
from tracegen.pipeline.head import cut_head
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.paragraphs import repeated
from tracegen.pipeline.plan import Part
from tracegen.pipeline.stress_facts import Edge, EdgeFacts
from tracegen.render import Rendered
from tracegen.seeds import Stream
from tracegen.units import CHARS, WORDS, Unit, read_unit

WITHOUT_SPACES = frozenset({"zh", "ja", "th"})
"""Languages that write no spaces between words: a window of words means nothing to them."""

_TAIL = 1200
"""Code points of ballast after the story, so that the text goes on beyond the edge."""

_TRIES = 10


class Target(NamedTuple):
    """The mention that is put at an edge, at offsets of the story's own document."""

    start: int
    end: int
    units: int


class EdgeComposer:
    """Makes the conversations of an edge slice; pure in (spec, templates, number)."""

    def __init__(self, bench: Bench, facts: EdgeFacts) -> None:
        """Keep what all conversations share."""
        self._bench = bench
        self._cells = facts.cells()
        self._units = {edge.unit: read_unit(edge.unit) for edge in facts.edges}
        self._stories: dict[tuple[str, str, Edge], tuple[str, Rendered] | None] = {}

    @property
    def ledger(self) -> Ledger:
        """What the gates did."""
        return self._bench.ledger

    def conversation(self, number: int) -> Conversation | None:
        """Conversation `number`, or None: refused, or an edge that the language cannot have."""
        spec = self._bench.spec
        language = spec.languages[number % len(spec.languages)]
        label, edge, place = self._cells[number // len(spec.languages)]
        unit = self._units[edge.unit]
        chosen = self._story(language, label, edge)
        if chosen is None:
            return None
        template, story = chosen
        pair = f"{spec.name}-{language}-{label}-{edge.name.replace(' ', '-')}"
        heading = Heading(
            f"{spec.name}-{number:06d}", spec.name, pair, "edge", f"{edge.name}/{place}"
        )
        twin = self._bench.record(heading, template, [story])
        if place == "twin":
            return self._bench.first_passing(heading, lambda attempt: twin)
        target = _target(twin, label, unit)
        if target is None or (place == "straddle" and target.units < 2):
            return None
        stream = Stream(spec.seed, "edge", language, label, edge.name, place)
        maker = _Placing(self._bench, heading, template, story, edge, place)
        return self._bench.first_passing(
            heading, lambda attempt: maker.made(twin, target, stream.child(attempt))
        )

    def _story(self, language: str, label: str, edge: Edge) -> tuple[str, Rendered] | None:
        """The story that holds the label early enough for the edge, rendered and accepted."""
        if edge.unit == WORDS and language in WITHOUT_SPACES:
            return None
        key = (language, label, edge)
        if key not in self._stories:
            self._stories[key] = self._found(language, label, edge)
        return self._stories[key]

    def _found(self, language: str, label: str, edge: Edge) -> tuple[str, Rendered] | None:
        bench, unit = self._bench, self._units[edge.unit]
        heading = Heading("probe", bench.spec.name)
        for story in self._candidates(language, label):
            stream = Stream(
                bench.spec.seed, "edge story", language, label, edge.name, story.template
            )

            def fits(rendered: Rendered, template: str = story.template) -> bool:
                record = bench.record(heading, template, [rendered])
                target = _target(record, label, unit)
                if target is None or (target.units < 2 and label in _SEVERAL_WORDS):
                    return False
                return len(unit.bounds(document(record.turns)[: target.end])) < edge.size * 0.8

            part = Part(story.template, story.messages)
            rendered = accepted(bench, part, stream, fits)
            if rendered is not None:
                return story.template, rendered
        return None

    def _candidates(self, language: str, label: str) -> list[Story]:
        """Cuts of stories with the label, the shortest of each template, short ones first."""
        shortest: dict[str, Story] = {}
        for story in self._bench.catalogue.stories[language]:
            known = shortest.get(story.template)
            if (known is None or story.length < known.length) and label in labels_of(
                self._bench, story
            ):
                shortest[story.template] = story
        return sorted(shortest.values(), key=lambda story: (story.length, story.template))[:_TRIES]


_SEVERAL_WORDS = frozenset({"private_person", "private_address"})
"""Labels whose values have several words, so that an edge of words can lie in them."""


class _Placing(NamedTuple):
    """Puts a story's mention at an edge."""

    bench: Bench
    heading: Heading
    template: str
    story: Rendered
    edge: Edge
    place: str

    def made(self, twin: Conversation, target: Target, stream: Stream) -> Conversation | None:
        """A conversation with enough ballast before the story, cut at its head to fit."""
        unit = read_unit(self.edge.unit)
        before = document(twin.turns)[: target.start]
        need = self._wanted(target) - len(unit.bounds(before))
        if need < 0:
            return None
        fillers = self.bench.catalogue.fillers[twin.language]
        size = 1.25 * need * (1 if self.edge.unit == CHARS else 6.5) + 400
        for again in range(_TRIES):
            whole = self._beside(fillers, size, stream.child(again))
            cut = None if whole is None else self._cut(whole, target, unit)
            if cut is not None:
                return cut
            size *= 1.4
        return None

    def _wanted(self, target: Target) -> int:
        """How many units must stand before the mention."""
        edge, width = self.edge.size, target.units
        return {"before": edge - width, "straddle": edge - max(1, width // 2), "after": edge}[
            self.place
        ]

    def _beside(
        self, fillers: Sequence[Filler], size: float, stream: Stream
    ) -> Conversation | None:
        """The story with ballast before it, prose first, and some after it.

        None where a paragraph of the ballast came out twice.
        """
        hands = deal(fillers, (size, _TAIL), stream)
        first, second = (
            fill(hand, length, stream.child("side", side))
            for side, (hand, length) in enumerate(zip(hands, (size, _TAIL), strict=True))
        )
        prose = {one.template for one in fillers if not one.structured}
        first.sort(key=lambda part: part.template not in prose)
        parts = [
            self.bench.part(part, stream.child("part", number))
            for number, part in enumerate([*first, *second])
        ]
        if repeated(parts):
            return None
        parts.insert(len(first), self.story)
        return self.bench.record(self.heading, self.template, parts)

    def _cut(self, whole: Conversation, target: Target, unit: Unit) -> Conversation | None:
        """The conversation without so much of its head that the mention lies where it should."""
        text = document(whole.turns)
        start = _story_start(whole, self.story)
        if start is None:
            return None
        start += target.start
        bounds = unit.bounds(text[:start])
        spare = len(bounds) - self._wanted(target)
        if spare < 0:
            return None
        at = bounds[spare][0] if spare < len(bounds) else start
        for shift in (at, *_nearby(text, at)):
            cut = cut_head(whole, shift)
            if cut is None:
                continue
            gone = whole.length - cut.length  # a line end more where a whole message went
            if self._lies_right(cut, target, start - gone, unit):
                return cut
        return None

    def _lies_right(self, cut: Conversation, target: Target, start: int, unit: Unit) -> bool:
        """Whether the edge really lies where it should in the text as it now is."""
        text = document(cut.turns)
        bounds = unit.bounds(text)
        if len(bounds) <= self.edge.size:
            return False
        edge = bounds[self.edge.size][0]
        end = start + target.end - target.start
        near = 24 if self.edge.unit == CHARS else 2
        if self.place == "straddle":
            return start < edge < end
        if self.place == "before":
            return end <= edge and not _more(unit, text[end:edge], near)
        return edge <= start and not _more(unit, text[edge:start], near)


def _more(unit: Unit, text: str, units: int) -> bool:
    return len(unit.bounds(text)) > units


def _nearby(text: str, at: int) -> list[int]:
    """Starts of words around a place, the nearest first."""
    words = [
        place
        for place in range(max(1, at - 60), min(len(text), at + 60))
        if text[place - 1].isspace() and not text[place].isspace()
    ]
    return sorted(words, key=lambda place: (abs(place - at), place))


def _story_start(whole: Conversation, story: Rendered) -> int | None:
    """Where the story's first message starts in the document."""
    first = story.exchanges[0]
    for turn in whole.turns:
        if (turn.user, turn.assistant) == (first.user, first.assistant):
            return starts(whole)[turn.turn, "user" if turn.user else "assistant"]
    return None


def _target(twin: Conversation, label: str, unit: Unit) -> Target | None:
    """The first mention with a label."""
    spans = [span for span in sorted(twin.spans, key=order) if span.label == label]
    if not spans:
        return None
    base = starts(twin)[spans[0].turn, spans[0].source]
    start, end = spans[0].start + base, spans[0].end + base
    return Target(start, end, len(unit.bounds(document(twin.turns)[start:end])))
