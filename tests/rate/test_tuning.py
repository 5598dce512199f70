"""Trials one after another: chances by hand, the stop rule, costs, and which setting is next."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UsageError

SPLITS = 10
HOW = {"better": "higher", "errors": "sandwich", "simulations": 0}


def table(levels, noise=0.0, names=None):
    """Return scores whose levels decide every split, up to the noise."""
    rng = np.random.default_rng(3)
    scores = np.array(levels, float)[:, None] + noise * rng.normal(size=(len(levels), SPLITS))
    names = names or [f"knn_{k}" for k in range(len(levels))]
    return dh.Results(scores=scores, candidates=names, better="higher")


def test_a_setting_that_wins_all_splits_is_seen_where_it_is_tried():
    rows = dh.rate(table([0, -1, -2, 5, 1, 2, 3]), errors="sandwich", simulations=0).tuning(more=2)
    assert [row["setting"] for row in rows] == [f"knn_{k}" for k in range(7)]
    assert [row["best"] for row in rows] == 3 * ["knn_0"] + 4 * ["knn_3"]
    assert [row["p_beats_default"] for row in rows] == [0.5] * 3 + [1.0] * 4
    assert [row["p_beats_before"] for row in rows] == [None, 0, 0, 1, 0, 0, 0]
    assert [row["p_next"] for row in rows] == [0, 1, 1, 0, 0, 0, None]
    assert [row["p_random"] for row in rows] == pytest.approx([2 / (k + 2) for k in range(1, 8)])
    assert [row["stop"] for row in rows] == [False, False, True, True, True, True, True]


def test_the_rule_goes_on_while_trials_improve_and_stops_when_they_do_not():
    rows = dh.rate(table([0, 1, 2, 3, 4, 3, 2, 1]), errors="sandwich", simulations=0)
    stops = [row["trial"] for row in rows.tuning(more=2) if row["stop"]]
    assert stops[0] == 7  # trials 6 and 7 are the first two that do not beat the best before
    assert "stops 1 of 1 search, after 7 of 8 trials" in rows.table("tuning", more=2).sentence
    rising = dh.rate(table(range(8)), errors="sandwich", simulations=0)
    assert not any(row["stop"] for row in rising.tuning(more=2))
    assert "stops no search" in rising.table("tuning", more=2).sentence
    with pytest.raises(UsageError, match="more must be"):
        rising.tuning(more=0)


def test_equal_settings_promise_nothing():
    """The best of equals, chosen on half of the splits, wins half of the others."""
    rows = dh.rate(table(12 * [0], noise=1.0), errors="sandwich", simulations=0).tuning()
    assert np.mean([row["p_beats_default"] for row in rows[6:]]) == pytest.approx(0.5, abs=0.2)


def written(tmp_path, without=(), seconds=1.0):
    path = tmp_path / "scores.csv"
    levels = {"knn_1": 0, "knn_2": 1, "rf_1": 2, "rf_2": 3}
    rng = np.random.default_rng(4)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model", "dataset", "split", "auc", "seconds"])
        for data_set in ("iris", "wine", "kc1"):
            for split in range(SPLITS):
                for k, (name, level) in enumerate(levels.items(), start=1):
                    if (data_set, name) not in without:
                        score = level + rng.normal()
                        writer.writerow([name, data_set, split, score, seconds * k])
    return path


COLUMNS = {"candidate": "model", "score": "auc", "ignore": ["seconds"]}


def test_costs_are_summed_over_splits_and_trials(tmp_path):
    how = {**HOW, **COLUMNS, "tournament": "dataset", "round": "split"}
    found = dh.rate(written(tmp_path), cost="seconds", **how)
    rows = found.tuning()["wine"]
    assert [row["cost"] for row in rows] == pytest.approx([10, 20, 30, 40])
    assert [row["spent"] for row in rows] == pytest.approx([10, 30, 30, 70])  # of each algorithm
    assert found.rows() == dh.rate(written(tmp_path), **how).rows()
    table = found.table("tuning", more=1)
    assert len(table.rows()) == 12
    assert "the last 1 trial does not beat" in table.sentence
    assert "stops no search" in table.sentence
    with pytest.raises(DataError, match="below 0"):
        dh.rate(written(tmp_path, seconds=-1.0), cost="seconds", **how)
    with pytest.raises(UsageError, match="no file or frame"):
        dh.rate(dh.examples.load("models"), cost="fit_time")
    with pytest.raises(UsageError, match="this table is wide"):
        dh.rate(dh.examples.path("compressors"), candidates="rows", cost="size")


def test_the_sentence_is_about_whole_searches_whoever_is_shown(tmp_path):
    one = dh.rate(table([0, 1, 2, 3, 4, 3, 2, 1]), errors="sandwich", simulations=0)
    some = one.show_only("knn_0,knn_7").table("tuning", more=2)
    assert [row["setting"] for row in some.rows()] == ["knn_0", "knn_7"]
    assert some.sentence == one.table("tuning", more=2).sentence
    assert one.visible is None
    how = {**HOW, **COLUMNS, "tournament": "dataset", "round": "split", "cost": "seconds"}
    several = dh.rate(written(tmp_path), **how)
    some = several.show_only("rf_2").table("tuning", more=1)
    assert [row["tournament"] for row in some.rows()] == ["iris", "wine", "kc1"]
    assert some.sentence == several.table("tuning", more=1).sentence


def costs_of(path, **how):
    how = {**HOW, **COLUMNS, "tournament": "dataset", "round": "split"} | how
    return [row["cost"] for row in dh.rate(path, cost="seconds", **how).tuning()["wine"]]


def test_a_fit_without_a_cost_is_named(tmp_path):
    path = written(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    for missing in ("rf_1,wine,", "rf_1,wine,3,"):
        cut = (row.rpartition(",")[0] + "," if row.startswith(missing) else row for row in lines)
        path.write_text("\n".join(cut), encoding="utf-8")
        with pytest.raises(DataError, match=r"costs of 'rf_1' on 'wine' are missing: [09] in"):
            costs_of(path)


def test_options_of_the_scores_do_not_change_costs(tmp_path):
    path = written(tmp_path)
    for how in ({"scale_scores": "global"}, {"missing": "worst"}, {"tie_tol": 5.0}):
        assert costs_of(path, **how) == pytest.approx([10, 20, 30, 40])
    path.with_suffix(".toml").write_text('scale_scores = "judge"\n', encoding="utf-8")
    assert costs_of(path) == pytest.approx([10, 20, 30, 40])
    path.with_suffix(".toml").unlink()
    rows = {"round": None, "tournament": None, "judge": "dataset", "combine": "mean"}
    rows |= {"ignore": ["seconds", "split"]}
    found = dh.rate(path, cost="seconds", **HOW, **COLUMNS | rows)
    assert [row["cost"] for row in found.tuning()] == pytest.approx([30, 60, 90, 120])


def test_the_best_untried_setting_of_the_other_data_sets_is_next(tmp_path):
    path = written(tmp_path, without={("kc1", "rf_2"), ("kc1", "knn_1")})
    found = dh.rate(path, tournament="dataset", round="split", **HOW, **COLUMNS)
    rows = {row["tournament"]: row for row in found.table("navigation").rows()}
    assert (rows["kc1"]["next"], rows["kc1"]["best"]) == ("rf_2", "rf_1")
    chances = [found.of(name).p_beats("rf_2", "rf_1").p for name in ("iris", "wine")]
    assert rows["kc1"]["p_next"] == pytest.approx(np.mean(chances))
    assert rows["iris"]["next"] is None
    assert (rows["iris"]["guess"], rows["iris"]["trials_to_best"]) == ("rf_2", 1)
    assert rows["iris"]["trials_at_random"] == 2.5
    assert "Try next: rf_2 on 'kc1'" in found.table("navigation").sentence


def test_one_data_set_of_a_table_with_splits_is_rated_as_among_the_others():
    path = dh.examples.path("models")
    quick = {"errors": "sandwich", "simulations": 0}
    one = dh.rate(path, where="task=credit", round="split", **quick)
    several = dh.rate(path, where="task=credit", tournament="task", round="split", **quick)
    assert one.ratings == pytest.approx(several.of("credit").ratings)
    assert any("all 20 rounds are of 'credit'" in text for text in one.warnings)
    drawn = dh.rate(path, where="task=credit", replicates=50, simulations=0, alpha=0.5)
    assert "20 splits, drawn with replacement" in drawn.drawn
