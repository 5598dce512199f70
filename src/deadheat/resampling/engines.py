"""Where the work runs: serial, threads, processes, Dask, any executor.

A task is the number of a block. What the blocks share, the table above all, goes to each worker
once; workers draw their own weights, and only arrays come back. No engine changes a bit of it.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import pickle
import secrets
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from types import ModuleType
from typing import Any, Protocol, TypeVar, cast

from threadpoolctl import ThreadpoolController

from deadheat.core.errors import (
    DeadheatError,
    OwnFunctionError,
    UsageError,
    first_sentence,
    quoted,
    say,
)

In = TypeVar("In")
Out = TypeVar("Out")
Progress = Callable[[int, int], None]  # is told how many tasks are done, and how many there are
Keep = Callable[[int, Any], None]  # is told the place of a task among all, and its answer

WAITING = 256  # tasks that wait in an executor of which nobody knows how many workers it has
MOST_WORKERS = 1_000
PER_WORKER = 3  # tasks that wait for each worker
POLL = 0.5  # seconds between two looks at what else is done
KNOWN = "serial, threads, processes, dask, dask://HOST:PORT; threads:2 has 2 workers"


class Engine(Protocol):
    def map(self, fn: Callable[[In], Out], *iterables: Iterable[In]) -> Iterable[Out]: ...


class KeepingEngine(Protocol):
    """An engine that hands over answers as soon as they are there, not only in order."""

    @property
    def workers(self) -> int: ...  # besides this process
    def map(
        self, fn: Callable[[In], Out], *iterables: Iterable[In], keep: Keep | None = None
    ) -> Iterable[Out]: ...


class Serial:
    workers = 0

    def __init__(self, engine: Engine | None = None) -> None:
        self._map = map if engine is None else engine.map

    def map(
        self, fn: Callable[[In], Out], *iterables: Iterable[In], keep: Keep | None = None
    ) -> Iterator[Out]:
        for k, answer in enumerate(self._map(fn, *iterables)):
            if keep is not None:
                keep(k, answer)
            yield answer


def with_progress(parts: Iterable[Out], number: int, progress: Progress | None) -> Iterator[Out]:
    for done, part in enumerate(parts, start=1):
        yield part
        if progress is not None:
            progress(done, number)


# ------------------------------------------------------------------------------
# One thread for linear algebra: parallelism belongs to the engine.

_asking = Lock()
_askers: dict[str, Any] = {"number": 0, "modules": -1}


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold the linear algebra library to one thread until the last who asked for it is done."""
    with _asking:
        if _askers["number"] == 0:
            if _askers["modules"] != len(sys.modules):  # a library may have come with a module
                _askers["libraries"] = ThreadpoolController().select(user_api="blas")
                _askers["modules"] = len(sys.modules)
            _askers["limits"] = _askers["libraries"].limit(limits=1)
        _askers["number"] += 1
    try:
        yield
    finally:
        with _asking:
            _askers["number"] -= 1
            if _askers["number"] == 0:
                _askers.pop("limits").restore_original_limits()


# ------------------------------------------------------------------------------
# A function on its way to the workers, and what comes back.


class Missing:
    """What a worker answers that has not got the function yet."""


@dataclass(frozen=True)
class Failure:
    """What a worker answers where the function failed; its traceback stays there."""

    text: str
    error: DeadheatError | None = None

    def again_here(self, fn: Callable[..., Any], items: tuple[Any, ...]) -> Any:
        """Raise what went wrong: the block fails here too, unless it is the worker's fault."""
        if self.error is not None:
            raise self.error
        fn(*items)
        raise UsageError(
            f"a worker failed where this process does not: {self.text}.",
            hint="workers need the packages and files that your function uses; "
            f"{say('engine', 'threads')} has none but this process.",
        )


class Function:
    """What all tasks of a row share, with the bytes by which it travels."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn, self.name = fn, secrets.token_hex(8)

    @cached_property
    def content(self) -> bytes:
        import cloudpickle  # type: ignore[import-untyped]

        for module in list(sys.modules.values()):
            if _has_another_name(module):  # than workers could import it by
                cloudpickle.register_pickle_by_value(module)
        try:
            return cast("bytes", cloudpickle.dumps(self.fn))
        except Exception as error:
            raise UsageError(
                f"the work cannot be sent to other processes: {first_sentence(error)}.",
                hint="a function must not hold what only this process has, such as an open file "
                f"or a lock; {say('engine', 'threads')} sends nothing.",
            ) from error


@dataclass(frozen=True)
class Carried:
    """Call a function; pickled, it is the name of it, and ``whole`` its content too."""

    function: Function
    whole: bool

    def __call__(self, *items: Any) -> Any:
        return self.function.fn(*items)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sent, (self.function.name, self.function.content if self.whole else None)


def _has_another_name(module: ModuleType) -> bool:
    spec = getattr(module, "__spec__", None)
    origin = getattr(spec, "origin", None) or ""
    if not isinstance(origin, str) or not origin.endswith(".py") or module.__name__ == "__main__":
        return False
    last = module.__name__.rpartition(".")[2]
    return os.path.basename(origin)[:-3] not in {last, "__init__"}  # noqa: PTH119 - of many


@dataclass(frozen=True)
class Sent:
    """A function as it arrives in another process, which keeps the last two."""

    name: str
    content: bytes | None

    def __call__(self, *items: Any) -> Any:
        with one_blas_thread():
            try:
                with _arriving:
                    if self.name not in _arrived:
                        if self.content is None:
                            return Missing()
                        _arrived[self.name] = pickle.loads(self.content)  # noqa: S301
                        for old in [*_arrived][:-2]:
                            del _arrived[old]
                    fn = _arrived[self.name]
                return fn(*items)
            except Exception as error:  # noqa: BLE001 - it is raised where somebody sees it
                ours = isinstance(error, DeadheatError) and not isinstance(error, OwnFunctionError)
                text = f"{type(error).__name__}: {first_sentence(error)}"
                return Failure(text, cast("DeadheatError", error) if ours else None)


_arrived: dict[str, Callable[..., Any]] = {}
_arriving = Lock()


# ------------------------------------------------------------------------------
# Tasks in a window: a row of a million of them is never whole in memory.


@dataclass
class Asked:
    """A task that was submitted: its place, what it was given, and where its answer will be."""

    place: int
    items: tuple[Any, ...]
    future: Any
    kept: bool = False


class NotYet(Exception):  # noqa: N818
    """The answer is not there; others may be."""


class WindowedExecutor:
    """Give tasks to an executor a few at a time: ``Executor.map`` holds a million in memory."""

    def __init__(self, executor: Executor | None, window: int, workers: int = 0) -> None:
        self.executor, self.window, self.workers = executor, window, workers

    def __reduce__(self) -> tuple[Any, ...]:
        return Serial, ()  # inside a worker

    def submit(self, function: Function, items: tuple[Any, ...], *, whole: bool) -> Any:
        assert self.executor is not None
        return self.executor.submit(Carried(function, whole), *items)

    def map(
        self, fn: Callable[[In], Out], *iterables: Iterable[In], keep: Keep | None = None
    ) -> Iterator[Out]:
        function, waiting = Function(fn), deque[Asked]()
        try:
            for place, items in enumerate(zip(*iterables, strict=False)):
                future = self.submit(function, items, whole=place < self.workers)
                waiting.append(Asked(place, items, future))
                if len(waiting) == self.window:
                    yield self._first(function, waiting, keep)
            while waiting:
                yield self._first(function, waiting, keep)
        finally:
            for task in waiting:
                task.future.cancel()

    def _first(self, function: Function, waiting: deque[Asked], keep: Keep | None) -> Any:
        """Return the next answer; keep meanwhile what is there of the others."""
        first = waiting[0]
        while True:
            _keep_done(waiting, keep)
            try:
                answer = self.result(function, first, None if keep is None else POLL)
            except NotYet:
                continue
            except BrokenExecutor as error:
                raise lost("a worker process") from error
            if isinstance(answer, Missing):
                first.future = self.submit(function, first.items, whole=True)
                continue
            if isinstance(answer, Failure):
                answer = answer.again_here(function.fn, first.items)
            waiting.popleft()
            if keep is not None and not first.kept:
                keep(first.place, answer)
            return answer

    def result(self, function: Function, task: Asked, timeout: float | None) -> Any:  # noqa: ARG002 - for those who ask again
        try:
            return task.future.result(timeout)
        except TimeoutError:
            if task.future.done():  # meanwhile, or it is the function that gave up
                return task.future.result()
            raise NotYet from None


def _keep_done(waiting: Iterable[Asked], keep: Keep | None) -> None:
    for task in waiting if keep is not None else ():
        if task.kept or not task.future.done():
            continue
        with contextlib.suppress(Exception):  # it is raised when its turn comes
            answer = task.future.result(POLL)
            if not isinstance(answer, Missing | Failure):
                task.kept = True
        if task.kept and keep is not None:
            keep(task.place, answer)


def lost(what: str) -> UsageError:
    return UsageError(
        f"{what} has ended before its work was done, perhaps for want of memory.",
        hint=f"{say('checkpoint', 'FOLDER')} keeps finished blocks, so that the same command goes "
        f"on after them; fewer workers take less memory: {say('engine', 'processes:1')}.",
    )


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


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let what is started meanwhile never hear of Ctrl-C: whoever started it hears, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
    if kind not in {"threads", "processes", "dask"} or (number and not number.isdecimal()):
        raise UsageError(f"unknown engine {quoted(spec)}.", hint=f"known: {KNOWN}.")
    if number and (len(number) > 4 or not 0 < int(number) <= MOST_WORKERS):
        raise UsageError(
            f"engine {quoted(spec)} has "
            f"{'no' if number.strip('0') == '' else f'more than {MOST_WORKERS:,}'} "
            f"{kind if kind != 'dask' else 'workers'}.",
            hint=f"{kind} alone takes one for each processor.",
        )
    return kind, int(number) if number else os.cpu_count() or 1
