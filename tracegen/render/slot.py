"""What stands in a template's context for one placeholder."""

from functools import cached_property

from tracegen.errors import RenderError, unknown
from tracegen.templates.model import Placeholder
from tracegen.templates.text import Mention, Mixed, Tag, concat
from tracegen.values.value import MASKED, Persona, Value, Written


class Slot:
    """One placed entity or decoy; turns its written forms into tagged text."""

    def __init__(
        self, placeholder: Placeholder, value: Value, label: str | None, persona: Persona | None
    ) -> None:
        """Bind a value to a placeholder; `label` is None for a decoy."""
        self.placeholder = placeholder
        self.value = value
        self.label = label
        self.persona = persona
        self._texts: dict[str, str] = {}

    @cached_property
    def default(self) -> str:
        """The text of the form that stands where none is named."""
        return self.written(self.value.default)

    def written(self, form: str) -> str:
        """The text of a form, tagged.

        Raises:
            RenderError: the value has no such form.
        """
        if form not in self._texts:
            written = self.value.forms.get(form)
            if written is None:
                raise RenderError(
                    unknown(f"form of {self.placeholder.name}", form, self.value.forms)
                )
            self._texts[form] = self._tagged(form, written)
        return self._texts[form]

    def _tagged(self, form: str, written: Written) -> str:
        mention = Mention(written.text, self._tag(form), slot=self)
        if not written.before and not written.after:
            return mention
        text = concat([part for part in (written.before, mention, written.after) if part])
        assert isinstance(text, Mixed)  # noqa: S101 (two pieces at least)
        text.slot = self
        return text

    def _tag(self, form: str) -> Tag:
        if self.label is None:
            return Tag(self.placeholder.kind, None)
        if form == MASKED:
            return Tag("masked_value", None)
        return Tag(
            self.placeholder.kind,
            self.label,
            self.placeholder.name,
            self.placeholder.number,
            form,
        )
