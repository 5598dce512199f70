"""One cluster, and one pool of processes, for all tests of engines."""

from __future__ import annotations

import pytest

from deadheat.ranking.function import FUNCTIONS
from deadheat.resampling import engines


@pytest.fixture(autouse=True)
def registered():
    """Forget the functions that a test registers."""
    known = [*FUNCTIONS]
    yield
    for name in {*FUNCTIONS} - {*known}:
        del FUNCTIONS[name]


@pytest.fixture(scope="session")
def on():
    """Return what opens an engine by name; Dask is skipped where it is not installed."""

    def chosen(name):
        if name.startswith("dask"):
            pytest.importorskip("distributed", reason="the extra dask is not installed")
        return name

    yield chosen
    engines.close()
