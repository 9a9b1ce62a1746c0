"""Read the answer to a request within one span of time, however slowly its bytes come.

A socket's own timeout begins anew with every byte that arrives.
"""

import io
from http.client import HTTPResponse
from socket import socket
from time import monotonic
from typing import Any


class Deadline:
    """A point in time."""

    def __init__(self, seconds: float) -> None:
        """So many seconds from now."""
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds until then.

        Raises:
            TimeoutError: there are none.
        """
        seconds = self._end - monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds

    def response(self, connected: socket, **options: Any) -> HTTPResponse:
        """What `http.client` makes of a socket to read from it, within the time that is left."""
        return HTTPResponse(_Limited(connected, self), **options)  # type: ignore[arg-type]


class _Limited:
    """The one thing that a response asks of a socket."""

    def __init__(self, connected: socket, deadline: Deadline) -> None:
        self._connected = connected
        self._deadline = deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        raw = self._connected.makefile(mode, buffering=0)  # type: ignore[call-overload]
        return io.BufferedReader(_Reader(self._connected, raw, self._deadline))


class _Reader(io.RawIOBase):
    def __init__(self, connected: socket, raw: Any, deadline: Deadline) -> None:
        self._connected, self._raw, self._deadline = connected, raw, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._connected.settimeout(self._deadline.left())
        read: int | None = self._raw.readinto(buffer)
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()
