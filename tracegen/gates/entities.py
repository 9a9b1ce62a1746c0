"""What the record says of its entities: one value each, told apart, and the texts to search for."""

import html
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import unquote

from tracegen.gates import rules
from tracegen.gates.boundaries import DENSE, script_of
from tracegen.gates.folding import casefold_aligned, squash_value
from tracegen.model import Conversation, Span

PERSON = "private_person"
_SHORT_FORMS = ("family", "formal", "initials")


def by_entity(conversation: Conversation) -> dict[str, list[Span]]:
    """The mentions of each entity, in order."""
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for span in conversation.spans:
        if span.entity_id is not None:
            found[span.entity_id].append(span)
    return found


def _unescaped_json(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def readings(text: str) -> set[str]:
    """A value as written, and as each carrier's escapes would read; case folded."""
    forms = {text, html.unescape(text), re.sub(r"\\([^\w\s])", r"\1", text)}
    if "\\" in text:
        forms.add(_unescaped_json(text))
    if "%" in text or "+" in text:
        forms |= {unquote(text), unquote(text.replace("+", " "))}
    forms |= {form.replace(quote * 2, quote) for form in tuple(forms) for quote in "\"'"}
    return {" ".join(form.casefold().split()) for form in forms}


def inconsistent(mentions: list[Span]) -> Iterator[tuple[str, Span]]:
    """Mentions that disagree with an earlier one of their entity: label, kind, subject, text."""
    first = mentions[0]
    texts: dict[str, str] = {}
    for span in mentions:
        if (span.label, span.kind, span.subject) != (first.label, first.kind, first.subject):
            yield "one entity has two labels, kinds or subjects", span
        if span.form is None:
            continue
        known = texts.setdefault(span.form, span.text)
        if span.text != known and not readings(span.text) & readings(known):
            yield "one entity and form has two texts", span


def _identifying(span: Span) -> bool:
    """Whether a mention says the whole value: relatives may share a family name."""
    return span.label != PERSON or not (span.form or "").startswith(_SHORT_FORMS)


def shared(entities: dict[str, list[Span]]) -> Iterator[Span]:
    """Mentions whose value an earlier entity has too."""
    owners: dict[str, str] = {}
    for entity, mentions in entities.items():
        for span in mentions:
            value = squash_value(span.text) or span.text
            if _identifying(span) and owners.setdefault(value, entity) != entity:
                yield span
                break


def name_parts(text: str) -> Iterator[str]:
    """The parts of a person's name that are searched on their own."""
    for word in re.split(r"[\s,.·・()'’\-‐־]+", text):
        if not word:
            continue
        script = script_of(word[0])
        # A Hindi vowel sign is a letter to its readers; a Thai one is half of a syllable.
        kinds = "LM" if script == "devanagari" else "L"
        letters = sum(unicodedata.category(c)[0] in kinds for c in word)
        dense = script in DENSE
        if letters >= (2 if dense else 3):
            yield word
        if dense:
            yield from _unspaced_parts(word)


def _unspaced_parts(word: str) -> Iterator[str]:
    """Family and given name of a full name written without a space, where two letters are left."""
    kanji = any(script_of(c) == "kana" for c in word)
    if len(word) == 3:
        yield word[1:]
        if kanji:
            yield word[:2]
    elif 4 <= len(word) <= 5:
        yield word[-2:]
        yield word[:2]


def needles(entities: dict[str, list[Span]]) -> set[str]:
    """All texts that must not stand outside gold spans, case folded."""
    skipped = rules.names().not_names
    found: set[str] = set()
    for mentions in entities.values():
        for span in mentions:
            found.add(span.text)
            if span.label == PERSON:
                short = (span.form or "") in {"given", "family"}
                parts = [span.text] if short and " " not in span.text else name_parts(span.text)
                found.update(part for part in parts if part.lower() not in skipped)
    return {casefold_aligned(text) for text in found if len(text) > 1 and text.strip()}


def whole_values(entities: dict[str, list[Span]]) -> set[str]:
    """Squashed mentions long enough to be searched without regard to writing."""
    texts = {span.text for mentions in entities.values() for span in mentions}
    values = {squash_value(text) for text in texts}
    return {value for value in values if len(value) >= 8}
