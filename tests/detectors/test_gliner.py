"""GLiNER's side of the work with a stand-in for its model, which no test can load."""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tracegen.detectors import Passage, gliner
from tracegen.detectors.gliner import Gliner, GlinerFacts
from tracegen.detectors.protocol import notes, settings


def split(text: str) -> Iterator[tuple[str, int, int]]:
    """The splitter that GLiNER's models use unless told otherwise."""
    for hit in re.finditer(r"\w+(?:[-_]\w+)*|\S", text):
        yield hit[0], hit.start(), hit.end()


class Model:
    """Finds every `Mira` among the words that it reads."""

    def __init__(self, longest: int | None) -> None:
        self.config = SimpleNamespace(max_len=longest)
        self.data_processor = SimpleNamespace(words_splitter=split)

    def predict_entities(
        self, text: str, labels: list[str], threshold: float
    ) -> list[dict[str, Any]]:
        read = list(split(text))[: self.config.max_len]
        return [
            {"start": start, "end": end, "label": labels[0], "score": 0.75}
            for word, start, end in read
            if word == "Mira"
        ]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sharded weights."""
    monkeypatch.setattr(gliner, "version", lambda name: metadata.version("msgspec"))
    (tmp_path / "gliner_config.json").write_text("{}")
    for number in (1, 2):
        (tmp_path / f"model-0000{number}-of-00002.safetensors").write_bytes(bytes([number]))
    return tmp_path


def detector(folder: Path, longest: int | None = 5) -> Gliner:
    facts = GlinerFacts(source="test", threshold=0.5, prompts={"person": "private_person"})
    return Gliner(folder, Model(longest), facts)


def test_passages_with_more_words_than_the_model_reads_are_counted(made: Path) -> None:
    asked = detector(made)
    texts = ["Hi, Mira Holt.", "Hi, Mira Holt!!", "one two three four five Mira", ""]
    found = asked.detect([Passage(str(n), text, "en") for n, text in enumerate(texts)])
    assert [[span[:3] for span in spans] for spans in found] == [
        [(4, 8, "private_person")], [(4, 8, "private_person")], [], [],
    ]  # fmt: skip
    assert notes(asked) == {"truncated_passages": 2}  # marks are words of it: the second has six


def test_a_model_without_a_limit_cuts_nothing(made: Path) -> None:
    asked = detector(made, None)
    asked.detect([Passage("p", "word " * 500, "en")])
    assert notes(asked) == {"truncated_passages": 0}


def test_every_file_of_the_weights_and_the_configuration_count(made: Path) -> None:
    seen = [settings(detector(made))]
    for changed in ("model-00002-of-00002.safetensors", "gliner_config.json"):
        (made / changed).write_text("[]")
        seen.append(settings(detector(made)))
    assert seen[0] != seen[1] != seen[2]
    assert seen[0]["weights"] == ", ".join(f"model-0000{n}-of-00002.safetensors" for n in (1, 2))


def test_words_of_too_many_tokens_are_counted(made: Path) -> None:
    class Tokenizer:
        model_max_length = 9

        def __call__(self, words: list[str], *, is_split_into_words: bool) -> dict[str, list[int]]:
            assert is_split_into_words
            return {"input_ids": [0] * (2 + sum(-(-len(word) // 8) for word in words))}

    facts = GlinerFacts(source="test", threshold=0.5, prompts={"person": "private_person"})
    model = Model(5)
    model.data_processor.transformer_tokenizer = Tokenizer()
    asked = Gliner(made, model, facts)  # two marks of the tokenizer, three words of the prompt
    texts = ["one two Mira x", "one two Mira " + "x" * 9]
    asked.detect([Passage(str(n), text, "en") for n, text in enumerate(texts)])
    assert notes(asked) == {"truncated_passages": 1}
    assert settings(asked)["max_tokens"] == 9
    Tokenizer.model_max_length = 10**30  # what tokenizers say that have no limit
    asked = Gliner(made, model, facts)
    asked.detect([Passage("p", texts[1], "en")])
    assert notes(asked) == {"truncated_passages": 0}
    assert settings(asked)["max_tokens"] is None
