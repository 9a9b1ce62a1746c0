"""Bad input: one line that says where and what, exit 2, nothing half-written."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tracegen.errors import OutputError
from tracegen.outputs import write_atomically, writing


def tracegen(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tracegen", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["generate", "pii-trac", "--out", "x"], "did you mean 'pii-trace'"),
        (["generate", "demo", "--out", "x", "--languages", "de,xx"], "unknown language 'xx'"),
        (["generate", "demo", "--out", "x", "--count", "0"], "--count"),
        (["generate", "demo", "--out", "x", "--count", "-3"], "--count"),
        (["generate", "demo", "--out", "x", "--formats", "csv"], "known: jsonl, parquet"),
        (["generate", "demo", "--out", "x", "--safety", "wild"], "'default' or 'strict'"),
        (["generate", "demo"], "--out"),
        (["generate", "demo", "--out", "/proc/none/x"], "/proc/none"),
        (["generate", "demo", "--out", "/dev/null/x"], "/dev/null"),
        (["check", "nothing"], "nothing: does not exist: no such corpus"),
        (["check", "."], "not a corpus"),
        (["stats", "nothing.parquet"], "no such corpus"),
        (["show", "nothing"], "no such corpus"),
        (["lint", "nothing"], "nothing: no such template"),
        (["sample", "nothing.yaml"], "nothing.yaml: cannot be read"),
        (["nonsense"], "nonsense"),
        (["generate", "demo", "--out", "x", "--vault", "nothing"], "nothing"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_one_line_and_exit_2(words: list[str], expected: str, tmp_path: Path) -> None:
    done = tracegen(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stderr.startswith("error: ")
    assert expected in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: [a", "spec.yaml:"),
        ("name: a\nname: b\n", "spec.yaml:2: broken YAML: key 'name' is given twice"),
        ("name: a\ncount: many\n", "spec.yaml:count:"),
        ("- a\n", "spec.yaml:"),
    ],
)
def test_a_broken_spec_names_file_and_place(text: str, expected: str, tmp_path: Path) -> None:
    write(tmp_path / "spec.yaml", text)
    done = tracegen("generate", "spec.yaml", "--out", "x", cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_an_existing_output_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "x" / "mine.txt", "mine")
    done = tracegen("generate", "demo", "--out", "x", "--count", "2", cwd=tmp_path)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (tmp_path / "x" / "mine.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


SMALL = ["--count", "2", "--languages", "en", "--workers", "1"]


def test_force_replaces_a_corpus(tmp_path: Path) -> None:
    assert tracegen("generate", "demo", "--out", "x", *SMALL, cwd=tmp_path).returncode == 0
    before = (tmp_path / "x" / "manifest.json").read_text()
    words = ["generate", "demo", "--out", "x", *SMALL, "--seed", "5", "--force"]
    assert tracegen(*words, cwd=tmp_path).returncode == 0
    assert (tmp_path / "x" / "manifest.json").read_text() != before
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_force_never_replaces_what_is_no_corpus(tmp_path: Path) -> None:
    write(tmp_path / "home" / "thesis.txt", "mine")
    write(tmp_path / "file", "mine")
    (tmp_path / "link").symlink_to("home")
    write(tmp_path / "y.partial" / "keep.txt", "mine")
    for out in ("home", "file", "link", "y", ".", "/", "", ".."):
        done = tracegen("generate", "demo", "--out", out, *SMALL, "--force", cwd=tmp_path)
        assert done.returncode == 2, out
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert (tmp_path / "home" / "thesis.txt").read_text() == "mine"
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "y.partial" / "keep.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 4


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_atomically(pipe, b"text")
    assert reader.communicate(timeout=10)[0] == b"text"
    assert pipe.is_fifo()


def test_a_full_disk_says_so() -> None:
    full = Path("/dev/full")
    with pytest.raises(OutputError, match="disk is full"), writing(full):
        full.write_bytes(b"x")


def test_a_failed_atomic_write_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    target.mkdir()
    (target / "inside").touch()
    with pytest.raises(OutputError):
        write_atomically(target, b"text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder"]


def test_a_write_that_fails_in_the_middle_leaves_no_corpus(tmp_path: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    command = [sys.executable, "-m", "tracegen", "generate", "demo", "--out", "x", "--count", "12",
               "--languages", "en", "--workers", "1"]  # fmt: skip
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, preexec_fn=limit,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_stops_with_one_line_and_keeps_what_was_made(tmp_path: Path) -> None:
    # A shell's background job ignores the interrupt, and so would its children.
    command = [sys.executable, "-m", "tracegen", "generate", "demo", "--out", "x", "--count", "650",
               "--languages", "en", "--workers", "2"]  # fmt: skip
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    work = tmp_path / "x.partial" / "_work"
    while process.poll() is None and not list(work.glob("shard-*.json")):
        pass
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert error.strip().splitlines()[-1].startswith("error: stopped")
    assert len(error.strip().splitlines()) == 1, error
    assert list(work.glob("shard-*.json"))
