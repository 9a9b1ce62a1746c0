"""Offsets of a token classifier, against places that no tokenizer told: those of the UTF-8."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordLevel

from tests.detectors.conftest import conversation, write
from tests.detectors.models import byte_tokenizer, every_tokenizer, id_of_byte, tags_of
from tests.detectors.scripts import SAMPLES
from tests.detectors.test_command import lines
from tracegen.detectors import Choice, Passage, Run, Shape, detect
from tracegen.detectors.huggingface import Model, TokenClassifier
from tracegen.detectors.windows import windowing
from tracegen.model import LANGUAGES

VALUES = {
    "en": "Mira Holt", "de": "Jürgen Groß", "fr": "Noël d’Ångström", "it": "Nicolò Perì",
    "ru": "Мира Хольт", "ko": "홍길동", "zh": "欧阳𠮷娜", "ja": "山田カ\u3099ク", "ar": "مُحَمَّد",
    "hi": "क्षितिज", "th": "สมชาย", "he": "שָׁלוֹם", "el": "Ἀλέξανδρος",
    "emoji": "👩🏽\u200d🚒", "flags": "🇰🇷", "marks": "e\u0301ñ\u0323", "lines": "a\r\nb",
}  # fmt: skip
"""Something to find in each of the samples."""


class Knowing:
    """A model that tags a value in UTF-8, byte by byte, wherever it stands."""

    def __init__(self, value: str) -> None:
        self._value = [id_of_byte(byte) for byte in value.encode()]

    def scores(self, ids: Any, mask: Any) -> Any:
        made = np.zeros((*ids.shape, 5))
        made[..., 0] = 1
        size = len(self._value)
        for row, own in enumerate(ids.tolist()):
            for at in range(len(own) - size + 1):
                if own[at : at + size] == self._value:
                    made[row, at : at + size, 2] = 9
                    made[row, at, 1], made[row, at + size - 1, 3] = 18, 18
        return made


class Random:
    """A model that tags stretches of tokens by chance; keeps the stretches of each text."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self.tagged: list[list[tuple[int, int]]] = []

    def scores(self, ids: Any, mask: Any) -> Any:
        made = np.zeros((*ids.shape, 5))
        made[..., 0] = 1
        for row, length in enumerate(mask.sum(axis=1).tolist()):
            borders = sorted(self._random.choice(length, min(length, 16) // 2 * 2, replace=False))
            stretches = [(int(a), int(b)) for a, b in zip(borders[::2], borders[1::2], strict=True)]
            for start, end in stretches:
                made[row, start:end, 2] = 9
                made[row, start, 1], made[row, end - 1, 3] = 18, 18
                if end - start == 1:
                    made[row, start, 4] = 27
            self.tagged.append(stretches)
        return made


def classifier(folder: Path, model: Model) -> TokenClassifier:
    weights = folder / "weights"
    weights.write_bytes(b"")
    config = {"id2label": dict(enumerate(tags_of(["x"])))}
    return TokenClassifier(folder, model, [weights], config)


def test_the_values_stand_for_every_language() -> None:
    assert set(VALUES) == set(SAMPLES) > set(LANGUAGES)


@pytest.mark.parametrize(
    "around", ["", " ", "\r\n", "\u00a0", "한", "e\u0301", "👩🏽\u200d🚒", "🇩🇪"]
)
@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_back_at_its_exact_place_in_every_script(
    name: str, around: str, tmp_path: Path
) -> None:
    value = VALUES[name]
    piece = SAMPLES[name] + around
    text = piece + value + around[::-1] + piece + value
    byte_tokenizer(tmp_path)
    (spans,) = classifier(tmp_path, Knowing(value)).detect([Passage("p", text, name)])
    second = text.rindex(value)
    first = text.rindex(value, 0, second)
    found = [(span.start, span.end) for span in spans]
    assert found[-2:] == [(first, first + len(value)), (second, second + len(value))]
    assert {text[start:end] for start, end in found} == {value}


@pytest.mark.parametrize("unit", ["chars", "tokens"])
@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_back_to_its_message_through_windows(
    name: str, unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = VALUES[name]
    text = f"{SAMPLES[name] * 6}{value} {SAMPLES[name] * 5}\r\n{value}"
    talk = conversation("c", (text, f"😀 {value}"), (value, text))
    corpus = write(tmp_path / "c.jsonl", [talk])
    byte_tokenizer(tmp_path)
    model = classifier(tmp_path, Knowing(value))
    monkeypatch.setattr("tracegen.detectors.run.make_detector", lambda choice: model)
    own = f"tokens:{tmp_path / 'tokenizer.json'}" if unit == "tokens" else unit
    shape = Shape("conversation", True, windowing("slide", 96, own, 0.5))
    detect(Run(corpus, Choice("hf"), tmp_path / "preds.jsonl", shape))
    (row,) = lines(tmp_path / "preds.jsonl")
    expected = [
        (message.turn, message.source, hit.start(), hit.end())
        for message in talk.messages()
        for hit in re.finditer(re.escape(value), message.text)
    ]
    found = [(one["turn"], one["source"], one["start"], one["end"]) for one in row["spans"]]
    assert found == expected
    assert len(found) >= 6


@pytest.mark.parametrize("family", ["bytes", "byte pairs"])
@pytest.mark.parametrize("name", SAMPLES)
def test_spans_of_any_tokens_are_the_characters_that_those_tokens_spell(
    name: str, family: str, tmp_path: Path
) -> None:
    file = every_tokenizer(tmp_path)[family]
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    text = SAMPLES[name] * 3
    names = {number: token for token, number in tokenizer.get_vocab().items()}
    for seed in range(8):
        model = Random(seed)
        (spans,) = classifier(tmp_path, model).detect([Passage("p", text, name)])
        sizes = [len(names[one]) for one in tokenizer.encode(text).ids]  # a letter is a byte
        ends = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        assert ends[-1] == len(text.encode())
        (tagged,) = model.tagged
        expected = [stripped(text, ends[start], ends[end]) for start, end in tagged]
        assert [(one.start, one.end) for one in spans] == [pair for pair in expected if pair]


def stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The characters that have a byte in a stretch of UTF-8, without white space around them."""
    at, inside = 0, []
    for number, character in enumerate(text):
        size = len(character.encode())
        if at < end and start < at + size:
            inside.append(number)
        at += size
    dense = [number for number in inside if not text[number].isspace()]
    return (dense[0], dense[-1] + 1) if dense else None


def test_a_tokenizer_that_changes_the_text_still_tells_its_places(tmp_path: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, "[UNK]"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    text = "\r\n".join(f"{sample} ﬁ" for sample in SAMPLES.values())
    words = [hit.span() for hit in re.finditer(r"\S+", text)]
    model = Random(1)
    (spans,) = classifier(tmp_path, model).detect([Passage("p", text, "en")])
    (tagged,) = model.tagged
    assert [(one.start, one.end) for one in spans] == [
        (words[start][0], words[end - 1][1]) for start, end in tagged
    ]
