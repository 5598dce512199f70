"""Pictures of ratings tell what the ratings say."""

from __future__ import annotations

import csv
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner
from rated_and_run import QUICK, parts_of, ratings_of
from specs import marks, size, table_with, tables

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.core.errors import DataError, UsageError
from deadheat.report.charts.grids import READABLE
from deadheat.report.charts.pixels import LINE, Box, label_width
from deadheat.report.plots.maps import RATINGS_AXIS

LONGEST = 300_000


def table(n, m=20, **more):
    rng = np.random.default_rng(n)
    scores = np.linspace(1, 0, n)[:, None] + rng.normal(0, 0.5, (n, m))
    return dh.Results(
        scores=scores, candidates=[f"c_{i}" for i in range(n)], better="higher", **more
    )


@pytest.fixture(scope="module")
def rated():
    return ratings_of(table(6))


@pytest.fixture(scope="module")
def parts():
    return parts_of(table(6, 25))


@pytest.fixture(scope="module")
def undefeated():
    scores = np.array(table(5).scores)
    scores[0] += 9
    return ratings_of(dh.Results(scores=scores, candidates=list("abcde"), better="higher"))


@pytest.fixture(scope="module")
def many():
    names = [f"{'x' * 120}_{i}" for i in range(100)]
    scores = np.random.default_rng(0).normal(size=(100, 12))
    given = dh.Results(scores=scores, candidates=names, better="higher")
    return dh.rate(given, errors="sandwich", simulations=0)


def test_ratings_are_drawn_with_their_intervals_best_first(rated):
    picture = rated.plot("ratings")
    drawn = table_with(picture, "rating", "from")
    assert [row["candidate"] for row in drawn] == [row["candidate"] for row in rated.rows()]
    for row, known in zip(drawn, rated.rows(), strict=True):
        assert (row["rating"], row["from"], row["to"]) == (
            known["rating"],
            known["low"],
            known["high"],
        )
        assert not any(row[key] for key in ("penalised", "open_low", "open_high"))
    assert "arrow" not in picture.see
    assert "hollow" not in picture.see


def test_an_end_that_is_open_has_an_arrow_and_a_penalised_rating_is_hollow(undefeated):
    picture = undefeated.plot("ratings")
    drawn = {row["candidate"]: row for row in table_with(picture, "rating", "from")}
    assert drawn["a"]["penalised"]
    assert drawn["a"]["open_high"]
    assert drawn["a"]["high"] is None
    assert drawn["a"]["to"] > drawn["a"]["rating"]
    for row in undefeated.rows():
        assert drawn[row["candidate"]]["open_low"] == (row["low"] is None)
        assert drawn[row["candidate"]]["penalised"] == (not isinstance(row["mle"], float))
    assert "arrow" in picture.see
    assert "hollow" in picture.see
    assert "no upper end" in picture.alt


def test_means_over_data_sets_are_drawn_with_their_intervals(parts):
    picture = parts.plot("ratings")
    drawn = {row["candidate"]: row for row in table_with(picture, "rating", "low", "high")}
    expected = np.mean([part.ratings for part in parts.parts.values()], axis=0)
    bounds = parts.mean.bounds
    for i, name in enumerate(parts.mean.candidates):
        k = parts.matrix.settings.index(name)
        found = [drawn[name][key] for key in ("low", "rating", "high")]
        assert found == pytest.approx([bounds.low[i], expected[k], bounds.high[i]])
    assert picture.title.startswith("Mean ratings over")


def test_a_cell_is_the_chance_that_the_row_beats_the_column(rated):
    cells = table_with(rated.plot("win-matrix"), "i", "j", "v")
    for cell in cells:
        if cell["i"] == cell["j"]:
            assert cell["v"] is None
            continue
        row, column = (rated.candidates[rated.order[cell[key]]] for key in "ij")
        chance = rated.p_beats(row, column)
        assert cell["v"] == pytest.approx(100 * chance.p, abs=0.006)
        assert cell["low"] == pytest.approx(100 * chance.low, abs=0.006)


@pytest.mark.parametrize(("n", "inside"), [(6, True), (20, True), (30, False)])
def test_numbers_stand_in_cells_where_there_is_room(n, inside):
    found = dh.rate(table(n), errors="sandwich", simulations=0).plot("win-matrix")
    assert any(mark["type"] == "text" for mark in marks(found.spec())) == inside


def test_more_than_80_candidates_are_drawn_in_blocks_and_told(many):
    picture = many.plot("win-matrix")
    assert "100 candidates in 40 blocks" in picture.see
    assert len(table_with(picture, "i", "j", "v")) == 1600


@pytest.mark.parametrize("kind", ["ratings", "win-matrix", "epp-bars", "tunability"])
def test_specifications_stay_small_also_with_long_names(many, kind):
    assert size(many.plot(kind)) < LONGEST


def test_calibration_has_the_bins_with_their_matches(rated):
    drawn = table_with(rated.plot("calibration"), "fitted", "matches")
    bins = [part for part in rated.calibration.bins if part.pairs]
    assert [row["matches"] for row in drawn] == [part.battles for part in bins]
    assert [row["observed"] for row in drawn] == pytest.approx([part.observed for part in bins])


def test_a_model_without_calibration_has_no_picture_of_it():
    found = dh.rate(table(4), model="plackett-luce", **QUICK)
    with pytest.raises(UsageError, match="no calibration"):
        found.plot("calibration")


def test_bars_are_the_ratings_on_each_data_set_and_reversed_ones_are_marked(parts):
    picture = parts.plot("epp-bars")
    bars = table_with(picture, "panel", "rating")
    heads = {row["panel"]: row["title"] for row in table_with(picture, "title")}
    names = {row["row"]: row["name"] for row in table_with(picture, "name")}
    assert len(bars) == 6 * 5
    for bar in bars:
        part = heads[bar["panel"]].removeprefix("↔ ").removesuffix("*")
        found = parts.of(part)
        expected = found.ratings[found.at(names[bar["row"]])]
        assert bar["rating"] == pytest.approx(expected, rel=1e-5)
    assert [t for t in heads.values() if t.startswith("↔")] == [heads[4]]
    assert "another order" in picture.see


def test_bars_of_points_begin_at_their_centre():
    found = dh.rate(table(4), scale="elo", **QUICK)
    assert {bar["average"] for bar in table_with(found.plot("epp-bars"), "rating")} == {1500}


def test_too_many_data_sets_are_told():
    sets = [f"d{j // 3}" for j in range(90)]
    made = dh.rate(
        table(3, 90, clusters=sets), tournament="cluster", errors="sandwich", simulations=0
    )
    picture = made.plot("epp-bars")
    assert len(table_with(picture, "title")) == 24
    assert "the first 24 of 30" in picture.see


def test_boxes_are_those_of_the_settings(parts):
    boxes = [row for row in table_with(parts.plot("tunability"), "panel") if row["kind"] == "box"]
    assert len(boxes) == 5
    for box, part in zip(boxes, parts.parts.values(), strict=True):
        assert box["settings"] == 6
        assert box["median"] == pytest.approx(float(np.median(part.ratings)), rel=1e-4, abs=1e-5)


def test_points_outside_the_boxes_have_a_layer_only_where_there_are_any(parts):
    drawn = 0
    for found in (parts, ratings_of(table(3))):
        spec = found.plot("tunability").spec()
        outside = any("out" in row for rows in tables(spec) for row in rows)
        assert ("'field': 'out'" in str(spec)) == outside
        drawn += outside
    assert drawn < 2


def test_algorithms_with_one_setting_are_told():
    given = dh.Results(scores=table(3).scores, candidates=["a", "b", "c"], better="higher")
    assert "one setting only" in ratings_of(given).plot("tunability").see


def test_the_map_has_data_sets_as_points_and_the_shares_of_its_axes(parts):
    picture = parts.plot("embedding")
    found = parts.embedding()
    points = next(t for t in tables(picture.spec()) if t and t[0].keys() == {"x", "y", "name"})
    assert {row["name"]: (row["x"], row["y"]) for row in points} == {
        name: pytest.approx(tuple(place))
        for name, place in zip(found.data_sets, found.points.tolist(), strict=True)
    }
    assert f"({100 * found.shares[0]:.0f} % of the variance)" in str(picture.spec())


@pytest.mark.parametrize("width", ["page", "column"])
def test_names_on_the_map_of_data_sets_do_not_overlap(parts, width):
    spec = parts.plot("embedding", width=width).spec()
    across, tall = spec["width"] - RATINGS_AXIS, spec["height"]
    boxes = []
    for view in spec["layer"]:
        if view["mark"]["type"] != "text":
            continue
        ends = [view["encoding"][side]["scale"]["domain"] for side in "xy"]
        for row in spec["datasets"][view["data"]["name"]]:
            x = (row["x"] - ends[0][0]) / (ends[0][1] - ends[0][0]) * across
            y = (ends[1][1] - row["y"]) / (ends[1][1] - ends[1][0]) * tall
            size = label_width(row["text"])
            x += {"left": size / 2, "center": 0, "right": -size / 2}[view["mark"]["align"]]
            boxes.append(Box(x, y, size - 2, LINE - 1))
    assert len(boxes) > 2
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.meets(b)]


def test_few_rows_of_many_panels_keep_room_for_their_names():
    sets = [f"d{j // 4}" for j in range(80)]
    made = dh.rate(table(4, 80, clusters=sets), tournament="cluster", **QUICK)
    spec = made.plot("tunability", width="column").spec()
    rows = {
        row["name"] for row in table_with(made.plot("tunability", width="column"), "name", "row")
    }
    assert spec["spec"]["height"] >= READABLE * len(rows)


def test_two_data_sets_make_a_map_of_one_component():
    sets = [f"d{j // 10}" for j in range(20)]
    made = dh.rate(table(5, clusters=sets), tournament="cluster", **QUICK)
    assert made.plot("embedding").svg().startswith("<svg")


def test_data_sets_with_different_candidates_have_bars_and_no_mean():
    scores = np.array(table(4, 20).scores)
    scores[0, 10:] = np.nan
    sets = [f"d{j // 10}" for j in range(20)]
    given = dh.Results(
        scores=scores, candidates=list("abcd"), better="higher", clusters=sets, missing="available"
    )
    made = dh.rate(given, tournament="cluster", **QUICK)
    assert len(table_with(made.plot("epp-bars"), "rating")) == 7
    with pytest.raises(DataError, match="different candidates"):
        made.plot("ratings")


@pytest.mark.parametrize("kind", ["ratings", "win-matrix", "calibration"])
def test_the_command_draws_a_battle_log(tmp_path, kind):
    source, target = tmp_path / "log.csv", tmp_path / "fig.svg"
    rng = np.random.default_rng(0)
    rows = [
        (*rng.choice(list("abc"), 2, replace=False), rng.choice(["left", "right"]))
        for _ in range(60)
    ]
    with source.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("left", "right", "winner"), *rows])
    asked = ["plot", str(source), kind, "-o", str(target), "--replicates", "100"]
    found = CliRunner().invoke(deadheat, asked)
    assert found.exit_code == 0, found.output
    assert target.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("kind", ["ratings", "epp-bars", "tunability", "embedding"])
def test_the_command_draws_a_table_of_data_sets_and_rounds(tmp_path, kind):
    source, target = tmp_path / "table.csv", tmp_path / "fig.svg"
    rng = np.random.default_rng(0)
    rows = [
        (f"knn_{i}", f"set {d}", r, rng.normal(i * (-1) ** d, 2))
        for i in range(3)
        for d in range(3)
        for r in range(8)
    ]
    with source.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("model", "data", "split", "auc"), *rows])
    asked = ["plot", str(source), kind, "-o", str(target), "--replicates", "100"]
    asked += ["--better", "higher", "--candidate", "model", "--score", "auc"]
    found = CliRunner().invoke(deadheat, [*asked, "--tournament", "data", "--round", "split"])
    assert found.exit_code == 0, found.output
    assert target.read_text(encoding="utf-8").startswith("<svg")
