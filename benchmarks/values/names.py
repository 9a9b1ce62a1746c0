"""Names: one script, no titles, from the locale's own pool, and hardly ever twice."""

from functools import cache
from importlib import import_module

import regex

from benchmarks.values.cases import Case, people
from benchmarks.values.report import Report
from benchmarks.values.text import words
from tracegen.locales import load_pack
from tracegen.seeds import Stream
from tracegen.values.value import Persona

SCRIPTS = {
    "Latn": r"\p{Latin}", "Cyrl": r"\p{Cyrillic}", "Hang": r"\p{Hangul}", "Kore": r"\p{Hangul}",
    "Hans": r"\p{Han}", "Jpan": r"\p{Han}\p{Hiragana}\p{Katakana}ー々", "Arab": r"\p{Arabic}",
    "Deva": r"\p{Devanagari}", "Thai": r"\p{Thai}", "Hebr": r"\p{Hebrew}", "Grek": r"\p{Greek}",
}  # fmt: skip
_TITLES = words(
    "mr mrs ms miss dr prof mx sir dame herr frau fräulein dipl ing m mme mlle sig dott "
    "dott.ssa г-н г-жа господин госпожа тов 씨 님 선생님 先生 女士 小姐 さん 様 氏 السيد السيدة "
    "الدكتور الدكتورة المهندس الأستاذ श्री श्रीमती सुश्री डॉ कुमारी คุณ นาย นาง นางสาว מר גב׳ ד״ר κ κα "
    "κος κυρία κύριος bsc b.sc. ba m.a. phd md dds dvm jr sr ii iii iv "
)
_PARTICLES = frozenset({"le", "la", "de", "de la", "du"})
"""Faker lists them as prefixes; they are part of a French or Italian family name (Le Gall)."""
NAME_DRAWS = 10_000
DISTINCT = "full names differ among 10,000 draws"
SCRIPT = "a name is in one script, the locale's or Latin"
TITLE = "a name holds name parts only, no glued title"
POOL = "a name part is in the locale's own pool, in the locale's script"


def check_name(case: Case, report: Report) -> None:
    """Every form of a name is in one script and consists of the persona's name parts."""
    script = SCRIPTS[case.persona.pack.identity.script]
    for form in case.value.forms.values():
        holds = _in_script(form.text, script) or _in_script(form.text, r"\p{Latin}")
        report.tally(SCRIPT, case.where, holds, form.text)
        rest = _without_parts(form.text, case.persona)
        report.tally(TITLE, case.where, not regex.search(r"\p{L}", rest), form.text)


def check_pools(locale: str, report: Report) -> None:
    """Every name part of the pack is of the locale's script and no title."""
    pack = load_pack(locale)
    script = SCRIPTS[pack.identity.script]
    titles = _TITLES | _faker_titles(locale)
    for pool in pack.names.values():
        for part in pool.parts:
            names = [part.native, *part.cases.values()]
            holds = all(_in_script(name, script) for name in names)
            report.tally(POOL, f"{locale} person", holds, part.native)
            words = {word.strip(".").casefold() for name in names for word in name.split()}
            titled = len(words) > 1 and bool(words & titles)
            report.tally(TITLE, f"{locale} person", not titled, part.native)


def check_distinct(locale: str, report: Report) -> None:
    """Among ten thousand draws with the real skew, at least 95 % are different full names."""
    report.allowed[DISTINCT] = 0.05
    pack = load_pack(locale)
    seen: set[str] = set()
    for number in range(NAME_DRAWS):
        stream = Stream("distinct", locale, number)
        gender = "female" if stream.chance(0.5) else "male"
        parts = [
            stream.weighted(pack.names[part, gender].parts, pack.names[part, gender].cumulative)
            for part in ("family", "given", "patronymic")
            if (part, gender) in pack.names
        ]
        name = " ".join(part.native for part in parts)
        report.tally(DISTINCT, f"{locale} person", name not in seen, name)
        seen.add(name)


def skew(locale: str, count: int) -> tuple[str, float]:
    """The commonest family name among the personas, and its share."""
    names = [one.family.native for one in people(locale, count)]
    top = max(set(names), key=lambda name: (names.count(name), name))
    return top, names.count(top) / len(names)


def _in_script(text: str, script: str) -> bool:
    return not regex.search(rf"[\p{{L}}--[{script}\p{{Lm}}]]", text, flags=regex.VERSION1)


def _without_parts(text: str, persona: Persona) -> str:
    """The text with every written form of the persona's name parts taken out, longest first."""
    known: set[str] = set()
    for part in (persona.given, persona.family, persona.patronymic):
        if part is not None:
            known |= {part.native, part.latin, part.latin.upper(), *part.cases.values()}
            known |= {part.native[0], part.latin[0]}
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


@cache
def _faker_titles(locale: str) -> frozenset[str]:
    """The titles that Faker writes before and after names."""
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ModuleNotFoundError:
        return frozenset()
    words: set[str] = set()
    for name in dir(provider):
        if "prefix" in name or "suffix" in name:
            listed = getattr(provider, name)
            if isinstance(listed, tuple | list | dict):
                words |= {str(word).strip(".").casefold() for word in listed}
    return frozenset(words - _PARTICLES)
