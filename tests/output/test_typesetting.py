"""Tables on paper: whatever is split, every part names its rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.output import table as markup
from deadheat.output.table import Column, Grid, layout, on_paper
from samples import FEW, of_the_page, samples

WIDTHS = (345.0, 240.0, 120.0)
RESULTS = samples() | of_the_page()
# What tells the rows of a table apart for people, where there are numbers before it.
NAMED = {
    "verdict": {"rank", "candidate"},
    "strict verdict": {"rank", "candidate"},
    "demo": {"rank", "solver"},
    "rate of a log": {"candidate"},
    "consensus": {"rank", "candidate"},
    "verdict tests": {"group", "leader", "other"},
    "verdict pairs": {"a", "b"},
    "rate pairs": {"first", "second"},
    "parts pairs": {"tournament", "first", "second"},
    "rate calibration": {"low", "high"},
    "parts calibration": {"tournament", "low", "high"},
    "parts matrix": {"tournament", "candidate"},
    "parts embedding": {"kind", "name"},
    "agree matrix": {"judge"},
    "criteria correlations": {"function"},
    "criteria tables": {"table", "function"},
}


def in_every_part(grid, across):
    """Return the columns that stand in every part, and how many parts there are."""
    _, parts = layout(grid, *on_paper(across))
    return set.intersection(*(set(part) for part in parts)), len(parts)


def require_named(grid, widths=WIDTHS):
    """Fail where a part of the grid does not tell the rows apart."""
    rows = grid.texts()
    for across in widths:
        columns, parts = in_every_part(grid, across)
        told = {tuple(cell for j, cell in enumerate(row) if j in columns) for row in rows}
        assert parts == 1 or len(told) == len(rows), (across, parts, columns)


@pytest.mark.parametrize("name", RESULTS)
def test_every_part_of_every_result_tells_the_rows_apart(name):
    result = RESULTS[name]
    widths = WIDTHS[:2] if result.schema == "deadheat.check/1" else WIDTHS  # findings are prose
    for each in (result, dh.load(result.to_json())):
        require_named(each.grid().printed(), widths)


@pytest.mark.parametrize("name", NAMED)
def test_every_part_begins_with_the_columns_that_people_need(name):
    for each in (RESULTS[name], dh.load(RESULTS[name].to_json())):
        grid = each.grid().printed()
        for across in WIDTHS:
            for part in layout(grid, *on_paper(across))[1]:
                names = {grid.columns[j].name for j in part}
                assert names >= NAMED[name] & {column.name for column in grid.columns}
                assert next(iter(part)) == 0


def test_large_scores_do_not_lose_the_names():
    noise = np.random.default_rng(5).normal(size=(4, 25))
    names = ("solver-alpha-long-name", "solver-beta-long-name", "gamma", "delta")
    table = dh.Results(
        scores=np.round((noise * 0.1 + 3) * 1e12) + 0.5, candidates=names, better="higher"
    )
    v = dh.verdict(table, by="mean", official=list(names), **FEW)
    grids = [v, dh.load(v.to_json()), *(v.table(name) for name in ("tests", "pairs", "intervals"))]
    for each in grids:
        require_named(each.grid().printed())
    assert in_every_part(v.grid().printed(), WIDTHS[0])[1] > 1
    for part in v.to_latex().split(r"\begin{tabular}")[1:]:
        assert all(name in part for name in names)


CELLS = st.one_of(
    st.integers(-(10**120), 10**120), st.floats(allow_nan=False), st.text(max_size=90), st.none()
)


@given(st.data())
def test_every_width_is_positive_and_every_column_is_there(data):
    n = data.draw(st.integers(1, 8))
    cells = data.draw(st.lists(st.tuples(*[CELLS] * n), max_size=3))
    columns = [
        Column(name=data.draw(st.text(max_size=40)), key=data.draw(st.booleans())) for _ in range(n)
    ]
    grid = Grid(columns=tuple(columns), cells=tuple(cells))
    for across in WIDTHS:
        sheet, parts = layout(grid, *on_paper(across))
        assert {j for part in parts for j in part} == set(range(n))
        whole, _ = sheet.widths(grid)
        for j, width in (column for part in parts for column in part.items()):
            assert 1 <= min(whole[j], sheet.narrowest) <= width <= whole[j]
    assert r"p{-" not in markup.latex(grid)
    assert r"p{0\linewidth}" not in markup.latex(grid)


def test_a_number_wider_than_the_line_leaves_names_readable():
    columns = (Column(name="candidate", key=True), Column(name="value"))
    written = markup.latex(Grid(columns=columns, cells=(("a" * 50, 10**120),)))
    width = float(written.split("p{")[1].split(r"\linewidth")[0])
    assert 0.05 < width < 1


def test_words_after_many_numbers_name_the_rows_without_them():
    columns = tuple(Column(name=f"number {chr(97 + j)}") for j in range(20))
    grid = Grid(
        columns=(*columns, Column(name="candidate")),
        cells=tuple((*(float(1000 * i + j) for j in range(20)), f"c{i}") for i in range(3)),
    )
    named, parts = in_every_part(grid, 345.0)
    assert named == {20}
    assert 1 < parts < 10
