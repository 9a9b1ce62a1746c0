"""Same spec and seed, same bytes: over workers, hash seeds, folders, dates, kills."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tracegen.corpus import read
from tracegen.datafiles import file_sha256
from tracegen.resources import room

SPEC = """\
name: small
description: A few short conversations in three languages for the tests.
count: 24
seed: 7
reference_date: 2026-01-15
languages: [en, zh, de]
shard_rows: 6
with_pii: 0.75
recurrence: {none: 0.2, within_turn: 0.3, cross_turn: 0.5}
structured: 0.5
lengths: [{low: 300, high: 3000, share: 1.0}]
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small spec over a few templates a language, so that each run loads fast."""
    folder = tmp_path_factory.mktemp("spec")
    for language in ("en", "zh", "de"):
        for family, count in (("banking", 1), ("shopping", 1), ("negative", 1), ("ballast", 3)):
            target = folder / "templates" / language / family
            target.mkdir(parents=True)
            for path in sorted((room("templates") / language / family).glob("*.yaml"))[:count]:
                shutil.copy(path, target)
    path = folder / "small.yaml"
    path.write_text(SPEC + f"templates: {folder / 'templates'}\n")
    return path


def tracegen(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tracegen", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): file_sha256(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def corpus(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus") / "small"
    done = tracegen("generate", spec, "--out", out, "--workers", 1, "--formats", "parquet,jsonl",
                    PYTHONHASHSEED="1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.parametrize(("workers", "seed"), [(2, "2"), (5, "3")])
def test_workers_hash_seeds_and_folders_do_not_change_a_byte(
    spec: Path, corpus: Path, tmp_path: Path, workers: int, seed: str
) -> None:
    out = tmp_path / "elsewhere" / "other name"
    done = tracegen("generate", spec, "--out", out, "--workers", workers, "--formats",
                    "parquet,jsonl", PYTHONHASHSEED=seed)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(corpus)


def test_the_date_does_not_change_a_byte(spec: Path, corpus: Path, tmp_path: Path) -> None:
    program = (
        "import sys, time_machine\n"
        "with time_machine.travel(4_000_000_000):\n"
        "    from tracegen.cli import main\n"
        "    main(sys.argv[1:])\n"
    )
    out = tmp_path / "future"
    words = ["generate", str(spec), "--out", str(out), "--workers", "1", "--formats",
             "parquet,jsonl"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(corpus)


def test_more_conversations_leave_the_first_ones_alone(
    spec: Path, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "half"
    assert tracegen("generate", spec, "--out", out, "--count", 11).returncode == 0
    first = list(read(corpus))[:11]
    assert list(read(out)) == first


def test_another_seed_gives_other_values(spec: Path, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "other"
    assert tracegen("generate", spec, "--out", out, "--seed", 8).returncode == 0
    ours = {span.text for one in read(corpus) for span in one.spans}
    theirs = {span.text for one in read(out) for span in one.spans}
    assert len(ours & theirs) < 0.2 * len(ours)


def test_a_killed_run_resumed_gives_the_same_bytes(
    spec: Path, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    words = [sys.executable, "-m", "tracegen", "generate", str(spec), "--out", str(out),
             "--workers", "1", "--formats", "parquet,jsonl"]  # fmt: skip
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    marker = tmp_path / "killed.partial" / "_work" / "shard-00001.json"
    while process.poll() is None and not marker.exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not out.exists()
    again = tracegen(*words[3:])
    assert again.returncode == 2
    assert "--resume" in again.stderr
    done = tracegen(*words[3:], "--resume")
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(corpus)
    assert not (tmp_path / "killed.partial").exists()


def unfinished(spec: Path, out: Path) -> None:
    """Stop a run after its first shard."""
    words = [sys.executable, "-m", "tracegen", "generate", str(spec), "--out", str(out),
             "--workers", "1"]  # fmt: skip
    process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    marker = out.with_name(f"{out.name}.partial") / "_work" / "shard-00000.json"
    while process.poll() is None and not marker.exists():
        time.sleep(0.01)
    process.kill()
    process.wait()


def test_an_unfinished_run_of_another_seed_or_count_is_not_resumed(
    spec: Path, tmp_path: Path
) -> None:
    out = tmp_path / "x"
    unfinished(spec, out)
    for option in (["--seed", 9], ["--count", 7]):
        done = tracegen("generate", spec, "--out", out, *option, "--resume")
        assert done.returncode == 2
        assert "another spec, seed, count or version" in done.stderr
    assert tracegen("generate", spec, "--out", out, "--count", 7, "--force").returncode == 0
    assert sorted(path.name for path in (out / "data").iterdir()) == [
        "small-00000-of-00002.parquet",
        "small-00001-of-00002.parquet",
    ]
    assert len(list(read(out))) == 7


def test_workers_end_when_the_parent_is_killed(spec: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tracegen", "generate", str(spec), "--out", str(tmp_path / "x"),
             "--workers", "2"]  # fmt: skip
    process = subprocess.Popen(words, stderr=subprocess.PIPE)
    work = tmp_path / "x.partial" / "_work"
    while process.poll() is None and not list(work.glob("shard-*.jsonl")):
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=30)  # ends only when no worker holds stderr open any more


def test_two_runs_into_one_folder_do_not_mix(spec: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tracegen", "generate", str(spec), "--out", str(tmp_path / "x"),
             "--workers", "1"]  # fmt: skip
    both = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    errors = [process.communicate()[1] for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes == [0, 2], errors
    assert any("another run" in error or "exists" in error for error in errors)


def test_the_manifest_tells_what_was_made(corpus: Path) -> None:
    manifest = json.loads((corpus / "manifest.json").read_text())
    conversations = list(read(corpus))
    assert manifest["rows"] == len(conversations) == 24
    assert manifest["mentions"] == sum(len(one.spans) for one in conversations)
    assert manifest["gates"]["tried"] == 24 + manifest["gates"]["redrawn"]
    assert manifest["corpus_digest"] == file_sha256(corpus / "conversations.jsonl")
    for file in manifest["files"]:
        assert file_sha256(corpus / file["file"]) == file["sha256"]
    text = (corpus / "manifest.json").read_text()
    assert str(corpus) not in text


def test_checksums_verify_with_coreutils(corpus: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=corpus, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_parquet_and_jsonl_hold_the_same_rows(corpus: Path) -> None:
    assert list(read(corpus / "conversations.jsonl")) == list(read(corpus))


def test_positive_and_negative_conversations_alternate_evenly(corpus: Path) -> None:
    with_pii = [bool(one.spans) for one in read(corpus)]
    assert sum(with_pii) == 18


def test_what_no_attempt_gets_past_the_gates_is_dropped_counted_and_exit_1(tmp_path: Path) -> None:
    folder = tmp_path / "templates" / "en"
    for family, text in (
        ("banking", "{{ person_1 }} and mira.holt@mail-provider.com"),
        ("ballast", "How do I keep basil alive on a windowsill during the winter months?"),
    ):
        path = folder / family / "one.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(f"language: en\nturns:\n  - user: '{text}'\n")
    spec = tmp_path / "leaky.yaml"
    spec.write_text(
        SPEC.replace("[en, ko, de]", "[en]").replace("[en, zh, de]", "[en]")
        + f"templates: {tmp_path / 'templates'}\nattempts: 2\n"
    )
    out = tmp_path / "x"
    done = tracegen("generate", spec, "--out", out, "--count", 4, "--workers", 1)
    assert done.returncode == 1, done.stderr
    assert "3 conversations were dropped" in done.stderr
    gates = json.loads((out / "manifest.json").read_text())["gates"]
    assert (gates["tried"], gates["written"], gates["redrawn"], gates["dropped"]) == (7, 1, 3, 3)
    first = gates["dropped_conversations"][0]
    assert (first["language"], first["template"]) == ("en", "en/banking/one")
    assert first["gates"] == ["leak rescan"]
    assert len(list(read(out))) == 1
