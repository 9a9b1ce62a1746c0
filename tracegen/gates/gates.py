"""The four gates on one conversation; verdicts on repeated lines are kept in between."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from types import MappingProxyType

from tracegen.gates import rules
from tracegen.gates.language import LanguageScanner
from tracegen.gates.layout import BLANK, Laid, lay_out
from tracegen.gates.leftovers import leftovers
from tracegen.gates.natural import FENCE
from tracegen.gates.repeats import NOT_APPLICABLE, Found, check_repeats
from tracegen.gates.replacement import check_characters, check_spans
from tracegen.gates.rescan import scan_message
from tracegen.gates.scanner import LineScanner
from tracegen.gates.vault import Vault
from tracegen.gates.verdict import (
    LANGUAGE,
    LEAK_RESCAN,
    REPEATED_VALUES,
    SPAN_REPLACEMENT,
    Hit,
    Verdict,
    Violation,
)
from tracegen.model import Conversation

_LIBRARIES = {
    "presidio": "presidio-analyzer",
    "langdetect": "langdetect",
    "phonenumbers": "phonenumbers",
    "tldextract": "tldextract",
}
_KEPT = 200_000


class Gates:
    """All gates; one object a worker process, since it keeps what it has seen.

    Args:
        vault: source values that must not come back.
        presidio: also ask Presidio's recognizers; takes about a second to load.
    """

    versions: Mapping[str, str] = MappingProxyType(
        {name: version(distribution) for name, distribution in _LIBRARIES.items()}
    )
    """Versions of the libraries whose opinion the verdicts depend on."""

    def __init__(self, *, vault: Vault | None = None, presidio: bool = True) -> None:
        """Prepare empty caches; a language's patterns are built when it is first met."""
        self._vault = vault
        self._presidio = presidio
        self._scanners: dict[str, LineScanner] = {}
        self._languages: dict[str, LanguageScanner] = {}
        self._leftovers: dict[tuple[str, bool, bool], tuple[Hit, ...]] = {}

    def check(self, conversation: Conversation) -> Verdict:
        """Every violation of a conversation, and what could not be tested."""
        violations: list[Violation] = []

        def report(gate: str) -> Callable[[Found | str], None]:
            def add(found: Found | str) -> None:
                place = (None,) * 4 if isinstance(found, str) else found[1:]
                rule = found if isinstance(found, str) else found.rule
                violations.append(
                    Violation(gate, rule, conversation.id, conversation.template_id, *place)
                )

            return add

        messages = lay_out(conversation)
        _each(self._span_replacement(conversation, messages), report(SPAN_REPLACEMENT))
        applicable = any(span.entity_id is not None for span in conversation.spans)
        if applicable:
            _each(check_repeats(conversation, messages), report(REPEATED_VALUES))
        _each(self._leak_rescan(conversation, messages), report(LEAK_RESCAN))
        untested = 0
        for laid in messages:
            tested = self._language(laid, report(LANGUAGE))
            untested += bool(laid.text) and not tested
        return Verdict(
            tuple(dict.fromkeys(violations)),
            () if applicable or not conversation.spans else (NOT_APPLICABLE,),
            tuple(self._not_covered(conversation, messages)),
            untested,
        )

    def _span_replacement(
        self, conversation: Conversation, messages: list[Laid]
    ) -> Iterator[Found | str]:
        yield from check_spans(conversation)
        for message in conversation.messages():
            yield from check_characters(message)
        for laid in messages:
            fenced = False
            offset = 0
            for line in laid.shapes:
                if ("`" in line or "~" in line) and FENCE.match(line):
                    fenced = not fenced
                for hit in self._left(line, laid.lang, fenced):
                    start = laid.original(offset + hit.start)
                    yield Found(
                        hit.rule, laid.turn, laid.source, start,
                        laid.original(offset + hit.end - 1) + 1,
                    )  # fmt: skip
                offset += len(line) + 1
            for mark in laid.marks:
                if laid.text[mark.start] in "[<{":
                    for hit in leftovers(laid.text[mark.start : mark.end], "", in_code=False):
                        yield Found(hit.rule, laid.turn, laid.source, mark.start, mark.end)

    def _left(self, line: str, language: str, fenced: bool) -> tuple[Hit, ...]:
        key = (line, fenced, language == "en")
        known = self._leftovers.get(key)
        if known is None:
            if len(self._leftovers) >= _KEPT:
                self._leftovers.clear()
            known = self._leftovers[key] = tuple(leftovers(line, language, in_code=fenced))
        return known

    def _leak_rescan(
        self, conversation: Conversation, messages: list[Laid]
    ) -> Iterator[Found | str]:
        if self._vault is not None:
            yield from self._vaulted(self._vault, conversation, messages)
        for laid in messages:
            scanner = self._scanners.get(laid.lang)
            if scanner is None:
                scanner = LineScanner(laid.lang, presidio=self._presidio)
                self._scanners[laid.lang] = scanner
            for hit in scan_message(laid, scanner):
                yield Found(hit.rule, laid.turn, laid.source, hit.start, hit.end)

    def _vaulted(
        self, vault: Vault, conversation: Conversation, messages: list[Laid]
    ) -> Iterator[Found | str]:
        template = conversation.template_id
        if not vault.values(template):
            return
        for laid in messages:
            rule = vault.leaks(template, laid.text, laid.blanked)
            if rule is not None:
                yield Found(rule, laid.turn, laid.source, None, None)
        fields = BLANK.join(_other_strings(conversation))
        rule = vault.leaks(template, fields, fields)
        if rule is not None:
            yield f"{rule} outside the messages"

    def _language(self, laid: Laid, report: Callable[[Found | str], None]) -> bool:
        """Judge a message; whether it had enough text."""
        if laid.lang not in rules.language_check().scripts:
            return False
        scanner = self._languages.get(laid.lang)
        if scanner is None:
            scanner = self._languages[laid.lang] = LanguageScanner(laid.lang)
        judged = scanner.judge(laid.shapes)
        for hit in judged.hits:
            start = laid.original(hit.start)
            report(Found(hit.rule, laid.turn, laid.source, start, laid.original(hit.end - 1) + 1))
        return judged.tested

    def _not_covered(self, conversation: Conversation, messages: list[Laid]) -> Iterator[str]:
        known = rules.languages().languages
        for language in sorted({laid.lang for laid in messages}):
            if language not in known:
                yield f"leak rescan: no phone regions or national ids for language {language!r}"
                yield f"language: no rule for language {language!r}"
                continue
            for gap in known[language].not_covered:
                yield f"leak rescan: {gap}"
        if not self._presidio:
            yield "leak rescan: Presidio was not asked"
        if self._vault is not None:
            short = self._vault.unsearchable(conversation.template_id)
            if short:
                yield f"leak rescan: {short} source values are too short to search for"


def _each(found: Iterator[Found | str], report: Callable[[Found | str], None]) -> None:
    for one in found:
        report(one)


def _other_strings(conversation: Conversation) -> Iterator[str]:
    """Every string of a record that is no message and no copy of one."""
    structs = (conversation, *conversation.spans, *conversation.decoys)
    for struct in structs:
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            if isinstance(value, str) and name != "text":
                yield value
    yield from conversation.carriers
