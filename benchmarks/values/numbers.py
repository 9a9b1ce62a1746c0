"""Identifiers, cards and IBANs: valid by their scheme and by other people's, and nobody's."""

from stdnum import luhn

from benchmarks.values.cases import REFERENCE, Case
from benchmarks.values.encoded import READERS, REGIONS
from benchmarks.values.oracles import REFUSED_ON_PURPOSE, judge
from benchmarks.values.report import Report
from tracegen.locales.model import IdentifierChoice
from tracegen.validators import Scheme, scheme_named
from tracegen.values.identifiers import choose
from tracegen.values.payment import test_cards
from tracegen.values.value import MASKED

_CARDS = frozenset(card.number for cards in test_cards().values() for card in cards)
_BY_SCHEME = "an id, card or IBAN is valid by its scheme in every written form"
_BY_ORACLE = "an id, card or IBAN is valid by python-stdnum, idnumbers or schwifty"
_ENCODED = "birth date and sex inside an id are the persona's"
_NOBODY = "an id is in a range of nobody where a valid one exists"


def check_number(case: Case, report: Report) -> None:
    """The rules for everything that `identifiers.yaml` makes."""
    kind = case.value.kind
    choice = choose(case.persona.pack, kind, case.stream())
    _check_masked(case, report)
    if choice.scheme is None:
        return
    scheme = scheme_named(choice.scheme)
    compact = None
    for name, form in case.value.forms.items():
        if name != MASKED:
            folded = scheme.compact(form.text.replace(".", "").replace("/", ""))
            compact = compact or folded
            holds = folded == compact and _valid(choice, scheme, folded)
            report.tally(_BY_SCHEME, case.where, holds, f"{scheme.name} {form.text}")
    if compact is not None:
        _check_oracles(case, scheme, compact, report)
        _check_encoded(case, scheme, compact, report)
        _check_nobody(case, choice, scheme, compact, report)


def _valid(choice: IdentifierChoice, scheme: Scheme, compact: str) -> bool:
    return scheme.well_formed(compact) if choice.policy == "reserved" else scheme.accepts(compact)


def _check_masked(case: Case, report: Report) -> None:
    masked = case.value.forms.get(MASKED)
    if masked is not None:
        open_forms = [form.text for name, form in case.value.forms.items() if name != MASKED]
        hides = any(c in masked.text for c in "•*X●") and masked.text not in open_forms
        report.tally("a masked echo hides a part", case.where, hides, masked.text)


def _check_oracles(case: Case, scheme: Scheme, compact: str, report: Report) -> None:
    oracle = judge(scheme.name)
    if oracle is None or scheme.name in REFUSED_ON_PURPOSE:
        return
    report.tally(_BY_ORACLE, f"{case.where} {scheme.name}", oracle(compact), compact)


def _check_encoded(case: Case, scheme: Scheme, compact: str, report: Report) -> None:
    region = REGIONS.get(scheme.name)
    if region is not None:
        report.tally("the region inside an id is the persona's", f"{case.where} {scheme.name}",
                     region(compact, case.persona), compact)  # fmt: skip
    reader = READERS.get(scheme.name)
    if reader is None:
        return
    birth, sex = reader(compact, case.persona.birth_date)
    holds = birth == case.persona.birth_date and sex in (None, case.persona.gender)
    report.tally(_ENCODED, f"{case.where} {scheme.name}", holds, compact)


def _check_nobody(
    case: Case, choice: IdentifierChoice, scheme: Scheme, compact: str, report: Report
) -> None:
    if case.value.kind == "credit_card":
        report.tally("a card is a published test number", case.where, compact in _CARDS, compact)
        report.tally(_BY_ORACLE, f"{case.where} luhn", luhn.is_valid(compact), compact)
    elif any(item.valid for item in scheme.facts.never_issued) or choice.policy == "reserved":
        holds = scheme.reserved(compact) is not None
        report.tally(_NOBODY, f"{case.where} {scheme.name}", holds, compact)


def check_age(case: Case, report: Report) -> None:
    """Personas are adults at the reference date, unless a template asks otherwise."""
    age = REFERENCE.year - case.persona.birth_date.year
    report.tally("a persona without a wish is an adult under 85", case.where,
                 18 <= age <= 85, case.persona.birth_date.isoformat())  # fmt: skip
