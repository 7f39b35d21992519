"""Processes of this machine, as Linux shows them: to end a worker while it works."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Process = tuple[int, str]
T = TypeVar("T")

_TRIES = 8


def descendants(of: int) -> list[Process]:
    """Returns the ids and command lines of all processes below a process."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            pid = int(folder.name)
            parents[pid] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            names[pid] = (folder / "cmdline").read_text(errors="replace").replace("\0", " ")
    found, grown = {of}, True
    while grown:
        below = {pid for pid, parent in parents.items() if parent in found}
        grown = not below <= found
        found |= below
    return [(pid, names[pid]) for pid in sorted(found - {of}) if pid in names]


def with_killed(working: Callable[[list[Process]], Iterable[int]], work: Callable[[], T]) -> T:
    """Returns what some work gives in which a process was killed. On a loaded machine the moment may be
    missed: then the work is done again.

    Raises:
        AssertionError: if no process could be killed in many tries.
    """
    for _ in range(_TRIES):
        with Killer(working) as killer:
            result = work()
        if killer.killed is not None:
            return result
    raise AssertionError("no process was killed")


class Killer:
    """Ends one process below this one by SIGKILL, in the middle of its work.

    ``working`` is given those processes and returns the ids of those that have work in hand. One of
    them is stopped; it is killed if it still has work in hand a moment later, when it can no longer
    finish it, and otherwise set free again.
    """

    def __init__(self, working: Callable[[list[Process]], Iterable[int]]) -> None:
        self.killed: int | None = None
        self._working = working
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Killer:  # noqa: PYI034 (Self is not in Python 3.10)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while self.killed is None and not self._over.wait(0.005):
            for pid in list(self._working(descendants(os.getpid())))[:1]:
                with suppress(ProcessLookupError):
                    self._stop(pid)

    def _stop(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.2)
        if pid in self._working(descendants(os.getpid())):
            os.kill(pid, signal.SIGKILL)
            self.killed = pid
        else:
            os.kill(pid, signal.SIGCONT)
