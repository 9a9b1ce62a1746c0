"""A service as a detector: POST of `{"passages": [{"id", "text", "language"}, ...]}`.

It answers `{"results": [{"id", "spans": [{"start", "end", "label", "score"}]}, ...]}`, one result
a passage, in their order. Only this machine is asked unless remote services are allowed.
"""

import http.client
import ipaddress
import re
import ssl
import string
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

import msgspec

from tracegen.detectors.answers import Answer, accepted, decoded
from tracegen.detectors.deadline import Deadline
from tracegen.detectors.protocol import Detector, DetectorFailure, Found, Passage
from tracegen.detectors.registry import Choice
from tracegen.errors import InputError

BATCH = 16
TRIES = 3
_PAUSE = 0.2
_LARGEST = 64 * 1024 * 1024


class _Answers(msgspec.Struct):
    results: list[Answer]


_DECODER = msgspec.json.Decoder(_Answers)


class Service:
    """A detector behind a URL."""

    name = "http"
    version = "1"

    def __init__(self, url: str, timeout: float) -> None:
        """Take the URL apart; nothing is sent yet."""
        parts = urlsplit(url)
        self._host, self._secure = parts.hostname or "", parts.scheme == "https"
        self._port = parts.port
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._path = quote(path, safe=string.punctuation)  # what is escaped already stays so
        self._timeout = timeout
        self._connection: Any = None
        self._counts: Counter[str] = Counter()
        self.settings = {"url": url, "timeout": timeout, "batch": BATCH, "tries": TRIES}

    @property
    def notes(self) -> dict[str, int]:
        """Requests that had to be sent again."""
        return {"retries": self._counts["retries"]}

    def detect(self, passages: Sequence[Passage]) -> Sequence[Sequence[Found]]:
        """Ask in batches.

        Raises:
            DetectorFailure: no answer after all tries, or none that can be used.
        """
        found: list[list[Found]] = []
        for start in range(0, len(passages), BATCH):
            found += self._batch(passages[start : start + BATCH])
        return found

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _batch(self, passages: Sequence[Passage]) -> list[list[Found]]:
        question = [
            {"id": passage.id, "text": passage.text, "language": passage.language}
            for passage in passages
        ]
        content = self._post(msgspec.json.encode({"passages": question}))
        results = decoded(_DECODER, content, "{results: [...]}").results
        if len(results) != len(passages):
            raise DetectorFailure(
                "bad answer", f"{len(results)} results for {len(passages)} passages"
            )
        ids = {passage.id for passage in passages}
        return [
            accepted(result, passage, ids)
            for result, passage in zip(results, passages, strict=True)
        ]

    def _post(self, body: bytes) -> bytes:
        failure = DetectorFailure("crash", "never sent")
        for attempt in range(TRIES):
            if attempt:
                self._counts["retries"] += 1
                time.sleep(_PAUSE * 2**attempt)
            try:
                status, content = self._send(body)
            except TimeoutError as error:  # what took all its time would take it again
                self.close()
                raise DetectorFailure("timeout", f"no answer within {self._timeout:g} s") from error
            except (OSError, http.client.HTTPException) as error:
                failure = DetectorFailure("crash", f"no connection ({type(error).__name__})")
            else:
                if status == 200:
                    return content
                failure = DetectorFailure("bad status", f"HTTP {status}")
                if status < 500 and status != 429:
                    raise failure
            self.close()
        raise failure

    def _send(self, body: bytes) -> tuple[int, bytes]:
        deadline = Deadline(self._timeout)
        if self._connection is None:
            self._connection = self._connect()
        elif self._connection.sock is not None:
            self._connection.sock.settimeout(self._timeout)  # the last answer left less
        self._connection.response_class = deadline.response
        self._connection.request(
            "POST", self._path, body, {"Content-Type": "application/json; charset=utf-8"}
        )
        response = self._connection.getresponse()
        content = response.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            self.close()
            raise DetectorFailure("line too long", f"an answer of more than {_LARGEST:,} bytes")
        return response.status, content

    def _connect(self) -> Any:
        if self._secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=context
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)


def make(choice: Choice, argument: str) -> Detector:
    """The service behind a URL.

    Raises:
        InputError: no URL, one with a password, or one on another machine without leave.
    """
    url = choice.name if argument.startswith("//") else argument
    if "@" in re.split("[/?#]", url.partition("//")[2])[0]:
        raise InputError(
            "http: the URL holds a user or password, which the run record would tell to everybody; "
            "leave it out, and ask a service that wants one from a program of yours (command:)"
        )
    try:
        host = _host(urlsplit(url))
    except ValueError as error:
        problem = f"{choice.name!r}: not a URL; write http://127.0.0.1:8000/detect"
        raise InputError(problem) from error
    if not choice.remote and not _is_loopback(host):
        raise InputError(
            f"{host} is another machine, and conversations would be sent there; "
            "--allow-remote permits it"
        )
    return Service(url, choice.timeout)


def _host(parts: SplitResult) -> str:
    """The host of a URL that can be asked.

    Raises:
        ValueError: there is none, or host or port are no such thing.
    """
    _ = parts.port  # is read, and refused, when it is asked for
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("no http: URL with a host")
    if any(character <= " " or character == "\x7f" for character in host):
        raise ValueError("no name of a host")
    host.encode("idna")
    return host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
