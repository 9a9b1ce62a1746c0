"""`docs/slices.md` names every key of a spec with its default, and its examples can be used."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tracegen import Run, Spec, generate, read, read_spec
from tracegen.pipeline.spec import LengthBand
from tracegen.resources import Facts, room, validate

PAGE = (Path(__file__).parent.parent / "docs" / "slices.md").read_text(encoding="utf-8")
WHOLE, BANDS, TEMPLATE, OWN = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
DEFAULTS = {"empty": "", "all thirteen": Spec.model_fields["languages"].default, "all": None}
DEFAULTS |= {"the shipped ones": None}


def rows() -> dict[str, tuple[str, str]]:
    """Key to default and example, as the table says."""
    found: dict[str, tuple[str, str]] = {}
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `") and len(cells) == 4:
            for key in re.findall(r"`([^`]+)`", cells[0]):
                found[key] = (cells[1], cells[3])
    return found


def written(value: str) -> Any:
    """A default of the table as Python has it."""
    return DEFAULTS[value] if value in DEFAULTS else yaml.safe_load(value.strip("`"))


def test_every_key_is_described_and_no_other() -> None:
    assert set(rows()) == {*Spec.model_fields, "lengths[].structured"}


@pytest.mark.parametrize("key", rows())
def test_the_default_is_the_one_in_the_code(key: str) -> None:
    model: type[Facts] = LengthBand if "[]" in key else Spec
    field = model.model_fields[key.rpartition(".")[2]]
    told = rows()[key][0]
    if told == "needed":
        assert field.is_required()
    else:
        assert not field.is_required()
        assert field.default == written(told)


@pytest.mark.parametrize("key", [key for key in rows() if rows()[key][1].startswith("`")])
def test_the_example_is_a_value_of_the_key(key: str) -> None:
    change = yaml.safe_load(rows()[key][1].strip("`"))
    assert read_spec("demo", **change).name


def test_the_minimal_spec_has_the_needed_keys_and_no_more(tmp_path: Path) -> None:
    needed = {name for name, field in Spec.model_fields.items() if field.is_required()}
    assert set(yaml.safe_load(WHOLE)) == needed
    assert validate(Spec, yaml.safe_load(WHOLE) | yaml.safe_load(BANDS), tmp_path).count == 100


def test_a_corpus_of_ones_own_template_is_made_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    language = tmp_path / "mine" / "de"
    shutil.copytree(room("templates") / "de", language)
    (language / "sport").mkdir()
    (language / "sport" / "verein.yaml").write_text(TEMPLATE, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(OWN, encoding="utf-8")
    generate(read_spec("mine.yaml", count=5), Run("out/mine"))
    made = {conversation.template_id for conversation in read("out/mine") if conversation.spans}
    assert made == {"de/sport/verein"}
