import subprocess
import sys

import pytest

import tracegen


def test_every_public_name_is_there_and_documented() -> None:
    for name in tracegen.__all__:
        value = getattr(tracegen, name)
        assert value is not None
        if callable(value):
            assert (value.__doc__ or "").strip(), name


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "presidio_analyzer", "spacy", "pyarrow", "jinja2", "numpy", "pydantic"
    program = f"import sys, tracegen; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_help_of_the_command_line_loads_nothing_heavy() -> None:
    heavy = "presidio_analyzer", "spacy", "pyarrow", "jinja2", "faker"
    program = (
        "import sys\nfrom tracegen.cli import run\n"
        f"code = run(['--help'])\nprint(code, [m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 []"


@pytest.mark.parametrize(
    "name", ["cli", "corpus", "eval", "gates", "lint", "locales", "pipeline", "render",
             "templates", "validators", "values"]
)  # fmt: skip
def test_a_package_can_be_imported_alone(name: str) -> None:
    program = f"import tracegen.{name}"
    subprocess.run([sys.executable, "-c", program], check=True)
