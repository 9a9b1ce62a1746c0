"""Make a tiny token classifier on the spot: a byte tokenizer and two layers, trained by numpy.

The model reads seven tokens around each one, so it can learn shapes such as `Mira Holt` or an
e-mail address from a few hundred examples, and it runs as ONNX like any published model.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from tests.detectors.scripts import SAMPLES
from tracegen.model import Conversation

SIDE = 3
WIDTH = 16
HIDDEN = 48


def byte_tokenizer(folder: Path) -> Tokenizer:
    """A byte-level tokenizer without merges: an emoji is four tokens of one character."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"[PAD]": 0} | {letter: number for number, letter in enumerate(letters, 1)}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def id_of_byte(byte: int) -> int:
    """The id that the byte tokenizer gives a byte: printable ones stand for themselves."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [one for one in range(256) if one not in printable]
    letter = chr(byte) if byte in printable else chr(256 + others.index(byte))
    letters = [chr(one) for one in printable] + [chr(256 + at) for at in range(len(others))]
    return 1 + sorted(letters).index(letter)


def every_tokenizer(folder: Path) -> dict[str, Path]:
    """A tokenizer of each common family, by name, trained on every script; files in the folder."""
    (folder / "bytes").mkdir()
    byte_tokenizer(folder / "bytes")
    pairs = Tokenizer(models.BPE())
    pairs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    pairs.train_from_iterator(
        SAMPLES.values(),
        trainers.BpeTrainer(
            vocab_size=420, show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )  # fmt: skip
    pieces = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    pieces.normalizer = normalizers.BertNormalizer()
    pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces.train_from_iterator(
        SAMPLES.values(),
        trainers.WordPieceTrainer(
            vocab_size=300, show_progress=False, special_tokens=["[UNK]", "[CLS]", "[SEP]"]
        ),
    )
    pieces.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    grams = Tokenizer(models.Unigram())
    grams.normalizer = normalizers.NFKC()
    grams.pre_tokenizer = pre_tokenizers.Metaspace()
    grams.train_from_iterator(
        SAMPLES.values(),
        trainers.UnigramTrainer(
            vocab_size=300, show_progress=False, unk_token="<unk>", special_tokens=["<unk>"]
        ),
    )
    files = {"bytes": folder / "bytes" / "tokenizer.json"}
    for name, tokenizer in (("byte pairs", pairs), ("word pieces", pieces), ("unigrams", grams)):
        files[name] = folder / f"{name}.json"
        tokenizer.save(str(files[name]))
    return files


def tags_of(labels: Sequence[str]) -> list[str]:
    return ["O", *(f"{position}-{label}" for label in labels for position in "BIES")]


def write_config(folder: Path, tags: Sequence[str], longest: int | None = None) -> None:
    config: dict[str, Any] = {"id2label": {str(number): tag for number, tag in enumerate(tags)}}
    if longest:
        config["max_position_embeddings"] = longest
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def examples(
    tokenizer: Tokenizer, conversations: Sequence[Conversation], tags: Sequence[str]
) -> list[tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]]:
    """Token ids and tags of every message."""
    number = {tag: index for index, tag in enumerate(tags)}
    made = []
    for conversation in conversations:
        for message in conversation.messages():
            if not message.text:
                continue
            encoding = tokenizer.encode(message.text)
            wanted = np.zeros(len(encoding.ids), dtype=np.int64)
            for span in conversation.spans:
                if (span.turn, span.source) != (message.turn, message.source):
                    continue
                inside = [
                    token
                    for token, (start, end) in enumerate(encoding.offsets)
                    if start < span.end and span.start < end
                ]
                for token in inside:
                    position = "I"
                    if len(inside) == 1:
                        position = "S"
                    elif token in (inside[0], inside[-1]):
                        position = "B" if token == inside[0] else "E"
                    wanted[token] = number[f"{position}-{span.label}"]
            made.append((np.array(encoding.ids, dtype=np.int64), wanted))
    return made


def contexts(ids: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    padded = np.pad(ids, SIDE)
    return np.stack([padded[shift : shift + len(ids)] for shift in range(2 * SIDE + 1)], axis=1)


def train(folder: Path, conversations: Sequence[Conversation], labels: Sequence[str]) -> None:
    """Train on conversations and write the folder of a model."""
    tags = tags_of(labels)
    tokenizer = byte_tokenizer(folder)
    pairs = examples(tokenizer, conversations, tags)
    inputs = np.concatenate([contexts(ids) for ids, _ in pairs])
    wanted = np.concatenate([own for _, own in pairs])
    weights = fitted(inputs, wanted, tokenizer.get_vocab_size(), len(tags))
    save(folder, weights, tags)


def random_model(folder: Path, labels: Sequence[str], longest: int | None = None) -> None:
    """A model that knows nothing: its spans lie anywhere, its offsets must be right still."""
    tags = tags_of(labels)
    tokenizer = byte_tokenizer(folder)
    save(folder, start_weights(tokenizer.get_vocab_size(), len(tags)), tags, longest)


def start_weights(words: int, tags: int) -> list["np.ndarray[Any, Any]"]:
    generator = np.random.default_rng(7)
    inner = (2 * SIDE + 1) * WIDTH
    shapes = [(words, WIDTH), (inner, HIDDEN), (HIDDEN,), (HIDDEN, tags), (tags,)]
    return [generator.normal(0, 0.3, shape) for shape in shapes]


def fitted(
    inputs: "np.ndarray[Any, Any]", wanted: "np.ndarray[Any, Any]", words: int, tags: int
) -> list["np.ndarray[Any, Any]"]:
    """Adam on cross entropy, in numpy."""
    generator = np.random.default_rng(1)
    table, first, bias, second, last = weights = start_weights(words, tags)
    moments = [(np.zeros_like(one), np.zeros_like(one)) for one in weights]
    for step in range(1, 1201):
        rows = generator.integers(0, len(inputs), 256)
        seen = table[inputs[rows]].reshape(len(rows), -1)
        hidden = np.maximum(seen @ first + bias, 0)
        logits = hidden @ second + last
        chance = np.exp(logits - logits.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        chance[np.arange(len(rows)), wanted[rows]] -= 1
        chance /= len(rows)
        back = (chance @ second.T) * (hidden > 0)
        own = np.zeros_like(table)
        np.add.at(own, inputs[rows], (back @ first.T).reshape(*inputs[rows].shape, WIDTH))
        slopes = [own, seen.T @ back, back.sum(0), hidden.T @ chance, chance.sum(0)]
        for one, slope, (mean, spread) in zip(weights, slopes, moments, strict=True):
            mean[:] = 0.9 * mean + 0.1 * slope
            spread[:] = 0.999 * spread + 0.001 * slope**2
            one -= 0.01 * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return weights


def save(
    folder: Path, weights: Sequence["np.ndarray[Any, Any]"], tags: Sequence[str],
    longest: int | None = None,
) -> None:  # fmt: skip
    """Write `model.onnx` and `config.json`."""
    write_config(folder, tags, longest)
    names = ["table", "first", "bias", "second", "last"]
    held = [
        numpy_helper.from_array(one.astype(np.float32), name)
        for name, one in zip(names, weights, strict=True)
    ]
    held += [
        numpy_helper.from_array(np.array([0, SIDE, 0, SIDE], dtype=np.int64), "pads"),
        numpy_helper.from_array(np.array([0, 0, -1], dtype=np.int64), "shape"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "one"),
    ]
    nodes = [helper.make_node("Pad", ["input_ids", "pads"], ["padded"])]
    shifted = []
    for shift in range(2 * SIDE + 1):
        # Slice from `shift` up to the end less the rest, so that every row keeps its length.
        held.append(numpy_helper.from_array(np.array([shift], dtype=np.int64), f"from{shift}"))
        end = shift - 2 * SIDE
        stop = np.array([end if end else np.iinfo(np.int64).max], dtype=np.int64)
        held.append(numpy_helper.from_array(stop, f"to{shift}"))
        nodes.append(
            helper.make_node(
                "Slice", ["padded", f"from{shift}", f"to{shift}", "one"], [f"ids{shift}"]
            )
        )
        nodes.append(helper.make_node("Gather", ["table", f"ids{shift}"], [f"seen{shift}"]))
        shifted.append(f"seen{shift}")
    nodes += [
        helper.make_node("Concat", shifted, ["seen"], axis=2),
        helper.make_node("MatMul", ["seen", "first"], ["inner"]),
        helper.make_node("Add", ["inner", "bias"], ["shifted"]),
        helper.make_node("Relu", ["shifted"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "second"], ["scored"]),
        helper.make_node("Add", ["scored", "last"], ["logits"]),
    ]
    held = [one for one in held if one.name != "shape"]
    shape: list[str | int | None] = ["batch", "tokens", len(tags)]
    graph = helper.make_graph(
        nodes, "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape)],
        held,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
