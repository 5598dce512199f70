"""The battle log follows from the scores by the rule that its datasheet states."""

from __future__ import annotations

import csv
import gzip
from collections import Counter, defaultdict
from math import sqrt

import numpy as np
import pytest

import make_arena
from make_arena import BATTLES, COLUMNS, SOURCE, TARGET, TIE, Scores, battles, numbers, outcome


@pytest.fixture(scope="module")
def log():
    with gzip.open(TARGET, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert tuple(rows[0]) == COLUMNS
    return [tuple(row) for row in rows[1:]]


@pytest.fixture(scope="module")
def rounds():
    """The AUC of each candidate, round by round, read by nothing of ours."""
    found = defaultdict(dict)
    with gzip.open(SOURCE, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["task"], row["split"]][row["setting"]] = float(row["auc"] or -1)
    return list(found.values())


def test_the_log_is_what_the_script_draws_from_the_scores(log):
    assert log == [tuple(battle) for battle in battles(make_arena.scores())]
    assert len(log) == BATTLES


def test_candidates_are_those_of_models(log, rounds):
    assert {name for battle in log for name in battle[:2]} == set(rounds[0])
    assert all(left != right for left, right, _ in log)
    assert {winner for *_, winner in log} == {"left", "right", "tie"}


def test_every_outcome_is_one_that_some_round_gives(log, rounds):
    for left, right, winner in set(log):
        gaps = [found[left] - found[right] for found in rounds]
        won = {"left": max(gaps) >= TIE, "right": min(gaps) <= -TIE}
        assert won.get(winner, min(map(abs, gaps)) < TIE)


def test_busy_pairs_win_as_often_as_the_rounds_say(log, rounds):
    """Within 5 standard errors of the share of rounds that give that outcome."""
    counts = Counter(log)
    busiest = Counter((left, right) for left, right, _ in log).most_common(40)
    for (left, right), met in busiest:
        share = np.mean([found[left] - found[right] >= TIE for found in rounds])
        error = sqrt(share * (1 - share) / met)
        assert abs(counts[left, right, "left"] / met - share) <= 5 * error + 1e-12


def test_some_pairs_meet_often_and_some_rarely(log):
    met = Counter(frozenset(battle[:2]) for battle in log)
    assert max(met.values()) > 100
    assert sum(times < 5 for times in met.values()) > 50


@pytest.mark.parametrize(
    ("left", "right", "winner"),
    [
        (0.9, 0.8, "left"),
        (0.8, 0.9, "right"),
        (0.9, 0.9 + TIE / 2, "tie"),
        (float("nan"), 0.1, "right"),
        (float("nan"), float("nan"), "tie"),
    ],
)
def test_the_higher_score_wins_and_close_ones_tie(left, right, winner):
    assert outcome(left, right) == winner


def test_another_seed_is_another_log_of_the_same_kind():
    found = Scores(["a", "b", "c"], np.array([[0.9, 0.8], [0.5, 0.5], [0.5, 0.9]]))
    first, again, other = (list(battles(found, 200, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert {battle.winner for battle in first if {*battle[:2]} == {"a", "b"}} == {"left", "right"}


def test_the_datasheet_counts_what_is_there():
    log = [make_arena.Battle("a", "b", "left")] * 6 + [make_arena.Battle("c", "a", "tie")] * 2
    said = numbers(log)
    assert said.startswith("8 battles of 3 candidates, 25.0 % of them ties.")
    assert "Of 3 pairs 2 met fewer than 5 times and 1 never; the busiest pair met 6 times." in said
    assert "fought 8 battles, the least busy 2." in said
