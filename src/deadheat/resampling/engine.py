"""Where the work runs; the engine never changes a bit of the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any, Protocol, TypeVar

from threadpoolctl import threadpool_limits

from deadheat.errors import UsageError

In = TypeVar("In")
Out = TypeVar("Out")


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


@contextmanager
def engine(spec: str | Engine = "threads") -> Iterator[Engine]:
    """Open an engine: ``"serial"``, ``"threads"``, ``"threads:2"``, or any executor.

    Inside, the linear algebra library has one thread: parallelism belongs to the engine.
    """
    with one_blas_thread():
        if not isinstance(spec, str):
            yield spec
            return
        if spec == "serial":
            yield Serial()
            return
        with _threads(spec) as pool:
            yield pool


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


def _threads(spec: str) -> Executor:
    kind, _, number = spec.partition(":")
    if kind != "threads" or (number and not number.isdecimal()) or number == "0":
        raise UsageError(
            f"unknown engine {spec!r}.",
            hint="serial, threads, threads:N, or a concurrent.futures.Executor.",
        )
    return ThreadPoolExecutor(int(number) if number else os.cpu_count() or 1)
