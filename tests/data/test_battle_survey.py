"""What a battle log tells beside its battles: rows that are there twice, and who voted."""

from __future__ import annotations

import gzip
import random

import pandas as pd
import pytest

import deadheat as dh

PAIRS = [("ann", "bob"), ("bob", "cyd"), ("cyd", "ann")]


def log(folder, rows, head="battle_id,model_a,model_b,winner,judge", name="log.csv"):
    path = folder / name
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n", "utf-8")
    return path


def votes(number=60, voters=12, seed=0):
    draw = random.Random(seed)
    sides = ("model_a", "model_b")
    return [(k, *PAIRS[k % 3], draw.choice(sides), f"u{k % voters}") for k in range(number)]


def told(path, **reading):
    return [note for note in dh.read_battles(path, **reading).notes if "another" in note]


def cast(path, **reading):
    return [note for note in dh.read_battles(path, **reading).notes if "cast" in note]


def test_rows_that_are_there_twice_are_told_with_what_counts_them_once(tmp_path):
    twice = log(tmp_path, [row for row in votes() for _ in range(2)])
    said = "60 of 120 rows repeat another one with the same battle_id"
    assert told(twice) == [f"{said}; deduplicate='battle_id' counts each battle once."]
    assert told(twice)[0].page == f"{said}."
    assert dh.read_battles(twice).total == 120
    once = dh.read_battles(twice, deduplicate="battle_id")
    assert once.total == 60
    assert not told(twice, deduplicate="battle_id")


def test_a_second_vote_on_a_battle_is_no_copy_of_the_first(tmp_path):
    """Whoever counted each battle once would throw votes away."""
    second = [(*row[:3], "tie", f"u{20 + row[0]}") for row in votes()[:3]]
    assert not told(log(tmp_path, [*votes(), *second]))
    corrected = [(0, "ann", "bob", "tie", "u0"), *votes()]
    assert not told(log(tmp_path, corrected))


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("battle_id,model_a,model_b,winner,judge", votes()),
        ("model_a,model_b,winner", [row[1:4] for row in votes() for _ in range(2)]),
        # one pair of answers, shown to five judges
        ("id,model_a,model_b,winner,judge", [(k // 5, *row[1:]) for k, row in enumerate(votes())]),
        # a match of two games
        ("match_id,model_a,model_b,winner,game",
         [(*row[:4], g) for row in votes() for g in (1, 2)]),
        ("model_id,model_a,model_b,winner", [(0, *row[1:4]) for row in votes()]),
    ],
)  # fmt: skip
def test_an_identifier_of_something_else_is_no_reason_to_doubt(tmp_path, head, rows):
    assert not told(log(tmp_path, rows, head))


def test_rows_without_an_identifier_repeat_none_and_blanks_around_one_are_none(tmp_path):
    rows = votes()
    empty = [("", *row[1:]) for row in rows[:4] for _ in range(2)]
    assert not told(log(tmp_path, [*rows, *empty]))
    blank = [(" 0 ", *rows[0][1:-1], " u0 "), *rows, (0, "ann ", *rows[0][2:])]
    assert not told(log(tmp_path, blank))  # another row: its cells differ as they are written


def test_repeats_in_several_files_and_among_the_rows_that_are_kept(tmp_path):
    rows = votes()
    parts = [log(tmp_path, rows, name="one.csv"), log(tmp_path, rows[:20], name="two.csv")]
    assert told(parts)[0].startswith("20 of 80 rows repeat")
    assert told(parts, where="judge=u1")[0].startswith("2 of 7 rows repeat")  # 5 and 2 of them


def test_voters_are_told_with_what_draws_them_whole(tmp_path):
    path = log(tmp_path, votes())
    said = "12 judges cast 60 votes, which are taken as independent"
    assert cast(path) == [f"{said}; cluster='judge' draws each judge whole."]
    assert cast(path)[0].page == f"{said}."
    assert not cast(path, cluster="judge")
    worker = log(tmp_path, votes(), "id,model_a,model_b,winner,worker_id")
    assert cast(worker)[0].startswith("12 workers cast 60 votes")
    assert not cast(worker, where="model_a=ann")  # four of them


def test_voters_are_counted_without_repeated_rows(tmp_path):
    twice = log(tmp_path, [row for row in votes() for _ in range(2)])
    assert cast(twice)[0].startswith("12 judges cast 120 votes")
    assert cast(twice, deduplicate="battle_id")[0].startswith("12 judges cast 60 votes")


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("id,model_a,model_b,winner,judge", votes(voters=60)),  # everybody voted once
        ("id,model_a,model_b,winner,judge", votes(voters=3)),  # too few to be drawn
        ("id,model_a,model_b,winner,judge_comment", votes()),
    ],
)
def test_voters_of_whom_nothing_follows_are_not_told(tmp_path, head, rows):
    assert not cast(log(tmp_path, rows, head))


def test_a_second_file_without_the_columns_is_read_all_the_same(tmp_path):
    one = log(tmp_path, votes(), name="one.csv")
    head = "model_a,model_b,winner"
    two = log(tmp_path, [row[1:4] for row in votes()], head, name="two.csv")
    assert dh.read_battles([one, two]).notes == ()


def findings(path, **reading):
    return [(row["topic"], row["finding"]) for row in dh.check(path, **reading).rows()]


def test_a_log_is_checked_as_a_log(tmp_path):
    rows = [(*row[:4], f"2024-0{1 + k % 3}-05 10:0{k % 6}:00") for k, row in enumerate(votes())]
    rows[0] = (0, "ann", "bob", "tie (bothbad)", rows[0][4])
    path = log(tmp_path, rows, "battle_id,model_a,model_b,winner,tstamp")
    found = dh.check(path)
    left = sum(row[3] == "model_a" for row in rows)
    told = dict(findings(path))
    sides = [f"'model_a' is left ({left})", f"'model_b' is right ({59 - left})"]
    assert {*told["outcomes"].split(", ")} == {*sides, "'tie (bothbad)' is tie (1)"}
    assert told["times"] == "tstamp, from 2024-01-05 10:00 to 2024-03-05 10:05"
    assert told["size"] == "60 battles of 3 models"
    assert told["per model"] == "40 of each"
    assert told["ties"] == "1.7% of all battles"
    assert told["next"].startswith("rate the battles: ")
    assert found.facts()["tied_share"] == pytest.approx(1 / 60)
    assert found.verdict.startswith("3 models in 60 battles: ")
    battles = dh.read_battles(path)
    assert dh.check(battles).verdict == found.verdict


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (["2024-01-05 10:00:00", "2024-03-05 10:05:00"], "tstamp, from 2024-01-05 10:00 to"),
        (pd.to_datetime(["2024-01-05 10:00", "2024-03-05 10:05"]), "tstamp, from 2024-01-05 10:00"),
        (pd.to_datetime(["2024-01-05", "2024-03-05"]).date, "tstamp, from 2024-01-05 00:00"),
        ([1.7e9, 1.8e9], None),  # seconds since when?
        ([20240105, 20240305], None),
        (["x", "y"], None),
    ],
)
def test_times_are_told_where_they_are_times(tmp_path, times, expected):
    frame = pd.DataFrame({"model_a": ["ann", "bob"], "model_b": ["bob", "ann"]})
    frame = frame.assign(winner="model_a", tstamp=times)
    frame.to_parquet(tmp_path / "log.parquet")
    said = dict(dh.read_battles(tmp_path / "log.parquet").reading).get("times")
    assert said is None if expected is None else said.startswith(expected)


def test_what_is_odd_about_a_log_deserves_a_look(tmp_path):
    rows = [*votes(), *votes(), (99, "dan", "eve", "model_a", "u1")]
    way = "which rate largest_part=True rates"
    looks = [row["finding"] for row in dh.check(log(tmp_path, rows)).rows() if row["look"]]
    assert [look.split(";")[0] for look in looks] == [
        "60 of 121 rows repeat another one with the same battle_id",
        "12 judges cast 121 votes, which are taken as independent",
        f"no battle links 2 parts of the field, and the largest has 3 models, {way}",
    ]


def test_names_to_show_change_nothing_else(tmp_path):
    path, names = log(tmp_path, votes()), tmp_path / "names.csv"
    names.write_text("old,new\nann,Zoe\n", encoding="utf-8")
    plain = dh.rate(path, replicates=50, simulations=0)
    for given in ("ann=Zoe", {"ann": "Zoe"}, str(names)):
        shown = dh.rate(path, replicates=50, simulations=0, rename=given)
        assert [
            {**row, "candidate": row["candidate"].replace("Zoe", "ann")} for row in shown.rows()
        ] == plain.rows()
        assert "Zoe" in shown.candidates
    with pytest.raises(dh.DataError, match="gives two candidates the name 'bob'"):
        dh.rate(path, rename="ann=bob")


# A column of times is none of the battles' business until somebody asks for it.

START = 1_700_000_000


@pytest.mark.parametrize("name", ["tstamp", "timestamp", "time", "ts", "date", "datetime"])
@pytest.mark.parametrize(
    ("tail", "ending"), [("", ".csv"), (".0", ".csv"), (".5", ".tsv"), (".25", ".csv.gz")]
)
def test_seconds_since_1970_stand_in_a_column_of_times(tmp_path, name, tail, ending):
    rows = [(*row[1:4], f"{START + 60 * row[0]}{tail}") for row in votes()]
    gap = "\t" if ".tsv" in ending else ","
    text = "".join(
        f"{gap.join(map(str, row))}\n" for row in [("model_a", "model_b", "winner", name), *rows]
    )
    path = tmp_path / f"log{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    plain = dh.read_battles(log(tmp_path, [r[:3] for r in rows], "model_a,model_b,winner", "p.csv"))
    assert dh.read_battles(path).sha256 == plain.sha256
    late = dh.read_battles(path, where=f"{name}>={START + 60 * 30}")
    assert late.total == 30
    backwards = "".join(text.splitlines(keepends=True)[k] for k in (0, *range(60, 0, -1)))
    (tmp_path / f"back{path.suffixes[0]}").write_text(backwards, "utf-8")
    sorted_again = dh.read_battles(tmp_path / f"back{path.suffixes[0]}", order_by=name)
    assert sorted_again.outcome.tolist() == dh.read_battles(path, ordered=True).outcome.tolist()


# Names that differ only by case or spaces.

SPELLED = ["GPT-4,llama,model_a", "gpt-4,llama,model_a", "gpt-4,Llama,tie", "gpt-4,qwen,model_b"]


def test_names_that_differ_only_by_case_or_spaces_are_told_and_made_one(tmp_path):
    path = log(tmp_path, [[row] for row in SPELLED], "model_a,model_b,winner")
    (note,) = dh.read_battles(path).notes
    new = ["GPT-4=gpt-4", "Llama=llama"]
    assert "'gpt-4' and 'GPT-4', 'llama' and 'Llama' differ only by case or spaces" in note
    assert f"rename={new!r}" in note
    assert "rename" not in note.page
    one = dh.read_battles(path, rename=new)
    assert not one.notes
    lower = log(tmp_path, [[r.lower()] for r in SPELLED], "model_a,model_b,winner", "lower.csv")
    assert one.sha256 == dh.read_battles(lower).sha256
    in_order = dh.read_battles(path, rename=new, ordered=True)
    assert in_order.sha256 == dh.read_battles(lower, ordered=True).sha256


def test_whoever_met_himself_under_another_name_did_not_meet_anybody(tmp_path):
    rows = [["a b,c,left"], ["ab,c,left"], ["ab,a b,tie"], ["A B,c,right"]]
    path = log(tmp_path, rows, "left,right,winner")
    (note,) = dh.read_battles(path).notes
    assert "'ab' and 'A B' and 'a b'" in note or "'a b' and" in note
    one = dh.read_battles(path, rename={"a b": "ab", "A B": "ab"})
    assert one.candidates == ("ab", "c")
    assert one.total == 3
    assert one.notes == ("1 battle of a candidate with itself dropped.",)


def test_other_names_are_never_made_one(tmp_path):
    path = log(tmp_path, [["gpt-4,gpt-4o,left"], ["gpt 4o,gpt-4,tie"]], "left,right,winner")
    assert not dh.read_battles(path).notes
    with pytest.raises(dh.DataError, match="gives two candidates the name 'gpt-4'"):
        dh.read_battles(path, rename="gpt-4o=gpt-4")


def test_names_become_one_in_each_category_and_of_each_voter(tmp_path):
    rows = [["A,b,left,en,u1"], ["a,b,left,de,u1"], ["a,b,left,en,u2"], ["A,b,left,en,u2"]]
    path = log(tmp_path, rows, "left,right,winner,language,user")
    one = dh.read_battles(path, rename="A=a", category="language", cluster="user")
    lower = log(tmp_path, [[row.lower()] for (row,) in rows], "left,right,winner,language,user")
    plain = dh.read_battles(lower, category="language", cluster="user")
    assert one.sha256 == plain.sha256
    assert {name: part.total for name, part in one.parts().items()} == {"de": 1, "en": 3}
