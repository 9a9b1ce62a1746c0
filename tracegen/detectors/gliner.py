"""A GLiNER model from a folder, asked with the prompts of `eval/detectors/gliner.yaml`.

GLiNER cuts a text after its maximum number of words without a word to its caller. Its words are
those of its own splitter, to which a punctuation mark is one too. Prompts and words together are
then cut again where they make more tokens than its tokenizer allows. The passages that lose their
end to either are counted in the run record.
"""

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tracegen.detectors.model_files import model_facts
from tracegen.detectors.protocol import Detector, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError
from tracegen.resources import Facts, read_yaml, room

_NO_LIMIT = 1_000_000


class GlinerFacts(Facts):
    """`gliner.yaml`."""

    source: str
    threshold: float
    prompts: dict[str, str]


class Gliner:
    """The detector `gliner:FOLDER`."""

    name = "gliner"

    def __init__(self, folder: Path, model: Any, facts: GlinerFacts) -> None:
        """Keep model and prompts."""
        self._model = model
        self._facts = facts
        self._words = model.data_processor.words_splitter
        self._longest = model.config.max_len
        self._tokenizer = getattr(model.data_processor, "transformer_tokenizer", None)
        self._most_tokens = _limit(self._tokenizer)
        self._prompt = _prompt(model.config, facts)
        self._counts: Counter[str] = Counter()
        self.version = version("gliner")
        self.settings = {
            **model_facts(folder, _weights(folder)),
            "threshold": facts.threshold,
            "prompts": dict(facts.prompts),
            "max_len": self._longest,
            "max_tokens": self._most_tokens,
        }

    @property
    def notes(self) -> dict[str, int]:
        """Passages that the model could not read to their end."""
        return {"truncated_passages": self._counts["truncated"]}

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage."""
        prompts = list(self._facts.prompts)
        found = []
        for passage in passages:
            self._counts["truncated"] += self._too_long(passage.text)
            entities = self._model.predict_entities(
                passage.text, prompts, threshold=self._facts.threshold
            )
            found.append(
                [
                    Found(
                        int(one["start"]), int(one["end"]), self._facts.prompts[one["label"]],
                        float(one["score"]),
                    )
                    for one in entities
                ]
            )  # fmt: skip
        return found

    def _too_long(self, text: str) -> bool:
        """Whether the text has more words than the model reads, or these too many tokens."""
        words = [word for word, *_ in self._words(text)]
        if self._longest is not None and len(words) > self._longest:
            return True
        if self._tokenizer is None or self._most_tokens is None:
            return False
        tokens = self._tokenizer([*self._prompt, *words], is_split_into_words=True)["input_ids"]
        return len(tokens) > self._most_tokens


def _limit(tokenizer: Any) -> int | None:
    """The tokens after which a tokenizer cuts; one without a limit says an absurd number."""
    most = getattr(tokenizer, "model_max_length", None)
    return most if isinstance(most, int) and most < _NO_LIMIT else None


def _prompt(config: Any, facts: GlinerFacts) -> list[str]:
    """What the model puts before the words of a text; not where another model reads the labels."""
    if getattr(config, "labels_encoder", None):
        return []
    mark = getattr(config, "ent_token", "<<ENT>>")
    pairs = [word for prompt in facts.prompts for word in (mark, prompt)]
    return [*pairs, getattr(config, "sep_token", "<<SEP>>")]


def _weights(folder: Path) -> list[Path]:
    """The files of the weights: safetensors where there are some, else what PyTorch pickled."""
    return sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin"))


def make(choice: Choice, argument: str) -> Detector:
    """The model of a folder.

    Raises:
        InputError: no folder, or gliner is not installed.
    """
    folder = Path(argument)
    if not argument or not folder.is_dir():
        raise InputError("no such folder; gliner: takes a model's folder", file=argument or None)
    try:
        from gliner import GLiNER
    except ImportError as error:
        raise InputError("gliner: needs the package: pip install 'pii-tracegen[gliner]'") from error
    facts = read_yaml(GlinerFacts, room("eval") / "detectors" / "gliner.yaml")
    model = GLiNER.from_pretrained(str(folder), local_files_only=True)
    return Gliner(folder, model, facts)
