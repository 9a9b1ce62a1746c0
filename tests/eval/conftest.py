"""Small corpora on disk, scored through the same calls that the command line makes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.eval.options import Options
from tracegen.eval.scoring import Scored, score

TEXT = "Ada has 12 3456"

Scorer = Callable[..., Scored]


@pytest.fixture
def scored(tmp_path: Path) -> Scorer:
    """Write gold and predictions to files and score them."""

    def run(gold: Sequence[Row], predicted: Sequence[Row], **choices: Any) -> Scored:
        options = Options(**choices.pop("options", {}))
        corpus = lines(tmp_path / "gold.jsonl", gold)
        found = lines(tmp_path / "predicted.jsonl", predicted)
        return score(corpus, found, options=options, **choices)

    return run


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    spans = [
        span(TEXT, "Ada", "private_person", entity_id="p"),
        span(TEXT, "12 3456", "account_number", entity_id="n"),
    ]
    gold = [conversation("a", TEXT, spans=spans), conversation("b", "Nothing")]
    good = [{"id": "a", "spans": spans}, {"id": "b", "spans": []}]
    bad = [{"id": "a", "spans": spans[:1]}, {"id": "b", "spans": []}]
    short = [{"id": "a", "spans": []}]
    made: dict[str, Any] = {"gold": gold, "good": good, "bad": bad, "short": short}
    return {name: str(lines(tmp_path / f"{name}.jsonl", rows)) for name, rows in made.items()} | {
        "folder": str(tmp_path)
    }
