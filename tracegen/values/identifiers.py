"""Makers of identifiers: numbers of persons at offices, insurers, employers and banks.

Which scheme or mask serves a kind, in which forms, is in `locales/<locale>/identifiers.yaml`.
"""

from collections.abc import Callable
from functools import cache

from tracegen.errors import InvariantError
from tracegen.locales.model import IdentifierChoice, IdentifierForm, LocalePack
from tracegen.seeds import Stream
from tracegen.validators import Scheme, scheme_named
from tracegen.values import composers_asia, composers_europe
from tracegen.values.composers_europe import Composer
from tracegen.values.patterns import native_digits
from tracegen.values.urn import Urn, urn_of, urn_of_names
from tracegen.values.value import Persona, Value, Written

Maker = Callable[[Persona, Stream], Value]

COMPOSERS: dict[str, Composer] = {**composers_europe.COMPOSERS, **composers_asia.COMPOSERS}
"""Schemes whose numbers hold the person."""

_HIDDEN = "•"
_TRIES = 500


def choose(pack: LocalePack, kind: str, stream: Stream) -> IdentifierChoice:
    """One of the pack's choices for a kind, by weight."""
    return _choices(pack, kind).draw(stream)


@cache
def _choices(pack: LocalePack, kind: str) -> Urn[IdentifierChoice]:
    return urn_of(pack.identifiers[kind])


def draw(choice: IdentifierChoice, persona: Persona, stream: Stream) -> str:
    """The compact value of a choice: composed from the persona, or a mask with its check written.

    Raises:
        InvariantError: the mask gives no well-formed value; the room is broken.
    """
    if choice.scheme is None:
        return stream.mask(choice.mask or "")
    scheme = scheme_named(choice.scheme)
    composer = None if choice.mask else COMPOSERS.get(choice.scheme)
    mask = choice.mask or scheme.facts.mask
    for _ in range(_TRIES):
        draft = composer(persona, stream) if composer else stream.mask(mask)
        value = scheme.complete(draft)
        if value is not None and _kept(choice, scheme, value):
            return value
    raise InvariantError(f"{scheme.name}: {_TRIES} drafts from {mask!r} are not well-formed")


def _kept(choice: IdentifierChoice, scheme: Scheme, value: str) -> bool:
    """Well formed; and a random value does not fall into an impossible range."""
    return scheme.keeps(value, issuable=choice.policy != "reserved")


def written_forms(choice: IdentifierChoice, compact: str, pack: LocalePack) -> dict[str, Written]:
    """The value in every form of the choice."""
    pictures = scheme_named(choice.scheme).facts.pictures if choice.scheme else {}
    return {
        name: Written(write(form, compact, pictures.get(name), pack.identity.digits))
        for name, form in choice.forms.items()
    }


def write(form: IdentifierForm, compact: str, picture: str | None, digits: str | None) -> str:
    """The value in one form; `picture` is the scheme's own for the form's name."""
    text = compact
    if form.hide:
        start, end = form.hide
        text = text[:start] + _HIDDEN * (len(text) - start - end) + text[len(text) - end :]
    if form.every:
        groups = range(0, len(text), form.every)
        text = form.separator.join(text[i : i + form.every] for i in groups)
    elif form.picture or (picture and not form.hide):
        text = _pictured(form.picture or picture or "", text)
    if form.case == "lower":
        text = text.lower()
    if form.digits == "native" and digits:
        text = native_digits(text, digits)
    return text


_MISSING = ("",) * 64
"""What a picture writes where the value is shorter than it."""


def _pictured(picture: str, text: str) -> str:
    return _template(picture).format(*text, *_MISSING)


@cache
def _template(picture: str) -> str:
    """The picture as a format string: each X names the place of its character."""
    place, out = 0, []
    for symbol in picture:
        if symbol in ("X", _HIDDEN):
            out.append(f"{{{place}}}" if symbol == "X" else _HIDDEN)
            place += 1
        else:
            out.append(symbol * 2 if symbol in "{}" else symbol)
    return "".join(out)


@cache
def _forms(choice: IdentifierChoice) -> Urn[str]:
    return urn_of_names(choice.forms)


def value_of(
    kind: str, choice: IdentifierChoice, compact: str, persona: Persona, stream: Stream
) -> Value:
    """A compact value with all its forms, the default drawn by weight."""
    default = _forms(choice).draw(stream)
    return Value(kind, default, written_forms(choice, compact, persona.pack))


def _maker(kind: str) -> Maker:
    def make(persona: Persona, stream: Stream) -> Value:
        choice = choose(persona.pack, kind, stream)
        return value_of(kind, choice, draw(choice, persona, stream), persona, stream)

    return make


KINDS = (
    "national_id", "tax_id", "passport", "driver_licence", "insurance_id", "bank_account",
    "licence_plate", "employee_id", "patient_id", "customer_id",
)  # fmt: skip

MAKERS: dict[str, Maker] = {kind: _maker(kind) for kind in KINDS}
