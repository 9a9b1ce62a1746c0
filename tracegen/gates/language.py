"""The language gate: every sentence with enough text is in the language its turn declares.

The script decides alone for Korean, Chinese, Japanese, Thai, Hebrew and Greek; for the others
langdetect does, with a fixed seed, over the thirteen languages and the neighbours taken for them.
"""

from functools import cache
from typing import Any, NamedTuple

import regex

from tracegen.gates import rules
from tracegen.gates.natural import FENCE, is_machine_line, sentences
from tracegen.gates.verdict import Hit

WRONG_LANGUAGE = "wrong language"
WRONG_SCRIPT = "wrong script"
FOREIGN_PASSAGE = "passage in another script"

_LETTER = regex.compile(r"[\p{L}\p{M}]")
_SCRIPTS = {
    name: regex.compile(pattern)
    for name, pattern in {
        "Latin": r"\p{Latin}",
        "Cyrillic": r"\p{Cyrillic}",
        "Arabic": r"\p{Arabic}",
        "Devanagari": r"\p{Devanagari}",
        "Hangul": r"\p{Hangul}",
        "Han": r"\p{Han}",
        "Japanese": r"[\p{Han}\p{Hiragana}\p{Katakana}ー]",
        "Thai": r"\p{Thai}",
        "Hebrew": r"\p{Hebrew}",
        "Greek": r"\p{Greek}",
    }.items()
}
_LATIN = _SCRIPTS["Latin"]
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_LATIN_WORD = regex.compile(r"[\p{Latin}'’\-]*\p{Latin}[\p{Latin}'’\-]*")
_CERTAIN = 0.9
_KEPT = 200_000


@cache
def _factory() -> Any:
    """The profiles of langdetect, loaded once; its seed makes each call repeatable."""
    from langdetect import detector_factory

    detector_factory.DetectorFactory.seed = 0
    detector_factory.init_factory()
    return detector_factory._factory


def probability(text: str, language: str) -> float:
    """How likely a text is in a language, among the candidates.

    One of langdetect's seven trials settles a clear yes; everything else gets all of them.
    """
    quick = _probability(text, language, trials=1)
    return quick if quick >= _CERTAIN else _probability(text, language, trials=None)


def _probability(text: str, language: str, *, trials: int | None) -> float:
    facts = rules.language_check()
    detector = _factory().create()
    if trials is not None:
        detector.n_trial = trials
    share = 1 / len(facts.candidates)
    detector.set_prior_map(dict.fromkeys(facts.candidates, share))
    detector.append(text)
    found = detector.get_probabilities()
    return float(sum(one.prob for one in found if one.lang.partition("-")[0] == language))


class Judged(NamedTuple):
    """What the check says of a message."""

    hits: tuple[Hit, ...]
    tested: bool


class LanguageScanner:
    """The check for one expected language."""

    def __init__(self, language: str) -> None:
        """Look up how the language is judged."""
        facts = rules.language_check()
        self.language = language
        self.script = facts.scripts[language]
        self._own = _SCRIPTS[self.script.script]
        self._between_own = regex.compile(f"{self._own.pattern}|a0")
        self._least = self.script.letters or facts.letters
        self._lines: dict[str, tuple[str | None, bool, str]] = {}
        self._sentences: dict[str, str | None] = {}

    def judge(self, lines: list[str]) -> Judged:
        """Judge the blanked lines of a message; hits have blanked offsets of whole lines.

        Tokens with digits are no words, so the lines may have zeros for digits.
        """
        hits: list[Hit] = []
        rest: list[str] = []
        tested = fenced = False
        offset = 0
        for line in lines:
            if ("`" in line or "~" in line) and FENCE.match(line):
                fenced = not fenced
            elif line and not fenced:
                rule, enough, short = self._line(line)
                if rule is not None:
                    hits.append(Hit(rule, offset, offset + len(line)))
                tested = tested or enough
                if short:
                    rest.append(short)
            offset += len(line) + 1
        if not tested and rest:
            pooled = " ".join(rest)
            if len(_LETTER.findall(pooled)) >= self._least:
                tested = True
                rule = self._sentence(pooled)
                if rule is not None:
                    hits.append(Hit(rule, 0, offset - 1))
        return Judged(tuple(hits), tested)

    def _line(self, line: str) -> tuple[str | None, bool, str]:
        """The broken rule of a line, whether it had enough text, and what was too short."""
        known = self._lines.get(line)
        if known is None:
            if len(self._lines) >= _KEPT:
                self._lines.clear()
            known = self._lines[line] = self._new_line(line)
        return known

    def _new_line(self, line: str) -> tuple[str | None, bool, str]:
        if is_machine_line(line):
            return None, False, ""
        pieces = sentences(line)
        foreign = self._foreign_passage(" ".join(pieces))
        broken: str | None = FOREIGN_PASSAGE if foreign else None
        tested = foreign
        short: list[str] = []
        for piece in pieces:
            gaps = piece.count("\x00")
            if gaps > len(piece.split()) - gaps:
                continue  # numbers with a few units between them
            piece = self._stripped(piece)
            if len(_LETTER.findall(piece)) < self._least:
                short += [] if gaps else [piece]
                continue
            tested = True
            broken = broken or self._sentence(piece)
        return broken, tested, " ".join(short)

    def _foreign_passage(self, text: str) -> bool:
        """Whether a line holds a passage of letters that are not of the language's script."""
        facts = rules.language_check()
        if text.isascii() and self.script.script == "Latin":
            return False
        if len(_LETTER.findall(text)) - len(self._own.findall(text)) < facts.foreign_letters:
            return False
        for run in self._between_own.split(text.replace("\x00", "a0")):
            latin = len(_LATIN.findall(run))
            if len(_LETTER.findall(run)) - latin >= facts.foreign_letters:
                return True
            if latin >= facts.letters and len(_LATIN_WORD.findall(run)) >= facts.foreign_words:
                return True
        return False

    def _stripped(self, sentence: str) -> str:
        """A sentence without gaps and, in non-Latin languages, without Latin words."""
        if self.script.script != "Latin":
            sentence = _LATIN_WORD.sub(" ", sentence)
        return " ".join(sentence.replace("\x00", " ").split())

    def _sentence(self, sentence: str) -> str | None:
        if sentence not in self._sentences:
            if len(self._sentences) >= _KEPT:
                self._sentences.clear()
            self._sentences[sentence] = self._new_sentence(sentence)
        return self._sentences[sentence]

    def _new_sentence(self, sentence: str) -> str | None:
        letters = len(_LETTER.findall(sentence))
        own = len(self._own.findall(sentence))
        if own < letters / 2:
            return WRONG_SCRIPT
        if not self.script.decides:
            likely = probability(sentence, self.language)
            return None if likely >= rules.language_check().pass_probability else WRONG_LANGUAGE
        share = rules.language_check().kana_share
        kana = len(_KANA.findall(sentence))
        if self.script.script == "Japanese" and kana < share * own:
            return WRONG_SCRIPT
        if self.script.script == "Han" and kana > share * (own + kana):
            return WRONG_SCRIPT
        return None
