"""Several tournaments: one per data set, or per category of battles."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from rate_logs import drawn, table
from scipy import stats
from scipy.special import expit

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.rate.api import rate
from deadheat.rate.source import read_for_rating, tournaments_of
from deadheat.rate.tunability import algorithm_of

SETTINGS = ("xgb_1", "xgb_2", "xgb_3", "rf_1", "rf_2", "rf_3")
LEVELS = np.array([0, 0.8, 1.5, -1, -0.5, 0.2])
HOW = {"better": "higher", "tournament": "dataset", "round": "split", "simulations": 0}


def rows(names=("kc1", "adult", "iris", "wine", "334"), splits=20, without=()):
    """Return scores whose order is the same on all data sets but on 334, as in the paper."""
    rng = np.random.default_rng(1)
    return [
        (name, split, setting, 0.8 + 0.01 * (level * (-1) ** (name == "334") + rng.normal()))
        for name in names
        for split in range(splits)
        for setting, level in zip(SETTINGS, LEVELS, strict=True)
        if (name, setting) not in without
    ]


@pytest.fixture
def written(tmp_path):
    def write(**what):
        path = tmp_path / "scores.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["dataset", "split", "model", "auc"])
            writer.writerows(rows(**what))
        return path

    return write


@pytest.fixture
def five(written):
    return rate(written(), replicates=200, **HOW)


def test_a_data_set_that_goes_against_the_others_is_named(five):
    facts = five.facts()
    assert facts["reversed"] == facts["reversed_beyond_noise"] == ["334"]
    assert "'334' goes against the others" in five.verdict
    assert "Look at 334 before you average" in five.verdict
    found = {row["tournament"]: row for row in five.table("tournaments").rows()}
    assert found["334"]["with_others"] < -0.9
    assert all(row["with_others"] > 0 for name, row in found.items() if name != "334")


def test_each_data_set_is_rated_as_if_it_were_alone(five, written):
    alone = rate(written(), where="dataset=iris", judge="split", better="higher",
                 errors="sandwich", simulations=0)  # fmt: skip
    expected = {row["candidate"]: row["rating"] for row in alone.rows()}
    found = {row["candidate"]: row["rating"] for row in five.of("iris").rows()}
    assert found == pytest.approx(expected, abs=1e-9)
    assert len(five.rows()) == 5 * 6
    with pytest.raises(UnknownNameError, match="adlt"):
        five.of("adlt")


def test_the_mean_is_that_of_the_rows_on_any_scale(five, written):
    points = rate(written(), replicates=200, scale="elo", anchor="rf_1=1000", **HOW)
    for found in (five, points):
        mean = {s: np.mean([row["rating"] for row in found.rows() if row["candidate"] == s])
                for s in SETTINGS}  # fmt: skip
        shown = {cells[2]: cells[3] for cells in found.grid().cells}
        assert shown == pytest.approx(mean)
    assert points.facts()["reversed"] == five.facts()["reversed"]
    np.testing.assert_allclose(points.embedding().points, five.embedding().points, atol=1e-9)


def test_tunability_is_the_range_of_the_ratings(five):
    ratings = {row["candidate"]: row["rating"] for row in five.of("kc1").rows()}
    found = {row["algorithm"]: row for row in five.table("tunability").rows()
             if row["tournament"] == "kc1"}  # fmt: skip
    for algorithm in ("xgb", "rf"):
        mine = [ratings[s] for s in SETTINGS if s.startswith(algorithm)]
        assert found[algorithm]["range"] == pytest.approx(np.ptp(mine))
        assert found[algorithm]["gain"] == pytest.approx(max(mine) - mine[0])
    one = five.of("kc1").table("tunability").rows()
    assert [row["range"] for row in one] == [row["range"] for row in found.values()]
    by_hand = five.tunability(algorithms=dict.fromkeys(SETTINGS, "all"), defaults={"all": "rf_1"})
    assert by_hand["kc1"][0].gain.difference == pytest.approx(
        max(ratings.values()) - ratings["rf_1"]
    )
    with pytest.raises(UnknownNameError):
        five.tunability(algorithms={"rf_1": "rf"})
    with pytest.raises(UnknownNameError, match="unknown algorithm 'svm'"):
        five.tunability(defaults={"svm": "rf_1"})
    assert algorithm_of("svm") == "svm"


def test_every_table_of_one_tournament_is_there_for_all(five):
    for name in ("pairs", "matrix", "groups", "calibration"):
        found = five.table(name).rows()
        assert list(dict.fromkeys(row["tournament"] for row in found)) == list(five.parts)
        mine = [row for row in found if row["tournament"] == "wine"]
        each = five.of("wine").table(name).rows()
        assert [{k: v for k, v in row.items() if k in each[0]} for row in mine] == each
    with pytest.raises(UnknownNameError, match="pears"):
        five.table("pears")
    with pytest.raises(UsageError, match="compares several tournaments, and this is one"):
        five.of("wine").table("tournaments")


def test_data_sets_with_different_candidates_are_not_averaged(written):
    found = rate(written(without={("iris", "rf_3")}), replicates=100, **HOW)
    headline = found.sentences[0]
    assert headline.startswith("xgb_3 is first in 4 of 5 datasets and rf_1 in 1. ")
    assert (
        "no mean over the 5 datasets: 1 of 6 models is missing in some ('rf_3') (EPP)." in headline
    )
    assert found.facts()["reversed"] is None
    assert len(found.of("iris").candidates) == 5
    assert [cells[0] for cells in found.grid().cells] == list(found.parts)
    for name, what in (("tournaments", "datasets cannot be compared"), ("means", "no mean over")):
        with pytest.raises(DataError, match=what):
            found.table(name)
    with pytest.raises(DataError, match="rf_3 on iris"):
        found.embedding()


def test_a_tournament_that_cannot_be_rated_is_named(written):
    with pytest.raises(DataError, match="'kc1': there is only one round"):
        rate(written(splits=1), **HOW)  # of all of them
    with pytest.raises(UsageError, match="'iris': unknown candidate 'rf_3'"):
        rate(written(without={("iris", "rf_3")}), replicates=100, anchor="rf_3", **HOW)
    with pytest.raises(DataError) as caught:
        rate(written(), better="higher", tournament="dataset")
    assert "round='split'" in caught.value.hint


def test_clusters_of_judges_are_tournaments():
    rng = np.random.default_rng(0)
    judges = [f"d{d}/{k}" for d in range(3) for k in range(8)]
    results = dh.Results(
        scores=rng.normal([[1.0], [0], [-1]], size=(3, 24)),
        candidates=("a", "b", "c"),
        judges=judges,
        clusters=[name[:2] for name in judges],
        better="higher",
    )
    found = rate(results, tournament="data set", replicates=100, simulations=0)
    assert list(found.parts) == ["d0", "d1", "d2"]
    with pytest.raises(UsageError, match="no judge says which tournament"):
        rate(results.changed(clusters=None), tournament="data set", replicates=100)


def test_categories_of_battles_are_rated_by_themselves():
    log = drawn()
    topics = ["easy", "hard"] * 200
    found = rate(dh.Battles(**log, category=topics), replicates=100, simulations=0)
    easy = {name: values[::2] for name, values in log.items()}
    alone = rate(dh.Battles(**easy), replicates=100, simulations=0)
    mine = {row["candidate"]: row["rating"] for row in found.of("easy").rows()}
    assert mine == pytest.approx({row["candidate"]: row["rating"] for row in alone.rows()})
    assert "over 2 categories" in found.verdict
    assert "split_sd" not in found.rows()[0]
    with pytest.raises(UsageError, match="needs scores in rounds"):
        found.table("tunability")


def test_two_categories_that_disagree_are_told_in_their_own_words():
    one, two = drawn(ties=0.0), drawn(levels=(-1.0, -0.6, 0.0, 1.0), seed=2)
    both = {name: one[name] + two[name] for name in one}
    found = rate(dh.Battles(**both, category=["easy"] * 400 + ["hard"] * 400), replicates=100,
                 simulations=0)  # fmt: skip
    assert "The two categories order the candidates in opposite ways" in found.verdict
    assert "data set" not in found.verdict


def test_tournaments_are_drawn_by_themselves():
    log = drawn()
    twice = {name: values * 2 for name, values in log.items()}
    topics = ["one"] * 400 + ["two"] * 400
    found = rate(dh.Battles(**twice, category=topics), replicates=100, simulations=0)
    one, two = (found.of(name).evidence.replicates for name in ("one", "two"))
    assert one.shape == two.shape
    assert abs(np.corrcoef(one[:, 0], two[:, 0])[0, 1]) < 0.5


def test_what_a_tournament_draws_depends_on_its_name_alone(written):
    every = rate(written(), replicates=100, **HOW)
    some = ("dataset!=kc1", "dataset!=adult")
    two = rate(written(), where=some, replicates=100, **HOW)
    assert list(two.parts) == ["iris", "wine", "334"]
    for name in two.parts:
        np.testing.assert_array_equal(
            every.of(name).evidence.replicates, two.of(name).evidence.replicates
        )


def test_a_map_has_points_and_loadings(five):
    """Points and loadings in all components give back the ratings around their means."""
    found = five.table("embedding").rows()
    kinds = {"point": list(five.parts), "loading": list(five.matrix.settings)}
    assert {kind: [row["name"] for row in found if row["kind"] == kind] for kind in kinds} == kinds
    points, loadings = (
        np.array([[row["pc1"], row["pc2"]] for row in found if row["kind"] == kind])
        for kind in kinds
    )
    np.testing.assert_allclose((loadings**2).sum(axis=0), 1)
    centred = five.matrix.ratings - five.matrix.ratings.mean(axis=0)
    np.testing.assert_allclose(centred @ loadings, points, atol=1e-9)


def test_one_tournament_that_cannot_be_rated_does_not_stop_the_others(written):
    alone = {("iris", setting) for setting in SETTINGS[1:]}
    found = rate(written(without=alone), replicates=100, **HOW)
    assert list(found.parts) == ["kc1", "adult", "wine", "334"]
    assert list(found.facts()["left_out"]) == ["iris"]
    assert [text for text in found.warnings if "left out (iris)" in text]
    assert found.facts()["reversed"] == ["334"]


def test_a_category_with_one_battle_does_not_stop_the_others():
    log = {name: [*values, more] for (name, values), more in
           zip(drawn().items(), ("ada", "bob", "left"), strict=True)}  # fmt: skip
    topics = ["easy", "hard"] * 200 + ["tiny"]
    found = rate(dh.Battles(**log, category=topics), replicates=100, simulations=0)
    assert list(found.parts) == ["easy", "hard"]
    assert [text for text in found.warnings if "left out (tiny)" in text]


def test_weights_say_how_much_a_tournament_counts(written, five):
    weights = {"334": 9, "kc1": 0.5}
    found = rate(written(), replicates=100, tournament_weights=weights, **HOW)
    for setting in SETTINGS:
        each = {row["tournament"]: row["rating"] for row in found.rows()
                if row["candidate"] == setting}  # fmt: skip
        expected = np.average(list(each.values()), weights=[weights.get(n, 1) for n in each])
        k = found.shown.settings.index(setting)
        assert found.shown.mean[k] == pytest.approx(expected)
        assert dict(cells[2:4] for cells in found.grid().cells)[setting] == pytest.approx(expected)
    assert "highest weighted mean rating" in found.verdict
    assert found.facts()["tournaments"]["334"]["weight"] == 9
    assert found.made["tournament_weights"] == weights
    assert found.facts()["reversed"] == ["334"]
    one = dict.fromkeys(found.parts, 0) | {"iris": 1}
    iris = rate(written(), replicates=100, tournament_weights=one, **HOW)
    assert iris.shown.mean == pytest.approx(iris.of("iris").ratings)
    assert iris.facts()["reversed"] is None
    assert iris.sentences[0].endswith(" (EPP, weighted mean over 1 of 5 datasets).")
    assert iris.grid().notes[0].startswith("Weighted mean over 1 of 5 datasets")
    rows = five.matrix.ratings
    for d, name in enumerate(("kc1", "adult", "iris", "wine")):
        two = replace(five, weights=dict.fromkeys(five.parts, 0) | {name: 2, "334": 1})
        expected = np.corrcoef(rows[-1], rows[d])[0, 1]
        assert two.agreement.with_others[-1] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"irs": 1}, "Did you mean 'iris'"),
        ({"iris": -1}, "the weight of 'iris' is -1"),
        ({"iris": float("nan")}, "the weight of 'iris' is nan"),
        ({"iris": 0, "wine": 0}, "has weight 0"),
    ],
)
def test_weights_that_are_none_are_refused(written, weights, said):
    with pytest.raises(UsageError, match=said):
        rate(written(names=("iris", "wine")), tournament_weights=weights, **HOW)


def test_weights_of_one_tournament_are_refused():
    with pytest.raises(UsageError, match="there is one tournament"):
        rate(dh.Battles(**drawn()), tournament_weights={"easy": 1})


def test_one_tournament_has_a_tunability_of_its_own(five):
    mine = five.of("kc1").tunability(defaults={"rf": "rf_2"})
    every = five.tunability(defaults={"rf": "rf_2"})["kc1"]
    assert [(t.algorithm, t.range, t.gain.held_out) for t in mine] == [
        (t.algorithm, t.range, t.gain.held_out) for t in every
    ]


def test_facts_have_one_meaning_for_one_tournament_and_several(five):
    several, one = five.facts(), five.of("kc1").facts()
    assert list(several["tournaments"]) == list(five.parts)
    assert all(type(several[key]) is type(one[key]) for key in set(several) & set(one))


def test_what_was_asked_is_kept():
    asked = {"penalty": "ridge", "strength": 3.0, "interval": "basic", "strict": True,
             "scale": "elo", "anchor": "bob=1000", "test": "max-t", "simulations": 20,
             "base": 2.0, "width": 100.0, "seed": 5, "alpha": 0.1, "ties": "davidson"}  # fmt: skip
    one = dh.Battles(**drawn())
    several = dh.Battles(**drawn(), category=["easy", "hard"] * 200)
    for found in (rate(one, replicates=100, **asked), rate(several, replicates=100, **asked)):
        assert {name: found.made[name] for name in asked} == asked
    online = rate(dh.Battles(**drawn(), ordered=True), model="elo", step=8.0, shuffles=3,
                  replicates=100)  # fmt: skip
    assert (online.made["step"], online.made["shuffles"]) == (8.0, 3)
    assert online.made["plan"] is None


def test_tunability_is_that_of_the_weights_of_the_rounds():
    """A weight of 0 is a round that is not there."""
    scores = table(rounds=24)
    half = np.repeat([1.0, 0.0], 12)
    weighted = rate(scores.changed(judge_weights=half), errors="sandwich", simulations=0)
    without = rate(scores.of_judges(half > 0), errors="sandwich", simulations=0)
    mine, expected = ([t.gain.difference for t in r.tunability()] for r in (weighted, without))
    assert mine == pytest.approx(expected)


def test_the_tournaments_that_are_named_beat_the_clusters_of_the_sidecar():
    path = dh.examples.path("models")
    found = read_for_rating(path, {}, "task", "split", ordered=False)
    assert len(tournaments_of(found, "task")) == 20  # the sidecar has 18 clusters
    assert found.notes[0].startswith('scores.toml says cluster = "cluster", which does not count')
    with pytest.raises(UsageError, match="each task is rated by itself, yet cluster='cluster'"):
        dh.rate(path, tournament="task", round="split", cluster="cluster")


def many(sets=20, lead=0.8, splits=12):
    """Return a table in which ``a`` leads on most data sets, and wins all splits of the first."""
    rng = np.random.default_rng(2)
    skill = np.array([lead, 0.0, 0.0, -0.5])[:, None] + 0.6 * rng.normal(size=(4, sets))
    scores = skill[:, :, None] + rng.normal(size=(4, sets, splits))
    scores[0, 0] += 50
    names = np.repeat([f"d{k}" for k in range(sets)], splits)
    return dh.Results(scores=scores.reshape(4, -1), candidates=list("abcd"), clusters=names,
                      judges=[f"{k}" for k in range(len(names))], better="higher")  # fmt: skip


def test_the_interval_of_a_mean_is_students_over_data_sets():
    found = rate(many(), tournament="clusters", errors="sandwich", simulations=0)
    ratings = found.matrix.ratings
    for k, name in enumerate("abcd"):
        low, high = stats.t.interval(0.95, 19, ratings[:, k].mean(), stats.sem(ratings[:, k]))
        row = next(row for row in found.facts()["means"] if row["candidate"] == name)
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        other = "b" if name == "a" else "a"
        apart = ratings[:, k] - ratings[:, "abcd".index(other)]
        expected = expit(stats.t.interval(0.95, 19, apart.mean(), stats.sem(apart)))
        assert found.mean.p_beats(name, other)[1:] == pytest.approx(tuple(expected))


def test_who_leads_in_the_mean_over_data_sets_is_tested():
    found = rate(many(), tournament="clusters", replicates=500, simulations=0)
    assert found.mean.groups[0] == ("a",)
    assert found.mean.evidence.errors == pytest.approx(stats.sem(found.matrix.ratings), rel=0.1)
    assert "20 data sets, drawn whole with replacement" in found.mean.drawn
    shown = (
        "a has the highest mean rating: one-sided tests at 5 % show it better than each of the 3"
    )
    assert found.sentences[0].startswith(shown)
    assert found.sentences[0].endswith(" (EPP, mean over 20 data sets).")
    strict = rate(many(), tournament="clusters", test="holm", replicates=200, simulations=0)
    ratings = found.matrix.ratings
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    single = np.array([stats.ttest_rel(ratings[:, i], ratings[:, j]).pvalue for i, j in pairs])
    holm = np.maximum.accumulate(np.sort(single) * np.arange(6, 0, -1)).clip(max=1)
    shown = np.array([strict.mean.grouped.tests.p[i, j] for i, j in pairs])
    assert np.sort(shown) == pytest.approx(holm)
    for row in strict.mean.table("pairs").rows():
        i, j = "abcd".index(row["first"]), "abcd".index(row["second"])
        assert row["p_value"] == pytest.approx(stats.ttest_rel(ratings[:, i], ratings[:, j]).pvalue)
        assert row["p_adjusted"] == pytest.approx(strict.mean.grouped.tests.p[i, j])
    level = rate(many(lead=0.0), tournament="clusters", replicates=500, simulations=0)
    assert len(level.mean.groups[0]) > 1
    assert level.sentences[0].startswith("Dead heat: ")
    marked = {cells[2] for cells in level.grid().cells if cells[1] == "="}
    assert marked == {*level.mean.groups[0]}
    assert level.grid().legend[0].endswith(": one-sided tests at 5 % do not separate them")
    few = rate(many(sets=5), tournament="clusters", replicates=200, simulations=0)
    assert "5 data sets" in few.verdict
    assert "too few to show" in few.verdict


def test_a_mean_with_a_rating_that_no_loss_holds_is_marked():
    found = rate(many(splits=40), tournament="clusters", replicates=100, simulations=0)
    means = {row["candidate"]: row for row in found.table("means").rows()}
    assert [means[name]["penalised_on"] for name in "abcd"] == [1, 0, 0, 0]
    grid = found.grid()
    assert [grid.cells[i][2] for i, _ in grid.marked] == ["a"]
    assert {grid.columns[j].name for _, j in grid.marked} == {"mean rating"}
    assert any(note.startswith("* won or lost all") for note in grid.notes)
    assert "How large the mean of a is depends on that" in found.verdict
    assert "by the median over data sets, which does not, it leads" in found.verdict
    bounded = many(splits=40)
    keep = [name != "d0" for name in bounded.clusters]
    plain = rate(bounded.of_judges(np.array(keep)), tournament="clusters", replicates=100,
                 simulations=0)  # fmt: skip
    assert not plain.grid().marked
    assert "depends on that" not in plain.verdict


def test_categories_of_a_log_are_no_sample_of_categories():
    topics = ["easy", "hard"] * 200
    found = rate(dh.Battles(**drawn(), category=topics), replicates=100, simulations=0)
    assert found.mean is None
    assert {row["low"] for row in found.facts()["means"]} == {None}
    assert "not an interval" in found.plot("ratings").see


def test_some_settings_are_shown_while_all_are_rated(five, written):
    """Figures 2 and 4 of the paper show the settings of one algorithm; ratings are of all."""
    some = five.show_only("rf_*")
    whole = {(row["tournament"], row["candidate"]): row for row in five.rows()}
    assert [row["candidate"] for row in some.rows()[:3]] == ["rf_3", "rf_2", "rf_1"]
    assert all(whole[row["tournament"], row["candidate"]] == row for row in some.rows())
    assert {row["candidate"] for row in some.table("means").rows()} == {"rf_1", "rf_2", "rf_3"}
    assert {row["algorithm"] for row in some.table("tunability").rows()} == {"rf"}
    assert some.verdict == five.verdict
    assert "3 of 6 are shown, all are rated." in some.grid().notes
    columns = [five.matrix.settings.index(name) for name in ("rf_1", "rf_2", "rf_3")]
    centred = five.matrix.ratings[:, columns] - five.matrix.ratings[:, columns].mean(axis=0)
    sizes = np.linalg.svd(centred, compute_uv=False) ** 2
    assert some.embedding().shares == pytest.approx(sizes[:2] / sizes.sum())
    again = rate(written(), replicates=200, show_only=["rf_1,rf_2", "rf_3"], **HOW)
    assert again.rows() == some.rows()
    assert again.made["show_only"] == ["rf_1", "rf_2", "rf_3"]
    one = five.of("iris").show_only("xgb_1,rf_1")
    assert [row["first"] for row in one.table("pairs").rows()] == ["xgb_1"]
    assert [[*row] for row in one.table("matrix").rows()] == 2 * [["candidate", "xgb_1", "rf_1"]]
    with pytest.raises(UnknownNameError, match="xbg_"):
        five.show_only("xbg_*")
