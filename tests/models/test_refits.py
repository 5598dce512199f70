"""Ratings of replicates are what a fit of each would give."""

from __future__ import annotations

import numpy as np
import pytest
from rating_cases import counts, drawn

from deadheat.data.battles import Battles
from deadheat.models.rating import newton
from deadheat.models.rating import uncertainty as refits
from deadheat.models.rating import uncertainty as steps
from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.existence import weak_labels
from deadheat.models.rating.uncertainty import DEPTH, AndersonMixing, Refitter
from deadheat.rate.matches import BattleMatches

TIES = ("half", "davidson", "rao-kupper")


def replicates(pairs, number, *, seed=0):
    """Return the counts of bootstrap replicates of all battles."""
    rng = np.random.default_rng(seed)
    cells = np.concatenate([pairs.wins, pairs.losses, pairs.ties])
    rows = rng.multinomial(int(cells.sum()), cells / cells.sum(), size=number).astype(float)
    return pairs.with_counts(*np.split(rows, 3, axis=1))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("penalty", ["none", "firth", "ridge", "pseudo"])
def test_replicates_are_fitted_one_by_one(ties, penalty):
    pairs = drawn(1, 7, most=60, ties=20)
    found = fit(pairs, penalty=penalty, ties=ties)
    many = replicates(pairs, 12)
    rows = Refitter(found)(many)
    for b, row in enumerate(rows):
        alone = fit(many.of_replicate(b), penalty=penalty, ties=ties)
        np.testing.assert_allclose(row, alone.ratings, atol=1e-8)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("penalty", ["none", "ridge", "pseudo"])
def test_cheap_steps_are_enough_for_plenty_of_battles(monkeypatch, penalty, ties):
    """Even where the tie parameter changes its sign on the way: Davidson's is near 0 here."""
    pairs = drawn(1, 7, most=600, ties=680)
    found, many = fit(pairs, penalty=penalty, ties=ties), replicates(pairs, 12)
    alone = [fit(many.of_replicate(b), penalty=penalty, ties=ties) for b in range(12)]
    expected = [one.ratings for one in alone]
    if ties == "davidson":
        assert min(one.tie for one in alone) < 0 < max(one.tie for one in alone)
    monkeypatch.setattr(refits, "_in_full", None)
    np.testing.assert_allclose(Refitter(found)(many), expected, atol=1e-8)


def test_blocks_of_any_size_give_the_same(monkeypatch):
    pairs = drawn(3, 6, most=40)
    found, many = fit(pairs), replicates(pairs, 9)
    whole = Refitter(found)(many)
    for size in (1, 40):
        monkeypatch.setattr(steps, "CACHED", size)
        np.testing.assert_allclose(Refitter(found)(many), whole, atol=1e-9)


@pytest.mark.parametrize("ties", TIES)
def test_a_replicate_without_finite_ratings_takes_the_penalty_of_firth(ties):
    pairs = counts(3, [(0, 1, 5, 1, 3), (0, 2, 4, 2, 1), (1, 2, 3, 3, 2)])
    found = fit(pairs, ties=ties)
    assert found.penalty == "none"
    won = np.stack([pairs.wins, [5.0, 4.0, 3.0]])
    lost = np.stack([pairs.losses, [0.0, 0.0, 3.0]])
    tied = np.stack([pairs.ties, [0.0, 0.0, 2.0]])
    rows = Refitter(found)(pairs.with_counts(won, lost, tied))
    np.testing.assert_allclose(rows[0], found.ratings, atol=1e-9)
    alone = fit(counts(3, [(0, 1, 5, 0, 0), (0, 2, 4, 0, 0), (1, 2, 3, 3, 2)]), ties=ties)
    assert alone.penalty == "firth"
    np.testing.assert_allclose(rows[1], alone.ratings, atol=1e-8)


@pytest.mark.parametrize("penalty", ["none", "firth"])
@pytest.mark.parametrize("ties", TIES)
def test_parts_of_a_replicate_keep_the_level_of_the_fit(ties, penalty):
    pairs = counts(4, [(0, 1, 3, 2, 1), (1, 2, 2, 1, 0), (2, 3, 3, 4, 1)])
    found = fit(pairs, ties=ties, penalty=penalty)
    kept = np.array([[1.0, 0.0, 1.0]])
    torn = pairs.with_counts(pairs.wins * kept, pairs.losses * kept, pairs.ties * kept)
    (row,) = Refitter(found)(torn)
    level = found.ratings[:2].mean()
    assert row[:2].mean() == pytest.approx(level)
    assert row[2:].mean() == pytest.approx(-level)
    alone = fit(counts(2, [(0, 1, 3, 2, 1)]), ties=ties, penalty=penalty)
    other = fit(counts(2, [(0, 1, 3, 4, 1)]), ties=ties, penalty=penalty)
    together = np.append(alone.ratings + level, other.ratings - level)
    np.testing.assert_allclose(row, together, atol=1e-8)


@pytest.mark.parametrize("penalty", ["none", "ridge", "pseudo", "firth"])
def test_lists_of_pairs_give_what_matrices_give(monkeypatch, penalty):
    pairs = drawn(2, 25, most=80, met=0.3)
    found, many = fit(pairs, penalty=penalty), replicates(pairs, 5)
    dense = Refitter(found)(many)
    monkeypatch.setattr(newton, "DENSE", 1)
    close = 2e-3 if penalty == "firth" else 1e-8  # the leverages of the fit stand for their own
    np.testing.assert_allclose(Refitter(found)(many), dense, atol=close)


def test_a_penalised_fit_of_separated_battles_is_resampled_with_its_penalty():
    pairs = counts(3, [(0, 1, 9, 0, 0), (0, 2, 8, 0, 0), (1, 2, 5, 4, 0)])
    found, many = fit(pairs), replicates(pairs, 6)
    rows = Refitter(found)(many)
    assert np.isfinite(rows).all()
    for b, row in enumerate(rows):
        expected = fit(many.of_replicate(b), penalty="firth").ratings
        np.testing.assert_allclose(row, expected, atol=1e-9)


def sparse_log(singles, *, both=False):
    """Return 24 who met often, and others with one match, or with one won and one lost."""
    rng = np.random.default_rng(5)
    n = 24 + singles
    level = rng.normal(size=n)
    games = {}
    for a, b in (sorted(rng.choice(24, 2, replace=False)) for _ in range(400)):
        won = rng.random() < 1 / (1 + np.exp(level[b] - level[a]))
        games.setdefault((a, b), [0, 0])[0 if won else 1] += 1
    for single in range(24, n):
        friend = int(rng.integers(24)) if single % 4 else single - 1  # some hang on each other
        won = int(rng.integers(2))
        games.setdefault((min(friend, single), max(friend, single)), [0, 0])[won] += 1
        if both:
            other = (friend + 7) % 24
            games.setdefault((other, single), [0, 0])[1 - won if friend < single else won] += 1
    return counts(n, [(a, b, *games[a, b], 0) for a, b in sorted(games)])


def weighted(pairs, number, *, seed=0):
    """Return the counts of replicates in which each battle weighs what chance says."""
    rng = np.random.default_rng(seed)
    rows = [rng.gamma(np.tile(kind, (number, 1))) for kind in (pairs.wins, pairs.losses)]
    return pairs.with_counts(*rows, np.zeros_like(rows[0]))


@pytest.mark.parametrize("penalty", ["none", "ridge", "pseudo"])
def test_few_replicates_are_fitted_in_full_where_many_have_one_or_two_matches(monkeypatch, penalty):
    """Only those whose plain ratings go so far that they might have no limit."""
    pairs = sparse_log(16, both=penalty == "none")
    found, many = fit(pairs, penalty=penalty), weighted(pairs, 60)
    expected = [fit(many.of_replicate(b), penalty=penalty).ratings for b in range(60)]
    in_full, full = refits._in_full, []
    monkeypatch.setattr(
        refits, "_in_full", lambda fit, rows, **how: full.append(rows) or in_full(fit, rows, **how)
    )
    np.testing.assert_allclose(Refitter(found)(many), expected, atol=1e-8)
    far = np.ptp(expected, axis=1) > np.ptp(found.ratings) + refits.RUNNING_AWAY
    assert sum(len(rows.wins) for rows in full) == (far.sum() if penalty == "none" else 0)


def test_scaled_leverages_need_no_full_fit_where_many_have_one_match(monkeypatch):
    """Standard errors are those of exact leverages: a single match has leverage 1 in both."""
    pairs = sparse_log(16)
    found, many = fit(pairs, penalty="firth"), weighted(pairs, 100)
    exact = Refitter(found)(many)
    monkeypatch.setattr(refits, "MOST_EXACT", 0)
    monkeypatch.setattr(refits, "_in_full", None)
    near = Refitter(found)(many)
    assert np.abs(near.std(axis=0) / exact.std(axis=0) - 1).max() < 0.03


def test_a_torn_replicate_keeps_its_levels_also_with_scaled_leverages(monkeypatch):
    pairs = sparse_log(16)
    found, many = fit(pairs, penalty="firth"), replicates(pairs, 20)
    exact = Refitter(found)(many)
    torn = [weak_labels(many.of_replicate(b)).any() for b in range(20)]
    assert any(torn)
    monkeypatch.setattr(refits, "MOST_EXACT", 0)
    np.testing.assert_allclose(Refitter(found)(many)[torn], exact[torn], atol=1e-9)


def walk(size=3, number=7):
    """Return places and steps (n, B) as an iteration might make them, and who was near."""
    rng = np.random.default_rng(8)
    sizes = 0.4 ** np.arange(number)[:, None, None]
    places, taken = rng.normal(size=(2, number, 9, size)) * sizes
    near = np.arange(number)[:, None] >= np.array([0, 1, 3])[:size]
    return places, taken, near


def test_a_mixed_step_leaves_what_the_last_bends_cannot_explain():
    """By least squares, one replicate after the other; what came before it was near is ignored."""
    places, taken, near = walk()
    mixed = AndersonMixing()
    for k, given in enumerate(zip(places, taken, near, strict=True)):
        found = mixed(*given)
        for b in np.flatnonzero(near[k]).tolist():
            known = [j for j in range(max(1, k + 1 - DEPTH), k + 1) if near[j - 1 : j + 1, b].all()]
            bends = np.array([taken[j, :, b] - taken[j - 1, :, b] for j in known]).reshape(-1, 9).T
            moves = np.array([places[j, :, b] - places[j - 1, :, b] for j in known])
            moves = moves.reshape(-1, 9).T
            weights = np.linalg.lstsq(bends, taken[k, :, b], rcond=None)[0]
            expected = taken[k, :, b] - (bends + moves) @ weights
            np.testing.assert_allclose(found[:, b], expected, atol=1e-9)


def test_a_mixed_step_of_one_does_not_hang_on_who_else_is_left():
    places, taken, near = walk()
    alone, together = AndersonMixing(), AndersonMixing()
    for k, (place, step, there) in enumerate(zip(places, taken, near, strict=True)):
        if k == 5:
            together.keep(np.array([1]))
        kept = [0, 1, 2] if k < 5 else [1]
        found = together(place[:, kept], step[:, kept], there[kept])[:, kept.index(1)]
        mine = alone(place[:, [1]], step[:, [1]], there[[1]])[:, 0]
        np.testing.assert_allclose(found, mine, rtol=1e-12)


def test_a_replicate_of_a_league_takes_few_steps(monkeypatch):
    """Each is a pass over all pairs: they are what a replicate costs."""
    rng = np.random.default_rng(0)
    n, truth = 120, rng.normal(size=120)
    left = rng.integers(0, n, 4_000)
    right = (left + rng.integers(1, 15, 4_000)) % n
    won = rng.random(4_000) < 1 / (1 + np.exp(truth[right] - truth[left]))
    log = Battles(left=left.astype(str), right=right.astype(str), winner=np.where(won, 1, -1))
    matches = BattleMatches(battles=log, replicates=60, seed=0)
    taken, plain = [], steps._steps_negligible

    def settled(reach, last):
        taken.append(len(reach))
        return plain(reach, last)

    monkeypatch.setattr(steps, "_steps_negligible", settled)
    (pairs, _), *_ = matches.draw_pairs(0)
    Refitter(fit(matches.pairs))(pairs)
    assert sum(taken) / len(pairs.wins) < 20
