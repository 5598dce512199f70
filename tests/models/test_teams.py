"""Teams: sides of several candidates, as strong as the sum of their members."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from deadheat.core.errors import DataError, UsageError
from deadheat.models.rating.contextual import contextual, contextual_refits, design_of, lineups


def test_names_are_split_into_members():
    names, members = lineups(["a", "b + a", "c", "b+c+a"])
    assert names == ("a", "b", "c")
    assert members == ((0,), (1, 0), (2,), (1, 2, 0))
    assert lineups(["a+b"], separator="|")[0] == ("a+b",)


def fitted(battles, outcome, weights=None):
    sides = [side for battle in battles for side in battle]
    names, members = lineups(sides)
    left, right = np.arange(0, len(sides), 2), np.arange(1, len(sides), 2)
    design = design_of(left, right, len(names), members=members, weights=weights, names=names)
    return members, contextual(design, outcome)


def maximum(members, outcome, weights):
    """The maximum of the likelihood written out battle by battle, the level left free."""

    def minus(b):
        total = 0.0
        for k, (result, weight) in enumerate(zip(outcome, weights, strict=True)):
            ahead = sum(b[i] for i in members[2 * k])
            ahead -= sum(b[i] for i in members[2 * k + 1])
            won, lost = -np.logaddexp(0, -ahead), -np.logaddexp(0, ahead)
            total += weight * ((result + 1) / 2 * won + (1 - result) / 2 * lost)
        return -total

    return minimize(minus, np.zeros(1 + max(map(max, members))), tol=1e-11).x


EQUAL = [("a+b", "c+d"), ("a+c", "b+d"), ("a+d", "b+c"), ("a+b", "c+d"), ("a", "b"), ("c", "a")]
UNEQUAL = [("a", "b+c"), ("b", "a+c"), ("a+b", "c"), ("a", "b"), ("b", "c"), ("c", "a"), ("a", "b")]


def test_teams_of_one_size_fix_differences_only():
    outcome = [1, -1, 1, -1, -1, 0, -1, 1, -1, 1, 1, 1]
    weights = np.array([2.0, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1])
    found, fit = fitted(EQUAL * 2, outcome, weights)
    best = maximum(found, outcome, weights)
    assert fit.design.level
    assert fit.ratings.sum() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(fit.ratings, best - best.mean(), atol=1e-4)


def test_teams_of_different_sizes_fix_the_level_too():
    outcome, weights = [1, -1, 1, -1, 1, 1, 0], np.ones(7)
    found, fit = fitted(UNEQUAL, outcome, weights)
    assert not fit.design.level
    np.testing.assert_allclose(fit.ratings, maximum(found, outcome, weights), atol=1e-4)
    assert abs(fit.ratings.sum()) > 1e-3


def test_a_common_member_cancels():
    _, fit = fitted([("a+b", "a+c"), ("a+b", "a+c"), ("a+b", "a+c"), ("a", "b")], [1, 1, -1, 0])
    assert fit.ratings[1] - fit.ratings[2] == pytest.approx(np.log(2), abs=1e-8)


def test_who_always_stand_together_cannot_be_told_apart():
    with pytest.raises(DataError, match="do not separate the ratings of 'a', 'b'"):
        fitted([("a+b", "c+d"), ("c", "d"), ("d", "c"), ("c+d", "a+b")], [1, 1, 1, 1])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: lineups(["a+"]), DataError, "'a\\+' has an empty member"),
        (lambda: lineups(["a+a"]), DataError, "names a member twice"),
        (lambda: lineups(["a"], separator=""), UsageError, "separator"),
    ],
)
def test_what_is_no_team_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_resample_that_always_draws_two_together_cannot_tell_them_apart():
    battles = [("a+b", "c"), ("a", "c"), ("b", "c"), ("c", "a")]
    _, fit = fitted(battles, [1, 1, 1, 1], weights=[8, 3, 3, 3])
    together, whole = [14.0, 0, 0, 0], [8.0, 3, 3, 3]
    found, _ = contextual_refits(fit, np.array([together, whole]))
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], fit.parameters, atol=1e-6)
