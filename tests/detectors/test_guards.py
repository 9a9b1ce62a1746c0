"""What a run refuses before it begins, and what it says of files that are broken."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.detectors.conftest import conversation, refusal, stopped_after, toy, write
from tests.detectors.test_command import record
from tracegen.cli import run as command_line
from tracegen.detectors import Choice, DetectorFailure, Passage, Run, detect, make_detector
from tracegen.detectors.answers import parse_answer
from tracegen.detectors.protocol import checked
from tracegen.errors import InputError, OutputError
from tracegen.eval.scoring import score


@pytest.mark.parametrize("link", [False, True])
def test_predictions_never_replace_their_corpus(corpus: Path, tmp_path: Path, link: bool) -> None:
    before, out = corpus.read_bytes(), corpus
    if link:
        out = tmp_path / "other.jsonl"
        out.symlink_to(corpus)
    with pytest.raises(OutputError, match="is an input of this command"):
        detect(Run(corpus, Choice("regex"), out, force=True))
    assert corpus.read_bytes() == before


def test_predictions_never_become_a_part_of_their_corpus(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    one = folder / "one.jsonl"
    one.write_bytes(corpus.read_bytes())
    for name in ("two.jsonl", "conversations.jsonl", "two.parquet"):
        with pytest.raises(OutputError, match="a part of the corpus"):
            detect(Run(folder, Choice("regex"), folder / name))
    detect(Run(folder, Choice("regex"), folder / "two.out"))
    one.rename(folder / "conversations.jsonl")
    (folder / "README.md").write_text("mine")
    with pytest.raises(OutputError, match="is a file of the corpus"):
        detect(Run(folder, Choice("regex"), folder / "README.md", force=True))
    detect(Run(folder, Choice("regex"), folder / "preds.jsonl"))
    detect(Run(folder, Choice("null"), folder / "preds.jsonl", force=True))
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.md", "conversations.jsonl", "preds.jsonl", "preds.jsonl.run.json", "two.out",
        "two.out.run.json",
    ]  # fmt: skip


PASSAGE = Passage("p", "Mira Holt", "en")
SPAN = '{"start": 0, "end": 4, "label": "x"}'


@pytest.mark.parametrize(
    "line",
    [
        f'{{"id": "p", "spans": [{SPAN}], "spans": []}}',
        f'{{"id": "q", "id": "p", "spans": [{SPAN}]}}',
        '{"id": "p", "spans": [{"start": 0, "end": 4, "label": "x", "\\u0065nd": 0}]}',
    ],
)
def test_an_answer_that_says_a_thing_twice_is_no_answer(line: str) -> None:
    with pytest.raises(DetectorFailure, match=r"bad JSON: .*key twice"):
        parse_answer(line.encode(), PASSAGE, set())


def test_keys_that_nobody_reads_may_be_anything() -> None:
    line = '{"id": "p", "spans": [], "more": {"a": 1, "a": %s}}' % ("9" * 5000)
    assert parse_answer(line.encode(), PASSAGE, set()) == []


def test_an_answer_nested_without_end_is_no_answer() -> None:
    line = '{"id": "p", "spans": [], "more": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(DetectorFailure, match="bad JSON"):
        parse_answer(line.encode(), PASSAGE, set())


@pytest.mark.parametrize("wrong", [(0, 1, "\udcff"), (0, 1, "x", float("nan"))])
def test_what_no_record_can_hold_is_no_span(wrong: tuple[object, ...]) -> None:
    with pytest.raises(DetectorFailure, match="bad answer"):
        checked(PASSAGE, [wrong])


@pytest.mark.parametrize("content", ["{", "[]", "null", '{"corpus_digest": 5}', "[" * 100_000])
def test_a_broken_manifest_is_named(corpus: Path, tmp_path: Path, content: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.jsonl").write_bytes(corpus.read_bytes())
    (folder / "manifest.json").write_text(content)
    with pytest.raises(InputError, match=r"manifest\.json: is no manifest"):
        detect(Run(folder, Choice("regex"), tmp_path / "preds.jsonl"))
    assert list(tmp_path.glob("preds*")) == []


@pytest.mark.parametrize("content", [b"{", b"[]", b"null", b"\xff", b'{"each": 5}'])
def test_a_broken_run_record_is_named(corpus: Path, tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("regex"), out))
    side, before = out.with_name(f"{out.name}.run.json"), out.read_bytes()
    if content.startswith(b'{"each'):
        content = json.dumps({**json.loads(side.read_bytes()), "each": 5}).encode()
    side.write_bytes(content)
    with pytest.raises(InputError, match=r"preds\.jsonl\.run\.json: .*--force starts anew"):
        detect(Run(corpus, Choice("regex"), out, resume=True))
    assert (out.read_bytes(), side.read_bytes()) == (before, content)
    assert sorted(path.name for path in tmp_path.glob("preds*")) == [out.name, side.name]


def test_a_broken_line_of_predictions_is_named(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "preds.jsonl"
    detect(Run(corpus, Choice("regex"), out))
    with out.open("ab") as file:
        file.write(b"garbage\n")
    with pytest.raises(InputError, match=r"preds\.jsonl:6: is broken .*--force"):
        detect(Run(corpus, Choice("regex"), out, resume=True))
    assert not out.with_name("preds.jsonl.partial").exists()


@pytest.mark.parametrize("number", [1, 3])
def test_a_broken_line_of_a_stopped_run_is_named(corpus: Path, tmp_path: Path, number: int) -> None:
    out = tmp_path / "preds.jsonl"
    stopped_after(4, Run(corpus, Choice("regex"), out))
    partial = out.with_name("preds.jsonl.partial")
    rows = partial.read_bytes().split(b"\n")
    rows[number - 1] = b"garbage"
    partial.write_bytes(b"\n".join(rows))
    with pytest.raises(InputError, match=rf"preds\.jsonl\.partial:{number}: is broken .*--force"):
        detect(Run(corpus, Choice("regex"), out, resume=True))
    assert partial.read_bytes() == b"\n".join(rows)
    detect(Run(corpus, Choice("regex"), out, force=True))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--detector", "http://[::1"], "not a URL"),
        (["--detector", "http://127.0.0.1:x/"], "not a URL"),
        (["--detector", "http://a b/", "--allow-remote"], "not a URL"),
        (["--detector", "http://a..b/", "--allow-remote"], "not a URL"),
        (["--detector", "http://me:s3cret@127.0.0.1:9/"], "command:"),
        (["--detector", "http:http://me@127.0.0.1:9/"], "command:"),
        (["--detector", "null", "--workers", "99999999999"], "--workers 99999999999: must be 1 to"),
        (["--detector", "null", "--timeout", "inf"], "--timeout inf: must be above 0"),
        (["--detector", "null", "--timeout", "nan"], "'--timeout'"),
        (["--detector", "null", "--startup", "1e12"], "--startup 1e+12: must be above 0"),
        (["--detector", "null", "--languages", ","], "no language given"),
        (["--detector", "null", "--resume", "--force"], "choose one"),
        (["--detector", "command:\udcff"], "not UTF-8"),
    ],
)
def test_bad_words_are_one_line(
    corpus: Path, tmp_path: Path, words: list[str], problem: str,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    said = refusal([str(corpus), *words], tmp_path / "preds.jsonl", capfd)
    assert problem in said
    assert "s3cret" not in said


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused(corpus: Path, tmp_path: Path, workers: int) -> None:
    with pytest.raises(InputError, match="--workers"):
        detect(Run(corpus, Choice("null"), tmp_path / "preds.jsonl", workers=workers))


def test_a_file_name_that_is_not_utf8_is_a_name(tmp_path: Path) -> None:
    corpus = write(Path(os.fsdecode(os.fsencode(tmp_path) + b"/g\xff.jsonl")),
                   [conversation("c", ("Mira Holt", ""))])  # fmt: skip
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff.jsonl"))
    detect(Run(corpus, Choice("oracle"), out))
    assert record(out)["corpus"] == ["g\\udcff.jsonl"]
    detect(Run(corpus, Choice("oracle"), out, resume=True))
    score(corpus, out)


def test_a_full_disk_names_the_file_and_the_way_on(tmp_path: Path) -> None:
    many = [conversation(f"c-{number}", ("Mira Holt " * 20, "")) for number in range(40)]
    corpus = write(tmp_path / "many.jsonl", many)
    out = tmp_path / "preds.jsonl"
    words = [sys.executable, "-m", "tracegen", "detect", str(corpus), "--detector", "oracle",
             "-o", str(out)]  # fmt: skip

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(words, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {out}: the file would be larger")
    assert done.stderr.count("\n") == 1
    done = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=False)
    assert (done.returncode, record(out)["answered"]) == (0, 40)


def test_a_run_that_is_stopped_says_how_it_goes_on(
    corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(self: object, *_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "preds.jsonl"
    words = ["detect", str(corpus), "--detector", "null", "-o", str(out)]
    with monkeypatch.context() as patched:
        patched.setattr("tracegen.detectors.journal.Journal.finish", stop)
        assert command_line(words) == 130
    said = capfd.readouterr().err
    assert said == "error: stopped; finished conversations are kept, --resume continues\n"
    assert command_line([*words, "--resume"]) == 0


def test_the_longest_wait_is_a_wait(corpus: Path, tmp_path: Path) -> None:
    choice = Choice(toy(), timeout=86_400, startup=86_400)
    assert detect(Run(corpus, choice, tmp_path / "preds.jsonl")).failures == ()
    with pytest.raises(InputError, match="at most"):
        make_detector(Choice("null", timeout=86_401))
