"""How many personas a second one core draws, with six values each, beside a plain Faker loop."""

import time

from faker import Faker

from benchmarks.values.cases import REFERENCE
from benchmarks.values.report import Report
from tracegen.locales import load_pack
from tracegen.seeds import Stream
from tracegen.values import MAKERS
from tracegen.values.personas import PersonaWish, draw_persona

SIX = ("person", "email", "phone", "address", "birth_date", "national_id")
WANTED = 3000
_PERSONAS = 300
_RUNS = 5


def measure(locales: tuple[str, ...], report: Report) -> None:
    """Best of several runs in processor time; one note with the slowest and the median locale."""
    rates = {locale: max(_rate(locale, run) for run in range(_RUNS)) for locale in locales}
    for locale, rate in rates.items():
        report.tally(f"{WANTED:,} personas a second on one core, six values each", locale,
                     rate >= WANTED, f"{rate:,.0f} a second")  # fmt: skip
    slowest = min(rates, key=lambda locale: rates[locale])
    middle = sorted(rates.values())[len(rates) // 2]
    naive = max(_faker_rate(run) for run in range(_RUNS))
    report.notes.append(
        f"speed: median {middle:,.0f} personas a second, slowest {slowest} {rates[slowest]:,.0f}; "
        f"{middle / naive:.1f} times a loop over six Faker providers ({naive:,.0f})"
    )


def _rate(locale: str, run: int) -> float:
    pack = load_pack(locale)
    makers = [(kind, MAKERS[kind]) for kind in SIX]
    start = time.process_time()
    for number in range(_PERSONAS):
        stream = Stream("speed", locale, run, number)
        persona = draw_persona(1, pack, stream, REFERENCE, PersonaWish())
        for kind, make in makers:
            make(persona, stream.child(kind))
    return _PERSONAS / (time.process_time() - start)


def _faker_rate(run: int) -> float:
    fake = Faker("de_DE")
    fake.seed_instance(run)
    start = time.process_time()
    for _ in range(_PERSONAS):
        for provider in ("name", "email", "phone_number", "address", "date_of_birth", "ssn"):
            getattr(fake, provider)()
    return _PERSONAS / (time.process_time() - start)
