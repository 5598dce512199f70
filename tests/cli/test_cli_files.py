"""No command writes over what it reads, and each says how to write elsewhere."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

TABLE = "model,a,b,c\nrf,0.9,0.8,0.7\nsvm,0.85,0.7,0.6\nknn,0.5,0.4,0.3\n"
LOG = "left,right,winner\nx,y,x\ny,z,y\nx,z,x\nz,x,x\ny,x,y\nz,y,z\n"
RUNS = (
    "solver,instance,status,time,quality\n"
    "a,i,solved,1,5\nb,i,solved,2,6\na,j,solved,3,5\nb,j,timeout,10,\n"
)
OWN = """
import deadheat as dh


@dh.ranks_table("kept_top", scale="interval", shared_scale=True)
def top(scores):
    \"\"\"Rank by the best score.\"\"\"
    return scores.max(axis=1)


def rule(runs):
    return -runs.time
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contents = {
        "t.csv": TABLE,
        "second.csv": TABLE.replace("0.9", "0.1"),
        "side.toml": 'better = "higher"\n',
        "order.csv": "candidate,rank\nrf,1\nsvm,2\nknn,3\n",
        "runs.csv": RUNS,
        "best.csv": "instance,quality\ni,4\nj,4\n",
        "own.py": OWN,
        "log/one.csv": LOG,
        "log/two.csv": LOG.replace("x,y,x", "x,y,y"),
    }
    Path("log").mkdir()
    for name, content in contents.items():
        Path(name).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.fixture
def saved(here, run):
    done = run("verdict", "t.csv", "--better", "higher", "--replicates", 50, "-o", "saved.json")
    assert done.exit_code == 0, done.stderr
    return here


QUICK = "--better higher --replicates 50"
COMMANDS = {
    "check": "check t.csv --better higher -o t.csv",
    "rank": "rank t.csv --better higher -o t.csv",
    "score": "score runs.csv --rule solved -o runs.csv",
    "verdict": f"verdict t.csv {QUICK} -o t.csv",
    "compare": "compare t.csv rf svm --better higher -o t.csv",
    "agree": "agree t.csv --better higher -o t.csv",
    "influence": "influence t.csv --better higher -o t.csv",
    "consensus": "consensus t.csv --better higher -o t.csv",
    "axioms": "axioms --table t.csv --better higher -o t.csv",
    "criteria": "criteria t.csv --better higher --trials 5 -o t.csv",
    "criteria, the second": "criteria t.csv second.csv --better higher --trials 5 -o second.csv",
    "rate": "rate log/one.csv -o log/one.csv",
    "rate, several": "rate log/one.csv log/two.csv -o log/two.csv",
    "rate, a folder": "rate log -o log/two.csv",
    "rate, a pattern": "rate log/*.csv -o log/two.csv",
    "sidecar": "rank t.csv --sidecar side.toml -o side.toml --format csv",
    "official": f"verdict t.csv {QUICK} --official order.csv -o order.csv",
    "reference": "rank runs.csv --rule ipc-sat --reference best.csv -o best.csv",
    "own function": "rank t.csv --better higher --by own.py:top -o own.py --format csv",
    "own rule": "rank runs.csv --rule own.py:rule --better higher -o own.py --format csv",
}
LINKED = {  # to another name, as these commands ask for certain endings
    "plot": ("plot t.csv intervals --better higher -o link.svg", "t.csv"),
    "report": (f"report t.csv {QUICK} -o link.html", "t.csv"),
    "report, log": ("report log/one.csv log/two.csv -o link.html", "log/two.csv"),
    "report, official": (f"report t.csv {QUICK} --official order.csv -o link.html", "order.csv"),
    "report, own": (f"report t.csv {QUICK} --by own.py:top -o link.html", "own.py"),
    "verdict, official": (f"verdict t.csv {QUICK} --official order.csv -o link.tex", "order.csv"),
}  # fmt: skip
SAVED = {
    "show": ("show saved.json -o saved.json", "saved.json"),
    "plot": ("plot saved.json intervals -o link.json", "saved.json"),
    "gate": (f"verdict t.csv {QUICK} --fail-on groups-changed:saved.json -o saved.json",
             "saved.json"),
}  # fmt: skip


def refused(run, folder, command, target, *, again=True):
    """Run, see that nothing changed, then run what the hint says, which must work."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = run(*shlex.split(command))
    assert done.exit_code == 2, done.output
    fact, hint = done.stderr.strip().splitlines()
    assert fact.startswith("error: cannot write ")
    assert target in fact
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert hint.startswith("Hint: deadheat ")
    if again:
        done = run(*shlex.split(hint)[2:])
        assert done.exit_code == 0, done.stderr
    for path, content in before.items():
        assert path.read_bytes() == content


@pytest.fixture(autouse=True)
def forgotten():
    """Forget the function of a file that is loaded again in another folder."""
    yield
    from deadheat.core.errors import DeadheatError
    from deadheat.ranking.function import forget

    try:
        forget("kept_top")
    except DeadheatError:
        return


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_reads_is_not_its_output(run, here, name):
    refused(run, here, COMMANDS[name], shlex.split(COMMANDS[name].partition(" -o ")[2])[0])


@pytest.mark.parametrize("name", LINKED)
def test_nor_under_another_name(run, here, name):
    command, target = LINKED[name]
    out = shlex.split(command)[-1]
    if "official" in name:
        os.link(target, out)
    else:
        Path(out).symlink_to(target)
    refused(run, here, command, target, again="report, " not in name)


@pytest.mark.parametrize("name", SAVED)
def test_nor_what_was_saved(run, saved, name):
    command, target = SAVED[name]
    if "link" in command:
        Path("link.json").symlink_to(target)
    refused(run, saved, command, target)


@pytest.mark.parametrize("spelling", ["-ot.csv", "--output=t.csv", "-qo t.csv"])
def test_the_hint_knows_every_spelling_of_the_option(run, here, spelling):
    refused(run, here, f"rank t.csv --better higher {spelling}", "t.csv")


def test_an_output_is_refused_before_the_work_begins(run, here, monkeypatch):
    monkeypatch.setattr(
        import_module("deadheat.verdict.api"), "verdict", None
    )  # calling it would fail
    Path("link.csv").symlink_to("t.csv")
    done = run("verdict", "t.csv", "--better", "higher", "--replicates", 10**6, "-o", "link.csv")
    assert done.exit_code == 2
    assert "link.csv: it is the input t.csv." in done.stderr


@pytest.mark.parametrize("command", ["rank t.csv --better higher", "plot t.csv intervals",
                                     "report t.csv --better higher"])  # fmt: skip
def test_a_place_where_no_file_can_be_is_told_before_the_table_is_read(run, here, command):
    Path("t.csv").write_text("no table at all", encoding="utf-8")
    Path("folder.html").mkdir()
    done = run(*command.split(), "-o", "no/where.html", *_form(command))
    assert (done.exit_code, "there is no folder no" in done.stderr) == (2, True), done.stderr
    done = run(*command.split(), "-o", "folder.html", *_form(command))
    assert (done.exit_code, "it is a folder" in done.stderr) == (2, True), done.stderr
    Path("kept.html").write_text("kept", encoding="utf-8")
    Path("kept.html").chmod(0o444)
    done = run(*command.split(), "-o", "kept.html", *_form(command))
    assert (done.exit_code, "write-protected" in done.stderr) == (2, True), done.stderr
    assert Path("kept.html").read_text(encoding="utf-8") == "kept"


def _form(command):
    return ("--format", "csv") if command.startswith("rank") else ()


def test_standard_output_that_is_appended_to_the_input_is_refused(here):
    before = Path("t.csv").read_bytes()
    with Path("t.csv").open("ab") as out:
        done = subprocess.run(
            [sys.executable, "-m", "deadheat", "rank", "t.csv", "--better", "higher"],
            stdout=out, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: standard output goes to the input t.csv.\nHint: ")
    assert Path("t.csv").read_bytes() == before


def test_a_log_that_standard_output_is_appended_to_keeps_what_it_has(here):
    Path("log.txt").write_text("before\n", encoding="utf-8")
    with Path("log.txt").open("ab") as out:
        done = subprocess.run(
            [sys.executable, "-m", "deadheat", "rank", "t.csv", "--better", "higher",
             "--format", "csv", "-o", "/dev/stdout"],
            stdout=out, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Path("log.txt").read_text(encoding="utf-8").startswith("before\ncandidate,function,")


def test_a_page_of_somebody_else_is_not_replaced_by_a_name_that_nobody_said(run, here):
    Path("report.html").write_text("<html>mine</html>", encoding="utf-8")
    done = run("report", "t.csv", *QUICK.split())
    assert done.exit_code == 2
    assert done.stderr == (
        "error: there is a report.html here that deadheat did not write.\n"
        "Hint: to another file: "
        "deadheat report t.csv --better higher --replicates 50 -o report-2.html\n"
    )
    assert Path("report.html").read_text(encoding="utf-8") == "<html>mine</html>"


def test_the_demo_replaces_no_page_but_of_a_demo(run, here):
    assert run("report", "t.csv", *QUICK.split()).exit_code == 0
    before = Path("report.html").read_bytes()
    done = run("demo", "--data", "compressors", "--report")
    assert "there is a report.html here that is of no demo" in done.stderr
    assert Path("report.html").read_bytes() == before
