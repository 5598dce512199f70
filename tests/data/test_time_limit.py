"""Where the limit of runs was: by hand, and of competitions whose limit is published."""

import io
import json

import numpy as np
import pytest

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.data.reading.read import read, read_runs
from deadheat.data.results import TimesError
from deadheat.data.runs import SOLVED
from deadheat.data.time_limit import likely_limit


def runs_of(times, words, **columns):
    names = [str(k) for k in range(len(times))]
    return dh.Runs(
        candidate=names, instance=["i"] * len(times), time=times, status=words, **columns
    )


@pytest.mark.parametrize(
    ("solved", "ended", "limit"),
    [
        ([12, 4985], [5000.02, 5001, 5029], 5000),  # as SAT 2016 has them
        ([3], [3600.4, 3601], 3600),
        ([3], [7200.1] * 9 + [6100], 7200),  # the time of the processor: a few stay below
        ([55], [59.99, 60.01], 60),
        ([3], [905.3, 903], 900),
        ([3], [86400.2], 86400),
        ([3], [0.5], 0.5),
        ([4210], [], 5000),
        ([60], [], 100),
        ([7100], [72000] * 3, 7200),  # the time-outs are PAR10 already
        ([599] * 100, [18000] * 3, 1800),
        ([350], [5000] * 3, 5000),  # few runs: they may all be quick
    ],
)
def test_the_limit_is_where_time_outs_pile_up(solved, ended, limit):
    words = ["ok"] * len(solved) + ["timeout"] * len(ended)
    assert likely_limit(runs_of([*solved, *ended], words)) == limit


def test_runs_that_gave_no_answer_tell_the_limit_where_none_is_called_a_time_out():
    """A run that stopped early without an answer was not stopped by the limit."""
    words = ["SAT", "UNKNOWN", "UNKNOWN", "UNKNOWN", "crash"]
    assert likely_limit(runs_of([4900, 17, 5000.1, 5001, 9000], words)) == 5000


def test_times_alone_tell_the_limit_of_which_they_have_the_double():
    times = [4990, 10000, 10000, 10000]
    assert likely_limit(runs_of(times, None)) == 5000
    assert likely_limit(runs_of([4990, 9000, 10000, 10000], None)) == 10000


@pytest.mark.parametrize(
    ("times", "limit"),
    [
        ([12, 4100, 5000.02, 5000.4, 5001], 5000),  # no two are equal, as they are measured
        ([12, 4600, 4700, 4800, 4930, 4970, 4990], 5000),  # slow, and at no limit
        ([4321, 4600, 4700, 4730], 5000),
        ([0, 0, 0], 5000),
        ([1e-9, 0], 10),
        ([1e305, 3], 10**305),
        ([np.nan, 3], 10),
    ],
)
@pytest.mark.filterwarnings("error")
def test_times_alone_tell_the_limit_where_they_pile_up(times, limit):
    assert likely_limit(runs_of(times, None)) == limit


@pytest.mark.filterwarnings("error")
def test_the_limit_that_is_proposed_is_taken():
    with pytest.raises(UsageError) as caught:
        read(runs_of([0, 0, 0], None), rule="par2")
    assert caught.value.hint == "if the limit was 5,000 s: cutoff=5000"
    with pytest.raises(UsageError) as caught:
        read(runs_of([1e305, 3], None), rule="par2")
    assert caught.value.hint == "if the limit was 1e+305 s: cutoff=1e+305"


@pytest.mark.parametrize("rule", ["par2", "ipc-agile-2018"])
def test_a_cutoff_far_from_every_time_out_is_doubted(rule):
    runs = runs_of([12, 4985, 5000.02, 5029], ["ok", "ok", "TO", "TO"])
    (note,) = (note for note in read(runs, rule=rule, cutoff=10000).notes if "cutoff" in note)
    assert note == (
        "the longest time-out took 5,029 s, and the cutoff is said to be 10,000 s; "
        "if the limit was 5,000 s: cutoff=5000"
    )
    assert note.good is False
    for cutoff in (5000, 5500):
        assert not any("cutoff" in note for note in read(runs, rule=rule, cutoff=cutoff).notes)


@pytest.mark.parametrize(
    ("columns", "reading"),
    [
        ({"status": ["ok", "TO"], "time": [3, np.nan]}, {}),  # time-outs without a time say nothing
        ({"status": ["ok", "memout"], "time": [3, 40]}, {}),
        ({"status": ["ok", "TO"], "time": [3, 40]}, {"rule": "solved"}),  # which asks for none
    ],
)
def test_a_cutoff_is_not_doubted_where_nothing_contradicts_it(columns, reading):
    runs = dh.Runs(candidate=["a", "b"], instance=["i", "i"], cutoff=100, **columns)
    assert not any("cutoff" in note for note in read(runs, **{"rule": "par2", **reading}).notes)


@pytest.mark.parametrize(
    ("cutoff", "doubted"),
    [(5000, False), (5500, False), (50000, True), (10000, True), (3000, True)],
)
def test_a_cutoff_of_times_without_words_is_doubted_too(table, cutoff, doubted):
    """The time-outs stand there as 10,000 s, which is twice the limit."""
    rows = [f"i{k},{10000 if k % 3 else 4990 - k},{10 * k + 1},10000" for k in range(12)]
    path = table("\n".join(["instance,a,b,c", *rows]) + "\n")
    notes = [n for n in read(path, rule="par2", cutoff=cutoff).notes if "cutoff" in n]
    said = f"the longest time-out took 10,000 s, and the cutoff is said to be {cutoff:,} s"
    assert notes == [f"{said}; if the limit was 5,000 s: cutoff=5000"] * doubted


def test_a_cutoff_of_which_no_run_takes_a_tenth_is_doubted(table):
    rows = [f"i{k},TO,{1708 - 150 * k}" for k in range(9)]
    path = table("\n".join(["instance,a,b", *rows]) + "\n")
    (note,) = (n for n in read(path, rule="par2", cutoff=20000).notes if "cutoff" in n)
    assert note == (
        "the slowest solved run took 1,708 s, and the cutoff is said to be 20,000 s; "
        "if the limit was 2,000 s: cutoff=2000"
    )
    assert not any("cutoff" in n for n in read(path, rule="par2", cutoff=5000).notes)


ASLIB = {"CSP-Minizinc-Time-2016": "PAR10", "MIP-2016": "PAR10", "QBF-2016": "PAR10"}
ASLIB |= dict.fromkeys(("IPC2018", "MAXSAT19-UCMS", "SAT16-MAIN", "TSP-LION2015"), "")


@pytest.mark.shared
@pytest.mark.parametrize("name", ASLIB)
def test_the_published_limits_of_aslib_scenarios(shared_data, name):
    tables = json.loads((shared_data / "aslib/meta.json").read_text("utf-8"))["tables"]
    (limit,) = (table["cutoff"] for table in tables if table["file"] == f"{name}.csv.gz")
    said = {"time": ASLIB[name]} if ASLIB[name] else {}
    path = shared_data / f"aslib/{name}.csv.gz"
    assert likely_limit(read_runs(path, **said)) == limit
    notes = read(path, rule="par2", cutoff=limit, late="timeout", **said).notes
    assert not any("cutoff is said" in note for note in notes)


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(ASLIB.keys() - {"SAT16-MAIN", "TSP-LION2015"}))
def test_the_published_limits_without_the_words_of_runs(shared_data, name):
    """Not where many time-outs were stopped late, or were none."""
    tables = json.loads((shared_data / "aslib/meta.json").read_text("utf-8"))["tables"]
    (limit,) = (table["cutoff"] for table in tables if table["file"] == f"{name}.csv.gz")
    said = {"time": ASLIB[name]} if ASLIB[name] else {}
    runs = read_runs(shared_data / f"aslib/{name}.csv.gz", **said)
    assert likely_limit(runs.changed(status=np.full(len(runs), SOLVED))) == limit


@pytest.mark.shared
@pytest.mark.parametrize("year", [2016, 2020])
def test_the_limit_of_sat_competitions_without_words(shared_data, year):
    runs = read_runs(shared_data / f"sat{year}/main.csv.gz", status="result")
    assert likely_limit(runs.changed(status=np.full(len(runs), SOLVED))) == 5000


@pytest.mark.shared
@pytest.mark.parametrize("year", [2016, 2020])
def test_the_limit_of_sat_competitions_is_5000_seconds(shared_data, year):
    path = shared_data / f"sat{year}/main.csv.gz"
    with pytest.raises(UsageError) as caught:
        read(path, status="result", rule="par2")
    assert caught.value.hint == "if the limit was 5,000 s: cutoff=5000"
    doubled = read(path, status="result", rule="par2", cutoff=10000)
    assert any(note.startswith("the longest time-out took 5,0") for note in doubled.notes)
    assert not any("time-out" in note for note in read(path, status="result", rule="par2",
                                                       cutoff=5000).notes)  # fmt: skip


def test_rounds_beside_the_scores_of_a_long_table_are_no_times():
    """Rounds 1 to 10 end in one number, as times with a limit do; the scores do not."""
    rows = "".join(
        f"{who},{k},0.{k}{i}\n" for i, who in enumerate(["a", "b", "c"]) for k in range(1, 11)
    )
    with pytest.raises(UsageError, match="direction") as caught:
        read(io.StringIO(f"Player,Round,Score\n{rows}"))
    assert not isinstance(caught.value, TimesError)
    times = "".join(f"{who},{k},{min(3.3 * k, 20)}\n" for who in "ab" for k in range(1, 11))
    with pytest.raises(TimesError):
        read(io.StringIO(f"Player,Round,Score\n{times}"))
