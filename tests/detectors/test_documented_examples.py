import os
import re
import subprocess
import sys
from pathlib import Path

from tests.detectors.test_command import lines

DOCUMENT = Path(__file__).parents[2] / "docs" / "detectors.md"


def example(name: str) -> str:
    """The code that follows `<!-- example: NAME -->` in the document, as printed."""
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", text, re.S)
    assert found, f"no example {name} in {DOCUMENT.name}"
    return found[1]


def tracegen(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "tracegen", *words], cwd=folder, check=False,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip


def test_the_package_of_the_documentation_is_found_by_its_entry_point(
    corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "capitals.py").write_text(example("capitals.py"))
    entry = re.search(r"```toml\n\[project.entry-points.*\]\n(.*?)```", DOCUMENT.read_text(), re.S)
    assert entry
    info = tmp_path / "capitals-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: capitals\nVersion: 1.0\n")
    points = entry[1].replace('"', "")
    (info / "entry_points.txt").write_text(f"[tracegen.detectors]\n{points}")
    done = tracegen(
        tmp_path, "detect", str(corpus), "--detector", "capitals:2", "-o", "capitals.jsonl"
    )
    assert done.returncode == 0, done.stderr
    assert sum(len(row["spans"]) for row in lines(tmp_path / "capitals.jsonl")) == 6
    assert len(example("capitals.py").strip().splitlines()) <= 10


def test_the_program_of_the_documentation_runs_as_printed(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "shout.py").write_text(example("shout.py"))
    words = f"command:{sys.executable} shout.py"
    done = tracegen(tmp_path, "detect", str(corpus), "--detector", words, "-o", "shout.jsonl")
    assert done.returncode == 0, done.stderr
    assert sum(len(row["spans"]) for row in lines(tmp_path / "shout.jsonl")) == 6


def test_a_package_that_is_no_detector_is_bad_input(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("def make(): return 3\ndef fails(): raise KeyError('x')\n")
    info = tmp_path / "wrong-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tracegen.detectors]\nthree = wrong:make\nfails = wrong:fails\n"
    )
    for name, problem in (("three", "made no detector"), ("fails", "cannot be set up (KeyError")):
        done = tracegen(tmp_path, "detect", str(corpus), "--detector", name, "-o", "out.jsonl")
        assert done.returncode == 2
        assert problem in done.stderr
