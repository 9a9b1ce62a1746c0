"""Generate a corpus: shards in parallel, then the files that describe it, then one rename."""

import fcntl
import hashlib
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import NamedTuple

from tracegen.corpus.files import writing
from tracegen.errors import InputError, OutputError, TracegenError
from tracegen.gates import Vault
from tracegen.pipeline.finish import finish
from tracegen.pipeline.inputs import Inputs, read_inputs
from tracegen.pipeline.shard import WORK, Done, Job, run_shard
from tracegen.pipeline.spec import Spec


class Run(NamedTuple):
    """How to run; none of it changes a byte of the result but `formats`."""

    out: Path
    workers: int = 1
    formats: Sequence[str] = ("parquet",)
    vault: Path | None = None
    resume: bool = False
    force: bool = False


class Result(NamedTuple):
    """A finished corpus."""

    rows: int
    dropped: int
    characters: int
    mentions: int
    digest: str

    @property
    def dropped_share(self) -> float:
        """Conversations that no attempt got past the gates, of all asked for."""
        return self.dropped / (self.rows + self.dropped)


def generate(spec: Spec, run: Run, advance: Callable[[int], None] = lambda rows: None) -> Result:
    """Generate the corpus of a spec into a folder.

    All files are made in `<out>.partial`, which becomes `<out>` in one rename at the end. A run
    that was stopped leaves its finished shards there for `resume`.

    Args:
        spec: what to make.
        run: where and with how many processes.
        advance: told the rows of every finished shard.

    Raises:
        InputError: templates, packs or spec are broken; an unfinished run is in the way.
        OutputError: the folder exists, or cannot be written.
    """
    if run.out.exists() and not run.force:
        raise OutputError(f"{run.out}: exists; choose another --out, or --force to replace it")
    if run.vault is not None:
        Vault.read(run.vault)
    partial = run.out.with_name(f"{run.out.name}.partial")
    with _claimed(partial, run):
        inputs = read_inputs(spec)
        shards = _all_shards(inputs, partial, run, advance)
        digest = finish(inputs, shards, partial, run.formats)
        _move_into_place(partial, run.out)
    return Result(
        sum(done.rows for done in shards),
        sum(len(done.dropped) for done in shards),
        sum(done.characters for done in shards),
        sum(done.mentions for done in shards),
        digest,
    )


@contextmanager
def _claimed(partial: Path, run: Run) -> Iterator[None]:
    """Make the work folder ours alone; an unfinished one is only touched when asked to."""
    with writing(partial):
        partial.parent.mkdir(parents=True, exist_ok=True)
        lock_path = partial.with_name(f".{partial.name}.lock")
        lock = lock_path.open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise OutputError(f"{partial}: another run is writing here; wait for it") from error
        if partial.exists() and not run.resume:
            if not run.force:
                raise OutputError(
                    f"{partial}: an unfinished run is here; --resume continues it, "
                    "--force starts anew"
                )
            with writing(partial):
                shutil.rmtree(partial)
        with writing(partial):
            (partial / "data").mkdir(parents=True, exist_ok=True)
            (partial / WORK).mkdir(exist_ok=True)
            for stale in (*partial.glob("data/.*.tmp"), *partial.glob(f"{WORK}/.*.tmp")):
                stale.unlink()
        try:
            yield
        finally:
            _remove_if_empty(partial)
            lock_path.unlink(missing_ok=True)


def _remove_if_empty(partial: Path) -> None:
    """A run that failed before its first shard leaves nothing behind."""
    if partial.is_dir() and not any(path.is_file() for path in partial.rglob("*")):
        shutil.rmtree(partial)


def _all_shards(
    inputs: Inputs, partial: Path, run: Run, advance: Callable[[int], None]
) -> list[Done]:
    spec = inputs.spec
    count = -(-spec.count // spec.shard_rows)
    if count > 99_999:
        raise InputError(f"{count} shards are too many; raise shard_rows in the spec")
    vault = run.vault.resolve() if run.vault else None
    secret = vault.read_bytes() if vault else b""
    run_digest = hashlib.sha256(inputs.digest.encode() + secret).hexdigest()
    jobs = [
        Job(spec, number, count, partial, inputs.digest, run_digest, vault)
        for number in range(count)
    ]
    made = _serial(jobs) if run.workers == 1 or count == 1 else _parallel(jobs, run.workers)
    shards = []
    for done in made:
        shards.append(done)
        advance(done.rows + len(done.dropped))
    shards.sort(key=lambda done: done.shard)
    if [done.shard for done in shards] != list(range(count)):
        raise OutputError(f"{partial}: shards are missing; run again with --resume")
    return shards


def _serial(jobs: Sequence[Job]) -> Iterator[Done]:
    yield from map(run_shard, jobs)


def _parallel(jobs: Sequence[Job], workers: int) -> Iterator[Done]:
    """Run shards in processes, a few ahead of what is finished."""
    todo = iter(jobs)
    count = min(workers, len(jobs))
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=_leave_stopping) as pool:
        try:
            pending: set[Future[Done]] = {
                pool.submit(run_shard, job) for job in islice(todo, workers * 2)
            }
            while pending:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
                    pending |= {pool.submit(run_shard, job) for job in islice(todo, 1)}
        except BrokenProcessPool as error:
            raise OutputError(
                "a worker process was killed (out of memory?); run again with --resume"
            ) from error
        except (KeyboardInterrupt, TracegenError):
            for worker in active_children():  # a shard in the making is made again on resume
                worker.terminate()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _leave_stopping() -> None:
    """In a worker: Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _move_into_place(partial: Path, out: Path) -> None:
    with writing(out):
        old = out.with_name(f".{out.name}.old")
        if out.exists():
            if old.exists():
                shutil.rmtree(old)
            out.rename(old)
        partial.rename(out)
        if old.exists():
            shutil.rmtree(old)
