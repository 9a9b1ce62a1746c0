"""What the templates offer a planner: how each reads when cut after any of its turns."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tracegen.errors import InputError
from tracegen.model import SOURCES
from tracegen.pipeline.spec import RECURRENCES, Recurrence
from tracegen.render import Exchange, Rendered, Setting, render
from tracegen.seeds import Stream
from tracegen.templates import Template
from tracegen.templates.carriers import PROSE

PROBES = 4
"""Renderings from which a template's measures are averaged."""

_PROBE_ROWS = (8, 40)
_FILLER_PROBES = 2


@dataclass(frozen=True, slots=True)
class Story:
    """A template cut after some of its messages; an odd number ends with an unanswered user.

    `length` is in code points and `mentions` a count, both averages over the probes.
    """

    template: str
    messages: int
    length: int
    recurrence: Recurrence
    structured: bool
    mentions: int


LEAST_ROWS = 3
"""Rows of ballast that grows, at its shortest: an answer to a table of one row reads oddly."""


@dataclass(frozen=True, slots=True)
class Filler:
    """A ballast piece; its length is about `base + slope * rows`, `slope` 0 if it cannot grow."""

    template: str
    base: float
    slope: float
    structured: bool

    @property
    def least(self) -> float:
        """Its length at its shortest."""
        return self.base + self.slope * LEAST_ROWS


@dataclass(frozen=True, slots=True)
class Catalogue:
    """By language: stories with PII, stories without, and ballast."""

    stories: Mapping[str, Sequence[Story]]
    negatives: Mapping[str, Sequence[Story]]
    fillers: Mapping[str, Sequence[Filler]]


def measure(templates: Mapping[str, Template], reference: date) -> Catalogue:
    """Probe every template with fixed seeds; the result depends on the templates alone.

    Raises:
        InputError: a template does not render.
    """
    stories: dict[str, list[Story]] = {}
    negatives: dict[str, list[Story]] = {}
    fillers: dict[str, list[Filler]] = {}
    for template in templates.values():
        if template.ballast:
            filler = _filler(template, Setting(reference))
            fillers.setdefault(template.language, []).append(filler)
            continue
        for story, with_pii in _stories(template, Setting(reference)):
            if with_pii is not None:
                target = stories if with_pii else negatives
                target.setdefault(template.language, []).append(story)
    return Catalogue(stories, negatives, fillers)


def require(catalogue: Catalogue, languages: Sequence[str]) -> None:
    """Check that every language can be served.

    Raises:
        InputError: names the language and what it lacks.
    """
    for language in languages:
        for what, table in (
            ("template with PII", catalogue.stories),
            ("ballast piece", catalogue.fillers),
        ):
            if not table.get(language):
                raise InputError(f"no {what} for language {language!r} in the templates folder")


def _stories(template: Template, setting: Setting) -> Iterator[tuple[Story, bool | None]]:
    """Each cut, and whether it has PII; None when that depends on the alternatives drawn."""
    probes = [
        render(template, Stream("probe", template.id, probe), setting) for probe in range(PROBES)
    ]
    for messages in range(1, 2 * len(template.facts.turns) + 1):
        cuts = [_cut(probe.exchanges, messages) for probe in probes]
        if messages % 2 == 0 and not any(cut[-1].assistant for cut in cuts):
            continue  # the turn has no answer: the cut before it is the same
        mentions = [sum(len(turn.spans) for turn in cut) for cut in cuts]
        kinds = Counter(map(_recurrence, cuts))
        story = Story(
            template.id,
            messages,
            round(sum(map(_length, cuts)) / PROBES),
            max(RECURRENCES, key=lambda name: kinds[name]),
            any(_structured(probe, messages) for probe in probes),
            round(sum(mentions) / PROBES),
        )
        yield story, all(mentions) if all(mentions) or not any(mentions) else None


def _cut(exchanges: Sequence[Exchange], messages: int) -> Sequence[Exchange]:
    """The first messages; what `render` gives when told to stop there."""
    cut = list(exchanges[: (messages + 1) // 2])
    if messages % 2:
        last = cut[-1]
        spans = tuple(span for span in last.spans if span.source == "user")
        cut[-1] = last._replace(assistant="", spans=spans)
    return cut


def _structured(probe: Rendered, messages: int) -> bool:
    """Whether a carrier block, or a value in one, stands in the first messages."""
    places = [(region.turn, region.source) for region in probe.regions]
    places += [
        (span.turn, span.source)
        for turn in probe.exchanges
        for span in turn.spans
        if span.carrier != PROSE
    ]
    return any(2 * turn + SOURCES.index(source) < messages for turn, source in places)


def _length(exchanges: Sequence[Exchange]) -> int:
    return sum(len(turn.user) + len(turn.assistant) + 2 for turn in exchanges)


def _recurrence(exchanges: Sequence[Exchange]) -> Recurrence:
    turns: dict[str, list[int]] = {}
    for number, exchange in enumerate(exchanges):
        for span in exchange.spans:
            turns.setdefault(span.entity_id or "", []).append(number)
    if any(len(set(places)) > 1 for places in turns.values()):
        return "cross_turn"
    return "within_turn" if any(len(places) > 1 for places in turns.values()) else "none"


def _filler(template: Template, setting: Setting) -> Filler:
    lengths, structured = [], False
    for rows in _PROBE_ROWS:
        total = 0
        for probe in range(_FILLER_PROBES):
            stream = Stream("probe", template.id, probe)
            rendered = render(template, stream, setting, rows=rows)
            total += _length(rendered.exchanges)
            structured = structured or bool(rendered.carriers)
        lengths.append(total / _FILLER_PROBES)
    if not template.facts.grows:
        return Filler(template.id, lengths[0], 0.0, structured)
    slope = max((lengths[1] - lengths[0]) / (_PROBE_ROWS[1] - _PROBE_ROWS[0]), 1.0)
    return Filler(template.id, lengths[0] - slope * _PROBE_ROWS[0], slope, structured)
