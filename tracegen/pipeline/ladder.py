"""The ladder: one story at every length and depth, its short twin beside it."""

from collections.abc import Sequence
from functools import cached_property

from tracegen.model import LABELS, Conversation
from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.catalogue import Story
from tracegen.pipeline.filling import deal, fill
from tracegen.pipeline.fixed_story import accepted, labels_of
from tracegen.pipeline.ledger import Ledger
from tracegen.pipeline.paragraphs import repeated
from tracegen.pipeline.plan import Part
from tracegen.pipeline.stress_facts import Axis, LadderFacts
from tracegen.render import Exchange, Rendered
from tracegen.seeds import Stream

_UNDIVIDED = 600
"""Code points of ballast below which it all stands on one side of the story."""

_FITS = 1.1
"""A rung may be exceeded by so much before a story counts as too long for it."""

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
        if twin.length > chosen[1] * _FITS:
            return None  # the story alone is longer than the rung
        stream = Stream(spec.seed, "ladder", language, item, cell)
        gap = chosen[1] - twin.length
        return self._bench.first_passing(
            heading,
            lambda attempt: self._placed(
                heading, story, rendered, chosen, gap, stream.child(attempt)
            ),
        )

    def _placed(
        self, heading: Heading, story: Story, rendered: Rendered, cell: tuple[Axis, int, int],
        gap: int, stream: Stream,
    ) -> Conversation | None:  # fmt: skip
        """The story with ballast on its sides, or between its first turn and the others.

        None where a paragraph of the ballast came out twice.
        """
        axis, _, depth = cell
        sides = _sides(gap, depth)
        language = self._bench.templates[story.template].language
        hands = deal(self._bench.catalogue.fillers[language], sides, stream)
        first, second = (
            [
                self._bench.part(part, stream.child("part", side, number))
                for number, part in enumerate(fill(hand, length, stream.child("side", side)))
            ]
            for side, (hand, length) in enumerate(zip(hands, sides, strict=True))
        )
        if repeated([*first, *second]):
            return None
        if axis == "depth":
            parts = [*first, rendered, *second]
        else:
            head, rest = _split(rendered)
            parts = [head, *first, rest, *second]
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


def _sides(gap: int, depth: int) -> tuple[float, float]:
    """Ballast before and after; a gap too small to be divided goes to one side."""
    before = gap * depth / 100
    if gap < _UNDIVIDED:
        before = gap if depth >= 50 else 0
    return before, gap - before


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
