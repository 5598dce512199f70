"""Battle logs become counts, whatever holds them."""

import gzip
import io
import json
import sys
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.data.battles import Battles
from deadheat.data.reading.read import read_battles

LOG = """id,model_a,model_b,winner,voter,weight,topic
1,zeta,alpha,model_a,v1,1,math
2,alpha,zeta,model_a,v2,2,code
3,zeta,alpha,tie,v1,0.5,math
4,zeta,beta,model_b,v3,1,math
5,zeta,alpha,model_a,v2,1,code
6,alpha,beta,both_bad,v1,1,math
"""
CELLS = {
    ("alpha", "beta", 0): 1,
    ("alpha", "zeta", 1): 1,
    ("zeta", "alpha", 1): 2,
    ("zeta", "alpha", 0): 1,
    ("zeta", "beta", -1): 1,
}


def cells(battles):
    """Return the cells as a dictionary, which must not hold one of them twice."""
    keys = [
        (battles.candidates[i], battles.candidates[j], int(o))
        for i, j, o in zip(battles.left, battles.right, battles.outcome, strict=True)
    ]
    found = dict(zip(keys, battles.battles.tolist(), strict=True))
    assert len(found) == len(keys)
    return found


@pytest.fixture
def log(table):
    return table(LOG, "log.csv")


def frame():
    return pd.read_csv(io.StringIO(LOG))


def test_a_log_becomes_counts(log):
    battles = read_battles(log)
    assert battles.candidates == ("alpha", "beta", "zeta")
    assert cells(battles) == CELLS
    assert (battles.n, battles.total, battles.ties, battles.cells) == (3, 6, 2, 5)
    np.testing.assert_array_equal(battles.weights, battles.battles)
    assert repr(battles) == "<Battles: 6 battles of 3 candidates, 2 ties>"


def test_cells_are_in_one_order_and_read_only(log):
    battles = read_battles(log)
    order = np.lexsort((-battles.outcome, battles.right, battles.left))
    np.testing.assert_array_equal(order, np.arange(5))
    for name in ("left", "right", "outcome", "battles", "weights"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(battles, name)[0] = 1


def test_what_was_understood_is_reported(log):
    reading = dict(read_battles(log).reading)
    assert reading["layout"] == (
        "battles (guessed): left 'model_a', right 'model_b', winner 'winner'"
    )
    assert reading["columns not used"] == "id, voter, weight, topic"
    assert "cluster='voter'" in reading["clusters"]
    assert "1 battle in which both were bad count" in read_battles(log).notes[0]


@pytest.mark.parametrize("kind", ["parquet", "tsv", "csv.gz", "jsonl", "json", "jsonl.gz", "xlsx"])
def test_every_format_gives_the_same_cells(log, tmp_path, kind):
    path = tmp_path / f"other.{kind}"
    data = frame()
    if kind == "parquet":
        data.to_parquet(path)
    elif kind == "tsv":
        data.to_csv(path, sep="\t", index=False)
    elif kind == "xlsx":
        data.to_excel(path, index=False)
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(LOG.encode()))
    elif kind.startswith("jsonl"):
        text = data.to_json(orient="records", lines=True).encode()
        path.write_bytes(gzip.compress(text) if kind.endswith("gz") else text)
    else:
        data.to_json(path, orient="records", indent=1)
    options = {"weight": "weight", "cluster": "voter", "category": "topic"}
    assert read_battles(path).sha256 == read_battles(log).sha256
    assert read_battles(path, **options).sha256 == read_battles(log, **options).sha256


@pytest.mark.parametrize(
    "make",
    [
        lambda f: f,
        lambda f: f.astype(object),
        lambda f: f.astype({"model_a": "category", "winner": "category"}),
        pl.from_pandas,
        lambda f: pl.from_pandas(f).lazy(),
        pa.Table.from_pandas,
        lambda f: f.set_index("id"),
    ],
)
def test_frames_equal_the_file(log, make):
    data = make(frame())
    options = {"weight": "weight", "cluster": "voter", "category": "topic"}
    assert read_battles(data, **options).sha256 == read_battles(log, **options).sha256
    assert read_battles(data).library == type(data).__module__.partition(".")[0]


def test_a_frame_that_duckdb_cannot_see_is_copied(log, monkeypatch):
    monkeypatch.setattr("deadheat.data.reading.battle_log.READ_AS_THEY_ARE", ())
    battles = read_battles(pl.from_pandas(frame()), cluster="voter")
    assert battles.sha256 == read_battles(log, cluster="voter").sha256
    assert battles.library == "polars"


@pytest.mark.parametrize("name", ["it's [1] *.csv", 'a "b" {paths}.csv', "ünder.parquet"])
def test_names_of_files_are_taken_as_they_are(log, tmp_path, name):
    path = tmp_path / name
    if name.endswith("csv"):
        path.write_text(LOG)
    else:
        frame().to_parquet(path)
    assert read_battles(path).sha256 == read_battles(log).sha256
    assert read_battles(path).source == name


def test_names_of_columns_are_taken_as_they_are(tmp_path):
    data = frame().rename(columns={"model_a": 'the "left" one', "voter": "who's {paths}"})
    path = tmp_path / "log.parquet"
    data.to_parquet(path)
    for source in (data, path):
        battles = read_battles(
            source, left='the "left" one', right="model_b", cluster="who's {paths}"
        )
        assert battles.cluster_count == 3
        assert battles.total == 6


def test_streams_and_standard_input(log, monkeypatch):
    with log.open("rb") as file:
        assert read_battles(file).sha256 == read_battles(log).sha256
    assert read_battles(io.StringIO(LOG)).sha256 == read_battles(log).sha256
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LOG.encode()))))
    battles = read_battles("-")
    assert battles.sha256 == read_battles(log).sha256
    assert battles.source == "standard input"


def many(tmp_path, kind="parquet"):
    """Write a log of 1,000 battles as one file and as five, and return both."""
    rng = np.random.default_rng(5)
    left, shift = rng.integers(0, 7, 1_000), rng.integers(1, 7, 1_000)
    data = pd.DataFrame(
        {
            "left": [f"m{i}" for i in left],
            "right": [f"m{i}" for i in (left + shift) % 7],
            "winner": rng.choice(["left", "right", "tie"], 1_000),
            "voter": rng.integers(0, 40, 1_000),
            "length": rng.integers(0, 4, 1_000),
            "weight": rng.random(1_000) + 0.1,
        }
    )
    folder = tmp_path / "parts"
    folder.mkdir()
    write = pd.DataFrame.to_parquet if kind == "parquet" else pd.DataFrame.to_csv
    for k in range(5):
        part = data.iloc[200 * k : 200 * (k + 1)]
        extra = part.assign(more=1) if k == 3 else part
        write(extra, folder / f"{k}.{kind}", index=False)
    write(data, tmp_path / f"whole.{kind}", index=False)
    return data, tmp_path / f"whole.{kind}", folder


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_log_in_five_files_equals_one(tmp_path, kind):
    _, whole, folder = many(tmp_path, kind)
    expected = read_battles(whole, cluster="voter")
    for source in (folder, str(folder / f"*.{kind}"), sorted(folder.iterdir(), reverse=True)):
        assert read_battles(source, cluster="voter").sha256 == expected.sha256
    for options in ({}, {"cluster": "voter"}, {"order_by": "length"}):
        ordered = read_battles(folder, ordered=True, **options)
        assert ordered.sha256 == read_battles(whole, ordered=True, **options).sha256
    assert dict(read_battles(folder).reading)["files"].startswith(f"5: 0.{kind}, 1.{kind}")


@pytest.mark.parametrize("labels", [[], ["voter"], ["voter", "length"]])
def test_cells_equal_a_groupby(tmp_path, labels):
    data, whole, _ = many(tmp_path)
    options = dict(zip(("cluster", "category"), labels, strict=False))
    battles = read_battles(whole, weight="weight", **options)
    codes = {"left": 1, "tie": 0, "right": -1}
    data["outcome"] = data["winner"].map(codes).astype("int8")
    data["w"] = data["weight"].round(9)
    keys = ["left", "right", "outcome", *labels, "w"]  # battles of a cell weigh the same
    wanted = data.groupby(keys)["weight"].agg(["count", "sum"])
    names = np.array(battles.candidates)
    found = {"left": names[battles.left], "right": names[battles.right], "outcome": battles.outcome}
    if "voter" in labels:
        voters = np.array(sorted(data["voter"].astype(str).unique()))
        found["voter"] = voters[battles.clusters].astype(int)
        assert (battles.cluster_count, battles.cluster_kind) == (len(voters), "voter")
    if "length" in labels:
        found["length"] = np.array(battles.category_names)[battles.categories].astype(int)
    found["w"] = (battles.weights / battles.battles).round(9)
    found |= {"count": battles.battles, "sum": battles.weights}
    result = pd.DataFrame(found).set_index(keys).sort_index()
    pd.testing.assert_frame_equal(result, wanted.sort_index(), check_dtype=False)


def test_both_ways_of_grouping_agree(tmp_path, monkeypatch):
    _, whole, _ = many(tmp_path)
    by_sort = read_battles(whole, cluster="voter", category="length", weight="weight")
    monkeypatch.setattr("deadheat.data.reading.battles.FEW", 0)
    by_database = read_battles(whole, cluster="voter", category="length", weight="weight")
    for name in ("left", "right", "outcome", "battles", "clusters", "categories"):
        np.testing.assert_array_equal(getattr(by_sort, name), getattr(by_database, name))
    np.testing.assert_allclose(by_sort.weights, by_database.weights, rtol=1e-15)


def test_sorting_rows_that_do_not_fit_one_key(tmp_path, monkeypatch):
    _, whole, _ = many(tmp_path)
    one = read_battles(whole, cluster="voter", category="length", weight="weight")
    monkeypatch.setattr("deadheat.data.reading.battles.LARGEST_KEY", 10)
    two = read_battles(whole, cluster="voter", category="length", weight="weight")
    assert one.sha256 == two.sha256


def test_ordered_equals_the_rows(tmp_path):
    data, whole, _ = many(tmp_path)
    battles = read_battles(whole, ordered=True, weight="weight", cluster="voter")
    names = np.array(battles.candidates)
    np.testing.assert_array_equal(names[battles.left], data["left"])
    np.testing.assert_array_equal(names[battles.right], data["right"])
    outcome = data["winner"].map({"left": 1, "tie": 0, "right": -1})
    np.testing.assert_array_equal(battles.outcome, outcome)
    np.testing.assert_array_equal(battles.weights, data["weight"])
    assert battles.ordered
    assert (battles.battles == 1).all()


@pytest.mark.parametrize(
    "times",
    [
        ["10", "9", "100", "9"],
        ["2024-03-01 10:00:00", "2024-02-28", "2024-03-01T11:00:00", "2024-02-28"],
    ],
)
def test_a_log_can_be_ordered_by_a_column(table, times):
    rows = "\n".join(f"a,b{k},left,{when}" for k, when in enumerate(times))
    battles = read_battles(table(f"left,right,winner,when\n{rows}\n"), order_by="when")
    assert [battles.candidates[j] for j in battles.right] == ["b1", "b3", "b0", "b2"]


def test_the_constructor_takes_columns():
    data = frame()
    battles = Battles(
        left=data["model_a"],
        right=data["model_b"].to_numpy(),
        winner=list(data["winner"]),
        weight=data["weight"],
        cluster=data["voter"],
        category=data["topic"],
        covariates={"length": [1, 2, 1, 0, 1, 0]},
    )
    assert battles.total == 6
    assert battles.covariate_names == ("length",)
    assert battles.weights.sum() == 6.5
    assert repr(battles) == (
        "<Battles: 6 battles of 3 candidates, 2 ties, 3 clusters (cluster), 2 categories, "
        "1 covariate>"
    )
    in_order = Battles(left=["a", "a"], right=["b", "b"], winner=[1, -1], ordered=True)
    assert in_order.outcome.tolist() == [1, -1]


def test_one_battle_keeps_its_weight(table):
    path = table("left,right,winner,w,v\na,b,left,2.5,x\n")
    for options in ({}, {"cluster": "v"}, {"ordered": True}):
        assert read_battles(path, weight="w", **options).weights.tolist() == [2.5]


def test_a_battles_is_returned_as_it_is(log):
    battles = read_battles(log)
    assert read_battles(battles) is battles


def test_counts(table):
    path = table("home.team,away.team,home.wins,away.wins,draws\nx,y,4,3,2\ny,x,0,1,0\n")
    assert cells(read_battles(path)) == {
        ("x", "y", 1): 4,
        ("x", "y", -1): 3,
        ("x", "y", 0): 2,
        ("y", "x", -1): 1,
    }
    named = {"left": "home.team", "right": "away.team", "left_wins": "home.wins"}
    battles = read_battles(path, **named, right_wins="away.wins")
    assert battles.total == 8


def test_counts_are_weighted(table):
    path = table("home,away,home_wins,away_wins,w,v,p\nx,y,4,3,0.5,1,1\nx,y,1,0,2,1,2\n")
    for options in ({}, {"cluster": "v"}):
        battles = read_battles(path, weight="w", **options)
        assert battles.battles.tolist() == [4, 1, 3]
        assert battles.weights.tolist() == [2.0, 2.0, 1.5]
    apart = read_battles(path, weight="w", cluster="p")
    assert apart.battles.tolist() == [4, 1, 3]
    assert apart.weights.tolist() == [2.0, 2.0, 1.5]


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        ("left,right,model_left,model_right,winner", "left 'left', right 'right'"),
        ("model_x,model_y,left,right,winner", "left 'left', right 'right'"),
        ("id,player1,player2,result,x", "left 'player1', right 'player2', winner 'result'"),
        ("HomeTeam,AwayTeam,FTHG,FTAG,FTR", "left 'HomeTeam', right 'AwayTeam', winner 'FTR'"),
        ("white,black,outcome,a,b", "left 'white', right 'black'"),
        ("a,b,outcome,p,q", "left 'a', right 'b'"),
        ("model_a_name,model_b_name,conversation_a,conversation_b,winner", "left 'model_a_name'"),
    ],
)
def test_columns_are_guessed(table, columns, chosen):
    path = table(f"{columns}\n{','.join(_row(columns))}\n")
    assert chosen in dict(read_battles(path).reading)["layout"]


def _row(columns):
    words = {"winner": "tie", "result": "tie", "outcome": "tie", "FTR": "D"}
    return [words.get(name, f"n{k}") for k, name in enumerate(columns.split(","))]


def test_ties_are_counted_once_per_battle(table):
    battles = read_battles(table("left,right,winner\na,b,tie\na,b,tie\na,b,left\n"))
    assert (battles.ties, battles.total) == (2, 3)


def test_winner_and_loser_columns(table):
    battles = read_battles(table("winner,loser\nx,y\ny,x\nx,y\n"))
    assert cells(battles) == {("x", "y", 1): 2, ("y", "x", 1): 1}


def test_covariates(table):
    text = "left,right,winner,da,la,lb\na,b,left,1.5,3,1\na,b,tie,-1,0,0\na,b,left,1.5,6,2\n"
    path = table(text)
    one = read_battles(path, covariates=["da", "len=la,lb"])
    assert one.covariate_names == ("da", "len")
    np.testing.assert_array_equal(one.covariates, [[1.5, 2], [1.5, 4], [-1, 0]])
    share = read_battles(path, covariates={"len": ("la", "lb")}, relative=True)
    np.testing.assert_array_equal(share.covariates, [[0.5], [0]])
    assert share.battles.tolist() == [2, 1]


def test_nested_columns(tmp_path):
    rows = [
        {"left": "a", "right": "b", "winner": "left", "m": {"n": 1, "tag": {"x.y": True}}},
        {"left": "b", "right": "a", "winner": "left", "m": {"n": 2, "tag": {"x.y": False}}},
    ]
    parquet, lines = tmp_path / "n.parquet", tmp_path / "n.jsonl"
    pl.DataFrame(rows).write_parquet(parquet)
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for path in (parquet, lines):
        battles = read_battles(path, where="m.n=2", covariates="m.n")
        assert battles.total == 1
        assert battles.covariates.tolist() == [[2.0]]
    assert read_battles(parquet, where="m.tag.x.y=True").left.tolist() == [0]


def test_the_conversations_of_lmarena_do_not_stand_in_the_way(tmp_path):
    """Layout of its battles of 2025 (arena-human-preference-140k), and of 2023 (old names)."""
    said = [{"role": "user", "content": [{"type": "text", "text": "a,b\n|c"}]}]
    rows = [
        {"id": f"{k}", "model_a": "x", "model_b": "y", "winner": winner,
         "evaluation_session_id": "s", "evaluation_order": k, "conversation_a": said,
         "conversation_b": said, "conv_metadata": {"bold_count_a": {"**": k}}, "language": "en",
         "timestamp": datetime(2025, 5, 1, 10, k, tzinfo=UTC)}
        for k, winner in enumerate(["model_a", "model_b", "model_a", "tie", "both_bad"])
    ]  # fmt: skip
    pl.DataFrame(rows).write_parquet(tmp_path / "new.parquet")
    for row in rows:
        row["winner"] = row["winner"].replace("both_bad", "tie (bothbad)")
        row["tstamp"] = row.pop("timestamp").timestamp()
    tmp_path.joinpath("old.json").write_text(json.dumps(rows))
    for path in (tmp_path / "new.parquet", tmp_path / "old.json"):
        battles = read_battles(path)
        assert battles.candidates == ("x", "y")
        assert battles.outcome.repeat(battles.battles).tolist().count(0) == 2
        assert battles.total == 5
        with pytest.raises(UsageError, match="looks like a battle log") as asked:
            dh.read(path)
        assert "winner" in asked.value.hint


def test_rows_are_filtered(log):
    assert read_battles(log, where="topic=math").total == 4
    assert read_battles(log, where=["topic!=math", "weight=1.0"]).total == 1
    assert read_battles(log, where={"voter": ["v1", "v3"]}).total == 4


def test_repeats_are_dropped(table):
    path = table(
        "id,left,right,winner\n1,a,b,left\n1,a,b,right\n2,a,b,tie\n2,a,b,tie\n,a,b,left\n,a,b,left\n"
    )
    battles = read_battles(path, deduplicate="id")
    assert cells(battles) == {("a", "b", 1): 3, ("a", "b", 0): 1}
    (note,) = battles.notes
    assert note == (
        "2 repeated rows dropped; 1 battle of 2 with repeats has different outcomes, of which the "
        "first counts."
    )
    whole = read_battles(path, deduplicate=True)
    assert cells(whole) == {("a", "b", 1): 2, ("a", "b", -1): 1, ("a", "b", 0): 1}
    assert whole.notes == ("2 repeated rows dropped.",)
    ordered = read_battles(path, deduplicate=["id"], ordered=True)
    assert ordered.outcome.tolist() == [1, 0, 1, 1]


def test_a_subset_and_the_categories(log):
    battles = read_battles(log, cluster="voter", category="topic")
    code = battles.parts()["code"]
    assert code.candidates == ("alpha", "zeta")
    assert cells(code) == {("alpha", "zeta", 1): 1, ("zeta", "alpha", 1): 1}
    assert (code.cluster_count, code.category_names) == (1, ("code",))
    assert sum(part.total for part in battles.parts().values()) == 6


def test_the_order_of_the_rows_does_not_count(table, log):
    header, *rows = LOG.splitlines()
    turned = table("\n".join([header, *rows[::-1]]) + "\n", "turned.csv")
    assert read_battles(turned).sha256 == read_battles(log).sha256
    assert read_battles(turned, ordered=True).sha256 != read_battles(log, ordered=True).sha256
    assert read_battles(log, where="id!=1").sha256 != read_battles(log).sha256


def test_weights_are_summed_without_regard_to_the_order(tmp_path):
    data, whole, _ = many(tmp_path)
    other = tmp_path / "other.parquet"
    data.sample(frac=1, random_state=1).to_parquet(other)
    one, two = (read_battles(path, weight="weight") for path in (whole, other))
    np.testing.assert_array_equal(one.weights, two.weights)


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\nleft;right;winner\na;b;left\n",
        "sep=;\nleft;right;winner\na;b;left\n",
        "left right winner\na b left\n",
        '\ufeff"left","right","winner"\n"a","b","left"\n',
        "left\tright\twinner\r\na\tb\tleft\r\n",
        "left,right,winner\n a , b ,  left\n\n",
    ],
)
def test_text_is_read_as_elsewhere(table, text):
    assert cells(read_battles(table(text))) == {("a", "b", 1): 1}


@pytest.mark.parametrize("options", [{}, {"cluster": "v"}, {"ordered": True}])
def test_blanks_around_names_do_not_count(table, options):
    path = table("left,right,winner,v\na,b,left,x\n a,b , left, x\na\t,b,tie,y \n")
    battles = read_battles(path, **options)
    assert battles.candidates == ("a", "b")
    assert battles.total == 3
    assert battles.battles[battles.outcome == 1].sum() == 2
    assert battles.cluster_count == (2 if options.get("cluster") else 0)


def test_other_encodings(table):
    battles = read_battles(table("left,right,winner\né,b,left\n", encoding="latin-1"))
    assert battles.candidates == ("b", "é")


def test_numbers_may_be_names(table, tmp_path):
    path = table("left,right,winner\n7,12,left\n12,7,right\n")
    pd.read_csv(path).astype({"left": float}).to_parquet(tmp_path / "n.parquet")
    for source in (path, tmp_path / "n.parquet"):
        assert read_battles(source).candidates == ("12", "7")


@pytest.mark.shared
def test_the_crowd_of_llmfao(shared_data):
    """The published log: 8,931 votes on 59 models (meta.json), counted by pandas."""
    path = shared_data / "llmfao" / "crowd-comparisons.csv"
    data = pd.read_csv(path)
    battles = read_battles(path, cluster="worker", category="prompt")
    assert (battles.n, battles.total) == (59, 8_931)
    assert len(battles.category_names) == 13
    assert battles.cluster_count == data["worker"].nunique()
    wanted = data.assign(o=data["winner"].map({"left": 1, "tie": 0, "right": -1}))
    grouped = wanted.groupby(["left", "right", "o"]).size().to_dict()
    assert cells(read_battles(path)) == grouped


@pytest.mark.shared
def test_baseball(shared_data):
    """Agresti's table: every team has played each other one 13 times."""
    battles = read_battles(shared_data / "bradleyterry2" / "baseball.csv")
    assert (battles.n, battles.total) == (7, 273)
    pairs = np.zeros((7, 7), dtype=int)
    np.add.at(pairs, (battles.left, battles.right), battles.battles)
    np.testing.assert_array_equal(pairs + pairs.T, 13 * (1 - np.eye(7, dtype=int)))


@pytest.mark.shared
def test_football(shared_data):
    """Five seasons of 380 matches with 1, 0, -1 for home, draw, away."""
    path = shared_data / "bradleyterry2" / "football.csv"
    battles = read_battles(path, category="season")
    assert [part.total for part in battles.parts().values()] == [380] * 5
    assert battles.ties == int((pd.read_csv(path)["result"] == 0).sum())


def test_a_log_without_a_header_loses_no_battle(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("anna,bob,left\nbob,cleo,right\ncleo,anna,tie\nbob,anna,left\n")
    named = {"left": "column_1", "right": "column_2", "winner": "column_3"}
    assert read_battles(str(path), header=False, **named).battles.sum() == 4
    rated = dh.rate(str(path), header=False, replicates=20, **named)
    assert rated.matches.battles.battles.sum() == 4
