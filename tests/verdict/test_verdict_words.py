"""The verdict in words: each sentence where it is true, and only there."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.data.results import Nouns
from deadheat.output.text import percent
from deadheat.ranking.on_tables import affordable
from deadheat.statistics import group_words
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
    ("levels", "headline"),
    [
        ((9, 1), "a is the clear winner: tests show it better than the other one"),
        ((9, 1, 1, 1), "a is the clear winner: tests show it better than each of the 3 other"),
        ((9, 9, 1), "Dead heat: 2 of 3 candidates share first place"),
        ((9, 9, 9, 9, 9, 1), "Dead heat: 5 of 6 candidates share first place"),
        ((9, 9), "Dead heat: both candidates share first place"),
        ((9, 9, 9), "Dead heat: all 3 candidates share first place"),
    ],
)
def test_the_headline_says_who_is_in_the_first_group(levels, headline):
    scores = steps(*levels)
    scores -= scores.mean(axis=1, keepdims=True) - np.array(levels)[:, None]  # exact means
    v = judged(scores)
    assert {*v.groups[0]} == {x for x, level in zip("abcdef", levels, strict=False) if level == 9}
    assert v.sentences[0].startswith(headline)
    assert v.sentences[0].endswith("(mean, 40 judges).")


def test_the_headline_says_who_wins_by_the_plain_mean_instead():
    rows = np.array([[2.0] * 39 + [0], [1.0] * 39 + [90], [0.0] * 40])
    headline = judged(rows, by="average_rank").sentences[0]
    assert headline.startswith("a wins by average rank: tests show it better than each of")
    assert headline.endswith(
        "(average rank, 40 judges). By the plain mean, b is first: large differences count for "
        "more there."
    )
    assert "plain mean" not in judged(rows).sentences[0]


def test_where_many_scores_are_missing_the_plain_mean_is_of_those_with_all():
    """d and e have no score on every other judge; of a, b and c, b has the best mean (3.2)."""
    rows = np.array([[2.0] * 39 + [0], [1.0] * 39 + [90], *([[0.0] * 40] * 3)])
    rows[3:, ::2] = np.nan
    results = dh.Results(scores=rows, candidates=list("abcde"), better="higher")
    results = dh.read(results, missing="available")
    headline = judged(results, by="average_rank").sentences[0]
    assert headline.endswith("By the plain mean of the 3 candidates with all scores, b is first.")
    rows[0, 0] = np.nan  # b is the best of those with all scores, and nobody's winner but its own
    rows[1] = -1
    results = dh.Results(scores=rows, candidates=list("abcde"), better="higher")
    v = judged(dh.read(results, missing="available"), by="average_rank")
    assert v.winners == ("a",)
    assert v.sentences[0].endswith("of the 2 candidates with all scores, c is first.")
    rows[:, 1] = 1e6 * np.arange(5)  # on such scales a mean says nothing
    results = dh.Results(scores=rows, candidates=list("abcde"), better="higher")
    v = judged(dh.read(results, missing="available"), by="average_rank")
    assert "plain mean" not in v.sentences[0]
    assert "plain mean" not in judged(steps(9, 1), by="average_rank").sentences[0]


def test_sentences_and_the_table_have_the_nouns_of_the_table():
    nouns = Nouns(candidate="solver", judge="instance")
    results = table(graded(0, (0.3, 0.2, 0)), nouns=nouns)
    shown = repr(judged(results, official=["b", "a", "c"])) + repr(judged(results, strict=True))
    assert "solvers share first place (mean, 40 instances)" in shown
    assert "judge" not in shown
    assert "candidate" not in shown


def test_the_official_winner_and_how_often_it_is_first():
    near = graded(0, (0.3, 0.2, 0))
    v = judged(near, official=["b", "a", "c"])
    share = percent(v.row("b").first_share)
    (reason,) = [reason for reason in v.reasons if reason.startswith("The official winner b")]
    assert reason.startswith(f"The official winner b ranks first in {share} of resamples")
    assert "b" in v.groups[0]
    assert reason.good


def test_tied_official_winners_are_all_named():
    rows = [[1.0, 2, 3, 4] * 10, [4.0, 3, 2, 1] * 10, [0.0] * 40]
    v = judged(rows, official={"a": 1, "b": 1, "c": 3})
    a, b = (percent(v.row(name).first_share) for name in "ab")
    assert a != b
    said = f"a and b are tied for first officially; they rank first in {a} and {b} of resamples."
    assert said in v.sentences


def test_many_tied_official_winners_are_counted_and_equal_shares_said_once():
    four, six = (judged(np.ones((n, M)), official=dict.fromkeys("abcdef"[:n], 1)) for n in (4, 6))
    each = "are tied for first officially; each ranks first in 100 % of resamples."
    assert f"a, b, c and d {each}" in four.sentences
    assert f"6 candidates {each}" in six.sentences


def test_the_official_winner_is_spoken_of_where_there_is_one():
    v = judged(steps(9, 1, 0), official=["b", "a", "c"])
    assert v.reasons[0] == "The official winner b ranks first in 0 % of resamples, a in 100 %."
    assert v.reasons[0].good is False
    contradicted = "1 pair contradicts the official order (a above b); tests separate them."
    assert f"In the groups {contradicted}" in v.sentences
    agreed = judged(steps(9, 1, 0), official=["a", "b", "c"]).sentences
    assert "The official winner a ranks first in 100 % of resamples." in agreed
    assert "The groups nowhere contradict the official order." in agreed
    both = judged(steps(9, 1, 0), official={"b": 1, "c": 1, "a": 3}).verdict
    assert "b and c are tied for first officially; each ranks first in 0 % of resamples, a" in both
    assert "2 pairs contradict the official order" in both
    assert "official" not in judged(steps(9, 1, 0)).verdict


def test_an_official_order_of_some_says_of_how_many():
    def told(official):
        return judged(steps(9, 5, 1, 0), official=official).verdict

    alone = told({"d": 1})
    assert "Only 1 of 4 candidates has an official rank." in alone
    assert "nowhere" not in alone
    assert "nowhere contradict the official order of 3 of 4 candidates." in told(["a", "c", "d"])
    assert "the official order of 2 of 4 candidates (a above c)" in told(["c", "a"])
    same = told({"c": 2, "a": 2})
    assert "The official ranks of 2 of 4 candidates are all the same" in same
    assert "nowhere" not in same


def test_the_legend_names_the_leader_of_the_tests_and_not_the_best_score():
    v = judged(near_copies())
    (winner,) = v.winners
    assert v.row(winner).first_share < v.row("c").first_share
    legend = v.grid().legend[0]
    assert legend.startswith("=  level with c, which is first most often: one-sided tests at 5 %")
    best = judged(near_copies(), leader="best-score").grid().legend[0]
    assert best.startswith(f"=  level with {winner}: ")


def test_no_judge_or_one_or_several_decide():
    def told(scores):
        v = judged(scores)
        return next(each for each in v.reasons if "changes" in each or "alone decide" in each)

    for scores, what in ((steps(9, 5, 1), "ranking"), (steps(9, 7, 5, 1), "podium")):
        assert told(scores) == f"No single judge changes the {what}."
        assert told(scores).good
    one = told([[0.0] * 39 + [60], [1.0] * 40, [0.5] * 40])
    assert one == "1 of 40 judges alone decides who is first."
    assert one.good is False
    second = told([[9.0] * 40, [0.0] * 39 + [60], [1.0] * 40])
    assert second == "No single judge changes who is first; 1 of 40 changes the ranking."
    assert second.weight < one.weight
    several = told([[0.0] * 38 + [30, 30], [1.4] * 40, [0.5] * 40])
    assert several == "2 of 40 judges alone decide who is first."


def test_of_several_that_decide_the_podium_one_may_decide_the_winner():
    scores = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.8] * 40, [0.9] * 38 + [-1.5, 0.9]])
    assert scores.mean(axis=1) == pytest.approx([1.5, 1.0, 0.8, 0.84])
    assert "1 of 40 judges alone decides who is first." in lines(scores)
    scores[3, 38] -= 2.0  # now the other judge keeps d behind c
    v = judged(scores)
    assert v.influence.facts()["winner"] == 1
    assert v.influence.facts()["top3_set"] + v.influence.facts()["top3_order"] == 2
    assert "1 of 40 judges alone decides who is first." in v.sentences


def test_clusters_are_left_out_whole():
    one = np.array([[0.0] * 38 + [30, 30], [1.0] * 40, [0.5] * 40])
    results = table(one, clusters=[str(j // 2) for j in range(40)])
    assert "1 of 20 clusters alone decides who is first." in lines(results)


def test_a_borderline_decision_is_told_and_what_to_do():
    v = judged(close_call(), replicates=99)
    (close,) = v.paper.borderline
    (said,) = [reason for reason in v.reasons if "borderline" in reason]
    assert said.startswith(f"b against a is borderline (p = {close.p:.3g}, threshold 0.05)")
    assert said.endswith("until_settled=True decides.")
    assert said.page.endswith("threshold 0.05).")
    assert "borderline" not in judged(steps(9, 1)).verdict
    assert "borderline" not in judged(close_call(), replicates=99, strict=True).verdict


def test_a_borderline_decision_below_the_first_group_is_no_reason():
    scores = np.vstack([steps(99, m=close_call().m), close_call().scores])
    below = judged(scores, replicates=1999)
    assert below.groups[0] == ("a",)
    assert {each.leader for each in below.borderline} == {1}
    assert below.facts()["borderline"]
    assert not [reason for reason in below.reasons if "borderline" in reason]


def test_too_few_for_a_test_are_too_few_for_a_borderline_one():
    v = judged(close_call(8), replicates=99)
    assert v.too_few
    assert v.borderline
    assert not [reason for reason in v.reasons if "borderline" in reason]


def test_the_legend_names_only_who_is_shown():
    names = [f"c{i}" for i in range(40)]
    how = {"unknown": "", "tests": "tests"}

    def second(level, **more):
        return [*group_words.legend(names, range(40), level, 0, **how, **more)][1:]

    behind = "but steadily behind"
    assert second([0, 1, 3, 5]) == [f"   not c2 and 1 other: closer than c5, {behind}"]
    assert second([0, 1, 3, 39]) == [
        f"   not c2 and 35 others: closer than some of these, {behind}"
    ]
    assert second([*range(30), 39]) == [f"   not 9 others: closer than some of these, {behind}"]
    assert second([0, 1, 3, 5], among=range(4)) == [f"   not c2: closer than c3, {behind}"]
    assert second([0, 1, 3, 5], among=range(2)) == []


def test_the_stricter_groups_are_compared(monkeypatch):
    assert "Stricter tests agree on who is level with first." in lines(steps(9, 9, 1))
    assert "Stricter tests agree on the winner." in lines(steps(9, 5, 1))
    paper = "The procedure of Fawcett et al. agrees on who is level with first."
    assert paper in lines(steps(9, 9, 1), strict=True)
    scores = graded(12, (0.5, 0.3, 0.1, 0.0, -0.1), 30)
    v = judged(scores)
    loose, tight = v.facts()["groups"][0], v.facts()["strict_groups"][0]
    assert loose < tight == 4
    (said,) = [reason for reason in v.reasons if "about pairs" in reason]
    when = "For claims about pairs, take"
    assert said == f"{when} strict=True: it leaves 4 level with first."
    assert said.page == f"{when} stricter tests: they leave 4 level with first."
    assert said.good is False
    strictly = judged(scores, strict=True).verdict
    assert f"The procedure of Fawcett et al. leaves {loose} level with first" in strictly
    monkeypatch.setattr(strict, "ASIDE", 1)
    (cost,) = [line for line in lines(scores) if "strict=True" in line]
    assert cost.startswith("Stricter tests of all pairs were not made: strict=True takes ")


def test_stricter_tests_that_differ_below_the_first_group_only_agree_on_the_winner():
    scores = np.vstack([steps(60, 50, 40, 30, 20, m=30), graded(12, (0.5, 0.3, 0.1, 0, -0.1), 30)])
    v = judged(scores, replicates=1999)
    assert v.facts()["strict_groups"] != v.facts()["groups"]
    (said,) = [reason for reason in v.reasons if "tricter" in reason or "beats" in reason]
    assert said == "Stricter tests agree on the winner."
    assert said.good


def test_other_ways_of_counting_are_asked():
    def told(scores, **options):
        found = [each for each in judged(scores, **options).reasons if "ounting" in each]
        return found[0]

    agree = told(steps(9, 5, 1))
    assert agree.startswith("All ")
    assert agree.endswith("other ways of counting also put a first.")
    one = np.array([[0.0] * 39 + [60], [1.0] * 40, [0.5] * 40])
    v = judged(one)
    first = [who for who in v.first_by.values() if who == ("b",)]
    matters = told(one)
    assert len(first) == len(v.first_by)
    assert matters == f"Counting matters: all {len(first)} other ways put b first, 2nd here."
    assert (agree.good, matters.good) == (True, False)
    assert matters.weight > agree.weight


def test_no_plain_mean_of_scores_on_different_scales():
    """Accuracies beside negated losses; and times in other units."""
    accuracies = np.array([[0.9] * 9, [0.8] * 9])
    losses = np.array([[-3.0], [-1.0]])
    v = judged(np.hstack([accuracies, losses]), by="average_rank")
    assert "plain mean" not in v.sentences[0]
    assert "mean" not in v.first_by
    scores = np.hstack([accuracies, [[0.0], [900.0]]])
    assert "plain mean" not in judged(scores, by="average_rank").sentences[0]
    same = np.hstack([accuracies, [[0.0], [0.99]]])
    assert "mean" in judged(same, by="average_rank").first_by


def test_no_average_where_everyone_has_judges_of_their_own():
    """The mean and its kin alike; those who share judges are compared on them all the same."""
    scores = steps(3, 2, 1, m=20)
    scores[0, :3] = np.nan  # 5 % of 3 x 20
    kin = {"mean", "geometric_mean", "median", "trimmed_mean"}
    table = dh.Results(scores=scores, better="higher", missing="available")
    assert kin <= {f.name for f in affordable(table)}
    scores[1, 3] = np.nan
    table = dh.Results(scores=scores, better="higher", missing="available")
    left = {f.name for f in affordable(table)}
    assert not kin & left
    assert {"average_rank", "relative_difference"} <= left
    scaled = table.changed(scaling="judge")
    assert kin <= {f.name for f in affordable(scaled)}


def test_an_official_winner_who_is_seldom_first_is_no_support():
    scores = graded(0, (0.6, 0.5, 0.0), 40)
    scores[0] += 0.5 - (scores[0] - scores[1]).mean() + 0.1 * (np.arange(40) % 2 - 0.5)
    scores[1] += 0.3
    v = judged(scores, official=["b", "a", "c"])
    assert {"a", "b"} <= {*v.groups[0]}
    (told,) = (reason for reason in v.reasons if "official winner" in reason)
    assert told.startswith("The official winner b ranks first in ")
    assert told.good is False
    agreed = judged(scores, official=["a", "b", "c"])
    (told,) = (reason for reason in agreed.reasons if "official winner" in reason)
    assert told.good


def test_one_way_of_counting_that_disagrees_does_not_make_counting_matter():
    rows = np.array([[5.0] * 39 + [0], [1.0] * 38 + [190, 1], [0.0] * 40])
    v = judged(rows, by="average_rank")
    ways = [who for who in v.first_by.values() if who != ("a",)]
    assert 0 < len(ways) <= len(v.first_by) / 5
    (said,) = [reason for reason in v.reasons if "ounting" in reason]
    agreeing = len(v.first_by) - len(ways)
    assert said == f"{agreeing} of {len(v.first_by)} other ways of counting also put a first."
    assert "By the plain mean, b is first" in v.sentences[0]  # and so not again
    assert said.good


def test_nothing_is_said_of_other_functions_where_none_was_tried(monkeypatch):
    assert "counting" in judged(steps(9, 5, 1)).verdict
    monkeypatch.setattr(import_module("deadheat.verdict.claims"), "first_by_others", lambda *_: {})
    assert "counting" not in judged(steps(9, 5, 1)).verdict.lower()


def test_the_jackknife_does_not_speak_of_resamples():
    v = judged(graded(0, (0.3, 0.2, 0)), plan="jackknife", official=["a", "b", "c"])
    assert "of the tables with one left out" in v.verdict
    assert "resamples" not in v.verdict


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"official": ["b", "a", "c"]}])
@pytest.mark.parametrize("scores", [steps(9, 9, 1), steps(9, 5, 1), graded(0, (0.3, 0.2, 0))])
def test_nothing_is_ever_significant(scores, options):
    v = judged(scores, **options)
    said = " ".join([v.verdict, v.guarantee, *v.warnings, *v.grid().notes])
    assert "significan" not in said.lower()
    assert "probab" not in said.lower()


def test_the_guarantee_names_its_level():
    few, paper = judged(steps(9, 1)), judged(steps(9, 1, m=50))
    strictly = judged(steps(9, 1), strict=True, alpha=0.1)
    assert "not every member" in paper.guarantee
    assert "about 5 % of cases" in paper.guarantee
    assert "some one of 10 in 20-35 % (at 5 %, on 50 judges or more)" in paper.guarantee
    assert "some one of 10 in 33-47 % (at 5 %, on 20 judges)" in few.guarantee
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
    assert v.verdict.startswith("candidate_1 is first by mean, but 2 judges are too few")


def test_a_winner_that_strict_tests_do_not_confirm_is_not_called_clear():
    rng = np.random.default_rng(1)
    for seed in range(40):
        scores = rng.normal([[0.28], [0]], 1.0, size=(2, 60))
        v = dh.verdict(dh.Results(scores=scores, better="higher"), by="mean", seed=seed)
        if len(v.groups) == 2 and len(v.all_pairs.members) == 1:
            said = v.sentences[0]
            assert " wins: one-sided tests at 5 % show it better than the other one (" in said
            assert "clear winner" not in v.verdict
            assert any("leaves both" in each for each in v.reasons if not each.good)
            return
    raise AssertionError("no such table")


def test_a_pair_that_stands_the_other_way_round_is_named():
    """Only the leader is tested: a candidate may be excluded that is ahead of a member."""
    found = inverted_pairs(np.array([1.5, 3.0, 1.5]), np.array([1.0, 2.0, 3.0]))
    assert found.tolist() == [[2, 1]]
    assert not len(inverted_pairs(np.array([1.5, 1.5, 3.0]), np.array([1.0, 1.0, 1.0])))
