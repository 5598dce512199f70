"""What is written where."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from deadheat.cli import terminal
from deadheat.output.table import Column, Grid, grid_as_text, layout, on_paper
from nasty import NAMES, Board, scores

BOX = re.compile("[\u2500-\u257f]")
FILE_FORMATS = {"csv": ",", "tsv": "\t"}
USABLE = tuple(name for name in NAMES if name.strip() == name and name not in {"", "-1.5"})


@pytest.fixture
def nasty_table(tmp_path):
    """A table of candidates with nasty names, the first best."""
    path = tmp_path / "nasty.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["model", "a", "b"])
        writer.writerows([name, len(USABLE) - i, 50 - i] for i, name in enumerate(USABLE))
    return path


def test_a_pipe_gets_tab_separated_rows_and_nothing_else(spawn, table):
    done = spawn("rank", table, "--better", "higher")
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "candidate\tfunction\tshown\trank\tmerit"
    assert len(lines) == 4
    assert not BOX.search(done.stdout.decode())
    assert b"\x1b" not in done.stdout


def test_forced_colour_does_not_colour_a_pipe(spawn, table):
    plain = spawn("rank", table, "--better", "higher")
    forced = spawn("rank", table, "--better", "higher", env={"FORCE_COLOR": "1"})
    assert forced.stdout == plain.stdout


@pytest.mark.parametrize("env", [{"NO_COLOR": "1", "FORCE_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_color_is_obeyed(spawn, table, env):
    done = spawn("rank", table, "--better", "higher", "--format", "table", env=env)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    coloured = spawn("rank", table, "--better", "higher", "--format", "table",
                     env={"FORCE_COLOR": "1", "TERM": "xterm"})  # fmt: skip
    assert b"\x1b" in coloured.stdout


def test_a_table_begins_with_the_verdict(run, table):
    done = run("rank", table, "--better", "higher", "--format", "table")
    assert BOX.search(done.stdout)
    assert done.stdout.startswith("rf is first by average rank")


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_nasty_names_survive_a_round_trip(run, nasty_table, form):
    done = run("rank", nasty_table, "--better", "higher", "--by", "mean", "--format", form)
    assert done.exit_code == 0, done.stderr
    content = io.StringIO(done.stdout_bytes.decode(), newline="")
    names = [row["candidate"] for row in csv.DictReader(content, delimiter=FILE_FORMATS[form])]
    guarded = [f"'{name}" if name[0] in "=+-@\uff1d" else name for name in USABLE]
    assert names == (guarded if form == "csv" else list(USABLE))


def test_nasty_names_survive_json(run, nasty_table):
    whole = json.loads(run("rank", nasty_table, "--better", "higher", "--json").stdout)
    assert [row["candidate"] for row in whole["rows"]] == list(USABLE)
    assert whole["made"]["command"][:2] == ["deadheat", "rank"]
    assert whole["schema"] == "deadheat.rank/1"


def test_nasty_names_survive_markdown_and_latex(run, nasty_table):
    args = ("rank", nasty_table, "--better", "higher", "--format")
    rows = [s for s in run(*args, "md").stdout.splitlines() if s.startswith("|")]
    assert len(rows) == len(USABLE) + 2
    assert not any("<script" in row for row in rows)
    tex = run(*args, "latex").stdout
    assert len(re.findall(r" \\(?:\\|tabularnewline)$", tex, re.MULTILINE)) == len(USABLE) + 1
    assert "\x1b" not in tex


@pytest.mark.parametrize("by", ["mean", "mean,median,copeland", "all"])
def test_nasty_names_fit_the_terminal_and_cannot_act_on_it(run, nasty_table, by):
    done = run("rank", nasty_table, "--better", "higher", "--by", by, "--format", "table")
    assert done.exit_code == 0, done.stderr
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.stdout)
    tables = [line for line in done.stdout.split("\n") if "…" in line or BOX.search(line)]
    assert tables
    assert max(cell_len(line) for line in tables) <= 80
    if by != "all":  # which shows the first three by each
        assert "[bold]" in done.stdout
        assert r"line\nfeed" in done.stdout


def test_many_functions_are_stacked_and_never_squashed():
    columns = [Column(name="candidate"), *(Column(name=f"function_{i}") for i in range(18))]
    grid = Grid(columns=tuple(columns), cells=(("x" * 500, *[10.5] * 18), ("y", *[2.0] * 18)))
    panels = layout(grid, *terminal.sheets(80))[1]
    assert len(panels) > 1
    assert sorted(j for widths in panels for j in list(widths)[1:]) == list(range(1, 19))
    for widths in panels:
        assert next(iter(widths)) == 0
        assert sum(widths.values()) + 3 * (len(widths) - 1) <= 80
        assert all(widths[j] >= len("function_") for j in list(widths)[1:])


def test_long_sentences_are_wrapped_and_not_cut():
    grid = Grid(
        columns=(Column(name="topic"), Column(name="finding")),
        cells=(("holes", "many words " * 30),),
        marked=frozenset({(0, 0)}),
    )

    class Found(Board):
        def grid(self):
            return grid

    page = terminal.page(scores("a", kind=Found))
    assert page.count("many") == 30
    assert "holes*" in page
    assert max(map(len, page.splitlines())) <= terminal.PAGE_WIDTH


def test_marked_cells_have_a_star_without_colour():
    page = terminal.page(scores("a", "b", kind=Board, marked=frozenset({(1, 1)})))
    assert re.search(r"b +1\*", page)
    assert "* look here" in page


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "md", "tex", "txt"])
def test_the_ending_of_a_file_says_its_format(run, table, tmp_path, suffix):
    out = tmp_path / f"out.{suffix}"
    done = run("rank", table, "--better", "higher", "-o", out)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr == f"wrote {out}\n"
    form = {"tex": "latex", "txt": "table"}.get(suffix, suffix)
    said = run("rank", table, "--better", "higher", "--format", form).stdout
    if suffix in {"csv", "tsv", "md", "tex"}:
        assert out.read_text(encoding="utf-8") == said
    else:
        assert "rf is first" in out.read_text(encoding="utf-8")


def test_a_format_that_is_named_wins_over_the_ending(run, table, tmp_path):
    out = tmp_path / "out.csv"
    assert run("rank", table, "--better", "higher", "--json", "-o", out, "-q").stderr == ""
    assert json.loads(out.read_text(encoding="utf-8"))["rows"]


def test_a_file_without_a_known_ending_is_refused_before_anything_is_read(run, tmp_path):
    done = run("rank", "nowhere.csv", "--better", "higher", "-o", tmp_path / "out.xyz")
    assert done.exit_code == 2
    assert "out.xyz" in done.stderr
    assert "--format" in done.stderr


@pytest.mark.parametrize("place", ["no/where.csv", "."])
def test_a_place_that_cannot_be_written_is_refused(run, table, tmp_path, place):
    done = run("rank", table, "--better", "higher", "-o", tmp_path / place)
    assert done.exit_code == 2
    assert "cannot write" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_a_table_fits_any_width(width):
    columns = [Column(name="candidate"), *(Column(name=f"f_{i}") for i in range(9))]
    grid = Grid(columns=tuple(columns), cells=(("name" * 30, *[10.5] * 9),))
    for widths in layout(grid, *terminal.sheets(width))[1]:
        assert sum(widths.values()) + 3 * (len(widths) - 1) <= width


NAMING = [Column(name=name, key=True) for name in ("tournament", "first", "second")]
LONG = Grid.of(
    [*NAMING, *(f"value_{k}" for k in range(9))],
    [[f"{name}{'x' * 40}{i}" for name in "abc"] + [10.5] * 9 for i in range(2)],
)
NUMBERED = Grid.of([*(f"number_{k}" for k in range(20)), "candidate"], [[*range(1000, 1020), "a"]])
HEADED = Grid.of(["candidate", "h" * 200], [["name" * 30, 1.5]])


@pytest.mark.parametrize("grid", [LONG, NUMBERED, HEADED], ids=["names", "numbers", "heading"])
@pytest.mark.parametrize("sheets", [*map(terminal.sheets, (40, 80)), on_paper(240), on_paper()])
def test_whatever_is_too_wide_fits_every_sheet(grid, sheets):
    sheet, panels = layout(grid, *sheets)
    assert {j for widths in panels for j in widths} == set(range(len(grid.columns)))
    for widths in panels:
        assert sheet.total(widths.values()) <= sheet.across
        assert all(j in widths for j in range(grid.naming()) if grid.is_text(j))


def test_three_long_names_leave_room_for_a_number_in_repr():
    written = grid_as_text(LONG, most=10, width=100)
    assert max(map(len, written.splitlines())) <= 100 + len("  (8 more)")
    assert "value_0  (8 more)" in written
    assert written.count("10.5") == 2


def test_a_heading_is_broken_alike_on_a_terminal_and_on_paper():
    heading = "share of judges_won-over"
    for sheet in (terminal.sheets(80)[0], on_paper()[0]):
        assert sheet.lines(heading, 1) == ["share", "of", "judges_", "won-", "over"]
        broken = ["share of", "judges_", "won-over"]
        assert sheet.lines(heading, max(map(sheet.width, broken))) == broken


def test_standard_output_can_be_named_as_a_file(spawn, table):
    done = spawn("rank", table, "--better", "higher", "--format", "csv", "-o", "/dev/stdout", "-q")
    assert done.stdout.startswith(b"candidate,function,")


def test_a_full_disk_is_told(table):
    command = f"{sys.executable} -m deadheat rank {table} --better higher > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: No space left on device.\nHint: make room")


@pytest.mark.parametrize("spelling", ["results.csv", "./results.csv", "x/../results.csv",
                                      "link.csv", "folder/results.csv", "absolute"])  # fmt: skip
@pytest.mark.parametrize("command", ["rank", "check"])
def test_the_input_is_never_overwritten(run, table, monkeypatch, spelling, command):
    home = Path(table).parent
    monkeypatch.chdir(home)
    (home / "x").mkdir()
    (home / "link.csv").symlink_to("results.csv")
    (home / "folder").symlink_to(home)
    before = Path(table).read_bytes()
    spelling = table if spelling == "absolute" else spelling
    for file, out in ((table, spelling), (spelling, "results.csv")):
        done = run(command, file, "--better", "higher", "-o", out)
        assert done.exit_code == 2
        assert "is the input" in done.stderr
        assert "Hint: " in done.stderr
        assert Path(table).read_bytes() == before
    assert not list(home.glob(".results*"))


def test_the_input_is_not_overwritten_when_it_is_standard_input(spawn, table):
    before = Path(table).read_bytes()
    with open(table, "rb") as file:  # noqa: PTH123
        done = spawn("rank", "-", "--better", "higher", "-o", table, stdin=file)
    assert done.returncode == 2
    assert b"is the input" in done.stderr
    assert Path(table).read_bytes() == before


@pytest.mark.parametrize("said", [True, False])
def test_the_sidecar_is_not_overwritten(run, table, said):
    sidecar = Path(table).with_suffix(".toml")
    sidecar.write_text('better = "higher"', encoding="utf-8")
    more = ("--sidecar", sidecar) if said else ()
    done = run("rank", table, "-o", sidecar, "--json", *more)
    assert done.exit_code == 2
    assert "is the sidecar of the input" in done.stderr
    assert sidecar.read_text(encoding="utf-8") == 'better = "higher"'


def test_an_older_output_is_overwritten(run, table, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    assert run("rank", table, "--better", "higher", "-o", out).exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("candidate,")


@pytest.mark.parametrize("args", [["rank", ""], ["rank", "x.csv", "-o", ""], ["check", ""],
                                  ["rank", "x.csv", "--sidecar", ""]])  # fmt: skip
def test_an_empty_name_is_told_as_such(run, args):
    done = run(*args, "--better", "higher")
    assert done.exit_code == 2
    assert "is empty" in done.stderr
    assert "Hint: name a file" in done.stderr


def test_an_error_leaves_an_older_file_alone(run, tmp_path):
    table, out = tmp_path / "bad.csv", tmp_path / "out.csv"
    table.write_text("model,a\nx,hello\ny,1\n", encoding="utf-8")
    out.write_text("old", encoding="utf-8")
    assert run("rank", table, "--better", "higher", "-o", out).exit_code == 3
    assert out.read_text(encoding="utf-8") == "old"


def test_warnings_go_to_standard_error_and_can_be_silenced(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,time\nx,1\ny,2\n", encoding="utf-8")
    loud = run("rank", path, "--better", "higher")
    assert loud.stderr.startswith("warning: ")
    assert "warning" not in loud.stdout
    assert run("rank", path, "--better", "higher", "-q").stderr == ""


def test_a_dash_reads_standard_input_and_writes_standard_output(run, table):
    with open(table, encoding="utf-8") as file:  # noqa: PTH123
        done = run("rank", "-", "--better", "higher", "-o", "-", input=file.read())
    assert done.stdout.startswith("candidate\t")
