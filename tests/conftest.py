"""What every test may ask for."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# What is drawn hangs on no source that happens to be imported: the same cases in any order.
providers._get_local_constants = lambda: providers._local_constants

settings.register_profile("deadheat", derandomize=True, deadline=None, max_examples=20)
settings.load_profile("deadheat")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as it is for what a shell runs behind `&`
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else no test of Ctrl-C would end
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

gc.set_threshold(50_000, 20, 100)  # thousands of tests are held, none of which is garbage


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


ROOT = Path(__file__).resolve().parent.parent
TOGETHER = ("tests/browser/", "tests/report/")  # what they make is made once, on one worker
LONG = (
    *TOGETHER,
    "tests/cli/test_cli_hints.py",
    "tests/data/test_read_pieces.py",
    "tests/test_docs.py",
    "tests/resampling/",
    "tests/reproduce/",
    "tests/data/",
    "tests/test_benchmarks.py",
    "tests/contract/",
    "tests/cli/",
)


@pytest.hookimpl(trylast=True)  # after they are put in random order
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what takes long come first, or it would come last while other workers are idle."""

    def turn(item: pytest.Item) -> tuple[int, bool]:
        place = next(k for k, each in enumerate((*LONG, "")) if item.nodeid.startswith(each))
        return place, item.get_closest_marker("last") is not None

    items.sort(key=turn)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep some folders on one worker each, where files are."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next(filter(nodeid.startswith, TOGETHER), "") or super()._split_scope(nodeid)

    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the development data, which no checkout contains."""
    shared = Path(os.environ.get("DEADHEAT_SHARED") or ROOT.parent / "shared")
    folder = shared / "data"
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder} (set DEADHEAT_SHARED)")
    return folder
