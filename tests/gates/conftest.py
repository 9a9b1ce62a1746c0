import re
from collections.abc import Callable

import pytest

from tracegen.gates import Gates, Verdict
from tracegen.model import Conversation, Decoy, Span, Turn, document

_MARK = re.compile(r"⟦(.*?)\|(.*?)⟧", re.DOTALL)

Builder = Callable[..., Conversation]


def _spans(message: str, turn: int, source: str, spans: list[Span], decoys: list[Decoy]) -> str:
    """Read `⟦Anna|private_person person_1 given⟧` and `⟦4711|decoy order_id⟧` out of a message."""
    text = ""
    end = 0
    for mark in _MARK.finditer(message):
        text += message[end : mark.start()]
        value, (label, *rest) = mark.group(1), mark.group(2).split()
        start, stop = len(text), len(text) + len(value)
        if label == "decoy":
            decoys.append(Decoy(turn, source, start, stop, value, rest[0]))  # type: ignore[arg-type]
        else:
            entity = rest[0] if rest else None
            spans.append(
                Span(
                    turn, source, start, stop, label, value,  # type: ignore[arg-type]
                    kind=entity.rpartition("_")[0] if entity else None,
                    entity_id=entity,
                    subject=1 if entity else None,
                    form=rest[1] if len(rest) > 1 else None,
                )
            )  # fmt: skip
        text += value
        end = mark.end()
    return text + message[end:]


def build(
    *messages: str, language: str = "de", template: str | None = "de/health/test", **turn: str
) -> Conversation:
    """A conversation of alternating user and assistant messages in the notation of `_spans`."""
    spans: list[Span] = []
    decoys: list[Decoy] = []
    turns = []
    for number in range(0, len(messages), 2):
        pair = (*messages[number : number + 2], "")[:2]
        user = _spans(pair[0], number // 2 + 1, "user", spans, decoys)
        assistant = _spans(pair[1], number // 2 + 1, "assistant", spans, decoys)
        turns.append(Turn(number // 2 + 1, user, assistant, **turn))
    return Conversation(
        id="test-1", source_corpus="tracegen", template_id=template, language=language,
        locale=None, slice="test", pair_id=None, axis=None, level=None, turns=tuple(turns),
        spans=tuple(spans), decoys=tuple(decoys), length=len(document(tuple(turns))), carriers=(),
    )  # fmt: skip


@pytest.fixture(name="build", scope="session")
def build_fixture() -> Builder:
    return build


@pytest.fixture(scope="session")
def gates() -> Gates:
    return Gates()


@pytest.fixture(scope="session")
def broken(gates: Gates) -> Callable[[Conversation], set[str]]:
    """The broken rules as `gate: rule`."""

    def check(conversation: Conversation) -> set[str]:
        verdict: Verdict = gates.check(conversation)
        return {f"{violation.gate}: {violation.rule}" for violation in verdict.violations}

    return check
