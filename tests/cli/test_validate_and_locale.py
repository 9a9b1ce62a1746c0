"""`tracegen validate` and `tracegen locale` at the command line: output and exit codes."""

from pathlib import Path

import pytest

from tracegen.cli import run
from tracegen.locales import known_locales
from tracegen.validators import load

Output = pytest.CaptureFixture[str]


def test_a_valid_identifier_is_exit_0(capsys: Output) -> None:
    assert run(["validate", "de-idnr", "86 095 742 719"]) == 0
    assert capsys.readouterr().out.startswith("valid: Steuerliche")


def test_a_refused_identifier_is_exit_1_with_one_line_why(capsys: Output) -> None:
    assert run(["validate", "de-idnr", "86 095 742 718"]) == 1
    out = capsys.readouterr().out
    assert out == "refused: the check is wrong: mod11_10 over 8609574271 gives 9, not 8\n"


def test_an_unknown_scheme_is_exit_2_and_lists_all(capsys: Output) -> None:
    assert run(["validate", "de-idnrr", "1"]) == 2
    error = capsys.readouterr().err
    assert "did you mean 'de-idnr'" in error
    assert all(f"\n{name} " in f"\n{error}" for name in load())


def test_a_number_of_nobody_says_so(capsys: Output) -> None:
    assert run(["validate", "gb-nhs", "999 000 0018"]) == 0
    assert "nobody's: set aside for tests" in capsys.readouterr().out


def test_the_list_of_locales_names_every_pack(capsys: Output) -> None:
    assert run(["locale", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == list(known_locales())


def test_show_prints_every_kind_with_its_forms_and_policy(capsys: Output) -> None:
    assert run(["locale", "show", "th_TH"]) == 0
    out = capsys.readouterr().out
    assert "\nphone: " in out
    assert "    native " in out
    assert "random_valid (" in out
    assert "accepted by th-pin" in out


def test_show_of_an_unknown_locale_is_exit_2(capsys: Output) -> None:
    assert run(["locale", "show", "th_TX"]) == 2
    assert "did you mean 'th_TH'" in capsys.readouterr().err


def test_build_begins_a_pack_and_says_what_is_missing(tmp_path: Path, capsys: Output) -> None:
    assert run(["locale", "build", "nl_NL", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "places.csv:2:" in out
    assert "not frozen" in out
    assert (tmp_path / "nl_NL" / "names.csv").is_file()


def test_build_of_a_locale_that_faker_does_not_know_is_exit_2(
    tmp_path: Path, capsys: Output
) -> None:
    assert run(["locale", "build", "xx_XX", "--out", str(tmp_path)]) == 2
    assert "locales/faker.yaml" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_check_of_an_unfrozen_pack_is_exit_1_and_writes_nothing(
    tmp_path: Path, capsys: Output
) -> None:
    run(["locale", "build", "nl_NL", "--out", str(tmp_path)])
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert run(["locale", "build", "nl_NL", "--out", str(tmp_path), "--check"]) == 1
    assert "nl_NL: differs" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
