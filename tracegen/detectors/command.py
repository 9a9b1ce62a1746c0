"""Any program as a detector: JSON lines in and out of one long-lived process.

The program is given one line `{"id", "text", "language"}` and answers it with one line
`{"id", "spans": [{"start", "end", "label", "score"}]}` before it is given the next. What it prints
on stderr goes to ours. Whatever else it does is a failure of that conversation, after which the
process is ended and started anew for the next one. It ends with us, however we end.
"""

import os
import selectors
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import msgspec

from tracegen.detectors.answers import parse_answer
from tracegen.detectors.leash import Leash
from tracegen.detectors.protocol import Detector, DetectorFailure, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError

LONGEST_LINE = 8 * 1024 * 1024
"""Bytes of the longest answer; more is a program that has lost its way."""

_BLOCK = 1 << 16


class Command:
    """A detector that is a program."""

    name = "command"
    version = "1"  # of the protocol; the program's own is part of its words

    def __init__(self, words: Sequence[str], timeout: float, startup: float) -> None:
        """Start nothing yet."""
        self._words = list(words)
        self._timeout = timeout
        self._startup = startup
        self._process: _Process | None = None
        self._counts: Counter[str] = Counter()
        self.settings = {"command": self._words, "timeout": timeout, "startup": startup}

    @property
    def notes(self) -> dict[str, int]:
        """Processes started after the first."""
        return {"restarts": max(0, self._counts["starts"] - 1)}

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """Ask for one passage after the other.

        Raises:
            DetectorFailure: no answer, or none that can be used.
        """
        return [self._one(passage) for passage in passages]

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _one(self, passage: Passage) -> list[Found]:
        """Ask once; a process that dies after it had answered others gets a second chance.

        Programs that end after so many requests, or run out of memory by and by, are restarted;
        one that dies of this passage does so as a fresh process too.
        """
        seasoned = self._process is not None and self._process.answers > 0
        try:
            return self._try(passage)
        except DetectorFailure as failure:
            if not (seasoned and failure.kind == "crash"):
                raise
            return self._try(passage)

    def _try(self, passage: Passage) -> list[Found]:
        if self._process is None:
            self._process = _Process(self._words)
            self._counts["starts"] += 1
        process = self._process
        limit = self._timeout if process.answers else max(self._timeout, self._startup)
        question = {"id": passage.id, "text": passage.text, "language": passage.language}
        try:
            line = process.ask(msgspec.json.encode(question) + b"\n", limit)
            found = parse_answer(line, passage, process.asked)
        except DetectorFailure:
            self.close()
            raise
        process.asked.add(passage.id)
        process.answers += 1
        return found


class _Process:
    """The program while it runs, with pipes that never block us."""

    def __init__(self, words: Sequence[str]) -> None:
        try:
            self._child = subprocess.Popen(  # noqa: S603 (the person's own words)
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise InputError(
                f"command:{shlex.join(words)}: cannot be started: {error.strerror}"
            ) from error
        self._leash = Leash(self._child.pid)
        assert self._child.stdin is not None  # noqa: S101 (both were asked for)
        assert self._child.stdout is not None  # noqa: S101
        self._to, self._from = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self.answers = 0
        self.asked: set[str] = set()

    def ask(self, question: bytes, limit: float) -> bytes:
        """Write a line and read one, both within the limit.

        Raises:
            DetectorFailure: the program ended, hangs, or its line does not.
        """
        deadline = monotonic() + limit
        to_write = memoryview(question)
        with selectors.DefaultSelector() as ready:
            ready.register(self._from, selectors.EVENT_READ)
            ready.register(self._to, selectors.EVENT_WRITE)
            pieces: list[bytes] = []
            size = 0
            while True:
                left = deadline - monotonic()
                if left <= 0:
                    raise DetectorFailure("timeout", f"no answer within {limit:g} s")
                for key, _ in ready.select(left):
                    if key.fd == self._to:
                        to_write = self._write(to_write)
                        if not to_write:
                            ready.unregister(self._to)
                        continue
                    block = self._read(bool(size))
                    size += len(block)
                    pieces.append(block)
                    if b"\n" in block:
                        return _only_line(b"".join(pieces))
                    if size > LONGEST_LINE:
                        raise DetectorFailure(
                            "line too long", f"an answer of more than {LONGEST_LINE:,} bytes"
                        )

    def _write(self, data: memoryview) -> memoryview:
        try:
            return data[os.write(self._to, data[:_BLOCK]) :]
        except BlockingIOError:
            return data
        except BrokenPipeError as error:
            raise self._ended(partial=False) from error

    def _read(self, began: bool) -> bytes:
        try:
            block = os.read(self._from, _BLOCK)
        except BlockingIOError:
            return b""
        if not block:
            raise self._ended(partial=began)
        return block

    def _ended(self, *, partial: bool) -> DetectorFailure:
        if partial:
            return DetectorFailure("partial line", "the program ended in the middle of an answer")
        try:
            code = self._child.wait(5)
        except subprocess.TimeoutExpired:
            return DetectorFailure("crash", "the program closed its output")
        if code < 0:
            return DetectorFailure("crash", f"the program was ended by {_signal(-code)}")
        return DetectorFailure("crash", f"the program ended with exit code {code}")

    def end(self) -> None:
        """Close the pipes, and end the process and its children if that is not enough."""
        child: Any = self._child
        self._leash.release()
        child.stdin.close()
        child.stdout.close()
        with suppress(subprocess.TimeoutExpired):
            child.wait(1)
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _only_line(received: bytes) -> bytes:
    line, _, rest = received.partition(b"\n")
    if rest:
        raise DetectorFailure("wrong order", "the program wrote a line it was not asked for")
    return line


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def make(choice: Choice, argument: str) -> Detector:
    """The program that the words name.

    Raises:
        InputError: no words, or no such program.
    """
    try:
        words = shlex.split(argument)
    except ValueError as error:
        raise InputError(f"command:{argument}: {error}") from error
    if not words:
        raise InputError("command: needs the program's words: command:'python detector.py'")
    return Command(words, choice.timeout, choice.startup)
