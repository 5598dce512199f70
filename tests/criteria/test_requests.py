"""What is asked of criteria: what is refused and how, which tables, how much work."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.criteria import trials as orders
from deadheat.ranking.function import RankingFunction

QUICK = {"trials": 150, "q": 10, "repeats": 3, "engine": "serial"}


def skilled(seed=0, n=6, m=15, noise=1.0):
    rng = np.random.default_rng(seed)
    scores = np.arange(n)[:, None] + noise * rng.normal(size=(n, m))
    return dh.Results(scores=scores - scores.min() + 1, better="higher")


def test_a_function_that_the_scores_forbid_is_left_out_unless_it_is_named():
    table = dh.Results(scores=[[1.0, -2, 3], [0.5, 1, 2], [2.0, 0, 1]], better="higher")
    found = dh.criteria(table, **QUICK)
    assert "relative_difference" not in found.names
    assert any("relative_difference is left out" in w for w in found.warnings)
    with pytest.raises(DataError, match="at least 0"):
        dh.criteria(table, by="relative_difference", **QUICK)
    with pytest.raises(DataError, match="at least 0"):
        dh.criteria([table, table.changed(source="b")], by="relative_difference", **QUICK)


def test_missing_scores_are_refused_with_a_way_out():
    scores = np.array([[1.0, np.nan], [2.0, 1.0]])
    table = dh.Results(scores=scores, better="higher", missing="available")
    with pytest.raises(DataError, match="candidate_1' on judge 'judge_2' is missing") as caught:
        dh.criteria(table, **QUICK)
    assert "(1 in all)" in caught.value.fact
    assert "missing='worst'" in caught.value.hint


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda scores: scores, r"odd returned float64 of shape"),
        (lambda scores: scores[:-1, 0], r"odd returned float64 of shape"),
        (lambda scores: np.where(scores[:, 0] > 0, np.nan, 1.0), r"odd returned NaN for candidate"),
        (lambda scores: np.array(["x"] * len(scores)), r"odd returned"),
    ],
)
def test_a_function_that_returns_nonsense_is_named(returned, message):
    odd = RankingFunction(name="odd", kernel=returned, form="table", scale="interval")
    with pytest.raises(UsageError, match=message):
        dh.criteria(skilled(), by=[odd], **QUICK)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"correlation": "pearson"}, UnknownNameError),
        ({"stability": "median"}, UnknownNameError),
        ({"compat": "notebook"}, UnknownNameError),
        ({"over": "rows"}, UnknownNameError),
        ({"q": 1}, UsageError),
        ({"repeats": 0}, UsageError),
        ({"seed": -1}, UsageError),
        ({"by": "copland"}, UnknownNameError),
    ],
)
def test_wrong_words_are_refused(asked, error):
    with pytest.raises(error):
        dh.criteria(skilled(), **QUICK | asked)
    with pytest.raises(UsageError, match="no table"):
        dh.criteria([], **QUICK)


@pytest.mark.parametrize("trials", [-5, 2.5, True])
def test_a_wrong_number_of_trials_is_called_trials(trials):
    with pytest.raises(UsageError, match=r"trials must be a whole number of at least 0, got"):
        dh.criteria(skilled(), **QUICK | {"trials": trials})


def test_progress_is_told_over_all_tables():
    """In cells of resampled tables, so that a large table is more of the work than a small one."""
    told = []
    dh.criteria(
        [skilled(), skilled(1, n=3, m=8)],
        by="mean",
        progress=lambda done, number: told.append((done, number)),
        **QUICK,
    )
    tables = 150 + 2 * 3 * 10  # the trials, and 3 sets of 10 tables for each stability
    whole = tables * (6 * 15 + 3 * 8)
    assert told[-1] == (whole, whole)
    assert told == sorted(told)
    assert [done for done, _ in told][:3] == [150 * 90, 160 * 90, 170 * 90]


def written(folder, name, shift=0.0):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"model,a,b,c\nrf,1,2,{3 + shift}\nsvm,2,1,2\nknn,3,3,1\n", encoding="utf-8")
    return path


def test_files_of_the_same_name_are_told_apart_by_path(tmp_path):
    paths = [written(tmp_path / "d1", "r.csv"), written(tmp_path / "d2", "r.csv", 1)]
    other = written(tmp_path, "other.csv", 2)
    found = dh.criteria([*paths, other], by="mean", better="higher", **QUICK)
    assert found.facts()["tables"] == ["d1/r.csv", "d2/r.csv", "other.csv"]


def test_tables_without_a_name_are_numbered():
    found = dh.criteria([skilled(), skilled(1)], by="mean", **QUICK)
    assert found.facts()["tables"] == ["the table (1)", "the table (2)"]


def test_the_same_file_twice_is_refused(tmp_path):
    path = written(tmp_path, "r.csv")
    again = tmp_path / "." / "r.csv"
    with pytest.raises(UsageError, match="named twice"):
        dh.criteria([path, str(again)], by="mean", better="higher", **QUICK)


def test_a_copy_of_a_table_is_warned_of():
    found = dh.criteria([skilled(), skilled(), skilled(1)], by="mean", **QUICK)
    same = [w for w in found.warnings if "hold the same scores" in w]
    assert len(same) == 1
    assert same[0].startswith("the table (1) and the table (2)")


def patient(limit):
    """Return a slow function that gives up on tables with more rows than a limit."""

    def ranked(scores):
        if len(scores) > limit or len(np.unique(scores[:, 0])) < 4:
            raise UsageError("patient would take too long.", hint="no.")
        return scores.mean(axis=1)

    return RankingFunction(name="patient", kernel=ranked, form="table", scale="interval", slow=True)


def test_a_slow_function_that_cannot_rank_the_table_is_refused_before_the_work():
    asked = []

    def watched(scores):
        asked.append(scores)
        return scores.mean(axis=1)

    other = RankingFunction(name="other", kernel=watched, form="table", scale="interval")
    with pytest.raises(UsageError, match="too long"):
        dh.criteria(skilled(), by=[other, patient(5)], **QUICK)
    assert asked == []


def test_a_slow_function_that_gives_up_later_does_not_lose_the_others():
    table = skilled(n=6)
    found = dh.criteria(table, by=[patient(6), "mean"], **QUICK)
    assert found.names == ("mean", "random_dictator")
    assert any(w.startswith("patient left out: patient would take") for w in found.warnings)
    assert found.rows() == dh.criteria(table, by="mean", **QUICK).rows()
    assert found.made["function"] == ["mean"]
    with pytest.raises(UsageError, match="too long"):
        dh.criteria(table, by=[patient(6)], **QUICK)


@pytest.mark.parametrize("correlation", ["spearman", "kendall"])
@pytest.mark.parametrize("weighted", [False, True])
def test_few_orders_of_many_judges_change_nothing(monkeypatch, correlation, weighted):
    """Judges that order alike are one with all their weight: no value and no count differs."""
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, 120) if weighted else None
    scores = rng.integers(1, 4, (3, 120)) + np.array([[1], [0], [0]])
    table = dh.Results(scores=scores, better="higher", judge_weights=weights)
    asked = QUICK | {"correlation": correlation, "trials": 60}
    plainly = dh.criteria(table, **asked)
    monkeypatch.setattr(orders, "MANY", 1)
    assert (
        len(orders.Task(results=table, functions=(), seed=0).orders.starts) <= 13
    )  # weak orders of three
    by_order = dh.criteria(table, **asked)
    assert by_order.facts()["counts"] == plainly.facts()["counts"]
    assert by_order.facts()["counts"][0]["majority_rate: majority winners"] > 0
    assert by_order.facts()["counts"][0]["generalization: constant judges"] > 0
    for one, other in zip(by_order.rows(), plainly.rows(), strict=True):
        assert one == pytest.approx(other, abs=1e-12, nan_ok=True)


def test_many_orders_are_left_alone(monkeypatch):
    monkeypatch.setattr(orders, "MANY", 1)
    table = skilled(n=12, m=30, noise=9.0)
    assert orders.Task(results=table, functions=(), seed=0).orders is None


def test_the_rank_of_the_winner_is_led_by_definition():
    """What the words take for granted: nobody exceeds who ranks by mean rank, in any trial."""
    found = dh.criteria(skilled(noise=5.0), by="average_rank,borda,mean,copeland", **QUICK)
    values = found.measured[0].values["winner_rank"]
    assert (values[:1] >= values - 1e-9).all()
    np.testing.assert_allclose(values[0], values[1])
    assert (values[0] > values[2] + 1e-9).any()


def test_latex_has_the_legend_and_the_digests_in_a_row():
    found = dh.criteria([skilled(), skilled(1)], by="mean,copeland", **QUICK)
    head = [line for line in found.to_latex().splitlines() if line.startswith("%")]
    assert ", ".join(found.made["sha256"]) in head[0]
    assert "[" not in head[0]
    assert any(line.startswith("% Starred: best of the column") for line in head)


def test_judges_of_weight_0_are_nobody():
    rng = np.random.default_rng(0)
    scores = rng.random((5, 8))
    silent = np.concatenate([scores, rng.random((5, 6))], axis=1)
    weights = [1.0] * 8 + [0.0] * 6
    asked = {"by": ["mean", "copeland"], "trials": 50, "repeats": 2, "q": 5}
    plain = dh.criteria(dh.Results(scores=scores, better="higher"), **asked)
    table = dh.Results(scores=silent, judge_weights=weights, better="higher")
    found = dh.criteria(table, **asked)
    assert found.rows() == plain.rows()
    assert any("6 judges of weight 0 left out" in warning for warning in found.warnings)


def test_the_baseline_is_measured_once():
    found = dh.criteria(skilled(), by="mean,random_dictator", **QUICK)
    assert found.names == ("mean", "random_dictator")
    with pytest.raises(UsageError, match="random_dictator is the baseline that others"):
        dh.criteria(skilled(), by="random_dictator", **QUICK)
