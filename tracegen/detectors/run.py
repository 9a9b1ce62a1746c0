"""Run a detector over a corpus: window by window, resumable, with every failure on record."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing.util import Finalize
from pathlib import Path
from typing import NamedTuple

from tracegen.corpus import read
from tracegen.datafiles import data_files
from tracegen.detectors.journal import Journal, Outcome
from tracegen.detectors.output import check_output
from tracegen.detectors.protocol import close, notes
from tracegen.detectors.record import determined
from tracegen.detectors.registry import Choice, make_detector
from tracegen.detectors.session import Answer, Session, Shape
from tracegen.errors import InputError, OutputError
from tracegen.model import Conversation
from tracegen.workers import worker_pool

MOST_WORKERS = 1000
"""Processes; more are a slip of the hand, and less than the system can count."""

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
        OutputError: the output exists, is a part of the corpus, or cannot be written.
    """
    if not 1 <= run.workers <= MOST_WORKERS:
        raise InputError(f"--workers {run.workers}: must be 1 to {MOST_WORKERS:,}")
    if run.resume and run.force:
        raise InputError("--resume continues a run and --force starts it anew; choose one")
    out, corpus = Path(run.out), Path(run.corpus)
    detector = make_detector(run.choice)  # a wrong name or a missing model shows at once
    try:
        files, tokenizer = data_files(corpus), run.shape.windowing.unit.tokenizer
        check_output(out, corpus, files, [tokenizer] if tokenizer else [])
        head = determined(run.choice.name, detector, corpus, files, run.shape, run.languages)
        with Journal.open(out, head, resume=run.resume, force=run.force) as journal:
            ids: list[str] = []
            _answer(run, Session(detector, run.shape), journal, ids, advance)
            return journal.finish(ids, notes(detector))
    finally:
        close(detector)


def _answer(
    run: Run, session: Session, journal: Journal, ids: list[str], advance: Callable[[int], None]
) -> None:
    """Ask for all that is not done, and write every answer down as it comes."""
    answers = _serial if run.workers == 1 else _parallel
    failing = 0
    with closing(answers(run, session, _todo(run, journal, ids, advance))) as coming:
        for answer in coming:  # what stops us here must stop the workers as well
            journal.add(answer)
            advance(1)
            failing = failing + 1 if answer.failure else 0
            if failing >= IN_A_ROW:
                raise InputError(
                    f"the detector failed on {failing} conversations in a row, the last with: "
                    f"{answer.failure}; --resume goes on after it is repaired"
                )


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


def _serial(
    run: Run, session: Session, todo: Iterator[Conversation]
) -> Generator[Answer, None, None]:
    yield from map(session.answer, todo)


_WORKER: list[Session] = []
"""The session of a worker process, made once."""


def _start(choice: Choice, shape: Shape) -> None:
    detector = make_detector(choice)
    Finalize(None, close, (detector,), exitpriority=0)
    _WORKER[:] = [Session(detector, shape)]


def _work(conversation: Conversation) -> Answer:
    return _WORKER[0].answer(conversation)


def _parallel(
    run: Run, session: Session, todo: Iterator[Conversation]
) -> Generator[Answer, None, None]:
    """Answers from processes, as they come, a few conversations ahead."""
    with worker_pool(run.workers, _start, (run.choice, run.shape)) as pool:
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
