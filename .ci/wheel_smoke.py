"""Build the wheel, install it into a fresh environment, make and check a small corpus with it."""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*words: object, cwd: Path) -> None:
    """Run a command and stop on failure."""
    print("+", *words, flush=True)
    subprocess.run([str(word) for word in words], cwd=cwd, check=True)


def main() -> None:
    """Build, install, generate, check."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
        wheel = next(folder.glob("*.whl"))
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", wheel, cwd=folder)
        tracegen = folder / "env" / "bin" / "tracegen"
        run(tracegen, "--version", cwd=folder)
        out = folder / "corpus"
        run(tracegen, "generate", "demo", "--count", 26, "--out", out, cwd=folder)
        run(tracegen, "check", out, cwd=folder)
        run(tracegen, "stats", out, cwd=folder)


if __name__ == "__main__":
    main()
