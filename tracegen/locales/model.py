"""The facts of one locale, as `locales/README.md` describes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import Field

from tracegen.resources import Facts

Policy = Literal["reserved", "random_valid"]


class NamePart(NamedTuple):
    """A given name, family name or patronymic.

    `cases` maps a grammatical case to the inflected native form; empty where names do not inflect.
    """

    native: str
    latin: str
    cases: Mapping[str, str]


class NamePool(NamedTuple):
    """Name parts with running sums of their weights, for `Stream.weighted`."""

    parts: Sequence[NamePart]
    cumulative: Sequence[float]


class Place(NamedTuple):
    """A place whose parts belong together; `postcode` may hold mask characters."""

    province: str
    province_code: str
    city: str
    district: str
    postcode: str
    area_code: str
    latitude: float
    longitude: float


class Identity(Facts):
    """`locale.yaml`."""

    locale: str
    language: str
    country: str
    name: str
    script: str
    direction: Literal["ltr", "rtl"]
    digits: str | None = None
    sources: tuple[str, ...]


class NameForm(Facts):
    """How a name is written: one pattern, or one a gender; brackets mark the labelled part."""

    pattern: str | None = None
    female: str | None = None
    male: str | None = None
    weight: float = 0


class NameFacts(Facts):
    """`names.yaml`."""

    forms: dict[str, NameForm]


class AddressForm(Facts):
    """One way of writing an address."""

    pattern: str
    weight: float = 0
    digits: Literal["ascii", "native"] = "ascii"


class AddressFacts(Facts):
    """`addresses.yaml`."""

    streets: tuple[str, ...]
    numbers: tuple[str, ...]
    units: tuple[str, ...] = ()
    forms: dict[str, AddressForm]


class PhoneRange(Facts):
    """Numbers of one sort: groups of masks without the trunk prefix.

    `trunk` replaces the pack's trunk prefix for this range: Chinese mobile numbers have none.
    """

    type: Literal["mobile", "landline"]
    groups: tuple[str, ...]
    weight: float
    policy: Policy
    trunk: str | None = None
    source: str | None = None


class PhoneForm(Facts):
    """One way of writing a number."""

    pattern: str
    separator: str = ""
    weight: float = 0
    digits: Literal["ascii", "native"] = "ascii"
    types: tuple[Literal["mobile", "landline"], ...] = ("mobile", "landline")


class PhoneFacts(Facts):
    """`phones.yaml`."""

    country_code: str
    trunk: str
    ranges: tuple[PhoneRange, ...]
    forms: dict[str, PhoneForm]


class DateForm(Facts):
    """One way of writing a date."""

    pattern: str
    weight: float = 0
    calendar: Literal["gregorian", "buddhist", "japanese", "hijri"] = "gregorian"
    digits: Literal["ascii", "native"] = "ascii"
    kinds: tuple[Literal["birth_date", "date"], ...] = ("birth_date", "date")


class DateFacts(Facts):
    """`dates.yaml`; `weekend` counts from Monday, 0; `holidays` are months and days: 12-25."""

    first: str | None = None
    weekend: tuple[int, ...] = (5, 6)
    holidays: tuple[str, ...] = ()
    months: tuple[str, ...]
    months_short: tuple[str, ...]
    weekdays: tuple[str, ...]
    hijri_months: tuple[str, ...] = ()
    forms: dict[str, DateForm]


class ContactFacts(Facts):
    """`contacts.yaml`."""

    domains: tuple[str, ...]
    nicknames: tuple[str, ...]
    password_words: tuple[str, ...]
    calendar_paths: tuple[str, ...]
    profile_paths: tuple[str, ...]


class IdentifierForm(Facts):
    """One way of writing an identifier.

    At most one of `picture` (each `X` writes the next character of the compact value, each `•`
    hides it, all else is literal) and `every` (groups of so many characters joined by `separator`)
    is given. With neither, the scheme's picture of the form's name is used, or the value as it is.

    Attributes:
        hide: how many characters stay visible at the start and at the end; the others become `•`.
        digits: `native` writes the locale's own digits.
    """

    picture: str | None = None
    every: int | None = None
    separator: str = " "
    hide: tuple[int, int] | None = None
    case: Literal["as_is", "lower"] = "as_is"
    digits: Literal["ascii", "native"] = "ascii"
    weight: float = 0


class IdentifierChoice(Facts):
    """One way to make an identifier of a kind: by a scheme of `validators/`, or by a mask.

    A mask beside a scheme narrows the scheme's own draft; check characters in it are overwritten.
    Every choice of a kind has forms of the same names.

    Attributes:
        brand: for payment cards, the brand of `locales/common/cards.yaml` to draw from.
        why: why this policy; `source` says who set a reserved range aside.
    """

    scheme: str | None = None
    mask: str | None = None
    brand: str | None = None
    weight: float = 1
    policy: Policy = "random_valid"
    why: str | None = None
    source: str | None = None
    forms: dict[str, IdentifierForm] = Field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """By identity, as packs are: what a maker prepares from a choice is cached by it."""
        return self is other

    def __hash__(self) -> int:
        """By identity."""
        return id(self)


@dataclass(frozen=True, slots=True, eq=False)
class LocalePack:
    """Everything known about one locale; read once a process by `tracegen.locales.load_pack`.

    Two packs are equal only if they are the same object, so what a maker prepares from a pack can
    be cached by the pack.

    `names` maps (part, gender) to a pool; `digest` is the sha256 of the pack's files.
    """

    identity: Identity
    names: Mapping[tuple[str, str], NamePool]
    name_facts: NameFacts
    places: Sequence[Place]
    addresses: AddressFacts
    phones: PhoneFacts
    dates: DateFacts
    contacts: ContactFacts
    decoys: Mapping[str, Sequence[str]]
    identifiers: Mapping[str, Sequence[IdentifierChoice]]
    digest: str
