"""Every item of every paper: against print where the data are there, on examples where not."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.program import deadheat
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.reproduce.paper import PAPERS, Number

ROOT = Path(__file__).parents[2]
QUICK = {"trials": 60, "replicates": 400}
# What print has and we do not, each with a reason: errata of the papers.
DIFFERENT = {
    ("pavao2021", "table2-right"): ["mean: success_rate", "success_rate: mean"],
    ("pavao2021", "supplement-table4"): [
        "relative_difference: A wins without C",
        "relative_difference: A and B tie with C",
    ],
    ("pavao2021", "supplement-table5"): [
        "relative_difference: A is ahead of C with 50 copies of B"
    ],
    ("fawcett2023", "table4"): ["main: solvers in their printed group"],
    ("epp2019", "tables1-4"): ["table 2, Springleaf: gap"],
    ("epp2019", "eloml"): [
        *(f"{name}: rating" for name in ("catboost_1", "catboost_2", "catboost_3")),
        *("gbm_10: rating", "gbm_11: rating", "mean rating, xgboost_9 at 0"),
    ],
}
ITEMS = [(name, item) for name, paper in PAPERS.items() for item in paper.items]


@pytest.mark.parametrize("paper", PAPERS)
def test_without_data_items_are_made_of_examples_and_say_so(paper):
    found = dh.reproduce(paper, **QUICK)
    assert [each.item.name for each in found.items] == list(PAPERS[paper].items)
    examples = found.facts()["examples"]
    told = [
        re.split(" (?:is|are) made of the shipped examples", said)[0] for said in found.warnings
    ]
    assert sorted(name for names in told for name in re.split(", | and ", names)) == sorted(
        examples
    )
    assert len(told) == len({said.partition("made of")[2] for said in found.warnings})
    for each in found.items:
        assert each.numbers or each.pictures
        assert each.original == (each.item.name not in examples)
        if not each.original:
            assert not each.printed
        assert all(picture.svg().startswith("<svg") for picture in each.pictures)
    saved = dh.load(found.to_json())
    assert saved.to_csv() == found.to_csv()


@pytest.mark.shared
@pytest.mark.parametrize(
    ("paper", "item"),
    [
        (paper, item)
        for paper, item in ITEMS
        if (paper, item) != ("fawcett2023", "table3")
        and (PAPERS[paper].items[item].data or not PAPERS[paper].items[item].example)
    ],
)
def test_print_comes_out_of_the_data_or_the_reason_is_told(shared_data, paper, item):
    found = dh.reproduce(paper, item, data=shared_data, trials=300)
    (each,) = found.items
    assert all(said.endswith("the paper's data are not public.") for said in found.warnings)
    assert [number.what for number in each.differing] == DIFFERENT.get((paper, item), [])
    assert all(number.why for number in each.differing)


@pytest.mark.shared
def test_the_shares_of_table_3(shared_data):
    """Whom the authors' resamples put first, and all 13 others together: 38.16 ... 23.01 %."""
    shares = dh.reproduce("fawcett2023", "table3", data=shared_data).rows()
    assert [row["printed"] for row in shares] == [38.16, 29.66, 21.15, 13, 23.01, 16]
    assert all(row["agrees"] for row in shares)


@pytest.mark.shared
def test_table_4_is_the_printed_one_but_for_one_solver(shared_data):
    """Print lists 18 + 9 solvers, and its ranks need 17 + 10: glucosePLE is misplaced."""
    (each,) = dh.reproduce("fawcett2023", "table4", data=shared_data).items
    (wrong,) = each.differing
    assert (wrong.what, wrong.ours) == ("main: solvers in their printed group", 28)
    ranks = next(n for n in each.numbers if n.what == "main: solvers with their printed rank")
    assert ranks.ours == 29  # mean ranks without their halves


@pytest.mark.shared
def test_figure_1_has_ten_solvers(shared_data):
    found = dh.reproduce("fawcett2023", "figure1", data=shared_data)
    (picture,) = found.pictures
    rows = [row for rows in picture.spec()["datasets"].values() for row in rows]
    assert len({row["candidate"] for row in rows if "candidate" in row}) == 10
    scores = [row["ours"] for row in found.rows() if row["what"].endswith("score")]
    assert scores == [203, 202, 201, 198, 197, 197, 195, 195, 194, 194]


def test_what_is_not_there_has_a_reason():
    found = dh.reproduce("fawcett2023", **QUICK)
    notes = " ".join(found.grid().notes)
    for element in ("random", "IPC 2014", "ILSVRC 2015"):
        assert element in notes
        assert element in found.html()
    assert "5 groups and 5 ties" in notes


@pytest.mark.parametrize(
    ("ours", "printed", "error", "agrees"),
    [
        (0.3756, "0.38", 0.0, True),
        (0.3744, "0.38", 0.0, False),
        (0.34, "0.38", 0.02, True),
        (0.30, "0.38", 0.02, True),  # both were drawn: 0.08 < 0.005 + 3 sqrt(2) 0.02
        (0.29, "0.38", 0.02, False),
        (164, "164", 0.0, True),
        (164.4, "164", 0.0, False),
        (0.7, "", 0.0, None),
    ],
)
def test_numbers_agree_up_to_printed_digits_and_noise(ours, printed, error, agrees):
    assert Number(what="x", ours=ours, printed=printed, error=error).agrees is agrees


def test_an_unknown_paper_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'pavao2021'"):
        dh.reproduce("pavao2012")


@pytest.mark.parametrize(("paper", "item"), ITEMS)
def test_an_unknown_item_is_refused_with_the_nearest(paper, item):
    with pytest.raises(UnknownNameError, match=f"Did you mean '{item}'"):
        dh.reproduce(paper, f"{item[:2]}_{item[2:]}")


def test_a_grid_has_the_rows_and_columns_of_print():
    found = dh.reproduce("pavao2021", "table2-left", seed=1)
    table = found.to_md().splitlines()
    assert [cell.strip() for cell in table[0].split("|")[2:5]] == [
        "majority",
        "condorcet",
        "consistency",
    ]
    mean = next(line for line in table if line.startswith("| mean"))
    assert [cell.strip() for cell in mean.split("|")[2:9]] == [
        "0 (0)",
        "0 (0)",
        "1 (1)",
        "1 (1)",
        "1 (1)",
        "1 (1)",
        "1 (1)",
    ]


PAGE = (ROOT / "docs/papers/pavao2021.md").read_text(encoding="utf-8")
COMMANDS = dict(
    re.findall(r"^`deadheat reproduce pavao2021 (\S+) .*\n\n.*\n\n```sh\n(.*)", PAGE, re.MULTILINE)
)


def points(spec):
    """Return what is drawn without its labels, which have room where names are short."""
    rows = (row for rows in spec["datasets"].values() for row in rows)
    return [row for row in rows if "text" not in row]


def run(item, *more):
    _, *words = COMMANDS[item].split()
    done = CliRunner().invoke(deadheat, [*words, *more], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.shared
@pytest.mark.parametrize(
    ("item", "key", "more"),
    [
        ("table1", "table", ()),
        ("table2-right", "function", ()),
        pytest.param("table2-centre", "function", ("--trials", "60"), marks=pytest.mark.slow),
    ],
)
def test_the_command_of_a_table_has_its_numbers(shared_data, monkeypatch, item, key, more):
    found = dh.reproduce("pavao2021", item, data=shared_data, trials=60)
    monkeypatch.chdir(shared_data / "esann2021")
    rows = json.loads(run(item, *more, "--format", "json"))["rows"]
    by_name = {row[key].removesuffix(".csv"): row for row in rows}
    for number in found.items[0].numbers:
        row, column = number.cell
        theirs = by_name[row][column.replace(" ", "_")]
        assert number.ours == pytest.approx(theirs, rel=1e-12), number.what


@pytest.mark.shared
@pytest.mark.parametrize(
    ("item", "more"), [("figure4", ()), ("figure5", ("--trials", "60", "--q", "2"))]
)
def test_the_command_of_a_figure_draws_its_numbers(shared_data, monkeypatch, tmp_path, item, more):
    (picture,) = dh.reproduce("pavao2021", item, data=shared_data, trials=60).pictures
    monkeypatch.chdir(shared_data / "esann2021")
    run(item, *more, "-o", str(tmp_path / "drawn.json"))
    drawn = json.loads((tmp_path / "drawn.json").read_text(encoding="utf-8").replace(".csv", ""))
    assert points(drawn)
    assert points(drawn) == points(picture.spec())


def test_commands_of_items_name_options_that_there_are():
    assert len(COMMANDS) == 8
    for line in COMMANDS.values():
        name, command, *words = line.split()
        known = deadheat.get_command(click.Context(deadheat), command)
        flags = {flag for param in known.params for flag in param.opts}
        assert name == "deadheat"
        assert {word for word in words if word.startswith("-")} <= flags


def small_data(folder):
    """Write all files of two papers, each with two candidates and two judges."""
    for file in PAPERS["pavao2021"].items["table1"].data.files:
        (folder / file).write_text("judge,a,b\nx,1,2\ny,1,3\n", encoding="utf-8")
    runs = [
        f"{who},{kind}-{k},{kind},{int(who == 'a / v')}"
        for who in ("a / v", "b / v")
        for kind in ("application", "crafted")
        for k in range(3)
    ]
    head = "candidate,instance,subtrack,solved"
    (folder / "main.csv.gz").write_bytes(gzip.compress("\n".join([head, *runs]).encode()))
    printed = (
        f'{track},"{solver},v,{k}",{k}'
        for track in ("main", "main-app", "main-craft")
        for k, solver in enumerate("ba", start=1)
    )
    lines = "\n".join(["track,solver_as_printed,total_solved", *printed])
    (folder / "official_ranking.csv").write_text(lines, encoding="utf-8")


def test_files_that_change_between_two_calls_are_read_anew(tmp_path):
    small_data(tmp_path)

    def ours(paper, item, what):
        rows = dh.reproduce(paper, item, data=tmp_path, **QUICK).rows()
        return next(row["ours"] for row in rows if row["what"] == what)

    assert ours("pavao2021", "table1", "AutoML: kendall_w") == 1
    (tmp_path / "AutoML.csv").write_text("judge,a,b\nx,1,2\ny,3,1\n", encoding="utf-8")
    assert ours("pavao2021", "table1", "AutoML: kendall_w") == 0
    assert ours("fawcett2023", "figure1", "main: a / v, score") == 6
    table = tmp_path / "main.csv.gz"
    worse = gzip.decompress(table.read_bytes()).replace(
        b"a / v,crafted-0,crafted,1", b"a / v,crafted-0,crafted,0"
    )
    table.write_bytes(gzip.compress(worse))
    assert ours("fawcett2023", "figure1", "main: a / v, score") == 5


def test_a_folder_without_the_data_is_refused(tmp_path):
    with pytest.raises(UsageError, match="has none of the files"):
        dh.reproduce("fawcett2023", "table1", data=tmp_path)
    with pytest.raises(UsageError, match="there is no folder"):
        dh.reproduce("fawcett2023", "table1", data=tmp_path / "nowhere")


@pytest.mark.shared
def test_a_file_that_is_missing_is_named(shared_data, tmp_path):
    for file in ("AutoML.csv", "Statlog.csv"):
        shutil.copy(shared_data / "esann2021" / file, tmp_path / file)
    (warning,) = dh.reproduce("pavao2021", "table1", data=tmp_path).warnings
    assert "lacks esann2021/AutoDL-AUC.csv" in warning
    assert "esann2021/Statlog.csv" not in warning


@pytest.mark.shared
def test_files_and_their_digests_are_stated(shared_data):
    found = dh.reproduce("pavao2021", "table1", data=shared_data)
    for file, digest in PAPERS["pavao2021"].items["table1"].data.files.items():
        assert any(file in said and digest in said for said in found.made["data"])
        assert digest in found.html()


@pytest.mark.shared
def test_a_file_that_cannot_be_used_is_told_as_another_version(shared_data, tmp_path):
    for file in PAPERS["epp2019"].items["eloml"].data.files:
        (tmp_path / file).write_text("player,round,score\n")
    with pytest.raises(DataError, match=r"another version\..*no rows"):
        dh.reproduce("epp2019", "eloml", data=tmp_path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("paper", "item"), [("pavao2021", "table1"), ("fawcett2023", "table1"), ("epp2019", "eloml")]
)
def test_another_version_of_the_data_is_warned_of(shared_data, tmp_path, paper, item):
    data = PAPERS[paper].items[item].data
    for file in data.files:
        shutil.copy(shared_data / data.name / file, tmp_path / file)
    changed = tmp_path / next(iter(data.files))
    more = gzip.compress(b"") if changed.suffix == ".gz" else b"\n"
    changed.write_bytes(changed.read_bytes() + more)
    found = dh.reproduce(paper, item, data=tmp_path)
    (warning,) = found.warnings
    assert sha256(changed.read_bytes()).hexdigest() in warning
    assert "another version" in warning
    assert found.facts()["examples"] == []


@pytest.mark.shared
def test_another_version_of_another_shape_is_refused_with_its_place(shared_data, tmp_path):
    for file in PAPERS["pavao2021"].items["table1"].data.files:
        shutil.copy(shared_data / "esann2021" / file, tmp_path / file)
    (tmp_path / "AutoML.csv").write_text("judge,a,b\nx,1,2\ny,oops,3\n", encoding="utf-8")
    with pytest.raises(DataError, match="oops"):
        dh.reproduce("pavao2021", "table1", data=tmp_path)


def test_a_bundle_has_a_page_tables_and_figures(tmp_path):
    found = dh.reproduce("fawcett2023", "figure1", **QUICK)
    files = found.bundle(tmp_path / "bundle")
    assert {"report.html", "tables/figure1.csv", "figures/intervals.svg"} <= set(files)
    page = (tmp_path / "bundle" / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    saved = json.loads((tmp_path / "bundle/json/figure1.json").read_text(encoding="utf-8"))
    assert dh.load(tmp_path / "bundle/json/figure1.json").rows() == saved["rows"]
