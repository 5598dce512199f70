"""One cluster, and one pool of processes, for all tests of engines."""

from __future__ import annotations

import pytest

from deadheat.resampling import engines

ELSEWHERE = ("processes:2", "dask:2")


@pytest.fixture(scope="session")
def on():
    """Return what opens an engine by name; Dask is skipped where it is not installed."""

    def chosen(name):
        if name.startswith("dask"):
            pytest.importorskip("distributed", reason="the extra dask is not installed")
        return name

    yield chosen
    engines.close()
