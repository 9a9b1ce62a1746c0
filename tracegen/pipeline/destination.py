"""Where a corpus goes: claim the place, work beside it, move in at the end.

Nothing that tracegen did not make is ever replaced or removed. A finished corpus is known by its
manifest, an unfinished run by the marker that this module writes.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tracegen.datafiles import MANIFEST
from tracegen.errors import OutputError
from tracegen.outputs import write_atomically, writing
from tracegen.pipeline.shard import WORK

_MARKER = "run.json"
_WRITTEN_LAST = ("README.md", "croissant.json", "SHA256SUMS", "conversations.jsonl", MANIFEST)


class Destination:
    """The folder of a corpus, and the unfinished one beside it."""

    def __init__(self, out: Path) -> None:
        """Name the place; nothing is touched yet.

        Raises:
            OutputError: the path cannot name a folder.
        """
        self.shown = out
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 (a symbolic link must stay one)
        try:
            str(self.out).encode()
        except UnicodeEncodeError:
            raise OutputError(f"{str(out)!a}: is not UTF-8; choose another --out") from None
        if not str(out).strip() or not self.out.name:
            raise OutputError(f"{str(out)!r}: names no folder to make; choose another --out")
        self.partial = self.out.with_name(f"{self.out.name}.partial")

    def check(self, *, force: bool, resume: bool = False) -> None:
        """Refuse what is in the way.

        Raises:
            OutputError: something is there that may not be replaced.
        """
        if self.out.is_symlink():
            raise OutputError(f"{self.shown}: is a symbolic link; choose another --out")
        if not self.out.exists():
            return
        if not self.out.is_dir():
            raise OutputError(f"{self.shown}: is a file; choose another --out")
        if not force:
            state = (
                "is finished, nothing to resume" if resume and _is_corpus(self.out) else "exists"
            )
            raise OutputError(
                f"{self.shown}: {state}; choose another --out, or --force to replace it"
            )
        if not _is_corpus(self.out) and any(self.out.iterdir()):
            raise OutputError(
                f"{self.shown}: exists and is no corpus of tracegen (no {MANIFEST}), so --force "
                "will not replace it; choose another --out"
            )

    @contextmanager
    def claimed(self, *, resume: bool, force: bool) -> Iterator[None]:
        """Make the unfinished folder ours alone, and leave nothing there if nothing was made.

        Raises:
            OutputError: another run is at work, or something unfinished or foreign is in the way.
        """
        with writing(self.partial):
            self.partial.parent.mkdir(parents=True, exist_ok=True)
            lock_path = self.partial.with_name(f".{self.partial.name}.lock")
            lock = lock_path.open("w")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                problem = f"{self.partial}: another run is writing here; wait for it"
                raise OutputError(problem) from error
            try:
                self._prepare(resume, force)
                yield
            finally:
                _remove_if_empty(self.partial)
                lock_path.unlink(missing_ok=True)

    def begin(self, run: str) -> None:
        """Mark the unfinished folder as belonging to a run, or see that it does.

        Raises:
            OutputError: it belongs to another one.
        """
        marker = self.partial / WORK / _MARKER
        if not marker.is_file():
            write_atomically(marker, msgspec.json.encode({"run": run}))
        elif _run_of(marker) != run:
            raise OutputError(
                f"{self.partial}: is an unfinished run of another spec, seed, count or version; "
                "repeat its options, or --force to start anew"
            )

    def clear(self) -> None:
        """Remove the unfinished folder.

        Raises:
            OutputError: the system refuses.
        """
        with writing(self.partial):
            shutil.rmtree(self.partial)

    def move_in(self, *, force: bool) -> None:
        """Put the finished corpus in its place, unless something has appeared there meanwhile.

        Raises:
            OutputError: something is there that may not be replaced, or the system refuses.
        """
        self.check(force=force)
        with writing(self.out):
            if self.out.exists():
                old = self._free_name()
                self.out.rename(old)
                self.partial.rename(self.out)
                shutil.rmtree(old)
            else:
                self.partial.rename(self.out)

    def _prepare(self, resume: bool, force: bool) -> None:
        if self.partial.exists() or self.partial.is_symlink():
            if not (self.partial / WORK / _MARKER).is_file():
                raise OutputError(f"{self.partial}: is in the way and no run of tracegen; move it")
            if not resume and not force:
                raise OutputError(
                    f"{self.partial}: an unfinished run is here; --resume continues it, "
                    "--force starts anew"
                )
            if not resume:
                with writing(self.partial):
                    shutil.rmtree(self.partial)
        with writing(self.partial):
            (self.partial / "data").mkdir(parents=True, exist_ok=True)
            (self.partial / WORK).mkdir(exist_ok=True)
            for stale in self.partial.rglob(".*.tmp"):
                stale.unlink()
            for late in (
                "README.md",
                "croissant.json",
                "SHA256SUMS",
                "conversations.jsonl",
                MANIFEST,
            ):
                (self.partial / late).unlink(missing_ok=True)

    def _free_name(self) -> Path:
        number = 0
        while True:
            old = self.out.with_name(f".{self.out.name}.old{number or ''}")
            if not old.exists():
                return old
            number += 1


def _run_of(marker: Path) -> object:
    try:
        return msgspec.json.decode(marker.read_bytes(), type=dict[str, object]).get("run")
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise OutputError(f"{marker}: is broken ({error}); --force starts anew") from error


def _is_corpus(folder: Path) -> bool:
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return isinstance(manifest, dict) and "corpus_digest" in manifest


def _remove_if_empty(partial: Path) -> None:
    """A run that made no shard leaves nothing behind."""
    if not partial.is_dir():
        return
    files = [path for path in partial.rglob("*") if path.is_file()]
    if all(path.name == _MARKER or path.suffix in (".tmp", ".jsonl") for path in files):
        shutil.rmtree(partial)
