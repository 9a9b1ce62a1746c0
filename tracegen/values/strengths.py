"""Decoys in three strengths: plain, near a cue, and in the very shape of PII."""

from collections.abc import Mapping
from functools import cache

from tracegen.errors import InputError
from tracegen.locales.model import LocalePack
from tracegen.resources import Facts, read_yaml, room
from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values.decoys import decoy
from tracegen.values.value import Value, Written

PLAIN, NEAR_CUE, HARD = "plain", "near_cue", "hard"
_HARD_SHARE = 0.15
"""How often a decoy is a hard one where the template asks for no form."""
_TRIES = 50


class HardDecoy(Facts):
    """Masks of the shape of PII; `fails` names the scheme that must refuse the text."""

    masks: tuple[str, ...]
    fails: str | None
    like: str


class Strengths(Facts):
    """`locales/common/strengths.yaml`."""

    hard: dict[str, HardDecoy]
    near_cue: dict[str, tuple[str, ...]]


@cache
def strengths() -> Strengths:
    """The facts, read once a process.

    Raises:
        InputError: the file is broken.
    """
    return read_yaml(Strengths, room("locales") / "common" / "strengths.yaml")


def decoy_value(kind: str, pack: LocalePack, stream: Stream) -> Value:
    """A decoy with its forms: `plain`, and `near_cue` and `hard` where they make sense.

    Raises:
        InputError: neither the pack nor the common lists have the kind.
    """
    text = decoy(kind, pack, stream)
    forms = {PLAIN: Written(text)}
    cues = strengths().near_cue.get(kind)
    if cues:
        forms[NEAR_CUE] = Written(text, before=stream.child("cue").choice(cues))
    if kind in strengths().hard:
        forms[HARD] = Written(hard_text(kind, stream.child("hard")))
    return Value(kind, _default(forms, stream), forms)


def _default(forms: Mapping[str, Written], stream: Stream) -> str:
    hard = HARD in forms and stream.child("strength").chance(_HARD_SHARE)
    return HARD if hard else PLAIN


def hard_text(kind: str, stream: Stream) -> str:
    """A decoy in the shape of PII that fails the rule of what it looks like.

    Raises:
        InputError: the masks give valid values only.
    """
    facts = strengths().hard[kind]
    for attempt in range(_TRIES):
        drawn = stream.child(attempt)
        text = drawn.mask(drawn.choice(facts.masks))
        if facts.fails is None or not scheme_named(facts.fails).accepts(text):
            return text
    raise InputError(f"every hard decoy drawn is valid by {facts.fails}", where=f"hard.{kind}",
                     file="locales/common/strengths.yaml")  # fmt: skip
