"""Dask as an engine: a cluster on this machine, one elsewhere, or somebody's own client."""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import Any
from weakref import WeakKeyDictionary

from deadheat.core.errors import UsageError, command_with, first_sentence, quoted
from deadheat.core.files import own_folder
from deadheat.resampling.tasks import (
    PER_WORKER,
    POLL,
    Asked,
    Function,
    NotYet,
    Sent,
    WindowedExecutor,
    lost,
    without_interrupts,
)

PORT = 8786  # where schedulers wait unless told otherwise
PATIENCE = 5.0  # seconds that a scheduler may take to answer
WITHOUT_WORKERS = 30.0  # seconds that a cluster may have none: one that was killed comes back
TRIES = 5  # for one task, whose answer was lost with the worker that had it
PACKAGES = ("deadheat", "numpy", "scipy", "cloudpickle")


def _call(sent: Sent, *items: Any) -> Any:
    return sent(*items)


class Cluster(WindowedExecutor):
    """Give tasks to Dask: what they share is scattered to every worker, the tasks are numbers."""

    def __init__(self, client: Any, stack: ExitStack | None = None) -> None:
        super().__init__(None, 0)
        self.client, self.stack = client, stack or ExitStack()
        self.scattered: WeakKeyDictionary[Function, Any] = WeakKeyDictionary()
        if client not in _checked:
            _require_same_versions(client)
            _checked[client] = True

    def map(self, fn: Callable[..., Any], *iterables: Any, keep: Any = None) -> Any:
        self.workers = max(1, sum(self.client.nthreads().values()))
        self.window = PER_WORKER * self.workers
        return super().map(fn, *iterables, keep=keep)

    def submit(self, function: Function, items: tuple[Any, ...], *, whole: bool) -> Any:  # noqa: ARG002
        there = self.scattered.get(function)
        if there is None or there.status != "finished":
            sent = Sent(function.name, function.content)
            there = self.client.scatter(sent, broadcast=True, hash=False)
            self.scattered[function] = there
        return self.client.submit(_call, there, *items, pure=False)

    def result(self, function: Function, task: Asked, timeout: float | None) -> Any:  # noqa: ARG002
        """Return the answer of a task, asked again where it was lost with a worker."""
        from distributed import KilledWorker, wait

        tries, alone = 0, time.monotonic()
        while True:
            try:
                with self.client.as_current():
                    wait([task.future], POLL)  # type: ignore[no-untyped-call]
                return task.future.result(WITHOUT_WORKERS)
            except TimeoutError:
                if self._workers():
                    raise NotYet from None
                if time.monotonic() - alone > WITHOUT_WORKERS:
                    raise self._lost("every worker of the cluster") from None
            except KilledWorker as error:
                raise lost("every worker that had this block") from error
            except (CancelledError, OSError) as error:
                tries += 1
                if tries > TRIES or not self._workers():
                    raise self._lost("the cluster") from error
                task.future = self.submit(function, task.items, whole=True)
            except ImportError as error:
                raise _lacks("a worker", first_sentence(error)) from error

    def _workers(self) -> int:
        """Return how many workers there are, waiting for one that comes back."""
        until = time.monotonic() + WITHOUT_WORKERS
        while self.client.status == "running" and time.monotonic() < until:
            with contextlib.suppress(OSError, TimeoutError):
                if _answers(self.client.scheduler.address) and (found := self.client.nthreads()):
                    return len(found)
            time.sleep(POLL)
        return 0

    def _lost(self, what: str) -> UsageError:
        return lost(f"{what} at {self.client.scheduler.address}")

    def close(self) -> None:
        self.stack.close()


_checked: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "the engine dask needs the package distributed.",
            hint="pip install 'deadheat[dask]'\n"
            f"without another package: {command_with(engine='processes')}",
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are raised, and told once
    return distributed


def on_this_machine(number: int) -> Cluster:
    """Start a cluster of worker processes with one thread each, which ends with this process."""
    distributed = _distributed()
    import dask

    with ExitStack() as stack:
        folder = stack.enter_context(own_folder())
        own = {"temporary-directory": str(folder)}  # also of the scheduler
        with without_interrupts(), dask.config.set(own):
            local = distributed.LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # 8787 may be taken
                memory_limit=0,
                local_directory=str(folder),
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(local)
            client = stack.enter_context(distributed.Client(local, set_as_default=False))
        return Cluster(client, stack.pop_all())


def connected(place: str) -> Cluster:
    """Connect with a scheduler at ``HOST:PORT``; whoever does not answer soon is not there."""
    host, _, port = place.rstrip("/").rpartition(":") if ":" in place else (place, "", str(PORT))
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise UsageError(
            f"{quoted(f'dask://{place}')} is not the address of a scheduler.",
            hint=f"one is dask://HOST:{PORT}; on this machine: {command_with(engine='processes')}",
        )
    distributed, address = _distributed(), f"tcp://{host}:{port}"
    hint = (
        f"start one there at port {port}, and workers: dask worker {host}:{port}\n"
        f"on this machine: {command_with(engine='processes')}"
    )
    try:
        _answers(address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, UnicodeError, ValueError) as error:
        why = first_sentence(getattr(error, "strerror", None) or error)
        fact = f"no Dask scheduler answers at {host}:{port} ({why})."
        raise UsageError(fact, hint=hint) from error
    with ExitStack() as stack:
        stack.enter_context(client)
        if not client.nthreads():
            fact = f"the Dask scheduler at {host}:{port} has no worker."
            raise UsageError(fact, hint=f"start some: dask worker {host}:{port}")
        return Cluster(client, stack.pop_all())


def _answers(address: str) -> bool:
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal():  # inside one process
        return True
    with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as there:
        return bool(there.recv(1))  # a scheduler greets whoever comes; Dask waits for it for ever


def _require_same_versions(client: Any) -> None:
    """Refuse workers that would compute with other code: their last bits may be others."""

    def versions() -> dict[str, str]:  # by value: workers may lack this package
        import platform
        from importlib import import_module

        found = {"Python": platform.python_version()}
        for name in ("deadheat", "numpy", "scipy", "cloudpickle"):
            try:
                found[name] = str(import_module(name).__version__)
            except ImportError:
                found[name] = ""
        return found

    ours = versions()
    for worker, theirs in client.run(versions).items():
        absent = [name for name in PACKAGES if not theirs[name]]
        if absent:
            raise _lacks(f"worker {worker}", f"No module named {absent[0]!r}")
        other = [name for name in ours if theirs[name] != ours[name]]
        if other:
            name = other[0]
            raise UsageError(
                f"worker {worker} has {name} {theirs[name]}, this process {ours[name]}: "
                "answers could differ.",
                hint="install the same versions there: pip install "
                + " ".join(f"{each}=={ours[each]}" for each in PACKAGES[:3]),
            )


def _lacks(worker: str, why: str) -> UsageError:
    return UsageError(
        f"{worker} cannot do the work: {why}.",
        hint="install there what this process has (pip install 'deadheat[dask]' and what your "
        "function imports), or define the function in the program itself.",
    )
