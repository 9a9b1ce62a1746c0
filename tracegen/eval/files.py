"""Write results: never over an existing file unless asked to, and never half."""

from pathlib import Path

from tracegen.errors import OutputError


def check_free(paths: list[Path | None], *, force: bool) -> None:
    """Refuse outputs that exist or have no folder, before any work is done.

    Raises:
        OutputError: names the first.
    """
    for path in paths:
        if path is None:
            continue
        if path.exists() and not force:
            raise OutputError(f"{path}: exists; choose another name or say --force")
        if path.is_dir() or not path.parent.is_dir():
            raise OutputError(f"{path}: is not a file in an existing folder")


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        OutputError: the disk is full or the folder is read-only.
    """
    data = content.encode() if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
