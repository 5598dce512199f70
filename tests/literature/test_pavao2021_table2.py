"""Pavao, Vaccaro, Guyon (2021), table 2, centre and right: criteria on six benchmarks.

The figures are recomputed ones, which differ from the printed by less than the printed digits allow
(Condorcet rates are printed with one digit, and vary by some .03 from run to run): first by the
protocol of the authors' notebook, then by that of the text with different candidates compared and
Statlog, a table of errors, turned. Relative difference is that on ranks, which is what they ran.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest

import deadheat as dh

BENCHMARKS = ("AutoDL-AUC", "AutoDL-ALC", "AutoML", "Artificial", "OpenML", "Statlog")
FUNCTIONS = (
    *("mean", "median", "average_rank", "success_rate", "relative_difference_ranks"),
    "copeland",
)
CRITERIA = (
    *("winner_rank", "condorcet_rate", "generalization", "stability_judges"),
    "stability_candidates",
)
PRINTED = {
    "mean": (0.68, 0.4, 0.36, 0.753, 1.0),
    "median": (0.70, 0.5, 0.37, 0.702, 1.0),
    "average_rank": (0.74, 0.8, 0.41, 0.780, 0.954),
    "success_rate": (0.73, 0.8, 0.40, 0.777, 0.839),
    "relative_difference_ranks": (0.73, 0.8, 0.41, 0.884, 0.941),
    "copeland": (0.73, 1.0, 0.41, 0.771, 0.965),
}
NOTEBOOK = {
    "mean": (0.683, 0.433, 0.356, 0.748, 1.0),
    "median": (0.701, 0.445, 0.369, 0.701, 1.0),
    "average_rank": (0.736, 0.731, 0.402, 0.776, 0.953),
    "success_rate": (0.733, 0.773, 0.399, 0.773, 0.835),
    "relative_difference_ranks": (0.730, 0.820, 0.414, 0.885, 0.944),
    "copeland": (0.730, 1.0, 0.402, 0.767, 0.966),
}
TEXT = {
    "mean": (0.685, 0.454, 0.367, 0.751, 1.0),
    "median": (0.689, 0.458, 0.380, 0.706, 1.0),
    "average_rank": (0.733, 0.848, 0.413, 0.783, 0.956),
    "success_rate": (0.730, 0.809, 0.410, 0.781, 0.843),
    "copeland": (0.728, 1.0, 0.412, 0.775, 0.965),
}
TOLERANCE = np.array([0.01, 0.035, 0.011, 0.012, 0.01])
AS_PRINTED = np.array([0.011, 0.071, 0.012, 0.012, 0.01])


def benchmark(folder, name, *, turned):
    """Return a matrix; Statlog is one of errors, which the authors never turned."""
    with (folder / "esann2021" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    scores = np.array([row[1:] for row in rows], dtype=float).T
    better = "lower" if turned and name == "Statlog" else "higher"
    return dh.Results(scores=scores, better=better, source=name)


def centre(folder, *, trials, repeats, compat=None):
    """Return the centre of table 2, (functions, criteria); Artificial has no Condorcet rate."""
    tables = [benchmark(folder, name, turned=compat is None) for name in BENCHMARKS]
    found = dh.criteria(
        tables,
        by=FUNCTIONS,
        trials=trials,
        repeats=repeats,
        compat=compat,
        stability="kendall_w",
    )
    columns = []
    for name in CRITERIA:
        kept = [t for t, b in zip(found.measured, BENCHMARKS, strict=True) if _counts(name, b)]
        columns.append(np.mean([table.means(name)[: len(FUNCTIONS)] for table in kept], axis=0))
    return np.column_stack(columns), found


def _counts(criterion, name):
    return criterion != "condorcet_rate" or name != "Artificial"


def assert_close(values, targets, tolerance):
    for name, row in zip(FUNCTIONS, values, strict=True):
        if name in targets:
            off = np.abs(row - targets[name])
            assert (off <= tolerance).all(), f"{name}: {row.round(3)} for {targets[name]}"


@pytest.mark.shared
def test_the_protocol_of_the_text(shared_data):
    """Spec, section G, fourth figures."""
    values, found = centre(shared_data, trials=1_000, repeats=3)
    assert_close(values, TEXT, TOLERANCE)
    assert (values[FUNCTIONS.index("copeland"), 1], *values[:2, 4]) == (1, 1, 1)
    noise = found.measured[BENCHMARKS.index("Artificial")]
    judged = noise.means("stability_judges")
    stable, plain = (judged[FUNCTIONS.index(f)] for f in FUNCTIONS[4:1:-2])
    assert stable > 0.6 > 0.2 > plain  # the stability of relative difference is bias: W is .003
    assert noise.means("generalization").max() < 0.05  # and predicts nobody


@pytest.mark.shared
def test_the_protocol_of_the_notebook(shared_data):
    """Spec, section G, second figures, and table 2 as printed."""
    values, found = centre(shared_data, trials=1_000, repeats=3, compat="esann-notebook")
    assert_close(values, NOTEBOOK, TOLERANCE)
    assert_close(values, PRINTED, AS_PRINTED)
    cases = found.facts()["cases"]["condorcet_rate"]
    stored = np.array([5_780, 5_714, 4_628, 3_265, 5_806]) / 10_000  # of the authors
    np.testing.assert_allclose(np.delete(cases, 3) / 1_000, stored, atol=0.05)
    assert cases[3] < 10


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("compat", "targets"), [(None, TEXT), ("esann-notebook", NOTEBOOK)], ids=["text", "notebook"]
)
def test_the_whole_experiment(shared_data, compat, targets):
    """10,000 trials, and q = 100 ten times: Monte-Carlo error about .005, Condorcet .03."""
    values, _ = centre(shared_data, trials=10_000, repeats=10, compat=compat)
    assert_close(values, targets, np.array([0.006, 0.03, 0.01, 0.008, 0.007]))


@pytest.mark.shared
def test_the_stored_stability_of_the_authors(shared_data):
    """The authors' ten repetitions per benchmark, stored beside their code, over candidates."""
    path = shared_data / "esann2021" / "published_stability_candidate_ranking.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    stored = {
        (row[-1], row[0]): np.mean([float(x) for x in row[1:-1] if x])
        for row in rows
        if any(row[1:-1])
    }
    known = {"average_rank": "Average rank", "success_rate": "Success rate"}
    for name in ("AutoML", "Artificial", "Statlog"):
        table = benchmark(shared_data, name, turned=False)
        found = dh.criteria(table, by=tuple(known), trials=1, repeats=5).rows()
        for row, theirs in zip(found, known.values(), strict=False):
            assert row["stability_candidates"] == pytest.approx(stored[name, theirs], abs=0.02)


@pytest.mark.shared
def test_the_right_of_table_2_comes_out_of_criteria(shared_data):
    """Printed digits; hard wins are the authors' Copeland, and Statlog was never turned.

    Half a unit of the second digit, but for mean and success rate: .748, printed .74.
    """
    printed = {
        "mean": (1.00, 0.81, 0.75, 0.74, 0.63, 0.74),
        "median": (0.81, 1.00, 0.84, 0.84, 0.73, 0.85),
        "average_rank": (0.75, 0.84, 1.00, 1.00, 0.88, 0.97),
        "success_rate": (0.74, 0.84, 1.00, 1.00, 0.88, 0.96),
        "relative_difference_ranks": (0.63, 0.73, 0.88, 0.88, 1.00, 0.83),
        "copeland_hard": (0.74, 0.85, 0.97, 0.96, 0.83, 1.00),
    }
    tables = [benchmark(shared_data, name, turned=False) for name in BENCHMARKS]
    found = dh.criteria(tables, by=tuple(printed), trials=1, q=2, repeats=1)
    for row in found.correlations().rows():
        for other, wanted in zip(printed, printed[row["function"]], strict=True):
            odd = {row["function"], other} == {"mean", "success_rate"}
            assert abs(row[other] - wanted) < (0.0085 if odd else 0.0051), (row["function"], other)
    assert found.facts()["correlations"]["mean"]["success_rate"] == pytest.approx(0.748, abs=5e-4)
    assert [row["function"] for row in found.correlations().rows()] == list(printed)
