"""Where the work runs: serial, threads, processes, Dask, any executor."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeVar

from deadheat.core.errors import UsageError, command_with, quoted
from deadheat.resampling.tasks import (
    PER_WORKER,
    Engine,
    KeepingEngine,
    Serial,
    WindowedExecutor,
    one_blas_thread,
    without_interrupts,
)

__all__ = ["Engine", "Progress", "close", "engine", "one_blas_thread", "with_progress"]
Out = TypeVar("Out")
Progress = Callable[[int, int], None]  # is told how many tasks are done, and how many there are
WAITING = 256  # tasks that wait in an executor of which nobody knows how many workers it has
MOST_WORKERS = 1_000
KNOWN = "serial, threads, processes, dask, dask://HOST:PORT; threads:2 has 2 workers"


def with_progress(parts: Iterable[Out], number: int, progress: Progress | None) -> Iterator[Out]:
    for done, part in enumerate(parts, start=1):
        yield part
        if progress is not None:
            progress(done, number)


# ------------------------------------------------------------------------------
# Processes of our own. They start anew, without what the main program is, and end with it.


class _Worker(multiprocessing.context.SpawnProcess):
    def start(self) -> None:
        """Start without the main program, which would run again, and deaf to Ctrl-C."""
        main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:
            with without_interrupts():
                super().start()
        finally:
            sys.modules["__main__"] = main


class _Workers(multiprocessing.context.SpawnContext):
    def __init__(self) -> None:
        super().__init__()
        self.all: list[_Worker] = []

    def Process(self, *args: Any, **options: Any) -> _Worker:  # type: ignore[override]  # noqa: N802
        worker = _Worker(*args, **options)
        self.all.append(worker)
        return worker


def _end_with_parent() -> None:
    """Wait in a thread for the end of the process that started this one, however it ends."""
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Processes:
    """Worker processes, kept for the next question: to start one takes as long as many blocks."""

    def __init__(self, number: int) -> None:
        from concurrent.futures import ProcessPoolExecutor

        self.context = _Workers()
        self.pool = ProcessPoolExecutor(number, self.context, initializer=_end_with_parent)
        with without_interrupts():  # a pool that is half begun cannot be ended
            for _ in range(number):
                self.pool.submit(os.getpid)

    def close(self) -> None:
        for process in self.context.all:
            if process.pid is not None:
                process.kill()
        self.pool.shutdown(cancel_futures=True)


_open: dict[str, Any] = {}  # what was started for a name, until this process ends


def close(*specs: str) -> None:
    """End the processes, or the clusters, that some engines have started; by default all."""
    for spec in specs or [*_open]:
        if spec in _open:
            _open.pop(spec).close()


atexit.register(close)


class Readers:
    """The workers of an engine that has some elsewhere, opened when there is a file to be read."""

    def __init__(self, spec: Any) -> None:
        self._spec = getattr(spec, "on", spec)  # a checkpoint keeps what is asked, not what is read

    @property
    def workers(self) -> int:
        named = self._spec.partition(":")[0] if isinstance(self._spec, str) else self._spec
        if named in {None, "serial", "threads"}:
            return 0
        with engine(self._spec) as running:
            return running.workers

    def map(self, work: Callable[..., Out], *numbers: Iterable[Any]) -> Iterator[Out]:
        with engine(self._spec) as running:
            yield from running.map(work, *numbers)


# ------------------------------------------------------------------------------
# By name, or as what somebody has already.


@contextmanager
def engine(spec: Any = "threads") -> Iterator[KeepingEngine]:
    """Open an engine by its name, an executor or a client, with one thread for linear algebra."""
    with one_blas_thread():
        if isinstance(spec, str):
            with _named(spec) as running:
                yield running
        elif isinstance(spec, Executor):
            workers = getattr(spec, "_max_workers", None)  # those of Python say so
            known = workers if type(workers) is int else 0
            others = 0 if isinstance(spec, ThreadPoolExecutor) else known or 1
            yield WindowedExecutor(spec, PER_WORKER * known or WAITING, others)
        elif type(spec).__module__.partition(".")[0] == "distributed":
            from deadheat.resampling.cluster import Cluster

            yield Cluster(spec)
        elif hasattr(spec, "opened"):
            with spec.opened() as running:
                yield running
        else:
            yield Serial(spec)


@contextmanager
def _named(spec: str) -> Iterator[KeepingEngine]:
    if spec == "serial":
        yield Serial()
        return
    if spec.startswith("dask://"):
        from deadheat.resampling import cluster

        if spec not in _open:
            _open[spec] = cluster.connected(spec.removeprefix("dask://"))
        yield _open[spec]
        return
    kind, number = _parsed(spec)
    if kind == "threads":
        pool = ThreadPoolExecutor(number)
        try:
            yield WindowedExecutor(pool, PER_WORKER * number)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
        return
    try:
        if kind == "dask":
            from deadheat.resampling import cluster

            if spec not in _open:
                _open[spec] = cluster.on_this_machine(number)
            yield _open[spec]
        else:
            if spec not in _open:
                _open[spec] = Processes(number)
            yield WindowedExecutor(_open[spec].pool, PER_WORKER * number, number)
    except BaseException:  # an interrupt above all: nothing goes on behind the reader's back
        close(spec)
        raise


def _parsed(spec: str) -> tuple[str, int]:
    kind, _, number = spec.partition(":")
    known = kind in {"threads", "processes", "dask"} and (number or "1").isdecimal()
    if not known or number.strip("0") == "" != number:
        raise UsageError(f"unknown engine {quoted(spec)}.", hint=f"known: {KNOWN}.")
    if len(number) > 4 or int(number or 1) > MOST_WORKERS:
        raise UsageError(
            f"engine {quoted(spec)} has more than {MOST_WORKERS:,} "
            f"{'workers' if kind == 'dask' else kind}.",
            hint=f"one for each processor: {command_with(engine=kind)}",
        )
    return kind, int(number) if number else os.cpu_count() or 1
