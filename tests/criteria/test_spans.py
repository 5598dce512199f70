"""Error bars of criteria against loops over the tables."""

from __future__ import annotations

import numpy as np
import pytest

import deadheat as dh
from deadheat.criteria.result import span_of, table_means


def made(seed):
    rng = np.random.default_rng(seed)
    return dh.Results(scores=rng.normal(0, 1, (5, 12)), better="higher")


@pytest.fixture(scope="module", params=[1, 3])
def found(request):
    tables = [made(seed) for seed in range(request.param)]
    return dh.criteria(tables if len(tables) > 1 else tables[0], trials=30, q=3, repeats=2)


def test_bars_end_two_standard_errors_from_the_mean(found):
    for criterion in found.criteria:
        span = span_of(found, criterion.name)
        tables = [table.means(criterion.name) for table in found.used(criterion.name)]
        for k in range(len(found.names)):
            known = [t[k] for t in tables]
            assert span.mean[k] == pytest.approx(sum(known) / len(known), nan_ok=True)
            if found.several and len(known) > 1:
                error = np.std(known, ddof=1) / np.sqrt(len(known))
                assert span.error[k] == pytest.approx(error, nan_ok=True)
            reach = 0 if np.isnan(span.error[k]) else 2 * span.error[k]
            assert span.low[k] == pytest.approx(span.mean[k] - reach, nan_ok=True)
            assert span.high[k] == pytest.approx(span.mean[k] + reach, nan_ok=True)


def test_the_mean_of_a_table_leaves_the_random_dictator_out(found):
    means = table_means(found)
    for table, mean in zip(found.measured, means, strict=True):
        values = [v for v in table.means("generalization").tolist()[:-1] if v == v]
        assert mean == pytest.approx(sum(values) / len(values))


def test_a_table_without_any_value_has_no_mean(found, monkeypatch):
    first = found.measured[0]
    nothing = np.full(len(found.names), np.nan)
    monkeypatch.setattr(type(first), "means", lambda self, name: nothing)
    assert np.isnan(table_means(found)).all()
