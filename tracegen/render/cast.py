"""The cast of one conversation: who takes part, and the value behind every placeholder."""

from collections.abc import Callable
from datetime import date, timedelta

from tracegen.errors import InputError, RenderError, unknown
from tracegen.locales import KINDS, load_pack
from tracegen.render.slot import Slot
from tracegen.seeds import Stream
from tracegen.templates.model import Placeholder, Template, Wish, parse_placeholder
from tracegen.values import MAKERS
from tracegen.values.contact import Safety, email, url
from tracegen.values.dates import date_value, draw_day, working_day
from tracegen.values.personas import PersonaWish, draw_persona
from tracegen.values.phone import phone
from tracegen.values.strengths import decoy_value
from tracegen.values.value import Persona, Value

MAXIMUM_REDRAWS = 12
"""Draws of one value before two entities may share it; the gates then refuse the conversation."""

_NO_WISH = Wish()


class Cast:
    """Personas and values of one conversation, each drawn when it is first asked for.

    Every value has a stream of its own name, so a new placeholder leaves the others as they were.
    No two entities of a cast share a written form, but for the family name of relatives.
    """

    def __init__(
        self, template: Template, stream: Stream, reference: date, safety: Safety = "default"
    ) -> None:
        """Prepare a cast; nothing is drawn yet."""
        self._template = template
        self._stream = stream
        self._reference = reference
        self._safety: Safety = safety
        self._personas: dict[int, Persona] = {}
        self._days: dict[str, date] = {}
        self._slots: dict[str, Slot] = {}
        self._taken: set[str] = set()

    def slot(self, placeholder: Placeholder) -> Slot:
        """The slot of a placeholder.

        Raises:
            RenderError: a constraint of the template cannot be met.
        """
        if placeholder.name not in self._slots:
            make = self._decoy if KINDS[placeholder.kind].decoy else self._entity
            self._slots[placeholder.name] = make(placeholder)
        return self._slots[placeholder.name]

    def persona(self, number: int) -> Persona:
        """The person behind a number.

        Raises:
            RenderError: `related_to` names no person, or goes in a circle.
        """
        if number not in self._personas:
            self._personas[number] = self._draw_persona(number)
        return self._personas[number]

    def _wish(self, name: str) -> Wish:
        return self._template.wishes.get(name, _NO_WISH)

    def _draw_persona(self, number: int) -> Persona:
        wish = self._wish(f"person_{number}")
        related = None
        if wish.related_to is not None:
            other = parse_placeholder(wish.related_to)
            if other is None or other.kind != "person" or other.number >= number:
                raise RenderError(
                    f"related_to: {wish.related_to} must be a person with a lower number",
                    file=self._template.path,
                    where=f"entities.person_{number}",
                )
            related = self.persona(other.number)
        asked = PersonaWish(wish.gender, wish.age, related)
        pack = load_pack(wish.locale or self._template.locale)
        names = self._names()
        for attempt in range(MAXIMUM_REDRAWS):
            stream = self._stream.child("persona", number, attempt)
            persona = draw_persona(number, pack, stream, self._reference, asked)
            own = {persona.given.native} | (set() if related else {persona.family.native})
            if not own & names:
                break
        return persona

    def _names(self) -> set[str]:
        people = self._personas.values()
        return {part.native for one in people for part in (one.given, one.family)}

    def _entity(self, placeholder: Placeholder) -> Slot:
        persona = self.persona(placeholder.number)
        for attempt in range(MAXIMUM_REDRAWS):
            stream = self._stream.child(placeholder.name, attempt)
            value = self._make(placeholder, persona, stream)
            texts = {form.text.casefold() for form in value.forms.values()}
            if placeholder.kind == "person" or not texts & self._taken:
                break  # a persona's name was kept apart from the others when it was drawn
        self._taken |= texts
        return Slot(placeholder, value, KINDS[placeholder.kind].label, persona)

    def _make(self, placeholder: Placeholder, persona: Persona, stream: Stream) -> Value:
        kind, wish = placeholder.kind, self._wish(placeholder.name)
        if kind == "date":
            return self._date(placeholder.name, persona, stream, wish)
        if kind == "phone":
            return phone(persona, stream, wish.type)
        if kind == "email":
            return email(persona, stream, self._safety)
        if kind == "url":
            return url(persona, stream, self._safety)
        maker: Callable[[Persona, Stream], Value] | None = MAKERS.get(kind)
        if maker is None:
            raise InputError(unknown("kind", kind, MAKERS))
        return maker(persona, stream)

    def _date(self, name: str, persona: Persona, stream: Stream, wish: Wish) -> Value:
        if wish.after is None:
            self._days[name] = draw_day(persona, stream, wish.within)
        else:
            low, high = wish.days or (1, 30)
            days = stream.child("day").between(low, high)
            day = self._earlier(wish.after, name) + timedelta(days=days)
            self._days[name] = working_day(day, persona) if low < high else day
        return date_value(self._days[name], persona, stream)

    def _earlier(self, name: str, later: str) -> date:
        other = parse_placeholder(name)
        if other is None or other.kind != "date" or name == later:
            raise RenderError(
                f"after: {name} is no other date", file=self._template.path,
                where=f"entities.{later}",
            )  # fmt: skip
        self.slot(other)
        return self._days[name]

    def _decoy(self, placeholder: Placeholder) -> Slot:
        pack = load_pack(self._template.locale)
        for attempt in range(MAXIMUM_REDRAWS):
            stream = self._stream.child(placeholder.name, attempt)
            value = decoy_value(placeholder.kind, pack, stream)
            texts = {form.text.casefold() for form in value.forms.values()}
            if placeholder.kind == "person" or not texts & self._taken:
                break  # a persona's name was kept apart from the others when it was drawn
        self._taken |= texts
        return Slot(placeholder, value, None, None)
