"""Whatever is computed is inside the ranges that the schemas tell, and can be read back."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.ranking.function import functions
from deadheat.report.load import load
from deadheat.resampling.plans import PLANS
from deadheat.statistics.evidence import INTERVALS

RNG = np.random.default_rng(3)
HOLED = np.where(np.arange(36).reshape(4, 9) == 1, np.nan, RNG.normal(size=(4, 9)))
WEIGHTS = [0.1, 0.7, 1 / 3, 2.0, 1e-9, 5.0, 3.0, 1.0, 1.0]
TABLES = {
    "one judge": {"scores": RNG.normal(size=(3, 1))},
    "one score": {"scores": np.ones((3, 5))},
    "two": {"scores": RNG.normal(size=(2, 4)), "better": "lower"},
    "ties": {"scores": RNG.integers(0, 3, size=(5, 6)), "better": "lower"},
    "large": {"scores": 1e12 * RNG.normal(size=(4, 9))},
    "holes": {"scores": HOLED, "missing": "worst"},
    "holes left": {"scores": HOLED, "missing": "available"},
    "weights": {"scores": RNG.normal(size=(4, 9)), "judge_weights": WEIGHTS},
    "strata": {"scores": RNG.normal(size=(4, 9)), "strata": ["a", "b", "c"] * 3},
    "clusters": {"scores": RNG.normal(size=(4, 9)), "clusters": ["a", "b", "c"] * 3},
}
FEW = {"replicates": 40}
MODELS = ("bradley-terry", "epp", "plackett-luce", "elo", "gaussian")
TOLD = ("groups", "summary", "first", "intervals", "ranks", "tests", "pairs")
RATED = ("matrix", "pairs", "groups", "calibration", "tunability")


def read_back(make, *tables):
    """Return whether there is a result; fail where it or one of its tables is refused."""
    try:
        result = make()
    except dh.DeadheatError:
        return False
    assert load(result.to_json()).to_json() == result.to_json()
    for name in tables:
        read_back(lambda name=name: result.table(name))
    return True


@pytest.fixture(params=TABLES)
def table(request):
    return dh.Results(**{"better": "higher"} | TABLES[request.param])


def test_verdicts_of_every_function_plan_and_interval(table):
    chosen = [
        {"by": each.name, "plan": PLANS[k % len(PLANS)]} for k, each in enumerate(functions())
    ]
    chosen += [{"by": "mean", "interval": interval} for interval in INTERVALS]
    chosen += [{"by": "copeland", "alpha": 0.9}]  # a merit may be outside so short an interval
    found = [read_back(lambda o=options: dh.verdict(table, **o, **FEW)) for options in chosen]
    strictly = read_back(lambda: dh.verdict(table, by="average_rank", strict=True, **FEW), *TOLD)
    assert strictly == (table.m > 1)  # one judge cannot be resampled
    assert any(found) == (table.m > 1)


def test_every_other_result(table):
    two = table.candidates[:2]
    found = [
        read_back(lambda: dh.check(table)),
        read_back(lambda: dh.consensus(table)),
        read_back(lambda: dh.influence(table, by="copeland")),
        read_back(lambda: dh.compare(table, *two, by="average_rank", **FEW)),
        read_back(lambda: dh.agreement(table), "judges", "matrix", "functions"),
        read_back(lambda: dh.criteria(table, trials=10, repeats=2, q=3)),
    ]
    found += [read_back(lambda m=model: dh.rate(table, model=m, **FEW), *RATED) for model in MODELS]
    assert sum(found) >= 2
