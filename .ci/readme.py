"""Run the commands that README.md shows and put their real output below them.

A block is a comment `<!-- run: COMMAND -->` and the fenced block after it. With `--check` nothing
is written; the exit code is 1 if a block is out of date.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(<!-- run: (.+?) -->\n(`{3,})\n).*?^\3$", re.DOTALL | re.MULTILINE)
VARIES = re.compile(r"[\d,.]+ (?:characters/s|ms)")


def output(command: str) -> str:
    """What a command prints, both streams in order, at 100 columns."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} 2>&1"],
        cwd=ROOT, env={**os.environ, "PATH": path, "COLUMNS": "100"}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def main() -> int:
    """Refresh or check the file."""
    readme = ROOT / "README.md"
    before = readme.read_text(encoding="utf-8")
    after = BLOCK.sub(lambda block: f"{block[1]}{output(block[2])}{block[3]}", before)
    if "--check" in sys.argv[1:]:
        same = VARIES.sub("", before) == VARIES.sub("", after)
        print("README.md is up to date" if same else "README.md is out of date")
        return 0 if same else 1
    readme.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
