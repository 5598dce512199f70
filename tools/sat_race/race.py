"""All runs of the competition, in a shuffled order, some at a time, each journalled at once."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sat_race.run import Outcome, Run

PAUSE = 0.005


@dataclass(frozen=True, order=True)
class Job:
    """A solver on a copy of an instance; seed 0 is the instance as it was generated."""

    solver: str
    instance: str
    seed: int


class DisagreementError(Exception):
    """Two solvers, or a solver and its own model, do not agree."""


class Answers:
    """What is known about each instance, and who said it first."""

    def __init__(self) -> None:
        self.said: dict[str, tuple[str, Job]] = {}

    def check(self, job: Job, status: str, answer: str) -> None:
        """Compare an answer with those before it; shuffled copies share the truth."""
        if status == "wrong":
            raise DisagreementError(
                f"{job.solver} says SAT on {job.instance} (copy {job.seed}), "
                "but its model breaks a clause."
            )
        if not answer:
            return
        first, witness = self.said.setdefault(job.instance, (answer, job))
        if first != answer:
            raise DisagreementError(
                f"{job.solver} says {answer} on {job.instance} (copy {job.seed}), "
                f"but {witness.solver} said {first} (copy {witness.seed})."
            )


def in_random_order(jobs: Sequence[Job], seed: int) -> list[Job]:
    """Shuffle, so that the noise of the machine is tied to no solver and no family."""
    return Random(seed).sample(sorted(jobs), len(jobs))


def race(
    jobs: Sequence[Job],
    formulas: Mapping[tuple[str, int], array[int]],
    *,
    cutoff: float,
    at_once: int,
    start: Callable[..., Run] = Run,
) -> Generator[tuple[Job, Outcome]]:
    """Run the jobs in the given order, at most `at_once` at a time, and yield each as it ends.

    Closing the generator ends the processes that still run.
    """
    waiting = iter(jobs)
    running: dict[int, tuple[Job, Run]] = {}
    try:
        while True:
            while len(running) < at_once and (job := next(waiting, None)) is not None:
                run = start(job.solver, formulas[job.instance, job.seed], cutoff=cutoff)
                running[run.pid] = job, run
            if not running:
                return
            for pid in list(running):
                done, status, usage = os.wait4(pid, os.WNOHANG)
                if done:
                    job, run = running.pop(pid)
                    yield job, run.finish(status, usage)
                else:
                    running[pid][1].check_wall()
            time.sleep(PAUSE)
    finally:
        for _, run in running.values():
            run.abandon()
