"""What every test may ask for."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

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


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of the development data, which no checkout contains."""
    shared = Path(os.environ.get("DEADHEAT_SHARED") or ROOT.parent / "shared")
    folder = shared / "data"
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder} (set DEADHEAT_SHARED)")
    return folder
