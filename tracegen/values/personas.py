"""Draw personas: who takes part, before any value of theirs is made."""

import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import takewhile

from tracegen.locales.model import LocalePack, NamePart, Place
from tracegen.seeds import Stream
from tracegen.values.value import Persona

ADULT_AGES = (18, 84)
"""Years at the reference date, both included, where a template does not constrain them."""


_REDRAWS = 8


@dataclass(frozen=True, slots=True)
class PersonaWish:
    """What a template asks of a persona; None means no wish."""

    gender: str | None = None
    age: tuple[int, int] | None = None
    related: Persona | None = None


def draw_persona(
    number: int, pack: LocalePack, stream: Stream, reference: date, wish: PersonaWish
) -> Persona:
    """Draw one coherent person; every part has a stream of its own.

    A related person shares the family name (in their own gender's form) and the place.
    """
    gender = wish.gender or ("female" if stream.child("gender").chance(0.5) else "male")
    family = _part(pack, "family", gender, stream)
    place = stream.child("place").choice(pack.places)
    if wish.related is not None:
        family = _same_family(pack, gender, wish.related) or family
        place = wish.related.place
    return Persona(
        number=number,
        locale=pack.identity.locale,
        gender=gender,
        given=_given(pack, gender, family, stream),
        family=family,
        patronymic=_patronymic(pack, gender, stream),
        birth_date=_birth_date(reference, wish.age or ADULT_AGES, stream.child("birth")),
        place=_settle(place, stream.child("postcode")),
        pack=pack,
        reference=reference,
    )


def _part(pack: LocalePack, part: str, gender: str, stream: Stream) -> NamePart:
    pool = pack.names[part, gender]
    return stream.child(part).weighted(pool.parts, pool.cumulative)


def _given(pack: LocalePack, gender: str, family: NamePart, stream: Stream) -> NamePart:
    """A given name that is not the family name as well: Gérard Gérard is drawn again."""
    drawn = _part(pack, "given", gender, stream)
    attempt = 0
    while drawn.native == family.native and attempt < _REDRAWS:
        attempt += 1
        drawn = _part(pack, "given", gender, stream.child("again", attempt))
    return drawn


def _patronymic(pack: LocalePack, gender: str, stream: Stream) -> NamePart | None:
    if ("patronymic", gender) not in pack.names:
        return None
    return _part(pack, "patronymic", gender, stream)


def _same_family(pack: LocalePack, gender: str, relative: Persona) -> NamePart | None:
    """The relative's family name in the form of a gender, or None when it has none.

    Where family names inflect for gender (Иванов, Иванова; Παπαδόπουλος, Παπαδοπούλου), both pools
    list the pairs in the same order; elsewhere both pools hold the very name.
    """
    parts = pack.names["family", gender].parts
    if relative.family in parts:
        return relative.family
    theirs = pack.names["family", relative.gender].parts
    if relative.family not in theirs or len(theirs) != len(parts):
        return None
    pair = parts[theirs.index(relative.family)]
    shared = _common(_bare(pair.native), _bare(relative.family.native))
    return pair if shared >= min(len(pair.native), len(relative.family.native)) - 3 else None


def _bare(name: str) -> str:
    """Without accents, which move when a Greek name inflects."""
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def _common(first: str, second: str) -> int:
    """How many letters two names share from the start."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _birth_date(reference: date, ages: tuple[int, int], stream: Stream) -> date:
    oldest = _years_before(reference, ages[1] + 1) + timedelta(days=1)
    youngest = _years_before(reference, ages[0])
    return oldest + timedelta(days=stream.below((youngest - oldest).days + 1))


def _years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # 29 February in a year without one
        return day.replace(year=day.year - years, day=28)


def _settle(place: Place, stream: Stream) -> Place:
    return place._replace(postcode=stream.mask(place.postcode))
