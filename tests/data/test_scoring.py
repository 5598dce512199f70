"""Scoring rules against literal loops over the rows."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deadheat as dh
from deadheat.core.errors import DataError, UsageError
from deadheat.data.reading.read import read
from deadheat.data.scoring_rule import rule_of, rules

CUTOFF = 100.0
WORDS = ("ok", "timeout", "crash", "wrong answer")


@st.composite
def competitions(draw):
    """Draw rows of dicts: several candidates, domains, instances and seeds, ties and zeros."""
    n, m, seeds = (draw(st.integers(1, k)) for k in (4, 4, 2))
    rows = []
    for i in range(n):
        for j in range(m):
            for seed in range(seeds):
                status = draw(st.sampled_from(WORDS))
                rows.append(
                    {
                        "candidate": f"c{i}",
                        "instance": f"i{j}",
                        "seed": seed,
                        "stratum": f"d{j % 2}",
                        "status": status,
                        "time": draw(st.sampled_from([0, 0.3, 1, 2, 10, 37.5, 100])),
                        "quality": draw(st.sampled_from([0, 1, 2, 3.5, 10])),
                    }
                )
    return rows


def runs_of(rows, **more):
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    return dh.Runs(**columns, cutoff=CUTOFF, **more)


def mates(rows, row):
    """Return the solved runs on the same instance."""
    return [r for r in rows if r["instance"] == row["instance"] and r["status"] == "ok"]


def ipc_sat(rows, row):
    if row["status"] != "ok":
        return 0
    best = min(r["quality"] for r in mates(rows, row))
    return 1 if row["quality"] == best else best / row["quality"]


def ipc_agile(rows, row):
    if row["status"] != "ok":
        return 0
    fastest = max(1, min(r["time"] for r in mates(rows, row)))
    return 1 if row["time"] <= 1 else 1 / (1 + math.log10(row["time"] / fastest))


def ipc_optimal(rows, row):
    if row["status"] != "ok":
        return 0
    for r in rows:
        if r["candidate"] == row["candidate"] and r["stratum"] == row["stratum"]:
            if r["status"] == "wrong answer":
                return 0
            if r["status"] == "ok" and r["quality"] > min(x["quality"] for x in mates(rows, r)):
                return 0
    return 1


def solved(rows, row):
    return 1 if row["status"] == "ok" else 0


LOOPS = {
    "solved": solved,
    "par2": lambda rows, row: row["time"] if row["status"] == "ok" else 2 * CUTOFF,
    "par10": lambda rows, row: row["time"] if row["status"] == "ok" else 10 * CUTOFF,
    "par1.5": lambda rows, row: row["time"] if row["status"] == "ok" else 1.5 * CUTOFF,
    "ipc-sat": ipc_sat,
    "ipc-agile": ipc_agile,
    "ipc-agile-2018": lambda rows, row: (
        0 if row["status"] != "ok" else 1 - math.log(max(row["time"], 1)) / math.log(CUTOFF)
    ),
    "ipc-optimal": ipc_optimal,
    "categories-won": solved,
    "accuracy": lambda rows, row: math.nan if row["status"] == "wrong answer" else row["quality"],
    "error": lambda rows, row: math.nan if row["status"] == "wrong answer" else row["quality"],
    "solved-verified": lambda rows, row: solved(rows, row) * (row["time"] > 1),
}


@pytest.mark.parametrize("name", LOOPS)
@given(rows=competitions())
def test_a_rule_is_its_formula(name, rows):
    runs = runs_of(rows, verified=[row["time"] > 1 for row in rows])
    expected = [LOOPS[name](rows, row) for row in rows]
    np.testing.assert_allclose(rule_of(name)(runs), expected, atol=1e-12)


def test_every_rule_has_a_loop_and_says_what_it_does():
    assert {rule.name for rule in rules()} <= set(LOOPS)
    for rule in rules():
        assert rule.summary
        assert rule.formula
        assert rule.reference
        assert rule.summary.endswith(".")


@pytest.mark.parametrize(
    ("name", "spelled"), [("ipc-sat", "IPC_SAT"), ("ipc-sat", "ipc-satisficing"), ("par2", "PAR2")]
)
def test_rules_are_known_by_other_spellings(name, spelled):
    assert rule_of(spelled) is rule_of(name)


FIELD = {
    "candidate": ["a", "a", "b", "b", "c", "c"],
    "instance": ["i", "j"] * 3,
    "status": ["ok", "ok", "ok", "wrong", "ok", "timeout"],
    "time": [10, 20, 5, 1, 50, 60],
    "quality": [4, 8, 2, 1, 3, np.nan],
    "cutoff": 60,
}


@pytest.mark.parametrize(
    ("wrong", "rule", "expected"),
    [
        ("unsolved", "solved", [[1, 1], [1, 0], [1, 0]]),
        ("solved", "solved", [[1, 1], [1, 1], [1, 0]]),
        ("disqualify", "solved", [[1, 1], [0, 0], [1, 0]]),
        ("penalise", "solved", [[1, 1], [1, -1], [1, 0]]),
        ("disqualify", "par2", [[10, 20], [120, 120], [50, 120]]),
        ("penalise", "par2", [[10, 20], [5, 240], [50, 120]]),
        ("unsolved", "ipc-sat", [[0.5, 1], [1, 0], [2 / 3, 0]]),
        ("solved", "ipc-sat", [[0.5, 1 / 8], [1, 1], [2 / 3, 0]]),
        ("disqualify", "ipc-sat", [[3 / 4, 1], [0, 0], [1, 0]]),
    ],
)
def test_wrong_answers_do_what_was_said(wrong, rule, expected):
    results = read(dh.Runs(**FIELD), rule=rule, wrong=wrong)
    np.testing.assert_allclose(results.original, expected)
    assert any("wrong answer" in note for note in results.notes)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("unsolved", [0, 0.25, 5, 1000, -3])
def test_a_wrong_answer_is_never_better_than_none(better, unsolved):
    def rule(runs):
        return np.where(runs.solved, 7.0, unsolved)

    plain, worse = (
        read(dh.Runs(**FIELD), rule=rule, better=better, wrong=wrong).scores
        for wrong in ("unsolved", "penalise")
    )
    changed = worse != plain
    assert changed.tolist() == [[False, False], [False, True], [False, False]]
    assert plain[1, 1] - worse[1, 1] == max(abs(unsolved), 1)  # scores are turned: higher is better


CHECKED = {
    "candidate": ["a", "a", "b", "b"],
    "instance": ["i", "j"] * 2,
    "status": ["unsat"] * 3 + ["timeout"],
    "time": [10, 20, 5, 60],
    "verified": ["verified", "wrong", "unchecked", ""],
    "cutoff": 60,
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"rule": "solved"}, [[1, 0], [1, 0]]),
        ({"rule": "solved", "unverified": "solved"}, [[1, 0], [1, 0]]),
        ({"rule": "solved", "unverified": "unsolved"}, [[1, 0], [0, 0]]),
        ({"rule": "solved-verified"}, [[1, 0], [0, 0]]),
        ({"rule": "par2"}, [[10, 120], [5, 120]]),
        ({"rule": "par2", "unverified": "unsolved"}, [[10, 120], [120, 120]]),
        ({"rule": "par2", "wrong": "solved"}, [[10, 20], [5, 120]]),
        ({"rule": "par2", "wrong": "solved", "unverified": "unsolved"}, [[10, 120], [120, 120]]),
    ],
)
def test_answers_that_nobody_verified_can_be_unsolved_by_every_rule(options, expected):
    results = read(dh.Runs(**CHECKED), **options)
    assert results.original.tolist() == expected


def test_who_would_be_first_among_verified_answers_is_told():
    """Of three answers one is verified, one is wrong; b has the better PAR2 by the third."""

    def said(**options):
        return [note for note in read(dh.Runs(**CHECKED), **options).notes if "verified" in note]

    (note,) = said(rule="par2")
    assert note == ("1 of 2 solved answers are not verified; without them a is first: "
                    "unverified='unsolved'.")  # fmt: skip
    assert (note.good, note.page) == (False, note.partition(":")[0] + ".")
    assert said(rule="par2", unverified="solved") == said(rule="solved-verified") == []
    (note,) = said(rule="par2", unverified="unsolved")
    assert note == "1 answer that nobody verified counted as unsolved."


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        (FIELD, {"rule": "solved"}, "no column that says which answers are verified"),
        (CHECKED | {"quality": [1, 2, 3, 4]}, {"rule": "accuracy"}, "gives no score to runs"),
    ],
)
def test_where_nothing_is_verified_nothing_can_be_demanded(columns, options, words):
    with pytest.raises(UsageError, match=words) as caught:
        read(dh.Runs(**columns), **options, unverified="unsolved")
    assert caught.value.hint == "with every answer: unverified=None"


def test_wrong_answers_are_named():
    note = "1 wrong answer counted as unsolved: 'b' on 'j'."
    assert note in read(dh.Runs(**FIELD), rule="solved").notes
    many = dh.Runs(
        candidate=["a"] * 5, instance=["i"] * 5, seed=[1, 2, 3, 4, 5], status=["wrong"] * 5
    )
    told = "'a' on 'i #1', 'a' on 'i #2', 'a' on 'i #3' and 2 more"
    assert f"5 wrong answers counted as solved: {told}." in read(many, wrong="solved").notes


@pytest.mark.parametrize(
    ("rule", "heading"),
    [
        ("solved", "solved"), ("par2", "PAR2"), ("par10", "PAR10"), ("par1.5", "PAR1.5"),
        ("ipc-sat", "IPC score"), ("accuracy", "accuracy"), ("error", "error"),
        ("categories-won-par2", "categories won"), (lambda runs: runs.time, "<lambda>"),
    ],
)  # fmt: skip
def test_a_table_says_what_its_number_is_called(rule, heading):
    assert read(dh.Runs(**FIELD), rule=rule, missing="worst").heading == heading


def test_rules_without_a_score_for_failures_cannot_punish():
    with pytest.raises(UsageError, match="accuracy gives no score to runs that are not solved"):
        read(dh.Runs(**FIELD), rule="accuracy", wrong="penalise")


def test_a_reference_is_a_mapping_a_column_or_a_file(tmp_path):
    best = [[1 / 4, 1 / 2], [1 / 2, 0], [1 / 3, 0]]
    runs = dh.Runs(**FIELD)
    np.testing.assert_allclose(read(runs, rule="ipc-sat", reference={"i": 1, "j": 4}).scores, best)
    column = dh.Runs(**FIELD, reference=[1, 4] * 3)
    np.testing.assert_allclose(read(column, rule="ipc-sat").scores, best)
    path = tmp_path / "best.csv"
    path.write_text("instance,cost\ni,1\nj,4\n", encoding="utf-8")
    np.testing.assert_allclose(read(runs, rule="ipc-sat", reference=path).scores, best)
    partly = read(runs, rule="ipc-sat", reference={"j": 4})
    np.testing.assert_allclose(partly.scores, [[0.5, 0.5], [1, 0], [2 / 3, 0]])
    assert any("1 instance without a reference" in note for note in partly.notes)
    better = read(runs, rule="ipc-sat", reference={"i": 1e9, "j": 1e9})
    np.testing.assert_allclose(better.scores, [[0.5, 1], [1, 0], [2 / 3, 0]])  # never above 1


@pytest.mark.parametrize(
    ("reference", "error", "words"),
    [
        ({"x": 1}, DataError, "the reference knows none of the 2 instances"),
        ("nowhere.csv", UsageError, "neither a column of the runs nor a file"),
        (3, UsageError, "must be a column, a file or a mapping"),
    ],
)
def test_a_reference_that_says_nothing_is_refused(reference, error, words):
    with pytest.raises(error, match=words):
        read(dh.Runs(**FIELD), rule="ipc-sat", reference=reference)


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        ({"time": [10, 20, np.nan, 1, 50, 60]}, "par2", "run 3: .* is solved, yet has no time"),
        ({"quality": [-4, 8, 2, 1, 3, 2]}, "ipc-sat", "run 1: .* yet has a negative quality"),
        ({"cutoff": 1, "time": [0] * 6}, "ipc-agile-2018", "cannot score a cutoff of 1 s"),
    ],
)
def test_solved_runs_need_what_the_rule_uses(change, rule, words):
    with pytest.raises(DataError, match=words):
        read(dh.Runs(**(FIELD | change)), rule=rule)


def test_a_rule_of_ones_own():
    def quick(runs):
        return runs.solved & (runs.time < 15)

    results = read(dh.Runs(**FIELD), rule=quick)
    assert results.scores.tolist() == [[1, 0], [1, 0], [0, 0]]
    assert results.rule == "quick"
    assert read(dh.Runs(**FIELD), rule=quick, better="lower").better == ("lower", "lower")
    rule = dh.scores_runs("quick", total="quick ones")(quick)
    assert read(dh.Runs(**FIELD), rule=rule).total == "quick ones"
    with pytest.raises(UsageError, match=r"returned float64 of shape .* instead of 6 numbers"):
        read(dh.Runs(**FIELD), rule=lambda runs: np.zeros(2))
    with pytest.raises(UsageError, match="cannot make the scoring rule 'x'"):
        dh.scores_runs("x", colour="red")(quick)


def test_a_weight_belongs_to_an_instance():
    results = read(dh.Runs(**FIELD, weight=[2, 1] * 3))
    assert results.weights.tolist() == [2, 1]
    assert dh.rank(results).rows()[0]["shown"] == 3  # a solves both: 2 + 1
    with pytest.raises(DataError, match="instance 'i' has two values of weight"):
        read(dh.Runs(**FIELD, weight=[2, 1, 3, 1, 2, 1]))
