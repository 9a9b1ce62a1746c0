"""Specs that no conversation can have, and unfinished runs that are torn."""

from pathlib import Path

import pytest

from tests.stress.conftest import edge_spec, ladder_spec, made
from tracegen.cli import run as command_line
from tracegen.datafiles import file_sha256
from tracegen.errors import InputError
from tracegen.gates import Gates, Violation
from tracegen.gates.verdict import Verdict
from tracegen.pipeline.generate import Run, generate
from tracegen.pipeline.shard import WORK
from tracegen.pipeline.spec import Spec, read_spec

Said = pytest.CaptureFixture[str]


def small(seed: int = 1) -> Spec:
    facts = {"items": 1, "lengths": (2000,), "depths": (0, 100), "spread": False}
    return ladder_spec(("en",), ladder=facts, seed=seed, shard_rows=2)


@pytest.mark.parametrize(
    ("edge", "problem"),
    [
        ({"size": 10**11, "unit": "words"}, "an edge in words is 1 to 153,846"),
        ({"size": 10**11, "unit": "chars"}, "an edge in chars is 1 to 1,000,000"),
        ({"size": 200_000, "unit": "tokens:x.json"}, "an edge in tokens is 1 to 153,846"),
    ],
)
def test_edges_out_of_reach_are_refused(edge: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        edge_spec([edge], ("en",))


def test_edges_that_are_called_alike_are_refused() -> None:
    units = ["tokens:a.json", "tokens:b.json"]
    with pytest.raises(InputError, match="two edges are called '512 tokens'"):
        edge_spec([{"size": 512, "unit": unit} for unit in units], ("en",))


@pytest.mark.parametrize("length", [0, 1_000_001])
def test_lengths_out_of_reach_are_refused(length: int) -> None:
    facts = {"items": 1, "lengths": (length,), "depths": (0,)}
    with pytest.raises(InputError, match="1 to 1,000,000"):
        ladder_spec(("en",), ladder=facts)


def test_a_spec_of_which_nothing_can_be_made_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="no conversation of this spec can be made"):
        generate(edge_spec([{"size": 5, "unit": "words"}], ("en",)), Run(out))
    assert list(tmp_path.iterdir()) == []


def test_a_spec_whose_every_conversation_is_refused_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Violation("twins", "same", "c", None, None, None, None, None)
    monkeypatch.setattr(Gates, "check", lambda *_: Verdict((broken,), (), (), 0))
    plain = read_spec("demo", languages=("en",), count=2)
    for spec, often in ((plain, r", most often for twins: same \(24\)"), (small(), "")):
        with pytest.raises(InputError, match=rf"the gates refused each of \d{often};"):
            generate(spec, Run(tmp_path / "out"))
        assert list(tmp_path.iterdir()) == []


def stopped(folder: Path) -> dict[str, str]:
    """An unfinished run whose shards are all made; their hashes by file."""
    with pytest.MonkeyPatch.context() as patch:

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("tracegen.pipeline.generate.finish", stop)
        with pytest.raises(KeyboardInterrupt):
            generate(small(), Run(folder))
    work = folder.with_name(f"{folder.name}.partial") / WORK
    return {path.name: file_sha256(path) for path in work.glob("shard-*")}


@pytest.mark.parametrize("torn", [b"", b'{"run":"', b"\xff\xfe", b"[]"])
def test_a_torn_shard_is_made_again(torn: bytes, tmp_path: Path) -> None:
    whole = made(small(), tmp_path / "whole")
    for name in ("shard-00000.json", "shard-00000.jsonl"):
        out = tmp_path / name
        assert name in stopped(out)
        (tmp_path / f"{name}.partial" / WORK / name).write_bytes(torn)
        generate(small(), Run(out, formats=("parquet", "jsonl"), resume=True))
        rows = "conversations.jsonl"
        assert (out / rows).read_bytes() == (whole / rows).read_bytes()


@pytest.mark.parametrize("torn", [b"", b"{", b"\xff", b"[]"])
def test_a_torn_marker_of_a_run_is_one_line(torn: bytes, tmp_path: Path, capfd: Said) -> None:
    out = tmp_path / "window-ladder"
    stopped(out)
    (tmp_path / "window-ladder.partial" / WORK / "run.json").write_bytes(torn)
    assert command_line(["generate", "window-ladder", "-o", str(out), "--resume"]) == 2
    said = capfd.readouterr().err
    assert "run.json: is broken" in said
    assert "--force starts anew" in said
    assert said.count("\n") == 1
