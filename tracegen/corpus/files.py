"""Write files so that nothing half-written is ever seen, and say plainly why when it fails."""

import errno
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tracegen.errors import OutputError

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space and run again with --resume",
    errno.EDQUOT: "the disk quota is used up; free some space and run again with --resume",
    errno.EACCES: "no permission to write here; choose another one",
    errno.EPERM: "no permission to write here; choose another one",
    errno.EROFS: "the file system is read-only; choose another one",
    errno.ENOTDIR: "a part of the path is a file; choose another one",
    errno.EEXIST: "a part of the path is a file; choose another one",
    errno.ENAMETOOLONG: "the name is too long; choose another one",
    errno.EFBIG: "the file would be larger than this process may write (ulimit -f)",
}


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

    A device or pipe (`/dev/stdout`) is written to as it is.

    Raises:
        OutputError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    with writing(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.write(content)
            return
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


ROWS = "rows"
"""A digest of this kind is that of the canonical rows, as the manifest of a corpus tells it."""


def data_digest(files: Sequence[Path]) -> tuple[str, str]:
    """The kind (`jsonl` or `parquet`) of data files, and the sha256 of their bytes, in order.

    Digests of two kinds say nothing of each other: the same rows have one of each.
    """
    return "parquet" if files[0].suffix == ".parquet" else "jsonl", files_sha256(files)


def file_sha256(path: Path) -> str:
    """The sha256 of a file, read in blocks."""
    return files_sha256([path])


def files_sha256(paths: Iterable[Path]) -> str:
    """The sha256 of all bytes of some files, in order; of one file, its own."""
    total = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                total.update(block)
    return total.hexdigest()
