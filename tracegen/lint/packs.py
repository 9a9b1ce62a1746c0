"""Check locale packs and identifier schemes: complete, and able to make every kind."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from tracegen.errors import TracegenError
from tracegen.lint.findings import Finding
from tracegen.locales import FILES, KINDS, LocalePack, load_pack
from tracegen.resources import room
from tracegen.seeds import Stream
from tracegen.validators import load as load_schemes
from tracegen.values import MAKERS, Persona
from tracegen.values.decoys import decoy, supports
from tracegen.values.personas import PersonaWish, draw_persona

PERSONAS = 12
"""Personas whose every value is made."""

_REFERENCE = date(2026, 1, 15)


def lint_pack(locale: str) -> Iterator[Finding]:
    """Findings of one pack."""
    folder = room("locales") / locale
    for name in FILES:
        if not (folder / name).is_file():
            yield Finding(str(folder), None, "incomplete pack", f"{name} is missing")
    try:
        pack = load_pack(locale)
        yield from _missing_decoys(pack, folder)
        for number in range(PERSONAS):
            stream = Stream("lint", locale, number)
            persona = draw_persona(1, pack, stream, _REFERENCE, PersonaWish())
            yield from _values(persona, stream, folder)
    except TracegenError as error:
        yield Finding(str(folder), None, "broken pack", str(error))


def lint_schemes() -> Iterator[Finding]:
    """Findings of the identifier schemes: each must accept and refuse its own examples."""
    folder = room("validators")
    try:
        schemes = load_schemes()
    except TracegenError as error:
        yield Finding(str(folder), None, "broken scheme", str(error))
        return
    for name, scheme in sorted(schemes.items()):
        for text in scheme.facts.valid:
            if not scheme.accepts(text):
                yield Finding(f"{folder}/{name}.yaml", None, "valid example refused", text)
        for text in scheme.facts.invalid:
            if scheme.accepts(text):
                yield Finding(f"{folder}/{name}.yaml", None, "invalid example accepted", text)


def _missing_decoys(pack: LocalePack, folder: Path) -> Iterator[Finding]:
    for kind, facts in KINDS.items():
        if facts.decoy and not supports(kind, pack):
            yield Finding(str(folder), None, "missing decoys", f"kind {kind}")
        elif facts.decoy:
            decoy(kind, pack, Stream("lint", kind))


def _values(persona: Persona, stream: Stream, folder: Path) -> Iterator[Finding]:
    for kind, facts in KINDS.items():
        if facts.decoy:
            continue
        value = MAKERS[kind](persona, stream.child(kind))
        for form, written in value.forms.items():
            if not written.text.strip():
                yield Finding(str(folder), None, "empty value", f"{kind}.{form}")
