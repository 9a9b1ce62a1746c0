"""Everything that the leak rescan's shapes say about one line, kept by literal line."""

import re

from tracegen.gates import rules
from tracegen.gates.phones import candidates, longest_run, phone_hits, without_dates
from tracegen.gates.presidio import RECOGNIZER_FAILED, SecondOpinion, family
from tracegen.gates.shapes import OwnShapes
from tracegen.gates.verdict import Hit
from tracegen.gates.view import back, origins, prepare

# Without one of these nothing that we look for can stand in a line.
_POSSIBLE = re.compile(r"[\d@\uFF20\uFE6B]|://|\uFF0F\uFF0F|www\.|-----BEGIN|::|[A-Za-z0-9_\-]{24}")
_KEPT = 200_000


class LineScanner:
    """The shapes of one language: our own, phone numbers, and Presidio's."""

    def __init__(self, language: str, *, presidio: bool) -> None:
        """Prepare the patterns; a language without an entry gets the general ones."""
        facts = rules.languages().languages.get(language)
        self._shapes = OwnShapes(language)
        self._regions = facts.regions if facts and facts.regions else ("ZZ",)
        self._presidio = SecondOpinion(language) if presidio else None
        self._stretches: dict[str, tuple[Hit, ...]] = {}
        self._quiet: dict[str, bool] = {}
        self._verdicts: dict[str, tuple[Hit, ...]] = {}

    def scan(self, line: str, shape: str | None = None) -> tuple[Hit, ...]:
        """All hits in a line, at the line's own offsets.

        Args:
            line: the text.
            shape: the line with zeros for digits, if known. Whether a line could hold a hit does
                not depend on which digits it has, so that verdict is kept by shape.
        """
        if shape is not None:
            quiet = self._quiet.get(shape)
            if quiet is None:
                if len(self._quiet) >= _KEPT:
                    self._quiet.clear()
                quiet = self._quiet[shape] = not self._could_hit(shape)
            if quiet:
                return ()
        known = self._verdicts.get(line)
        if known is not None:
            return known
        hits = self._scan(line) if _POSSIBLE.search(line) else ()
        if len(self._verdicts) >= _KEPT:
            self._verdicts.clear()
        self._verdicts[line] = hits
        return hits

    def _could_hit(self, shape: str) -> bool:
        if not _POSSIBLE.search(shape):
            return False
        view = prepare(shape)
        digits = longest_run(without_dates(view))
        return (
            digits >= rules.languages().phone_min_digits
            or self._shapes.possible(view, digits)
            or (self._presidio is not None and self._presidio.possible(view, digits))
        )

    def _phones(self, stretch: str) -> tuple[Hit, ...]:
        """Phone numbers in a candidate; Presidio's recognizer asks the same library as we do."""
        if self._presidio is None or not self._presidio.knows_phones:
            return phone_hits(stretch, self._regions)
        known = self._stretches.get(stretch)
        if known is None:
            if len(self._stretches) >= _KEPT:
                self._stretches.clear()
            known = self._stretches[stretch] = tuple(self._presidio.phone_hits(stretch))
        return known

    def own(self, line: str) -> list[Hit]:
        """Hits of our own patterns alone, phones left out."""
        view = prepare(line)
        return _at_origins(line, self._shapes.hits(view, longest_run(view)))

    def _scan(self, line: str) -> tuple[Hit, ...]:
        view = prepare(line)
        dateless = without_dates(view)
        digits = longest_run(dateless)
        hits = self._shapes.hits(view, digits)
        stretches = candidates(dateless) if digits >= rules.languages().phone_min_digits else []
        for at, stretch in stretches:
            hits += _moved(self._phones(stretch), at)
        if self._presidio is not None:
            second = self._presidio.hits(view, digits)
            hits += [hit for hit in second if not _said(hits, hit)]
        return tuple(_at_origins(line, _outermost(hits)))


def _said(hits: list[Hit], second: Hit) -> bool:
    """Whether our own patterns already said the same of the same place."""
    return any(
        hit.rule == family(second.rule) and hit.start < second.end and second.start < hit.end
        for hit in hits
    )


def _outermost(hits: list[Hit]) -> list[Hit]:
    """Hits that do not lie inside a longer one: digits of an IBAN may look like a card."""
    if len(hits) < 2:
        return hits
    return [
        hit
        for hit in hits
        if hit.rule == RECOGNIZER_FAILED
        or not any(
            other.start <= hit.start
            and hit.end <= other.end
            and other.end - other.start > hit.end - hit.start
            and other.rule != RECOGNIZER_FAILED
            for other in hits
        )
    ]


def _moved(hits: "tuple[Hit, ...] | list[Hit]", by: int) -> list[Hit]:
    return [Hit(hit.rule, hit.start + by, hit.end + by) for hit in hits]


def _at_origins(line: str, hits: list[Hit]) -> list[Hit]:
    if not hits:
        return []
    places = origins(line)
    return [Hit(hit.rule, *back(places, hit.start, hit.end)) for hit in hits]
