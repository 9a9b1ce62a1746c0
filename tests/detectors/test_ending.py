"""Nothing that a run started outlives it, however it ends."""

import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.detectors.conftest import conversation, write

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="looks into /proc")

PROGRAM = """
import json, os, subprocess, sys, time
open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
if sys.argv[2] == "deaf":
    child = subprocess.Popen(["sleep", "600"])
    open(os.path.join(sys.argv[1], str(child.pid)), "w").close()
    time.sleep(600)
for line in sys.stdin:
    time.sleep(0.2)
    answer = json.dumps({"id": json.loads(line)["id"], "spans": []})
    try:
        print(answer, flush=True)
    except BrokenPipeError:
        os._exit(0)
"""
"""Notes its process; a deaf one, and a child of it, do not see that their input has ended."""


def gone(pid: int) -> bool:
    """Whether a process has ended; one that waits for its parent to ask has."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
    return fields.rpartition(")")[2].split()[0] == "Z"


def until(true: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("kind", ["hearing", "deaf"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_programs_and_workers_end_with_the_run(
    tmp_path: Path, kind: str, workers: int, how: signal.Signals
) -> None:
    many = [conversation(f"c-{number}", ("text", "")) for number in range(200)]
    corpus = write(tmp_path / "many.jsonl", many)
    program, seen = tmp_path / "program.py", tmp_path / "seen"
    program.write_text(PROGRAM, encoding="utf-8")
    seen.mkdir()
    detector = "command:" + shlex.join([sys.executable, str(program), str(seen), kind])
    words = [sys.executable, "-m", "tracegen", "detect", str(corpus), "--detector", detector,
             "-o", str(tmp_path / "preds.jsonl"), "--workers", str(workers)]  # fmt: skip
    run = subprocess.Popen(
        words, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in background
    )  # fmt: skip
    wanted = workers * (2 if kind == "deaf" else 1)
    assert until(lambda: len(list(seen.iterdir())) >= wanted)
    pids = [int(path.name) for path in seen.iterdir()]
    assert not any(gone(pid) for pid in pids)
    run.send_signal(how)
    _, said = run.communicate(timeout=30)  # ends only when no worker holds stderr open any more
    assert until(lambda: all(gone(pid) for pid in pids), 5)
    assert b"Traceback" not in said
    if how == signal.SIGINT:
        assert run.returncode == 130


def test_a_program_that_never_heeds_its_end_does_not_outlive_a_finished_run(tmp_path: Path) -> None:
    corpus = write(tmp_path / "c.jsonl", [conversation(f"c-{n}", ("text", "")) for n in range(4)])
    program, seen = tmp_path / "program.py", tmp_path / "seen"
    seen.mkdir()
    program.write_text(PROGRAM + "time.sleep(600)\n", encoding="utf-8")
    detector = "command:" + shlex.join([sys.executable, str(program), str(seen), "hearing"])
    words = [sys.executable, "-m", "tracegen", "detect", str(corpus), "--detector", detector,
             "-o", str(tmp_path / "preds.jsonl"), "--workers", "2"]  # fmt: skip
    assert subprocess.run(words, timeout=60, check=False).returncode == 0
    pids = [int(path.name) for path in seen.iterdir()]
    assert until(lambda: all(gone(pid) for pid in pids), 5)
