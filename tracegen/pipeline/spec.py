"""A slice spec: which conversations to make, how many, and with what shares."""

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec
import pydantic

from tracegen.errors import InputError, unknown
from tracegen.model import LANGUAGES
from tracegen.pipeline.stress_facts import EdgeFacts, LadderFacts
from tracegen.resources import Facts, read_yaml, room, validate
from tracegen.values.contact import Safety

Recurrence = Literal["none", "within_turn", "cross_turn"]
RECURRENCES: tuple[Recurrence, ...] = ("none", "within_turn", "cross_turn")


_ROUNDING = 0.002


def _check_sum(what: str, total: float) -> None:
    if abs(total - 1) > _ROUNDING:
        raise ValueError(f"the shares of {what} add up to {total:g}, not 1")


class LengthBand(Facts):
    """A share of conversations whose length in code points lies in [low, high).

    `structured` overrides the spec's share of structured content inside the band.
    """

    low: int = pydantic.Field(gt=0)
    high: int = pydantic.Field(gt=0)
    share: float = pydantic.Field(ge=0, le=1)
    structured: float | None = pydantic.Field(default=None, ge=0, le=1)

    @pydantic.model_validator(mode="after")
    def _ordered(self) -> "LengthBand":
        if self.low >= self.high:
            raise ValueError(f"low must be below high, not {self.low} and {self.high}")
        return self


class RecurrenceShares(Facts):
    """Of the conversations with PII: no identifier twice; twice in one turn; in several turns."""

    none: float = pydantic.Field(ge=0, le=1)
    within_turn: float = pydantic.Field(ge=0, le=1)
    cross_turn: float = pydantic.Field(ge=0, le=1)

    @pydantic.model_validator(mode="after")
    def _whole(self) -> "RecurrenceShares":
        _check_sum("recurrence", self.none + self.within_turn + self.cross_turn)
        return self


class Spec(Facts):
    """A slice; bundled ones lie in `eval/slices/`."""

    name: str = pydantic.Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)
    description: str = pydantic.Field(default="", max_length=2000)
    count: int = pydantic.Field(gt=0, strict=True)
    seed: int = pydantic.Field(strict=True)
    reference_date: date
    languages: tuple[str, ...] = LANGUAGES
    shard_rows: int = pydantic.Field(default=500, gt=0)
    with_pii: float = pydantic.Field(ge=0, le=1)
    mentions: float | None = pydantic.Field(default=None, gt=1, le=1000, allow_inf_nan=False)
    """Mean number of mentions of a conversation with PII; None leaves it to the templates."""
    recurrence: RecurrenceShares
    structured: float = pydantic.Field(ge=0, le=1)
    lengths: tuple[LengthBand, ...] = pydantic.Field(min_length=1)
    ladder: LadderFacts | None = None
    """One story at every length and depth; the shares above then say nothing."""
    edges: EdgeFacts | None = None
    """Identifiers at the edges of windows; the shares above then say nothing."""
    families: tuple[str, ...] | None = None
    templates: str | None = pydantic.Field(default=None, min_length=1)
    safety: Safety = "default"
    attempts: int = pydantic.Field(default=12, gt=0)
    dropped_limit: float = pydantic.Field(default=0.001, ge=0, le=1)

    @pydantic.field_validator("lengths")
    @classmethod
    def _whole(cls, value: tuple[LengthBand, ...]) -> tuple[LengthBand, ...]:
        _check_sum("lengths", sum(band.share for band in value))
        return value

    @pydantic.field_validator("reference_date")
    @classmethod
    def _recent(cls, value: date) -> date:
        if not 1950 <= value.year <= 2100:
            raise ValueError(f"reference_date must lie between 1950 and 2100, not {value}")
        return value

    @pydantic.field_validator("languages")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for language in value:
            if language not in LANGUAGES:
                raise ValueError(unknown("language", language, LANGUAGES))
        if not value or len(set(value)) < len(value):
            raise ValueError("languages: at least one, each once")
        return value

    @pydantic.model_validator(mode="after")
    def _counted(self) -> "Spec":
        """A ladder has as many conversations as it has cells; `count` can only ask for fewer."""
        stress = self.ladder or self.edges
        if self.ladder and self.edges:
            raise ValueError("a slice is a ladder or has edges, not both")
        if stress:
            full = stress.per_language() * len(self.languages)
            object.__setattr__(self, "count", min(self.count, full))
        return self

    def digest(self) -> str:
        """The sha256 of everything that determines bytes; templates are hashed, not their place."""
        fields = self.model_dump(mode="json", exclude={"templates"})
        return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


def bundled() -> Sequence[str]:
    """The names of the specs that come with tracegen."""
    return sorted(path.stem for path in (room("eval") / "slices").glob("*.yaml"))


def read_spec(name: str | Path, /, **changes: Any) -> Spec:
    """A bundled spec by name, or a spec file by path, with some keys changed.

    Changes are checked as a file's keys are; pydantic's `model_copy` would take anything.

    Raises:
        InputError: no such spec, or it or a change is broken.
    """
    path, name = Path(name), str(name)
    if name in bundled():
        path = room("eval") / "slices" / f"{name}.yaml"
    elif path.suffix not in (".yaml", ".yml") or not path.is_file():
        raise InputError(unknown("spec", name, bundled()) + "; or the path of a .yaml file")
    spec = read_yaml(Spec, path)
    return validate(Spec, spec.model_dump() | changes, Path("options")) if changes else spec
