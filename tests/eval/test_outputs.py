"""What the scorer's commands write: nothing of value is lost, and no pipe changes a verdict."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tracegen.cli import run
from tracegen.errors import OutputError
from tracegen.outputs import check_apart, check_outputs, write_atomically


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tracegen", *words]


WORDS: dict[str, list[str]] = {
    "score": ["score", "{gold}", "{good}", "--resamples", "0"],
    "plan": ["plan", "{gold}"],
    "compare": ["compare", "{gold}", "{good}", "{good}", "--rounds", "1", "--resamples", "0"],
    "agree": ["agree", "{gold}", "{good}"],
    "errors": ["errors", "{gold}", "{bad}"],
}


@pytest.mark.parametrize("name", ["score", "plan", "compare", "errors"])
def test_a_pipe_that_closes_changes_no_verdict(name: str, files: Any) -> None:
    """The reader is gone before the first word, as with `| head -0`."""
    words = [word.format(**files) for word in WORDS[name]]
    expected = run(words)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command(*words), stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == expected, done.stderr
    assert done.stderr == b""


def test_a_failed_gate_exits_1_into_a_closed_pipe(files: Any) -> None:
    words = [word.format(**files) for word in [*WORDS["score"], "--max-fp0", "0"]]
    assert run(words) == 0
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command(*words, "--min-cd-multi", "1"), stdout=write, check=False)
    os.close(write)
    assert done.returncode == 1


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", ">&- <&-"])
def test_a_closed_stdout_is_no_error(closed: str, files: Any) -> None:
    line = f'exec "$0" -m tracegen plan --half-width 0.1 {closed}'
    done = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_says_that_it_stopped(files: Any) -> None:
    """The corpus is a pipe that nobody writes: the command waits until it is interrupted."""
    waiting = Path(files["folder"]) / "waiting.yaml"
    os.mkfifo(waiting)
    words = [word.format(**files) for word in WORDS["score"]]
    process = subprocess.Popen(
        command(*words, "--gates", str(waiting)), stderr=subprocess.PIPE, text=True,
        stdout=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    writer = os.open(waiting, os.O_WRONLY)  # returns when the command has begun to read
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    os.close(writer)
    assert (process.returncode, out, error) == (130, "", "error: stopped\n")


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_standard_output_by_its_name_is_no_file_to_replace(force: list[str], files: Any) -> None:
    shown = Path(files["folder"]) / "shown"
    words = [word.format(**files) for word in WORDS["score"]]
    with shown.open("wb") as file:
        file.write(b"before\n")
        file.flush()
        done = subprocess.run(
            command(*words, "--json", "/dev/stdout", *force), stdout=file, check=False
        )
    assert done.returncode == 0
    text = shown.read_text("utf-8")
    assert text.startswith('before\n{\n "schema": 1,')
    assert "exact, recall" in text.rpartition("\n}\n")[2]
    assert Path("/dev/stdout").is_symlink()


def test_a_named_pipe_whose_reader_goes_changes_no_verdict(files: Any) -> None:
    words = [word.format(**files) for word in WORDS["score"]]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        command(*words, "--json", "/dev/stdout"), stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("name", ["score", "plan", "compare"])
def test_a_pipe_is_written_to_and_stays(name: str, files: Any) -> None:
    pipe = Path(files["folder"]) / "pipe"
    os.mkfifo(pipe)
    words = [word.format(**files) for word in WORDS[name]]
    for force in ([], ["--force"]):
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
            assert run([*words, "--json", str(pipe), *force]) in (0, 1)
            assert json.loads(reader.communicate(timeout=10)[0])
        assert pipe.is_fifo()


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    (tmp_path / "ahead").symlink_to("later")
    write_atomically(tmp_path / "ahead", b"made")
    assert (tmp_path / "later").read_text() == "made"


def test_a_file_without_a_path_is_written_through_its_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "gone"
    with path.open("w+b") as file:
        path.unlink()
        file.write(b"before, ")
        file.flush()
        write_atomically(Path(f"/dev/fd/{file.fileno()}"), b"text")
        file.seek(0)
        assert file.read() == b"before, text"
    assert list(tmp_path.iterdir()) == []


OVER = {
    "the predictions": ["score", "{gold}", "{good}", "--json", "{good}"],
    "the gold": ["score", "{gold}", "{good}", "--html", "{folder}/./gold.jsonl"],
    "a link to the gold": ["score", "{gold}", "{good}", "--html", "{folder}/link"],
    "the baseline": ["score", "{gold}", "{good}", "--baseline", "{x}", "--json", "{x}"],
    "the gates": ["score", "{gold}", "{good}", "--gates", "{x}", "--markdown", "{x}"],
    "the map": ["score", "{gold}", "{good}", "--labels", "{x}.yaml", "--markdown", "{x}.yaml"],
    "the run record": ["score", "{gold}", "{good}", "--json", "{good}.run.json"],
    "a rival": ["compare", "{gold}", "{good}", "{good}", "--json", "{good}"],
    "an annotation": ["agree", "{gold}", "{good}", "--disagreements", "{good}"],
    "a plan's corpus": ["plan", "{gold}", "--json", "{gold}"],
    "a page's corpus": ["errors", "{gold}", "{good}", "--html", "{gold}"],
    "a file of a corpus": ["plan", "{folder}", "--json", "{gold}"],
}


@pytest.mark.parametrize("name", OVER)
def test_no_input_is_overwritten(name: str, files: Any, capsys: Any) -> None:
    folder = Path(files["folder"])
    (folder / "link").symlink_to("gold.jsonl")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    words = [word.format(x=folder / "x", **files) for word in OVER[name]]
    assert run([*words, "--force"]) == 2
    captured = capsys.readouterr()
    assert "is an input of this command; choose another name" in captured.err
    assert captured.err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("words", [["check", "{gold}"], ["stats", "{gold}"]])
def test_a_report_about_a_corpus_never_replaces_it(words: list[str], files: Any) -> None:
    before = Path(files["gold"]).read_bytes()
    assert run([word.format(**files) for word in [*words, "--json", "{gold}"]]) == 2
    assert Path(files["gold"]).read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        ["score", "{gold}", "{good}", "--json", "{x}", "--html", "{folder}/../{name}/x"],
        ["compare", "{gold}", "{good}", "{good}", "--json", "{x}", "--markdown", "{x}"],
        ["agree", "{gold}", "{good}", "--json", "{x}", "--disagreements", "{x}"],
    ],
)
def test_two_outputs_need_two_files(words: list[str], files: Any, capsys: Any) -> None:
    folder = Path(files["folder"])
    filled = [word.format(x=folder / "x", name=folder.name, **files) for word in words]
    assert run([*filled, "--force"]) == 2
    assert "is named for two outputs; give each its own file" in capsys.readouterr().err
    assert not (folder / "x").exists()


def test_devices_may_be_named_twice_and_what_is_no_file_is_refused(tmp_path: Path) -> None:
    nowhere = Path(os.devnull)
    check_outputs([nowhere, nowhere, None], [nowhere, None], force=False)
    check_apart([tmp_path / "new"], [tmp_path])
    with pytest.raises(OutputError, match="is not a file in an existing folder"):
        check_outputs([tmp_path], [], force=True)
    with pytest.raises(OutputError, match="is not a file; choose another name"):
        write_atomically(tmp_path, b"")


def test_a_file_name_that_is_not_utf_8_is_shown_and_stored(files: Any, capsys: Any) -> None:
    folder = Path(files["folder"])
    odd = os.fsencode(folder) + b"/p\xff.jsonl"
    path = os.fsdecode(odd)
    Path(path).write_bytes(Path(files["good"]).read_bytes())
    page, report = folder / "e.html", folder / "c.json"
    assert run(["errors", files["gold"], path, "--html", str(page)]) == 0
    assert "Errors of p\\xff.jsonl" in page.read_text("utf-8")
    words = ["compare", files["gold"], path, files["good"], "--rounds", "1", "--resamples", "0"]
    outputs = ["--json", str(report), "--markdown", str(folder / "c.md")]
    assert run([*words, *outputs]) == 0
    assert json.loads(report.read_text("utf-8"))["systems"][0]["name"] == "p\\xff"
    assert "p\\xff" in capsys.readouterr().out
    shown = subprocess.run(command(*words), capture_output=True, check=False)
    assert (shown.returncode, shown.stderr) == (0, b"")
