"""Values are found in every context that hides them from patterns on raw text.

Thirteen kinds of value in nineteen contexts: glued to other scripts, emphasised, rewritten with
zero-width characters, full-width forms, other digits, dashes, spaces, a line break, lower case.
"""

from collections.abc import Callable

import pytest

from tracegen.gates import Gates
from tracegen.model import Conversation

Build = Callable[..., Conversation]

# name: (language of the conversation, value, rule)
VALUES = {
    "e-mail": ("de", "mira.holt@example.com", "e-mail"),
    "card": ("de", "4111 1111 1111 1111", "card"),
    "IBAN": ("de", "DE89 3704 0044 0532 0130 00", "IBAN"),
    "IP": ("de", "81.169.145.70", "public IP"),
    "MAC": ("de", "00:1B:44:11:3A:B7", "MAC"),
    "phone": ("de", "+49 30 23125 014", "phone"),
    "national phone": ("de", "030 23125 014", "phone"),
    "SSN": ("en", "123-45-6789", "US social security number"),
    "RRN": ("ko", "900101-1234568", "Korean resident number"),
    "TNIN": ("th", "1103702071811", "Thai citizen id"),
    "Aadhaar": ("hi", "2341 2341 2346", "Aadhaar"),
    "DE tax": ("de", "86095742719", "German tax number"),
    "link": ("de", "https://profil.nirgendwo-bank.de/mira", "link"),
}


def _digits(value: str) -> str:
    return "".join(chr(0x0660 + int(c)) if c.isdigit() else c for c in value)


def _wide(value: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in value)


def _middle(value: str) -> int:
    """A place inside the value beside letters or digits."""
    at = len(value) // 2
    while not (value[at - 1].isalnum() and value[at].isalnum()):
        at += 1
    return at


CONTEXTS: dict[str, Callable[[str], str]] = {
    "spaces": lambda v: f"so {v} ok",
    "full stop": lambda v: f"so {v}.",
    "quotes": lambda v: f'so "{v}" ok',
    "bold": lambda v: f"so **{v}** ok",
    "zh": lambda v: f"请联系{v}谢谢",
    "ja": lambda v: f"連絡先は{v}です",
    "ko": lambda v: f"연락처{v}입니다",
    "th": lambda v: f"ติดต่อ{v}ครับ",
    "he prefix": lambda v: f"שלחתי ל{v} אתמול",
    "ar prefix": lambda v: f"أرسلت ل{v} أمس",
    "emphasis": lambda v: f"so _{v}_ ok",
    "slashes": lambda v: f"so a/{v}/b ok",
    "zero-width": lambda v: f"so {v[: _middle(v)]}\u200b{v[_middle(v) :]} ok",
    "full-width": lambda v: f"so {_wide(v)} ok",
    "other digits": lambda v: f"so {_digits(v)} ok",
    "hard hyphen": lambda v: f"so {v.replace('-', chr(0x2011))} ok",
    "hard space": lambda v: f"so {v.replace(' ', chr(0xA0))} ok",
    "line break": lambda v: f"so {v[: _middle(v)]}\n{v[_middle(v) :]} ok",
    "lower case": lambda v: f"so {v.lower()} ok",
}
# docs/gates.md: a phone number across a line break could be two columns; a link ends where its
# line does.
OUT_OF_SCOPE = {
    ("phone", "line break"), ("national phone", "line break"), ("link", "line break"),
}  # fmt: skip


@pytest.fixture(scope="module")
def without_presidio() -> Gates:
    return Gates(presidio=False)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_found_in_its_context(
    build: Build, without_presidio: Gates, name: str, context: str
) -> None:
    language, value, rule = VALUES[name]
    text = CONTEXTS[context](value)
    found = without_presidio.check(build(text, language=language)).violations
    hits = [v for v in found if v.gate == "leak rescan"]
    if (name, context) in OUT_OF_SCOPE:
        assert all(hit.rule != "phone" for hit in hits)
        return
    assert rule in {hit.rule for hit in hits}
    hit = next(hit for hit in hits if hit.rule == rule)
    assert hit.start is not None
    assert hit.end is not None
    written = text[hit.start : hit.end]
    folded = written.replace("\u200b", "").replace("\n", "")
    swallowed = 2 if (name, context) == ("link", "slashes") else 0  # "/b" is a path
    assert len(folded) == len(value) + swallowed
    assert text.index(written) == hit.start
