"""Every kind of file and of request that reaches users, through the real command line."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

UP = ("--better", "higher")
WIDE = "model,a,b\nx,3,2\ny,2,1\n"
LONG = "model,task,score\nx,a,3\ny,a,2\nx,b,2\ny,b,1\n"

BAD_FILES = {
    "empty": ("", (), 3),
    "only blanks": ("\n\n  \n", (), 3),
    "header only": ("model,a,b\n", (), 3),
    "all missing": ("model,a,b\nx,,\ny,,\n", (), 3),
    "all missing, worst": ("model,a,b\nx,,\ny,,\n", ("--missing", "worst"), 3),
    "one hole": ("model,a,b\nx,1,\ny,2,1\n", (), 3),
    "text in a score cell": ("model,a,b\nx,1,2\ny,oops,1\nz,2,3\n", (), 3),
    "infinite score": ("model,a,b\nx,inf,2\ny,2,1\n", (), 3),
    "duplicate candidate": ("model,a,b\nx,1,2\nx,2,1\n", (), 3),
    "duplicate judge": ("model,a,a\nx,1,2\ny,2,1\n", (), 3),
    "duplicate rows": (LONG + "x,a,4\n", (), 3),
    "ragged rows": ("model,a,b\nx,1,2\ny,2,1,7\nz,1\n", (), 3),
    "binary": (bytes(range(256)) * 40, (), 3),
    "cut gzip": (gzip.compress(os.urandom(9_000))[:2_000], (), 3),
    "negative scores, relative_difference": (
        "model,a,b\nx,-1,2\ny,2,1\n",
        ("--by", "relative_difference"),
        3,
    ),
    "zero, geometric_mean": ("model,a,b\nx,0,2\ny,2,1\n", ("--by", "geometric_mean"), 3),
    "unknown function": (WIDE, ("--by", "copland"), 2),
    "no function": (WIDE, ("--by", ","), 2),
    "unknown column": (LONG, ("--candidate", "modle", "--judge", "task", "--score", "score"), 2),
    "unknown column to keep rows by": (WIDE, ("--where", "modle=x"), 2),
    "unknown column to ignore": (WIDE, ("--ignore", "modle"), 2),
    "contradictory formats": (WIDE, ("--json", "--format", "csv"), 2),
    "contradictory layout": (WIDE, ("--layout", "wide", "--score", "a"), 2),
    "score column in a wide table of rows": (LONG, ("--candidates", "rows", "--score", "score"), 2),
    "not a condition": (WIDE, ("--where", "model"), 2),
    "no such encoding": (WIDE, ("--encoding", "utf-99"), 2),
    "negative tolerance": (WIDE, ("--tie-tol", "-1"), 2),
    "a tolerance that is no number": (WIDE, ("--tie-tol", "x"), 2),
    "no such option": (WIDE, ("--bettre", "higher"), 2),
    "an output without a format": (WIDE, ("-o", "out.xyz"), 2),
    "an output nowhere": (WIDE, ("-o", "no/where.csv"), 2),
    "an option of another format": (WIDE, ("--sheet", "x"), 2),
    "no such sidecar": (WIDE, ("--sidecar", "nowhere.toml"), 3),
}
BAD_REQUESTS = {
    "a directory": (["rank", ".", *UP], 3),
    "a missing file": (["rank", "nowhere.csv", *UP], 3),
    "no such folder": (["rank", "no/where.csv", *UP], 3),
    "an empty name": (["rank", "", *UP], 2),
    "no file": (["rank"], 2),
    "no direction": (["rank", "t.csv"], 2),
    "no such direction": (["rank", "t.csv", "--better", "up"], 2),
    "no such command": (["rnak", "t.csv"], 2),
    "no such kind": (["list", "nothing"], 2),
    "no such example": (["demo", "--data", "nothing"], 2),
    "no such shell": (["completion"], 2),
    "several functions to check by": (["check", "t.csv", *UP, "--by", "mean,borda"], 2),
}


def refused(done, code):
    assert done.exit_code == code, done.stderr
    assert done.stderr.startswith("error: ")
    assert "Hint: " in done.stderr
    assert len(done.stderr.splitlines()) <= 4
    assert "Traceback" not in done.stderr
    assert "unexpectedly" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("kind", BAD_FILES)
def test_what_cannot_be_used_is_refused_with_a_hint(run, tmp_path, monkeypatch, kind):
    content, options, code = BAD_FILES[kind]
    monkeypatch.chdir(tmp_path)
    path = Path("t.csv")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(run("rank", path, *UP, *options), code)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize("kind", BAD_REQUESTS)
def test_a_request_that_cannot_be_met_is_refused_with_a_hint(run, tmp_path, monkeypatch, kind):
    args, code = BAD_REQUESTS[kind]
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(WIDE, encoding="utf-8")
    refused(run(*args), code)


@pytest.mark.parametrize("kind", ["empty", "binary", "text in a score cell", "unknown function"])
def test_a_process_of_its_own_ends_the_same_way(spawn, tmp_path, kind):
    content, options, code = BAD_FILES[kind]
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    done = spawn("rank", path, *UP, *options)
    assert (done.returncode, done.stdout) == (code, b"")
    assert b"\nHint: " in done.stderr
    assert b"Traceback" not in done.stderr


def quoted_newlines():
    paper = io.StringIO(newline="")
    csv.writer(paper).writerows([["model", "a\nb", "c"], ["x\ny", 3, 2], ["z", 2, 1]])
    return paper.getvalue()


def many_columns(n=10_000):
    rows = [["model", *(f"j{j}" for j in range(n))], ["x", *["3"] * n], ["y", *["2"] * n]]
    return "".join(",".join(row) + "\n" for row in rows)


GOOD_FILES = {
    "plain": (WIDE.encode(), (), "x"),
    "BOM": (WIDE.encode("utf-8-sig"), (), "x"),
    "CRLF": (WIDE.replace("\n", "\r\n").encode(), (), "x"),
    "no last line end": (WIDE.rstrip().encode(), (), "x"),
    "Latin-1": (WIDE.replace("x", "f\xfcr").encode("latin-1"), (), "f\xfcr"),
    "UTF-16": (WIDE.replace("x", "für").encode("utf-16"), (), "für"),
    "quoted newlines": (quoted_newlines().encode(), (), "x\ny"),
    "spaces after commas": (WIDE.replace(",", ", ").encode(), (), "x"),
    "percent": (b"model,a,b\nx,30%,20%\ny,20%,10%\n", (), "x"),
    "thousands": (b'model,a,b\nx,"1,234","2,000,000"\ny,999,"1,000"\n', (), "x"),
    "semicolons and decimal commas": (b"model;a;b\nx;3,5;2,5\ny;2,5;1,5\n", (), "x"),
    "tabs": (WIDE.replace(",", "\t").encode(), (), "x"),
    "10,000 columns": (many_columns().encode(), (), "x"),
    "gz": (gzip.compress(WIDE.encode()), (), "x"),
    "bz2": (bz2.compress(WIDE.encode()), (), "x"),
    "xz": (lzma.compress(WIDE.encode()), (), "x"),
    "one judge": (b"model,a\nx,2\ny,1\n", (), "x"),
    "one candidate": (b"model,a,b\nx,2,1\n", (), "x"),
    "n/a as the worst": (b"model,a,b\ny,2,n/a\nx,3,2\n", ("--missing", "worst"), "x"),
    "long": (LONG.encode(), (), "x"),
    "a column that is left out": (b"model,a,note\nx,2,hm\ny,1,oh\n", ("--ignore", "note"), "x"),
    "a row that is left out": (b"model,a\nw,9\nx,2\ny,1\n", ("--where", "model!=w"), "x"),
    "rows that are left out": (
        b"model,set,a\nw,old,9\nx,new,3\ny,new,1\n",
        ("--where", "set!=old"),
        "x",
    ),
}


@pytest.mark.parametrize("kind", GOOD_FILES)
@pytest.mark.parametrize("piped", [False, True], ids=["file", "stdin"])
def test_what_can_be_understood_is(run, tmp_path, kind, piped):
    content, options, first = GOOD_FILES[kind]
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    given = {"input": content} if piped else {}
    done = run("rank", "-" if piped else path, *UP, *options, "--json", **given)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["candidate"] == first
    done = run("check", path, *UP, *options)
    assert done.exit_code == 0, done.stderr


def test_the_command_offered_for_bytes_that_are_not_utf_8_works(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"model,t\n\xff\xfeA,1\nB,2\n")
    done = run("rank", path, "--better", "higher", "--encoding", "utf-8")
    assert done.exit_code == 3
    command = shlex.split(done.stderr.splitlines()[-1].split(": ", 2)[2])
    again = run(*command[1:])
    assert (again.exit_code, "ÿþA" in again.stdout) == (0, True), again.stderr


@pytest.mark.parametrize(
    "content",
    [
        *(f"A,B,{name}\n.5,.6,1\n.4,.3,2\n" for name in ("k", "fold", "seed")),
        *(f"A,B,{name}\n.5,.6,1\n.4,.3,2\n.4,.2,1\n" for name in ("k", "fold", "seed")),
        *(f"{first},A,B,{name}\nx,.5,.6,1\ny,.4,.3,2\n" for name in ("k", "fold", "seed")
          for first in ("name", "task", "model")),
        "A,B,fold,seed\n.5,.6,1,7\n.4,.3,2,7\n",
        "fold,dataset,A,B\n1,d1,3,4\n2,d1,4,5\n1,d2,5,1\n2,d2,1,3\n",
        "dataset,fold,A,B\nd1,1,3,4\nd1,2,4,5\nd2,1,5,1\nd2,2,1,3\n",
        "fold,stuff,A,B\n1,d1,3,4\n2,d1,4,5\n1,d2,5,1\n2,d2,1,3\n",
        "model,fold,a\nx,1,3\nx,2,4\ny,1,5\ny,2,6\n",
        *(f"{name},A,B\n1,.8,.9\n2,.7,.8\n3,.9,.6\n" for name in ("run", "subject", "no")),
    ],
)  # fmt: skip
def test_every_command_offered_about_rounds_works_and_none_ranks_them(run, tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    commands, worked = [["deadheat", "rank", str(path), *UP]], 0
    for command in commands:
        done = run(*command[1:], "--format", "csv")
        if done.exit_code == 0:
            worked += 1
            ranked = {row["candidate"] for row in csv.DictReader(io.StringIO(done.stdout))}
            kept = {name for before, name in pairwise(command) if before == "--keep"}
            assert not ranked & {"k", "fold", "seed", "run", "subject", "no"} - kept
            continue
        offered = [line for line in done.stderr.splitlines() if "deadheat rank" in line]
        assert (done.exit_code, bool(offered)) == (2, True), done.stderr
        for line in offered:
            said = shlex.split(line[line.index("deadheat rank") :])
            commands.append([word for word in said if word not in {"--format", "csv"}])
        assert len(commands) < 20
    assert worked
