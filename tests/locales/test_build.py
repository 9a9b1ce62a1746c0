"""`tracegen locale build`: Faker's pools below, curated rows above, the result frozen."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from tracegen.errors import InputError
from tracegen.locales import FILES, known_locales
from tracegen.locales.build import build_names
from tracegen.locales.latin import latin_form
from tracegen.locales.lock import freeze, is_frozen, read_lock
from tracegen.locales.pools import drawn_pools
from tracegen.locales.skeleton import write_skeleton
from tracegen.resources import room

HEADER = "part,gender,native,latin,weight,source\n"


def pack(tmp_path: Path, rows: str) -> Path:
    """A folder with a names.csv."""
    folder = tmp_path / "pl_PL"
    folder.mkdir()
    (folder / "names.csv").write_text(HEADER + rows, encoding="utf-8")
    return folder


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a names.csv."""
    return list(csv.DictReader(io.StringIO(text)))


def test_a_curated_row_wins_over_fakers(tmp_path: Path) -> None:
    name = next(iter(drawn_pools("pl_PL")["family", "any"]))
    folder = pack(tmp_path, f"family,any,{name},Mine,99,curated\n")
    built = rows(build_names("pl_PL", folder, draw=True).text)
    (row,) = [row for row in built if row["native"] == name]
    assert (row["latin"], row["weight"], row["source"]) == ("Mine", "99", "curated")


def test_a_reviewed_pack_gets_no_new_names_unless_asked(tmp_path: Path) -> None:
    name = next(iter(drawn_pools("pl_PL")["family", "any"]))
    folder = pack(tmp_path, f"family,any,{name},Ours,9,faker\n")
    assert build_names("pl_PL", folder, draw=False).text == (folder / "names.csv").read_text()
    assert build_names("pl_PL", folder, draw=True).drawn > 1000


def test_a_row_that_is_not_in_fakers_pools_is_not_called_fakers(tmp_path: Path) -> None:
    folder = pack(tmp_path, "family,any,Xyzabc,Xyzabc,9,faker\n")
    assert rows(build_names("pl_PL", folder, draw=False).text)[0]["source"] == "curated"


def test_missing_latin_forms_are_filled_in_where_the_script_tells_them(tmp_path: Path) -> None:
    folder = pack(tmp_path, "family,any,Łoś-Wójcik,,9,curated\ngiven,male,李,,1,curated\n")
    built = build_names("pl_PL", folder, draw=False)
    latin = {row["native"]: row["latin"] for row in rows(built.text)}
    assert latin == {"Łoś-Wójcik": "Los-Wojcik", "李": ""}
    assert built.unfilled == ["李"]


@pytest.mark.parametrize(
    ("native", "latin"),
    [
        ("Müller", "Mueller"),
        ("Straßer", "Strasser"),
        ("O’Brien", "O'Brien"),
        ("Щукин", "Shchukin"),
        ("Ευάγγελος", "Evangelos"),
        ("Παπαδόπουλος", "Papadopoulos"),
        ("서연", "Seoyeon"),
        ("李娜", None),
        ("محمد", None),
    ],
)
def test_a_latin_form_is_written_by_the_habits_of_passports(native: str, latin: str | None) -> None:
    assert latin_form(native) == latin


def test_a_build_is_the_same_every_time(tmp_path: Path) -> None:
    first = build_names("nl_NL", tmp_path / "none", draw=True)
    assert first.text == build_names("nl_NL", tmp_path / "none", draw=True).text
    natives = [(row["part"], row["native"]) for row in rows(first.text)]
    assert len(natives) == len(set(natives))


@pytest.mark.parametrize("locale", known_locales())
def test_every_pack_is_what_building_it_again_gives(locale: str) -> None:
    folder = room("locales") / locale
    built = build_names(locale, folder, draw=False)
    assert built.text == (folder / "names.csv").read_text(encoding="utf-8")
    assert not built.unfilled


def test_a_new_locale_gets_every_file_and_a_list_of_what_to_fill_in(tmp_path: Path) -> None:
    todo = write_skeleton("pl_PL", tmp_path / "pl_PL")
    assert all((tmp_path / "pl_PL" / name).is_file() for name in FILES)
    assert any(line.startswith("places.csv:2:") for line in todo)
    assert 'country_code: "48"' in (tmp_path / "pl_PL" / "phones.yaml").read_text()
    with pytest.raises(InputError, match="still to be filled in"):
        freeze("pl_PL", tmp_path)


def test_a_skeleton_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "pl_PL").mkdir()
    (tmp_path / "pl_PL" / "phones.yaml").write_text("mine", encoding="utf-8")
    write_skeleton("pl_PL", tmp_path / "pl_PL")
    assert (tmp_path / "pl_PL" / "phones.yaml").read_text() == "mine"


def test_a_changed_pack_no_longer_matches_its_lock(tmp_path: Path) -> None:
    shutil.copytree(room("locales") / "de_DE", tmp_path / "de_DE")
    digest = freeze("de_DE", tmp_path)
    assert read_lock(tmp_path) == {"de_DE": digest}
    assert is_frozen("de_DE", tmp_path)
    with (tmp_path / "de_DE" / "phones.yaml").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not is_frozen("de_DE", tmp_path)
