"""See that a run writes over nothing that it reads, and adds nothing to it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from tracegen.datafiles import RUN_RECORD
from tracegen.errors import OutputError
from tracegen.outputs import check_apart


def check_output(out: Path, corpus: Path, files: Sequence[Path], others: Iterable[Path]) -> None:
    """Refuse predictions in the place of their own corpus, whatever --force allows.

    Args:
        out: where the predictions are to go.
        corpus: the folder or file that is read.
        files: its data files.
        others: what else the run reads.

    Raises:
        OutputError: the output is one of them, or would be read as one from then on.
    """
    check_apart([out, out.with_name(out.name + RUN_RECORD)], [corpus, *others])
    real, folder = out.resolve(), corpus.resolve()
    if not corpus.is_dir() or not real.is_relative_to(folder):
        return
    if _would_be_read(real, folder, files[0].resolve()):
        raise OutputError(
            f"{out}: predictions here would be read as a part of the corpus {corpus}; "
            "choose another --out"
        )
    if out.exists() and not out.with_name(out.name + RUN_RECORD).exists():
        raise OutputError(
            f"{out}: is a file of the corpus {corpus}, no predictions with a run record beside "
            "them; choose another --out"
        )


def _would_be_read(out: Path, folder: Path, first: Path) -> bool:
    """Whether a new file would join the data files of a corpus folder, or come before them."""
    if out.suffix == ".parquet":
        return out.parent in (folder, folder / "data")
    if first.suffix == ".parquet" or out.parent != folder:
        return False
    return out.suffix == ".jsonl" and first.name != "conversations.jsonl"
