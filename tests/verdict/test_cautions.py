"""What the reader of a verdict is warned of, and what not."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import deadheat as dh
from deadheat.statistics.evidence import require_enough_replicates
from deadheat.statistics.units import largest_skewness, units
from deadheat.verdict.claims import Judgement
from verdict_oracle import graded, near_copies, table

FINE = table(graded(0, (0.5, 0.2, 0.0), 60))


def warnings(results, **options):
    return dh.verdict(results, **{"by": "mean", "replicates": 999} | options).warnings


def said(results, words, **options):
    found = [warning for warning in warnings(results, **options) if words in warning]
    assert len(found) <= 1
    return found[0] if found else ""


def test_a_decent_table_is_not_warned_of():
    assert warnings(FINE) == ()


@pytest.mark.parametrize(("m", "warned"), [(19, True), (20, False)])
def test_fewer_than_20_judges_are_few_and_the_number_is_told(m, warned):
    found = said(table(graded(0, (0.5, 0), m)), "tests err")
    assert bool(found) == warned
    tests = "19 judges are few: tests err more often than they say"
    told = f"{tests}, and intervals are too narrow (wider: interval='bootstrap-t')."
    assert found == (told if warned else "")
    wide = said(table(graded(0, (0.5, 0), m)), "tests err", interval="bootstrap-t")
    assert wide == (f"{tests}." if warned else "")
    strict = said(table(graded(0, (0.5, 0), m)), "too few to show much", strict=True)
    assert bool(strict) == warned


def test_weights_and_clusters_leave_fewer_judges():
    heavy = table(graded(0, (0.5, 0), 60), judge_weights=[30] + [1] * 59)
    told = dh.verdict(heavy, by="mean", replicates=99).sentences[0]
    assert "but 60 judges, worth 8.3 of equal weight, are too few to show that it is better" in told
    runs = table(graded(0, (0.5, 0), 60), clusters=[str(j // 4) for j in range(60)])
    assert said(runs, "tests err").startswith("60 judges that count like 15 are few: ")


def test_judges_that_are_too_few_for_a_test_are_said_to_be_so_once():
    assert not [w for w in warnings(table(graded(0, (0.5, 0), 5))) if "5 judges" in w]
    told = dh.verdict(table(graded(0, (0.5, 0), 5)), by="mean", replicates=99).sentences[0]
    assert "5 judges are too few to show that it is better" in told


@pytest.mark.parametrize(
    ("replicates", "n", "words"),
    [
        (19, 2, "few for 1 test at once: take 200"),
        (199, 2, ""),
        (198, 2, "few for 1 test at once"),
        (178, 10, "too few to exclude anybody by Holm's test among 9 rivals"),
        (179, 10, "few for 9 tests at once: take 1,800"),
        (1799, 10, ""),
    ],
)
def test_replicates_must_be_enough_for_the_number_of_tests(replicates, n, words):
    results = table(graded(0, np.linspace(1, 0, n), 60))
    found = [w for w in warnings(results, replicates=replicates) if "few" in w]
    assert [words in warning for warning in found] == ([True] if words else [])


def test_too_few_really_exclude_nobody_and_enough_do():
    results = table(graded(0, (5,) + (0,) * 9, 60))
    assert len(dh.verdict(results, by="mean", replicates=178).groups) == 1
    assert len(dh.verdict(results, by="mean", replicates=179).groups) > 1
    assert len(dh.verdict(results, by="mean", replicates=178, p_value="paper").groups) > 1


def test_the_number_of_replicates_that_is_named_is_enough():
    assert "take at least 179" in said(
        table(graded(0, np.linspace(1, 0, 10), 60)), "too few", replicates=99
    )


@pytest.mark.parametrize(("alpha", "fewest"), [(0.05, 19), (0.01, 99), (0.1, 9), (0.3, 3)])
def test_no_test_can_come_out_below_the_fewest_replicates(alpha, fewest):
    require_enough_replicates(fewest, alpha)
    with pytest.raises(dh.UsageError, match=f"at least {fewest} for 1 test"):
        require_enough_replicates(fewest - 1, alpha)


def test_the_number_that_is_named_is_enough_for_all_rivals():
    results = table(graded(0, (5,) + (0,) * 9, 60))
    with pytest.raises(dh.UsageError, match=r"^1 replicate is too few") as refused:
        dh.verdict(results, by="mean", replicates=1)
    assert "at least 179 for 9 tests" in str(refused.value)
    with pytest.raises(dh.UsageError, match=r"^2 replicates are too few"):
        dh.verdict(results, by="mean", replicates=2)


def test_too_few_replicates_are_too_few_for_some_corrections_only():
    results = table(graded(0, np.linspace(1, 0, 10), 60))
    assert "by Bonferroni's test" in said(
        results, "too few", replicates=99, correction="bonferroni"
    )
    assert not said(results, "too few", replicates=99, correction="hochberg")
    assert said(results, "few for 9 tests", replicates=99, correction="hochberg")
    clear = table(graded(0, (9,) + (0,) * 9, 60))
    v = dh.verdict(clear, by="mean", replicates=99, correction="hochberg")
    assert v.groups[0] == ("a",)


def test_the_jackknife_of_what_is_not_smooth_is_warned_of():
    """The number is that of the slow simulation in test_merit_intervals."""
    assert "plan='bootstrap'" in said(FINE, "71 %", plan="jackknife", by="median")
    assert not said(FINE, "71 %", plan="jackknife", by="mean")
    assert not said(FINE, "71 %", by="median")


def test_a_leader_that_is_ahead_by_the_same_everywhere_needs_no_test():
    row = graded(3, (0,), 30)[0]
    steps = table([row, row - 0.25, row - 0.5, -row])
    found = said(steps, "nothing to test")
    same = "a is the same number of points ahead of b on every judge"
    places = said(table([row, row - 0.25]), "nothing to test", by="average_rank")
    assert places.startswith("a is the same number of places ahead of b on every judge: ")
    assert found.startswith(f"{same}, as in 2 other pairs: ")
    assert said(table([row, row - 0.1]), "nothing to test").startswith(same)
    nearly = row - 0.25
    nearly[7] -= 0.5
    assert not said(table([row, nearly]), "nothing to test")
    assert not said(steps, "nothing to test", by="median")
    assert not said(table([row[:3], row[:3] - 0.25]), "nothing to test")  # too few to separate
    counts = np.round(5 * row)
    assert said(table([counts, counts - 1]), "nothing to test")
    small = row.copy()
    small[29] += 1e-6
    assert not said(table([row, small - 0.25]), "nothing to test")
    single = np.stack([row, row - 0.25]).astype(np.float32)
    assert said(table(single), "nothing to test")


def test_a_difference_that_only_strata_or_clusters_hide_is_the_same_in_every_resample():
    row = graded(3, (0,), 30)[0]
    labels = [str(j // 15) for j in range(30)]
    shifted = row - np.where(np.arange(30) < 15, 0.25, 0.5)
    found = said(table([row, shifted], strata=labels), "nothing to test")
    assert found.startswith("a is the same number of points ahead of b in every resample")
    assert not said(table([row, shifted]), "nothing to test")


def test_missing_scores_and_not_the_function_are_named():
    scores = graded(0, (0.5, 0.2, 0.0), 60)
    scores[0, 0] = np.nan
    found = said(table(scores), "one error over all", strict=True, missing="available")
    assert found.startswith("scores are missing, so that candidates have judges of their own")
    assert said(FINE, "one error over all", strict=True, by="median").startswith(
        "median is not a mean over the judges"
    )


def test_what_nemenyi_cannot_do_is_said():
    assert "Benavoli" in said(FINE, "which other candidates", strict=True, test="nemenyi")
    assert not said(FINE, "hardly any power", strict=True, test="nemenyi")
    shares = table((graded(1, (0.9, 0.3, -0.5), 60) > 0).astype(float))
    assert said(shares, "hardly any power", strict=True, test="nemenyi")
    assert not said(shares, "hardly any power", strict=True)


@pytest.mark.parametrize(("m", "possible"), [(10, False), (11, True)])
def test_wilcoxon_tests_symmetry_and_on_few_judges_nothing(m, possible):
    """45 pairs at .05: 2^-9 * 45 = .088 is too much, 2^-10 * 45 = .044 is not."""
    far = table(graded(0, np.linspace(90, 0, 10), m))
    assert "symmetric about 0" in said(far, "tests whether", strict=True, test="wilcoxon-holm")
    found = said(far, "no exact p-value", strict=True, test="wilcoxon-holm")
    assert bool(found) != possible
    v = dh.verdict(far, by="mean", replicates=999, strict=True, test="wilcoxon-holm")
    assert v.strictly.tests.better.any() == possible


@pytest.mark.parametrize("test", ["sign-flip", "wilcoxon-holm", "nemenyi", "t-holm", "max-t"])
def test_tests_that_ignore_strata_say_so(test):
    results = table(graded(0, (0.5, 0), 60), strata=["x"] * 30 + ["y"] * 30)
    found = said(results, "strata are ignored", strict=True, test=test)
    assert bool(found) == (test not in ("t-holm", "max-t"))


@pytest.mark.parametrize(("size", "warned"), [(2, True), (3, True), (6, False), (12, False)])
def test_small_strata_leave_the_strict_test_little_power(size, warned):
    strata = np.repeat([f"h{h}" for h in range(24 // size)], size)
    results = table(graded(0, (0.5, 0), 24), strata=strata)
    found = said(results, "test='t-holm' separates more", strict=True)
    assert bool(found) == warned
    assert found.startswith(f"{24 // size} strata with {size} judges on average") or not warned
    assert not said(results, "test='t-holm' separates more", strict=True, test="t-holm")


@pytest.mark.parametrize(
    ("m", "share"), [(12, "10 %"), (19, "10 %"), (40, "10 %"), (60, "8.0 %"), (300, "")]
)
def test_a_long_tail_is_told_where_the_set_of_the_best_might_miss_it(m, share, monkeypatch):
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(4, m))
    scores[0] = np.exp(np.linspace(-2.5, 2.5, m))
    scores[0] -= scores[0].mean()
    monkeypatch.setattr(Judgement, "best", ("a",))  # another set than the first group
    told = dh.verdict(table(scores), by="mean", replicates=999).grid().notes
    (said,) = (each for each in told if "may be the best" in each)
    assert said.endswith(f"so skewed that {share} of such sets miss the best)." if share else "%).")


@pytest.mark.parametrize("test", ["nemenyi", "wilcoxon-holm"])
def test_tests_of_ranks_have_no_set_of_the_best(test):
    v = dh.verdict(table(graded(0, (0.5, 0), 24)), replicates=999, strict=True, test=test)
    assert v.best is None


def test_the_skewness_of_one_candidate_is_the_mean_over_its_rivals():
    from scipy.stats import skew

    scores = np.random.default_rng(4).lognormal(size=(4, 30))
    each = [
        abs(np.mean([skew(scores[i] - scores[j]) for j in range(4) if j != i])) for i in range(4)
    ]
    assert largest_skewness(units(scores)) == pytest.approx(max(each) / 30**0.5)


def test_strict_tests_and_the_jackknife_have_no_such_need():
    results = table(graded(0, np.linspace(1, 0, 10), 60))
    assert not said(results, "few for", replicates=99, strict=True)
    assert not said(results, "few for", plan="jackknife")


def test_the_better_interval_is_named():
    few = table(graded(0, (0.5, 0), 12))
    assert "interval='bootstrap-t'" in said(few, "intervals are too narrow")
    assert "interval='expanded-percentile'" in said(few, "intervals are too narrow", by="median")
    assert not said(few, "intervals are too narrow", interval="bootstrap-t")
    assert not said(few, "intervals are too narrow", interval="simultaneous")
    assert not said(few, "intervals are too narrow", plan="jackknife")
    rare = table((np.arange(60) < [[57], [30]]).astype(float))
    assert "too narrow (those of 95 % may cover 64 %): interval='wilson'" in said(
        rare, "successes or failures"
    )
    assert not said(rare, "successes or failures", interval="wilson")
    assert not said(rare, "successes or failures", by="copeland")


def test_places_on_many_judges_need_no_better_interval(monkeypatch):
    few = table(np.round(graded(0, (1, 0.5, 0), 12)))
    assert "interval='bootstrap-t'" in said(few, "too narrow", by="average_rank")
    monkeypatch.setattr(import_module("deadheat.verdict.warnings"), "MANY", 11)
    assert not said(few, "too narrow", by="average_rank")


def test_near_copies_can_lose_the_lead_and_that_is_warned_of():
    """Erratum F4: two that share their first places lose the lead to a worse one."""
    results = near_copies()
    v = dh.verdict(results, by="mean", replicates=999)
    assert v.spread.first.argmax() == 2
    assert v.evidence.ranks[2] == 3
    assert v.facts()["leaders_differ"]
    assert "leader='best-score'" in said(results, "first most often but does not have")
    assert "leader='plurality'" in said(
        results, "first most often but does not have", leader="best-score"
    )


def test_one_or_two_notes_of_the_table_come_along_once():
    v = dh.verdict(
        table(np.where(np.eye(3, 60) > 0, np.nan, graded(0, (1, 0.5, 0), 60))),
        by="mean",
        missing="available",
        replicates=999,
    )
    assert sum("missing" in warning for warning in v.warnings) == 1
    assert len(set(v.warnings)) == len(v.warnings)


def test_sign_flips_of_few_judges_are_warned_of():
    few = table(graded(0, (0.5, 0), 5))
    assert any("5" in w and "sign" in w for w in warnings(few, strict=True, test="sign-flip"))


def test_who_is_first_because_it_has_few_scores_is_told_before_anything_else():
    """The planner that solved the fewest tasks, quickly: cases where it fails cost it nothing."""
    scores = np.random.default_rng(0).uniform(10, 20, (5, 40))
    scores[0] = 1
    scores[0, 6:] = np.nan
    results = dh.Results(scores=scores, candidates=list("abcde"), better="lower")
    v = dh.verdict(results, missing="available", replicates=199)
    assert v.winners == ("a",)
    assert v.reasons[0].startswith("A is first with 6 of 40 scores, the fewest of all (half of")
    assert v.reasons[0].good is False
    told = next(reason for reason in v.reasons if "case by case" in reason)
    assert told.startswith("34 of 200 scores (17 %) are missing and left out case by case")
    few = np.array(scores)
    few[0, 6:] = 1
    few[0, 3] = np.nan
    fine = dh.verdict(results.changed(scores=few), missing="available", replicates=199)
    assert "is first with" not in fine.verdict


def test_another_policy_for_missing_scores_that_has_another_winner_is_told():
    scores = np.random.default_rng(0).normal([[1.0], [0.6], [0.0]], 0.1, (3, 30))
    scores[0, :15] = np.nan
    results = dh.Results(scores=scores, candidates=["tpot", "flaml", "rf"], better="higher")
    v = dh.verdict(results, by="mean", missing="available", replicates=199)
    (told,) = (reason for reason in v.reasons if "decide" in reason and "issing" in reason)
    assert told == (
        "Missing scores decide: another missing= would change who is first: flaml by worst."
    )
    assert told.weight > 0.9
    assert not told.good
    read = dh.read(results, missing="worst")  # also of a table that was settled before
    settled = dh.verdict(read, by="mean", replicates=199).reasons
    assert any("tpot by impute-median, available" in reason for reason in settled)
    full = dh.verdict(table(graded()), by="mean", replicates=99)
    assert "Missing scores" not in full.verdict


def test_most_judges_dropped_weighs_more_than_few():
    scores = np.where(np.arange(40) < 30, np.nan, 0.0) + graded(0, (0.5, 0.2, 0.0), 40)
    heavy = dh.verdict(table(scores), missing="drop-judges", replicates=199)
    assert heavy.reasons[0] == "30 of 40 judges dropped because of missing scores."
    scores = graded(0, (0.5, 0.2, 0.0), 40)
    scores[0, 0] = np.nan
    light = dh.verdict(table(scores), missing="drop-judges", replicates=199)
    (told,) = (reason for reason in light.reasons if "dropped" in reason)
    assert told.weight < 0.4 < heavy.reasons[0].weight


def test_times_that_end_at_one_number_are_told_where_ranks_are_counted():
    times = np.random.default_rng(0).uniform(1, 90, (4, 60))
    times[:, ::5] = 100.0
    timed = dh.Results(scores=times, candidates=list("abcd"), better="lower")
    told = said(timed, "time-outs", by="average_rank")
    assert told.startswith("20 % of the scores are 100, as time-outs are: average rank does not")
    assert "by='mean' does." in told
    assert not said(timed, "time-outs", by="mean")
    marks = dh.Results(scores=np.round(times / 20), candidates=list("abcd"), better="lower")
    assert not said(marks, "time-outs", by="average_rank")
    higher = dh.Results(scores=times, candidates=list("abcd"), better="higher")
    assert not said(higher, "time-outs", by="average_rank")


def test_a_direction_that_the_names_of_judges_contradict_is_the_first_remark(tmp_path):
    path = tmp_path / "err.csv"
    path.write_text("model,a error,b error,c error\nx,.1,.2,.3\ny,.2,.3,.2\nz,.3,.1,.4\n")
    v = dh.verdict(path, better="higher", replicates=99)
    assert v.reasons[0].startswith("Judges are called 'a error', 'b error', 'c error', yet higher")


def test_a_summary_row_that_is_ranked_is_the_first_remark(tmp_path):
    path = tmp_path / "t.csv"
    rows = "x,81 %,73 %,92 %\ny,70 %,80 %,64 %\nMean,75.5 %,76.5 %,78 %\n"
    path.write_text(f"team,a,b,c\n{rows}", encoding="utf-8")
    v = dh.verdict(path, better="higher", replicates=99)
    assert v.reasons[0].startswith("Candidate 'Mean' looks like a summary")
    assert any("Percent signs" in reason for reason in v.reasons[-2:])


def test_tracks_that_are_ranked_as_one_are_told(tmp_path):
    path = tmp_path / "t.csv"
    lines = (f"{s},i{k},{'main' if k < 9 else 'agile'},{(k * 7 + ord(s)) % 11}.5"
             for s in "xyz" for k in range(14))  # fmt: skip
    path.write_text("\n".join(["solver,instance,track,score", *lines]), encoding="utf-8")
    told = dh.verdict(path, better="higher", replicates=99).reasons
    assert any(reason.startswith("2 tracks are ranked as one (main, agile)") for reason in told)
    for known in ({"each": "track"}, {"where": "track=main"}, {"stratum": "track"}):
        v = dh.verdict(path, better="higher", replicates=99, **known)
        assert "ranked as one" not in v.verdict + "".join(v.reasons)


@pytest.mark.parametrize("by", ["copeland", "average_rank", "schulze"])
def test_infinite_scores_can_be_ranked_by_their_order(by):
    scores = graded(0, (0.5, 0.2, 0), 30)
    scores[0, :9], scores[2, 9:12] = np.inf, -np.inf
    v = dh.verdict(table(scores), by=by, replicates=999)
    assert v.groups[0][0] == "a"
    finite = np.where(np.isinf(scores), np.sign(scores) * 99, scores)
    assert v.groups == dh.verdict(table(finite), by=by, replicates=999).groups
