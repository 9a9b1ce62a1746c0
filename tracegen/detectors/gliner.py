"""A GLiNER model from a folder, asked with the prompts of `eval/detectors/gliner.yaml`.

GLiNER cuts a text after its maximum number of words without a word to its caller. Its words are
those of its own splitter, to which a punctuation mark is one too: the passages that have more are
counted in the run record.
"""

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from tracegen.detectors.model_files import model_facts
from tracegen.detectors.protocol import Detector, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError
from tracegen.resources import Facts, read_yaml, room


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
        self._counts: Counter[str] = Counter()
        self.version = version("gliner")
        self.settings = {
            **model_facts(folder, _weights(folder)),
            "threshold": facts.threshold,
            "prompts": dict(facts.prompts),
            "max_len": self._longest,
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
        """Whether the text has more words than the model reads."""
        if self._longest is None:
            return False
        return next(islice(self._words(text), self._longest, None), None) is not None


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
