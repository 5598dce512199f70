"""Every hint with a command, followed to the letter on the file that caused it, leads on."""

from __future__ import annotations

import ast
import contextlib
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
B = "--better higher"
TASKS = "--tournament task --round split --replicates 99"
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
}  # fmt: skip
# Files after what the reader mends by hand, as the hint says.
MENDED = {"goals of both sides": csv_of("home,away,home_goals,away_goals,winner", *(
    f"{row},{('right', 'tie', 'left')[(row[4] > row[6]) - (row[4] < row[6]) + 1]}" for row in GOALS
))}  # fmt: skip
# Files beside it that the hint says to write.
ROUNDS = {"rounds.csv": csv_of("round,candidate,place", *(
    f"{r},{who},{place}" for r in range(12) for place, who in enumerate("abcbaccab"[r % 3 * 3:][:3])
))}  # fmt: skip
WRITTEN = {"orders": ROUNDS, "orders of numbers": ROUNDS}
IN_TERMINAL = {"all in a short table"}
# What no case reaches, and why.
NOT_REACHED = {
    "data/formats/__init__.py format_of": "our own formats never know one file twice",
    "data/formats/__init__.py open_stream": "a fact of `check`, not a hint",
    "cli/verdict.py verdict": "tests of all pairs of thousands of candidates take minutes",
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
    code, said = ask(words)
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
    for name, text in WRITTEN.get(case, {}).items():
        (tmp_path / name).write_text(text)
    for each in commands:
        said_so = [word.replace("=?", "=timeout") for word in each]  # where ? is one of ...
        well, told = follow(ask_in, said_so, STEPS)
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
