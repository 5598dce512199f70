"""Conditions for somebody's pipeline."""

from __future__ import annotations

import pytest

import deadheat as dh
from deadheat.verdict.api import holds, require_condition
from verdict_oracle import graded, table

CLEAR = dh.verdict(table(graded(0, (3, 0, 0), 30)), by="mean", replicates=199)
TIED = dh.verdict(table(graded(0, (3, 3, 0), 30)), by="mean", replicates=199)
EQUAL = dh.verdict(table([[1.0, 2, 3], [3, 2, 1], [0, 0, 0]]), by="mean", replicates=199)


def test_a_tie_at_the_top_is_a_first_group_of_several():
    assert holds(CLEAR, "tie-at-top") == ""
    assert holds(TIED, "tie-at-top") == "2 candidates are in a dead heat for first place."


def test_the_winner_has_changed_unless_the_name_is_first_alone():
    assert CLEAR.winners == ("a",)
    assert holds(CLEAR, "winner-changed:a") == ""
    assert holds(CLEAR, "winner-changed:b") == "'a' now ranks first, not 'b' alone."
    assert EQUAL.winners == ("a", "b")
    assert "'a' and 'b' now" in holds(EQUAL, "winner-changed:a")


def test_somebody_is_not_first_who_is_not_in_the_first_group():
    assert [bool(holds(TIED, f"not-first:{name}")) for name in "abc"] == [False, False, True]


def test_groups_have_changed_where_a_saved_verdict_had_others(tmp_path):
    saved = tmp_path / "before.json"
    CLEAR.to_json(saved)
    assert holds(CLEAR, f"groups-changed:{saved}") == ""
    assert holds(TIED, f"groups-changed:{saved}") == f"the groups are not those of {saved}."
    other_seed = dh.verdict(CLEAR.evidence.results, by="mean", replicates=199, seed=9)
    assert holds(other_seed, f"groups-changed:{saved}") == ""


def test_the_order_inside_a_group_is_no_change(tmp_path):
    saved = tmp_path / "before.json"
    text = TIED.to_json()
    first, second = TIED.groups[0]
    pair, turned = f'"{first}",\n        "{second}"', f'"{second}",\n        "{first}"'
    assert pair in text
    saved.write_text(text.replace(pair, turned), encoding="utf-8")
    assert holds(TIED, f"groups-changed:{saved}") == ""


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("tie", "unknown condition 'tie'"),
        ("", "unknown condition ''"),
        ("tie-at-top:a", "takes nothing after it"),
        ("not-first", "needs a name"),
        ("winner-changed:", "needs a name"),
        ("groups-changed", "needs a file"),
        ("groups-changed:nothing.json", "cannot read nothing.json"),
    ],
)
def test_conditions_that_mean_nothing_are_refused_before_any_work(condition, words):
    with pytest.raises(dh.UsageError) as refused:
        require_condition(condition)
    assert words in str(refused.value)
    assert "Hint: " in str(refused.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "no JSON"), ("[]", "no saved verdict"), ('{"facts": {}}', "no saved verdict"),
     ("\udcff", "no JSON")],
)  # fmt: skip
def test_files_that_hold_no_verdict_are_refused(tmp_path, content, words):
    path = tmp_path / "x.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(dh.UsageError, match=words):
        require_condition(f"groups-changed:{path}")


def test_a_name_that_nobody_has_is_refused():
    with pytest.raises(dh.UsageError, match="unknown candidate 'z'"):
        holds(CLEAR, "not-first:z")
