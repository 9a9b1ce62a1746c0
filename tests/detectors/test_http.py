import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.detectors.test_command import lines, record
from tracegen.detectors import Choice, Run, detect, make_detector
from tracegen.detectors.http import BATCH
from tracegen.errors import InputError


class Service(ThreadingHTTPServer):
    """Finds Mira Holt; misbehaves as told when a text holds TRIGGER."""

    fail = ""
    sizes: list[int]
    paths: set[str]
    refused = 0


class Handler(BaseHTTPRequestHandler):
    server: Service
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        passages = json.loads(body)["passages"]
        self.server.sizes.append(len(passages))
        status, results = 200, [self.answer(one) for one in passages]
        if self.server.refused:
            self.server.refused -= 1
            status = 503
        if any("TRIGGER" in one["text"] for one in passages):
            if self.server.fail == "order":
                results.reverse()
            elif self.server.fail == "fewer":
                results.pop()
            elif self.server.fail == "status":
                status = 400
            elif self.server.fail == "hang":
                threading.Event().wait(3)
            elif self.server.fail in ("drip", "drip-head"):
                return self.drip(head=self.server.fail == "drip-head")
        content = b"<html>" if self.server.fail == "html" else json.dumps(
            {"results": results}).encode()  # fmt: skip
        self.server.paths.add(self.path)
        self.send_response(status)
        if self.server.fail == "close":
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def drip(self, *, head: bool) -> None:
        """A byte now and then, for longer than anyone should wait."""
        self.close_connection = True
        with suppress(OSError):
            if not head:
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
            for _ in range(100):
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: b"[:1] if head else b" ")
                time.sleep(0.1)

    def answer(self, passage: dict[str, str]) -> dict[str, Any]:
        at = passage["text"].find("Mira Holt")
        spans = [{"start": at, "end": at + 9, "label": "private_person"}] if at >= 0 else []
        return {"id": passage["id"], "spans": spans}

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    server = Service(("127.0.0.1", 0), Handler)
    server.sizes, server.paths = [], set()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def url(server: Service) -> str:
    return f"http://127.0.0.1:{server.server_port}/detect"


def test_a_service_answers_batches_over_one_url(
    corpus: Path, tmp_path: Path, service: Service
) -> None:
    out = tmp_path / "preds.jsonl"
    for name in (url(service), f"http:{url(service)}"):
        outcome = detect(Run(corpus, Choice(name), out, force=True))
        assert (outcome.spans, outcome.failures) == (6, ())
    assert lines(out)[0]["spans"][1]["source"] == "assistant"
    assert max(service.sizes) == 4 <= BATCH


def test_a_service_that_is_busy_for_a_moment_is_asked_again(
    corpus: Path, tmp_path: Path, service: Service
) -> None:
    service.refused = 2
    out = tmp_path / "preds.jsonl"
    assert detect(Run(corpus, Choice(url(service)), out)).failures == ()
    assert record(out)["notes"]["retries"] == 2


@pytest.mark.parametrize(
    ("how", "kind"),
    [("order", "wrong order"), ("fewer", "bad answer"), ("status", "bad status"),
     ("hang", "timeout"), ("drip", "timeout"), ("drip-head", "timeout")],
)  # fmt: skip
def test_a_bad_answer_of_a_service_is_a_failure(
    corpus: Path, tmp_path: Path, service: Service, how: str, kind: str
) -> None:
    service.fail = how
    choice = Choice(url(service), timeout=0.5 if kind == "timeout" else 10)
    (failure,) = detect(Run(corpus, choice, tmp_path / "preds.jsonl")).failures
    assert (failure.id, failure.kind) == ("c-4", kind)
    assert record(tmp_path / "preds.jsonl")["notes"]["retries"] == 0


def test_counts_hold_after_failures_of_a_service(
    corpus: Path, tmp_path: Path, service: Service
) -> None:
    out, choice = tmp_path / "preds.jsonl", Choice(url(service))
    service.fail, service.refused = "fewer", 1
    detect(Run(corpus, choice, out))
    found = record(out)
    assert (found["conversations"], found["answered"], found["failures"]["total"]) == (5, 4, 1)
    assert (found["cost"]["conversations"], found["cost"]["calls"]) == (4, 8)
    assert (found["spans"], found["notes"]) == (5, {"retries": 1})
    service.fail, service.refused, service.sizes = "", 2, []
    detect(Run(corpus, choice, out, resume=True))
    found = record(out)
    assert service.sizes == [2, 2, 2]  # c-4 alone, refused twice
    assert (found["answered"], found["cost"]["conversations"], found["cost"]["calls"]) == (5, 5, 10)
    assert (found["spans"], found["notes"]) == (6, {"retries": 3})


def test_an_answer_that_is_no_json_is_a_failure(
    corpus: Path, tmp_path: Path, service: Service
) -> None:
    service.fail = "html"
    outcome = detect(Run(corpus, Choice(url(service)), tmp_path / "preds.jsonl"))
    assert {failure.kind for failure in outcome.failures} == {"bad JSON"}


def test_no_service_there_is_a_failure_not_an_empty_answer(corpus: Path, tmp_path: Path) -> None:
    choice = Choice("http://127.0.0.1:9/")
    outcome = detect(Run(corpus, choice, tmp_path / "preds.jsonl"))
    assert {failure.kind for failure in outcome.failures} == {"crash"}
    assert lines(tmp_path / "preds.jsonl") == []


def test_another_machine_is_asked_only_with_leave() -> None:
    for name in ("http://192.0.2.1/x", "https://detector.example/x"):
        with pytest.raises(InputError, match="--allow-remote"):
            make_detector(Choice(name))
        make_detector(Choice(name, remote=True))  # nothing is sent before it is used
    for name in ("http://localhost:1/", "http://[::1]:1/", "http://127.8.8.8/"):
        make_detector(Choice(name))
    with pytest.raises(InputError, match="not a URL"):
        make_detector(Choice("http:localhost"))


def test_any_path_can_be_asked(corpus: Path, tmp_path: Path, service: Service) -> None:
    name = f"http://127.0.0.1:{service.server_port}/ö k%20ä?a=ü b"
    assert detect(Run(corpus, Choice(name), tmp_path / "preds.jsonl")).failures == ()
    assert service.paths == {"/%C3%B6%20k%20%C3%A4?a=%C3%BC%20b"}


def test_an_answer_without_a_length_is_read_to_its_end(
    corpus: Path, tmp_path: Path, service: Service
) -> None:
    service.fail = "close"
    outcome = detect(Run(corpus, Choice(url(service)), tmp_path / "preds.jsonl"))
    assert (outcome.spans, outcome.failures) == (6, ())
