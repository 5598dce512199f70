"""What panels of fewer judges say, against all panels of a small table, one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from criteria_oracle import sigma

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from oracle import ORACLES

TABLE = dh.Results(
    scores=np.random.default_rng(5).uniform(size=(6, 6)) + np.arange(6)[:, None] / 4,
    better="higher",
)


def all_panels(name, k, kind):
    """Return the exact means over every panel, and every two panels without a common judge."""
    scores, judges = TABLE.scores, range(TABLE.m)
    merits = {
        panel: np.round(ORACLES[name](scores[:, list(panel)]), 10)
        for panel in combinations(judges, k)
    }
    unseen = [
        np.nanmean([sigma(own, scores[:, j], kind) for j in judges if j not in panel])
        for panel, own in merits.items()
    ]
    pairs = [
        sigma(merits[a], merits[b], kind) for a in merits for b in merits if not set(a) & set(b)
    ]
    return np.nanmean(pairs) if pairs else np.nan, np.nanmean(unseen)


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_means_are_those_over_all_panels(kind):
    by = "mean,average_rank,copeland"
    found = dh.convergence(TABLE, by=by, trials=400, correlation=kind)
    for row in found.rows():
        if row["function"] == "random_dictator":
            continue
        exact = all_panels(row["function"], row["judges"], kind)
        for what, expected in zip(("stability", "generalization"), exact, strict=True):
            if np.isnan(expected):
                assert np.isnan(row[what])
            else:
                assert abs(row[what] - expected) < 4.5 * row[f"{what}_se"] + 1e-9
    assert sorted({row["judges"] for row in found.rows()}) == [1, 2, 3, 4]


def test_neither_the_engine_nor_other_functions_change_a_number():
    one = dh.convergence(TABLE, by="mean", trials=130, engine="serial").to_csv()
    two = dh.convergence(TABLE, by="copeland,mean", trials=130, engine="threads:2").to_csv()
    assert one.splitlines() == [line for line in two.splitlines() if "copeland" not in line]


def test_one_judge_of_a_table_of_two_is_a_panel():
    found = dh.convergence(TABLE.of_judges([0, 1]), by="mean", trials=10)
    assert [row["judges"] for row in found.rows()] == [1, 1]
    exact = sigma(TABLE.scores[:, 0], TABLE.scores[:, 1], "spearman")
    assert found.rows()[0]["stability"] == pytest.approx(exact)


def test_what_cannot_converge_is_refused():
    with pytest.raises(DataError, match="6 candidates and 1 judge"):
        dh.convergence(TABLE.of_judges([0]))
    with pytest.raises(UsageError, match="2 tables are given, and convergence is that of one"):
        dh.convergence([TABLE, TABLE.changed(source="b")])
    with pytest.raises(UsageError, match="trials must be a whole number of at least 2"):
        dh.convergence(TABLE, trials=1)
    with pytest.raises(UsageError, match="unknown correlation 'pearson'"):
        dh.convergence(TABLE, correlation="pearson")
    with pytest.raises(UsageError, match="stability"):
        dh.convergence(TABLE, stability="mean")


def test_relatives_among_the_judges_are_told_of():
    table = TABLE.changed(clusters=["x"] * TABLE.m)
    panels = dh.convergence(table, by="mean", trials=10)
    trials = dh.criteria(table, by="mean", trials=10, q=2, repeats=1)
    (said,) = (each for each in panels.warnings if "clusters of judges" in each)
    assert said in trials.warnings


def test_it_is_saved_whole():
    found = dh.convergence(TABLE, by="mean", trials=10)
    assert dh.load(found.to_json()).to_md() == found.to_md()
