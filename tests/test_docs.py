"""The documents say what is true: commands, links, and the digest of the demo corpus."""

import re
from pathlib import Path

import pytest

from tracegen.cli import COMMANDS, application
from tracegen.locales import KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")])
LINK = re.compile(r"\]\(([^)#]+)\)")


def existing() -> list[str]:
    folder = ROOT / "tracegen" / "cli"
    return [name for name in COMMANDS if (folder / f"{name}.py").is_file()]


@pytest.mark.parametrize("name", existing())
def test_the_command_is_in_the_readme(name: str) -> None:
    assert (
        f"`{name} " in (ROOT / "README.md").read_text()
        or f"`{name}`" in (ROOT / "README.md").read_text()
    )


@pytest.mark.parametrize("name", [name for name in existing() if name != "locale"])
def test_the_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    application([name])([name, "--help"], prog_name="tracegen", standalone_mode=False)
    text = capsys.readouterr().out
    assert f"tracegen {name}" in text.replace("\n", " ")
    assert "Example" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in LINK.findall(text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("kind", KINDS)
def test_the_guideline_names_the_kind(kind: str) -> None:
    text = (ROOT / "docs" / "labels.md").read_text(encoding="utf-8")
    assert re.search(rf"\b{kind}\b", text)


def test_nothing_in_the_documents_is_left_open() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert "TODO" not in text, page
        assert "FIXME" not in text, page
