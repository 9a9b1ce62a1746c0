"""End a program and its children when the process that started it is gone, even killed."""

import subprocess
from contextlib import suppress

_SCRIPT = 'read -r _; sleep 1; kill -s KILL -- "-$1"'
"""`read` returns when the other end of its pipe is closed: the system does that for the dead. A
program that reads its own input to the end has a second to leave by itself."""


class Leash:
    """Watches over one process group from a process of its own."""

    def __init__(self, group: int) -> None:
        """Begin to watch; without a shell there is no watcher, and a program must heed its input.

        Args:
            group: the process group to end.
        """
        self._watcher: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._watcher = subprocess.Popen(  # noqa: S603 (our own words and a number)
                ["/bin/sh", "-c", _SCRIPT, "sh", str(group)], cwd="/",
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not for it
            )  # fmt: skip

    def release(self) -> None:
        """Stop watching; the group is the caller's again."""
        if self._watcher is not None:
            self._watcher.kill()
            self._watcher.communicate()
            self._watcher = None
