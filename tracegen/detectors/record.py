"""What determines the predictions of a run: the head of its record."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tracegen import __version__
from tracegen.datafiles import MANIFEST, ROWS, data_digest, file_sha256
from tracegen.detectors.protocol import Detector, label_map, settings
from tracegen.detectors.session import Shape
from tracegen.errors import InputError


def determined(
    name: str, detector: Detector, corpus: Path, files: Sequence[Path], shape: Shape,
    languages: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """Everything that determines the predictions; the same for a run and its resumption.

    Raises:
        InputError: the corpus' manifest is broken.
    """
    kind, digest = _corpus_digest(corpus, files)
    unit = shape.windowing.unit
    return {
        "schema": 1,
        "tracegen": __version__,
        "detector": {
            "name": name,
            "version": detector.version,
            "settings": dict(settings(detector)),
        },
        "labels": label_map(detector),
        "offset_unit": "codepoint",
        "corpus": [_escaped(file.name) for file in files],
        "corpus_digest": digest,
        "corpus_digest_of": kind,
        "languages": list(languages),
        "scope": shape.scope,
        "roles": shape.roles,
        "policy": shape.windowing.policy,
        "window": shape.windowing.size,
        "unit": _escaped(unit.name),
        "tokenizer_sha256": file_sha256(unit.tokenizer) if unit.tokenizer else None,
        "overlap": shape.windowing.overlap if shape.windowing.policy == "slide" else None,
    }


def check_same(ours: Mapping[str, Any], other: object, file: Path) -> None:
    """Refuse to resume a run that something else determined.

    Raises:
        InputError: names the file and what differs.
    """
    known = other if isinstance(other, dict) else {}
    for name, value in msgspec.json.decode(msgspec.json.encode(ours)).items():
        if known.get(name) != value:
            raise InputError(
                f"was made with another {name}; --resume needs the same, --force starts anew",
                file=file,
            )


def _escaped(name: str) -> str:
    """A file name as UTF-8 can hold it: the bytes that are not stand as escapes."""
    return name.encode(errors="backslashreplace").decode()


def _corpus_digest(corpus: Path, files: Sequence[Path]) -> tuple[str, str]:
    """What a corpus of ours says of itself, else a digest of its data.

    So a changed corpus is not taken for the same, although its ids may be.
    """
    file = corpus / MANIFEST
    if not file.is_file():
        return data_digest(files)
    try:
        manifest = msgspec.json.decode(file.read_bytes(), type=_Manifest)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        problem = f"is no manifest of a corpus ({error}); repair it, or move it away"
        raise InputError(problem, file=file) from error
    return (ROWS, manifest.corpus_digest) if manifest.corpus_digest else data_digest(files)


class _Manifest(msgspec.Struct):
    corpus_digest: str | None = None
