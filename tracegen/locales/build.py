"""Build a pack's `names.csv`: Faker's own pools, curated rows over them, Latin forms filled in."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tracegen.errors import InputError
from tracegen.locales.latin import latin_form
from tracegen.locales.pools import allow_list, drawn_pools, plain_name
from tracegen.resources import read_text

COLUMNS = ("part", "gender", "native", "latin", "weight", "source")
"""The columns of every names.csv; case columns follow them where names inflect."""

_PARTS = ("given", "family", "patronymic")
_GENDERS = ("female", "male", "any")


@dataclass(frozen=True, slots=True)
class NameRow:
    """One row of `names.csv`; `cases` in the order of the columns, empty strings included."""

    part: str
    gender: str
    native: str
    latin: str
    weight: str
    source: str
    cases: tuple[str, ...] = ()

    def fields(self) -> tuple[str, ...]:
        """The row as it is written."""
        head = (self.part, self.gender, self.native, self.latin, self.weight, self.source)
        return head + self.cases


@dataclass(frozen=True, slots=True)
class Build:
    """What a build makes of a pack's names.

    Attributes:
        text: the new `names.csv`.
        drawn: how many names came from Faker in this build.
        unfilled: names without a Latin form, which a person must write.
    """

    text: str
    drawn: int
    unfilled: Sequence[str]


def build_names(locale: str, folder: Path, *, draw: bool) -> Build:
    """The names of a pack, the same whenever it is built from the same files.

    A row marked `curated` stays as it is. A row marked `faker` must be in a pool of Faker that is
    the locale's own; one that is not has been edited by hand and is marked `curated`. Missing Latin
    forms are filled in where the script tells the sound.

    Args:
        locale: the pack's locale.
        folder: the pack's folder; `names.csv` need not exist.
        draw: add the names of Faker that the pack lacks. A reviewed pack has left some out on
            purpose, so this is for a first build and for looking at new releases of Faker.

    Raises:
        InputError: names are to be drawn and the locale is not on the allow-list.
    """
    header, rows = _read(folder / "names.csv")
    pools = drawn_pools(locale) if draw or locale in allow_list() else {}
    rows = [_checked(row, pools) for row in rows]
    new = list(_new_rows(rows, pools)) if draw else []
    width = len(header) - len(COLUMNS)
    rows = _in_blocks([*rows, *(replace(row, cases=("",) * width) for row in new)])
    rows = [row if row.latin else replace(row, latin=latin_form(row.native) or "") for row in rows]
    unfilled = [row.native for row in rows if not row.latin]
    return Build(_write(header, rows), len(new), unfilled)


def _read(path: Path) -> tuple[tuple[str, ...], list[NameRow]]:
    if not path.is_file():
        return COLUMNS, []
    lines = list(csv.reader(io.StringIO(read_text(path))))
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(lines[0]):
            raise InputError(
                "has another number of fields than the header", file=path, where=number
            )
        part, gender, native, latin, weight, source, *cases = line
        rows.append(NameRow(part, gender, native, latin, weight, source, tuple(cases)))
    return tuple(lines[0]), rows


Pools = Mapping[tuple[str, str], Mapping[str, float]]


def _checked(row: NameRow, pools: Pools) -> NameRow:
    """The row with a true source."""
    if row.source != "faker":
        return row
    known = any(plain_name(row.native) in pool for (part, _), pool in pools.items()
                if part == row.part)  # fmt: skip
    return row if known else replace(row, source="curated")


def _new_rows(rows: Sequence[NameRow], pools: Pools) -> Iterable[NameRow]:
    """Faker's names that the pack lacks, one of both genders as `any`."""
    have = {(row.part, row.native) for row in rows}
    for part in _PARTS:
        wanted: dict[str, set[str]] = {}
        weights: dict[str, float] = {}
        for gender in _GENDERS:
            for name, weight in pools.get((part, gender), {}).items():
                wanted.setdefault(name, set()).add(gender)
                weights[name] = max(weight, weights.get(name, 0.0))
        for name in sorted(set(wanted) - {native for one, native in have if one == part}):
            gender = next(iter(wanted[name])) if len(wanted[name]) == 1 else "any"
            yield NameRow(part, gender, name, "", _number(weights[name]), "faker")


def _number(weight: float) -> str:
    return str(int(weight)) if weight == int(weight) else repr(weight)


def _in_blocks(rows: Sequence[NameRow]) -> list[NameRow]:
    """Rows by part and gender; inside a block as they stood, new ones last.

    Where family names inflect for gender, both blocks list the pairs in the same order.
    """
    return sorted(rows, key=lambda row: (_PARTS.index(row.part), _GENDERS.index(row.gender)))


def _write(header: Sequence[str], rows: Iterable[NameRow]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(row.fields() for row in rows)
    return out.getvalue()
