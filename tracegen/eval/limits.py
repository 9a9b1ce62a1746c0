"""The limits of the gates: what a file or a flag may say, checked before anything is scored."""

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import pydantic
from pydantic_core import PydanticCustomError

from tracegen.errors import InputError, unknown
from tracegen.resources import Facts, parse_yaml, read_text, validate

MOST = 10**15
"""The largest count: a float still holds it exactly, and no corpus has so many of anything."""


def _share(value: Any) -> float:
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise PydanticCustomError("share", "must be a share from 0 to 1, such as 0.05")
    return number


def _count(value: Any) -> int:
    number = _number(value)
    if number is None or number < 0 or number != int(number):
        raise PydanticCustomError("count", "must be a whole number, 0 or more")
    if number > MOST:
        raise PydanticCustomError("count", "must be at most {most}", {"most": f"{MOST:,}"})
    return int(number)


def _number(value: Any) -> float | None:
    """A finite number; YAML's `yes` and quoted numbers are none."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


Share = Annotated[float, pydantic.BeforeValidator(_share)]
Count = Annotated[int, pydantic.BeforeValidator(_count)]


class Limits(Facts):
    """A gates file, and the gate flags of the command line. What is absent is not judged."""

    max_leaks: Count | None = None
    max_leaked_characters: Count | None = None
    max_leaking_documents: Count | None = None
    max_high_severity_leaks: Count | None = None
    max_surviving: Count | None = None
    """Gold spans of which a masked output still shows a letter or digit."""
    min_containment: Share | None = None
    min_recall: Share | None = None
    min_label_recall: dict[str, Share] = pydantic.Field(default_factory=dict)
    min_cd: Share | None = None
    min_cd_multi: Share | None = None
    min_cd_cross: Share | None = None
    max_fp0: Share | None = None
    min_masking_precision: Share | None = None
    max_unmapped: Count | None = None
    max_dropped: Count | None = None
    max_invalid: Count = 0
    """Predictions out of range; judged always, since one means a wrong unit or a wrong text."""


def read_limits(path: Path) -> Limits:
    """Read a gates file.

    Raises:
        InputError: an unknown gate, with the nearest known one; a share outside 0 to 1; a count
            that is no whole number.
    """
    limits = parse_yaml(read_text(path), path)
    for name in limits if isinstance(limits, dict) else ():
        if name not in Limits.model_fields:
            raise InputError(unknown("gate", str(name), Limits.model_fields), file=path, where=name)
    return validate(Limits, limits, path)


def with_flags(limits: Limits, flags: dict[str, Any]) -> Limits:
    """Limits with those of the command line: a flag replaces one limit, and leaves the others.

    A floor for one label replaces the floor for that label.

    Args:
        limits: those of the file.
        flags: those of the command line; None where a flag was not given.

    Raises:
        InputError: a share outside 0 to 1, or a negative count; names the flag.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    floors = limits.min_label_recall | given.get("min_label_recall", {})
    values = limits.model_dump() | given | {"min_label_recall": floors}
    try:
        return Limits.model_validate(values)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        flag = name.replace("_", "-")
        raise InputError(f"--{flag} {given.get(name)}: {first['msg']}") from error


def recall_floors(words: list[str]) -> dict[str, Any]:
    """Read `--min-recall 0.9` and `--min-recall secret=0.95`.

    Raises:
        InputError: not a number from 0 to 1, or a second floor for all or for one label.
    """
    floors: dict[str, Any] = {}
    for word in words:
        label, mark, number = word.replace(":", "=").rpartition("=")
        try:
            floor = float(number)
        except ValueError:
            floor = -1.0
        if not 0 <= floor <= 1:
            raise InputError(f"--min-recall {word}: must be FLOOR or LABEL=FLOOR, 0 to 1")
        same = floors.setdefault("min_label_recall", {}) if mark else floors
        name = label if mark else "min_recall"
        if name in same:
            of = f"of {label!r}" if mark else "for all labels"
            raise InputError(f"--min-recall {word}: a second floor {of}; give one")
        same[name] = floor
    return floors
