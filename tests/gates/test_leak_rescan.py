import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import phonenumbers
import pytest

from tracegen.gates import Gates, presidio
from tracegen.gates.scanner import LineScanner
from tracegen.gates.shapes import OwnShapes
from tracegen.model import LANGUAGES, Conversation

Build = Callable[..., Conversation]
Broken = Callable[[Conversation], set[str]]

FRAMES = {
    "en": "Please use {} today.", "de": "Bitte nimm {} heute.", "fr": "Merci de noter {} ici.",
    "it": "Prendi nota di {} oggi.", "ru": "Запишите {} сегодня.", "ko": "연락처{}입니다",
    "zh": "请记下{}谢谢", "ja": "連絡先は{}です", "ar": "أرسلت ل{} أمس", "hi": "कृपया {} लिखें।",
    "th": "ติดต่อ{}ครับ", "he": "שלחתי ל{} אתמול", "el": "Σημείωσε {} σήμερα.",
}  # fmt: skip
REGION = {
    "en": "US", "de": "DE", "fr": "FR", "it": "IT", "ru": "RU", "ko": "KR", "zh": "CN",
    "ja": "JP", "ar": "SA", "hi": "IN", "th": "TH", "he": "IL", "el": "GR",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("DE89 3704 0044 0532 0130 00", "IBAN"),
        ("5555 5555 5555 4444", "card"),
        ("mira.holt@example.com", "e-mail"),
    ],
)
def test_an_unlabelled_value_is_caught_in_every_language(
    build: Build, broken: Broken, language: str, value: str, rule: str
) -> None:
    text = FRAMES[language].format(value)
    assert broken(build(text, language=language)) == {f"leak rescan: {rule}"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "kind", [phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE]
)
def test_an_unlabelled_phone_is_caught_in_every_language(
    build: Build, broken: Broken, language: str, kind: int
) -> None:
    number = phonenumbers.example_number_for_type(REGION[language], kind)
    assert number is not None
    for notation in ("NATIONAL", "INTERNATIONAL", "E164"):
        text = phonenumbers.format_number(number, getattr(phonenumbers.PhoneNumberFormat, notation))
        conversation = build(FRAMES[language].format(text), language=language)
        assert "leak rescan: phone" in broken(conversation), (notation, text)


def test_values_inside_gold_spans_and_decoys_are_declared(build: Build, broken: Broken) -> None:
    fine = build(
        "Karte ⟦5555 5555 5555 4444|account_number credit_card_1 grouped⟧, Muster"
        " ⟦max@example.com|decoy sample_email⟧,"
        " Tel. ⟦030 23125 014|private_phone phone_1 national⟧."
    )
    assert broken(fine) == set()


def test_a_value_labelled_in_part_is_caught(build: Build, broken: Broken) -> None:
    part = build("Tel. +49 30 ⟦23125|private_phone phone_1 x⟧ 014, danke.")
    assert broken(part) == {"leak rescan: phone sticks out of its span"}
    shifted = build("Mail a⟦nna.weber@example.com|private_email email_1 plain⟧, danke.")
    assert "leak rescan: e-mail sticks out of its span" in broken(shifted)
    local = build("Mail ⟦anna.weber|private_email email_1 plain⟧@klinik.example.org, danke.")
    assert "leak rescan: e-mail sticks out of its span" in broken(local)


def test_text_that_a_recognizer_swallows_with_a_whole_value_is_no_leak(
    build: Build, broken: Broken
) -> None:
    fine = build(
        "Daten: mail=⟦anna.weber@example.com|private_email email_1 plain⟧;"
        " ⟦030 23125 014|private_phone phone_1 national⟧ - 2 Kinder,"
        " ssh ⟦aweber|other_pii username_1 plain⟧@server.example.org,"
        " https://⟦anna-weber.example.org/bilder|private_url url_1 bare⟧ und"
        " postgresql://⟦app|other_pii username_2 plain⟧:⟦Regen!42|secret password_1 plain⟧"
        "@db.internal/x"
    )
    assert broken(fine) == set()


@pytest.mark.parametrize(
    "text",
    [
        "https://docs.example.org/x und http://localhost:8000/ und https://portal.test/",
        "git clone git@github.com:team/projekt.git",
        "Version 3.11.4, Bereich 192.0.2.17, 10.0.0.8 und 127.0.0.1, MAC 00:00:00:00:00:00",
        "2026-01-12 08:03:20 Lauf 12, 3 von 5; am 01.05.2026 14:30 und 12/05/2026 09",
        "xmlns http://www.w3.org/2000/svg, @app.route, numpy@1.26.4, std::vector a::b",
    ],
)
def test_what_is_nobodys_is_no_leak(build: Build, broken: Broken, text: str) -> None:
    for language in ("de", "fr", "it"):
        found = broken(build(text, language=language))
        assert {one for one in found if one.startswith("leak")} == set()


def test_presidio_alone_catches_what_our_patterns_miss(
    build: Build, broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    wallet = build("Wallet 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa bitte.")
    assert broken(wallet) == {"leak rescan: Presidio: wallet address"}
    monkeypatch.setattr(OwnShapes, "hits", lambda *_: [])
    scanner = LineScanner("de", presidio=True)
    rules = {
        hit.rule
        for text in (
            "请联系mira.holt@example.com谢谢",
            "卡号4111111111111111吧",
            "DE89370400440532013000",
        )
        for hit in scanner.scan(text)
    }
    assert rules == {"Presidio: e-mail", "Presidio: card", "Presidio: IBAN"}


OFFLINE = """
import socket
def refused(*_, **__):
    raise SystemExit("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
from tracegen.gates import Gates
from tracegen.model import Conversation, Turn
text = "Mail mira.holt@kundenpost.co.uk bitte."
row = Conversation("x", "x", None, "de", None, None, None, None, None,
                   (Turn(1, text),), (), (), len(text), ())
print([violation.rule for violation in Gates().check(row).violations])
"""


def test_nothing_touches_the_network_or_the_home_folder(tmp_path: Path) -> None:
    cache = {"TLDEXTRACT_CACHE": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path / "xdg")}
    done = subprocess.run(
        [sys.executable, "-B", "-c", OFFLINE],
        env={**os.environ, **cache, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == ("['e-mail']", 0), done.stderr
    assert list(tmp_path.iterdir()) == []


KEY_ERROR = "RSSMRA85T10A5५2S"


def test_the_tax_code_that_breaks_presidio_does_not_break_the_gate(
    build: Build, broken: Broken
) -> None:
    assert broken(build(f"Codice {KEY_ERROR} qui.", language="it")) <= {
        "leak rescan: Italian tax code"
    }


def test_a_recognizer_that_raises_is_a_violation() -> None:
    second = presidio.SecondOpinion("it")
    tax_code = next(one for name, one, _ in second.recognizers if name.startswith("ItFiscal"))
    hits = presidio.analyze(tax_code, KEY_ERROR, 0.9)
    assert hits == [(presidio.RECOGNIZER_FAILED, 0, len(KEY_ERROR))]


def test_a_recognizer_that_times_out_is_a_violation(build: Build) -> None:
    class Slow:
        supported_entities: tuple[str, ...] = ()

        def analyze(self, *_: Any) -> list[Any]:
            logging.getLogger("presidio-analyzer").warning(
                "Regex pattern '%s' timed out after %s seconds, skipping.", "x", 60
            )
            return []

    gates = Gates()
    gates.check(build("Karte 5555 5555 5555 4444"))
    second = gates._scanners["de"]._presidio
    assert second is not None
    second.recognizers.append(("Slow", Slow(), 0.0))
    gates._scanners["de"]._quiet.clear()
    found = gates.check(build("Nummer 123456789 bitte.")).violations
    assert "recognizer failed" in {v.rule for v in found}


def test_what_no_recognizer_covers_is_said(build: Build, gates: Gates) -> None:
    verdict = gates.check(build("שלום", language="he"))
    assert any("Israeli identity numbers" in gap for gap in verdict.not_covered)
    other = gates.check(build("Hej", language="sv"))
    assert "leak rescan: no phone regions or national ids for language 'sv'" in other.not_covered


def test_without_presidio_the_report_says_so(build: Build) -> None:
    verdict = Gates(presidio=False).check(build("Hallo"))
    assert "leak rescan: Presidio was not asked" in verdict.not_covered


def test_a_violation_never_holds_a_value(build: Build, gates: Gates) -> None:
    verdict = gates.check(build("Mail mira.holt@example.com, Tel. 030 23125 014"))
    assert len(verdict.violations) == 2
    assert "mira" not in repr(verdict)
    assert "23125" not in repr(verdict)


def test_versions_name_the_libraries(gates: Gates) -> None:
    assert set(gates.versions) == {"presidio", "langdetect", "phonenumbers", "tldextract"}
    assert gates.versions["langdetect"] == "1.0.9"
