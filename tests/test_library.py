"""What `docs/library.md` and `docs/slices.md` print is true, and paths may be strings."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tracegen
from tracegen import InputError, OutputError, Run, Vault, generate, read, read_spec

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder in which the example ran, and what it printed."""
    (program,) = re.findall(
        r"```python\n(.*?)```", (DOCS / "library.md").read_text(encoding="utf-8"), re.DOTALL
    )
    folder = tmp_path_factory.mktemp("library")
    (folder / "small.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "small.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout.splitlines()


def test_the_example_prints_what_its_words_say(ran: tuple[Path, list[str]]) -> None:
    lines = ran[1]
    assert lines[0] == "6 conversations"
    assert [line.split()[:2] for line in lines[1:7]] == [
        [f"small-{number:06d}", "de_DE"] for number in range(6)
    ]
    assert lines[7].startswith("[('")
    leaking, mentions = map(int, re.findall(r"\d+", lines[8]))
    assert 0 < leaking < mentions


def test_the_example_leaves_a_corpus_of_one_language_and_a_line_for_each(
    ran: tuple[Path, list[str]],
) -> None:
    found = read(str(ran[0] / "small"))
    assert {conversation.language for conversation in found} == {"de"}
    assert len((ran[0] / "found.jsonl").read_text().splitlines()) == 6


def test_a_change_of_a_spec_is_checked_like_its_file() -> None:
    with pytest.raises(InputError, match=r"options:languages: .*unknown language 'dd'"):
        read_spec("demo", languages=["dd"])
    with pytest.raises(InputError, match="options:cuont"):
        read_spec("demo", cuont=3)


def test_a_changed_spec_can_be_hashed_and_its_lists_given_as_lists() -> None:
    lists = read_spec("demo", languages=["de", "fr"], families=["banking"])
    assert hash(lists) == hash(read_spec("demo", languages=("de", "fr"), families=("banking",)))


def test_a_spec_is_read_from_a_path_object_and_the_key_name_can_change(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    bundled = Path(tracegen.__file__).parent.parent / "eval" / "slices" / "demo.yaml"
    path.write_text(bundled.read_text(encoding="utf-8"), encoding="utf-8")
    assert read_spec(path, name="other").name == "other"


def test_workers_are_a_whole_number_of_processes_and_none_is_one_a_core(tmp_path: Path) -> None:
    spec = read_spec("demo", languages=["de"], count=3)
    with pytest.raises(InputError, match="workers=-1: must be 0"):
        generate(spec, Run(tmp_path / "a", workers=-1))
    assert generate(spec, Run(tmp_path / "a", workers=0)).rows == 3


def test_resuming_a_finished_corpus_says_that_it_is_finished(tmp_path: Path) -> None:
    spec = read_spec("demo", languages=["de"], count=2)
    generate(spec, Run(tmp_path / "a"))
    with pytest.raises(OutputError, match="a: is finished, nothing to resume; choose another"):
        generate(spec, Run(tmp_path / "a", resume=True))
    with pytest.raises(OutputError, match="a: exists; choose another"):
        generate(spec, Run(tmp_path / "a"))


def test_a_vault_is_read_from_a_string(tmp_path: Path) -> None:
    path = tmp_path / "vault.json"
    path.write_text('{"*": ["Musterhausen"]}', encoding="utf-8")
    assert Vault.read(str(path)).values(None)


def test_dir_lists_the_public_names() -> None:
    assert dir(tracegen) == sorted(tracegen.__all__)
