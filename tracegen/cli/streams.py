"""Standard output and error that never change what a command finds: closed, or with no reader."""

import io
import os
import sys
from typing import Any


class _Patient(io.FileIO):
    """A stream whose reader may go: what is written after that is dropped.

    `tracegen score ... | head` must exit as the gates say. So nobody up to the end may learn of the
    broken pipe: Rich and Typer would each end the command with exit code 1.
    """

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            _discard(self.fileno())
            return memoryview(data).nbytes


def prepare() -> None:
    """Make both streams of this process patient, and printable whatever the terminal can show."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():  # has no reader that could go
            stream.reconfigure(errors="backslashreplace")
            continue
        if stream is None:  # closed by the shell: `>&-`; no file that we open may take its number
            _discard(number)
        encoding = stream.encoding if isinstance(stream, io.TextIOWrapper) else "utf-8"
        raw = _Patient(number, "wb", closefd=False)
        text = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=encoding,
            errors="backslashreplace",
            line_buffering=number == 2,
        )
        setattr(sys, name, text)


def finish() -> str | None:
    """Flush standard output; what the system says if it cannot be written (a full disk)."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard(1)  # so that the end of the process does not fail at the same once more
        return f"standard output: {error.strerror}"
    return None


def _discard(number: int) -> None:
    """Let a descriptor lead nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)
