"""How tasks travel: one function, sent to each worker once, and the numbers of blocks.

Workers draw their own weights, and only arrays come back. No engine changes a bit of it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import secrets
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
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
    command_with,
    first_sentence,
)

In = TypeVar("In")
Out = TypeVar("Out")
Keep = Callable[[int, Any], None]  # is told the place of a task among all, and its answer

PER_WORKER = 3  # tasks that wait for each worker
POLL = 0.5  # seconds between two looks at what else is done


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
            hint="give workers the packages and files that your function uses; in this process: "
            + command_with(engine="threads"),
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
                f"or a lock; in this process: {command_with(engine='threads')}",
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
        hint=f"with one worker, which takes less memory: {command_with(engine='processes:1')}",
    )


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
