"""Where the work runs; the engine never changes a bit of the answer."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any, Protocol, TypeVar

from threadpoolctl import threadpool_limits

from deadheat.errors import UsageError, quoted

In = TypeVar("In")
Out = TypeVar("Out")

WAITING = 256  # tasks that wait in an executor of which nobody knows how many workers it has
MOST_THREADS = 1_000
PER_WORKER = 3  # tasks that wait for each worker

_asking = Lock()
_askers: dict[str, Any] = {"number": 0}


class Engine(Protocol):
    """Anything with an ordered map, such as any ``concurrent.futures.Executor``."""

    def map(self, fn: Callable[[In], Out], *iterables: Iterable[In]) -> Iterable[Out]:
        """Apply a function to every item and return the answers in the order of the items."""
        ...


class Serial:
    """Run one block after the other, in this thread."""

    def map(self, fn: Callable[[In], Out], *iterables: Iterable[In]) -> Iterable[Out]:
        """Apply a function to every item, lazily."""
        return map(fn, *iterables)


class Windowed:
    """Give tasks to an executor a few at a time, and return their answers in order.

    ``Executor.map`` submits all tasks at once, and so it holds a million of them in memory, with
    all answers that nobody took yet.
    """

    def __init__(self, executor: Executor, window: int) -> None:
        self.executor, self.window = executor, window

    def map(self, fn: Callable[[In], Out], *iterables: Iterable[In]) -> Iterator[Out]:
        """Apply a function to every item; what is not begun when somebody stops never begins."""
        waiting: deque[Future[Out]] = deque()
        try:
            for items in zip(*iterables, strict=False):
                waiting.append(self.executor.submit(fn, *items))
                if len(waiting) == self.window:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for task in waiting:
                task.cancel()


@contextmanager
def engine(spec: str | Engine = "threads") -> Iterator[Engine]:
    """Open an engine: ``"serial"``, ``"threads"``, ``"threads:2"``, or any executor.

    Inside, the linear algebra library has one thread: parallelism belongs to the engine. An error,
    or an interrupt, does not wait for what threads are at.
    """
    with one_blas_thread():
        if isinstance(spec, Executor):
            workers = getattr(spec, "_max_workers", None)  # those of Python say so
            yield Windowed(spec, PER_WORKER * workers if type(workers) is int else WAITING)
        elif not isinstance(spec, str):
            yield spec
        elif spec == "serial":
            yield Serial()
        else:
            number = _threads(spec)
            pool = ThreadPoolExecutor(number)
            try:
                yield Windowed(pool, PER_WORKER * number)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            pool.shutdown()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the linear algebra library to one thread until the last who asked for it is done."""
    with _asking:
        if _askers["number"] == 0:
            _askers["limits"] = threadpool_limits(limits=1, user_api="blas")
        _askers["number"] += 1
    try:
        yield
    finally:
        with _asking:
            _askers["number"] -= 1
            if _askers["number"] == 0:
                _askers.pop("limits").restore_original_limits()


def _threads(spec: str) -> int:
    """Return how many threads are meant."""
    kind, _, number = spec.partition(":")
    if kind != "threads" or (number and not number.isdecimal()) or number == "0":
        raise UsageError(
            f"unknown engine {spec!r}.",
            hint="serial, threads, threads:N, or a concurrent.futures.Executor.",
        )
    if len(number) > 4 or int(number or 1) > MOST_THREADS:
        raise UsageError(
            f"engine {quoted(spec)} has more than {MOST_THREADS:,} threads.",
            hint="threads alone takes one for each processor.",
        )
    return int(number) if number else os.cpu_count() or 1
