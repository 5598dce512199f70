"""Intervals against scipy, against their formulas by hand, and by simulated coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.core.errors import DataError, UnknownNameError
from deadheat.statistics.intervals import KINDS, intervals

RNG = np.random.default_rng(6)


def acceleration_of(left_out):
    """Return the acceleration of merits with each unit left out, (U, n), by the definition."""
    found = []
    for column in np.asarray(left_out, dtype=float).T:
        away = [sum(column) / len(column) - x for x in column]
        found.append(sum(x**3 for x in away) / (6 * sum(x**2 for x in away) ** 1.5))
    return np.array(found)


def weights_of(size, m, rng):
    return rng.multinomial(m, np.full(m, 1 / m), size=size).astype(float)


def inputs_of(scores, size, rng):
    """Return everything an interval of the mean may need, for scores (n, m)."""
    m = scores.shape[1]
    weights = weights_of(size, m, rng)
    merits = weights @ scores.T / m
    variances = np.maximum(weights @ (scores**2).T / m - merits**2, 0) * m / (m - 1)
    return {
        "observed": scores.mean(axis=1),
        "merits": merits,
        "m": m,
        "acceleration": acceleration_of((scores.sum(axis=1) - scores.T) / (m - 1)),
        "errors": scores.std(axis=1, ddof=1) / np.sqrt(m),
        "replicate_errors": np.sqrt(variances / m),
        "scores": scores,
    }


skewed = np.array([RNG.exponential(size=25), RNG.normal(size=25), -RNG.lognormal(size=25)])


@pytest.mark.parametrize(
    ("kind", "theirs"), [("percentile", "percentile"), ("basic", "basic"), ("bca", "BCa")]
)
@pytest.mark.parametrize("statistic", [np.mean, np.median])
def test_percentile_basic_and_bca_are_those_of_scipy(kind, theirs, statistic):
    """On scipy's own replicates; the median has many replicates equal to the observed one."""
    for scores in skewed:
        result = stats.bootstrap(
            (scores,), statistic, method=theirs, confidence_level=0.9, rng=np.random.default_rng(7)
        )
        left_out = [statistic(np.delete(scores, j)) for j in range(len(scores))]
        low, high = intervals(
            kind,
            observed=np.array([statistic(scores)]),
            merits=result.bootstrap_distribution[:, None],
            alpha=0.1,
            m=len(scores),
            acceleration=acceleration_of(np.array(left_out)[:, None]),
        )
        expected = result.confidence_interval
        np.testing.assert_allclose([low[0], high[0]], [expected.low, expected.high], rtol=1e-9)


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30),
    st.sampled_from([0.01, 0.05, 0.1, 0.5, 0.9]),
)
def test_percentiles_are_the_linear_quantiles_of_numpy(values, alpha):
    merits = np.array(values)[:, None]
    found = intervals("percentile", observed=np.array([1.0]), merits=merits, alpha=alpha, m=9)
    expected = np.quantile(values, [alpha / 2, 1 - alpha / 2])
    np.testing.assert_allclose(np.ravel(found), expected, rtol=1e-9, atol=1e-9)


def test_parts_of_the_candidates_change_nothing(monkeypatch):
    inputs = inputs_of(RNG.normal(size=(7, 12)), 30, RNG)
    del inputs["scores"]
    bootstrap = [kind for kind in KINDS if kind != "wilson"]
    whole = [intervals(kind, alpha=0.1, **inputs) for kind in bootstrap]
    monkeypatch.setattr("deadheat.ranking.block.WORKING_SET", 60)  # two at a time, one at last
    parts = [intervals(kind, alpha=0.1, **inputs) for kind in bootstrap]
    np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize("m", [2, 10, 200])
def test_the_expanded_percentile_takes_wider_levels(m):
    """Hesterberg 2015: alpha'/2 = Phi(-sqrt(m/(m-1)) t); .0168 at alpha = .05 and m = 20."""
    merits = RNG.normal(size=(500, 2))
    observed = merits.mean(axis=0)
    found = intervals("expanded-percentile", observed=observed, merits=merits, alpha=0.05, m=m)
    tail = stats.norm.cdf(-np.sqrt(m / (m - 1)) * stats.t.ppf(0.975, m - 1))
    np.testing.assert_allclose(found, np.quantile(merits, [tail, 1 - tail], axis=0), rtol=1e-9)


def test_on_normal_replicates_the_expanded_percentile_is_students_interval():
    """The replicates of a mean have variance s^2 (m-1)/m; expanded, they give t s/sqrt(m)."""
    m, s = 8, 1.3
    levels = (np.arange(200_001) + 0.5) / 200_001
    merits = stats.norm.ppf(levels)[:, None] * s * np.sqrt((m - 1) / m) / np.sqrt(m)
    _, high = intervals("expanded-percentile", observed=np.zeros(1), merits=merits, alpha=0.05, m=m)
    assert high[0] == pytest.approx(stats.t.ppf(0.975, m - 1) * s / np.sqrt(m), rel=1e-3)


@pytest.mark.parametrize("m", [5, 25])
def test_bootstrap_t_is_the_formula(m):
    """With 5 judges many standard errors are below a half of the observed, and some a quarter."""
    inputs = inputs_of(skewed[:, :m], 400, RNG)
    low, high = intervals("bootstrap-t", alpha=0.1, **inputs)
    for i in range(3):
        f, s = inputs["observed"][i], inputs["errors"][i]
        pairs = zip(inputs["merits"][:, i], inputs["replicate_errors"][:, i], strict=True)
        t = [(fb - f) / max(sb, s / 4) for fb, sb in pairs]
        assert low[i] == pytest.approx(f - np.quantile(t, 0.95) * s)
        assert high[i] == pytest.approx(f - np.quantile(t, 0.05) * s)


def test_bootstrap_t_reaches_far_where_the_scores_do():
    inputs = inputs_of(skewed[:1], 400, RNG)
    (low,), (high,) = intervals("bootstrap-t", alpha=0.1, **inputs)
    assert high - inputs["observed"][0] > inputs["observed"][0] - low


def test_bootstrap_t_stays_finite_where_replicates_have_no_spread():
    """One failure in 20: a third of the replicates has none, and so no standard error."""
    scores = np.array([[0.0] + [1.0] * 19])
    inputs = inputs_of(scores, 2_000, RNG)
    assert (inputs["replicate_errors"] < 1e-7).mean() > 0.3
    low, high = intervals("bootstrap-t", alpha=0.05, **inputs)
    assert 0.7 < low[0] < 0.9 < high[0] < 1.5


@pytest.mark.parametrize("m", [5, 20, 400])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_wilson_is_that_of_scipy(m, alpha):
    successes = np.array([0, 1, m // 2, m])
    scores = (np.arange(m) < successes[:, None]).astype(float)
    found = intervals(
        "wilson", observed=scores.mean(axis=1), merits=np.zeros((1, 4)), alpha=alpha, m=m,
        scores=scores,
    )  # fmt: skip
    for i, count in enumerate(successes.tolist()):
        theirs = stats.binomtest(count, m).proportion_ci(1 - alpha, method="wilson")
        np.testing.assert_allclose(
            [found[0][i], found[1][i]], [theirs.low, theirs.high], atol=1e-12
        )


def test_wilson_knows_scores_that_were_turned_and_effective_judges():
    """Errors (lower is better) are scores of 0 and -1; weights make 40 judges worth 20."""
    scores = np.array([[0.0] * 15 + [-1.0] * 5 + [np.nan]])
    low, high = intervals(
        "wilson", observed=np.array([-0.25]), merits=np.zeros((1, 1)), alpha=0.05, m=40,
        scores=scores, effective=np.array([20.0]),
    )  # fmt: skip
    theirs = stats.binomtest(5, 20).proportion_ci(method="wilson")
    np.testing.assert_allclose([low[0], high[0]], [-theirs.high, -theirs.low])


def test_wilson_refuses_what_is_no_share():
    common = {"merits": np.zeros((1, 1)), "alpha": 0.05, "m": 3}
    with pytest.raises(DataError, match=r"a score of 0\.5"):
        intervals("wilson", observed=np.array([0.5]), scores=np.array([[0, 0.5, 1]]), **common)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wilson"])
def test_equal_replicates_have_no_width(kind):
    """Scores of .1: the replicates of their mean differ in the last digit, by summing."""
    merits = np.where(np.arange(30) % 2, 0.1, np.nextafter(0.1, 1))[:, None]
    low, high = intervals(
        kind, observed=np.array([0.1]), merits=merits, alpha=0.05, m=30,
        acceleration=np.zeros(1), errors=np.zeros(1), replicate_errors=np.zeros((30, 1)),
    )  # fmt: skip
    assert low[0] == high[0] == pytest.approx(0.1, rel=1e-12)


def test_bca_is_finite_where_all_replicates_lie_on_one_side():
    """All below: z0 is the quantile of B/(B+1), and both ends go to the top of the replicates."""
    merits = np.linspace(0, 1, 99)[:, None]
    observed, acceleration = np.array([2.0]), np.zeros(1)
    low, high = intervals(
        "bca", observed=observed, merits=merits, alpha=0.05, m=3, acceleration=acceleration
    )
    z0 = stats.norm.ppf(0.99)
    expected = np.quantile(merits, stats.norm.cdf(2 * z0 + stats.norm.ppf([0.025, 0.975])))
    np.testing.assert_allclose([low[0], high[0]], expected, rtol=1e-6)
    mirrored = intervals(
        "bca", observed=-observed, merits=-merits, alpha=0.05, m=3, acceleration=-acceleration
    )
    np.testing.assert_allclose(np.ravel(mirrored), [-high[0], -low[0]], atol=1e-9)


def test_an_extreme_acceleration_ends_at_the_last_replicate():
    """The acceleration is 1/6 at most, so that it takes all replicates below and a tiny alpha."""
    merits = np.linspace(-1, 1, 101)[:, None]
    acceleration = acceleration_of([[-1.0]] + [[0.0]] * 999)
    assert acceleration[0] == pytest.approx(1 / 6, rel=0.01)
    _, high = intervals(
        "bca", observed=np.array([2.0]), merits=merits, alpha=1e-6, m=9, acceleration=acceleration
    )
    assert high[0] == 1


def test_bca_takes_summation_noise_for_equality():
    """Half of the replicates are the observed merit but for the last digit, the others above."""
    noise = np.where(np.arange(50) % 2, 0.3, 0.1 + 0.2)
    none = np.zeros(1)
    merits = np.concatenate([noise, np.linspace(1, 2, 50)])[:, None]
    exact = np.where(merits < 0.5, 0.3, merits)
    noisy, clean = (
        intervals("bca", observed=np.array([0.3]), merits=m, alpha=0.02, m=3, acceleration=none)
        for m in (merits, exact)
    )
    np.testing.assert_allclose(noisy, clean, rtol=1e-12)


def test_float32_replicates_are_equal_up_to_their_own_rounding():
    """The percentile interval of a constant is the constant, as it was observed."""
    rng = np.random.default_rng(3)
    merits = (np.float32(0.1) * (1 + 1e-7 * rng.integers(-2, 1, (99, 1)))).astype(np.float32)
    observed = np.array([0.1], dtype=np.float32)
    assert merits.min() < merits.max() <= observed[0]
    for kind in ("percentile", "basic", "expanded-percentile"):
        low, high = intervals(kind, observed=observed, merits=merits, alpha=0.05, m=9)
        assert low[0] == high[0] == observed[0]


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_wilson_of_scores_that_are_all_equal_lies_on_the_side_of_the_direction(lower, value):
    """All judges fail, or none: 0 of 30 has the interval [0, .114]."""
    sign = -1 if lower else 1
    scores = np.full((2, 30), sign * value)
    low, high = intervals(
        "wilson", observed=scores.mean(axis=1), merits=scores[:, :1].T, alpha=0.05, m=30,
        scores=scores, lower=lower,
    )  # fmt: skip
    theirs = stats.binomtest(int(30 * value), 30).proportion_ci(method="wilson")
    expected = sorted([sign * theirs.low, sign * theirs.high])
    np.testing.assert_allclose([low[0], high[0]], expected, atol=1e-12)


def test_wilson_takes_float32_shares():
    scores = (np.arange(9) < [[9], [8]]).astype(np.float32)
    observed = np.array([1 + 2e-7, 8 / 9], dtype=np.float32)
    _, high = intervals(
        "wilson", observed=observed, merits=observed[None], alpha=0.05, m=9, scores=scores
    )
    assert high[0] == 1


@pytest.mark.parametrize("kind", KINDS)
def test_one_judge_gives_no_interval(kind):
    found = intervals(kind, observed=np.zeros(2), merits=np.zeros((5, 2)), alpha=0.05, m=1)
    assert np.isnan(found).all()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "wilson"])
def test_intervals_follow_a_change_of_unit(kind):
    plain = intervals(kind, alpha=0.1, **inputs_of(skewed, 99, np.random.default_rng(8)))
    moved = intervals(kind, alpha=0.1, **inputs_of(3 * skewed + 7, 99, np.random.default_rng(8)))
    np.testing.assert_allclose(moved, 3 * np.array(plain) + 7, rtol=1e-9)


def test_unknown_kinds_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'percentile'"):
        intervals("percentiles", observed=np.zeros(1), merits=np.zeros((5, 1)), alpha=0.05, m=9)


def coverage(draw, truth, *, m, tables, size=999):
    """Return the share of nominal 95 % intervals that hold the truth, by kind."""
    rng = np.random.default_rng(m)
    hits = dict.fromkeys(("percentile", "expanded-percentile", "bootstrap-t"), 0)
    batch = 50  # tables that share their weights
    for _ in range(tables // batch):
        inputs = inputs_of(draw(rng, (batch, m)), size, rng)
        for kind in hits:
            low, high = intervals(kind, alpha=0.05, **inputs)
            hits[kind] += int(((low <= truth) & (truth <= high)).sum())
    return {kind: hit / tables for kind, hit in hits.items()}


@pytest.mark.slow
def test_coverage_at_20_judges_is_that_of_table_c2():
    """Normal .919, .945, .946; lognormal .855, .883, .918 (Monte-Carlo error about .003)."""
    normal = coverage(lambda rng, shape: rng.normal(size=shape), 0.0, m=20, tables=8_000)
    expected = {"percentile": 0.919, "expanded-percentile": 0.945, "bootstrap-t": 0.946}
    assert normal == pytest.approx(expected, abs=0.012)
    lognormal = coverage(
        lambda rng, shape: rng.lognormal(size=shape), np.exp(0.5), m=20, tables=8_000
    )
    expected = {"percentile": 0.855, "expanded-percentile": 0.883, "bootstrap-t": 0.918}
    assert lognormal == pytest.approx(expected, abs=0.015)
