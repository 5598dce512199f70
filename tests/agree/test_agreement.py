"""Agreement of judges, against scipy and loops over all pairs."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

import deadheat as dh
from deadheat.agree import api as module
from deadheat.core.errors import MissingScoresError, UnknownNameError, UsageError
from deadheat.output.text import p_value
from deadheat.statistics import concordance as numbers
from deadheat.statistics.concordance import chance_of_less
from strategies import tables


def table_of(scores, **options):
    return dh.Results(scores=np.asarray(scores, dtype=float), better="higher", **options)


def random_table(seed, n, m, grades=None, **options):
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((n, m)) + rng.standard_normal((n, 1))
    return table_of(np.floor(scores * grades) if grades else scores, **options)


def same(found, expected):
    np.testing.assert_allclose(found, expected, atol=1e-10)


def pairs_of(table, correlation):
    """Return the weighted mean of a correlation over all pairs of judges, by loops."""
    scores, weights = table.scores, table.weights
    telling = [j for j in range(table.m) if len(set(scores[:, j])) > 1]
    total = weight = 0.0
    for j, k in combinations(telling, 2):
        total += weights[j] * weights[k] * correlation(scores[:, j], scores[:, k]).statistic
        weight += weights[j] * weights[k]
    return total / weight if weight else np.nan


def w_of_the_supplement(scores):
    """Supplement, section 4.2, and the correction for ties of Siegel and Castellan."""
    n, m = scores.shape
    ranks = np.array([rankdata(-scores[:, j]) for j in range(m)]).T
    sums = ranks.sum(axis=1)
    plain = 12 * ((sums - sums.mean()) ** 2).sum() / (m**2 * (n**3 - n))
    ties = sum((t**3 - t) for j in range(m) for t in np.unique(ranks[:, j], return_counts=True)[1])
    above = 12 * (sums**2).sum() - 3 * m**2 * n * (n + 1) ** 2
    below = m**2 * n * (n**2 - 1) - m * ties
    return plain, above / below if below else np.nan


@given(scores=tables(candidates=6, judges=7))
def test_w_and_means_by_loops(scores):
    table = table_of(scores)
    facts = dh.agreement(table, by="average_rank").facts()
    if table.n == 1:
        assert np.isnan([facts["kendall_w"], facts["mean_spearman"], facts["mean_tau_b"]]).all()
        return
    plain, corrected = w_of_the_supplement(scores)
    same(facts["kendall_w_uncorrected"], plain)
    same(facts["kendall_w"], corrected)
    same(facts["mean_spearman"], pairs_of(table, spearmanr))
    same(facts["mean_tau_b"], pairs_of(table, scipy.stats.kendalltau))
    if table.n > 2 and table.m > 1 and not np.isnan(corrected):
        friedman = scipy.stats.friedmanchisquare(*scores)
        same(facts["chi2"], friedman.statistic)
        same(facts["friedman_p"], friedman.pvalue)
        same(facts["chi2"], table.m * (table.n - 1) * corrected)


def test_the_relation_between_w_and_the_mean_correlation():
    """Exact without ties, also for weighted judges; with ties it misleads (erratum E15)."""
    for weights in (None, [1, 2, 3, 0.5, 1.5]):
        facts = dh.agreement(random_table(1, 7, 5, judge_weights=weights)).facts()
        assert facts["spearman_from_w"] == pytest.approx(facts["mean_spearman"])
    unequally = [[5, 4, 1, 1], [4, 5, 1, 1], [3, 2, 0, 1], [2, 3, 1, 0], [1, 1, 0, 1]]
    table = table_of(unequally)
    tied = dh.agreement(table).facts()
    plain = (4 * tied["kendall_w_uncorrected"] - 1) / 3
    true = pairs_of(table, spearmanr)
    assert tied["mean_spearman"] == pytest.approx(true)
    assert abs(tied["spearman_from_w"] - true) > 0.01
    assert abs(plain - true) > 0.05


@given(seed=st.integers(0, 200), m=st.integers(2, 6))
def test_a_weight_is_a_repetition_in_w(seed, m):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, size=m)
    scores = rng.integers(0, 4, size=(5, m)).astype(float)
    weighted = dh.agreement(table_of(scores, judge_weights=weights), by="mean").facts()
    repeated = dh.agreement(table_of(np.repeat(scores, weights, axis=1)), by="mean").facts()
    same(weighted["kendall_w"], repeated["kendall_w"])
    same(weighted["kendall_w_uncorrected"], repeated["kendall_w_uncorrected"])
    same(weighted["effective_judges"], repeated["effective_judges"])
    same(weighted["centrality"]["mean"], repeated["centrality"]["mean"])


def test_a_pair_of_judges_weighs_the_product_of_their_weights():
    table = random_table(2, 6, 4, grades=2, judge_weights=[1, 2, 5, 0.25])
    found = dh.agreement(table)
    same(found.facts()["mean_spearman"], pairs_of(table, spearmanr))
    same(found.facts()["mean_tau_b"], pairs_of(table, scipy.stats.kendalltau))


def test_judges_of_weight_0_are_left_out():
    table = random_table(2, 6, 4, judge_weights=[1, 0, 1, 1])
    found = dh.agreement(table)
    assert found.facts()["judges"] == 3
    assert "1 judge of weight 0 left out." in found.warnings
    same(found.facts()["kendall_w"], dh.agreement(table.of_judges([0, 2, 3])).facts()["kendall_w"])


@pytest.mark.parametrize("grades", [None, 1])
def test_each_judge_and_the_rest_by_loops(grades):
    weights = np.array([1.0, 2, 1, 3, 0.5])
    table = random_table(5, 8, 5, grades=grades, judge_weights=weights)
    rows = {row["judge"]: row for row in dh.agreement(table).rows()}
    ranks = np.array([rankdata(-table.scores[:, j]) for j in range(5)])
    for j, name in enumerate(table.judges):
        others = [k for k in range(5) if k != j]
        rhos = [spearmanr(ranks[j], ranks[k]).statistic for k in others]
        same(rows[name]["mean_spearman"], np.average(rhos, weights=weights[others]))
        rest = np.average(ranks[others], axis=0, weights=weights[others])
        same(rows[name]["rest_correlation"], spearmanr(ranks[j], rest.round(9)).statistic)
        tied = [ranks[j][i] == ranks[j][k] for i, k in combinations(range(8), 2)]
        same(rows[name]["ties"], np.mean(tied))
        assert rows[name]["weight"] == weights[j]


def test_the_judges_that_oppose_the_rest():
    rng = np.random.default_rng(0)
    skill = np.arange(10.0)[:, None]
    scores = skill + rng.standard_normal((10, 6))
    scores[:, 4] *= -1
    found = dh.agreement(table_of(scores, judges=list("abcdef")))
    assert found.facts()["opposing"] == ["e"]
    assert found.rows()[0]["judge"] == "e"
    assert found.rows()[0]["opposes"]
    assert "Judge e opposes the rest (mean correlation -0." in found.verdict
    assert any("judge e ranks the other way round" in warning for warning in found.warnings)


def test_permutations_are_exact_for_small_tables():
    """Every arrangement of both other judges beside the first, by loops."""
    scores = np.array([[3, 3, 2], [2, 1, 2], [1, 2, 1.0], [0, 0, 1]])
    found = dh.agreement(table_of(scores)).permutation
    ranks = np.array([rankdata(-scores[:, j]) for j in range(3)])

    def spread(rows):
        return ((np.sum(rows, axis=0) - 7.5) ** 2).sum()

    arranged = [
        spread([ranks[0], second, third])
        for second, third in product(permutations(ranks[1]), permutations(ranks[2]))
    ]
    assert found.exact
    assert found.arrangements == 24**2
    assert found.p == pytest.approx(np.mean(np.array(arranged) >= spread(ranks) - 1e-9))


def test_random_permutations_agree_with_the_approximation():
    found = dh.agreement(random_table(11, 6, 12), seed=3)
    assert not found.permutation.exact
    weak = dh.artificial(6, 12, concordance=0.12, seed=8)
    found = dh.agreement(weak, seed=3)
    assert 0.02 < found.numbers.f_p < 0.6
    assert found.permutation.p == pytest.approx(found.numbers.f_p, abs=0.03)
    assert found.permutation.p == dh.agreement(weak, seed=3).permutation.p
    assert found.permutation.p != dh.agreement(weak, seed=4).permutation.p


def test_iman_and_davenport():
    """Demsar (2006), section 3.2.3: chi2 = 9.28 with 4 x 14 gives F = 3.69."""

    def f_of(chi2, n, m):
        return (m - 1) * chi2 / (m * (n - 1) - chi2)

    assert f_of(9.28, 4, 14) == pytest.approx(3.69, abs=0.005)
    n, m = 5, 9
    facts = dh.agreement(random_table(4, n, m)).facts()
    expected = f_of(facts["chi2"], n, m)
    assert facts["f"] == pytest.approx(expected)
    assert facts["f_p"] == pytest.approx(scipy.stats.f.sf(expected, n - 1, (n - 1) * (m - 1)))


def test_weighted_judges_that_know_nothing_have_the_mean_of_chi_square():
    """Over all arrangements of the ranks the statistic is n - 1 on average, ties or not."""
    columns = [[3, 2, 1], [2, 2, 1], [3, 1, 2]]
    found = [
        dh.agreement(
            table_of(np.array([columns[0], second, third]).T, judge_weights=[1, 2, 5]), by="mean"
        ).facts()["chi2"]
        for second, third in product(permutations(columns[1]), permutations(columns[2]))
    ]
    assert np.mean(found) == pytest.approx(2)


@pytest.mark.parametrize(("n", "m"), [(9, 5), (5, 9)])
def test_effective_judges_by_the_matrix(n, m):
    """Both ways to add up the squares of the correlations."""
    table = random_table(6, n, m)
    rho = spearmanr(table.scores).statistic
    assert dh.agreement(table).facts()["effective_judges"] == pytest.approx(m**2 / (rho**2).sum())


def test_effective_judges_at_the_ends():
    alike = table_of(np.repeat(np.arange(5.0)[:, None], 4, axis=1))
    assert dh.agreement(alike).facts()["effective_judges"] == pytest.approx(1)
    opposed = table_of(np.arange(5.0)[:, None] * [1, -1, 1, -1])
    assert dh.agreement(opposed).facts()["effective_judges"] == pytest.approx(1)


@pytest.mark.parametrize("correlation", ["spearman", "kendall"])
def test_the_matrix_holds_every_pair(correlation):
    table = random_table(7, 6, 5, grades=2, judges=["judge", "b", "c", "d", "e"])
    rows = {row["judge_"]: row for row in dh.agreement(table).matrix(correlation).rows()}
    oracle = spearmanr if correlation == "spearman" else scipy.stats.kendalltau
    assert rows.keys() == set(table.judges)
    for j, ours in enumerate(table.judges):
        for k, theirs in enumerate(table.judges):
            expected = oracle(table.scores[:, j], table.scores[:, k]).statistic
            assert rows[ours][theirs] == pytest.approx(expected)
    assert dh.agreement(table).matrix(correlation).to_csv().startswith("judge_,")


def test_clusters_as_scipy_cuts_them():
    """Two camps and a stranger; the number of clusters follows from the threshold."""
    rng = np.random.default_rng(1)
    first, second = rng.permutation(12.0 * np.arange(12)), rng.permutation(12.0 * np.arange(12))
    columns = [first + rng.random(12) for _ in range(4)] + [second + rng.random(12)] * 2
    columns += [rng.random(12), np.ones(12)]
    found = dh.agreement(table_of(np.column_stack(columns), judges=list("abcdefgh")))
    assert found.facts()["clusters"] == [["a", "b", "c", "d"], ["e", "f"], ["g"]]
    rows = {row["judge"]: row["cluster"] for row in found.rows()}
    assert [rows[name] for name in "aefgh"] == [1, 2, 2, 3, None]
    table = found.table("clusters").rows()
    assert [row["size"] for row in table] == [4, 2, 1]
    assert table[1]["mean_inside"] == pytest.approx(1)
    ranks = found.ranks
    outside = [spearmanr(ranks[j], ranks[k]).statistic for j in (4, 5) for k in (0, 1, 2, 3, 6)]
    assert table[1]["mean_outside"] == pytest.approx(np.mean(outside))
    one = dh.agreement(found.results, threshold=-1).facts()["clusters"]
    assert len(one) == 1


def test_a_chain_of_judges_is_no_cluster():
    """Neighbours correlate by .7 and .6, the ends not at all: on average too little for one."""
    chain = [[1, 2, 3, 4, 5], [1, 2, 4, 5, 3], [2, 3, 5, 4, 1]]
    found = dh.agreement(table_of(np.array(chain, dtype=float).T, judges=list("abc")))
    rho = {
        pair: spearmanr(*(chain[k] for k in pair)).statistic for pair in [(0, 1), (1, 2), (0, 2)]
    }
    nearest = max(rho, key=rho.get)
    others = [value for pair, value in rho.items() if pair != nearest]
    assert rho[nearest] > 0.5
    assert max(others) > 0.5 > np.mean(others)
    assert sorted(map(len, found.facts()["clusters"])) == [1, 2]


def test_centrality_by_loops():
    table = random_table(8, 7, 6, grades=2, judge_weights=[1, 1, 2, 1, 1, 3])
    found = dh.agreement(table, by=["mean", "copeland", "median"])
    for row in found.table("functions").rows():
        merits = {r["candidate"]: r["rank"] for r in dh.rank(table, by=row["function"]).rows()}
        ranking = [-merits[c] for c in table.candidates]
        for key, oracle in (("mean_spearman", spearmanr), ("mean_tau_b", scipy.stats.kendalltau)):
            each = [oracle(ranking, table.scores[:, j]).statistic for j in range(6)]
            assert row[key] == pytest.approx(np.average(each, weights=table.weights))
        closeness = found.closeness([-rank for rank in ranking])
        assert closeness == pytest.approx(row["mean_spearman"])
    values = list(found.facts()["centrality_strict"].values())
    assert values == sorted(values, reverse=True)
    assert found.facts()["most_central"][0] == next(iter(found.facts()["centrality"]))


def test_no_ranking_is_closer_than_that_by_average_rank():
    """Among strict judges the ranking by mean ranks is optimal (erratum E24)."""
    table = random_table(9, 5, 4)
    found = dh.agreement(table)
    best = max(found.closeness(order) for order in permutations(range(1, 6)))
    assert found.facts()["centrality"]["average_rank"] == pytest.approx(best)


CASES = {
    "one candidate": ([[1, 2, 3]], np.nan, "1 candidate: nothing is ranked"),
    "one judge": ([[1], [2], [2]], 1.0, "1 judge: W is 1 by construction"),
    "all tied": ([[1, 1], [1, 1], [1, 1]], np.nan, "every judge ties all candidates"),
    "two candidates": ([[1, 1, 2], [2, 2, 1]], 1 / 9, "2 candidates: every correlation is 1"),
    "one cell": ([[1]], np.nan, "1 candidate"),
}


@pytest.mark.parametrize("case", CASES)
def test_degenerate_tables_have_values_and_reasons(case):
    """Spec A3, row 35: NaN for one candidate and for all tied, 1 for one judge; JSON null."""
    scores, w, reason = CASES[case]
    found = dh.agreement(table_of(scores))
    np.testing.assert_allclose(found.facts()["kendall_w"], w)
    assert any(reason in warning for warning in found.warnings)
    document = json.loads(found.to_json())
    assert document["facts"]["kendall_w"] == (None if np.isnan(w) else pytest.approx(w))
    if np.shape(scores)[1] == 1:
        assert document["facts"]["mean_spearman"] is None
        assert document["facts"]["friedman_p"] is None
    assert document["verdict"]
    for name in ("judges", "matrix", "clusters", "functions"):
        assert found.table(name).to_json()
    assert repr(found)


def test_constant_judges_are_counted_and_named():
    table = table_of([[1, 1, 3], [2, 1, 2], [3, 1, 1]], judges=["up", "same", "down"])
    found = dh.agreement(table)
    facts = found.facts()
    assert facts["constant"] == ["same"]
    assert facts["mean_spearman"] == pytest.approx(-1)
    assert found.warnings[0].startswith("1 judge tied all candidates (same)")
    assert found.verdict.startswith("The 2 of 3 judges that separate candidates do not agree")
    row = found.rows()[-1]
    assert (row["judge"], row["constant"], row["cluster"], row["ties"]) == ("same", True, None, 1)
    assert len(found.matrix().rows()) == 2
    alone = dh.agreement(table.of_judges([0, 1]))
    assert np.isnan(alone.facts()["mean_spearman"])
    assert "fewer than two judges" in alone.verdict


def test_the_tie_tolerance_is_respected():
    table = table_of([[0.90, 0.5], [0.89, 0.4], [0.1, 0.3]], tie_tol=0.05)
    row = next(r for r in dh.agreement(table).rows() if r["judge"] == "judge_1")
    assert row["ties"] == pytest.approx(1 / 3)


def test_blocks_do_not_matter(monkeypatch):
    table = random_table(10, 6, 15, grades=2, judge_weights=np.arange(1, 16) / 4)
    whole = dh.agreement(table)
    monkeypatch.setattr(numbers, "WORKING_SET", 6 * 8 * 4)  # four judges at a time
    parts = dh.agreement(table)
    for key in ("kendall_w", "mean_spearman", "mean_tau_b", "effective_judges", "friedman_p"):
        same(parts.facts()[key], whole.facts()[key])
    same(parts.means, whole.means)
    same(parts.rest, whole.rest)


def test_many_judges_have_no_matrix_and_large_tables_no_tau(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_MATRIX", 5)
    monkeypatch.setattr(module, "TAU_STEPS", 10)
    table = random_table(1, 6, 9)
    found = dh.agreement(table)
    assert found.facts()["clusters"] is None
    assert found.rows()[0]["cluster"] is None
    assert np.isnan(found.facts()["mean_tau_b"])
    same(found.facts()["mean_spearman"], pairs_of(table, spearmanr))
    told = " ".join(found.warnings)
    assert "too large for clusters" in told
    assert "too large for tau-b" in told
    for name in ("matrix", "clusters"):
        with pytest.raises(UsageError, match="too"):
            found.table(name)
    assert found.table("functions").rows()
    assert found.verdict


def test_no_effective_number_where_both_sides_are_long(monkeypatch):
    monkeypatch.setattr(numbers, "LARGEST_GRAM", 4)
    assert np.isnan(dh.agreement(random_table(1, 6, 9)).facts()["effective_judges"])


def test_no_permutations_of_large_tables(monkeypatch):
    monkeypatch.setattr(numbers, "MOST_SHUFFLED", 100)
    facts = dh.agreement(random_table(1, 6, 9)).facts()
    assert facts["permutation_p"] is None
    assert facts["permutation_exact"] is None


HOLES = [[1, 2, 3], [2, np.nan, 1], [3, 1, 2]]


def test_missing_scores_need_a_policy():
    with pytest.raises(MissingScoresError):
        dh.agreement(table_of(HOLES))
    with pytest.raises(MissingScoresError) as caught:
        dh.agreement(table_of(HOLES, missing="available"))
    assert "'candidate_2' on judge 'judge_2' is missing (1 in all)" in caught.value.fact
    assert dh.agreement(table_of(HOLES), missing="drop-judges").facts()["judges"] == 2
    assert dh.agreement(table_of(HOLES), missing="last-rank").facts()["judges"] == 3


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda t: dh.agreement(t, threshold=2), UsageError, "between -1 and 1, got 2"),
        (lambda t: dh.agreement(t, by="copland"), UnknownNameError, "copeland"),
        (lambda t: dh.agreement(t).matrix("pearson"), UnknownNameError, "pearson"),
        (lambda t: dh.agreement(t).table("matrx"), UnknownNameError, "matrix"),
        (lambda t: dh.agreement(t).closeness([1, 2]), UsageError, "6 candidates"),
    ],
)
def test_what_cannot_be_done_is_told(call, kind, message):
    with pytest.raises(kind, match=message):
        call(random_table(1, 6, 4))


@pytest.mark.parametrize(
    ("concordance", "words"),
    [
        (1.0, "agree almost completely"),
        (0.8, "agree strongly"),
        (0.62, "agree clearly"),
        (0.42, "agree moderately"),
        (0.22, "agree weakly"),
        (0.06, "hardly agree"),
        (0.01, "do not agree"),
    ],
)
def test_words_follow_the_mean_correlation(concordance, words):
    found = dh.agreement(dh.artificial(40, 40, concordance=concordance, seed=1))
    assert f"The 40 judges {words} (Kendall's W = 0" in found.verdict.replace("= 1", "= 0")
    assert "  " not in found.verdict


def test_words_about_chance():
    rng = np.random.default_rng(2)
    found = dh.agreement(table_of(rng.standard_normal((4, 3))))
    assert found.permutation.exact
    assert "exact p = " in found.verdict
    strong = dh.agreement(random_table(1, 12, 20))
    assert "more than chance explains (Friedman's test p < 0.0001)" in strong.verdict
    assert p_value(0.012) == "= 0.012"


def test_the_grid_has_at_most_a_thousand_judges_and_the_relation(monkeypatch):
    monkeypatch.setattr("deadheat.agree.api.MOST_ROWS", 20)
    grid = dh.agreement(random_table(1, 12, 30, grades=1)).grid()
    assert len(grid.cells) == 20
    assert "10 more judges have more in common." in grid.notes
    assert grid.notes[-1].startswith("Without ties the mean correlation (")
    assert "tied pairs" in [column.name for column in grid.columns]
    weighted = dh.agreement(random_table(1, 12, 4, judge_weights=[1, 2, 1, 1])).grid()
    assert [column.name for column in weighted.columns][-1] == "weight"


def test_two_camps_have_no_rest_to_oppose():
    """Half of the judges are turned around: varied as one judge, and nobody is the rest."""
    found = dh.agreement(dh.artificial(20, 13, concordance=0.95, opposite=6, seed=1))
    ranks = found.ranks
    between = [spearmanr(ranks[j], ranks[k]).statistic for j in range(7) for k in range(7, 13)]
    assert (
        "Two camps of 7 and 6 judges rank in opposite directions (mean correlation between them "
        f"{np.mean(between):.2f})." in found.verdict
    )
    worth = f"{found.facts()['effective_judges']:.1f} unrelated judges"
    assert f"In variety they are worth {worth} (to say the opposite adds none)" in found.verdict
    assert "closest" not in found.verdict
    assert 1 < found.facts()["effective_judges"] < 1.2
    assert [len(c) for c in found.facts()["clusters"]] == [7, 6]


def test_many_who_contradict_without_camps_leave_no_common_ranking():
    """Every judge stands alone: no two clusters could be camps."""
    orders = [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], [1, 6, 2, 5, 3, 4], [6, 1, 5, 2, 4, 3]]
    found = dh.agreement(table_of(np.array(orders, dtype=float).T), threshold=0.9)
    assert "No common ranking stands out: 4 of 4 judges" in found.verdict


def test_the_relation_to_w_is_said_to_hold_only_without_ties():
    tied, untied = (dh.agreement(random_table(1, 12, 4, grades=g)).grid().notes for g in (1, None))
    assert ") would be (m W - 1)/(m - 1) = " in tied[-1]
    assert ") is (m W - 1)/(m - 1) = " in untied[-1]


def test_all_judges_are_in_the_table_of_which_terminals_show_the_first():
    judges = [f"judge{k:02d}" for k in range(30)]
    found = dh.agreement(random_table(1, 12, 30, judges=judges))
    for written in (found.to_md(), found.to_latex()):
        assert [name for name in judges if name not in written] == []
    assert len(found.grid().cells) == 30
    assert 0 < found.grid().leading < 30
    assert "more in common" not in found.to_md()


@pytest.mark.parametrize(
    ("scores", "ways"),
    [
        ([[1, np.nan, 3], [2, 3, 1], [3, 1, 2]], ["drop-judges", "drop-candidates", "worst"]),
        ([[1, np.nan], [np.nan, 3], [3, 1]], ["worst"]),
        ([[1, np.nan, 2], [2, np.nan, 3]], ["drop-judges"]),
    ],
)
def test_every_policy_that_is_hinted_at_works(scores, ways):
    with pytest.raises(MissingScoresError) as caught:
        dh.agreement(table_of(scores))
    for policy in ("drop-judges", "drop-candidates", "worst", "available"):
        assert (f"missing='{policy}'" in caught.value.hint) == (policy in ways)
    for policy in ways:
        assert dh.agreement(table_of(scores), missing=policy).verdict


def test_a_table_shows_three_digits():
    grid = dh.agreement(random_table(1, 6, 4)).table("clusters").grid()
    assert [column.digits for column in grid.columns] == [3] * 5
    assert [column.name for column in grid.columns][-1] == "judges"


@pytest.mark.parametrize("seed", [-1, "x", 1.5, True])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(UsageError, match="seed must be a whole number of at least 0") as caught:
        dh.agreement(dh.examples.load("compressors"), seed=seed)
    assert "seed=0" in caught.value.hint


def test_an_infinite_f_is_left_out_and_that_is_said():
    found = dh.agreement(dh.Results(scores=[[3, 9], [2, 8], [1, 7]], better="higher"))
    assert found.facts()["kendall_w"] == 1
    written = found.to_json()
    assert '"f": null' in written
    assert '"f_p": null' in written
    assert any("F is infinite" in warning for warning in found.warnings)
    other = dh.agreement(dh.Results(scores=[[3, 9], [2, 7], [1, 8]], better="higher"))
    assert other.facts()["f"] > 0
    assert not any("F is infinite" in warning for warning in other.warnings)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(10, 50), (10, 3), (5, 5)])
def test_judges_who_know_nothing_are_seldom_said_to_oppose_the_rest(n, m):
    rng = np.random.default_rng(n + m)
    tables = (table_of(rng.standard_normal((n, m))) for _ in range(200))
    accused = [bool(dh.agreement(table, by="average_rank").opposing) for table in tables]
    assert np.mean(accused) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize("n", [5, 7, 8, 12])
def test_the_chance_of_a_correlation_is_that_of_shuffled_ranks(n):
    rng = np.random.default_rng(0)
    theirs, own = np.arange(1.0, n + 1), np.arange(n, 0, -1.0)
    own[[0, 1]] = own[[1, 0]]
    rho = spearmanr(own, theirs).statistic
    drawn = rng.permuted(np.tile(theirs, (4_000, 1)), axis=1)
    squares = np.square(drawn - theirs).sum(axis=1)
    share = np.mean(1 - 6 * squares / (n * (n**2 - 1)) <= -0.6 + 1e-12)  # Spearman's formula
    found = [chance_of_less(r, own, theirs) for r in (rho, -0.6)]
    if n > 7:  # of fewer the ranks themselves are shuffled, whatever rho is said
        assert found[1] == pytest.approx(share, abs=0.015)
    assert found[0] < 0.05


def test_several_tables_are_rows_of_one():
    """Table 1 of the paper: candidates, judges and W of each benchmark."""
    tables = [random_table(1, 5, 8, source="a"), random_table(2, 4, 6, grades=2, source="b")]
    found = dh.agreement(tables)
    assert [(row["table"], row["candidates"], row["judges"]) for row in found.rows()] == [
        ("a", 5, 8),
        ("b", 4, 6),
    ]
    same(
        [row["kendall_w"] for row in found.rows()],
        [w_of_the_supplement(t.scores)[1] for t in tables],
    )
    assert dh.load(found.to_json()).to_csv() == found.to_csv()
