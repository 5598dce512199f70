"""The command runs in a process of its own, so that its end never waits for what it is doing.

Native code looks at no signals: a picture, a query or an assignment may take minutes. So a second
process, which does nothing else, waits for the first. At Ctrl-C it ends the command at once and
removes what that has left unfinished; it does the same where the command takes more memory than
the budget, crashes, or is killed.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable

TICK = 0.05  # seconds between two looks at the memory
LEAST_MEMORY = 500_000_000  # bytes: the interpreter and the libraries must fit
WRONG_DATA, CRASHED = 3, 1
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
DEBUG = "DEADHEAT_DEBUG"
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl
DONE = b"!"  # says that the command came to its own end
CURSOR = b"\r\x1b[K\x1b[?25h"  # a progress bar hides it


def supervised(run: Callable[[], int]) -> int:
    """Run in a process of its own where the system has such, and return the exit code."""
    if not hasattr(os, "fork") or os.environ.get(DEBUG, "") not in {"", "0"}:
        return run()
    ending = [number for name in ENDING if (number := _heeded(name)) is not None]
    signals = _signals([*ending, signal.SIGCHLD])
    told, telling = os.pipe()
    alive, living = os.pipe()
    watcher = os.getpid()
    child = os.fork()
    if child == 0:
        for number in (*ending, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        os.close(living)
        os.close(told)
        _work(run, watcher, alive, telling)
    os.close(alive)
    os.close(telling)
    return _watched(child, signals, told, ending)


def _heeded(name: str) -> int | None:
    """Return the number of a signal, None where it is ignored, as under nohup."""
    number = getattr(signal, name)
    return None if signal.getsignal(number) is signal.SIG_IGN else int(number)


def _signals(numbers: list[int]) -> int:
    """Let signals be read from a pipe, and do nothing else."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, lambda *_: None)
    return reading


def _work(run: Callable[[], int], watcher: int, alive: int, telling: int) -> None:
    """Run, and end this process."""
    import threading

    from deadheat.core import files as unfinished
    from deadheat.core import memory

    def tell(path: str, *, there: bool) -> None:
        with contextlib.suppress(OSError):
            os.write(telling, (b"+" if there else b"-") + os.fsencode(path) + b"\0")

    def wait() -> None:
        os.read(alive, 1)  # ends when the other process does
        os._exit(CRASHED)

    unfinished.tell, memory.least = tell, LEAST_MEMORY
    if not _ends_with(watcher):
        threading.Thread(target=wait, daemon=True).start()
    code = CRASHED
    try:
        code = run()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        with contextlib.suppress(OSError):
            os.write(telling, DONE + b"\0")
        os._exit(code)


def _ends_with(watcher: int) -> bool:
    """Let the system end this process with its parent; return whether it does, as on Linux.

    A thread may wait in vain: native code need not let it run.
    """
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        refused = ctypes.CDLL(None).prctl(DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return False
    if os.getppid() != watcher:  # it ended before that
        os._exit(CRASHED)
    return not refused


class _Unfinished:
    """What the command has said to be under way."""

    def __init__(self, told: int) -> None:
        os.set_blocking(told, False)
        self.told, self._rest, self._paths = told, b"", dict[bytes, None]()
        self.done = False

    def hear(self) -> None:
        """Take note of what was said since."""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self.told, 1 << 16):
                *said, self._rest = (self._rest + more).split(b"\0")
                for each in said:
                    if each == DONE:
                        self.done = True
                    elif each[:1] == b"+":
                        self._paths[each[1:]] = None
                    else:
                        self._paths.pop(each[1:], None)

    def remove(self) -> None:
        """Remove all of it."""
        from deadheat.core.files import removed

        self.hear()
        for path in self._paths:
            with contextlib.suppress(OSError):
                removed(os.fsdecode(path))


def _watched(child: int, signals: int, told: int, ending: list[int]) -> int:
    """Wait for the end of the command, or bring it about; return the exit code."""
    unfinished = _Unfinished(told)
    while True:
        select.select([signals], [], [], TICK)
        number = _ending_signal(signals, ending)
        unfinished.hear()
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            unfinished.remove()
            return _code_of(os.waitstatus_to_exitcode(status), done=unfinished.done)
        needs_too_much = _takes_too_much(child)
        if number or needs_too_much:
            _kill(child)
            unfinished.remove()
            if number:
                _say("interrupted")
                return 128 + number
            from deadheat.core.memory import too_large

            _say(f"error: {too_large('deadheat was stopped')}")
            return WRONG_DATA


def _ending_signal(signals: int, ending: list[int]) -> int:
    """Return the signal that asks for an end; 0 where none has come."""
    if not select.select([signals], [], [], 0)[0]:
        return 0
    return next((number for number in os.read(signals, 1 << 10) if number in ending), 0)


def _kill(child: int) -> None:
    for process in _family(child):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    os.waitpid(child, 0)
    with contextlib.suppress(OSError):
        if os.isatty(2):
            os.write(2, CURSOR)


def _family(process: int) -> list[int]:
    """Return a process and, where the system tells, those that it and they have started."""
    found = [process]
    for each in found:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{each}/task"):  # noqa: PTH208 - quicker to load
                with open(f"/proc/{each}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                    found += map(int, file.read().split())
    return found


def _takes_too_much(child: int) -> bool:
    """Return whether a process takes more memory than the budget, where the system tells."""
    from deadheat.core.memory import budget, taken

    size = taken(child)
    return size > LEAST_MEMORY and size > budget()


def _code_of(code: int, *, done: bool) -> int:
    """Return the exit code of a command that ended by itself, or say what ended it."""
    if done:
        return code
    if code >= 0:
        _say(
            "error: the command was ended before it was done, by code that it called.\n"
            "Hint: a function or rule of your own must return, and not end the process."
        )
        return WRONG_DATA
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if -code == signal.SIGKILL:
        _say("error: deadheat was killed, probably because the machine has too little memory.")
        return WRONG_DATA
    if -code == signal.SIGTERM:
        return 128 - code
    _say(f"error: deadheat crashed ({name}).\nHint: run again with {DEBUG}=1 and report it.")
    return CRASHED


def _say(message: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{message}\n".encode())
