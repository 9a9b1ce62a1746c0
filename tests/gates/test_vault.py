import base64
import html
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from tracegen.errors import InputError
from tracegen.gates import Gates, Vault
from tracegen.model import Conversation

Build = Callable[..., Conversation]
Leaks = Callable[[str, str], bool]

TEMPLATE = "de/health/test"


@pytest.fixture(scope="module")
def leaks(build: Build) -> Leaks:
    """Whether a conversation with this text leaks this source value."""

    def check(value: str, text: str) -> bool:
        gates = Gates(vault=Vault({TEMPLATE: [value]}), presidio=False)
        violations = gates.check(build(f"so {text} ok", template=TEMPLATE)).violations
        assert value not in repr(violations)
        return any("source" in v.rule for v in violations)

    return check


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _in_digits(text: str, zero: int) -> str:
    return "".join(chr(zero + int(c)) if c.isdecimal() else c for c in text)


IBAN = "DE89370400440532013000"
PHONE = "+49 30 23125 014"
MAIL = "anna.weber@klinik.example"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("Anna Weber", "Anna Weber", id="exact"),
        pytest.param("Anna Weber", "Anna Weber's Akte", id="possessive"),
        pytest.param("נועה כהן לוי", "לנועה כהן לוי", id="hebrew prefix"),
        pytest.param("ليلى حداد", "وليلى حداد", id="arabic prefix"),
        pytest.param("김민준", "김민준이가", id="korean particle"),
        pytest.param("刘伟明", "请刘伟明来", id="han glued"),
        pytest.param("Anna Weber", "ANNA WEBER", id="upper case"),
        pytest.param("Jürgen Groß", "JÜRGEN GROSS", id="sharp s"),
        pytest.param("Jürgen Groß", "Juergen Gross", id="umlaut written out"),
        pytest.param("Jürgen Groß", "Jurgen Gross", id="accents dropped"),
        pytest.param("Anna Weber", "Anna\u00a0Weber", id="no-break space"),
        pytest.param("Anna Weber", "Anna  Weber", id="double space"),
        pytest.param("Anna Weber", "Anna\nWeber", id="line break at a space"),
        pytest.param("Anna Weber", _wide("Anna Weber"), id="full width"),
        pytest.param("Jürgen Groß", unicodedata.normalize("NFD", "Jürgen Groß"), id="decomposed"),
        pytest.param("김민준", unicodedata.normalize("NFD", "김민준"), id="jamo"),
        pytest.param("Anna Weber", "An\u200bna We\u200bber", id="zero-width space"),
        pytest.param("Anna Weber", "Anna We\u00adber", id="soft hyphen"),
        pytest.param("Siobhan O'Neill", "Siobhan O’Neill", id="curly apostrophe"),
        pytest.param("Anna-Lena Weber", "Anna\u2011Lena Weber", id="hard hyphen"),
        pytest.param("Anna-Lena Weber", "Anna–Lena Weber", id="dash"),
        pytest.param("Γιώργος Παππάς", "ΓΙΩΡΓΟΣ ΠΑΠΠΑΣ", id="greek capitals"),
        pytest.param("שלום כהנוביץ", "שָׁלוֹם כהנוביץ", id="niqqud"),
        pytest.param("محمد الحداد", "مُحَمَّد الحدّاد", id="arabic vowels"),
        pytest.param("أحمد الحداد", "احمد الحـــداد", id="alef and tatweel"),
        pytest.param("राजेश वर्मा", "राजेश\u200d वर्मा", id="joiner"),
        pytest.param("4711209384711", _in_digits("4711209384711", 0x966), id="devanagari digits"),
        pytest.param(PHONE, _in_digits(PHONE, 0x660), id="arabic-indic digits"),
        pytest.param("anna.weber92@example.org", "annaweber92@example.org", id="dot left out"),
        pytest.param("Anna Weber", "Anna We-\nber", id="hyphenated at a line break"),
        pytest.param("Jean-Luc Martin", "Jean Luc Martin", id="hyphen as space"),
        pytest.param("田中美咲", "田中 美咲", id="space put in"),
        pytest.param(IBAN, "DE89 3704 0044 0532 0130 00", id="grouped"),
        pytest.param("4111 1111 1111 1111", "4111-1111-1111-1111", id="dashed"),
        pytest.param("Am Hang 5, 01099 Dresden", "Am Hang 5\n01099 Dresden", id="two lines"),
        pytest.param("ghp_abcDEF123456", "ghp_abc\nDEF123456", id="wrapped token"),
        pytest.param("Anna Weber", "**Anna** _Weber_", id="markdown inside"),
        pytest.param(PHONE, "030 / 231 25 014", id="national notation"),
        pytest.param("Jürgen Groß", html.escape("Jürgen Groß").replace("ü", "&uuml;"), id="html"),
        pytest.param(MAIL, quote(MAIL, safe=""), id="percent"),
        pytest.param("Jürgen Groß", json.dumps("Jürgen Groß"), id="json escapes"),
        pytest.param(MAIL, "anna.weber (at) klinik (dot) example", id="at and dot"),
        pytest.param("Anna Weber", "Weber, Anna", id="words turned round"),
        pytest.param("Пётр Иванов", "Иванов из Перми Пётр", id="words nearby"),
        pytest.param("Am Hang 5, 01099 Dresden", "01099 Dresden, Am Hang 5", id="address turned"),
        pytest.param("Weber", "Frau Weber", id="single word"),
    ],
)  # fmt: skip
def test_a_source_value_is_caught_in_each_folded_form(leaks: Leaks, value: str, text: str) -> None:
    assert leaks(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("Anna Weber", base64.b64encode(b"Anna Weber").decode(), id="base64"),
        pytest.param("Иван Петров", "Ivan Petrov", id="romanised"),
        pytest.param("4111 1111 1111 1111", "**** 1111", id="last four"),
        pytest.param("12.05.1987", "12. Mai 1987", id="date in words"),
        pytest.param("Anna Weber", "Anna", id="given name of a longer value"),
        pytest.param("Li", "Li", id="two letters"),
        pytest.param("4711", "4711", id="short number"),
        pytest.param("Anna Weber", "Annas Webereien", id="other words"),
        pytest.param("राज गुप्त कुल", "राजगीर गुप्तकाल कुलपति", id="hindi words that begin alike"),
    ],
)
def test_what_is_out_of_scope_is_not_claimed(leaks: Leaks, value: str, text: str) -> None:
    assert not leaks(value, text)


def test_a_source_value_inside_a_gold_span_is_a_leak(build: Build) -> None:
    gates = Gates(vault=Vault({"*": ["Anna Weber"]}), presidio=False)
    bad = build("Hier ⟦Anna Weber|private_person person_1 full⟧, danke.")
    assert [(v.rule, v.turn) for v in gates.check(bad).violations] == [("source value", 1)]


def test_a_source_word_may_be_a_synthetic_persons_word(build: Build) -> None:
    gates = Gates(vault=Vault({"*": ["Weber"]}), presidio=False)
    fine = build("Hier ⟦Jonas Weber|private_person person_1 full⟧, danke.")
    assert gates.check(fine).violations == ()


@pytest.mark.parametrize("field", ["id", "slice", "pair_id", "carriers"])
def test_every_field_of_the_record_is_searched(build: Build, field: str) -> None:
    gates = Gates(vault=Vault({"*": ["Anna Weber"]}), presidio=False)
    value = ("anna-weber",) if field == "carriers" else "x/anna_weber.txt"
    bad = msgspec.structs.replace(build("Hallo."), **{field: value})
    assert [v.rule for v in gates.check(bad).violations] == ["source value outside the messages"]


def test_values_of_another_template_do_not_concern_this_one(build: Build) -> None:
    gates = Gates(vault=Vault({"de/other/x": ["Anna Weber"]}), presidio=False)
    assert gates.check(build("Anna Weber hier.", template=TEMPLATE)).violations == ()


def test_a_large_vault_finds_the_same(build: Build) -> None:
    values = [f"Wort{n:05d} Name{n * 7:06d}" for n in range(3000)]
    gates = Gates(vault=Vault({"*": [*values, "Anna Weber"]}), presidio=False)
    assert gates.check(build("so annaweber ok")).violations
    assert gates.check(build("so wort00017 name000119 ok")).violations
    assert gates.check(build("so nichts davon ok")).violations == ()


def test_values_too_short_to_search_are_counted_not_named(build: Build) -> None:
    gates = Gates(vault=Vault({"*": ["Li", "47", "Anna Weber"]}), presidio=False)
    gaps = gates.check(build("Hallo.")).not_covered
    assert "leak rescan: 2 source values are too short to search for" in gaps


def test_a_vault_is_read_from_json(tmp_path: Path, build: Build) -> None:
    path = tmp_path / "vault.json"
    path.write_text(json.dumps({"*": ["Anna Weber"]}), encoding="utf-8")
    gates = Gates(vault=Vault.read(path), presidio=False)
    assert gates.check(build("Anna Weber")).violations


@pytest.mark.parametrize("text", ["[1]", '{"*": "Geheim Wort"}', '{"*": [17]}', "{"])
def test_a_broken_vault_is_named_without_its_values(tmp_path: Path, text: str) -> None:
    path = tmp_path / "vault.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Vault.read(path)
    assert "vault.json" in str(caught.value)
    assert "Geheim" not in str(caught.value)
