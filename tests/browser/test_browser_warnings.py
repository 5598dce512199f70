"""Vega has nothing to complain about, whatever the table: holes, ties, two candidates, one judge.

Its warnings can only be read in a browser: vl-convert tells none of those of the drawing.
"""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import DeadheatError
from deadheat.data.runs import Runs
from deadheat.report.charts import theme as vega
from deadheat.report.picture import draw_picture, kinds

QUICK = {"replicates": 100, "simulations": 0}
ASK = """async (spec) => {
  const said = [];
  const kept = console.warn;
  console.warn = (...words) => said.push(words.join(' '));
  try { await vegaEmbed('#picture', spec, {renderer: 'svg', mode: 'vega-lite', actions: false}); }
  catch (fault) { said.push(String(fault)); }
  console.warn = kept;
  return said;
}"""


def table(scores, **given):
    names = [f"c{i}" for i in range(len(scores))]
    return dh.Results(scores=np.array(scores, float), candidates=names, better="higher", **given)


def tables():
    rng = np.random.default_rng(7)
    whole = rng.normal(0, 1, (6, 20))
    holes = whole.copy()
    holes[rng.random(whole.shape) < 0.15] = np.nan
    return {
        "holes": table(holes),
        "ties": table(rng.integers(0, 2, (5, 20))),
        "two": table(whole[:2]),
        "constant": table(np.ones((4, 20))),
        "one judge": table(whole[:, :1]),
        "one constant judge": table(np.ones((3, 1))),
    }


def runs_of(given):
    n, m = given.scores.shape
    rows = [(i, j) for i in range(n) for j in range(m) if not np.isnan(given.scores[i, j])]
    times = [float(np.exp(2 - given.scores[i, j])) for i, j in rows]
    return Runs(
        candidate=[f"c{i}" for i, _ in rows],
        instance=[f"j{j}" for _, j in rows],
        time=np.minimum(times, 10.0),
        cutoff=10.0,
    )


MAKERS = (
    lambda t: dh.verdict(t, replicates=100, missing="worst"),
    lambda t: dh.influence(t, missing="worst"),
    lambda t: dh.agreement(t, missing="worst"),
    lambda t: dh.criteria(t, trials=20, q=2, repeats=2),
    lambda t: dh.compare(t, *t.candidates[:2], replicates=100),
    lambda t: dh.rate(t, **QUICK),
    lambda t: dh.rank(t, by="all", missing="worst"),
    runs_of,
    lambda t: t,
)


def specs(given):
    for make in MAKERS:
        try:
            result = make(given)
        except DeadheatError:  # such a table has no such result
            continue
        for kind in kinds(type(result)):
            try:
                yield kind, draw_picture(result, kind).spec()
            except DeadheatError:
                continue


@pytest.mark.parametrize(
    "name",
    [
        "holes",
        "constant",
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in sorted({*tables()} - {"holes", "constant"})
        ),
    ],
)
def test_vega_warns_of_nothing(browser, name):
    drawn_kinds = complaints(browser, specs(tables()[name]))
    assert not {kind: said for kind, said in drawn_kinds.items() if said}
    assert {"condorcet", "cactus"} <= {*drawn_kinds}


@pytest.mark.parametrize("m", [12, 60])
@pytest.mark.parametrize("sign", [1, -1], ids=["none opposes", "one opposes"])
def test_nor_where_judges_agree(browser, m, sign):
    rng = np.random.default_rng(m)
    scores = np.arange(12.0)[:, None] + rng.normal(0, 1, (12, m))
    scores[:, 0] *= sign
    found = dh.agreement(table(scores))
    assert len(found.opposing) == (sign < 0)
    assert complaints(browser, [("agreement", found.plot().spec())]) == {"agreement": []}


def complaints(browser, specs):
    """Return what Vega says of each picture."""
    page = browser.new_page()
    page.set_content(f"<div id='picture'></div><script>{vega.javascript()}</script>")
    said = {kind: page.evaluate(ASK, spec) for kind, spec in specs}
    page.close()
    return said
