"""Pictures of ranking functions and judges: what is in them, where things are, odd tables."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pytest
from specs import tables

import deadheat as dh
from deadheat.agree.maps import cluster_table
from deadheat.core.errors import UnknownNameError, UsageError
from deadheat.ranking.function import spoken
from deadheat.report.charts.pixels import (
    Box,
    Frame,
    fitting,
    label_width,
    place_labels,
    spread_apart,
)
from deadheat.report.plots.judges import agreement_bins

OF_JUDGES = ("heat-map", "judges-map", "agreement")
OF_FUNCTIONS = ("criteria", "concordance", "functions-map", "rank-lines")
LONG = "x" * 200


def table(scores, names=None):
    scores = np.asarray(scores, dtype=float)
    names = names or [f"c{i}" for i in range(len(scores))]
    return dh.Results(scores=scores, candidates=names, better="higher")


def noisy(n, m, seed=0):
    rng = np.random.default_rng(seed)
    return table(np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.4, (n, m)))


def criteria(*tables, **options):
    return dh.criteria(list(tables), trials=30, q=4, repeats=2, **options)


def values(picture):
    """Every row of data in a picture."""
    return [row for rows in tables(picture.spec()) for row in rows]


def texts(picture):
    """Every text that stands in the data of a picture."""
    return [row[key] for row in values(picture) for key in ("text", "told") if key in row]


ODD = {
    "two candidates": [[1.0, 2, 3], [2, 1, 1]],
    "one judge": [[1.0], [2], [3]],
    "two judges": [[1.0, 1], [2, 2], [3, 1]],
    "all alike": [[1.0, 1, 1], [2, 2, 2], [3, 3, 3]],
    "all tied": [[1.0, 1, 1], [1, 1, 1], [1, 1, 1]],
    "a silent judge": [[1.0, 1, 3], [2, 1, 2], [3, 1, 1]],
}


@cache
def subjects_of(odd):
    given = table(ODD[odd])
    return dh.agreement(given), criteria(given)


@pytest.mark.parametrize("kind", [*OF_JUDGES, *OF_FUNCTIONS])
@pytest.mark.parametrize("odd", sorted(ODD))
def test_odd_tables_are_drawn_without_undefined_numbers(kind, odd):
    of_judges, of_functions = subjects_of(odd)
    picture = (of_judges if kind in OF_JUDGES else of_functions).plot(kind)
    assert json.dumps(picture.spec(), allow_nan=False)
    assert "nan" not in (picture.see + picture.alt).lower().split()


@cache
def subjects_with_long_names():
    names = [f"{k} {LONG}" for k in range(5)]
    results = table(np.random.default_rng(0).normal(size=(5, 6)), names)
    return dh.influence(results), dh.agreement(results), criteria(results)


@pytest.mark.parametrize("kind", ["influence", *OF_JUDGES, *OF_FUNCTIONS])
def test_long_names_leave_the_width_as_asked(kind):
    of_one, of_judges, of_functions = subjects_with_long_names()
    subject = of_judges if kind in OF_JUDGES else of_functions
    picture = (of_one if kind == "influence" else subject).plot(kind, width=252)
    assert float(ET.fromstring(picture.svg()).attrib["width"]) <= 320


def test_influence_names_those_that_change_something_most_decisive_first():
    scores = [[10.0, 5, 5, 5], [6, 6, 6, 6], [1, 2, 1, 1]]
    found = dh.influence(table(scores), by="mean")
    rows = found.rows()
    changing = [row["judge"] for row in rows if row["any"]]
    picture = found.plot("influence")
    bars = [row for row in values(picture) if "moved" in row]
    assert list(dict.fromkeys(row["name"] for row in bars)) == changing
    assert {row["name"]: row["moved"] for row in bars} == {
        row["judge"]: len(row["moved"]) for row in rows if row["any"]
    }
    assert any(text and text.startswith("c1 first") for text in texts(picture))
    assert "3 others change no rank" in picture.see


def test_influence_tells_importance_by_the_column_alone():
    found = dh.influence(noisy(14, 9))
    rows = {row["judge"]: row for row in found.rows()}
    dots = [row for row in values(found.plot("influence")) if "order" in row]
    for dot in dots:
        row = rows[dot["name"]]
        column = next(
            k for k, kinds in enumerate((("winner",), ("top3_set", "top3_order"),
                                         ("top10_set", "top10_order"), ("any",)))
            if any(row[kind] for kind in kinds)
        )  # fmt: skip
        dot["column"] = column
        others_get_in = row["winner"], row["top3_set"], row["top10_set"], False
        assert dot["order"] == (not others_get_in[column])
    places = sorted({(dot["column"], dot["x"]) for dot in dots})
    assert len({x for _, x in places}) == len({column for column, _ in places}) == len(places)
    assert [x for _, x in places] == sorted(x for _, x in places)
    assert [dot["column"] for dot in dots] == sorted(dot["column"] for dot in dots)


def test_influence_counts_the_judges_it_does_not_name():
    found = dh.influence(noisy(30, 80))
    changing = sum(row["any"] for row in found.rows())
    assert changing > 30
    picture = found.plot("influence")
    assert len({row["name"] for row in values(picture) if "moved" in row}) == 30
    assert f"{changing - 30} judges more" in picture.see


def test_influence_says_that_nothing_changes():
    picture = dh.influence(table([[3.0] * 9, [2] * 9, [1] * 9])).plot("influence")
    assert picture.see == "No judge changes the ranking when it alone is left out."


@pytest.mark.parametrize("n", [12, 20, 40])
def test_rank_lines_have_every_rank_and_a_label_on_both_sides(n):
    ranking = dh.rank(noisy(n, 15), by=["mean", "median", "copeland"])
    picture = ranking.plot("rank-lines")
    drawn = {(r["candidate"], r["function"]): r["rank"] for r in values(picture) if "rank" in r}
    assert drawn == {(r["candidate"], r["function"]): r["rank"] for r in ranking.rows()}
    shown = texts(picture)
    assert all(shown.count(name) == 2 for name in ranking.candidates)
    leads, others = (
        {r["candidate"] for r in values(picture) if r.get("look") == look}
        for look in ("accent", "ink")
    )
    assert leads == set(ranking.first["mean"])
    assert leads | others == {r["candidate"] for r in ranking.rows() if r["rank"] == 1}


def test_where_all_functions_rank_alike_one_sentence_says_so():
    ranking = dh.rank(table([[3.0] * 9, [2] * 9, [1] * 9]), by=["mean", "median"])
    picture = ranking.plot("rank-lines")
    assert not picture.shows
    assert picture.see == "All 2 ways of counting rank the candidates alike."


def test_the_function_asked_for_stands_first_and_alike_ones_side_by_side():
    picture = dh.rank(noisy(9, 15), by="all").plot("rank-lines", asked="median")
    drawn = [r for r in values(picture) if "rank" in r]
    places = {r["function"]: r["x"] for r in drawn}
    assert min(places, key=places.get) == "median"
    ranks = {name: [] for name in places}
    for row in sorted(drawn, key=lambda r: r["candidate"]):
        ranks[row["function"]].append(row["rank"])
    first, second, *rest = (np.array(ranks[name]) for name in sorted(places, key=places.get))
    gap = np.abs(first - second).sum()
    assert all(gap <= np.abs(first - other).sum() for other in rest)


def test_rank_lines_of_ties_keep_their_labels_apart():
    tied = table([[1.0, 1, 1], [1, 1, 1], [1, 1, 1], [0, 0, 4]])
    picture = dh.rank(tied, by=["mean", "median"]).plot("rank-lines")
    heights = [r["y"] for r in values(picture) if r.get("text") in tied.candidates and r["x"] < 200]
    assert np.diff(sorted(heights)).min() >= 12


def test_rank_lines_of_many_highlight_the_best_ten():
    ranking = dh.rank(noisy(120, 15), by=["mean", "median"])
    picture = ranking.plot("rank-lines")
    named = {r["candidate"] for r in values(picture) if "candidate" in r}
    assert named == {ranking.candidates[i] for i in ranking.best_first[:10]}
    assert "best 10" in picture.see
    assert len(json.dumps(picture.spec())) < 100_000


def test_rank_lines_of_criteria_are_those_of_their_functions():
    found = criteria(noisy(9, 9))
    drawn = {r["function"] for r in values(found.plot("rank-lines")) if "rank" in r}
    assert drawn == {spoken(f.name) for f in found.functions}


def test_rank_lines_in_a_column_have_all_functions():
    ranking = dh.rank(noisy(6, 9), by="all")
    picture = ranking.plot("rank-lines", width="column")
    drawn = {r["function"] for r in values(picture) if "rank" in r}
    assert drawn == {spoken(f.name) for f in ranking.functions}


def test_criteria_are_the_values_with_two_errors():
    found = criteria(noisy(6, 9))
    rows = [r for r in values(found.plot("criteria")) if "error" in r and r["function"] == "median"]
    expected = next(r for r in found.rows() if r["function"] == "median")
    told = {round(r["value"], 12): r for r in rows}
    row = told[round(expected["generalization"], 12)]
    assert row["high"] - row["value"] == pytest.approx(2 * expected["generalization_se"])


def test_concordance_has_a_point_per_table_and_one_table_is_told():
    tables = [noisy(5, 8, seed).changed(source=f"t{seed}") for seed in range(3)]
    several = criteria(*tables)
    points = {
        r["name"]: (r["x"], r["y"]) for r in values(several.plot("concordance")) if "name" in r
    }
    for k, measured in enumerate(several.measured):
        mean = measured.means("generalization")[:-1].mean()
        assert points[f"t{k}"] == pytest.approx((several.concordance[k], mean))
    one = criteria(tables[0])
    picture = one.plot("concordance")
    assert not picture.shows
    assert f"is {float(one.concordance[0]):.2f}." in picture.see
    of_file = criteria(*(each.changed(source=f"{each.source}.csv") for each in tables))
    assert {r["name"] for r in values(of_file.plot("concordance")) if "name" in r} == set(points)


@pytest.mark.parametrize("size", [(9, 11), (4, 5), (12, 7)])
def test_the_map_of_functions_is_told_with_its_stress(size):
    found = criteria(noisy(*size))
    picture = found.plot("functions-map")
    points = {r["function"]: (r["x"], r["y"]) for r in values(picture) if "function" in r}
    names = [f.name for f in found.functions]
    at = np.array([points[name] for name in names])
    drawn = np.linalg.norm(at[:, None] - at[None], axis=2)
    stress = np.sqrt(((drawn - (1 - found.matrix)) ** 2).sum() / (drawn**2).sum())
    error = f"with an error of about {100 * stress:.0f} %"
    assert (error if round(100 * stress) else "almost exactly") in picture.see
    assert "0 %" not in picture.see.replace("10 %", "").replace("20 %", "")


def test_the_heat_map_has_every_rank():
    results = noisy(7, 12)
    found = dh.agreement(results)
    picture = found.plot("heat-map", values="ranks")
    rows = {r["candidate"]: r["units"] for r in values(picture) if "units" in r}
    judges = {r["place"]: r["judge"] for r in values(picture) if "judge" in r}
    for i, candidate in enumerate(results.candidates):
        for place, twice in enumerate(rows[candidate]):
            j = results.judges.index(judges[place])
            assert twice == 2 * found.ranks[j, i]


def test_the_heat_map_of_a_table_is_that_of_its_agreement():
    results = noisy(5, 6)
    assert dh.plot(results, "heat-map").spec() == dh.plot(dh.agreement(results), "heat-map").spec()


def test_a_large_heat_map_is_in_blocks_and_says_so():
    picture = dh.plot(noisy(230, 450), "heat-map", values="ranks")
    assert "230 candidates are drawn as 100 blocks" in picture.see
    assert "450 judges are drawn as 100 blocks" in picture.see
    shown = [r["units"] for r in values(picture) if "units" in r]
    exact = cluster_table(
        noisy(230, 450), scores=False, most_judges=100, most_candidates=100
    ).values
    assert np.abs(np.array(shown) / 100 - exact).max() <= 0.005 + 1e-9
    assert "datum.units / 100" in json.dumps(picture.spec())
    assert len(json.dumps(picture.spec())) < 300_000


def test_many_judges_are_heaps_on_the_map_and_none_is_lost():
    picture = dh.agreement(noisy(5, 900)).plot("judges-map")
    assert sum(r["count"] for r in values(picture) if "count" in r) == 900
    assert "heaps of judges" in picture.see


def test_thousands_of_judges_are_families_in_a_heat_map():
    rng = np.random.default_rng(0)
    strata = [f"family {k % 5}" for k in range(400)]
    given = dh.Results(scores=rng.normal(size=(6, 400)), better="higher", strata=strata)
    picture = dh.plot(given, "heat-map")
    columns = {r["place"]: r["judge"] for r in values(picture) if "judge" in r}
    assert set(columns.values()) == {f"family {k} (80)" for k in range(5)}
    rows = {r["candidate"]: r["units"] for r in values(picture) if "units" in r}
    for i, name in enumerate(given.candidates):
        for place, cell in enumerate(rows[name]):
            family = int(columns[place].split()[1])
            assert cell == pytest.approx(given.scores[i, family::5].mean(), rel=1e-3)


def test_opposing_judges_are_marked():
    scores = np.linspace(1, 0, 12)[:, None] + np.random.default_rng(0).normal(0, 0.2, (12, 12))
    scores[:, 4] *= -1
    found = dh.agreement(table(scores))
    picture = found.plot("agreement")
    against = [r["judge"] for r in values(picture) if r.get("opposes")]
    assert set(against) == {found.results.judges[4]}
    assert "Triangle: 1 judge goes against the rest." in picture.see


def test_bins_count_every_judge_once():
    scores = np.linspace(1, 0, 6)[:, None] + np.random.default_rng(0).normal(0, 0.5, (6, 300))
    scores[:, :40] *= -1
    scores[:, 50] = 0
    found = dh.agreement(table(scores))
    rows = agreement_bins([row for row in found.rows() if not row["constant"]])
    assert sum(row["judges"] for row in rows) == 299
    assert sum(row["judges"] for row in rows if row["opposes"]) == len(found.opposing)
    for row in rows:
        inside = (found.means >= row["low"]) & (found.means < row["high"])
        assert row["end"] - row["start"] == row["judges"] <= inside.sum()
    tops = {row["low"]: row["end"] for row in rows}
    assert sum(tops.values()) == 299
    assert "judges" in found.plot("agreement").see


@pytest.mark.parametrize("seed", range(3))
def test_placed_labels_cover_neither_each_other_nor_points(seed):
    rng = np.random.default_rng(seed)
    points = [tuple(p) for p in rng.uniform(20, 280, (60, 2)).tolist()]
    labels = [f"label {k}" for k in range(60)]
    boxes = place_labels(points, labels, width=300, height=300)
    there = [box for box in boxes if box is not None]
    assert len(there) > 10
    for k, box in enumerate(there):
        assert box.inside(300, 300)
        assert not any(box.meets(other) for other in there[:k])
        assert not any(box.meets(Box(x, y, 6, 6)) for x, y in points)


@pytest.mark.parametrize("seed", range(5))
def test_spread_places_keep_their_gap_and_order(seed):
    places = np.random.default_rng(seed).uniform(0, 200, 12).tolist()
    found = spread_apart(places, gap=14, low=0, high=200)
    order = np.argsort(places)
    assert np.diff(np.array(found)[order]).min() >= 14 - 1e-9
    assert 0 <= min(found) <= max(found) <= 200
    assert spread_apart([0.0, 100.0], gap=14, low=0, high=200) == [0.0, 100.0]


def test_a_frame_turns_numbers_to_pixels_and_back():
    frame = Frame.square(np.array([[0.0, 0], [4, 1]]), 400, 300)
    assert frame.number(*frame.pixel(1.5, -0.25)) == pytest.approx((1.5, -0.25))
    (x0, y0), (x1, y1) = frame.pixel(0, 0), frame.pixel(1, 1)
    assert x1 - x0 == pytest.approx(y0 - y1)
    assert label_width(fitting(LONG, 80)) < 90


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_heat_map_of_scores_has_every_score(better):
    """Figures 1 to 3 of the supplement of Pavao et al. (2021): the score matrix as written."""
    written = noisy(7, 12).scores
    results = dh.Results(scores=written, better=better)
    picture = dh.plot(results, "heat-map")
    rows = {r["candidate"]: r["units"] for r in values(picture) if "units" in r}
    judges = {r["place"]: r["judge"] for r in values(picture) if "judge" in r}
    for i, candidate in enumerate(results.candidates):
        for place, score in enumerate(rows[candidate]):
            assert score == float(f"{written[i, results.judges.index(judges[place])]:.4g}")
    bright_is_low = '"reverse": true' in json.dumps(picture.spec())
    assert bright_is_low == (better == "lower")
    assert f"{better} is better" in picture.alt


def test_scores_over_decades_are_coloured_by_logarithms():
    wide = table([[1.0, 5000.0], [2.0, 30.0], [3.0, 700.0]])
    assert '"type": "log"' in json.dumps(dh.plot(wide, "heat-map").spec())


def test_what_a_heat_map_cannot_show_is_refused():
    with pytest.raises(UsageError, match="infinite scores"):
        dh.plot(table([[1.0, np.inf], [2.0, 1.0]]), "heat-map")
    with pytest.raises(UnknownNameError, match="value of a heat map"):
        dh.plot(noisy(3, 3), "heat-map", values="score")
    with pytest.raises(UsageError, match="values: no option of the picture judges-map"):
        dh.agreement(noisy(3, 3)).plot("judges-map", values="ranks")


def test_the_bars_of_stability_are_the_deviation_of_the_repeats():
    """Figure 6 of the supplement: every benchmark by name, a bar of one standard deviation."""
    tables = [noisy(6, 9).changed(source="one"), noisy(6, 9, seed=1).changed(source="two")]
    found = dh.criteria(tables, by="mean,average_rank", trials=2, q=5, repeats=4)
    rows = [row for row in values(found.plot("stability")) if "spread" in row]
    shown = {(r["table"], r["function"], round(r["value"], 9)): r["spread"] for r in rows}
    for measured in found.measured:
        for name in ("stability_candidates", "stability_judges"):
            for i, function in enumerate(("mean", "average_rank")):
                drawn = measured.values[name][i]
                mean = round(float(np.mean(drawn)), 9)
                key = (measured.results.source, spoken(function), mean)
                assert shown[key] == pytest.approx(np.std(drawn, ddof=1))


def test_the_lines_of_convergence_have_their_errors():
    found = dh.convergence(noisy(6, 12), by="mean", trials=30)
    rows = [row for row in values(found.plot()) if "low" in row]
    known = {(spoken(r["function"]), r["judges"]): r for r in found.rows()}
    for row in rows:
        own = known[row["function"], row["judges"]]
        whats = [w for w in ("stability", "generalization") if own[w] == row["value"]]
        assert any(row["high"] - row["value"] == pytest.approx(2 * own[f"{w}_se"]) for w in whats)


def test_changes_of_one_kind_are_a_sentence():
    scores = np.array([[9.0] * 12, [6.0] * 12, [3.0] * 12, [3.0] * 12, [1.0] * 12])
    scores[2, :3] += 1
    scores[3, 3:5] += 1.2
    found = dh.influence(table(scores), by="mean")
    rows = found.rows()
    assert not any(row["winner"] for row in rows)
    picture = found.plot("influence")
    changes = sum(bool(row["any"]) for row in rows)
    assert changes > 1
    assert picture.see.startswith(f"{changes} of 12 judges change the podium when left out alone")
