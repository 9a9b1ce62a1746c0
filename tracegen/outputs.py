"""Files that a command writes: never half, never over what it reads, never in place of a device."""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tracegen.datafiles import MANIFEST, RUN_RECORD, data_files
from tracegen.errors import InputError, OutputError

_AGAIN = "free some space and run again (with --resume, where the command has it)"
_REASONS = {
    errno.ENOSPC: f"the disk is full; {_AGAIN}",
    errno.EDQUOT: f"the disk quota is used up; {_AGAIN}",
    errno.EACCES: "no permission to write here; choose another one",
    errno.EPERM: "no permission to write here; choose another one",
    errno.EROFS: "the file system is read-only; choose another one",
    errno.ENOTDIR: "a part of the path is a file; choose another one",
    errno.EEXIST: "a part of the path is a file; choose another one",
    errno.ENAMETOOLONG: "the name is too long; choose another one",
    errno.EFBIG: "the file would be larger than this process may write (ulimit -f)",
}
_DEVICES = Path("/dev")
_STREAMS = ("stdin", "stdout", "stderr")
_DESCRIPTORS = (Path("/dev/fd"), Path("/proc/self/fd"))
_ABOUT_A_CORPUS = (MANIFEST, "SHA256SUMS")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says into one clear error.

    Raises:
        OutputError: the path cannot be written.
    """
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        raise OutputError(f"{path}: {reason}") from error


def write_atomically(path: Path, content: bytes) -> None:
    """Write a whole file under a temporary name, then move it into place.

    What a link names is written, and the link stays. A pipe, a device or a descriptor of this
    process (`/dev/stdout`) is written to as it is: it must never become a file. If its reader has
    gone, the rest is dropped, as on standard output.

    Raises:
        OutputError: it cannot be written.
    """
    with writing(path):
        if is_stream(path):
            with suppress(BrokenPipeError), _opened(path) as stream:
                stream.write(content)
        elif path.exists() and not path.is_file():
            raise OutputError(f"{path}: is not a file; choose another name")
        else:
            _replace(Path(os.path.realpath(path)), content)


def _opened(path: Path) -> BinaryIO:
    number = _descriptor(path)
    if number is None:
        return path.open("wb")
    if sys.stdout is not None:
        sys.stdout.flush()  # what was printed before stands before it
    return os.fdopen(os.dup(number), "wb")


def _descriptor(path: Path) -> int | None:
    """The open descriptor that a path names; opening the path anew would empty its file."""
    if path.parent == _DEVICES and path.name in _STREAMS:
        number = _STREAMS.index(path.name)
    elif path.parent in _DESCRIPTORS and path.name.isascii() and path.name.isdecimal():
        number = int(path.name)
    else:
        return None
    try:
        os.fstat(number)
    except (OSError, OverflowError):
        return None
    return number


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except (OSError, KeyboardInterrupt):
        temporary.unlink(missing_ok=True)
        raise


def check_outputs(
    outputs: Iterable[Path | None], inputs: Iterable[Path | None], *, force: bool
) -> None:
    """Refuse outputs that would be lost or cost something, before any work is done.

    Args:
        outputs: every file that the command will write; None where an option was not given.
        inputs: every file that it reads, corpus folders among them.
        force: replace files that exist.

    Raises:
        OutputError: an output is an input (`check_apart`), exists and is not to be replaced, or
            has no folder. Names the first.
    """
    wanted = [path for path in outputs if path is not None]
    check_apart(wanted, inputs)
    for path in wanted:
        if is_stream(path):
            continue
        with writing(path):
            if os.path.lexists(path) and not force:
                raise OutputError(f"{path}: exists; choose another name or say --force")
            if not path.parent.is_dir() or (path.exists() and not path.is_file()):
                raise OutputError(f"{path}: is not a file in an existing folder")


def check_apart(outputs: Iterable[Path | None], inputs: Iterable[Path | None]) -> None:
    """Refuse to write over an input, or two outputs to one file; by what the paths lead to.

    An input folder stands for the data files of the corpus in it, a file of predictions also for
    the run record beside it. Devices and pipes are left out: nothing there can be overwritten.

    Raises:
        OutputError: names the path.
    """
    read = {_place(file) for path in inputs if path is not None for file in _files(path)}
    written: set[str] = set()
    for path in outputs:
        if path is None or is_stream(path):
            continue
        place = _place(path)
        if place in read:
            raise OutputError(f"{path}: is an input of this command; choose another name")
        if place in written:
            raise OutputError(f"{path}: is named for two outputs; give each its own file")
        written.add(place)


def is_stream(path: Path) -> bool:
    """Whether a path leads to a pipe, a terminal or an open descriptor, written to as it is."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or _descriptor(path) is not None


def _place(path: Path) -> str:
    return os.path.realpath(path)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path, path.with_name(path.name + RUN_RECORD)] if path.name else [path]
    try:
        found = data_files(path)
    except InputError:  # whoever reads it will say so
        found = []
    return [path, *found, *(path / name for name in _ABOUT_A_CORPUS)]
