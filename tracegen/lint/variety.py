"""Ballast that would say the same again: paragraphs that come out in too few ways."""

from collections import Counter
from collections.abc import Iterator

from tracegen.errors import InputError
from tracegen.lint.findings import Finding
from tracegen.pipeline.catalogue import LEAST_ROWS
from tracegen.pipeline.paragraphs import paragraphs_of, repeated
from tracegen.render import Rendered, Setting, render
from tracegen.seeds import Stream
from tracegen.templates import Template

DRAWS = 64
"""Renderings that are compared with one another."""

LIMIT = 0.04
"""Share of the paragraphs of all draws that may occur in another draw as well.

About one in 1,600 versions: a piece that stands in a hundred conversations of a ladder then
repeats one paragraph in sixteen, and the tables beside it none.
"""

_MANY_ROWS = 60
_SHOWN = 60


def low_variety(template: Template, setting: Setting) -> Iterator[Finding]:
    """Findings on a ballast piece whose paragraphs repeat, between draws or inside one."""
    grows = template.facts.grows
    try:
        draws = [
            render(
                template, Stream("variety", template.id, draw), setting,
                rows=LEAST_ROWS if grows else None,
            )
            for draw in range(DRAWS)
        ]  # fmt: skip
        long = render(
            template, Stream("variety", template.id), setting, rows=_MANY_ROWS if grows else None
        )
    except InputError:
        return  # reported where the template is rendered for the gates
    for paragraph in repeated([long])[:1]:
        problem = f"inside one rendering: {_shown(paragraph)}"
        yield Finding(str(template.path), None, "paragraph repeats", problem)
    yield from _between(template, draws)


def _between(template: Template, draws: list[Rendered]) -> Iterator[Finding]:
    drawn = Counter(paragraph for draw in draws for paragraph in set(paragraphs_of(draw)))
    several = {paragraph: times for paragraph, times in drawn.items() if times > 1}
    share = sum(several.values()) / max(1, drawn.total())
    if share <= LIMIT:
        return
    worst, times = min(several.items(), key=lambda item: (-item[1], item[0]))
    yield Finding(
        str(template.path), None, "too little variety",
        f"{share:.0%} of the paragraphs of {DRAWS} renderings occur in another one, at most "
        f"{LIMIT:.0%} wanted; {times} times: {_shown(worst)}",
    )  # fmt: skip


def _shown(paragraph: str) -> str:
    return repr(paragraph[:_SHOWN].replace("\n", "⏎"))
