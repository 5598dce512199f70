"""The command runs in a process of its own, so that its end never waits for what it is doing.

Native code looks at no signals, maybe for minutes. So a second process waits for the first, ends
it at Ctrl-C or above the budget of memory, and removes what it has left unfinished.
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
DEBUG = "DEADHEAT_DEBUG"
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl
DONE = b"!"  # says that the command came to its own end
CURSOR = b"\r\x1b[K\x1b[?25h"  # a progress bar hides it


def supervise(run: Callable[[], int]) -> int:
    """Run in a process of its own where the system has such, and return the exit code."""
    if not hasattr(os, "fork") or os.environ.get(DEBUG, "") not in {"", "0"}:
        return run()
    asking = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # for an end; nohup ignores one
    ending = [int(number) for number in asking if signal.getsignal(number) is not signal.SIG_IGN]
    signals, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (*ending, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)  # it is read from the pipe
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
    return _watch(child, signals, told, ending)


def _work(run: Callable[[], int], watcher: int, alive: int, telling: int) -> None:
    import threading

    from deadheat.core import files, memory

    def tell(path: str, *, there: bool) -> None:
        with contextlib.suppress(OSError):
            os.write(telling, (b"+" if there else b"-") + os.fsencode(path) + b"\0")

    def allow(size: str) -> None:
        os.write(telling, b"=" + size.encode() + b"\0")

    def wait() -> None:
        os.read(alive, 1)  # ends when the other process does
        os._exit(CRASHED)

    files.tell, memory.tell, memory.least = tell, allow, LEAST_MEMORY
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
    """Let the system, where it can, end this process with its parent: a thread may wait in vain."""
    refused = True
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        if sys.platform == "linux":
            refused = bool(ctypes.CDLL(None).prctl(DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0))
    if not refused and os.getppid() != watcher:  # it ended before that
        os._exit(CRASHED)
    return not refused


def _watch(child: int, signals: int, messages: int, ending: list[int]) -> int:
    """Wait for the end of the command, or bring it about; return the exit code."""
    from deadheat.core.memory import VARIABLE, budget, bytes_taken, too_large

    os.set_blocking(messages, False)
    heard = b""
    while True:
        come = os.read(signals, 1 << 10) if select.select([signals], [], [], TICK)[0] else b""
        new = _read_all(messages)
        for said in new.split(b"\0"):
            if said.startswith(b"="):
                os.environ[VARIABLE] = said[1:].decode()
        heard += new
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            done = _remove_unfinished(heard + _read_all(messages))
            return _code_of(os.waitstatus_to_exitcode(status), done=done)
        number = next((number for number in come if number in ending), 0)
        size = bytes_taken(child)  # 0 where the system does not tell
        if number or (size > LEAST_MEMORY and size > budget()):
            _kill(child)
            _remove_unfinished(heard + _read_all(messages))
            _say("interrupted" if number else f"error: {too_large('deadheat was stopped')}")
            return 128 + number if number else WRONG_DATA


def _read_all(messages: int) -> bytes:
    heard = b""
    with contextlib.suppress(BlockingIOError):
        while more := os.read(messages, 1 << 16):
            heard += more
    return heard


def _remove_unfinished(heard: bytes) -> bool:
    """Remove the files that the command left unfinished; return whether it ended by itself."""
    said = heard.split(b"\0")[:-1]
    there = {each[1:]: each[:1] == b"+" for each in said}
    for path in (path for path in there if there[path]):
        from deadheat.core.files import remove_path  # rarely needed, and slow to load

        with contextlib.suppress(OSError):
            remove_path(os.fsdecode(path))
    return DONE in said


def _kill(child: int) -> None:
    """End the command and, where the system tells, all that it and they have started."""
    family = [child]
    for each in family:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{each}/task"):  # noqa: PTH208 - quicker to load
                with open(f"/proc/{each}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                    family += map(int, file.read().split())
    for process in family:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    os.waitpid(child, 0)
    with contextlib.suppress(OSError):
        if os.isatty(2):
            os.write(2, CURSOR)


def _code_of(code: int, *, done: bool) -> int:
    if done:
        return code
    if code >= 0:
        _say(
            "error: the command was ended before it was done, by code that it called.\n"
            "Hint: a function or rule of your own must return, and not end the process."
        )
        return WRONG_DATA
    if -code == signal.SIGKILL:
        _say("error: deadheat was killed, probably because the machine has too little memory.")
        return WRONG_DATA
    if -code == signal.SIGTERM:
        return 128 - code
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    _say(f"error: deadheat crashed ({name}).\nHint: run again with {DEBUG}=1 and report it.")
    return CRASHED


def _say(message: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{message}\n".encode())
