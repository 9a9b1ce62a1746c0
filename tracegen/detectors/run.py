"""Run a detector over a corpus: window by window, resumable, with every failure on record."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tracegen import __version__
from tracegen.corpus import read
from tracegen.corpus.files import ROWS, data_digest, file_sha256
from tracegen.corpus.manifest import MANIFEST
from tracegen.corpus.read import data_files
from tracegen.detectors.journal import Journal, Outcome
from tracegen.detectors.protocol import Detector, close, label_map, notes, settings
from tracegen.detectors.registry import Choice, make_detector
from tracegen.detectors.session import Answer, Session, Shape
from tracegen.errors import InputError, OutputError
from tracegen.model import Conversation

IN_A_ROW = 20
"""Conversations that may fail one after the other before the run stops."""


class Run(NamedTuple):
    """How to run a detector over a corpus."""

    corpus: Path | str
    choice: Choice
    out: Path | str
    shape: Shape = Shape()
    workers: int = 1
    languages: tuple[str, ...] = ()
    resume: bool = False
    force: bool = False


def detect(run: Run, advance: Callable[[int], None] = lambda done: None) -> Outcome:
    """Run a detector and write its predictions.

    Predictions go to `out` as JSON lines in the order of the corpus, with a run record
    `<out>.run.json` beside them. While the run lasts they grow in `<out>.partial`, which `resume`
    continues. A conversation whose detector failed has no line in `out`, so that a scorer must ask
    for it; the run record names it. `resume` on a finished run tries those again.

    Args:
        run: what, with which detector, where to.
        advance: told of every finished conversation.

    Raises:
        InputError: the corpus or the detector cannot be used, or nearly everything fails.
        OutputError: the output exists or cannot be written.
    """
    detector = make_detector(run.choice)  # a wrong name or a missing model shows at once
    journal = Journal.open(
        Path(run.out), run_record(run, detector), resume=run.resume, force=run.force
    )
    try:
        with journal:
            ids: list[str] = []
            session = Session(detector, run.shape)
            answers = _serial if run.workers <= 1 else _parallel
            failing = 0
            for answer in answers(run, session, _todo(run, journal, ids, advance)):
                journal.add(answer)
                advance(1)
                failing = failing + 1 if answer.failure else 0
                if failing >= IN_A_ROW:
                    raise InputError(
                        f"the detector failed on {failing} conversations in a row, the last with: "
                        f"{answer.failure}; --resume goes on after it is repaired"
                    )
            return journal.finish(ids, notes(detector))
    finally:
        close(detector)


def run_record(run: Run, detector: Detector) -> dict[str, Any]:
    """Everything that determines the predictions; the same for a run and its resumption."""
    shape = run.shape
    files = data_files(Path(run.corpus))
    kind, digest = _corpus_digest(Path(run.corpus), files)
    tokenizer = shape.windowing.unit.tokenizer
    return {
        "schema": 1,
        "tracegen": __version__,
        "detector": {
            "name": run.choice.name,
            "version": detector.version,
            "settings": dict(settings(detector)),
        },
        "labels": label_map(detector),
        "offset_unit": "codepoint",
        "corpus": [file.name for file in files],
        "corpus_digest": digest,
        "corpus_digest_of": kind,
        "languages": list(run.languages),
        "scope": shape.scope,
        "roles": shape.roles,
        "policy": shape.windowing.policy,
        "window": shape.windowing.size,
        "unit": shape.windowing.unit.name,
        "tokenizer_sha256": file_sha256(tokenizer) if tokenizer else None,
        "overlap": shape.windowing.overlap if shape.windowing.policy == "slide" else None,
    }


def _corpus_digest(corpus: Path, files: Sequence[Path]) -> tuple[str, str]:
    """What a corpus of ours says of itself, else a digest of its data.

    So a changed corpus is not taken for the same, although its ids may be.
    """
    manifest = corpus / MANIFEST
    if manifest.is_file():
        digest = msgspec.json.decode(manifest.read_bytes()).get("corpus_digest")
        if digest:
            return ROWS, str(digest)
    return data_digest(files)


def _todo(
    run: Run, journal: Journal, ids: list[str], advance: Callable[[int], None]
) -> Iterator[Conversation]:
    """The conversations not done yet; notes the order of all."""
    known: set[str] = set()
    for conversation in read(run.corpus):
        if run.languages and conversation.language not in run.languages:
            continue
        if conversation.id in known:
            raise InputError(f"has conversation {conversation.id!r} twice", file=run.corpus)
        known.add(conversation.id)
        ids.append(conversation.id)
        if conversation.id in journal.done:
            advance(1)
        else:
            yield conversation
    if not ids:
        raise InputError("has no conversation to run on", file=run.corpus)


def _serial(run: Run, session: Session, todo: Iterator[Conversation]) -> Iterator[Answer]:
    yield from map(session.answer, todo)


_WORKER: list[Session] = []
"""The session of a worker process, made once."""


def _start(choice: Choice, shape: Shape) -> None:
    _WORKER[:] = [Session(make_detector(choice), shape)]


def _work(conversation: Conversation) -> Answer:
    return _WORKER[0].answer(conversation)


def _parallel(run: Run, session: Session, todo: Iterator[Conversation]) -> Iterator[Answer]:
    """Answers from processes, as they come, a few conversations ahead."""
    pool = ProcessPoolExecutor(
        run.workers, get_context("spawn"), initializer=_start, initargs=(run.choice, run.shape)
    )
    with pool:
        try:
            pending: set[Future[Answer]] = set()
            for conversation in todo:
                pending.add(pool.submit(_work, conversation))
                if len(pending) >= run.workers * 4:
                    finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in finished)
            while pending:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        except BrokenProcessPool as error:
            raise OutputError(
                f"{run.out}: a worker process was killed (out of memory?); what is finished is "
                "kept, run again with --resume and fewer --workers"
            ) from error
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
