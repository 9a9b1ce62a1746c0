"""Presidio with the spaCy models that are installed, one named per language; nothing is fetched."""

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from tracegen.datafiles import files_sha256
from tracegen.detectors.presidio import engine, presidio_facts, resolved
from tracegen.detectors.protocol import Detector, DetectorFailure, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError
from tracegen.model import LANGUAGES

_SIZES = ("sm", "md", "lg", "trf")
"""The sizes of spaCy's models, small to large."""


class PresidioSpacy:
    """The detector `presidio-spacy`."""

    name = "presidio-spacy"
    version = version("presidio-analyzer")
    labels = "presidio"

    def __init__(self, models: Mapping[str, str]) -> None:
        """Load every model, so that a broken one shows before any work is done."""
        from spacy.util import is_package

        self._minimum = presidio_facts().minimum_score
        self._engines = {language: _engine(language, name) for language, name in models.items()}
        self.settings = {
            "minimum_score": self._minimum,
            "models": {language: _described(name) for language, name in models.items()},
            "folders_sha256": {
                language: _digest(Path(name))
                for language, name in models.items()
                if not is_package(name)
            },
        }

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """The spans of each passage.

        Raises:
            DetectorFailure: no model for the language.
        """
        return [self._spans(passage) for passage in passages]

    def _spans(self, passage: Passage) -> list[Found]:
        language = passage.language.partition("-")[0]
        known = self._engines.get(language)
        if known is None:
            raise DetectorFailure(
                "no model", f"for {passage.language}; name one: presidio-spacy:"
                f"{passage.language}=MODEL, or leave the language out with --languages"
            )  # fmt: skip
        return resolved(
            known.analyze(passage.text, language=language, score_threshold=self._minimum)
        )


@cache
def _ner_configuration() -> Any:
    """Presidio's own mapping: built in code its engine would report amounts and ordinals too."""
    import presidio_analyzer
    from presidio_analyzer.nlp_engine import NerModelConfiguration

    file = Path(presidio_analyzer.__file__).parent / "conf" / "default.yaml"
    facts = yaml.safe_load(file.read_text(encoding="utf-8"))["ner_model_configuration"]
    facts["low_score_entity_names"] = [name for name in facts["low_score_entity_names"] if name]
    return NerModelConfiguration(**facts)


def _engine(language: str, name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
        from presidio_analyzer.predefined_recognizers import SpacyRecognizer

        nlp = SpacyNlpEngine(
            models=[{"lang_code": language, "model_name": name}],
            ner_model_configuration=_ner_configuration(),
        )
        try:
            nlp.load()
        except (OSError, ValueError, ImportError) as error:
            raise InputError(
                f"spaCy model {name!r} for {language} does not load: {str(error).splitlines()[0]}"
            ) from error
        made = engine(language, nlp)
        made.registry.add_recognizer(
            SpacyRecognizer(
                supported_language=language, supported_entities=nlp.get_supported_entities()
            )
        )
    return made


def _described(name: str) -> str:
    from spacy.util import get_model_meta, get_package_path, is_package

    meta = get_model_meta(get_package_path(name) if is_package(name) else name)
    return f"{meta.get('lang')}_{meta.get('name')} {meta.get('version')}"


def _digest(folder: Path) -> str:
    """All that lies in a folder: a model trained anew may keep its version."""
    return files_sha256(sorted(file for file in folder.rglob("*") if file.is_file()))


def _installed() -> dict[str, str]:
    """The installed model of each of our languages, the largest where there are several."""
    from spacy.util import get_installed_models

    found: dict[str, str] = {}
    for name in sorted(get_installed_models(), key=lambda one: (_size(one), one)):
        language = name.partition("_")[0]
        if language in LANGUAGES:
            found[language] = name
    return found


def _size(name: str) -> int:
    """The rank of the size at the end of a model's name, as in `en_core_web_trf`; -1 for none."""
    size = name.rpartition("_")[2]
    return _SIZES.index(size) if size in _SIZES else -1


def make(choice: Choice, argument: str) -> Detector:
    """The detector with the models named in the argument, or all that are installed.

    Raises:
        InputError: no model, or one that is not installed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from spacy.util import is_package

        models = _installed()
    if argument:
        models = {}
        for pair in argument.split(","):
            language, _, name = pair.partition("=")
            if not name:
                raise InputError(f"{pair!r}: write LANGUAGE=MODEL, for example en=en_core_web_lg")
            if not is_package(name) and not Path(name).is_dir():
                raise InputError(
                    f"spaCy model {name!r} is not installed, and nothing is downloaded here"
                )
            models[language] = name
    if not models:
        raise InputError(
            "no spaCy model is installed; install one, or name a folder: presidio-spacy:en=FOLDER"
        )
    return PresidioSpacy(models)
