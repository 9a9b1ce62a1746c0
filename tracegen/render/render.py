"""Render one template into messages with spans: the one forward pass that makes every offset."""

import traceback
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import jinja2

from tracegen.errors import InputError, RenderError
from tracegen.model import Decoy, Source, Span
from tracegen.render.cast import Cast
from tracegen.render.collector import Collector, Region
from tracegen.seeds import Stream
from tracegen.templates.filters import STATE, State
from tracegen.templates.model import Template
from tracegen.templates.text import Mention, Mixed
from tracegen.values.contact import Safety

_LOCALS = "_functions.<locals>."


class Exchange(NamedTuple):
    """One rendered turn; spans and decoys still carry the template's own turn numbers."""

    user: str
    assistant: str
    lang: str | None
    spans: tuple[Span, ...]
    decoys: tuple[Decoy, ...]


class Rendered(NamedTuple):
    """A rendered template: its turns in order, the carriers used, and where their blocks lie."""

    exchanges: tuple[Exchange, ...]
    carriers: frozenset[str]
    regions: tuple[Region, ...] = ()


class Setting(NamedTuple):
    """What is the same for a whole corpus."""

    reference: date
    safety: Safety = "default"


def render(
    template: Template,
    stream: Stream,
    setting: Setting,
    *,
    messages: int | None = None,
    rows: int | None = None,
) -> Rendered:
    """Render a template, or its first messages only.

    Args:
        template: a compiled template.
        stream: everything random in the result comes from it.
        setting: the corpus' reference date and safety.
        messages: how many messages to write, two a turn; None for all.
        rows: the size of ballast that grows.

    Raises:
        RenderError: names file and line.
    """
    cast = Cast(template, stream.child("cast"), setting.reference, setting.safety)
    collector = Collector()
    try:
        context = template.code.new_context(_variables(template, cast, stream, setting, rows))
        collector.feed(template.code.root_render_func(context), messages)
    except (jinja2.TemplateError, RenderError, TypeError, ValueError, RecursionError,
            OverflowError, ZeroDivisionError) as error:  # fmt: skip
        raise _located(error, template) from error
    return Rendered(
        _exchanges(template, collector), frozenset(collector.carriers), tuple(collector.regions)
    )


def _variables(
    template: Template, cast: Cast, stream: Stream, setting: Setting, rows: int | None
) -> dict[str, Any]:
    choices = stream.child("choices")
    variables: dict[str, Any] = {
        f"_choice_{index}": choices.below(count) for index, count in enumerate(template.choices)
    }
    for placeholder in template.placeholders:
        variables[placeholder.name] = cast.slot(placeholder).default
    variables.update(_functions(stream, setting.reference))
    variables[STATE] = State()
    if rows is not None or template.facts.grows:
        variables["rows"] = rows if rows is not None else 5
    return variables


def _functions(stream: Stream, reference: date) -> Mapping[str, Callable[..., Any]]:
    words, numbers, chances = stream.child("any"), stream.child("number"), stream.child("chance")
    morning = stream.child("clock")
    start = datetime(reference.year, reference.month, reference.day, 6) - timedelta(
        days=morning.between(1, 6), seconds=morning.below(40_000)
    )

    def any_(*texts: str) -> str:
        if not texts:
            raise RenderError("any() needs at least one text")
        return words.choice(texts)

    def number(low: int, high: int) -> int:
        if not isinstance(low, int) or not isinstance(high, int) or low > high:
            raise RenderError(f"number({low}, {high}): two whole numbers, the low one first")
        return numbers.between(low, high)

    def chance(probability: float) -> bool:
        return chances.chance(probability)

    def clock(seconds: int = 0) -> str:
        return (start + timedelta(seconds=int(seconds))).isoformat(sep=" ")

    return {"any": any_, "number": number, "chance": chance, "clock": clock, "agree": agree}


def agree(person: object, masculine: str, feminine: str) -> str:
    """The text that fits the person's gender.

    Raises:
        RenderError: the first argument is no person.
    """
    slot = person.slot if isinstance(person, (Mention, Mixed)) else None
    if slot is None or slot.persona is None:
        raise RenderError("agree() takes a placeholder of a person first")
    return feminine if slot.persona.female else masculine


def _exchanges(template: Template, collector: Collector) -> tuple[Exchange, ...]:
    exchanges = []
    for number, facts in enumerate(template.facts.turns):
        place_user: tuple[int, Source] = (number, "user")
        if place_user not in collector.messages:
            break
        exchanges.append(
            Exchange(
                collector.messages[place_user],
                collector.messages.get((number, "assistant"), ""),
                facts.lang,
                tuple(span for span in collector.spans if span.turn == number),
                tuple(decoy for decoy in collector.decoys if decoy.turn == number),
            )
        )
    return tuple(exchanges)


def _located(error: Exception, template: Template) -> InputError:
    """The error with the template's file, and the line that was being rendered."""
    if isinstance(error, RenderError) and error.file is not None:
        return error
    line = None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == template.code.filename or frame.filename == "<template>":
            line = template.code.get_corresponding_lineno(frame.lineno or 1)
    problem = error.problem if isinstance(error, InputError) else str(error)
    if isinstance(error, RecursionError):
        problem = "macros or entities depend on one another in a circle"
    elif isinstance(error, (TypeError, ValueError, OverflowError)):
        problem = f"wrong use of a function, filter or operator: {problem}".replace(_LOCALS, "")
    return RenderError(problem, file=template.path, where=line)
