"""Processes that share the work, and end with the process that started them."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any


@contextmanager
def worker_pool(
    workers: int, start: Callable[..., None] | None = None, arguments: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """A pool whose workers outlive neither an error here nor this process, however it ends.

    Args:
        workers: how many processes, at most.
        start: called once in each of them, before its first work.
        arguments: what it is given.
    """
    others = set(active_children())
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (start, arguments)) as pool:
        try:
            yield pool
        except BaseException:
            for worker in set(active_children()) - others:  # nobody waits for their answers
                worker.terminate()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _begin(start: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    """In a worker: Ctrl-C is the parent's to handle, and nothing outlives the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()
    if start is not None:
        start(*arguments)


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
