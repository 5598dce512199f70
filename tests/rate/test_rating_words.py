"""What ratings say, and what they do not."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from rate_logs import NAMES, drawn, log, table
from scipy import stats

import deadheat as dh
from deadheat.rate.api import rate


def said(source, **options):
    return rate(source, **{"replicates": 200, "simulations": 0} | options)


def warned(r, text):
    return any(text in warning for warning in r.warnings)


CIRCLE = [("a b left", 30), ("b c left", 30), ("c a left", 30)]


def test_a_clear_winner():
    r = said(dh.Battles(**drawn(levels=(3.0, 0.0, 0.0, -1.0), number=900)))
    clearly = "ada is rated highest and clearly ahead of the others (Bradley-Terry, 900 battles)."
    assert r.sentences[0] == clearly
    assert "A difference of 1 means 73 % of the wins, a tie being half a win." in r.grid().notes
    strict = said(dh.Battles(**drawn(levels=(3.0, 0.0, 0.0, -1.0), number=900)), strict=True)
    assert strict.sentences[0] == clearly
    assert not strict.grid().legend
    assert {row[1] for row in strict.grid().cells} == {""}


@pytest.mark.parametrize(("wins", "clearly"), [(530, False), (540, True)])
def test_clearly_ahead_is_who_passes_tests_of_all_pairs(wins, clearly):
    """The log-odds of 530 wins of 1,000 have p = .011 on one side: times 2 < .05 < 2 x .011 x 3."""
    rows = [(f"a {b} left", wins) for b in "bc"] + [(f"{b} a left", 1000 - wins) for b in "bc"]
    r = said(log([*rows, ("b c left", 500), ("c b left", 500)]), replicates=999)
    assert r.groups[0] == ("a",)
    assert ("clearly ahead" in r.sentences[0]) is clearly
    assert ("one-sided tests at 5 % show it better" in r.sentences[0]) is not clearly


def test_a_log_names_its_candidates_by_its_columns(tmp_path):
    for columns, many in {
        "model_a,model_b,winner": "models",
        "home,away,winner": "teams",
        "left,right,winner": "candidates",
    }.items():
        path = tmp_path / "log.csv"
        path.write_text("\n".join([columns, *["x,y,x", "x,y,y"] * 15]))
        r = said(path)
        both = f"Dead heat: both {many} share the highest rating (Bradley-Terry, 30 battles)."
        assert r.sentences[0] == both
        assert r.grid().columns[2].name == many.removesuffix("s")


def test_a_dead_heat_of_some_of_both_and_of_all():
    some = said(dh.Battles(**drawn(levels=(1.0, 1.0, -2.0, -2.0), number=900)))
    assert some.sentences[0].startswith("Dead heat: 2 of 4 candidates share the highest rating (")
    assert set(some.groups[0]) == {"ada", "bob"}
    marks = {
        row["candidate"]: cells[1]
        for row, cells in zip(some.rows(), some.grid().cells, strict=True)
    }
    assert marks == {"ada": "=", "bob": "=", "cyd": "", "dan": ""}
    leader = some.candidates[some.leader]
    why = f"=  level with {leader}: one-sided tests at 5 % do not separate them"
    assert some.grid().legend == (why,)
    both = said(log([("a b left", 11), ("b a left", 10)]))
    assert both.sentences[0].startswith("Dead heat: both candidates share the highest rating")
    every = said(dh.Battles(**drawn(levels=(0.0, 0.0, 0.0, 0.0), number=100)))
    assert every.sentences[0].startswith("Dead heat: all 4 candidates share the highest rating")


def test_whoever_shares_the_highest_rating_is_named():
    assert "a, b and c have the same rating, 0.00." in said(log(CIRCLE)).sentences


def test_a_field_in_two_parts():
    r = said(log([("a b left", 9), ("b a left", 8), ("c d left", 7), ("d c left", 7),
                  ("a c left", 9), ("b d left", 9)]))  # fmt: skip
    assert "a and b never lost a point to c and d: plain ratings do not exist." in r.verdict
    assert "not by how much" in r.verdict
    assert warned(r, "penalised (firth)")
    assert not warned(r, "luck")


def test_a_field_in_many_parts_does_not_say_how_often():
    r = said(log([("a b left", 20), ("b c left", 20), ("c d left", 20)]))
    assert "The field falls into 4 parts" in r.verdict
    assert "expected to beat b, the next, in more than 83 % of matches; how much more" in r.verdict
    assert [row["mle"] for row in r.rows()] == ["+inf", None, None, "-inf"]


def test_few_rounds_show_nothing():
    r = said(table(levels=(9.0, 0.0, -9.0), rounds=4))
    assert "4" in r.verdict
    for claim in ("show it better", "clearly", "do not separate"):
        assert claim not in " ".join((r.verdict, *r.grid().legend))
    assert warned(r, "4 rounds to draw from are few")


def test_all_ties_are_no_proof_of_equality():
    r = said(log([("a b tie", 20), ("b c tie", 20)]))
    assert warned(r, "all matches are ties")
    assert [row["rating"] for row in r.rows()] == pytest.approx([0, 0, 0])


def test_a_model_that_does_not_fit_and_one_that_does():
    bad = said(log(CIRCLE), simulations=99)
    assert "One number per candidate does not explain the matches" in bad.verdict
    assert "a has 100 % of the wins against b in 30 matches; the ratings say 50 %." in bad.verdict
    assert (
        "The only trio with a winner in each pair goes in a circle: a beats b, b beats c, c"
        in bad.verdict
    )
    good = said(dh.Battles(**drawn()), simulations=99)
    assert "gives no reason to doubt the model" in good.verdict
    assert "does not explain" not in good.verdict


def test_where_nothing_could_speak_against_the_model_nothing_is_said():
    assert "deviance" not in said(log([("a b left", 11), ("b a left", 10)]), simulations=99).verdict
    assert "deviance" not in said(log(CIRCLE)).verdict


def test_circles_are_counted_among_decided_triples():
    one = said(log([*CIRCLE, ("d a left", 5), ("a d left", 1), ("d b left", 5), ("b d left", 1),
                    ("d c left", 5), ("c d left", 1)]))  # fmt: skip
    assert "Of 4 trios with a winner in each pair, 1 goes in a circle" in one.verdict


def test_a_model_of_ties_may_be_what_does_not_fit():
    rows = [("a b tie", 40), ("b c left", 20), ("c b left", 20), ("a c left", 20), ("c a left", 20)]
    r = said(log(rows), ties="davidson", simulations=99)
    assert "One number per candidate, with this model of ties, does not explain" in r.verdict


def test_an_interval_without_an_end_is_not_told():
    r = said(log([("a b left", 8)]))
    assert r.rows()[0]["rating"] == pytest.approx(1.42, abs=0.005)
    assert "a is expected to beat b in more than " in r.verdict
    assert "inf" not in r.verdict
    assert "interval" not in r.verdict
    grid = r.grid()
    assert any("without that end" in caption for caption in grid.captions)


def test_the_worst_fit_with_ties_says_what_a_tie_is():
    r = said(log([*CIRCLE, ("a b tie", 2)]), simulations=99)
    assert "a tie being half a win; the ratings say 50 %." in r.verdict


def test_one_sided_tests_beside_two_sided_intervals():
    """528 of 1,000 wins: p is .04 on one side, .08 on two."""
    rows = log([("a b left", 528), ("b a left", 472)])
    r = said(rows, replicates=999)
    assert r.p_beats("a", "b").low <= 0.5
    assert (
        "a is rated highest: one-sided tests at 5 % show it better than the other one (Br"
        in r.verdict
    )
    p = r.grouped.groups.rounds[0].p[0]
    assert p == pytest.approx(stats.norm.sf(56 / 1000**0.5), abs=0.012)
    narrow = f"The lead over b is narrow: one-sided tests show it (p = {p:.2g}), two-sided"
    assert narrow in r.verdict
    stricter = "Stricter tests, of all pairs at once (test='holm'), leave 2 candidates level"
    assert stricter in r.verdict
    assert rated_by_holm(rows) == 2
    clear = said(log([("a b left", 80), ("b a left", 20)]))
    assert "two-sided" not in clear.verdict
    assert "the next" not in clear.verdict


def rated_by_holm(battles):
    return len(said(battles, test="holm").groups[0])


def test_pairs_say_where_interval_and_p_value_fall_on_two_sides_of_the_level():
    """Of 31 wins of 50, both sides hold an even match or none does; by chance one of them does."""
    names = "abcdefgh"
    pairs = list(itertools.combinations(names, 2))
    draw = np.random.default_rng(3)
    rows = [(f"{i} {j} {'left' if draw.random() < 0.6 else 'right'}", 1) for i, j in pairs * 40]
    table = said(log(rows), replicates=300).table("pairs")
    odd = [
        f"{row['first']} against {row['second']}"
        for row in table.records
        if (row["low"] > 0 or row["high"] < 0) != (row["p_value"] <= 0.05)
    ]
    assert odd
    assert f"Borderline: {odd[0]}" in table.sentence
    assert "Tests of who leads are one-sided: about half the p-value." in table.sentence
    clear = said(log([("a b left", 80), ("b a left", 20)])).table("pairs")
    assert "Borderline" not in clear.sentence


def test_pairs_of_too_few_units_have_no_p_value():
    few = said(table(levels=(3.0, 2.9, -3.0), rounds=6)).table("pairs")
    none = {(row["p_value"], row["p_adjusted"]) for row in few.records if row["second"] == "bob"}
    assert none == {(None, None)}
    assert "There is none of whoever is in fewer than 10 rounds." in few.sentence


def test_what_is_held_equal_is_told_by_its_name():
    rows = drawn(levels=(3.0, 0.0, 0.0, -1.0), number=900)
    length = np.random.default_rng(1).normal(size=900)
    r = said(dh.Battles(**rows, covariates={"length": length}))
    first = "ada is rated highest with length held equal: tests whose error is not known with"
    assert r.sentences[0].startswith(f"{first} covariates put it ahead of each of the 3 other")
    (each,) = r.circumstances
    share = 1 / (1 + np.exp(-each["log_odds_of_typical"]))
    assert f"more length, a typical difference, wins {share:.0%}".replace("%", " %") in r.verdict


def test_the_left_side_is_told_as_a_share():
    """60 of 100 wins on the left between two equals: log-odds log(60 / 40)."""
    r = said(log([("a b left", 30), ("a b right", 20), ("b a left", 30), ("b a right", 20)]),
             advantage=True)  # fmt: skip
    assert "Among equals the left side wins 60 % (log-odds 0.41, standard error " in r.verdict


def test_groups_say_what_they_guarantee():
    battles = dh.Battles(**drawn())
    r, strict = said(battles), said(battles, strict=True)
    assert any("more errors than 5 %" in note for note in r.grid().notes)
    assert "strict=True holds for all pairs at once" in r.table("groups").verdict
    assert any("all pairs tested at once (max-t" in note for note in strict.grid().notes)
    assert "Fawcett" not in strict.table("groups").verdict


def test_the_unit_of_ratings_is_told_of_rounds_alone():
    import pandas as pd

    def unit(**options):
        return [note for note in said(frame, better="higher", **options).grid().notes
                if "Scores vary by" in note]  # fmt: skip

    rng = np.random.default_rng(1)
    rows = [(c, str(k), rng.normal()) for k in range(9) for c in "abc"]
    frame = pd.DataFrame(rows, columns=["candidate", "split", "score"])
    assert "from split to split: the unit of these ratings" in unit(round="split")[0]
    assert "unit" not in unit(round="split", scale="elo")[0]
    frame = frame.rename(columns={"split": "judge"})
    assert unit() == []


def test_fisher_says_that_it_ignores_clusters():
    columns = drawn(number=40)
    r = said(dh.Battles(**columns, cluster=["x", "y", "z", "w"] * 10), errors="fisher")
    assert "clusters are ignored" in r.drawn
    assert "ignored" not in said(dh.Battles(**columns), errors="fisher").drawn


def test_points_are_explained():
    untied = log(CIRCLE)
    assert said(untied).grid().notes[0].startswith("A difference of 1 means odds of 2.7 to 1")
    r = said(untied, scale="elo")
    assert "A difference of 100 points means a win probability of 64 %." in r.grid().notes
    small = said(untied, scale="elo", width=1.0)
    assert "A difference of 1 point means a win probability of 91 %." in small.grid().notes


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_where_there_are_ties_a_share_of_wins_is_no_probability_to_win(ties):
    """80 ties, 15 wins and 5 losses are 55 % of the wins, and 15 % of the battles won."""
    log_of_ties = log([("a b left", 15), ("b a left", 5), ("a b tie", 80)])
    r = said(log_of_ties, ties=ties)
    assert "of the wins against b" in r.verdict
    assert "win probability" not in " ".join((r.verdict, *r.grid().notes))


def test_what_resampling_lacks_is_warned_of():
    battles = dh.Battles(**drawn())
    assert warned(said(battles, replicates=58), "58 resamples are too few")
    assert not warned(said(battles, replicates=59), "too few")
    assert warned(said(battles, replicates=200, test="holm", advantage=True), "all pairs")
    assert not warned(said(battles, replicates=239, test="holm", advantage=True), "too few")
    assert not warned(said(battles, replicates=200, test="holm"), "too few")
    assert warned(said(battles, errors="fisher"), "errors='fisher' takes")


def test_names_of_all_kinds_stay_on_one_line():
    names = {"ada": "a\nb", "bob": "x" * 200, "cyd": "<b>", "dan": "\x1b[31m"}
    columns = drawn()
    changed = {side: [names[n] for n in columns[side]] for side in ("left", "right")}
    r = said(dh.Battles(**changed, winner=columns["winner"]), simulations=19)
    assert "\x1b" not in r.verdict
    assert all(len(line) < 700 for line in r.verdict.split("\n"))
    assert len(NAMES) == len(r.rows())


def test_the_table_for_people_has_bars_and_records():
    r = said(dh.Battles(**drawn()))
    grid = r.grid()
    assert [cells[2] for cells in grid.cells] == [row["candidate"] for row in r.rows()]
    assert [cells[0] for cells in grid.cells] == [1, 2, 3, 4]
    assert [cells[-1] for cells in grid.cells] == [row["group"] for row in r.rows()]
    assert any("tied" in column.name for column in grid.columns)
    apart = said(log([("a b left", 20), ("b c left", 20), ("c b left", 20)]))
    assert any(column.name == "mle" for column in apart.grid().columns)
    assert np.isfinite([row["rating"] for row in apart.rows()]).all()


def test_above_average_in_all_is_told_as_all():
    import pandas as pd

    rng = np.random.default_rng(1)
    rows = [
        (c, d, str(k), 9.0 * (c == "a") + rng.normal())
        for c in "abc"
        for d in ("one", "two", "six", "ten")
        for k in range(9)
    ]
    frame = pd.DataFrame(rows, columns=["candidate", "task", "split", "score"])
    r = said(frame, better="higher", tournament="task", round="split")
    assert "is above average in all 4 tasks." in r.verdict


@pytest.mark.parametrize("strength", [5.0, 20.0])
def test_a_ridge_that_shrinks_past_the_bound_leaves_no_end(strength):
    r = said(log([("a b left", 30)]), penalty="ridge", strength=strength)
    row = r.rows()[0]
    assert row["low"] is None
    assert row["high"] is None
    chance = r.p_beats("a", "b")
    assert (chance.low, chance.high) == (0.0, 1.0)


def test_the_number_of_resamples_to_take_is_enough_where_some_are_left_out():
    rare = log([("a b left", 40), ("b a left", 40), *((f"a {c} left", 1) for c in "cdefghij"),
                *((f"{c} a left", 1) for c in "cdefghij")])  # fmt: skip
    few = said(rare, replicates=170)
    told = next(w for w in few.warnings if "are too few to tell" in w)
    take = int(told.partition("replicates=")[2].partition(",")[0])
    assert not warned(said(rare, replicates=take), "are too few to tell")


def test_elo_that_has_not_moved_far_says_what_the_matches_show():
    r = said(log([("a b left", 12)], ordered=True), model="elo")
    least = int(100 * 0.025 ** (1 / 12))  # Clopper and Pearson: 12 of 12
    assert f"Matches show that a beats b in more than {least} % of matches" in r.verdict
    assert "0 % to 100 %" not in r.verdict
    assert "two-sided" not in r.verdict
    few = said(log([("a b left", 2)], ordered=True), model="elo")
    assert "How often a beats b no match tells, only that 15 % is the least." in few.verdict
