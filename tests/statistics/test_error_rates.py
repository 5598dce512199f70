"""Figures that a page quotes are those of the one table of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadheat.statistics import error_rates
from deadheat.statistics.error_rates import per_cent

PAGE = Path(__file__).parents[2] / "docs" / "verdict.md"


@pytest.mark.parametrize(
    "words",
    [
        f"one candidate's true rank in {per_cent(error_rates.RANGE_HOLDS_ONE_RANK)} of cases",
        f"all candidates hold is true in {per_cent(error_rates.RANGES_HOLD_ALL_RANKS)}",
    ],
)
def test_the_page_quotes_what_was_measured(words):
    assert words in " ".join(PAGE.read_text(encoding="utf-8").split())
