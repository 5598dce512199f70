"""Every hint with a command, followed to the letter on the file that caused it, leads on."""

from __future__ import annotations

import ast
import contextlib
import csv
import io
import random
import re
import shlex
import sys
from pathlib import Path

import pytest

import deadheat
from deadheat.core import errors
from terminals import in_terminal

HERE = Path(deadheat.__file__).parent
MAKE_COMMANDS = ("command_with", "ask")
STEPS = 2  # further questions that an answer may raise
DRAW = random.Random(4)


def places():
    """Return the lines of each call that makes a command for a hint, by file and function."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        if path.match("core/errors.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = (each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom))
        ours = [each for each in imports if each.module == "deadheat.core.errors"]
        names = {alias.name for each in ours for alias in each.names}
        functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
        calls = ((f.name, each) for f in functions for each in ast.walk(f))
        for function, call in (each for each in calls if isinstance(each[1], ast.Call)):
            name = getattr(call.func, "id", None)
            of_module = isinstance(call.func, ast.Attribute) and call.func.attr
            if (name in names or of_module) and (name or of_module) in MAKE_COMMANDS:
                place = path.relative_to(HERE).as_posix()
                lines = range(call.lineno, (call.end_lineno or 0) + 1)
                found[f"{place} {function}", call.lineno] = lines
    return found


@contextlib.contextmanager
def watched(reached):
    """Note from where commands for hints are made."""
    codes = {getattr(errors, name).__code__ for name in MAKE_COMMANDS}

    def note(frame, event, _):
        if event == "call" and frame.f_code in codes:
            caller = frame.f_back
            reached.add((caller.f_code.co_filename, caller.f_lineno))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


def commands_in(said):
    """Return the complete commands that errors, warnings and hints hold, as words."""
    texts = re.findall(r"(?:: |^)(deadheat (?:[^;\n]|(?<=\S);(?=\S))*)", said, re.MULTILINE)
    return [shlex.split(text.rstrip(". "))[1:] for text in texts]


# ------------------------------------------------------------------------------
# Small files that leave something open.


def csv_of(head, *rows):
    return "\n".join([head, *rows]) + "\n"


def table(rows, columns=8, *, label="model", name="m"):
    head = ",".join([label, *(f"t{j}" for j in range(columns))])
    cells = (",".join(f"{DRAW.random():.3f}" for _ in range(columns)) for _ in range(rows))
    return csv_of(head, *(f"{name}{i},{row}" for i, row in enumerate(cells)))


def long_table(models="abc", tasks=12, more="", column=""):
    rows = [
        f"{model},t{task},{DRAW.random():.3f}{more and f',{more}'}"
        for model in models
        for task in range(tasks)
    ]
    return csv_of(f"model,task,accuracy{column and f',{column}'}", *rows)


def workbook():
    openpyxl = pytest.importorskip("openpyxl")
    book, content = openpyxl.Workbook(), io.BytesIO()
    sheet = book.create_sheet("scores")
    for row in csv.reader(PLAIN.splitlines()):
        sheet.append([row[0], *map(float, row[1:])] if row[0] != "model" else row)
    book.save(content)
    return content.getvalue()


def saved():
    return deadheat.rank(deadheat.Results(scores=[[1, 2], [2, 3]], better="higher")).to_json()


PLAIN = table(3)
LOG = csv_of("left,right,winner", *(["a,b,left", "b,c,left", "c,a,tie", "b,a,left"] * 5))
RUNS = csv_of(
    "solver,instance,status,time,cutoff",
    *(f"{s},i{i},{'solved' if (i + k) % 5 else 'timeout'},{1 + i + k},60"
      for k, s in enumerate("xyz") for i in range(12)),
)  # fmt: skip
GOALS = ["a,b,2,1", "b,c,1,1", "c,a,0,3", "a,c,1,2", "b,a,2,1", "c,b,4,1"] * 3
TRACKS = csv_of(
    "model,task,track,accuracy",
    *(f"{m},{t}{k},{t},{DRAW.random():.3f}"
      for t, who in (("sat", "abc"), ("agile", "de")) for k in range(12) for m in who),
)  # fmt: skip
OPEN = csv_of("benchmark,hash,family,kissat,minisat", *(
    f"b{k},{k * 7919:x}f,fam{k % 3},{DRAW.random():.3f},{DRAW.random():.3f}" for k in range(20)
))  # fmt: skip
SEEDS = csv_of("model,seed,x,y,z", *(
    f"{m},{s},{DRAW.random():.2f},{DRAW.random():.2f},{DRAW.random():.2f}"
    for m in "abc" for s in (1, 2, 3)
))  # fmt: skip
LATIN = b"model,a,b,c\n" + b"".join(b"m%d,1,%d,3\n" % (k, k) for k in range(200_000))
LATIN += "caf\u00e9,1,2,3\n".encode("latin-1")
PARTS = csv_of("left,right,winner", *(["a,b,left", "b,a,left", "c,d,left", "d,c,left"] * 3))
COUNTS = csv_of("a,b,wins_a,wins_b", "x,y,2,1", "y,z,1,2", "z,x,1,1")
QUALITIES = csv_of("solver,instance,status,quality", *(
    f"{s},i{i},solved,{1 + i + k}" for k, s in enumerate("xyz") for i in range(9)
))  # fmt: skip
RULED = ["===  ===", "m    u", "===  ===", "a    1", "b    2", "===  ==="]
B = "--better higher"
# Files, then commands with f for the first file, g for the second; some need a terminal.
CASES = {
    "no direction": ([PLAIN], "verdict f"),
    "one candidate, axioms": ([table(1)], f"axioms --table f {B}"),
    "one candidate": ([table(1)], f"verdict f {B}"),
    "all in a short table": ([PLAIN], f"check f {B} --all"),
    "several tables": ([table(3), table(3)], f"verdict f g {B} --candidates rows"),
    "tracks": ([TRACKS], f"verdict f {B} --each track"),
    "a column with empty cells": (
        [long_table("ab", more="easy", column="family") + "c,t1,0.5,\n"],
        f"rank f {B} --missing worst --each family",
    ),
    "too few resamples": ([table(9, 30)], f"verdict f {B} --by mean --alpha 0.01 --replicates 150"),
    "a saved result": ([saved], f"verdict f {B}"),
    "western text": ([LATIN], f"rank f {B}"),
    "a name for nobody": ([LOG + "none,a,right\na,none,left\n" * 3], "rate f --replicates 99"),
    "rows or columns": ([table(3, label="")], f"verdict f {B}"),
    "repeats as rows": ([SEEDS], f"verdict f {B}"),
    "long, which columns": ([csv_of("a,b,c", *["x,y,1", "x,z,2", "w,y,3", "w,z,1"] * 3)],
                            f"verdict f {B}"),
    "a log for a verdict": ([LOG], "verdict f"),
    "a log by its layout": ([LOG], "verdict f --layout battles"),
    "rounds as judges": ([csv_of("model,seed,acc", *(
        f"{m},{s},{DRAW.random():.2f}" for m in "abc" for s in range(9)))],
        f"verdict f {B} --layout wide"),
    "rounds without names": ([csv_of("model,seed,x,y", *(
        f"m{s},{s},{DRAW.random():.2f},{DRAW.random():.2f}" for s in range(9)))],
        f"verdict f {B}"),
    "rounds, rows or columns": ([csv_of("x,seed,u,v", *(
        f"m{s},{s},{DRAW.random():.2f},{DRAW.random():.2f}" for s in range(9)))],
        f"verdict f {B}"),
    "a picture without a file": ([PLAIN], f"plot f intervals {B}"),
    "repeated runs": ([long_table("abc") + long_table("abc").partition("\n")[2]],
                      f"verdict f {B}"),
    "repeats, told": ([csv_of("model,task,seed,acc", *(
        f"{m},t{t},{s},{DRAW.random():.2f}" for m in "abc" for t in range(9) for s in (1, 2)))],
        f"verdict f {B} --repeat seed"),
    "holes": ([csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
              f"verdict f {B} --candidates rows"),
    "two pairs of sides": ([csv_of("model_a,model_b,player_a,player_b,winner", *(
        ["p,q,r,s,model_a", "q,p,s,r,model_b", "p,q,s,r,model_b", "q,p,r,s,tie"] * 5))], "rate f"),
    "a file that nothing asks for": ([PLAIN, csv_of("model,family", "m0,u", "m1,u", "m2,v")],
                                     f"verdict f {B} --candidates rows --with g"),
    "goals of both sides": ([csv_of("home,away,home_goals,away_goals", *GOALS)], "verdict f"),
    "a log, or scores": ([csv_of("left,right,winner,votes", *(
        ["a,b,left,3", "b,c,left,2", "c,a,tie,4", "b,a,left,1"] * 5))], f"verdict f {B}"),
    "which scores": ([csv_of("model,task,u,v", *(
        f"{m},t{t},{DRAW.random():.2f},{DRAW.random():.2f}" for m in "abc" for t in range(9)))],
        f"verdict f {B} --layout long"),
    "instances of one name": ([csv_of("solver,family,instance,status,time", *(
        f"{s},{g},i{i},solved,{1 + i + k}" for k, s in enumerate("xyz") for g in "gh"
        for i in range(9)))], "verdict f --rule par2 --cutoff 60"),
    "absent runs": ([RUNS.replace("x,i3,solved,4,60\n", "")], "verdict f --rule solved"),
    "an unknown status": ([RUNS.replace("timeout", "zonk")], "verdict f --rule solved"),
    "an unknown word of a verifier": ([csv_of("solver,instance,status,time,verified", *(
        f"{s},i{i},solved,{1 + i + k},{'fine' if i else 'yes'}" for k, s in enumerate("xyz")
        for i in range(9)))], "verdict f --rule solved"),
    "several questions": ([OPEN], "verdict f"),
    "several questions, direction told": ([OPEN], f"verdict f {B}"),
    "a row of means": ([PLAIN + "average" + ",0.5" * 8 + "\n"], f"rank f {B} --candidates rows"),
    "a column of means": ([csv_of("model,a,b,average", "x,1,2,1.5", "y,2,4,3", "z,5,1,3")],
                          f"rank f {B} --candidates rows"),
    "standardised runs": ([RUNS], "rank f --rule par2 --scale-scores global"),
    "a log in parts": ([PARTS], "rate f --replicates 99"),
    "too many matches wanted": ([LOG], "rate f --min-matches 999 --replicates 99"),
    "a picture of a log": ([LOG], "plot f intervals -o fig.svg"),
    "two tables in one file": (["\n".join(f"| m | {c} |\n|---|---|\n| a | 1 |\n| b | 2 |\n"
                                          for c in "uv")], f"verdict f {B} --candidates rows"),
    "sizes among scores": ([csv_of("model,Params,u,v,w", "a,70B,.5,.6,.7", "b,7,.4,.7,.5",
                                   "c,13,.6,.3,.4")], f"verdict f {B} --candidates rows"),
    "boards of a log": ([csv_of("left,right,winner,topic", *(
        f"{row},{'uv'[k % 2]}" for k, row in enumerate(LOG.split()[1:])))],
        "rate f --each topic --replicates 99"),
    "a joined file": ([long_table(), csv_of("task,family", *(f"t{k},{k % 3}" for k in range(12)))],
                      f"verdict f {B} --with g"),
    "a log of numbers": ([csv_of("task,left,right,winner", *(
        f"t{k},{k % 4},{k % 3 + 4},{(k % 4, k % 3 + 4)[k % 2]}" for k in range(24)))],
        f"verdict f {B}"),
    "runs that come again": ([RUNS + RUNS.partition("\n")[2]], "rank f --rule par2"),
    "a picture of runs": ([PLAIN], f"plot f cactus {B} -o fig.svg"),
    # data: reading, formats, scoring, missing
    "a judge without a score": ([csv_of("model,u,v,w", "a,1,2,", "b,2,1,", "c,3,4,")],
                                f"rank f {B} --candidates rows --missing worst"),
    "a tie tolerance below 0": ([PLAIN], f"rank f {B} --candidates rows --tie-tol -1"),
    "a tolerance in other units": (
        [PLAIN], f"rank f {B} --candidates rows --tie-tol 0.1 --scale-scores judge"),
    "late runs": ([RUNS], "rank f --rule par2 --cutoff 5"),
    "no cutoff": ([csv_of("solver,instance,status,time", *(
        f"{s},i{i},solved,{1 + i + k}" for k, s in enumerate("xyz") for i in range(9)))],
        "rank f --rule par2"),
    "a rule the other way": ([RUNS], f"rank f --rule par2 {B}"),
    "a rule without a penalty": ([RUNS], "rank f --rule par0"),
    "categories of categories": ([RUNS], "rank f --rule categories-won-categories-won"),
    "a short cutoff": ([RUNS.replace(",60", ",0.5")], "rank f --rule ipc-agile-2018 --late solved"),
    "one sign for two": ([csv_of("model,a,b", "x,1,2", "y,3,1", "z,2,2")],
                         f"rank f {B} --candidates rows --delimiter , --decimal ,"),
    "a score of a wide table": ([long_table()], f"rank f {B} --layout wide --score accuracy"),
    "repeats of a wide table": ([long_table("abc") + long_table("abc").partition("\n")[2]],
                                f"rank f {B} --candidates rows --combine mean"),
    "two label columns": ([long_table()],
                          f"rank f {B} --layout wide --candidate model --judge task"),
    "candidates of a long table": ([long_table()], f"rank f {B} --layout long --candidates rows"),
    "rows of both": ([PLAIN], f"rank f {B} --judge model --candidates rows"),
    "runs or scores": ([RUNS], "rank f --better lower --rule par2 --score time"),
    "left out and used": ([long_table(more="easy,1", column="family,note")],
                          f"rank f {B} --ignore note --ignore family --cluster family"),
    "one column, two roles": ([long_table()], f"rank f {B} --candidate model --judge model"),
    "a long delimiter": ([PLAIN], f"rank f {B} --candidates rows --delimiter ,,"),
    "a word without a status": ([RUNS.replace("timeout", "gave up")],
                                "rank f --rule solved --statuses 'gave up'"),
    "a noun without a role": ([PLAIN], f"rank f {B} --candidates rows --noun model"),
    "an outcome without a meaning": ([LOG], "rate f --outcomes skip --replicates 99"),
    "unknown outcomes": ([LOG.replace("tie", "zonk")], "rate f --replicates 99"),
    "an outcome that is a name": ([csv_of("left,right,winner", *(
        ["left,b,left", "b,left,left", "left,b,right", "b,left,tie"] * 3))],
        "rate f --replicates 99"),
    "an option of another format": ([PLAIN], f"rank f {B} --candidates rows --sheet x"),
    "a header of JSON lines": (['{"model": "x", "a": 1}\n{"model": "y", "a": 2}\n'],
                               f"rank f {B} --candidates rows --no-header"),
    "a table drawn with lines": (["model | u | v\n------+---+---\na | 1 | 2\nb | 2 | 1\n"],
                                 f"rank f {B} --candidates rows"),
    "a table drawn with dashes": ([csv_of(*RULED)], f"rank f {B} --candidates rows"),
    "an empty sheet": ([workbook], f"rank f {B} --candidates rows"),
    "an unknown encoding": ([PLAIN], f"rank f {B} --candidates rows --encoding zonk"),
    "text in another encoding": (["model,a,b\ncaf\u00e9,1,2\nb,2,1\n"],
                                 f"rank f {B} --candidates rows --encoding ascii"),
    "a log in another encoding": (
        [(LOG + "a,b,left\n" * 20_000).encode() + "caf\u00e9,a,left\n".encode("latin-1")],
        "rate f --left left --right right --winner winner --replicates 99"),
    "a covariate of one side": ([csv_of("left,right,winner,len_left,len_right", *(
        f"{row},{k % 5},{k % 3}" for k, row in enumerate(LOG.split()[1:])))],
        "rate f --covariate len_left --replicates 99"),
    "a covariate of three": ([csv_of("left,right,winner,p,q,r", *(
        f"{row},{k % 5},{k % 3},{k % 7}" for k, row in enumerate(LOG.split()[1:])))],
        "rate f --covariate p,q,r --replicates 99"),
    "a covariate of none": ([LOG], "rate f --covariate x=, --replicates 99"),
    "sides without names": ([csv_of("p,q,winner", *(LOG.split()[1:]))],
                            "rate f --winner winner --replicates 99"),
    "no winner": ([csv_of("left,right,u,v", *(f"{row[:3]},{k % 3},{k % 2}"
                                              for k, row in enumerate(LOG.split()[1:])))],
                  "rate f --left left --right right --replicates 99"),
    "winners and counts": ([csv_of("left,right,winner,n", *(f"{r},1" for r in LOG.split()[1:]))],
                           "rate f --winner winner --left-wins n --replicates 99"),
    "wins of the right one": ([COUNTS], "rate f --right-wins wins_b --replicates 99"),
    "wins of the left one": ([COUNTS], "rate f --left-wins wins_a --replicates 99"),
    "one column of wins": ([COUNTS],
                           "rate f --left-wins wins_a --right-wins wins_a --replicates 99"),
    "an order of counts": ([csv_of("a,b,wins_a,wins_b,day", "x,y,2,1,1", "y,z,1,2,2", "z,x,1,1,3")],
                           "rate f --order-by day --replicates 99"),
    "an empty name": ([LOG + ",a,left\n"], "rate f --replicates 99"),
    "scores as sides": ([long_table()],
                        "rate f --left model --right accuracy --winner task --replicates 99"),
    "an odd covariate": ([csv_of("left,right,winner,d", *(
        f"{row},{k % 5 or 'x'}" for k, row in enumerate(LOG.split()[1:])))],
        "rate f --covariate d --replicates 99"),
    "a battle with itself": ([LOG + "a,a,left\n"], "rate f --replicates 99"),
    "too many outcomes": ([csv_of("left,right,winner,result", *(
        f"{row[:3]},w{k},{row[4:]}" for k, row in enumerate(LOG.split()[1:] * 5_100)))],
        "rate f --replicates 99"),
    "each battle dropped": ([LOG.replace("tie", "left")],
                            "rate f --outcomes left=drop --replicates 99"),
    "no battle is meant": ([LOG], "rate f --where left=zonk --replicates 99"),
    "no row is meant": ([PLAIN], f"rank f {B} --candidates rows --where model=zonk"),
    "a bound of words": ([long_table("abcd")], f"rank f {B} --where model>b"),
    "a condition without a sign": ([long_table("abcd")], f"rank f {B} --where model"),
    "no column of scores": ([PLAIN], f"rank f {B} --candidates rows --delimiter ;"),
    "strata of candidates": ([csv_of("model,family,a,b", "x,u,1,2", "y,u,2,1", "z,v,3,1")],
                             f"rank f {B} --candidates rows --stratum family"),
    "candidates that are scores": ([csv_of("model,task,accuracy,size", *(
        f"{m},t{t},{t + k},{k}" for k, m in enumerate("abc") for t in range(9)))],
        f"rank f {B} --judge accuracy --layout long"),
    "an infinite score": ([csv_of("model,a,b", "x,1,2", "y,inf,1", "z,2,2")],
                          f"rank f {B} --candidates rows"),
    "a comma or a point": ([csv_of("model;a;b", "x;1,5;2", "y;3,5;1,5", "z;2,5;2,5")],
                           f"rank f {B} --candidates rows --decimal ."),
    "a timeout among scores": ([csv_of("model,a,b", "x,1,2", "y,timeout,1", "z,2,2")],
                               f"rank f {B} --candidates rows"),
    "a name that comes again": ([csv_of("model,task,a", "x,1,2", "x,2,1", "y,1,2", "y,2,3")],
                                f"rank f {B} --candidates rows"),
    "text of judges": ([csv_of("task,notes,x,y,z", "t1,easy,1,2,3", "t2,hard,2,1,3",
                               "t3,easy,3,1,2")], f"rank f {B}"),
    "nearly no score": ([csv_of("model,task,day,accuracy", *(
        f"m{k},t{k},{k % 5},{k % 7}" for k in range(15_000)))],
        f"rank f {B} --candidate model --judge task --missing available"),
    "scores of several days": ([csv_of("model,task,day,accuracy", *(
        f"{m},t{t},{'mt'[day]},{DRAW.random():.2f}"
        for m in "abc" for t in range(9) for day in (0, 1)))], f"rank f {B}"),
    "equal strata": ([long_table(more="u", column="family")], f"rank f {B} --weight equal-strata"),
    "a table and a log": ([LOG], "convert f --left left --judge right -o new.csv"),
    "a file with nothing new": ([long_table(), csv_of("task", "t1")], f"rank f {B} --with g"),
    "a new name for nobody": ([PLAIN], f"rank f {B} --candidates rows --rename m00=x"),
    "an unknown reference": ([QUALITIES], "rank f --rule ipc-sat --reference zonk"),
    "a cutoff below 0": ([RUNS], "rank f --rule par2 --cutoff -90"),
    "nothing to replicate": ([RUNS], "rank f --rule par2 --reference replicate"),
    "a wrong answer without a score": ([QUALITIES.replace("x,i1,solved", "x,i1,wrong")],
                                       "rank f --rule quality --wrong penalise"),
    "runs without a status": ([csv_of("solver,instance,how", *(
        f"{s},i{i},{'solved' if i + k else 'timeout'}"
        for k, s in enumerate("xyz") for i in range(9)))], "rank f --rule solved"),
    "runs of several days": ([csv_of("solver,instance,day,status,time,cutoff", *(
        f"{s},i{i},{day},solved,{1 + i + k},60" for k, s in enumerate("xyz") for i in range(9)
        for day in (1, 2)))], "rank f --rule par2"),
}  # fmt: skip
# Files after what the reader mends by hand, as the hint says.
MENDED = {
    "goals of both sides": csv_of("home,away,home_goals,away_goals,winner", *(
        f"{row},{('right', 'tie', 'left')[(row[4] > row[6]) - (row[4] < row[6]) + 1]}"
        for row in GOALS)),
    "a table drawn with lines": "model | u | v\na | 1 | 2\nb | 2 | 1\n",
    "a table drawn with dashes": csv_of(*(row for row in RULED if row != RULED[0])),
    "an infinite score": csv_of("model,a,b", "x,1,2", "y,,1", "z,2,2"),
    "a timeout among scores": csv_of("model,a,b", "x,1,2", "y,,1", "z,2,2"),
}  # fmt: skip
IN_TERMINAL = {"all in a short table"}
# What no case reaches, and why.
NOT_REACHED = {
    "data/formats/__init__.py format_of": "our own formats never know one file twice",
    "data/formats/__init__.py open_stream": "a fact of `check`, not a hint",
    "cli/verdict.py verdict": "tests of all pairs of thousands of candidates take minutes",
    "models/aggregation/kemeny.py _order_of": "a proof that takes more than its ten seconds",
    "ranking/functions/kemeny.py remarks": "the same, in a warning",
    "report/contents.py contents_of": "names a command whose options to look at",
    "report/picture.py _refuse": "a saved result does not know the file of its table",
    "report/plot.py refuse_several": "names two commands that take several files",
    "statistics/evidence.py require_judges_drawn": "a plan of one's own, which only Python takes",
}


@pytest.fixture
def ask_in(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def ask(words, *, terminal=False):
        if terminal:
            return in_terminal(*words, folder=tmp_path, NO_COLOR="1")
        done = run(*words)
        return done.exit_code, done.stderr

    return ask


def follow(ask, words, steps):
    """Follow a command and what it hints at; return whether it ends well, and what was said."""
    meaning = "left" if "--outcomes" in words else "timeout"  # where ? is one of ...
    code, said = ask([word.replace("=?", f"={meaning}") for word in words])
    if code == 0:
        return True, said
    further = commands_in(said) if steps else []
    return any(follow(ask, each, steps - 1)[0] for each in further), said


@pytest.fixture(scope="module")
def reached():
    """The places from where commands were made, of every case that was tried."""
    return {}


@pytest.fixture
def tried(ask_in, tmp_path, reached):
    """Return what tries the command of a case in its files."""

    def first(case):
        files, line = CASES[case]
        names = {"f": "first.csv", "g": "second.csv"}
        for name, text in zip(names.values(), files, strict=False):
            content = text() if callable(text) else text
            content = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name).write_bytes(content)
        words = [names.get(word, word) for word in shlex.split(line)]
        with watched(reached.setdefault(case, set())):
            return ask_in(words, terminal=case in IN_TERMINAL)

    return first


@pytest.mark.parametrize("case", CASES)
def test_a_hint_leads_on(tried, ask_in, tmp_path, case):
    code, said = tried(case)
    commands = commands_in(said)
    assert commands, f"no command in: {said} (exit {code})"
    if case in MENDED:
        (tmp_path / "first.csv").write_text(MENDED[case])
    for each in commands:
        well, told = follow(ask_in, each, STEPS)
        assert well, f"{said}\n{shlex.join(each)}\n{told}"


def test_every_command_of_a_hint_is_followed(tried, reached):
    for case in [case for case in CASES if case not in reached]:
        tried(case)
    lines_of = {(Path(file), line) for every in reached.values() for file, line in every}
    missing = {
        place
        for (place, _), lines in places().items()
        if not any((HERE / place.split()[0], line) in lines_of for line in lines)
    }
    assert missing == {*NOT_REACHED}
