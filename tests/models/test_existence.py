"""Which ratings exist, against reachability spelled out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_cases import counts
from scipy.optimize import linprog

from deadheat.models.rating.contextual import design_of, runaway_directions
from deadheat.models.rating.existence import existence, runaway_levels, separated, ties_run_away


@st.composite
def sparse_pairs(draw):
    """Draw pairs of whom many never met, and many of whom only one ever won."""
    n = draw(st.integers(2, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = [
        (i, j, *(rng.integers(0, 3, size=3) * (rng.random(3) < [0.5, 0.3, 0.2])))
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < 0.6
    ]
    return counts(n, rows)


def reach(pairs, *, weak):
    """Return who reaches whom by wins, or by battles."""
    n = pairs.n
    edges = np.eye(n, dtype=bool)
    for i, j, up, down in zip(
        pairs.first, pairs.second, pairs.points > 0, pairs.points_against > 0, strict=True
    ):
        edges[i, j] |= up or (weak and down)
        edges[j, i] |= down or (weak and up)
    for k in range(n):
        for i in range(n):
            if edges[i, k]:
                edges[i] |= edges[k]
    return edges


@given(pairs=sparse_pairs())
def test_parts_are_those_of_reachability(pairs):
    found = existence(pairs)
    weak, strong = reach(pairs, weak=True), reach(pairs, weak=False)
    assert found.connected == weak.all()
    assert found.strongly_connected == strong.all()
    assert sorted(sum(found.components, ())) == list(range(pairs.n))
    assert sorted(sum(found.strong, ())) == list(range(pairs.n))
    sizes = [len(part) for part in found.components]
    assert sizes == sorted(sizes, reverse=True)
    for parts, reached in ((found.components, weak), (found.strong, strong & strong.T)):
        for part in parts:
            assert set(np.flatnonzero(reached[part[0]]).tolist()) == set(part)
    for k, better in enumerate(found.strong):
        for worse in found.strong[k + 1 :]:
            assert not strong[np.ix_(worse, better)].any()


@given(pairs=sparse_pairs())
def test_who_never_lost_and_who_never_won(pairs):
    won, lost, tied = (np.zeros(pairs.n) for _ in range(3))
    for i, j, w, x, t in zip(
        pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, strict=True
    ):
        for who, up, down in ((i, w, x), (j, x, w)):
            won[who] += up
            lost[who] += down
            tied[who] += t
    found = existence(pairs)
    only = (tied == 0) & (won + lost > 0)
    assert found.undefeated == tuple(np.flatnonzero(only & (lost == 0)).tolist())
    assert found.winless == tuple(np.flatnonzero(only & (won == 0)).tolist())


@given(pairs=sparse_pairs())
def test_replicates_are_separated_one_by_one(pairs):
    shares = np.array([1.0, 0.5])[:, None]
    both = pairs.with_counts(pairs.wins * shares, pairs.losses * [[1], [0]], pairs.ties * shares)
    for b, found in enumerate(separated(both).tolist()):
        alone = existence(both.of_replicate(b))
        assert found == (len(alone.strong) > len(alone.components))


def test_nobody_at_all_raises_nothing():
    for n in (0, 1, 3):
        found = existence(counts(n, []))
        assert found.connected == found.strongly_connected == (n < 2)
        assert len(found.components) == len(found.strong) == n
        assert found.undefeated == found.winless == ()


@given(pairs=sparse_pairs())
def test_ties_run_away_where_a_linear_program_says_so(pairs):
    """Levels d with d_i - d_j >= 2 for every win of i over j and |d_i - d_j| <= 2 for every tie."""
    rows, bounds = [], []
    for i, j, w, x, t in zip(
        pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, strict=True
    ):
        apart = np.eye(pairs.n)[i] - np.eye(pairs.n)[j]
        for there, sign, bound in ((w, -1, -2), (x, 1, -2), (t, 1, 2), (t, -1, 2)):
            if there:
                rows.append(sign * apart)
                bounds.append(bound)
    if not rows:
        assert ties_run_away(pairs)
        return
    solved = linprog(np.zeros(pairs.n), np.array(rows), bounds, bounds=[(None, None)] * pairs.n)
    assert solved.status in (0, 2)
    assert ties_run_away(pairs) == (solved.status == 0)


@pytest.mark.parametrize(("losses", "away"), [(0, True), (1, False)])
def test_a_win_and_a_tie_run_away_until_there_is_a_loss(losses, away):
    assert ties_run_away(counts(2, [(0, 1, 1, losses, 1)])) == away


def test_a_tie_across_two_wins_keeps_the_ties_from_running_away():
    """From a to c two wins lead, four levels; their tie allows two."""
    chain = [(0, 1, 1, 0, 0), (1, 2, 1, 0, 0)]
    assert ties_run_away(counts(4, [*chain, (1, 3, 0, 0, 1), (0, 3, 0, 0, 1)]))
    assert not ties_run_away(counts(3, [*chain, (0, 2, 0, 0, 1)]))


@given(pairs=sparse_pairs())
def test_who_runs_away_from_whom_is_what_linear_programs_say(pairs):
    """The largest and the smallest difference of two levels, over all levels that are possible."""
    if not pairs.ties.any() or not ties_run_away(pairs):
        return
    rows, bounds = [], []
    for i, j, w, x, t in zip(
        pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, strict=True
    ):
        apart = np.eye(pairs.n)[i] - np.eye(pairs.n)[j]
        for there, sign, bound in ((w, -1, -2), (x, 1, -2), (t, 1, 2), (t, -1, 2)):
            if there:
                rows.append(sign * apart)
                bounds.append(bound)
    found = runaway_levels(pairs)
    for i in range(min(pairs.n, 3)):
        for j in range(i + 1, pairs.n):
            gap = np.eye(pairs.n)[i] - np.eye(pairs.n)[j]
            ends = [
                sign * linprog(sign * gap, np.array(rows), bounds, bounds=[(-99, 99)] * pairs.n).fun
                for sign in (1, -1)
            ]
            least, most = np.round(ends, 6)
            a, b = found.part[i], found.part[j]
            assert (a == b) == (least == most == 0)
            assert found.above[a, b] == (least >= 0 and most > 0)
            assert found.above[b, a] == (most <= 0 and least < 0)


@settings(max_examples=40)
@given(pairs=sparse_pairs())
def test_battles_without_circumstances_run_away_where_chains_of_wins_say_so(pairs):
    """The linear programs of contextual ratings, against reachability by wins and ties."""
    strong = reach(pairs, weak=False)
    if not reach(pairs, weak=True).all() or strong.all():
        return
    columns = np.stack([pairs.wins, pairs.losses, pairs.ties], axis=1)
    at, kind = np.nonzero(columns)
    outcome = np.array([1, -1, 0])[kind]
    design = design_of(pairs.first[at], pairs.second[at], pairs.n, weights=columns[at, kind])
    levels, undecided = runaway_directions(design, outcome, design.weights)
    part = levels.part
    np.testing.assert_array_equal(part[:, None] == part, strong & strong.T)
    np.testing.assert_array_equal(levels.above[part[:, None], part], strong & ~strong.T)
    np.testing.assert_array_equal(undecided, part[pairs.first[at]] == part[pairs.second[at]])
