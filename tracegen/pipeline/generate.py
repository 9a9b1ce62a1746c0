"""Generate a corpus: shards in parallel, then the files that describe it, then one rename."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tracegen.errors import InputError, OutputError
from tracegen.gates import Vault
from tracegen.pipeline.destination import Destination
from tracegen.pipeline.finish import finish
from tracegen.pipeline.inputs import Inputs, read_inputs
from tracegen.pipeline.shard import Done, Job, run_shard, total_ledger
from tracegen.pipeline.spec import Spec
from tracegen.workers import worker_pool


class Run(NamedTuple):
    """How to run; none of it changes a byte of the result but `formats`."""

    out: Path | str
    workers: int = 1
    """Processes; 0 is one a core."""
    formats: Sequence[str] = ("parquet",)
    vault: Path | str | None = None
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
        InputError: templates, packs or spec are broken, or make no conversation at all; an
            unfinished run is in the way; workers below 0.
        OutputError: the folder exists, or cannot be written.
    """
    if run.workers < 0:
        raise InputError(f"workers={run.workers}: must be 0 (one a core) or more")
    destination = Destination(Path(run.out))
    destination.check(force=run.force, resume=run.resume)
    if run.vault is not None:
        Vault.read(run.vault)
    with destination.claimed(resume=run.resume, force=run.force):
        inputs = read_inputs(spec)
        run_digest = _run_digest(inputs, run.vault)
        destination.begin(run_digest)
        shards = _all_shards(inputs, run_digest, destination.partial, run, advance)
        if not any(done.rows for done in shards):
            destination.clear()  # a resumption would find the same
            raise InputError(_why_empty(shards), file=spec.name)
        digest = finish(inputs, shards, destination.partial, run.formats)
        destination.move_in(force=run.force)
    return Result(
        sum(done.rows for done in shards),
        sum(len(done.dropped) for done in shards),
        sum(done.characters for done in shards),
        sum(done.mentions for done in shards),
        digest,
    )


def _why_empty(shards: Sequence[Done]) -> str:
    ledger = total_ledger(shards)
    if not ledger.dropped:
        return (
            "no conversation of this spec can be made: no story fits before its edges and passes "
            "the gates, or its count is too small; ask for larger edges or more"
        )
    gates: Counter[str] = Counter()
    for (gate, rule, *_), times in ledger.refusals.items():
        gates[f"{gate}: {rule}"] += times
    often = ", ".join(f"{name} ({times:,})" for name, times in gates.most_common(3))
    return (
        f"no conversation was made: the gates refused each of {len(ledger.dropped):,}"
        + (f", most often for {often}" if often else "")
        + "; `tracegen lint` checks templates"
    )


def _run_digest(inputs: Inputs, vault: Path | str | None) -> str:
    """What a run makes: inputs, and the vault that the gates hold it to."""
    secret = Path(vault).read_bytes() if vault else b""
    return hashlib.sha256(inputs.digest.encode() + secret).hexdigest()


def _all_shards(
    inputs: Inputs, run_digest: str, partial: Path, run: Run, advance: Callable[[int], None]
) -> list[Done]:
    spec = inputs.spec
    count = -(-spec.count // spec.shard_rows)
    if count > 99_999:
        raise InputError(f"{count} shards are too many; raise shard_rows in the spec")
    vault = Path(run.vault).resolve() if run.vault else None
    jobs = [
        Job(spec, number, count, partial, inputs.digest, run_digest, vault)
        for number in range(count)
    ]
    workers = min(run.workers or _cores(), count)
    made = _serial(jobs) if workers == 1 else _parallel(jobs, workers)
    shards = []
    with closing(made):  # an interrupt between two shards must stop the workers as well
        for done in made:
            shards.append(done)
            advance(done.rows + len(done.dropped))
    shards.sort(key=lambda done: done.shard)
    if [done.shard for done in shards] != list(range(count)):
        raise OutputError(f"{partial}: shards are missing; run again with --resume")
    return shards


def _cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _serial(jobs: Sequence[Job]) -> Generator[Done, None, None]:
    yield from map(run_shard, jobs)


def _parallel(jobs: Sequence[Job], workers: int) -> Generator[Done, None, None]:
    """Run shards in processes, a few ahead of what is finished; an error ends those at work."""
    todo = iter(jobs)
    with worker_pool(workers) as pool:
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
