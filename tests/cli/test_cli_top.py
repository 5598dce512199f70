"""``--top K``: the first K alone in the table, CSV and TSV of every command that has it."""

import csv
import io
import json

import pytest

TABLE = "model,kind,t1,t2,t3,t4,t5\n" + "".join(
    f"{name},{'xy'[k % 2]},{9 - k},{8 - k},{9 - k},{8 - k},{7.5 - k}\n"
    for k, name in enumerate("abcdef")
)
QUICK = {
    "verdict": ("--replicates", "99"),
    "rank": (),
    "consensus": (),
    "rate": ("--replicates", "99", "--simulations", "0"),
}
TOP = ("--top", "2", "-q")


@pytest.fixture
def first(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")

    def ask(command, *args):
        how = ("--better", "higher", "--ignore", "kind", "--candidates", "rows", *QUICK[command])
        how = tuple(
            word for word in how if "--each" not in args or word not in ("--ignore", "kind")
        )
        done = run(command, path, *how, *args)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    return ask


def read(text, sign=","):
    return list(csv.DictReader(io.StringIO(text), delimiter=sign))


@pytest.mark.parametrize("command", QUICK)
@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_rows_are_those_of_the_first(first, command, form):
    rows = read(first(command, *TOP, "--format", form), {"csv": ",", "tsv": "\t"}[form])
    assert [row["candidate"] for row in rows] == ["a", "b"]
    assert len(read(first(command, "-q", "--format", "csv"))) == 6


@pytest.mark.parametrize("command", QUICK)
def test_a_saved_result_has_the_same_rows_and_json_says_how_many(run, first, tmp_path, command):
    saved = tmp_path / "saved.json"
    saved.write_text(first(command, *TOP, "--json"), encoding="utf-8")
    shown = run("show", saved, "--format", "csv")
    assert shown.stdout == first(command, *TOP, "--format", "csv")
    whole = json.loads(saved.read_text(encoding="utf-8"))
    everybody = [row["candidate"] for row in whole["rows"]]
    if command == "rate":
        assert everybody == whole["made"]["show_only"] == ["a", "b"]
    else:
        assert (everybody, whole["made"]["top"]) == ([*"abcdef"], 2)


def test_of_several_functions_the_first_names_the_rows(first):
    rows = read(first("rank", "--by", "mean,median", "--format", "csv", *TOP))
    assert [(row["function"], row["candidate"]) for row in rows] == [
        (f, name) for f in ("mean", "median") for name in "ab"
    ]


@pytest.mark.parametrize("command", ["verdict", "rank", "rate"])
def test_boards_show_their_own_first(first, command):
    rows = read(first(command, "--each", "kind", "--format", "csv", *TOP))
    found = {value: "".join(r["candidate"] for r in rows if r["kind"] == value) for value in "xy"}
    assert found == {"x": "ac", "y": "bd"}


def test_other_tables_of_a_verdict_keep_their_rows(first):
    pairs = read(first("verdict", "--show", "pairs", "--format", "csv", *TOP))
    assert len(pairs) == 15
    assert len(read(first("verdict", "--show", "ranks", "--format", "csv", *TOP))) == 6
