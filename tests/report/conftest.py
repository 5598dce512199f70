"""Results of every type that has pictures, and pictures that are drawn quickly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import altair as alt
import pytest
from altair.utils import schemapi
from subjects import subject


@pytest.fixture(scope="session", autouse=True)
def one_table_of_classes() -> Iterator[None]:
    """Let Altair list its classes once: for every ``x2="high:Q"`` takes a third of the drawing."""
    converter = schemapi._FromDict(alt.VegaLiteSchema._default_wrapper_classes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemapi, "_FromDict", lambda _: converter)
        yield


@pytest.fixture
def subject_of() -> Callable[..., Any]:
    return subject
