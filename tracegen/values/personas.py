"""Draw personas: who takes part, before any value of theirs is made."""

from dataclasses import dataclass
from datetime import date, timedelta

from tracegen.locales.model import LocalePack, NamePart, Place
from tracegen.seeds import Stream
from tracegen.values.value import Persona

ADULT_AGES = (18, 84)
"""Years at the reference date, both included, where a template does not constrain them."""


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
        given=_part(pack, "given", gender, stream),
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


def _patronymic(pack: LocalePack, gender: str, stream: Stream) -> NamePart | None:
    if ("patronymic", gender) not in pack.names:
        return None
    return _part(pack, "patronymic", gender, stream)


def _same_family(pack: LocalePack, gender: str, relative: Persona) -> NamePart | None:
    """The relative's family name in the form of a gender.

    Pools of both genders list inflected pairs (Иванов, Иванова) in the same order of stems, so
    the pair is found by the longest common beginning, which must reach all but four letters.
    """
    own = relative.family.native
    parts = pack.names["family", gender].parts
    if gender == relative.gender:
        return relative.family
    best = max(parts, key=lambda part: (_common(part.native, own), -len(part.native)))
    enough = _common(best.native, own) >= max(2, min(len(best.native), len(own)) - 2)
    return best if enough and abs(len(best.native) - len(own)) <= 2 else None


def _common(first: str, second: str) -> int:
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length


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
