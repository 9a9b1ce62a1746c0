"""Korean particles: choose the form by the last sound of the text before it.

The rule is that of Standard Korean grammar: a particle's first form follows a final consonant, its
second an open syllable; (으)로 takes the second form after ㄹ as well. Digits, Latin letters and
acronyms are read aloud in Korean, so their last sound is that of the Korean reading.
"""

import re
import unicodedata
from collections.abc import Mapping

from tracegen.errors import RenderError, unknown

_PAIRS: Mapping[str, tuple[str, str]] = {
    "은/는": ("은", "는"),
    "이/가": ("이", "가"),
    "을/를": ("을", "를"),
    "과/와": ("과", "와"),
    "와/과": ("과", "와"),
    "으로/로": ("으로", "로"),
    "아/야": ("아", "야"),
    "이나/나": ("이나", "나"),
    "이라/라": ("이라", "라"),
    "이라고/라고": ("이라고", "라고"),
    "이랑/랑": ("이랑", "랑"),
    "이에요/예요": ("이에요", "예요"),
    "이고/고": ("이고", "고"),
    "이며/며": ("이며", "며"),
    "이지만/지만": ("이지만", "지만"),
    "입니다/입니다": ("입니다", "입니다"),
}
_SYLLABLES = range(0xAC00, 0xD7A4)
_FINALS = 28
_RIEUL = 8

_DIGIT_FINALS = {"0": "ㅇ", "1": "ㄹ", "3": "ㅁ", "6": "ㄱ", "7": "ㄹ", "8": "ㄹ"}
"""영 일 삼 육 칠 팔 end in a consonant; 이 사 오 구 do not."""

_LETTER_FINALS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}
"""엘 엠 엔 알 (in acronyms); the other letters' names end in a vowel."""

_WORD_FINALS = {"b": "ㅂ", "c": "ㄱ", "g": "ㄱ", "k": "ㄱ", "l": "ㄹ", "m": "ㅁ", "n": "ㄴ",
                "p": "ㅂ", "t": "ㅅ", "ng": "ㅇ"}  # fmt: skip
"""Last letters of Latin words whose Korean reading ends in a consonant: 닷컴, 닷넷."""

_READINGS = {".com": "ㅁ", ".net": "ㅅ", ".org": "", ".kr": "ㄹ"}
"""닷컴, 닷넷, 오알지, 케이알."""

_TOKEN = re.compile(r"[A-Za-z0-9]+$")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_SHORTEST_NAME = 5
"""Letters from which capitals with a vowel are a name, read as a word: MINSEOK, but not SQL."""

_IGNORED = "\"'”’)]}»〉》」』>*_`.!? "


def josa(text: str, pair: str) -> str:
    """The particle that follows a text.

    Raises:
        RenderError: the pair is unknown.

    Example:
        >>> josa("김민준", "은/는"), josa("이서아", "은/는"), josa("서울", "으로/로")
        ('은', '는', '로')
    """
    pair = pair.replace("(으)로", "으로/로")
    first, second = pair.split("/") if "/" in pair else ("", "")
    known = _PAIRS.get(pair) or _PAIRS.get(f"{second}/{first}")
    if known is None:
        raise RenderError(unknown("particle pair", pair, _PAIRS))
    final = final_sound(text)
    if final == "" or (known[0] == "으로" and final == "ㄹ"):
        return known[1]
    return known[0]


def final_sound(text: str) -> str:
    """The final consonant of the last sound, "" for an open syllable; ㄹ is told apart."""
    core = unicodedata.normalize("NFC", text).rstrip(_IGNORED)
    if not core:
        return ""
    last = core[-1]
    if ord(last) in _SYLLABLES:
        final = (ord(last) - _SYLLABLES.start) % _FINALS
        return "ㄹ" if final == _RIEUL else "ㅇ" if final else ""
    if last.isdecimal():
        return _DIGIT_FINALS.get(str(int(last)), "")
    return _latin_final(core.lower(), spelled=_spelled_out(core))


def _spelled_out(core: str) -> bool:
    """Whether the last token is read letter by letter: an acronym, or a code like `9c`."""
    token = _TOKEN.search(core)
    letters = token[0] if token else core
    if any(character.isdecimal() for character in letters) or not _VOWEL.search(letters):
        return True
    return len(letters) == 1 or (letters.isupper() and len(letters) < _SHORTEST_NAME)


def _latin_final(core: str, *, spelled: bool) -> str:
    for ending, final in _READINGS.items():
        if core.endswith(ending):
            return final
    if spelled:
        return _LETTER_FINALS.get(core[-1], "")
    return _WORD_FINALS.get(core[-2:], _WORD_FINALS.get(core[-1], ""))
