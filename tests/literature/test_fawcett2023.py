"""Fawcett, Vallati, Hoos, Gerevini (2023), "Competitions in AI - Robustly Ranking Solvers".

Its numbers on the SAT Competition 2016, from the runs of that competition. What the authors drew
at random is not known, so that numbers which rest on it agree within Monte-Carlo error.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache

import numpy as np
import pytest

import deadheat as dh
from deadheat.output.text import percent

pytestmark = pytest.mark.shared

SEEDS = range(10)
TRACKS = {"main": (), "application": ("subtrack=application",), "crafted": ("subtrack=crafted",)}
OFFICIAL = {"main": "main", "application": "main-app", "crafted": "main-craft"}
MAPLE, RISS = "MapleCOMSPS_DRUP / seq_LRB_VSIDS_drup", "Riss6 / noPP_DRAT"
LINGELING = "Lingeling bbc main / default"


@pytest.fixture(scope="module")
def sat(shared_data):
    """Return a verdict on a track by its name, seed and what else is asked for, each once."""

    @cache
    def table(track, score):
        return dh.read(
            shared_data / "sat2016" / "main.csv.gz",
            candidate="candidate",
            judge="instance",
            score=score,
            better="higher",
            where=list(TRACKS[track]),
        )

    @cache
    def judged(track, seed=0, score="solved", **options):
        by = None if "compat" in options else "mean"
        return dh.verdict(table(track, score), by=by, seed=seed, **options)

    return judged


def sizes(v):
    return [len(group) for group in v.groups]


def ties(v):
    return sum(size * (size - 1) // 2 for size in sizes(v))


@pytest.mark.parametrize("track", TRACKS)
def test_official_totals(sat, shared_data, track):
    """Every claimed answer counts: the totals of the results page, solver by solver."""
    with (shared_data / "sat2016" / "official_ranking.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["track"] == OFFICIAL[track]]
    v = sat(track)
    results = v.evidence.results
    totals = dict(zip(v.candidates, (results.scores.sum(axis=1)).tolist(), strict=True))
    assert len(rows) == len(totals) == 29
    assert Counter(int(row["total_solved"]) for row in rows) == Counter(totals.values())
    for row in rows:
        solver, version, _ = row["solver_as_printed"].rsplit(",", 2)
        assert totals[f"{solver} / {version}"] == int(row["total_solved"])
    assert v.evidence.observed * results.m == pytest.approx(list(totals.values()))


@pytest.mark.parametrize("p_value", ["plus-one", "paper"])
def test_table_2_groups_of_the_main_track(sat, p_value):
    """Four groups and 181 ties, table 4's 17 + 10 + 1 + 1 (erratum: its print lists 18 + 9)."""
    found = [sat("main", seed, p_value=p_value) for seed in SEEDS]
    assert sum(sizes(v) == [17, 10, 1, 1] for v in found) >= 9
    assert sum(ties(v) == 181 for v in found) >= 9


@pytest.mark.parametrize("p_value", ["plus-one", "paper"])
def test_table_2_groups_of_the_application_track(sat, p_value):
    """Three groups and 351 ties."""
    found = [sat("application", seed, p_value=p_value) for seed in SEEDS]
    assert sum(len(v.groups) == 3 and ties(v) == 351 for v in found) >= 9


def test_the_crafted_track_is_a_borderline_case_and_said_to_be_one(sat):
    """Published: [13, 7, 9], 135 ties. Other seeds give 12 or 11 in front; each says why."""
    found = [sat("crafted", seed, p_value="paper") for seed in SEEDS]
    assert [13, 7, 9] in [sizes(v) for v in found]
    assert len({tuple(sizes(v)) for v in found}) > 1
    assert {len(v.groups) for v in found} == {3}
    assert all(v.paper.borderline for v in found)
    published = next(v for v in found if sizes(v) == [13, 7, 9])
    assert published.facts()["ties"] == 135
    (said,) = [line for line in published.sentences if "borderline" in line]
    assert "tc_glucose / default" in said


def test_table_2_of_the_main_track(sat):
    """All: 4 groups, 181 ties, 0 inversions, IQR 4.224; top 10: 1, 45, 0, 4.75; top 3: 1, 3, 0."""
    rows = {row["among"]: row for row in sat("main").table("summary").rows()}
    counts = {
        among: [row[key] for key in ("candidates", "groups", "ties", "inversions")]
        for among, row in rows.items()
    }
    assert counts == {"all": [29, 4, 181, 0], "top 10": [10, 1, 45, 0], "top 3": [3, 1, 3, 0]}
    assert rows["all"]["mean_iqr"] == pytest.approx(4.224, abs=0.1)
    assert rows["top 10"]["mean_iqr"] == pytest.approx(4.75, abs=0.15)
    assert rows["top 3"]["mean_iqr"] == pytest.approx(3.5, abs=0.5)


@pytest.mark.parametrize(("track", "iqr"), [("application", 7.569), ("crafted", 3.241)])
def test_table_2_mean_iqr_of_the_other_tracks(sat, track, iqr):
    found = np.mean([sat(track, seed).spread.iqr.mean() for seed in SEEDS])
    assert found == pytest.approx(iqr, abs=0.2)


def test_table_2_top_10_of_the_application_track(sat, shared_data):
    """Ten solvers in one group, 45 ties, IQR 7.80: the later number comes first in a tie."""
    with (shared_data / "sat2016" / "official_ranking.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["track"] == OFFICIAL["application"]]
    printed = [(*row["solver_as_printed"].rsplit(",", 2), int(row["total_solved"])) for row in rows]
    printed.sort(key=lambda row: (-row[3], -int(row[2])))
    order = tuple(f"{solver} / {version}" for solver, version, _, _ in printed)
    found = [sat("application", seed, official=order).table("summary") for seed in SEEDS]
    tops = [next(row for row in each.rows() if row["among"] == "top 10") for each in found]
    assert {row["candidates"] for row in tops} == {10}
    assert {row["ties"] for row in tops} == {45}
    ranges = [row["mean_iqr"] for row in tops]
    assert np.mean(ranges) == pytest.approx(7.80, abs=0.05)
    assert pytest.approx(7.80) in ranges


def test_the_inversion_of_the_crafted_track(sat):
    """MapleGlucose (14) has fractional rank 7.0, group 1; Splatz (13) has 17, group 2."""
    found = [sat("crafted", seed, compat="fawcett-paper") for seed in SEEDS]
    published = next(v for v in found if sizes(v) == [13, 7, 9])
    (pair,) = published.table("inversions").rows()
    assert (pair["above"], pair["below"]) == (
        "MapleGlucose / default",
        "Splatz 06v main / default",
    )
    assert (pair["rank_above"], pair["rank_below"]) == (14, 13)
    assert (pair["group_above"], pair["group_below"], pair["separated"]) == (1, 2, False)
    assert published.row(pair["above"]).fractional_rank == 7.0
    assert published.row(pair["below"]).fractional_rank == 17


@pytest.mark.parametrize(("track", "moved"), [("main", 3), ("application", 1), ("crafted", 2)])
def test_footnote_1_a_permutation_test_gives_very_similar_results(sat, track, moved):
    drawn, flipped = sat(track, p_value="paper"), sat(track, p_value="sign-flip")
    other = [who for who in drawn.candidates if drawn.row(who).group != flipped.row(who).group]
    assert len(flipped.groups) == len(drawn.groups)
    assert len(other) <= moved


def test_the_paper_ranks_by_solved_instances(sat):
    rows = {row["candidate"]: row["shown"] for row in sat("main", compat="fawcett-paper").rows()}
    assert [rows[name] for name in (MAPLE, RISS, LINGELING)] == [203, 202, 201]


def test_table_3_shares_ranked_first(sat):
    """38.16, 29.66 and 21.15 %; 16 solvers are ever first."""
    for seed in SEEDS:
        v = sat("main", seed)
        shares = [100 * v.row(name).first_share for name in (MAPLE, RISS, LINGELING)]
        assert shares == pytest.approx([38.16, 29.66, 21.15], abs=1.5)
        assert [row["candidate"] for row in v.table("first").rows()][:3] == [MAPLE, RISS, LINGELING]
    ever = [np.count_nonzero(sat("main", seed).spread.first) for seed in SEEDS]
    assert np.median(ever) == 16


def test_table_4_fractional_and_official_ranks(sat):
    rows = sat("main").table("groups").rows()
    assert [row["fractional_rank"] for row in rows] == [9, 22.5, 28, 29]
    assert rows[0]["candidates"].startswith(f"{MAPLE} (1), {RISS} (2), {LINGELING} (3), ")
    assert "glucosePLE / default (18)" in rows[1]["candidates"]
    assert rows[2]["candidates"] == "Scavel_SAT / default (28)"
    assert rows[3]["candidates"] == "YalSAT 03r / default (29)"


@pytest.mark.parametrize(("track", "number"), [("main", 164), ("application", 93), ("crafted", 71)])
def test_table_1_leave_one_out(sat, track, number):
    assert sat(track).influence.facts()["any"] == number


def test_figure_1_intervals_are_quantiles_on_the_official_scale(sat):
    """The top 10 with 203 to 194 solved; their intervals overlap by far."""
    rows = sat("main").table("intervals").rows()
    solved = [round(5 * row["solved"]) for row in rows]  # in percent of 500
    assert solved == [203, 202, 201, 198, 197, 197, 195, 195, 194, 194]
    assert max(row["low"] for row in rows) < min(row["solved"] for row in rows)
    for row in rows:
        half = 1.96 * (row["solved"] * (100 - row["solved"]) / 500) ** 0.5
        assert row["high"] - row["low"] == pytest.approx(2 * half, rel=0.05)


def test_verified_answers_only_make_another_winner(sat):
    assert sat("main").winners == (MAPLE,)
    assert sat("main", score="solved_strict").winners == (LINGELING,)


def test_the_verdict_of_the_issue_in_words(sat):
    v = sat("main")
    headline = "Dead heat: 17 of 29 candidates share first place (solved, 500 instances)."
    assert v.sentences[0] == headline
    assert v.winners == (MAPLE,)
    assert percent(v.row(MAPLE).first_share) == "38 %"
    assert "36 of 500 instances alone decide who is first." in v.sentences
    facts = v.influence.facts()
    assert facts["top3_set"] + facts["top3_order"] == 61


def test_all_pairs_strictly_make_fewer_distinctions(sat):
    v = sat("main", strict=True)
    assert len(v.groups[0]) > 17
    assert v.groups[-1] == ("YalSAT 03r / default",)
    assert v.facts()["paper_groups"] == [17, 10, 1, 1]


# IPC 2018, section 4: domains are strata


@pytest.fixture(scope="module")
def ipc(shared_data):
    def runs(rule):
        return dh.read(
            shared_data / "aslib" / "IPC2018.csv.gz",
            candidate="candidate",
            judge="instance",
            status="runstatus",
            time="runtime",
            cutoff=1800,
            stratum="domain",
            rule=rule,
        )

    return runs


def test_domains_are_strata_of_planning_runs(ipc):
    v = dh.verdict(ipc("solved"), compat="fawcett-paper")
    assert v.facts()["plan"] == "240 instances, drawn with replacement in 12 strata"
    assert v.function.name == "mean"
    results = v.evidence.results
    for k, stratum in enumerate(sorted(set(results.strata))):
        inside = [j for j, label in enumerate(results.strata) if label == stratum]
        drawn = v.evidence.plan.draw(0, results.n, results.m).judges[:, inside]
        assert (drawn.sum(axis=1) == 20).all(), (k, stratum)
    assert v.winners == ("Delfi1",)


def test_drawing_across_domains_spreads_more(ipc):
    """Section 5's unstratified run: the same winner, and the variance between domains on top."""
    runs = ipc("solved")
    kept, mixed = dh.verdict(runs, compat="fawcett-paper"), dh.verdict(runs, plan="bootstrap")
    domains, scores = np.array(runs.strata), runs.scores
    within = sum(
        scores[:, domains == name].var(axis=1) * (domains == name).sum() for name in set(domains)
    )
    assert kept.merits.std(axis=0) == pytest.approx(within**0.5 / 240, rel=0.05)
    assert mixed.merits.std(axis=0) == pytest.approx((scores.var(axis=1) / 240) ** 0.5, rel=0.05)
    assert (mixed.merits.std(axis=0) > 1.05 * kept.merits.std(axis=0)).mean() > 0.6
    assert kept.winners == mixed.winners
    assert any("12 strata are not kept" in warning for warning in mixed.warnings)


def test_solved_is_shown_as_a_total_and_par2_as_a_mean(ipc, shared_data):
    import gzip

    with gzip.open(shared_data / "aslib" / "IPC2018.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    solved = Counter(row["candidate"] for row in rows if row["runstatus"] == "ok")
    v = dh.verdict(ipc("solved"))
    assert {row["candidate"]: row["shown"] for row in v.rows()} == solved
    par2 = dh.verdict(ipc("par2"))
    for name in ("Delfi1", "blind"):
        times = [float(row["runtime"]) if row["runstatus"] == "ok" else 3600.0
                 for row in rows if row["candidate"] == name]  # fmt: skip
        assert par2.row(name).shown == pytest.approx(np.mean(times))
        assert par2.row(name).merit == pytest.approx(-np.mean(times))
