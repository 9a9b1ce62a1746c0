"""Write files so that nothing half-written is ever seen, and say plainly why when it fails."""

import errno
import hashlib
import os
from collections.abc import Iterator
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


def file_sha256(path: Path) -> str:
    """The sha256 of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
