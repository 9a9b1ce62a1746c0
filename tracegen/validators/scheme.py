"""One identifier scheme at work: fold, accept, explain and complete values."""

import re
import unicodedata
from functools import cached_property

from tracegen.checksums import check_characters
from tracegen.errors import InvariantError
from tracegen.validators.model import CheckRule, NeverIssued, SchemeFacts
from tracegen.validators.predicates import PREDICATES


def _slice(text: str) -> slice:
    start, _, stop = text.partition(":")
    return slice(int(start) if start else None, int(stop) if stop else None)


class Scheme:
    """An identifier scheme: its facts from the room, and what can be asked of a value.

    A value is compact when it is folded as `compact` does: no separators, capitals, ASCII digits.
    """

    def __init__(self, name: str, facts: SchemeFacts) -> None:
        """Name the scheme by its file, without the ending."""
        self.name = name
        self.facts = facts
        self._pattern = re.compile(facts.pattern)
        self._separators = frozenset(facts.separators)
        self._never = [(re.compile(item.pattern), item) for item in facts.never_issued]

    @cached_property
    def _rules(self) -> list[tuple[CheckRule, list[slice], slice]]:
        return [
            (rule, [_slice(o) for o in rule.over], _slice(rule.at)) for rule in self.facts.check
        ]

    def compact(self, text: str) -> str:
        """The value as the rules see it.

        Separators of the scheme, spaces of any sort and a leading prefix that people write or leave
        out (`DE` of a VAT number) are dropped; native digits become ASCII, letters capitals.
        """
        if text.isascii() and text.isalnum():
            return text.upper().removeprefix(self.facts.prefix)
        folded: list[str] = []
        for character in text:
            if character in self._separators or unicodedata.category(character) == "Zs":
                continue
            digit = unicodedata.decimal(character, None)
            folded.append(character.upper() if digit is None else str(digit))
        return "".join(folded).removeprefix(self.facts.prefix)

    def accepts(self, text: str) -> bool:
        """Whether the value fits the shape, the check rule and the issuer's impossible ranges."""
        return self.refusal(text) is None

    def well_formed(self, text: str) -> bool:
        """Like `accepts`, but ranges that were never issued do not matter."""
        return self._shape_refusal(self.compact(text)) is None

    def reserved(self, text: str) -> NeverIssued | None:
        """The range of values that belong to nobody in which this value lies, if any."""
        compact = self.compact(text)
        return next((item for pattern, item in self._never if pattern.fullmatch(compact)), None)

    def checksum_fails(self, text: str) -> bool:
        """Whether the value has the shape of the scheme, and its check characters are wrong."""
        compact = self.compact(text)
        return bool(self._pattern.fullmatch(compact)) and self._check_refusal(compact) is not None

    def refusal(self, text: str) -> str | None:
        """Why the value is refused, in one line; nothing if it is accepted."""
        compact = self.compact(text)
        problem = self._shape_refusal(compact)
        if problem is not None:
            return problem
        never = self._impossible(compact)
        return None if never is None else f"never issued: {never.why}"

    def keeps(self, completed: str, *, issuable: bool) -> bool:
        """Whether a completed draft is well formed and, if asked, outside impossible ranges.

        Its check characters have just been written, so they are not worked out again.
        """
        if not self._pattern.fullmatch(completed):
            return False
        if self.facts.predicate and PREDICATES[self.facts.predicate](completed) is not None:
            return False
        return not issuable or self._impossible(completed) is None

    def _impossible(self, compact: str) -> NeverIssued | None:
        return next((i for p, i in self._never if not i.valid and p.fullmatch(compact)), None)

    def _shape_refusal(self, compact: str) -> str | None:
        if not self._pattern.fullmatch(compact):
            return f"the shape is wrong: {self.facts.shape}"
        problem = self._check_refusal(compact)
        if problem is None and self.facts.predicate:
            problem = PREDICATES[self.facts.predicate](compact)
        return problem

    def _check_refusal(self, compact: str) -> str | None:
        for rule, pieces, place in self._rules:
            payload = "".join(compact[piece] for piece in pieces)
            fitting = check_characters(rule.algorithm, payload, rule.parameters)
            if not fitting:
                return f"no number has the payload {payload}: its remainder has no check character"
            if compact[place] not in fitting:
                return (
                    f"the check is wrong: {rule.algorithm} over {payload} gives "
                    f"{' or '.join(fitting)}, not {compact[place]}"
                )
        return None

    def complete(self, draft: str) -> str | None:
        """Write the right check characters over those of a compact draft.

        Returns:
            The value, or nothing where the payload cannot have check characters.
        """
        for rule, pieces, place in self._rules:
            payload = "".join(draft[piece] for piece in pieces)
            fitting = check_characters(rule.algorithm, payload, rule.parameters)
            if not fitting:
                return None
            start, stop, _ = place.indices(len(draft))
            draft = draft[:start] + fitting[0] + draft[stop:]
        return draft

    def completed(self, draft: str) -> str:
        """As `complete`, for a draft that is known to have check characters.

        Raises:
            InvariantError: it has none.
        """
        value = self.complete(draft)
        if value is None:
            raise InvariantError(f"{self.name}: no check characters fit a draft")
        return value
