"""``--each COL``: a board for each value of a column, beside that of the whole table."""

import csv
import io
import json
import shlex

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import UsageError
from terminals import in_terminal

# On easy tasks a is best and c close to it, on hard ones b: known without any computing.
TASKS = {f"{family}{k}": family for family in ("easy", "hard") for k in range(12)}
KINDS = {"a": "open", "b": "closed", "c": "open"}


def score(model, task, k):
    best = {"easy": {"a": 0.9, "c": 0.7, "b": 0.5}, "hard": {"b": 0.8, "a": 0.4, "c": 0.2}}
    return best[TASKS[task]][model] + 0.001 * (k % 5)


LONG = "model,kind,task,family,accuracy\n" + "".join(
    f"{model},{KINDS[model]},{task},{family},{score(model, task, k):.3f}\n"
    for model in KINDS
    for k, (task, family) in enumerate(TASKS.items())
)
ROWS = "task,family,a,b,c\n" + "".join(
    f"{task},{family},{','.join(f'{score(model, task, k):.3f}' for model in KINDS)}\n"
    for k, (task, family) in enumerate(TASKS.items())
)
PLAIN = "model," + ",".join(TASKS) + "\n"
PLAIN += "".join(
    f"{model},{','.join(f'{score(model, task, k):.3f}' for k, task in enumerate(TASKS))}\n"
    for model in KINDS
)
SIDE = "task,family\n" + "".join(f"{task},{family}\n" for task, family in TASKS.items())
HOW = ("--better", "higher", "--by", "mean", "--each", "family")


@pytest.fixture
def folder(tmp_path):
    for name, text in (("long", LONG), ("rows", ROWS), ("plain", PLAIN), ("side", SIDE)):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def boards(done):
    assert done.exit_code == 0, done.stderr
    each = json.loads(done.stdout)["each"]
    return {board["value"]: board for board in each["boards"]}


@pytest.mark.parametrize(
    "args",
    [
        ("long.csv", "--ignore", "kind"),
        ("rows.csv",),
        ("rows.csv", "--stratum", "family"),
        ("plain.csv", "--with", "side.csv", "--candidates", "rows"),
    ],
    ids=["long", "rows are judges", "also the strata", "joined to columns"],
)
@pytest.mark.parametrize("question", ["verdict", "rank", "rate"])
def test_who_is_first_in_each_family(run, folder, monkeypatch, question, args):
    monkeypatch.chdir(folder)
    how = [word for word in HOW if question != "rate" or word not in ("--by", "mean")]
    found = boards(run(question, *args, *how, "-q", "--json"))
    assert {value: board["first"] for value, board in found.items()} == {
        "easy": ["a"],
        "hard": ["b"],
    }
    assert [board["judges"] for board in found.values()] == [12, 12]
    if question != "rate":
        assert found["hard"]["shown"] == pytest.approx(0.8 + 0.001 * 2, abs=0.001)


def test_candidates_are_split_by_a_column_about_them(run, folder):
    args = ("rank", folder / "long.csv", "--better", "higher", "--by", "mean", "--each", "kind")
    found = boards(run(*args, "--json", "-q"))
    assert [(b["first"], b["candidates"]) for b in found.values()] == [(["a"], 2), (["b"], 1)]


def test_a_terminal_shows_the_whole_and_a_line_for_each(folder):
    args = ("verdict", folder / "long.csv", *HOW)
    _, shown = in_terminal(*args, folder=folder, NO_COLOR="1", DEADHEAT_PROGRESS="0")
    lines = [line.split() for line in shown.replace("\r", "").splitlines()]
    assert shown.index("rank") < shown.index("family ") < shown.index("How solid")
    assert ["family", "tasks", "first", "mean"] in lines
    assert [line[2] for line in lines if line[:1] in (["easy"], ["hard"])] == ["a", "b"]


def test_pipes_have_every_board_and_saved_ones_are_the_same(run, folder):
    args = ("rank", folder / "long.csv", *HOW, "-q")
    rows = list(csv.DictReader(io.StringIO(run(*args).stdout), delimiter="\t"))
    assert [row["family"] for row in rows] == [""] * 3 + ["easy"] * 3 + ["hard"] * 3
    assert [row["candidate"] for row in rows if row["family"] == "hard"] == ["b", "a", "c"]
    saved = folder / "saved.json"
    assert run(*args, "-o", saved).exit_code == 0
    for form in ("tsv", "md", "latex", "json"):
        fresh, again = run(*args, "--format", form), run("show", saved, "--format", form)
        assert fresh.stdout.replace("--format", "")[-300:] == again.stdout[-300:]


def test_the_same_in_python(folder):
    v = dh.verdict(folder / "long.csv", better="higher", by="mean", each="family")
    assert [board["first"] for board in v.boards.boards] == [["a"], ["b"]]
    assert "a is first in 1 of 2 families and b in 1." in repr(v)
    table = dh.read(folder / "rows.csv", better="higher", stratum="family")
    parted = dh.read(table, each="stratum")
    assert [part.m for part in parted.parts] == [12, 12]
    for alone in (parted.whole(), parted.of_candidates([0, 1])):
        assert (alone.each, alone.parts) == ("", ())
    assert dh.rank(table, by="mean", each="stratum").boards is not None
    with pytest.raises(UsageError, match="each="):
        dh.influence(table, each="stratum")
    with pytest.raises(UsageError, match="strata at most"):
        dh.rank(dh.read(folder / "plain.csv", better="higher"), each="family")


def test_a_board_says_where_the_leader_won_all_of_too_few_rounds():
    n, m = 60, 10  # ten wins of equals are likelier than 5 % of one against 59
    scores = np.random.default_rng(0).random((n, 2 * m))
    scores[0, :m] += 1
    scores[0, m:] += 0.2
    table = dh.Results(scores=scores, strata=["won"] * m + ["open"] * m, better="higher")
    boards = dh.rate(table, each="stratum", replicates=100, simulations=0).boards.boards
    assert {board["value"]: board["too_few"] for board in boards} == {"won": True, "open": False}


@pytest.mark.parametrize(
    ("question", "args", "said"),
    [
        ("verdict", ("--each", "famly"), "Did you mean 'family'?"),
        ("verdict", ("--each", "family", "--where", "family=none"), "no row"),
        ("rate", ("--each", "kind", "--tournament", "family"), "--each kind and --tournament"),
        ("consensus", ("--each", "family"), "consensus has no --each."),
    ],
)
def test_what_cannot_be_split_is_told(run, folder, question, args, said):
    done = run(question, folder / "long.csv", "--better", "higher", *args)
    assert done.exit_code in (2, 3)
    assert said in done.stderr


def test_a_picture_of_each_is_refused_with_the_whole_command_for_one(run, folder):
    where = ("--by", "mean", "--replicates", "99", "-o", folder / "fig.svg")
    asked = ("plot", folder / "long.csv", "intervals", "--better", "higher", "--ignore", "kind")
    done = run(*asked, "--each", "family", *where)
    assert done.exit_code == 2
    command = shlex.split(done.stderr.split("Hint: ")[1])
    assert command[-2:] == ["--where", "family=easy"]
    assert "--each" not in command
    drawn = run(*command[1:])
    assert drawn.exit_code == 0, drawn.stderr
    assert (folder / "fig.svg").is_file()


@pytest.mark.parametrize("size", [1, 3])
def test_a_board_of_few_instances_names_a_first_with_a_caution(run, tmp_path, size):
    rare = "".join(f"rare{k},rare,0.1,0.9,0.2\n" for k in range(size))
    (tmp_path / "rows.csv").write_text(ROWS + rare, encoding="utf-8")
    command = ("verdict", tmp_path / "rows.csv", *HOW, "-q")
    found = boards(run(*command, "--json"))
    assert {name: board["too_few"] for name, board in found.items()} == {
        "easy": False,
        "hard": False,
        "rare": True,
    }
    assert (found["rare"]["first"], found["rare"]["shown"]) == (["b"], pytest.approx(0.9))
    shown = run(*command, "--format", "table").stdout
    assert "1 with too few tasks for a test." in " ".join(shown.split())
    assert any("rare" in line and "too few for a test" in line for line in shown.splitlines())


def test_nobody_is_first_where_there_is_nobody_else(run, tmp_path):
    """Each organisation of one model has no race."""
    (tmp_path / "f.csv").write_text(LONG.replace(",closed,", ",own,"), encoding="utf-8")
    request = ("--better", "higher", "--by", "mean", "--replicates", "199", "--json")
    done = run("verdict", tmp_path / "f.csv", *request, "--each", "kind")
    boards = json.loads(done.stdout)["each"]["boards"]
    assert {board["value"]: board["candidates"] for board in boards} == {"open": 2, "own": 1}
    told = in_terminal("verdict", "f.csv", *request[:-1], "--each", "kind", folder=tmp_path)[1]
    assert "a is first in 1 of 1 kinds" in told
    (tmp_path / "f.csv").write_text(
        "model,org,task,accuracy\na,x,t1,1\na,x,t2,2\nb,y,t1,2\nb,y,t2,4\n", encoding="utf-8"
    )
    told = in_terminal("verdict", "f.csv", *request[:-1], "--each", "org", folder=tmp_path)[1]
    assert "No org has two models to compare." in told


def test_long_names_are_not_cut_into_each_other(tmp_path):
    names = [f"MapleCOMSPS_LRB_VSIDS_{k}_of_many_versions / default" for k in range(2)]
    rows = [f"{name},f{j % 2}t{j},f{j % 2},{k + j / 9}" for k, name in enumerate(names)
            for j in range(6)]  # fmt: skip
    (tmp_path / "f.csv").write_text("model,task,family,accuracy\n" + "\n".join(rows) + "\n")
    words = ("--better", "higher", "--by", "mean", "--replicates", "199", "--each", "family")
    told = in_terminal("verdict", "f.csv", *words, folder=tmp_path)[1]
    assert f"{names[1]} is first in 2 of 2 families" in " ".join(told.split())


def test_the_rest_are_counted_as_they_are(tmp_path):
    """Of five families each has another winner: three others in 1 each, never in fewer."""
    rows = [
        f"m{k},f{family}t{task},f{family},{(k == family) + task / 100 + k / 1000}"
        for k in range(5)
        for family in range(5)
        for task in range(3)
    ]
    (tmp_path / "f.csv").write_text("model,task,family,accuracy\n" + "\n".join(rows) + "\n")
    words = ("--better", "higher", "--by", "mean", "--replicates", "199", "--each", "family")
    told = in_terminal("verdict", "f.csv", *words, folder=tmp_path)[1]
    assert "m0 is first in 1 of 5 families, m1 in 1, m2 in 1 and 2 others in 1 each" in " ".join(
        told.split()
    )
