import json
from pathlib import Path
from typing import Any

import pytest

from tests.detectors.conftest import conversation, stopped_after, write
from tests.detectors.models import random_model, train
from tests.detectors.test_command import lines, record
from tracegen.detectors import Choice, Passage, Run, Shape, detect, make_detector
from tracegen.detectors.protocol import settings
from tracegen.detectors.windows import windowing
from tracegen.errors import InputError
from tracegen.eval.scoring import score
from tracegen.model import Conversation
from tracegen.seeds import Stream

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "then",
    "we",
    "had",
    "some",
    "tea",
    "with",
    "bread",
    "while",
    "it",
    "rained",
    "all",
    "day",
]


def talk(name: str, stream: Stream, length: int) -> Conversation:
    """Words with `Mira Holt` here and there."""
    words = ["Mira Holt" if stream.chance(0.1) else stream.choice(WORDS) for _ in range(length)]
    return conversation(name, (" ".join(words) + ".", " ".join(reversed(words))))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that was trained to find Mira Holt."""
    folder = tmp_path_factory.mktemp("model")
    train(folder, [talk(f"t-{n}", Stream("train", n), 30) for n in range(30)], ["private_person"])
    return folder


@pytest.fixture
def held_out(tmp_path: Path) -> Path:
    return write(tmp_path / "c.jsonl", [talk(f"c-{n}", Stream("test", n), 60) for n in range(8)])


@pytest.mark.parametrize(
    ("policy", "size", "unit"),
    [
        ("whole", None, "chars"),
        ("chunk", 40, "words"),
        ("slide", 120, "chars"),
        ("slide", 100, "tokens"),
    ],
)
@pytest.mark.parametrize("scope", ["message", "conversation"])
def test_a_trained_model_finds_what_it_learned_under_every_policy(
    model: Path, held_out: Path, tmp_path: Path, policy: str, size: int | None, unit: str,
    scope: Any,
) -> None:  # fmt: skip
    unit = f"tokens:{model / 'tokenizer.json'}" if unit == "tokens" else unit
    out = tmp_path / "preds.jsonl"
    shape = Shape(scope, True, windowing(policy, size, unit, 0.5))
    detect(Run(held_out, Choice(f"hf:{model}"), out, shape))
    metrics = score(held_out, out).report["metrics"]
    assert metrics["containment"]["recall"] > 0.95
    assert metrics["exact_typed"]["precision"] > 0.9


def test_a_limit_of_tokens_cuts_the_text_and_is_counted(
    model: Path, held_out: Path, tmp_path: Path
) -> None:
    short = tmp_path / "short"
    short.mkdir()
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        (short / name).write_bytes((model / name).read_bytes())
    (short / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 100}))
    cut, whole = tmp_path / "cut.jsonl", tmp_path / "whole.jsonl"
    detect(Run(held_out, Choice(f"hf:{short}"), cut))
    detect(
        Run(
            held_out, Choice(f"hf:{short}"), whole,
            Shape("message", False, windowing("slide", 80, "chars", 0.5)),
        )
    )  # fmt: skip
    assert record(cut)["notes"]["truncated_passages"] == 16
    assert record(whole)["notes"]["truncated_passages"] == 0
    assert all(span["end"] <= 100 for row in lines(cut) for span in row["spans"])
    recall = [score(held_out, one).report["metrics"]["overlap"]["recall"] for one in (cut, whole)]
    assert recall[0] < 0.6 < 0.95 < recall[1]


def test_truncated_passages_add_up_over_a_resumption(
    model: Path, held_out: Path, tmp_path: Path
) -> None:
    (model / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 100}))
    out = tmp_path / "preds.jsonl"
    stopped_after(5, Run(held_out, Choice(f"hf:{model}"), out))
    detect(Run(held_out, Choice(f"hf:{model}"), out, workers=2, resume=True))
    (model / "tokenizer_config.json").unlink()
    assert record(out)["notes"] == {"truncated_passages": 16}


@pytest.mark.parametrize("changed", ["model.onnx_data", "tokenizer.json", "config.json"])
def test_every_file_of_a_model_makes_another_one(changed: str, tmp_path: Path) -> None:
    random_model(tmp_path, ["x"])
    (tmp_path / "model.onnx_data").write_bytes(b"1")
    before = settings(make_detector(Choice(f"hf:{tmp_path}")))
    with (tmp_path / changed).open("ab") as file:
        file.write(b" ")
    assert settings(make_detector(Choice(f"hf:{tmp_path}"))) != before


def test_a_batch_answers_as_each_passage_alone_would(model: Path) -> None:
    detector = make_detector(Choice(f"hf:{model}"))
    texts = ["Mira Holt", "a", "the tea of Mira Holt and " * 20, "Holt 😀 Mira Holt."] * 3
    passages = [Passage(str(number), text, "en") for number, text in enumerate(texts)]
    together = detector.detect(passages)
    for passage, spans in zip(passages, together, strict=True):
        (alone,) = detector.detect([passage])
        assert [span[:3] for span in alone] == [span[:3] for span in spans]


def test_the_weights_are_in_the_run_record(model: Path, held_out: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(held_out, Choice(f"hf:{model}"), out))
    settings = record(out)["detector"]["settings"]
    assert len(settings["weights_sha256"]) == 64
    assert settings["weights"] == "model.onnx"


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    random_model(tmp_path, ["x"])
    (tmp_path / "model.onnx").unlink()
    with pytest.raises(InputError, match="neither model"):
        make_detector(Choice(f"hf:{tmp_path}"))
