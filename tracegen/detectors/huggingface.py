"""A token classifier from a folder, run here: `model.onnx` by onnxruntime, else transformers.

The folder holds `config.json` with `id2label`, `tokenizer.json`, and the weights. Nothing is
fetched and no code of the folder is run. Every token votes, the first piece of a word and the later
ones alike; tags are decoded by the best path that the scheme allows. A passage with more tokens
than the model reads is cut, as the model's own pipeline would cut it, and counted in the run
record.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from tracegen.detectors.model_files import model_facts
from tracegen.detectors.protocol import Detector, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.detectors.viterbi import Scheme, Scores
from tracegen.errors import InputError

BATCH = 8
_ENDLESS = 1 << 20
"""Tokenizer files write absurd numbers for "no limit"; what is above is none."""


class Model(Protocol):
    """Anything that turns token ids into one row of scores a token."""

    def scores(self, ids: "np.ndarray[Any, Any]", mask: "np.ndarray[Any, Any]") -> Scores:
        """Scores of shape (texts, tokens, tags)."""
        ...


class _Onnx:
    def __init__(self, file: Path) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise InputError(
                f"{file.name} needs onnxruntime: pip install 'pii-tracegen[onnx]'", file=file
            ) from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(file), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {one.name for one in self._session.get_inputs()}

    def scores(self, ids: "np.ndarray[Any, Any]", mask: "np.ndarray[Any, Any]") -> Scores:
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        chosen = {name: feed[name] for name in self._inputs if name in feed}
        result: Scores = np.asarray(self._session.run(None, chosen)[0])
        return result


class _Torch:
    def __init__(self, folder: Path) -> None:
        try:
            import torch
            from transformers import AutoModelForTokenClassification
        except ImportError as error:
            raise InputError(
                "hf: needs transformers and torch: pip install 'pii-tracegen[hf]'; a folder with "
                "model.onnx needs 'pii-tracegen[onnx]' alone", file=folder,
            ) from error  # fmt: skip
        self._torch = torch
        self._model = AutoModelForTokenClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
        ).eval()

    def scores(self, ids: "np.ndarray[Any, Any]", mask: "np.ndarray[Any, Any]") -> Scores:
        torch = self._torch
        with torch.inference_mode():
            output = self._model(
                input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)
            )
        result: Scores = output.logits.float().numpy()
        return result


class TokenClassifier:
    """The detector `hf:FOLDER`."""

    name = "hf"

    def __init__(
        self, folder: Path, model: Model, weights: Sequence[Path], config: Mapping[str, Any]
    ) -> None:
        """Read tokenizer and tags; `weights` are all files that the model was read from."""
        from tokenizers import Tokenizer

        self._model = model
        self._scheme = Scheme.of({int(key): str(tag) for key, tag in config["id2label"].items()})
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._limit = _limit(folder, config)
        if self._limit:
            self._tokenizer.enable_truncation(self._limit)
        else:
            self._tokenizer.no_truncation()
        self._counts: Counter[str] = Counter()
        facts = model_facts(folder, weights)
        self.version = facts["weights_sha256"][:12]
        self.settings = {**facts, "longest": self._limit}

    @property
    def notes(self) -> dict[str, int]:
        """Passages that the model could not read to their end."""
        return {"truncated_passages": self._counts["truncated"]}

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage; passages of like length share a batch."""
        encodings = self._tokenizer.encode_batch([passage.text for passage in passages])
        self._counts["truncated"] += sum(bool(one.overflowing) for one in encodings)
        order = sorted(range(len(passages)), key=lambda row: len(encodings[row].ids))
        found: list[list[Found]] = [[] for _ in passages]
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            scores = self._scores([encodings[row] for row in rows])
            for row, own in zip(rows, scores, strict=True):
                found[row] = self._spans(passages[row].text, encodings[row], own)
        return found

    def _scores(self, encodings: Sequence[Any]) -> Scores:
        width = max(len(one.ids) for one in encodings) or 1
        ids = np.zeros((len(encodings), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(encodings):
            ids[row, : len(one.ids)] = one.ids
            mask[row, : len(one.ids)] = 1
        return self._model.scores(ids, mask)

    def _spans(self, text: str, encoding: Any, scores: Scores) -> list[Found]:
        own = [token for token, special in enumerate(encoding.special_tokens_mask) if not special]
        offsets = [encoding.offsets[token] for token in own]
        found = []
        for run in self._scheme.spans(scores[own]):
            start = min(offset[0] for offset in offsets[run.start : run.end])
            end = max(offset[1] for offset in offsets[run.start : run.end])
            inside = text[start:end]
            start += len(inside) - len(inside.lstrip())
            end -= len(inside) - len(inside.rstrip())
            if start < end:
                found.append(Found(start, end, run.label, run.score))
        return found


def _limit(folder: Path, config: Mapping[str, Any]) -> int | None:
    """How many tokens the model reads, by its tokenizer's or its own word."""
    limits = [config.get("max_position_embeddings")]
    file = folder / "tokenizer_config.json"
    if file.is_file():
        limits.append(msgspec.json.decode(file.read_bytes()).get("model_max_length"))
    known = [int(one) for one in limits if isinstance(one, int | float) and 0 < one < _ENDLESS]
    return min(known, default=None)


def make(choice: Choice, argument: str) -> Detector:
    """The classifier of a folder.

    Raises:
        InputError: a file or a library is missing.
    """
    folder = Path(argument)
    for needed in ("config.json", "tokenizer.json"):
        if not argument or not (folder / needed).is_file():
            raise InputError(f"has no {needed}; hf: takes a model's folder", file=argument or "hf:")
    try:
        import tokenizers  # noqa: F401
    except ImportError as error:
        raise InputError("hf: needs tokenizers: pip install 'pii-tracegen[hf]'") from error
    config = msgspec.json.decode((folder / "config.json").read_bytes())
    if not config.get("id2label"):
        raise InputError("has no id2label; not a token classifier", file=folder / "config.json")
    for name in ("model.onnx", "onnx/model.onnx"):
        if (folder / name).is_file():
            # Large models keep their weights beside it: model.onnx_data, model.onnx.data.
            files = sorted((folder / name).parent.glob("model.onnx*"))
            return TokenClassifier(folder, _Onnx(folder / name), files, config)
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise InputError("has neither model.onnx nor *.safetensors", file=folder)
    return TokenClassifier(folder, _Torch(folder), weights, config)
