"""Every hint with a command, followed to the letter on the file that caused it, leads on."""

from __future__ import annotations

import ast
import contextlib
import csv
import functools
import io
import random
import re
import shlex
import sys
from pathlib import Path

import pytest

import deadheat
from deadheat.core import errors
from deadheat.data.reading import tables
from terminals import in_terminal

HERE = Path(deadheat.__file__).parent
MAKE_COMMANDS = ("command_with", "command_saying", "ask")
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


def everywhere(old, new):
    """Put one function of ours in the place of another in all modules that have it."""
    for module in [each for name, each in sys.modules.items() if name.startswith("deadheat.")]:
        for name in {old.__name__} & vars(module).keys():
            if vars(module)[name] is old:
                setattr(module, name, new)


@contextlib.contextmanager
def watched(reached):
    """Note from where commands for hints are made."""

    def noting(make):
        @functools.wraps(make)
        def noted(*args, **options):
            caller = sys._getframe(1)
            reached.add((caller.f_code.co_filename, caller.f_lineno))
            return make(*args, **options)

        return noted

    made = [getattr(errors, name) for name in MAKE_COMMANDS]
    pairs = [(make, noting(make)) for make in made]
    for make, noted in pairs:
        everywhere(make, noted)
    try:
        yield
    finally:
        for make, noted in pairs:
            everywhere(noted, make)


def commands_in(said):
    """Return the complete commands that errors, warnings and hints hold, as words.

    Cells of a table are wrapped, and `check` has one with a place for the NAME of a format.
    """
    said = re.sub(r" *\n {9,}", " ", said)
    texts = re.findall(r"(?:: |^)(deadheat (?:[^;\n]|(?<=\S);(?=\S))*)", said, re.MULTILINE)
    return [shlex.split(text.rstrip(". "))[1:] for text in texts if "--from NAME" not in text]


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
LATIN = b"model,a,b,c\n" + b"".join(b"m%0999d,1,%d,3\n" % (k, k) for k in range(2_500))
LATIN += "caf\u00e9,1,2,3\n".encode("latin-1")
PARTS = csv_of("left,right,winner", *(["a,b,left", "b,a,left", "c,d,left", "d,c,left"] * 3))
TOPICS = csv_of("left,right,winner,topic,day", *(
    f"{row},{'uv'[k % 2]},{k % 3}" for k, row in enumerate(LOG.split()[1:] * 3)))  # fmt: skip
QUALITY = csv_of("left,right,winner,len_left,len_right", *(
    f"{row},{(7 * k) % 5},{k % 3}" for k, row in enumerate(LOG.split()[1:] * 3)))  # fmt: skip
COUNTS = csv_of("a,b,wins_a,wins_b", "x,y,2,1", "y,z,1,2", "z,x,1,1")
QUALITIES = csv_of("solver,instance,status,quality", *(
    f"{s},i{i},solved,{1 + i + k}" for k, s in enumerate("xyz") for i in range(9)
))  # fmt: skip
RULED = ["===  ===", "m    u", "===  ===", "a    1", "b    2", "===  ==="]
AGAIN = random.Random(5)
WEIGHED = csv_of("model,task,accuracy,votes", *(
    f"{m},t{t},{AGAIN.random():.3f},{1 + t % 3}" for m in "abc" for t in range(12)
))  # fmt: skip
SPLITS = csv_of("model,task,split,accuracy", *(
    f"{m},t{t},{s},{AGAIN.random():.3f}" for m in "abc" for t in "uv" for s in range(6)
))  # fmt: skip
KINDS = csv_of("model,task,kind,accuracy", *(
    f"{m},t{t},{'uv'[t % 2]},{AGAIN.random():.3f}" for m in "abc" for t in range(12)
))  # fmt: skip
ALONE = csv_of("model,task,kind,accuracy", *(
    f"{m},t{t},{t},{AGAIN.random():.3f}" for m in "abc" for t in range(24)
))  # fmt: skip
FOLDS = csv_of("db,rep,fold,A,B,C", *(
    f"{d},{r},{k},{AGAIN.random():.2f},{AGAIN.random():.2f},{AGAIN.random():.2f}"
    for d in (1, 2, 3, 4) for r in (1, 2) for k in (1, 2, 3)
))  # fmt: skip
GRAPHS = csv_of("Size,Radius,A,B,C", *(
    f"{n},{r},{AGAIN.randint(100, 200)},{AGAIN.randint(100, 200)},{AGAIN.randint(100, 200)}"
    for n in (1000, 2000) for r in (0.1, 0.2) for _ in range(5)
))  # fmt: skip
CASES_OF_TASKS = csv_of("task,alg_name,score,case", *(
    f"{t},{a},{AGAIN.random():.3f},{c}" for t in "uvw" for a in "ABC" for c in range(4)
))  # fmt: skip
BOARD = csv_of("rank,team,u,v", "1,a,0.9,0.8", "2,b,0.8,0.9", "3,c,0.7,0.6")
LEADERS = csv_of("Rank,Model,Score,95% CI,Lab", "1,a,1310,+5/-4,X", "2,b,1305,+6/-6,Y",
                 "3,c,1290,+4/-5,X", "4,d,1250,+5/-5,Z")  # fmt: skip
B = "--better higher"
TASKS = "--tournament task --round split --replicates 99"
# Files, then commands with f for the first file, g for the second; some need a terminal.
CASES = {
    "no direction": ([PLAIN], "verdict f"),
    "one candidate, axioms": ([table(1)], f"axioms --table f {B}"),
    "one candidate": ([table(1)], f"verdict f {B}"),
    "all in a short table": ([PLAIN], f"criteria f {B} --all"),
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
    "nothing but rounds": ([csv_of("model,seed", "a,1", "b,2", "c,4")], f"rank f {B}"),
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
    "numbers of both sides": ([csv_of("home,away,home_xg,away_xg", *GOALS)], "verdict f"),
    "a log with numbers of both sides": (
        [csv_of("home,away,home_xg,away_xg", *GOALS)], "rate f --left home --replicates 99"),
    "a page of a log": ([LOG], "rate f -o page.html --replicates 99"),
    "an anchor that is misspelt": ([LOG], "rate f --anchor A=3 --replicates 99"),
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
        "rate f --each topic --category winner --replicates 99"),
    "two categories of a battle": (
        [TOPICS], "rate f --category topic --category day --replicates 99"),
    "categories that lack somebody": (
        [TOPICS + "a,d,left,w,1\nd,a,left,w,2\n"],
        "rate f --category topic --show tournaments --replicates 99"),
    "tournaments of a log": ([TOPICS], "rate f --tournament topic --replicates 99"),
    "a check of a log": ([TOPICS], "check f"),
    "a check of a log by a function": ([TOPICS], "check f --by mean"),
    "a style": ([QUALITY], "rate f --style length --replicates 99"),
    "a quality of no column": ([QUALITY], "rate f --covariate length --replicates 99"),
    "a joined file": ([long_table(), csv_of("task,family", *(f"t{k},{k % 3}" for k in range(12)))],
                      f"verdict f {B} --with g"),
    "a joined file of candidates": (
        [long_table(), csv_of("model,team", "a,x", "b,x", "c,y")], f"verdict f {B} --with g"),
    "a log of numbers": ([csv_of("task,left,right,winner", *(
        f"t{k},{k % 4},{k % 3 + 4},{(k % 4, k % 3 + 4)[k % 2]}" for k in range(24)))],
        f"verdict f {B}"),
    "runs that come again": ([RUNS + RUNS.partition("\n")[2]], "rank f --rule par2"),
    "two candidates, unnamed": ([PLAIN], f"compare f {B}"),
    "two candidates, one named": ([PLAIN], f"compare f m1 {B} --by median"),
    "two candidates, both misspelt": ([PLAIN], f"compare f m1x m2y {B}"),
    "tracks that are ranked as one": ([KINDS.replace("kind", "track")], f"rank f {B}"),
    "two candidates, one misspelt": ([PLAIN], f"compare f m1x m2 {B} --by median --alpha 0.1"),
    "a misspelt file": ([PLAIN], f"rank firts.csv {B}"),
    "no delimiter at all": ([PLAIN], f"rank f {B} --delimiter ''"),
    "calibration of an advantage, drawn": (
        [LOG], "plot f calibration --advantage --replicates 99 -o fig.svg"),
    "calibration of other steps, drawn": (
        [LOG], "plot f calibration --model elo --step 8 -o fig.svg"),
    "a column that is left out": ([csv_of("family,kind,instance,status,time", *(
        f"{s},{s}1,i{k},ok,{k + 1}" for s in "abc" for k in range(9)))],
        "score f --rule par2 --cutoff 60 --ignore family"),
    "scores for a rule": ([long_table()], f"score f --layout long {B}"),
    "a rule as a function": ([RUNS], "verdict f --by PAR2"),
    "a rule misspelt": ([RUNS], f"rank f --rule pra2 {B}"),
    "a picture of each track": ([TRACKS], f"plot f intervals {B} --each track -o fig.svg"),
    "a picture of runs": ([PLAIN], f"plot f cactus {B} -o fig.svg"),
    "one score, intervals beside it": ([LEADERS], "verdict f"),
    "one score, intervals, direction told": ([LEADERS], f"rank f {B} --ignore Rank --ignore Lab"),
    "one score, the rank left in": ([LEADERS],
                                    f"rank f {B} --ignore Lab --standard-error '95% CI'"),
    "one score, errors beside it": ([csv_of("model,acc,stderr", "a,3,1", "b,2,1", "c,1,1")],
                                    f"rank f {B}"),
    "one score, two ends beside it": ([csv_of("model,acc,lo,hi", "a,3,2,4", "b,2,1,3")], "rank f"),
    "one score, two ends, rank and votes": ([csv_of("rank,model,acc,lo,hi,votes", "1,a,30,27,33,9",
        "2,b,29,27,31,7", "3,c,20,18,22,8")], f"rank f {B}"),
    "errors for two scores": ([csv_of("model,u,v,se", "a,3,1,1", "b,2,5,1", "c,1,1,1")],
                              f"rank f {B} --standard-error se"),
    "errors that are words": ([csv_of("model,acc,se", "a,3,1", "b,2,wide", "c,1,1")],
                              f"rank f {B} --standard-error se"),
    "errors of columns": ([csv_of("task,u,v,se", "a,3,1,1", "b,2,5,1")],
                          f"rank f {B} --standard-error se --candidates columns"),
    "an interval of three ends": ([csv_of("model,acc,u,v,w", "a,3,1,2,3", "b,2,1,2,3")],
        f"rank f {B} --standard-error u --standard-error v --standard-error w"),
    "nothing to resample": ([csv_of("model,acc", "a,0.9 ± 0.1", "b,0.8 ± 0.1", "c,0.7 ± 0.1")],
                            f"verdict f {B} --strict"),
    "runs on one instance": ([csv_of("solver,instance,status,time", "x,i,solved,1",
                                     "y,i,timeout,60")], "verdict f --rule solved"),
    "one score, no error": ([csv_of("model,acc", "a,0.9", "b,0.8", "c,0.7")], f"verdict f {B}"),
    "a rule on times without a limit": ([csv_of("instance,a,b", "i,1,2", "j,3,4", "k,5,6")],
                                        "rank f --rule solved"),
    # cli, core, report, axioms, agree, compare, criteria, ranking, verdict, reproduce
    "a command misspelt": ([PLAIN], f"verdikt f {B}"),
    "an option misspelt": ([PLAIN], f"rank f {B} --tops 3"),
    "an option of another command": ([PLAIN], f"rank f {B} --strict"),
    "an option of another command with a value": ([PLAIN], f"rank f {B} --plan jackknife"),
    "an option without its value": ([PLAIN], f"rank f {B} --by"),
    "a word that an option lacks": ([PLAIN], "rank f --better high"),
    "a number that is none": ([PLAIN], f"verdict f {B} --seed x"),
    "a function misspelt": ([PLAIN], f"rank f {B} --by mean,mdian"),
    "reading without a table": ([PLAIN], f"axioms mean --only majority {B} --no-header"),
    "no function": ([PLAIN], f"rank f {B} --by ,"),
    "two functions for one": ([PLAIN], f"verdict f {B} --by mean,median"),
    "two formats": ([PLAIN], f"rank f {B} --json --format csv"),
    "a format that no name says": ([PLAIN], f"rank f {B} -o fig.foo"),
    "a pair in one word": ([PLAIN], f"plot f scatter {B} --pair m0,m1 -o fig.svg"),
    "a pair in one option": ([PLAIN], f"plot f scatter {B} --pair=m0,m1 -o fig.svg"),
    "a pair of nobody": ([PLAIN], f"plot f scatter {B} -o fig.svg"),
    "a picture without a kind": ([PLAIN], f"plot f {B} -o fig.svg"),
    "a picture with foreign options": (
        [PLAIN], f"plot f ranks {B} --pair m0 m1 --strict -o fig.svg"),
    "a saved picture with options": ([saved], "plot f rank-lines --by mean --no-header -o fig.svg"),
    "a picture of no format": ([PLAIN], f"plot f intervals {B} -o fig.gif"),
    "a picture too wide": ([PLAIN], f"plot f intervals {B} -o fig.svg --width 99999"),
    "a picture too sharp": ([PLAIN], f"plot f intervals {B} -o fig.png --scale 99"),
    "a picture by two functions": ([PLAIN], f"plot f intervals {B} --by mean,median -o fig.svg"),
    "all pairs by duels": ([table(3, 12)], f"plot f significance {B} --by copeland -o fig.svg"),
    "infinite scores in colours": (
        [csv_of("model,u,v,w", "a,1,2,", "b,2,1,4", "c,3,4,1")],
        f"plot f heat-map {B} --missing last-rank --candidates rows -o fig.svg",
    ),
    "calibration of Elo": ([LOG], "plot f calibration --model elo -o fig.svg"),
    "a page of no log": ([PLAIN], f"report f {B} --largest-part --min-matches 3"),
    "a page of a log by a function": ([LOG], "report f --by mean --replicates 99"),
    "a page that is no page": ([PLAIN], f"report f {B} --replicates 99 -o page.csv"),
    "a page of two tables": ([PLAIN, PLAIN], f"report f g {B} --replicates 99"),
    "a bundle over a file": ([PLAIN], f"report f {B} --replicates 99 --bundle f"),
    "a bundle here": ([PLAIN], f"report f {B} --replicates 99 --bundle ."),
    "a show of two tables": ([PLAIN, PLAIN], f"agree f g {B} --show clusters"),
    "a correlation of nothing": ([PLAIN], f"agree f {B} --correlation kendall"),
    "clusters above 1": ([PLAIN], f"agree f {B} --threshold 2"),
    "a threshold for two tables": ([PLAIN, PLAIN], f"agree f g {B} --threshold 0.7"),
    "clusters of very many": ([table(2, 5001)], f"agree f {B} --show clusters --candidates rows"),
    "holes in agreement": ([csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
                           f"agree f {B} --candidates rows --missing available"),
    "a table for a function": ([PLAIN], "axioms f"),
    "a budget of none": ([PLAIN], "axioms mean --only majority --budget 0"),
    "a budget for a table": ([PLAIN], f"axioms --table f {B} --budget 99"),
    "no trials": ([PLAIN], f"criteria f {B} --trials 0 --q 3"),
    "one ranking to compare": ([PLAIN], f"criteria f {B} --trials 9 --q 1"),
    "the baseline alone": ([PLAIN], f"criteria f {B} --trials 9 --q 3 --by random_dictator"),
    "a benchmark without a name": ([PLAIN, PLAIN], f"criteria f g {B} --trials 9 --benchmark x"),
    "two benchmarks of a table": ([PLAIN, PLAIN],
        f"criteria f g {B} --trials 9 --benchmark x=first.csv --benchmark y=first.csv"),
    "holes in criteria": ([csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
                          f"criteria f {B} --trials 9 --candidates rows --missing available"),
    "stability of convergence": (
        [PLAIN], f"criteria f {B} --show convergence --trials 9 --q 3 --compat esann-notebook"),
    "one panel": ([PLAIN], f"criteria f {B} --show convergence --trials 1"),
    "nowhere to write": ([PLAIN], f"convert f {B}"),
    "a weight that is none": ([csv_of("model,data,fold,acc", *(
        f"{m},{d},{k},{DRAW.random():.2f}" for m in "abc" for d in "uv" for k in range(9)))],
        f"rate f {B} --tournament data --round fold --tournament-weight u --replicates 99"),
    "a weight without tournaments": ([PLAIN], f"rate f {B} --tournament-weight u=2"),
    "tuning, and more": ([csv_of("model,algorithm,fold,acc", *(
        f"{m}{s},{m},{k},{DRAW.random():.2f}" for m in "ab" for s in "xyz" for k in range(9)))],
        f"rate f {B} --candidate model --round fold --show matrix --more-trials 3"),
    "the first none": ([PLAIN], f"rank f {B} --top 0"),
    "a seed below 0": ([PLAIN], f"verdict f {B} --seed -1"),
    "a size that is none": ([PLAIN], f"rank f {B} --memory lots"),
    "resamples beyond memory": ([PLAIN], f"verdict f {B} --memory 300MB --replicates 99999999"),
    "groups of no file": ([PLAIN], f"verdict f {B} --fail-on groups-changed:old.json"),
    "settled without resamples": ([PLAIN], f"verdict f {B} --plan jackknife --until-settled"),
    "a choice that a paper leaves not": (
        [PLAIN], f"verdict f {B} --compat fawcett-paper --leader best-score"),
    "a strict paper": ([PLAIN], f"verdict f {B} --compat fawcett-paper --strict"),
    "with itself": ([PLAIN], f"compare f m1 m1 {B}"),
    "an official order of others": ([PLAIN, "x,1\ny,2\n"], f"verdict f {B} --official g"),
    "an official order that is not there": ([PLAIN], f"verdict f {B} --official old.csv"),
    "scores below 0": ([csv_of("model,u,v,w", "a,1,2,-3", "b,2,1,4", "c,3,4,1")],
                       f"rank f {B} --by geometric_mean --candidates rows"),
    "scores below 0, axioms": ([csv_of("model,u,v,w", "a,1,2,-3", "b,2,1,4", "c,3,4,1")],
                               f"axioms geometric_mean --table f {B} --candidates rows"),
    "holes for duels": ([csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
                        f"rank f {B} --by plurality --missing available --candidates rows"),
    "the last rank for a mean": (
        [csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
        f"rank f {B} --by mean --missing last-rank --candidates rows"),
    "a folder that is not there": (
        [PLAIN], "reproduce pavao2021 table1 --trials 20 --data nowhere"),
    # data: reading, formats, scoring, missing
    "a weight beside scores": ([csv_of("task,weight,a,b", "i,1,80,70", "j,3,60,50", "k,2,90,71")],
                               f"rank f {B}"),
    "empty cells of runs": ([csv_of("instance,a,b,c", "i,900,20,", "j,30,,400", "k,5,6,7")],
                            "rank f --better lower"),
    "a table that is shown": ([PLAIN], "show f"),
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
    "outcomes of two readings": (
        [csv_of("left,right,winner", *(["a,b,1", "b,c,2", "c,a,0", "a,b,2", "b,c,1"] * 4))],
        "rate f --replicates 99",
    ),
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
        f"m{k % 1_100},t{k},{k % 5},{k % 7}" for k in range(19_000)))],
        f"rank f {B} --candidate model --judge task --missing available"),
    "scores of several days": ([csv_of("model,task,day,accuracy", *(
        f"{m},t{t},{'mt'[day]},{DRAW.random():.2f}"
        for m in "abc" for t in range(9) for day in (0, 1)))], f"rank f {B}"),
    "perhaps times": ([csv_of("instance,a,b,c", *(
        f"i{k},{k + 0.5},{5000 if k % 3 else k + 1.25},{2 * k + 1.5}" for k in range(12)))], "f"),
    "perhaps times with holes": ([csv_of("instance,kind,a,b,c", *(
        f"i{k},{'uv'[k % 2]},{k + 0.5},{k + 1.25 if k % 3 else ''},{2 * k + 1.5}"
        for k in range(12)))], "f --better lower"),
    "equal strata": ([long_table(more="u", column="family")], f"rank f {B} --weight equal-strata"),
    "equal strata of runs": (
        [csv_of("solver,instance,family,status,time", *(f"{s},i{k},f{k % 2},ok,{k + 1}"
                for s in "ab" for k in range(6)))],
        "rank f --rule par2 --cutoff 10 --weight equal-strata"),
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
    # rate, models, statistics, resampling, consensus, influence
    "a plan that a formula does not draw": ([PLAIN],
                                            f"rate f {B} --errors fisher --plan jackknife"),
    "a setting of another model": ([PLAIN], f"rate f {B} --model gaussian --ties davidson"),
    "a base without points": ([LOG], "rate f --base 3 --replicates 99"),
    "a base below 1": ([LOG], "rate f --scale elo --base 0.5 --replicates 99"),
    "no centre": ([LOG], "rate f --centre nan --replicates 99"),
    "an anchor and a centre": ([LOG], "rate f --anchor a=3 --centre 5 --replicates 99"),
    "an anchor without a number": ([LOG], "rate f --anchor a=high --replicates 99"),
    "rankings of a log": ([LOG], "rate f --model plackett-luce --replicates 99"),
    "no step": ([LOG], "rate f --model elo --step 0 --replicates 99"),
    "elo by a formula": ([LOG], "rate f --model elo --errors fisher --replicates 99"),
    "elo of a table": ([PLAIN], f"rate f {B} --model elo --step 8 --shuffles 3 --replicates 99"),
    "weights in the order of a log": ([WEIGHED], f"rate f {B} --model gaussian --weight votes"),
    "no least number": ([LOG], "rate f --min-matches 0 --replicates 99"),
    "parts of a table": ([PLAIN], f"rate f {B} --largest-part --replicates 99"),
    "rounds of tasks": ([SPLITS], f"rate f {B} --candidate model --judge task --replicates 99"),
    "a log that no name tells": ([csv_of("day,x,y,z", *(
        f"d{k},{row}" for k, row in enumerate(["p,q,p", "q,r,q", "r,p,p", "q,p,q", "r,q,q"] * 4)))],
        f"rate f {B} --replicates 99"),
    "orders": ([csv_of("1,2,3", *["ann,bob,cyd", "bob,ann,cyd", "cyd,ann,bob", "ann,cyd,bob"] * 3)],
               f"rate f {B} --replicates 99"),
    "orders of numbers": ([csv_of("1,2,3", *["7,8,9", "8,7,9", "9,7,8", "7,9,8"] * 3)],
                          f"rate f {B} --replicates 99"),
    "tournaments without rounds": ([SPLITS], f"rate f {B} --tournament task --replicates 99"),
    "a round of two tournaments": ([csv_of("model,task,dataset,accuracy", *(
        f"{m},t{t},{d},{AGAIN.random():.3f}" for m in "abc" for t in range(6) for d in "uv"))],
        f"rate f {B} --tournament dataset --replicates 99"),
    "a role of tables": ([csv_of("left,right,winner,votes", *(
        f"{'abc'[k % 3]},{'de'[k % 2]},{'left' if k % 5 else 'right'},{k}" for k in range(24)))],
        f"rate f {B} --candidate left --judge right --score votes --combine mean --replicates 99"),
    "two kinds of parts": ([KINDS], f"rate f {B} --each kind --tournament kind --replicates 99"),
    "clusters beside tournaments": ([csv_of("model,task,track,lot,accuracy", *(
        f"{m},t{t},{'uv'[t % 2]},{t % 3},{AGAIN.random():.3f}" for m in "abc" for t in range(12)))],
        f"rate f {B} --tournament track --cluster lot --replicates 99"),
    "rounds beside judges": ([SPLITS], f"rate f {B} --judge task --round split --replicates 99"),
    "costs of battles": ([LOG], "rate f --cost a --replicates 99"),
    "no replicates": ([LOG], "rate f --replicates 0"),
    "a weight below 0": ([SPLITS], f"rate f {B} {TASKS} --tournament-weight tu=-1"),
    "no weight at all": ([SPLITS],
        f"rate f {B} {TASKS} --tournament-weight tu=0 --tournament-weight tv=0"),
    "too few simulations": ([LOG], "rate f --simulations 3 --replicates 99"),
    "simulations below 0": ([LOG], "rate f --simulations -1 --replicates 99"),
    "replicates of a formula": ([LOG], "rate f --errors fisher --interval percentile"),
    "a test of replicates": ([LOG], "rate f --errors fisher --test max-t"),
    "strata of a log": ([LOG], "rate f --plan stratified --replicates 99"),
    "matches of a few": ([LOG + "".join(f"a,n{k},left\n" for k in range(9))],
                         "rate f --plan bootstrap --replicates 99"),
    "scores of a few": ([csv_of("model,a,b,c,d,e", "x,1,2,3,4,5", "y,2,1,5,3,4", *(
        f"m{k}{',' * (k + 1)}{k}{',' * (4 - k)}" for k in range(5)))],
        f"rate f {B} --missing available --replicates 99"),
    "one that is rated": ([table(1)], f"rate f {B} --candidates rows"),
    "a plan that leaves out": ([PLAIN], f"rate f {B} --plan jackknife"),
    "one round": ([csv_of("model,a", "x,1", "y,2", "z,3")], f"rate f {B} --candidates rows"),
    "one battle, in order": ([csv_of("left,right,winner", "a,b,left")], "rate f --model elo"),
    "calibration in order": ([LOG], "rate f --model elo --step 8 --show calibration"),
    "calibration of sides": ([LOG], "rate f --advantage --show calibration --replicates 99"),
    "ensembles without a sign": ([csv_of("model,t0,t1,t2,t3", "a,1,2,3,5", "b,2,1,4,3",
                                         "a+b,3,3,2,4")],
                                 f"rate f {B} --candidates rows --show ensembles --replicates 99"),
    "means of one": ([PLAIN], f"rate f {B} --show means --replicates 99"),
    "trials by another model": ([PLAIN], f"rate f {B} --model plackett-luce --show tuning"),
    "no more trials": ([PLAIN], f"rate f {B} --more-trials 0 --replicates 99"),
    "a strength without a penalty": ([LOG], "rate f --strength 2 --replicates 99"),
    "no strength": ([LOG], "rate f --penalty ridge --strength 0 --replicates 99"),
    "no finite ratings": ([csv_of("left,right,winner", *["a,b,left", "b,c,left"] * 4)],
                          "rate f --penalty none --replicates 99"),
    "only ties": ([csv_of("left,right,winner", *["a,b,tie", "b,c,tie", "c,a,tie"] * 4)],
                  "rate f --penalty none --ties davidson --replicates 99"),
    "a covariate of one value": ([csv_of("left,right,winner,one,other", *(
        f"{row},3,2" for row in LOG.split()[1:]))],
        "rate f --covariate gap=one,other --replicates 99"),
    "members that are always together": ([csv_of("left,right,winner", *[
        "a+b,c,left", "c,a+b,left", "c,d,left", "d,c,left"] * 4)], "rate f --teams +"),
    "a side of its own": ([csv_of("left,right,winner", *["a,c,left", "b,c,right", "b,d,left",
                                                           "a,d,right"] * 4)],
                          "rate f --teams / --advantage --replicates 99"),
    "a quality of candidates": ([csv_of("left,right,winner,one,other", *(
        f"{row},{ord(row[0])},{ord(row[2])}" for row in LOG.split()[1:]))],
        "rate f --covariate size=one,other --replicates 99"),
    "no sign of members": ([LOG], "rate f --teams '' --replicates 99"),
    "an empty member": ([LOG.replace("a,", "a+,")], "rate f --teams + --replicates 99"),
    "a member twice": ([LOG.replace("a,", "x+x,")], "rate f --teams + --replicates 99"),
    "circumstances that say all": ([csv_of("left,right,winner", *["a,b,left", "b,a,left"] * 4)],
                                   "rate f --advantage --penalty none --replicates 99"),
    "many ties": ([csv_of("model,a,b,c", *(f"m{k},1,{k},{k % 7}" for k in range(25)))],
                  f"rate f {B} --candidates rows --model plackett-luce --replicates 99"),
    "all tied": ([csv_of("model,a,b,c", "x,1,2,3", "y,1,2,3", "z,1,2,3")],
                 f"rate f {B} --candidates rows --model plackett-luce --replicates 99"),
    "rankings without a penalty": ([csv_of("model,a,b,c", "x,1,2,3", "y,2,3,4", "z,3,4,5")],
        f"rate f {B} --candidates rows --model plackett-luce --penalty none"),
    "orders below 0": ([LOG], "rate f --model elo --shuffles -1 --replicates 99"),
    "a member of both sides": ([csv_of("left,right,winner", *["a+b,a+c,left", "b,c,right",
                                                                "a+c,b,left", "a,b,right"] * 4)],
                               "rate f --teams + --model gaussian"),
    "weak, by another distance": ([PLAIN], f"consensus f {B} --distance footrule --weak"),
    "no time": ([PLAIN], f"consensus f {B} --time-limit 0"),
    "a distance without holes": ([csv_of("model,u,v,w,x", "a,1,2,,3", "b,2,1,4,5", "c,3,4,1,2")],
        f"consensus f {B} --candidates rows --distance footrule --missing available"),
    "a distance without ties": ([csv_of("model,u,v,w", "a,1,2,2", "b,1,1,4", "c,3,4,1")],
                                f"consensus f {B} --candidates rows --distance cayley"),
    "no strata to leave out": ([PLAIN], f"influence f {B} --over strata"),
    "one cluster to leave out": ([long_table(more="u", column="lot")],
                                 f"influence f {B} --cluster lot"),
    "one judge to leave out": ([csv_of("model,a", "x,1", "y,2", "z,3")],
                               f"influence f {B} --candidates rows"),
    "no scheduler": ([PLAIN], f"verdict f {B} --engine dask://:x --replicates 999"),
    "a scheduler that does not answer": ([PLAIN],
        f"verdict f {B} --engine dask://127.0.0.1:9 --replicates 999"),
    "too many threads": ([PLAIN], f"verdict f {B} --engine threads:9999 --replicates 999"),
    "a cluster of two strata": ([csv_of("model,task,lot,kind,accuracy", *(
        f"{m},t{t},{t % 6},{t % 4},{AGAIN.random():.3f}" for m in "abc" for t in range(24)))],
        f"verdict f {B} --cluster lot --stratum kind"),
    "a checkpoint that is a file": ([PLAIN], f"verdict f {B} --checkpoint f"),
    "no strata to draw in": ([PLAIN], f"verdict f {B} --plan stratified"),
    "no resamples": ([PLAIN], f"verdict f {B} --replicates 0"),
    "one score each": ([csv_of(f"model,{','.join(f't{k}' for k in range(30))}", *(
        f"m{k}{',' * (k + 1)}{k}{',' * (29 - k)}" for k in range(30)))],
        f"verdict f {B} --candidates rows --missing available --by mean --replicates 999"),
    "strata of one": ([ALONE], f"verdict f {B} --stratum kind"),
    "strata of one, compared": ([ALONE], f"compare f a b {B} --stratum kind"),
    "an interval of means": ([PLAIN], f"verdict f {B} --by copeland --interval bootstrap-t"),
    "an interval of draws": ([PLAIN],
        f"verdict f {B} --by mean --plan subsample --interval bootstrap-t"),
    "an interval of the jackknife": ([PLAIN], f"verdict f {B} --plan jackknife --interval basic"),
    "an interval of shares": ([PLAIN], f"verdict f {B} --interval wilson"),
    "shares of other scores": ([PLAIN], f"verdict f {B} --by mean --interval wilson"),
    "too few for alpha": ([PLAIN], f"verdict f {B} --replicates 99 --alpha 0.001"),
    "alpha in percent": ([PLAIN], f"verdict f {B} --alpha 5"),
    "unequal judges": ([WEIGHED], f"verdict f {B} --weight votes --test nemenyi"),
    "what no judge contributes": ([PLAIN], f"verdict f {B} --by copeland --test sign-flip"),
    "what no judge contributes, flipped": ([PLAIN],
        f"verdict f {B} --by copeland --p-value sign-flip"),
    "a long table, all open": ([csv_of("task,alg_name,score,case", *(
        f"{t},{a},{AGAIN.random():.3f},{c}" for t in "uvw" for a in "ABC" for c in range(4)))],
        "verdict f"),
    "solvers as printed": ([csv_of("track,solver_as_printed,total_solved,sat_solved", *(
        f"{t},{s},{9 * k + j},{k}" for j, t in enumerate(("main", "parallel", "incremental"))
        for k, s in enumerate(("Riss", "Lingeling", "Glucose"))))], "verdict f"),
    "times, mostly empty": ([csv_of("solver,u,v,w,x", "a,1,,,3", "b,,2,,", "c,,,5,4", "d,2,,,")],
                            "rank f --better lower --candidates rows --by copeland"),
    "solvers in columns, and a rule": ([OPEN], "verdict f --rule par2"),
    "solvers in columns, nobody fails": ([OPEN], "verdict f --rule solved"),
    "solvers in columns, some time out": (
        [re.sub(r",0[.][89]\d+$", ",TO", OPEN, flags=re.MULTILINE)], "verdict f"),
    "time-outs among times": ([csv_of("solver,instance,time", *(
        f"{s},i{i},{'TO' if i == k else 9 * k + i}"
        for k, s in enumerate("xyz") for i in range(9)))], "verdict f"),
    "a word of one's own among times": ([csv_of("solver,instance,time", *(
        f"{s},i{i},{'slept' if i == k else 9 * k + i}"
        for k, s in enumerate("xyz") for i in range(9)))], "verdict f --rule par2 --cutoff 90"),
    "nothing is verified": ([RUNS], "rank f --rule par2 --cutoff 60 --unverified unsolved"),
    "a condition with blanks": ([KINDS], f"rank f {B} --where 'kind > u'"),
    "folds without names": ([FOLDS], f"verdict f {B}"),
    "folds of a data set": ([FOLDS], f"verdict f {B} --judge db"),
    "folds that are left out": ([FOLDS], f"verdict f {B} --judge db --ignore rep --ignore fold"),
    "folds that are counted": (
        [FOLDS], f"verdict f {B} --candidates columns --ignore db --ignore rep --ignore fold"),
    "folds, averaged without names": ([FOLDS], f"rank f {B} --candidates columns --combine mean"),
    "one fold of each data set": ([FOLDS], f"rank f {B} --judge fold --combine mean"),
    "two labels of a data set": ([FOLDS], f"rank f {B} --judge db --combine mean --stratum rep"),
    "seeds of unnamed rows": ([SEEDS.replace("model", "x of it")], f"rank f {B}"),
    "sizes of a radius": ([GRAPHS], f"rank f {B} --judge Radius --combine mean"),
    "graphs of a size": ([GRAPHS], f"verdict f {B} --candidates columns"),
    "two formats of one table": ([csv_of("Username,TeamId,TeamName,Score,Road(1)-acc",
        "u,1,x,2,3", "v,2,y,3,4", "w,3,z,4,5")], f"rank f {B}"),
    "no table of this format": ([PLAIN], f"rank f {B} --from kaggle"),
    "cases of tasks, all open": ([CASES_OF_TASKS], "verdict f"),
    "cases of tasks, which judge": (
        [CASES_OF_TASKS], f"rank f {B} --candidate alg_name --score score"),
    "cases of tasks": ([CASES_OF_TASKS], f"rank f {B} --judge case"),
    "cases of tasks, averaged": ([CASES_OF_TASKS], f"rank f {B} --judge case --combine mean"),
    "cases of tasks in strata": (
        [CASES_OF_TASKS], f"rank f {B} --judge case --combine judges --stratum task"),
    "two judges with a comma": ([CASES_OF_TASKS], f"rank f {B} --judge task,case"),
    "seeds": ([csv_of("model,dataset,seed,acc", *(
        f"{m},d{k},{s},{AGAIN.random():.3f}" for m in "abc" for k in range(9) for s in (1, 2)))],
        f"rank f {B}"),
    "a column of ranks, direction told": ([BOARD], f"rank f {B}"),
    "kept and left out": ([BOARD], f"rank f {B} --keep rank --ignore rank"),
    "counts in brackets": ([csv_of("model,u,v", "a,0.84 (5),12", "b,0.80,10", "c,0.81,30")],
                           f"rank f {B} --candidates rows"),
    "digits in brackets": ([csv_of("model,u,v", "a,0.84 (5),12 (2)", "b,0.80 (5),10 (2)")],
                           f"rank f {B} --candidates rows"),
    "scores that are no runs": ([long_table()], "score f"),
    "voters and sessions": ([csv_of("left,right,winner,voter,session", *(
        f"{row},{k % 5},{k % 4}" for k, row in enumerate(LOG.split()[1:])))],
        "rate f --cluster voter --cluster session --replicates 99"),
    "a long table read as a wide one": ([csv_of("model,task,score", "a,t,1", "b,t,2", "c,u,3")],
                                        f"rank f {B} --layout wide --candidate model"),
}  # fmt: skip
# Files after what the reader mends by hand, as the hint says.
MENDED = {
    "a table drawn with lines": "model | u | v\na | 1 | 2\nb | 2 | 1\n",
    "a table drawn with dashes": csv_of(*(row for row in RULED if row != RULED[0])),
    "an infinite score": csv_of("model,a,b", "x,1,2", "y,,1", "z,2,2"),
    "a timeout among scores": csv_of("model,a,b", "x,1,2", "y,,1", "z,2,2"),
}  # fmt: skip
IN_TERMINAL = {"all in a short table", "a check of a log"}
# What no case reaches, and why.
NOT_REACHED = {
    "compare/api.py comparison": "only a function of one's own gives no merit",
    "axioms/api.py _require_time": "what it leads to takes an hour",
    "cli/commands.py _warn_of_a_wait": "what it warns of takes minutes",
    "cli/report.py _page": "somebody else's report.html: test_cli_files follows it",
    "cli/user_functions.py _each_named": "a file of functions: test_cli_own follows it",
    "models/aggregation/kemeny.py _order_of": "a proof that takes more than its ten seconds",
    "ranking/functions/kemeny.py remarks": "the same, in a warning",
    "models/rating/bradley_terry.py estimate": "more than ten thousand candidates",
    "rate/models.py _in_order": "counts without an order, which only Python gives",
    "rate/models.py online_elo": "500,000,000 moves of ratings take minutes",
    "resampling/checkpoint.py _require_same": "a folder that another command has filled",
    "resampling/cluster.py _distributed": "Dask may be there",
    "resampling/tasks.py again_here": "a worker that lacks a package",
    "resampling/tasks.py content": "a function of one's own that holds a lock",
    "resampling/tasks.py lost": "a worker that was killed",
    "statistics/strict_groups.py _require_patience": "tests of all pairs that take an hour",
    "models/rating/plackett_luce.py plackett_luce": "no small table is known that does not settle",
    "report/plots/pairs.py _all_pairs": "`plot` asks for these tests; in Python nobody may have",
    "report/picture.py _refuse": "a saved result does not know the file of its table",
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
def tried(ask_in, tmp_path, reached, monkeypatch):
    """Return what tries the command of a case in its files."""
    monkeypatch.setattr(tables, "LARGE", 20_000_000)  # cells, of which nearly all are empty

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


TEXTS = csv_of("item,dataset,question", *(f"{k},u{k % 3},why {k}?" for k in range(9)))


@pytest.mark.parametrize("more", ["", f"{B} --ignore dataset --ignore question"])
def test_a_file_without_scores_says_so_and_leads_in_no_circle(ask_in, tmp_path, more):
    (tmp_path / "first.csv").write_text(TEXTS)
    code, said = ask_in(["verdict", "first.csv", *more.split()])
    assert code == 3
    assert "holds no scores, only 'item' (0, 1, 2, ...), 'dataset' (u0, u1, u2)" in said
    assert commands_in(said) == []


def test_names_that_come_again_are_told_all_and_their_mean_is_offered(ask_in, tmp_path):
    names = ["x", "y", "x", "z", "y", "w", "z"]
    rows = (f"{name},{k},{k % 3},{k % 2}" for k, name in enumerate(names))
    (tmp_path / "first.csv").write_text(csv_of("model,u,v,w", *rows))
    _, said = ask_in(["verdict", "first.csv"])
    assert "'x' appears twice, in line 2 and line 4; so do 'y', 'z'" in said
    *_, command = commands_in(said)
    assert {"--candidate", "model", "--combine", "mean"} <= {*command}


@pytest.mark.parametrize(
    ("content", "likely"),
    [
        (csv_of("left,right,winner,votes", *(["a,b,left,3", "b,c,left,2"] * 5)), "rate first.csv"),
        (csv_of("model,instance,resolved,cost", "a,u,1,3", "b,u,0,2", "a,v,0,1", "b,v,1,1"),
         "first.csv --better higher"),
        (csv_of("model,pass rate,f", "a,1,3", "b,0,2"), "first.csv --better higher"),
        (csv_of("model,runtime,f", "a,1,3", "b,0,2"), "first.csv --better lower"),
    ],
)  # fmt: skip
def test_the_likely_way_comes_first(ask_in, tmp_path, content, likely):
    (tmp_path / "first.csv").write_text(content)
    _, said = ask_in(["first.csv"])
    assert shlex.join(commands_in(said)[0]).startswith(likely), said


@pytest.mark.parametrize(
    ("content", "line", "kept"),
    [
        (TRACKS, f"rank f {B} --where track>b --where task!=t1",
         ["--where track=b --where task!=t1", "--where track!=b --where task!=t1"]),
        (TRACKS, f"rank f {B} --where track --where task!=t1", ["--where track!=", "task!=t1"]),
        (LOG, "rate f --covariate len=a,b --covariate x=", ["--covariate len=a,b"]),
        (LOG, "rate f --covariate len=a,b --covariate x=c,d,e",
         ["--covariate len=a,b --covariate x=c,d"]),
    ],
)  # fmt: skip
def test_a_hint_keeps_the_other_values_of_an_option(ask_in, tmp_path, content, line, kept):
    (tmp_path / "first.csv").write_text(content)
    _, said = ask_in(shlex.split(line.replace(" f ", " first.csv ")))
    commands = "\n".join(" ".join(words) for words in commands_in(said))
    assert all(part in commands for part in kept), said


@pytest.mark.parametrize(("better", "told"), [("lower", True), ("higher", False)])
def test_most_cells_of_times_are_empty_where_nothing_was_solved(ask_in, tmp_path, better, told):
    (tmp_path / "first.csv").write_text(CASES["times, mostly empty"][0][0])
    _, said = ask_in(["first.csv", "--better", better, "--candidates", "rows"])
    assert ("where empty means not solved" in said) == told, said


def test_a_folder_of_no_known_format_is_called_a_folder(ask_in, tmp_path):
    (tmp_path / "race").mkdir()
    for name in ("a.csv", "notes.txt"):
        (tmp_path / "race" / name).write_text(PLAIN)
    _, said = ask_in(["race"])
    assert "race is a folder of 2 files, not a table. There are a.csv, notes.txt." in said


@pytest.mark.last
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
