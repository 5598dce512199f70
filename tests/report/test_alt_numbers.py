"""The numbers that text alternatives print are those of the table, computed here by loops."""

from __future__ import annotations

import re
from statistics import median

import numpy as np
import pytest
from rated_and_run import CUTOFF, runs_of
from scipy import stats

import deadheat as dh
from deadheat.output.text import number, percent

SEEDS = range(6)


def table(seed, *, ties=True):
    """A random table of 2 to 7 candidates with letters as names, ties in most."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 8)), int(rng.integers(7, 16))
    scores = rng.integers(0, 6, (n, m)) / 2 if ties else rng.normal(0, 1, (n, m))
    return dh.Results(scores=scores, candidates=list("ABCDEFG"[:n]), better="higher")


def told(alt, pattern):
    return re.findall(pattern, alt)


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs_tells_the_leaders_win_rates(seed):
    given = table(seed)
    found = dh.verdict(given, replicates=100)
    alt = found.plot("pairs").alt
    leader = found.groups[0][0]
    scores = dict(zip(given.candidates, given.scores, strict=True))
    parts = dict(told(alt.split("scores better than")[1], r"([A-G]) on ([^.]*(?:\.\d+)? %)\."))
    assert set(parts) == set(given.candidates) - {leader}
    for other, said in parts.items():
        a, b = scores[leader], scores[other]
        assert said == percent(float(np.mean((a > b) + (a == b) / 2)))


@pytest.mark.parametrize("seed", SEEDS)
def test_condorcet_tells_who_beats_how_many(seed):
    given = table(seed)
    alt = given.plot("condorcet").alt
    wins = {
        a: sum(int((x > y).sum() > (x < y).sum()) for y in given.scores)
        for a, x in zip(given.candidates, given.scores, strict=True)
    }
    assert dict(told(alt, r"([A-G]): (\d+)\.")) == {a: str(w) for a, w in wins.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_heat_map_tells_mean_ranks(seed):
    given = table(seed)
    alt = given.plot("heat-map", values="ranks").alt
    means = stats.rankdata(-given.scores, axis=0).mean(axis=1)
    said = dict(told(alt.split("average rank:")[1], r"([A-G]) ([\d.]*\d)"))
    assert said == {a: number(float(r), 1) for a, r in zip(given.candidates, means, strict=True)}


@pytest.mark.parametrize("seed", SEEDS)
def test_ranks_tells_observed_and_median_ranks(seed):
    given = table(seed)
    found = dh.verdict(given, replicates=100)
    observed = stats.rankdata(stats.rankdata(-given.scores, axis=0).mean(axis=1).round(9))
    medians = [median(places.tolist()) / 2 for places in found.spread.places.T]
    said = told(
        found.plot("ranks").alt, r"([A-G]): observed rank ([\d.]+), .*? resamples ([\d.]+),"
    )
    assert {a: (o, m) for a, o, m in said} == {
        a: (number(float(o)), number(float(m)))
        for a, o, m in zip(given.candidates, observed, medians, strict=True)
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_curves_tell_what_was_solved_and_when_half_was(seed):
    runs = runs_of(table(seed, ties=False))
    when = "never half of all|half of all by [\\d.e-]*\\d"
    said = told(runs.plot("cactus").alt, rf"([A-G]): (\d+) \((.*? %)\), ({when})")
    assert len(said) == len(runs.candidates)
    for name, count, share, half in said:
        mine = runs.candidate == runs.candidates.index(name)
        times = sorted(t for t in runs.time[mine] if t < CUTOFF)
        size = int(mine.sum())
        assert count == str(len(times))
        assert share == percent(len(times) / size)
        middle = -(-size // 2)  # the run with which half of all are solved
        by = "" if middle > len(times) else number(times[middle - 1])
        expected = f"half of all by {by}" if by else "never half of all"
        assert half == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_agreement_tells_mean_correlations(seed):
    given = table(seed, ties=False)
    rho = np.array([[stats.spearmanr(a, b)[0] for b in given.scores.T] for a in given.scores.T])
    m = len(rho)
    means = (rho.sum(axis=1) - 1) / (m - 1)
    said = told(dh.agreement(given).plot("agreement").alt, r"(judge_\d+) (-?[\d.]*\d)(?=[, .])")
    assert said
    for judge, value in said:
        assert abs(float(value) - means[given.judges.index(judge)]) < 0.0051
