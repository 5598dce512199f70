"""Axes on which the last ones do not flatten the fight, and right is better."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import deadheat as dh
from deadheat.report.charts.rows import Axis, fitting_ends, how_many
from deadheat.report.sections.ranking import _lines

FIGHT = [(8.0, 10.0), (7.0, 9.0), (6.0, 8.0)]


def scales(spec: Any) -> list[dict[str, Any]]:
    """Every scale of a channel that has a domain of numbers."""
    if isinstance(spec, list):
        return [found for each in spec for found in scales(each)]
    if not isinstance(spec, dict):
        return []
    own = [spec["scale"]] if isinstance(spec.get("scale"), dict) else []
    return own + [found for each in spec.values() for found in scales(each)]


def test_an_axis_holds_everybody_where_nobody_is_far_behind():
    assert fitting_ends([*FIGHT, (1.0, 2.0)]) == (1.0, 10.0)


@pytest.mark.parametrize("behind", [-20.0, -1e6])
def test_the_better_half_takes_half_of_an_axis_however_far_the_last_ones_are(behind):
    low, high = fitting_ends([*FIGHT, (behind, behind + 1), (behind, behind + 2)])
    assert low <= 6 <= 10 == high
    assert (high - low) / 2 <= 4
    costs = [(-high, -low) for low, high in [*FIGHT, (behind, behind + 1), (behind, behind + 2)]]
    assert fitting_ends(costs, lower=True) == (-high, -low)


def test_right_is_better_on_both_kinds_of_axes():
    for axis in (Axis.fitting(FIGHT), Axis.fitting(FIGHT, lower=True, unit="seconds")):
        shares = [axis.share(value) for value in (6.0, 8.0, 10.0)]
        assert shares == sorted(shares, reverse=axis.lower)
        assert all(0 <= share <= 1 for share in [*shares, axis.share(1e9), axis.share(1e-9)])


def test_the_lines_of_a_table_are_those_of_the_picture():
    rows = [
        {"candidate": name, "group": 1, "rank": 1, "first_share": 0, "shown": (low + high) / 2}
        | {"rank_low": 1, "rank_high": 2, "low": low, "high": high}
        for name, (low, high) in zip("abc", FIGHT, strict=True)
    ]
    axis = Axis.fitting(FIGHT, lower=True, unit="seconds")
    for line, row in zip(
        _lines(rows, axis, 1, value="shown", ends=("low", "high")), rows, strict=True
    ):
        assert line["dot"] == pytest.approx(100 * axis.share(row["shown"]), abs=0.01)
        assert line["left"] <= line["dot"] <= line["right"]


def test_no_more_are_shown_than_there_are():
    assert [how_many(top, 5, most=3) for top in (None, 2, 9)] == [3, 2, 5]


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_a_scatter_runs_towards_better(better):
    scores = np.random.default_rng(4).exponential(size=(2, 30))
    table = dh.Results(scores=scores, candidates=["a", "b"], better=better)
    picture = dh.compare(table, "a", "b", replicates=50).plot("scatter")
    ends = [scale for scale in scales(picture.spec()) if "nice" in scale]
    assert ends
    assert all(scale.get("reverse", False) == (better == "lower") for scale in ends)
