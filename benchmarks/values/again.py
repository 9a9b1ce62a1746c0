"""The same values on any day and under any hash seed: one digest, from several processes."""

import hashlib
import os
import subprocess
import sys

from benchmarks.values.cases import cases
from benchmarks.values.report import Report
from tracegen.locales import KINDS, load_pack
from tracegen.seeds import Stream
from tracegen.values import MAKERS
from tracegen.values.decoys import decoy, supports

_WORLDS = (("0", "2026-01-15"), ("1", "1999-12-31"), ("4711", "2031-02-28"))
"""Hash seed and date of the processes compared."""

_PROGRAM = (
    "import sys, time_machine\n"
    "from datetime import datetime, timezone\n"
    "day = datetime.fromisoformat(sys.argv[1]).replace(tzinfo=timezone.utc)\n"
    "with time_machine.travel(day, tick=False):\n"
    "    from benchmarks.values.again import digest\n"
    "    print(digest(sys.argv[3].split(','), int(sys.argv[2])))\n"
)


def digest(locales: list[str], count: int) -> str:
    """The sha256 over values and decoys of every kind."""
    total = hashlib.sha256()
    for locale in locales:
        for kind in MAKERS:
            for case in cases(locale, kind, count):
                total.update(repr((case.value.default, dict(case.value.forms))).encode())
        pack = load_pack(locale)
        for kind, facts in KINDS.items():
            if facts.decoy and supports(kind, pack):
                for number in range(count):
                    total.update(decoy(kind, pack, Stream("again", kind, number)).encode())
    return total.hexdigest()


def check_again(locales: tuple[str, ...], count: int, report: Report) -> None:
    """Compare digests of three processes with another hash seed and date each."""
    found = []
    for seed, day in _WORLDS:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, day, str(count), ",".join(locales)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stdout.strip())
    for (seed, day), one in zip(_WORLDS, found, strict=True):
        report.tally("the same values under any hash seed and date", "all locales",
                     one == found[0], f"hash seed {seed} on {day}: {one}")  # fmt: skip
