"""Where predictions come from: the run record beside them, their label map, their corpus."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from tracegen.datafiles import MANIFEST, ROWS, RUN_RECORD, data_digest, data_files
from tracegen.errors import InputError, printable
from tracegen.eval.gold import Origin
from tracegen.eval.labels import IDENTITY, UNMAPPED, LabelMap, bundled, load_map, meaning
from tracegen.eval.report import Report
from tracegen.model import LABELS

WORTH_A_WARNING = 0.05
"""A larger share of predictions with unknown labels is said aloud."""


Why = Literal["asked for", "run record", "default"]


class RunRecord(msgspec.Struct, frozen=True):
    """What a run record says that scoring depends on."""

    labels: str | None = None
    corpus_digest: str | None = None
    corpus_digest_of: str = ROWS
    corpus: list[str] = []


class ChosenMap(NamedTuple):
    """A label map, under which name, and why this one."""

    known: LabelMap
    name: str
    why: Why


def run_record(predictions: Path) -> RunRecord | None:
    """The run record beside predictions, if there is one.

    Raises:
        InputError: it cannot be read.
    """
    side = predictions.with_name(predictions.name + RUN_RECORD)
    if not side.is_file():
        return None
    try:
        return msgspec.json.decode(side.read_bytes(), type=RunRecord)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=side) from error
    except msgspec.DecodeError as error:
        problem = f"is not the run record of `tracegen detect` ({error}); repair or remove it"
        raise InputError(problem, file=side) from error


def origin_of(corpus: Path) -> Origin:
    """What a corpus says of itself; nothing, where no manifest lies in its folder."""
    try:
        manifest: Any = msgspec.json.decode((corpus / MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError):
        return Origin(corpus, None)
    digest = manifest.get("corpus_digest") if isinstance(manifest, dict) else None
    return Origin(corpus, str(digest) if digest else None)


def check_corpus(predictions: Path, record: RunRecord | None, origin: Origin | None) -> None:
    """Refuse predictions that were made on another corpus, although all ids may be known.

    Digests of rows, of JSON lines and of Parquet files are each held against their own kind alone.

    Raises:
        InputError: names both corpora by their digests.
    """
    if record is None or origin is None or record.corpus_digest is None:
        return
    digest = origin.digest
    if record.corpus_digest_of != ROWS:
        kind, digest = data_digest(data_files(origin.path))
        digest = digest if kind == record.corpus_digest_of else None
    if digest is not None and record.corpus_digest != digest:
        raise InputError(
            f"was made on the corpus {record.corpus_digest[:12]} ({_files(record)}), but "
            f"{origin.path} is {digest[:12]}; score it against its own corpus, or run "
            "`tracegen detect` on this one",
            file=predictions,
        )


def _files(record: RunRecord) -> str:
    rest = len(record.corpus) - 1
    first = record.corpus[0] if record.corpus else "no files named"
    return f"{first} and {rest} more" if rest > 0 else first


def choose_map(
    labels: str | LabelMap | None, predictions: object, record: RunRecord | None
) -> ChosenMap:
    """The label map asked for, else the one of the run record, else `tracegen`.

    Raises:
        InputError: no such map.
    """
    if isinstance(labels, LabelMap):
        return ChosenMap(labels, labels.detector, "asked for")
    if labels is not None:
        return ChosenMap(load_map(labels), labels, "asked for")
    if record is None or record.labels is None:
        return ChosenMap(load_map(IDENTITY), IDENTITY, "default")
    try:
        return ChosenMap(load_map(record.labels), record.labels, "run record")
    except InputError as error:
        side = f"{predictions}{RUN_RECORD}"
        raise InputError(f"labels: {error}; or name one with --labels", file=side) from error


def unmapped_share(report: Report) -> float:
    """The share of predictions whose label the map does not know."""
    spans = report["predictions"]["spans"]
    return sum(report["predictions"]["unmapped"].values()) / spans if spans else 0.0


def unmapped_warning(report: Report, file: Path, remedy: str | None = None) -> str | None:
    """What to say when more than a few predictions have a label that the map does not know.

    Args:
        report: the report of a scoring run.
        file: its predictions.
        remedy: the option that would help, where it is more than one `--labels`.
    """
    share = unmapped_share(report)
    if share <= WORTH_A_WARNING:
        return None
    unmapped = report["predictions"]["unmapped"]
    most = sorted(unmapped, key=lambda raw: (-unmapped[raw], raw))[:5]
    few = ", ".join(map(printable, most))
    spans = report["predictions"]["spans"]
    return (
        f"{file}: {sum(unmapped.values()):,} of {spans:,} predictions ({share:.0%}) have a label "
        f"that the map {report['signature']['label_map']['name']!r} does not know ({few}); "
        f"each counts as wrong: {remedy or as_option([best_map(unmapped)])}"
    )


def best_map(unmapped: dict[str, int]) -> str | None:
    """The bundled map that knows most of these raw labels, if one knows any."""
    known = {name: _known(name, unmapped) for name in bundled()}
    best = max(sorted(known), key=lambda name: known[name])
    return best if known[best] else None


def as_option(maps: Sequence[str | None]) -> str:
    """What to say on the command line; `FILE.yaml` where no bundled map helps."""
    words = " ".join(f"--labels {name or 'FILE.yaml'}" for name in maps)
    own = "" if all(maps) else " (a label map of your own, like those in eval/labels/)"
    return f"say {words}{own}"


def _known(name: str, unmapped: dict[str, int]) -> int:
    """How many of these predictions a map would read."""
    known = load_map(name)
    return sum(
        count
        for raw, count in unmapped.items()
        if UNMAPPED not in meaning(known, raw, set(LABELS)).labels
    )
