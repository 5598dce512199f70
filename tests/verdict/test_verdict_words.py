"""The verdict in words: each sentence where it is true, and only there."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.output.text import percent
from deadheat.statistics import strict_groups as strict
from deadheat.statistics.groups import inverted_pairs
from verdict_oracle import close_call, graded, near_copies, table

M = 40


def judged(scores, **options):
    results = scores if isinstance(scores, dh.Results) else table(scores)
    return dh.verdict(results, **{"by": "mean", "replicates": 499} | options)


def lines(*args, **options):
    return judged(*args, **options).verdict.splitlines()


def steps(*levels, noise=0.02, m=M):
    """Return candidates at these levels, with so little noise that only equals are near."""
    return np.array(levels)[:, None] + np.random.default_rng(0).normal(0, noise, (len(levels), m))


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ((9, 1), "{} is the clear winner: it is shown better than the other one. "),
        (
            (9, 1, 1, 1),
            "{} is the clear winner: it is shown better than each of the other 3. ",
        ),
        ((9, 9, 1), "{} are in a dead heat for first place; "),
        ((9, 9, 9, 9, 1, 1), "{} are in a dead heat for first place; "),
        ((9, 9, 9, 9, 9, 1), "5 of 6 candidates are in a dead heat for first place. "),
        ((9, 9), "Both candidates are in a dead heat for first place. "),
        ((9, 9, 9), "All 3 candidates are in a dead heat for first place. "),
    ],
)
def test_the_first_sentence_says_who_is_in_the_first_group(levels, sentence):
    scores = steps(*levels)
    scores -= scores.mean(axis=1, keepdims=True) - np.array(levels)[:, None]  # exact means
    v = judged(scores)
    first = v.groups[0]
    assert set(first) == {x for x, level in zip("abcdef", levels, strict=False) if level == 9}
    names = first[0] if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
    assert v.verdict.startswith(sentence.format(names))


def test_the_winner_and_how_often_it_is_first():
    v = judged(steps(9, 1, 1))
    assert "a, first by mean, ranks first in 100 % of resamples." in v.verdict
    near = judged(graded(0, (0.3, 0.2, 0)))
    winner = near.winners[0]
    share = percent(near.row(winner).first_share)
    assert f"{winner}, first by mean, ranks first in {share} of resamples" in near.verdict


def test_tied_winners_are_all_named():
    rows = [[1.0, 2, 3, 4] * 10, [4.0, 3, 2, 1] * 10, [0.0] * 40]
    v = judged(rows)
    a, b = (percent(v.row(name).first_share) for name in "ab")
    assert a != b
    assert (
        f"a and b are tied for first by mean; they rank first in {a} and {b} of resamples."
        in v.verdict
    )


def test_many_tied_winners_are_counted_and_equal_shares_said_once():
    assert "a, b, c and d are tied for first by mean; each ranks first in 100 % of resamples." in (
        judged(np.ones((4, M))).verdict
    )
    assert "6 candidates are tied for first by mean; each ranks first in 100 %" in (
        judged(np.ones((6, M))).verdict
    )


def test_the_official_winner_is_spoken_of_where_there_is_one():
    v = judged(steps(9, 1, 0), official=["b", "a", "c"])
    said = v.verdict
    assert "The official winner b ranks first in 0 % of resamples, a in 100 %." in said
    assert "1 pair stands in the groups the other way round than in the official order" in said
    agreed = judged(steps(9, 1, 0), official=["a", "b", "c"]).verdict
    assert "The official winner a ranks first in 100 % of resamples." in agreed
    assert "The groups contradict the official order nowhere." in agreed
    both = judged(steps(9, 1, 0), official={"b": 1, "c": 1, "a": 3}).verdict
    assert "b and c are tied for first officially; each ranks first in 0 % of resamples, a" in both
    assert "2 pairs stand in the groups the other way round" in both
    assert "official" not in judged(steps(9, 1, 0)).verdict


def test_an_official_order_of_some_says_of_how_many():
    def told(official):
        return judged(steps(9, 5, 1, 0), official=official).verdict

    alone = told({"d": 1})
    assert "Only 1 of 4 candidates has an official rank: too few to say whether" in alone
    assert "nowhere" not in alone
    assert "contradict the official order of 3 of 4 candidates nowhere." in told(["a", "c", "d"])
    turned = told(["c", "a"])
    assert "the other way round than in the official order of 2 of 4 candidates (a above" in turned
    same = told({"c": 2, "a": 2})
    assert "The official ranks of 2 of 4 candidates are all the same" in same
    assert "nowhere" not in same


def test_somebody_else_can_be_first_more_often():
    v = judged(near_copies())
    (winner,) = v.winners
    share, other = (percent(v.row(name).first_share) for name in (winner, "c"))
    assert v.row(winner).first_share < v.row("c").first_share
    assert f"{winner}, first by mean, ranks first in {share} of resamples, c in {other}." in (
        v.verdict
    )


def test_no_judge_or_one_or_several_decide():
    assert "No single judge decides the ranking: leaving out any one of 40 keeps it." in (
        lines(steps(9, 5, 1))
    )
    assert "No single judge decides the podium: leaving out any one of 40 keeps it." in (
        lines(steps(9, 7, 5, 1))
    )
    one = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.5] * 40])
    assert "Leaving out one judge of 40 changes the ranking and who is first." in lines(one)
    second = np.array([[9.0] * 40, [0.0] * 39 + [60], [1.0] * 40])
    assert "Leaving out one judge of 40 changes the ranking, never who is first." in lines(second)
    several = np.array([[0.0] * 38 + [30, 30], [1.4] * 40, [0.5] * 40])
    assert "Leaving out any one of 2 of 40 judges changes the ranking and who is first." in (
        lines(several)
    )


def test_of_several_that_decide_the_podium_one_may_decide_the_winner():
    scores = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.8] * 40, [0.9] * 38 + [-1.5, 0.9]])
    assert scores.mean(axis=1) == pytest.approx([1.5, 1.0, 0.8, 0.84])
    assert "Leaving out one judge of 40 changes the podium and who is first." in lines(scores)
    scores[3, 38] -= 2.0  # now the other judge keeps d behind c
    said = (
        "Leaving out any one of 2 of 40 judges changes the podium, and one of them also who is "
        "first."
    )
    assert said in lines(scores)


def test_clusters_are_left_out_whole():
    one = np.array([[0.0] * 38 + [30, 30], [1.0] * 40, [0.5] * 40])
    results = table(one, clusters=[str(j // 2) for j in range(40)])
    assert "Leaving out one cluster of 20 changes the ranking and who is first." in lines(results)


def test_a_borderline_decision_is_told_and_what_to_do():
    v = judged(close_call(), replicates=99)
    (close,) = v.paper.borderline
    (said,) = [line for line in v.verdict.splitlines() if line.startswith("Borderline")]
    assert said.startswith(f"Borderline: 'a' against 'b' (p = {close.p:.2g}, threshold 0.05, ")
    assert said.endswith("raise replicates=, or until_settled=True.")
    assert "Borderline" not in judged(steps(9, 1)).verdict
    assert "Borderline" not in judged(close_call(), replicates=99, strict=True).verdict


def test_the_stricter_groups_are_compared(monkeypatch):
    same = "Stricter tests of all pairs (strict=True) give the same groups."
    assert same in lines(steps(9, 9, 1))
    assert "The groups of the paper's procedure are the same." in lines(steps(9, 9, 1), strict=True)
    scores = graded(12, (0.5, 0.3, 0.1, 0.0, -0.1), 30)
    v = judged(scores)
    loose = " + ".join(str(size) for size in v.facts()["groups"])
    tight = " + ".join(str(size) for size in v.facts()["strict_groups"])
    assert loose != tight
    assert f"group otherwise: {tight} instead of {loose}." in v.verdict
    strictly = judged(scores, strict=True).verdict
    assert f"The paper's procedure groups otherwise: {loose} instead of {tight}." in strictly
    monkeypatch.setattr(strict, "ASIDE", 1)
    (cost,) = [line for line in lines(scores) if "strict=True" in line]
    assert cost.startswith("Stricter tests of all pairs (strict=True) would take ")


def test_many_groups_are_cut_short():
    scores = np.vstack([steps(60, 50, 40, 30, 20, m=30), graded(12, (0.5, 0.3, 0.1, 0, -0.1), 30)])
    v = judged(scores, replicates=1999)
    sizes = [v.facts()["strict_groups"], v.facts()["groups"]]
    assert sizes[0] != sizes[1]
    assert len(sizes[1]) > 6
    (said,) = [line for line in v.verdict.splitlines() if "strict=True" in line]
    shown = " + ".join(str(size) for size in sizes[1][:6])
    assert said.endswith(f"instead of {shown} + ... ({len(sizes[1])} groups).")


def test_other_ranking_functions_are_asked():
    assert "other functions that were tried also put a first." in lines(steps(9, 5, 1))[-1]
    one = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.5] * 40])
    last = lines(one)[-1]
    assert last.startswith("Another choice would change who is first: ")
    assert "b by " in last


def test_nothing_is_said_of_other_functions_where_none_was_tried(monkeypatch):
    monkeypatch.setattr(import_module("deadheat.verdict.claims"), "first_by_others", lambda *_: {})
    assert lines(steps(9, 5, 1))[-2:] == [
        "Stricter tests of all pairs (strict=True) give the same groups.",
        "Tests that allow for how the leader was chosen: nobody else may be the best (95 %).",
    ]


def test_the_jackknife_does_not_speak_of_resamples():
    said = judged(graded(0, (0.3, 0.2, 0)), plan="jackknife").verdict
    assert "of the tables with one left out" in said
    assert "resamples" not in said


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"official": ["b", "a", "c"]}])
@pytest.mark.parametrize("scores", [steps(9, 9, 1), steps(9, 5, 1), graded(0, (0.3, 0.2, 0))])
def test_nothing_is_ever_significant(scores, options):
    v = judged(scores, **options)
    said = " ".join([v.verdict, v.guarantee, *v.warnings, *v.grid().notes])
    assert "significan" not in said.lower()
    assert "probab" not in said.lower()


def test_the_guarantee_names_its_level():
    paper, strictly = judged(steps(9, 1)), judged(steps(9, 1), strict=True, alpha=0.1)
    assert "not every member" in paper.guarantee
    assert "about 5 % of cases" in paper.guarantee
    assert "20-35 %" in paper.guarantee
    assert "about 10 %" in strictly.guarantee
    assert "20-35 %" not in strictly.guarantee


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0, "0 %"), (1, "100 %"), (0.0004, "under 0.1 %"), (0.001, "0.1 %"), (0.0123, "1.2 %"),
        (0.0949, "9.5 %"), (0.0951, "10 %"), (0.1, "10 %"), (0.3816, "38 %"), (0.99, "99 %"),
        (0.994, "99.4 %"), (0.999, "99.9 %"), (0.9996, "over 99.9 %"),
    ],
)  # fmt: skip
def test_shares_as_people_say_them(share, words):
    assert percent(share) == words
    assert percent(np.float64(share)) == words


def test_two_judges_make_no_clear_winner():
    v = dh.verdict(dh.Results(scores=[[1, 2], [0, 1]], better="higher"), by="mean", replicates=99)
    assert v.verdict.startswith("candidate_1 is ahead of the other one, but 2 judges are too few")


def test_a_winner_that_strict_tests_do_not_confirm_is_not_called_clear():
    rng = np.random.default_rng(1)
    for seed in range(40):
        scores = rng.normal([[0.28], [0]], 1.0, size=(2, 60))
        v = dh.verdict(dh.Results(scores=scores, better="higher"), by="mean", seed=seed)
        if len(v.groups) == 2 and len(v.all_pairs.members) == 1:
            assert " wins: one-sided tests at 5 % show it better than the other one." in v.verdict
            assert "clear winner" not in v.verdict
            return
    raise AssertionError("no such table")


def test_a_pair_that_stands_the_other_way_round_is_named():
    """Only the leader is tested: a candidate may be excluded that is ahead of a member."""
    found = inverted_pairs(np.array([1.5, 3.0, 1.5]), np.array([1.0, 2.0, 3.0]))
    assert found.tolist() == [[2, 1]]
    assert not len(inverted_pairs(np.array([1.5, 1.5, 3.0]), np.array([1.0, 1.0, 1.0])))
