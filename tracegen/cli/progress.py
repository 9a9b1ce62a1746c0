"""Progress on long work: a bar on stderr when that is a terminal, nothing otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar that the caller advances.

    Args:
        what: the work, as a participle: "generating".
        total: units of work; 0 when unknown.
    """
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total or None)
        yield lambda steps: bar.update(task, advance=steps)


@contextmanager
def resumable(is_kept: Callable[[], bool], what: str) -> Iterator[None]:
    """Let an interrupt say how the work goes on, where something of it is kept.

    Args:
        is_kept: whether there is something to go on from.
        what: what is kept, with its verb: "finished shards are".

    Raises:
        KeyboardInterrupt: says so, if something is kept.
    """
    try:
        yield
    except KeyboardInterrupt:
        if not is_kept():
            raise
        raise KeyboardInterrupt(f"{what} kept, --resume continues") from None
