"""A long table of Parquet comes by DuckDB, piece by piece, and is what it is row by row."""

import random
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.core.errors import DeadheatError
from deadheat.data.reading import pieces, source, tables
from deadheat.data.reading.tables import Tiles
from deadheat.resampling.engines import Readers, engine

MAKE_BIG = Path(__file__).parents[2] / "benchmarks" / "make_big.py"
FEW = 40  # cells of a block


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(source, "CELLS_PER_BLOCK", FEW)
    monkeypatch.setattr(pieces, "MOST_ROWS", 25)
    monkeypatch.setattr(Tiles, "HEIGHT", 3)
    monkeypatch.setattr(Tiles, "WIDTH", 5)


@pytest.fixture
def asked(monkeypatch):
    """What was read in pieces, so that no test passes because nothing was."""
    calls, read = [], pieces.Again.__call__
    monkeypatch.setattr(pieces.Again, "__call__", lambda *a: calls.append(a[1]) or read(*a))
    return calls


def told(path, **options):
    """Return all that is known of a table, or the refusal."""
    try:
        found = dh.read(path, better="higher", **options)
    except DeadheatError as error:
        return type(error), error.fact, error.hint
    arrays = (found.scores, found.judge_weights, found.standard_errors)
    bits = [each if each is None else np.asarray(each).tobytes() for each in arrays]
    names = (found.candidates, found.judges, found.strata, found.clusters)
    return (*bits, *names, found.reading, found.notes)


def one_by_one(path, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces.Again, "columns", property(lambda _: frozenset()))
        return told(path, **options)


def write(path, columns, **more):
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), path, row_group_size=30, **more)
    return path


NAMES = ["a", "b", " b", "c ", "Ä", "A", '"a"', "d\t", "e f", "e  f"]


def random_columns(rng):
    """Return a long table with whatever stands in such; some are refused."""
    n, m = rng.randint(1, 9), rng.randint(1, 14)
    judges = rng.choice([[f"t{j}" for j in range(m)], [*range(m)], [j + 0.5 for j in range(m)]])
    pairs = [(name, judge) for name in NAMES[:n] for judge in judges]
    if rng.random() < 0.7:
        rng.shuffle(pairs)
    if rng.random() < 0.5:
        pairs = [pair for pair in pairs if rng.random() < 0.9] or pairs
    if rng.random() < 0.5:
        pairs += rng.choices(pairs, k=rng.randint(1, 5))
    value = rng.choice([
        lambda: rng.choice([0.25, -0.0, 1e300, float("nan"), None, rng.random()]),
        lambda: rng.randint(-5, 5),
        lambda: rng.choice([None, 2**53 - 1, 3]),
        lambda: rng.choice(["0.5", "1", None, "n/a", "7 %"]),
        rng.random,
    ])  # fmt: skip
    scores = [value() for _ in pairs]
    if rng.random() < 0.1 and isinstance(scores[-1], float):
        scores[rng.randrange(len(scores))] = float("inf")
    if rng.random() < 0.05:
        pairs[-1] = (rng.choice([None, "", " "]), pairs[-1][1])
    strata = [f"s{hash(judge) % 3} " for _, judge in pairs]
    if rng.random() < 0.1:
        strata[-1] = "other"
    models, tasks = zip(*pairs, strict=True)
    columns = {"model": models, "task": tasks, "accuracy": scores}
    if rng.random() < 0.5:
        columns |= {"family": strata, "weight": [1.0 + hash(j) % 2 for _, j in pairs]}
    if rng.random() < 0.3:
        columns["seed"] = [k % 3 for k in range(len(pairs))]
    return columns


WAYS = [
    {},
    {"combine": "mean"},
    {"combine": "judges"},
    {"missing": "available", "combine": "mean"},
    {"where": ["model!=b"]},
    {"where": ["task!=t1", "accuracy>=0.1"]},
    {"stratum": "family", "weight": "weight"},
    {"cluster": "family"},
    {"repeat": "seed", "combine": "judges"},
    {"where": ["model=nobody"]},
]


@pytest.mark.parametrize("seed", range(40))
def test_the_table_and_what_is_said_of_it_are_those_row_by_row(tmp_path, seed):
    rng = random.Random(seed)
    path = write(tmp_path / "t.parquet", random_columns(rng))
    said = {"layout": "long", "candidate": "model", "judge": "task", "score": "accuracy"}
    for way in rng.sample(WAYS, 4):
        assert told(path, **said, **way) == one_by_one(path, **said, **way), way


@pytest.mark.parametrize("seed", range(10))
def test_files_of_a_folder_are_one_table(tmp_path, seed, asked):
    rng = random.Random(seed)
    columns = random_columns(rng)
    size = len(columns["model"])
    cuts = sorted(rng.choices(range(size + 1), k=rng.randint(1, 4)))
    table = pa.table(columns)
    folder = tmp_path / "parts"
    folder.mkdir()
    for k, (start, end) in enumerate(zip([0, *cuts], [*cuts, size], strict=True)):
        pq.write_table(table.slice(start, end - start), folder / f"p{k}.parquet")
    said = {"layout": "long", "candidate": "model", "judge": "task", "score": "accuracy"}
    for way in rng.sample(WAYS, 3):
        assert told(folder, **said, **way) == one_by_one(folder, **said, **way), way
    whole = write(tmp_path / "whole.parquet", columns)
    for way in WAYS[:2]:
        one, other = told(whole, **said, **way), told(folder, **said, **way)
        assert one[:7] == other[:7] or issubclass(one[0], Exception)
    assert asked


def large(n=7, m=40):
    pairs = [(f"m{i}", f"t{j}") for j in range(m) for i in range(n)]
    models, tasks = zip(*pairs, strict=True)
    rng = np.random.default_rng(3)
    return {"model": models, "task": tasks, "accuracy": rng.random(len(pairs))}


def parts(folder, columns, number=5):
    table = pa.table(columns)
    folder.mkdir()
    size = -(-len(table) // number)
    for k in range(number):
        pq.write_table(table.slice(k * size, size), folder / f"part-{k}.parquet")
    return folder


def test_a_folder_a_pattern_and_a_list_of_files_are_tables(tmp_path, asked):
    folder = parts(tmp_path / "parts", large())
    pattern = str(folder / "*.parquet")
    ways = [told(each) for each in (folder, pattern, sorted(map(str, folder.iterdir())))]
    alone = told(write(tmp_path / "t.parquet", large()))
    assert all(way[:7] == alone[:7] for way in ways)
    assert len(asked) == 4
    assert ("files", "5: part-0.parquet, part-1.parquet, part-2.parquet, part-3.parquet, part-4.parquet") in ways[0][7]  # fmt: skip # noqa: E501
    assert len(dh.verdict(folder, better="higher", replicates=200).rows()) == 7


@pytest.mark.parametrize("spec", ["serial", "threads:2", "processes:2"])
def test_any_engine_gives_the_same_table(tmp_path, spec, asked):
    folder = parts(tmp_path / "parts", large())
    alone = told(folder)
    with engine(spec) as running:
        assert told(folder, engine=running) == alone
        file = write(tmp_path / "t.parquet", large())
        assert told(file, engine=running) == told(file)
        where = {"where": ["model!=m3"], "combine": "mean"}
        assert told(file, engine=running, **where) == one_by_one(file, **where)


def test_a_question_reads_with_the_workers_of_its_engine(tmp_path, monkeypatch):
    folder, seen = parts(tmp_path / "parts", large()), []
    monkeypatch.setattr(
        Readers, "map", lambda _, work, numbers: seen.append(1) or map(work, numbers)
    )
    asked = {"better": "higher", "replicates": 200}
    alone = dh.verdict(folder, **asked).rows()
    assert not seen
    assert dh.verdict(folder, **asked, engine="processes:2").rows() == alone
    assert seen
    said = ["verdict", str(folder), "--better", "higher", "--engine", "processes:2", "-q"]
    seen.clear()
    assert CliRunner().invoke(deadheat, said).exit_code == 0
    assert seen


def test_scores_that_come_again_are_refused_with_their_files_and_rows(tmp_path):
    columns = large()
    columns["model"] = [*columns["model"], "m0"]
    columns["task"] = [*columns["task"], "t39"]
    columns["accuracy"] = [*columns["accuracy"], 0.5]
    folder = parts(tmp_path / "parts", columns)
    fact = "parts: model 'm0' has 2 scores on task 't39' (rows 46 of part-4.parquet, 53 of part-4.parquet)."  # noqa: E501
    kind, said, hint = told(folder)
    assert said == fact
    assert "combine='mean'" in hint
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROW", 10**9)  # too many rows to keep
        assert told(folder)[:2] == (kind, fact)


def test_a_bad_cell_is_refused_with_its_file_and_row(tmp_path):
    columns = large()
    columns["accuracy"][100] = np.inf
    fact = told(parts(tmp_path / "parts", columns))[1]
    assert (
        fact == "parts: row 45 of part-1.parquet, column 'accuracy': the score is infinite ('inf')."
    )


def test_files_with_other_columns_are_refused(tmp_path):
    folder = parts(tmp_path / "parts", large())
    write(folder / "z.parquet", {"model": ["a"], "task": ["b"], "speed": [1.0]})
    fact = told(folder)[1]
    assert (
        fact == "z.parquet has the columns model, task, speed; part-0.parquet has others: "
        "model, task, accuracy."
    )


def test_files_with_other_types_are_read_row_by_row(tmp_path, asked):
    folder = parts(tmp_path / "parts", large())
    write(folder / "z.parquet", {"model": ["m9"], "task": ["t0"], "accuracy": [1]})
    assert told(folder, missing="available") == one_by_one(folder, missing="available")
    assert not asked


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1] * 280, pa.decimal128(5, 2)),
        pa.array([True] * 280),
        pa.array([1] * 280, pa.int64()),
    ],
)
def test_other_scores_are_read_as_they_were(tmp_path, column):
    path = write(tmp_path / "t.parquet", large() | {"accuracy": column})
    assert told(path) == one_by_one(path)


def test_a_log_of_many_files_is_still_a_log(tmp_path):
    folder = tmp_path / "log"
    for k in range(2):
        columns = {"model_a": ["a", "b"], "model_b": ["b", "c"], "winner": ["model_a", "tie"]}
        write(folder / f"{k}.parquet", columns)
    assert len(dh.rate(folder, replicates=100).rows()) == 3


def test_a_damaged_file_of_several_is_named(tmp_path):
    folder = parts(tmp_path / "parts", large())
    (folder / "part-2.parquet").write_bytes(b"PAR1 is not all")
    assert "part-2.parquet" in told(folder)[1]


BUDGET = """
import resource, sys
import duckdb, deadheat as dh
from deadheat.data.reading import tables
dh.read(sys.argv[1], better="higher", where=["task=task 7"], score="accuracy")
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = dh.read(sys.argv[1], better="higher", score="accuracy")
print(found.scores.size, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base) * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
def test_a_table_stays_within_the_budget_that_its_rows_would_not(tmp_path, monkeypatch):
    results = runpy.run_path(str(MAKE_BIG))["results"]
    path = tmp_path / "long.parquet"
    results(path, rows=1_500_000, candidates=50)
    monkeypatch.setenv("DEADHEAT_MEMORY", "100MB")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", BUDGET, str(path)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    cells, grown = map(int, done.stdout.split())
    assert cells == 1_500_000
    assert 1_500_000 * tables.ROW > 100_000_000 > grown
