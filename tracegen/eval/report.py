"""The report: counts first, ratios that follow from them, and no text of the corpus."""

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from tracegen import __version__
from tracegen.errors import InputError
from tracegen.eval.metrics import recomputed
from tracegen.eval.statistics import Z

SCHEMA = 1

Report = dict[str, Any]


def encode(report: Report) -> bytes:
    """The report as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


def read_report(path: Path) -> Report:
    """Read a report back and compute every ratio again.

    Raises:
        InputError: not a report, another schema, a part is missing, or a ratio that its counts do
            not give.
    """
    try:
        report = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"is not JSON ({error})", file=path) from error
    if not isinstance(report, dict) or "metrics" not in report:
        raise InputError("is not a report of `tracegen score --json`", file=path)
    if report.get("schema") != SCHEMA:
        raise InputError(f"has schema {report.get('schema')}; this reads {SCHEMA}", file=path)
    try:
        msgspec.convert(report, _Shape)
        msgspec.convert(report["by"], _Usual)
        where = _disagreement(report)
    except msgspec.ValidationError as error:
        problem = f"is not a whole report: {error}; write it again with `tracegen score --json`"
        raise InputError(problem, file=path) from error
    except KeyError as error:
        raise InputError(f"is not a whole report; it lacks {error}", file=path) from error
    except (AttributeError, TypeError, ArithmeticError, ValueError) as error:
        problem = "is not a whole report; a part of it is no mapping or no number"
        raise InputError(problem, file=path) from error
    if where:
        raise InputError("a ratio does not follow from its counts", file=path, where=where)
    return report


_Count = Annotated[float, msgspec.Meta(ge=0, le=1e15)]


class _Share(msgspec.Struct):
    k: _Count
    n: _Count

    def __post_init__(self) -> None:
        if self.k > self.n:
            raise ValueError(f"{self.k:g} of {self.n:g}")


class _Cell(msgspec.Struct):
    recall: _Share
    containment: _Share


class _Clean(msgspec.Struct):
    documents: _Count
    flagged: _Count


class _Language(_Cell):
    negatives: _Clean


class _Usual(msgspec.Struct):
    """The strata that every report has, and that macro F1 and the clean conversations need."""

    label: dict[str, _Cell]
    language: dict[str, _Language]


class _Choices(msgspec.Struct):
    only: list[str]
    ignore: list[str]
    z: Annotated[float, msgspec.Meta(gt=0, le=100)] = Z


class _Signature(msgspec.Struct):
    gold_digest: str
    options: _Choices


class _Shape(msgspec.Struct):
    """What a comparison with a report relies on."""

    signature: _Signature
    metrics: dict[str, Any]
    by: dict[str, dict[str, _Cell]]


def _disagreement(report: Report) -> str | None:
    """The first ratio that the counts do not give; fails where a part is missing."""
    fresh = recomputed(report, report["signature"]["options"].get("z", Z))
    fresh["metrics"]["macro_f1"] = macro_f1(report["by"]["label"])
    stored = {part: report[part] for part in fresh}
    return difference(stored, fresh)


def readable(name: str) -> str:
    r"""A file name as JSON and pages can hold it: bytes that are not UTF-8 as `\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def macro_f1(labels: dict[str, Any]) -> float | None:
    """The unweighted mean of exact F1 over the labels that have gold."""
    values = [cell["exact_typed"]["f1"] for cell in labels.values() if cell["exact_typed"]["gold"]]
    return round(sum(values) / len(values), 6) if values else None


def difference(stored: Any, fresh: Any, path: str = "") -> str | None:
    """The first place at which two values differ by more than rounding."""
    if isinstance(stored, dict) and isinstance(fresh, dict):
        for key in sorted(stored.keys() | fresh.keys()):
            inner = f"{path}.{key}" if path else str(key)
            if key not in stored or key not in fresh:
                return inner
            found = difference(stored[key], fresh[key], inner)
            if found:
                return found
        return None
    numbers = isinstance(stored, int | float) and isinstance(fresh, int | float)
    same = abs(stored - fresh) < 2e-6 if numbers else stored == fresh
    return None if same else path or "."


@cache
def revision() -> str:
    """The git revision of this scorer, or its version where it is installed without git."""
    folder = Path(__file__).parent
    if not (folder.parents[1] / ".git").exists():
        return f"release {__version__}"
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(  # noqa: S603 (fixed words, no shell)
            command, cwd=folder, capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return f"release {__version__}"
    return done.stdout.strip()
