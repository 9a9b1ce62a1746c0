"""A story that is rendered once, for all conversations that differ in one thing only."""

from collections.abc import Callable

from tracegen.pipeline.assemble import Heading
from tracegen.pipeline.bench import Bench
from tracegen.pipeline.catalogue import Story
from tracegen.pipeline.plan import Part
from tracegen.render import Rendered
from tracegen.seeds import Stream

_PROBE_ROWS = 12
"""Rows of each growing piece beside which a story is tried."""


def accepted(
    bench: Bench, part: Part, stream: Stream, wanted: Callable[[Rendered], bool]
) -> Rendered | None:
    """The first rendering of a story that passes the gates alone and beside all ballast.

    Its values must not meet a word of the ballast, or every long conversation would be refused
    while the short twin passed.
    """
    template = bench.templates[part.template]
    fillers = bench.catalogue.fillers[template.language]
    heading = Heading("probe", bench.spec.name)
    for attempt in range(bench.spec.attempts):
        own = stream.child("story", attempt)
        story = bench.part(part, own)
        if not wanted(story):
            continue
        beside = [
            bench.part(Part(one.template, rows=_PROBE_ROWS), own.child("beside", number))
            for number, one in enumerate(fillers)
        ]
        if all(
            not bench.gates.check(bench.record(heading, part.template, parts)).violations
            for parts in ([story], [*beside, story])
        ):
            return story
    return None


def labels_of(bench: Bench, story: Story) -> frozenset[str]:
    """The labels of a story's mentions, in a rendering that depends on the template alone."""
    rendered = bench.part(Part(story.template, story.messages), Stream("labels", story.template))
    return frozenset(span.label for exchange in rendered.exchanges for span in exchange.spans)
