"""Checksums in coreutils form, and the manifest that marks a folder as complete."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tracegen.datafiles import MANIFEST, file_sha256
from tracegen.outputs import write_atomically, writing

SUMS = "SHA256SUMS"


def checksums(folder: Path, known: Mapping[str, str]) -> None:
    """Write `SHA256SUMS` over every file that is there so far, so that `sha256sum -c` works.

    Args:
        folder: the corpus.
        known: relative path to sha256 of files already hashed.

    Raises:
        OutputError: it cannot be written.
    """
    lines = []
    with writing(folder):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and not name.startswith("_") and name not in (MANIFEST, SUMS):
                lines.append(f"{known.get(name) or file_sha256(path)}  {name}\n")
    write_atomically(folder / SUMS, "".join(lines).encode())


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, in a form that people can read.

    Raises:
        OutputError: it cannot be written.
    """
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    write_atomically(folder / MANIFEST, content + b"\n")
