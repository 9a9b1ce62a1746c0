"""What a stress run refuses before any work, and how it tells given corpora apart."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.stress.conftest import ladder_spec, made
from tracegen.cli import run as command_line
from tracegen.stress.given import names

Said = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder with one language and three rungs, below a folder of its own."""
    return made(rungs(1), tmp_path_factory.mktemp("one") / "L")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same ladder with another seed, in a folder called alike."""
    return made(rungs(2), tmp_path_factory.mktemp("two") / "L")


def rungs(seed: int) -> Any:
    facts = {"items": 2, "lengths": (2000,), "depths": (0, 100), "spread": False}
    return ladder_spec(("en",), ladder=facts, seed=seed)


def refused(words: list[object], said: Said) -> str:
    """The one line that a run refuses with."""
    assert command_line(["stress", *map(str, words)]) == 2
    line = said.readouterr().err
    assert line.count("\n") == 1
    return line


def report(*corpora: Path, out: Path) -> Any:
    words = ["stress", "regex", "-o", str(out), "--policies", "whole"]
    for corpus in corpora:
        words += ["--corpus", str(corpus)]
    assert command_line(words) == 0
    return json.loads((out / "report.json").read_text())


def test_two_ladders_count_as_each_does_alone(small: Path, other: Path, tmp_path: Path) -> None:
    """Their pairs are called alike, and so are their folders."""
    alone = [
        report(corpus, out=tmp_path / f"{number}")["policies"]["whole"]
        for number, corpus in enumerate((small, other))
    ]
    found = report(small, other, out=tmp_path / "both")
    both = found["policies"]["whole"]
    for name in ("both", "lost", "gained", "neither", "stories"):
        assert both["twins"][name] == sum(own["twins"][name] for own in alone), name
    shown = [f"{corpus.parent.name}/L" for corpus in (small, other)]
    assert list(both["cost"]) == list(both["score"]) == found["settings"]["corpora"] == shown


def test_corpora_are_called_by_what_tells_them_apart() -> None:
    paths = [Path("a/x/L"), Path("b/x/L"), Path("K"), Path("c/K.jsonl")]
    assert names(paths) == ["a/x/L", "b/x/L", "K", "K.jsonl"]
    assert names([Path()]) == [Path.cwd().name]


def test_a_corpus_is_counted_once(small: Path, tmp_path: Path, capfd: Said) -> None:
    out = tmp_path / "out"
    words = ["null", "-o", out, "--corpus", small, "--corpus"]
    assert "is given twice" in refused([*words, f"{small}/../L"], capfd)
    assert "is given twice" in refused([*words, small], capfd)
    copy = tmp_path / "copy.jsonl"
    shutil.copy(small / "conversations.jsonl", copy)
    assert "holds the same conversation" in refused([*words, copy], capfd)
    assert not out.exists()


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda row: row.update(level=None), "level None is none of axis depth"),
        (lambda row: row.update(axis=None), "is of no stress slice"),
        (lambda row: row.update(axis="width"), "is of no stress slice"),
        (lambda row: row.update(level="²@5"), "level '²@5' is none of axis depth"),
        (lambda row: row.update(level="0@5"), "level '0@5' is none of axis depth"),
        (lambda row: row.update(level="1000@101"), "is none of axis depth"),
        (lambda row: row.update(level="9" * 5000 + "@5"), "is none of axis depth"),
        (lambda row: row.update(axis="spread", level="twin"), "is none of axis spread"),
        (lambda row: row.update(axis="edge", level="512/before"), "is none of axis edge"),
        (lambda row: row.update(axis="edge", level="512 words/on"), "is none of axis edge"),
        (lambda row: row.update(axis="edge", level="512 words/before"), "names no label"),
        (lambda row: row.update(pair_id=None), "has no pair_id"),
        (lambda row: row.update(level="twin"), "is a second twin"),
        (lambda row: row["spans"].pop(), "mentions, others of its pair"),
        (lambda row: row["spans"][0].update(turn=99), "lies outside the message (0 characters)"),
        (lambda row: row["spans"][0].update(end=9999), "lies outside the message"),
        (lambda row: row["spans"][0].update(start=-1), "lies outside the message"),
    ],
)
def test_a_row_that_would_be_left_out_is_refused(
    change: Change, problem: str, small: Path, tmp_path: Path, capfd: Said
) -> None:
    rows = (small / "conversations.jsonl").read_text().split("\n")[:-1]
    row = json.loads(rows[2])
    change(row)
    rows[2] = json.dumps(row)
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(f"{row}\n" for row in rows))
    line = refused(["null", "-o", tmp_path / "out", "--corpus", corpus], capfd)
    assert problem in line
    assert f"{corpus}:conversation 3 ('{row['id']}'): " in line


def test_options_of_the_ladder_are_refused_with_given_corpora(
    small: Path, tmp_path: Path, capfd: Said
) -> None:
    words = ["null", "-o", tmp_path / "out", "--corpus", small, "--lengths", "0", "--depths", "101",
             "--tokenizer", "nope", "--items", "9", "--languages", "en"]  # fmt: skip
    line = refused(words, capfd)
    assert "--languages, --lengths, --depths, --items, --tokenizer: shape" in line


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--resume", "--force"], "say one of them"),
        (["--lengths", "100000000000"], "--lengths: 100000000000 is not 1 to 1,000,000"),
        (["--lengths", "9" * 5000], "is not 1 to 1,000,000"),
        (["--lengths", "0"], "--lengths: 0 is not 1 to 1,000,000"),
        (["--depths", "101"], "--depths: 101 is not 0 to 100 percent"),
        (["--policies", "whole", "--window", "9"], "--window: say how to cut"),
        (["--tokenizer", "nope.json"], "no such tokenizer.json"),
    ],
)
def test_numbers_and_options_that_cannot_be_are_refused(
    words: list[str], problem: str, tmp_path: Path, capfd: Said
) -> None:
    assert problem in refused(["null", "-o", tmp_path / "out", *words], capfd)
    assert not (tmp_path / "out").exists()


def test_reports_are_never_written_over(small: Path, tmp_path: Path, capfd: Said) -> None:
    known, out = tmp_path / "known", tmp_path / "out"
    known.write_text("mine")
    words: list[object] = ["null", "-o", out, "--corpus", small, "--policies", "whole"]
    rows = tmp_path / "rows.jsonl"
    shutil.copy(small / "conversations.jsonl", rows)
    for option in ("--json", "--html"):
        assert "known: exists" in refused([*words, option, known], capfd)
        assert "known: exists" in refused([*words, "--resume", option, known], capfd)
        assert "existing folder" in refused([*words, option, tmp_path / "none" / "x"], capfd)
        again = ["null", "-o", out, "--corpus", rows, "--force", option, rows]
        assert "is an input" in refused(again, capfd)
    both = [*words, "--json", tmp_path / "x", "--html", tmp_path / "x"]
    assert "is named for two outputs" in refused(both, capfd)
    assert known.read_text() == "mine"
    assert not out.exists()
    assert command_line(["stress", *map(str, words), "--force", "--json", str(known)]) == 0
    assert json.loads(known.read_text())["schema"] == 1


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, capfd: Said) -> None:
    (tmp_path / "out").touch()
    assert "out: is a file" in refused(["null", "-o", tmp_path / "out"], capfd)


def test_a_broken_manifest_is_one_line(tmp_path: Path, capfd: Said) -> None:
    out = tmp_path / "out"
    folder = out / "window-ladder"
    folder.mkdir(parents=True)
    for content in (b"", b"{", b"[]", b"\xff"):
        (folder / "manifest.json").write_bytes(content)
        line = refused(["null", "-o", out, "--resume"], capfd)
        assert "window-ladder/manifest.json: is no manifest" in line
        assert "remove its folder" in line


def test_an_interrupt_says_that_the_run_can_go_on(
    small: Path, tmp_path: Path, capfd: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(run: Any, advance: object) -> object:
        run.out.write_text("")
        raise KeyboardInterrupt

    monkeypatch.setattr("tracegen.stress.run.detect", stopped)
    words = ["stress", "null", "-o", str(tmp_path / "out"), "--corpus", str(small)]
    assert command_line(words) == 130
    assert "stopped; what is finished is kept, --resume continues" in capfd.readouterr().err


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take UTF-8 only")
def test_paths_that_are_not_utf8_are_escaped(small: Path, tmp_path: Path, capfd: Said) -> None:
    corpus = tmp_path / os.fsdecode(b"L\xff")
    corpus.mkdir()
    shutil.copy(small / "conversations.jsonl", corpus)
    found = report(corpus, out=tmp_path / os.fsdecode(b"st\xff"))
    assert found["settings"]["corpora"] == ["L\\udcff"]
    capfd.readouterr()
    line = refused(["null", "-o", tmp_path / os.fsdecode(b"made\xff")], capfd)
    assert "is not UTF-8; choose another --out" in line
    assert not (tmp_path / os.fsdecode(b"made\xff")).exists()
