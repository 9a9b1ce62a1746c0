"""The wheel holds the package and the four rooms, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("templates", "locales", "validators", "eval")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def tracked(*folders: str) -> set[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}


def test_the_wheel_holds_exactly_the_package_and_the_rooms(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = tracked("tracegen")
    expected |= {f"tracegen/data/{name}" for name in tracked(*ROOMS)}
    assert names == expected


def test_the_wheel_is_called_pii_tracegen(wheel: Path) -> None:
    assert wheel.name.startswith("pii_tracegen-")


def test_no_data_folder_lies_in_the_checkout() -> None:
    assert not (ROOT / "tracegen" / "data").exists()
