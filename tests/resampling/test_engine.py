"""Engines: tasks in a window, answers in order, and an end that waits for nobody."""

import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import count, islice

import pytest

from deadheat.core.errors import UsageError
from deadheat.resampling.engines import WAITING, engine


class Counting(Executor):
    """Run a task when its answer is asked for, and count those that wait."""

    def __init__(self):
        self.waiting = self.most = self.cancelled = 0

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        ask = future.result

        def answer(timeout=None):
            self.waiting -= 1
            future.set_result(fn(*args, **kwargs))
            return ask(timeout)

        future.result = answer
        future.add_done_callback(self._count)
        return future

    def _count(self, done):
        self.cancelled += done.cancelled()


def test_tasks_are_submitted_in_a_window():
    """A billion replicates are a million tasks; few of them may wait at a time."""
    executor = Counting()
    with engine(executor) as running:
        assert list(running.map(str, range(5_000))) == [str(k) for k in range(5_000)]
    assert executor.most <= WAITING


@pytest.mark.parametrize("workers", [2, 500])
def test_every_worker_of_an_executor_that_counts_them_has_tasks(workers):
    executor = Counting()
    executor._max_workers = workers
    with engine(executor) as running:
        assert len(list(running.map(str, range(5_000)))) == 5_000
    assert workers < executor.most <= 4 * workers


@pytest.mark.parametrize("spec", ["serial", "threads", "threads:1", "threads:3"])
def test_an_endless_row_of_tasks_is_begun(spec):
    with engine(spec) as running:
        assert list(islice(running.map(lambda k: -k, count()), 100)) == [-k for k in range(100)]


def test_tasks_that_nobody_waits_for_any_more_are_cancelled():
    executor = Counting()
    with engine(executor) as running:
        answers = running.map(str, count())
        next(answers)
        answers.close()
    assert executor.cancelled == executor.most - 1


def test_the_first_error_ends_the_tasks():
    begun = []

    def fail(k):
        begun.append(k)
        raise ValueError(k)

    with pytest.raises(ValueError, match="0"), engine("threads:2") as running:
        list(running.map(fail, range(10**9)))
    assert len(begun) < 100


def test_an_interrupt_does_not_wait_for_what_the_workers_do():
    at_work, released, let_go = threading.Event(), threading.Event(), threading.Event()

    def work(_):
        at_work.set()
        released.wait(60)
        let_go.set()

    def ask(answers):
        with suppress(BaseException):
            next(answers)

    def interrupted():
        with engine("threads:1") as running:
            waiting = running.map(work, range(3))
            asking = threading.Thread(target=ask, args=(waiting,))
            asking.start()
            assert at_work.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not let_go.is_set()
    released.set()
    assert let_go.wait(60)


@pytest.mark.parametrize("number", ["1001", "1000000000", "9" * 5_000])
def test_more_threads_than_a_machine_has_are_refused(number):
    with pytest.raises(UsageError, match="more than 1,000 threads"), engine(f"threads:{number}"):
        pass


def test_an_engine_of_ones_own_needs_a_map_and_nothing_else():
    class Mine:
        def map(self, fn, *iterables):
            return map(fn, *iterables)

    with engine(Mine()) as running:
        assert list(running.map(abs, [-1, 2])) == [1, 2]


def test_an_executor_of_ones_own_stays_open():
    with ThreadPoolExecutor(1) as pool:
        with engine(pool) as running:
            assert list(running.map(abs, [-1, 2])) == [1, 2]
        assert pool.submit(abs, -3).result() == 3
