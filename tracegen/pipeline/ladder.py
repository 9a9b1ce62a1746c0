"""The ladder: one story at every length and depth, its short twin beside it."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from tracegen.model import LABELS, Conversation
from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.catalogue import Filler, Story
from tracegen.pipeline.dividing import divide
from tracegen.pipeline.filling import deal, fill
from tracegen.pipeline.fixed_story import accepted, labels_of
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.paragraphs import repeated
from tracegen.pipeline.plan import Part
from tracegen.pipeline.stress_facts import Axis, LadderFacts
from tracegen.render import Exchange, Rendered
from tracegen.seeds import Stream

_LITTLE = 5_000
"""Code points of ballast below which the pieces of both sides are chosen together, and the nearest
of several renderings is taken: here one piece more or less moves the story."""

_RENDERINGS = 6

_NEAR = 0.03
"""Share of the ballast by which a rendering may miss what is wanted before another is tried."""

DEPTH_TOLERANCE = 0.15
"""A cell is left out where the share of the ballast before the story would miss its depth by
more."""

TWIN = "twin"
"""The level of the conversation without ballast."""


class LadderComposer:
    """Makes the conversations of a ladder; pure in (spec, templates, number)."""

    def __init__(self, bench: Bench, facts: LadderFacts) -> None:
        """Keep what all conversations share."""
        self._bench = bench
        self._facts = facts
        self._cells = facts.cells()
        self._stories: dict[tuple[str, int], tuple[Story, Rendered | None]] = {}

    @property
    def ledger(self) -> Ledger:
        """What the gates did."""
        return self._bench.ledger

    def conversation(self, number: int) -> Conversation | None:
        """Conversation `number`, or None: refused, or a rung shorter than its story."""
        spec = self._bench.spec
        language = spec.languages[number % len(spec.languages)]
        item, cell = divmod(number // len(spec.languages), len(self._cells))
        chosen = self._cells[cell]
        axis, level = (chosen[0], f"{chosen[1]}@{chosen[2]}") if chosen else ("depth", TWIN)
        heading = Heading(
            f"{spec.name}-{number:06d}", spec.name, f"{spec.name}-{language}-{item}", axis, level
        )
        story, rendered = self._story(language, item)
        if rendered is None:
            self.ledger.drop(heading.id, language, story.template)
            return None
        twin = self._bench.record(heading, story.template, [rendered])
        if chosen is None:
            return self._bench.first_passing(heading, lambda attempt: twin)
        gap = chosen[1] - twin.length
        stream = Stream(spec.seed, "ladder", language, item, cell)
        around = _Around(self._bench, self._bench.catalogue.fillers[language], gap, chosen[2] / 100)
        if gap <= 0 or not around.is_possible(stream.child("possible")):
            return None  # the story leaves no room for ballast, or too little to be divided so
        return self._bench.first_passing(
            heading,
            lambda attempt: self._placed(
                heading, story, rendered, chosen[0], around.drawn(stream.child(attempt))
            ),
        )

    def _placed(
        self, heading: Heading, story: Story, rendered: Rendered, axis: Axis,
        ballast: "_Ballast | None",
    ) -> Conversation | None:  # fmt: skip
        """The story with ballast on its sides, or between its first turn and the others."""
        if ballast is None:
            return None
        if axis == "depth":
            parts = [*ballast.first, rendered, *ballast.second]
        else:
            head, rest = _split(rendered)
            parts = [head, *ballast.first, rest, *ballast.second]
        return self._bench.record(heading, story.template, parts)

    def _story(self, language: str, item: int) -> tuple[Story, Rendered | None]:
        key = (language, item)
        if key not in self._stories:
            ranked = self._ranked[language]
            story = ranked[item % len(ranked)]
            stream = Stream(self._bench.spec.seed, "ladder story", language, item)
            part = Part(story.template, story.messages)
            self._stories[key] = (story, accepted(self._bench, part, stream, _recurs))
        return self._stories[key]

    @cached_property
    def _ranked(self) -> dict[str, list[Story]]:
        """Stories of each language in the order in which items take them."""
        return {
            language: _cover(self._bench, language, self._facts.story)
            for language in self._bench.spec.languages
        }


def _cover(bench: Bench, language: str, longest: int) -> list[Story]:
    """Stories so that few of them hold all nine labels; each template once.

    Only stories whose identifiers recur in a later turn, so that they can be spread. One that is
    longer than asked for is taken only for a label that no other has.
    """
    by_template: dict[str, list[Story]] = {}
    for story in bench.catalogue.stories[language]:
        if story.recurrence == "cross_turn" and story.messages >= 3:
            by_template.setdefault(story.template, []).append(story)
    pool: list[Story] = []
    for _, stories in sorted(by_template.items()):
        fitting = [story for story in stories if story.length <= longest]
        pool.append(min(fitting or stories, key=_size))
    labels = {story.template: labels_of(bench, story) for story in pool}
    ranked: list[Story] = []
    missing = set(LABELS)
    while pool:
        missing &= frozenset().union(*(labels[story.template] for story in pool))

        def worth(story: Story, missing: frozenset[str] = frozenset(missing)) -> tuple[float, ...]:
            own = labels[story.template]
            late = 0.5 if story.length > longest else 0.0
            return (len(own & missing) - late, len(own), -story.length)

        best = max(pool, key=worth)
        pool.remove(best)
        ranked.append(best)
        missing -= labels[best.template]
    return ranked


class _Ballast(NamedTuple):
    """What stands on the two sides."""

    first: list[Rendered]
    second: list[Rendered]

    @property
    def lengths(self) -> tuple[int, int]:
        """Code points of each side, with the line ends that join them to the rest."""
        first, second = (sum(map(_length, side)) for side in self)
        return first, second


class _Around(NamedTuple):
    """Draws the ballast for a rung and a depth."""

    bench: Bench
    fillers: Sequence[Filler]
    gap: int
    depth: float

    @property
    def _sides(self) -> tuple[float, float]:
        before = self.gap * self.depth
        return before, self.gap - before

    def is_possible(self, stream: Stream) -> bool:
        """Whether the pieces can be divided so that the depth is met."""
        if self.gap >= _LITTLE:
            return True
        first, second = divide(self.fillers, self._sides, stream)
        return self._lies_right(first.length, second.length)

    def drawn(self, stream: Stream) -> _Ballast | None:
        """The rendering that comes nearest to what is wanted.

        None where a paragraph came out twice or the depth was missed each time.
        """
        nearest: tuple[float, _Ballast] | None = None
        for again in range(_RENDERINGS if self.gap < _LITTLE else 1):
            ballast = self._rendered(stream.child("rendering", again))
            if repeated([*ballast.first, *ballast.second]):
                continue
            pairs = zip(ballast.lengths, self._sides, strict=True)
            missed = sum(abs(length - wanted) for length, wanted in pairs)
            if self._lies_right(*ballast.lengths) and (nearest is None or missed < nearest[0]):
                nearest = missed, ballast
            if nearest is not None and nearest[0] <= _NEAR * self.gap:
                break
        return None if nearest is None else nearest[1]

    def _rendered(self, stream: Stream) -> _Ballast:
        if self.gap < _LITTLE:
            divided = divide(self.fillers, self._sides, stream)
            first, second = (list(side.parts) for side in divided)
        else:
            hands = deal(self.fillers, self._sides, stream)
            first, second = (
                fill(hand, length, stream.child("side", side))
                for side, (hand, length) in enumerate(zip(hands, self._sides, strict=True))
            )
        return _Ballast(
            *(
                [
                    self.bench.part(part, stream.child("part", side, number))
                    for number, part in enumerate(parts)
                ]
                for side, parts in enumerate((first, second))
            )
        )

    def _lies_right(self, before: float, after: float) -> bool:
        whole = before + after
        return whole > 0 and abs(before / whole - self.depth) <= DEPTH_TOLERANCE


def _length(part: Rendered) -> int:
    return sum(
        len(text) + 1
        for exchange in part.exchanges
        for text in (exchange.user, exchange.assistant)
        if text
    )


def _size(story: Story) -> tuple[int, str]:
    return (story.length, story.template)


def _split(rendered: Rendered) -> tuple[Rendered, Rendered]:
    """The first turn, and the others."""
    head, rest = rendered.exchanges[:1], rendered.exchanges[1:]
    return Rendered(head, rendered.carriers), Rendered(rest, rendered.carriers)


def _recurs(rendered: Rendered) -> bool:
    """Whether a value of the first turn comes again later."""
    first, *later = rendered.exchanges
    return bool(_entities([first]) & _entities(later))


def _entities(exchanges: Sequence[Exchange]) -> set[str]:
    return {span.entity_id or "" for exchange in exchanges for span in exchange.spans}
