"""Results of every type that has pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from subjects import subject


@pytest.fixture
def subject_of() -> Callable[..., Any]:
    return subject
