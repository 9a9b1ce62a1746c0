"""Small corpora on disk, scored through the same calls that the command line makes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, lines
from tracegen.eval.options import Options
from tracegen.eval.scoring import Scored, score

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
