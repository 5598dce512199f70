"""Numbers of criteria that pictures draw, against loops over the tables."""

from __future__ import annotations

import statistics

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import spoken


def made(seed):
    rng = np.random.default_rng(seed)
    return dh.Results(scores=rng.normal(0, 1, (5, 12)), better="higher")


@pytest.fixture(scope="module", params=[1, 3])
def found(request):
    tables = [made(seed) for seed in range(request.param)]
    return dh.criteria(tables if len(tables) > 1 else tables[0], trials=30, q=3, repeats=2)


def drawn(picture, *keys):
    every = picture.spec()["datasets"].values()
    return [row for rows in every for row in rows if {*keys} <= {*row}]


def test_bars_end_two_standard_errors_from_the_mean(found):
    bars = drawn(found.plot("criteria"), "function", "error")
    ending = "_se_tables" if found.several else "_se"
    expected = {
        (spoken(row["function"]), row[c.name]): row[f"{c.name}{ending}"]
        for row in found.rows()
        for c in found.criteria
    }
    assert len(bars) == 5 * len(found.names)
    for bar in bars:
        error = expected[bar["function"], bar["value"]]
        assert bar["error"] == pytest.approx(error)
        if bar["low"] is not None:  # of a baseline inside the picture
            ends = (bar["value"] - 2 * error, bar["value"] + 2 * error)
            if bar["function"] == spoken(
                found.names[-1]
            ):  # the baseline is cut where the axis ends
                ends = (max(bar["low"], ends[0]), min(bar["high"], ends[1]))
            assert (bar["low"], bar["high"]) == pytest.approx(ends)


def test_facts_have_mean_and_deviation_of_every_function_on_every_table(found):
    facts = found.facts()
    for t, table in enumerate(found.measured):
        for name, values in table.values.items():
            for i, own in enumerate(values.tolist()):
                known = [value for value in own if value == value]
                assert facts["by_table"][name][t][i] == pytest.approx(statistics.mean(known))
                if name.startswith("stability"):
                    assert facts["spread"][name][t][i] == pytest.approx(statistics.stdev(known))
    assert {*facts["spread"]} == {"stability_judges", "stability_candidates"}


def test_the_mean_of_a_table_leaves_the_random_dictator_out(found):
    points = {row["name"]: row["y"] for row in drawn(found.plot("concordance"), "name", "x")}
    for table in found.measured:
        values = [v for v in table.means("generalization").tolist()[:-1] if v == v]
        if found.several:
            assert points[table.results.source] == pytest.approx(sum(values) / len(values))
    if not found.several:  # one point beside nothing is told in a sentence
        assert points == {}


def test_a_table_without_any_value_has_no_point():
    picture = dh.criteria([made(0), made(1)], trials=0).plot("concordance")
    assert not drawn(picture, "name", "x")
    assert "2 tables without a defined value left out" in picture.see
