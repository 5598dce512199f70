"""Record everything that deadheat prints and writes, and compare two recordings.

Modules are moved and merged, and no answer may change. Tests prove what somebody thought of; a
recording proves the rest: every command, format, picture and error message, word for word.

    python tools/golden.py record /tmp/golden/base --src src --jobs 2
    python tools/golden.py compare /tmp/golden/base /tmp/golden/moved

A case is one or more steps in an empty folder, beside the inputs in ``in``. A worker imports the
package once and runs most cases in its own process, which is quick. What would change that process
(functions of a user's own, variables, a terminal) runs in a fork of it, before all else. Since the
worker has imported every module, a module that nobody imports any more would go unnoticed;
``fresh`` steps start an interpreter of their own for that.
"""

from __future__ import annotations

import argparse
import bz2
import contextlib
import csv
import difflib
import fcntl
import gc
import gzip
import hashlib
import importlib
import io
import json
import lzma
import math
import os
import pkgutil
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

# ---------------------------------------------------------------------------------- what varies

VARIES: tuple[tuple[str, str, str], ...] = (
    (r"{tmp}", "<tmp>", "a recording works in a folder of its own"),
    (r"{src}/deadheat/(?:[\w.-]+/)*", "<package>/", "checkouts lie apart, and modules move"),
    (r"\bdeadheat,? (?:version )?{version}", "deadheat <version>", "a release changes no answer"),
    (r'("version": "){version}"', r'\1<version>"', "the same, in JSON"),
    (r"""(["']seconds["']: )[\d.e-]+""", r"\1<seconds>", "how long a consensus took to prove"),
    (
        r'(\.(?:pdf|svg)",\s+"what": .*\s+"bytes": )\d+(,\s+"sha256": ")[0-9a-f]+',
        r"\1<bytes>\2<digest>",
        "vl-convert writes the fonts of a PDF in random order; of an SVG see the next",
    ),
    (r"\b(gradient_|clip)\d+", r"\1<n>", "Vega counts the gradients of all pictures of a process"),
    (r"\bat 0x[0-9a-f]+", "at <address>", "objects lie elsewhere in each process"),
    (r"\d[\d,.]* [kMG]B (of|free|are)", r"<size> \1", "the memory of the machine"),
)
PDF = b"%PDF"  # the same reason: only that it is there is recorded, the SVG has the picture
LONGEST_STEP = 180  # seconds, after which a step is stopped and recorded as such
LONGEST_NAME = 120
LINES_SHOWN = 30

# ---------------------------------------------------------------------------------- what is run

How = Literal["pipe", "terminal", "fresh", "python"]
COLOURS = "FORCE_COLOR=1"
BARE = "NO_COLOR=1"


@dataclass(frozen=True)
class Step:
    """What to run: a command line, or for ``python`` an expression whose value is printed."""

    line: str
    how: How = "pipe"
    stdin: str = ""
    env: str = ""

    @property
    def apart(self) -> bool:
        """Whether the step needs a process of its own, since it would leave something behind."""
        own = re.search(r"\.py\b|ranks_", self.line) is not None
        return own or bool(self.env) or self.how in {"terminal", "fresh"}

    def __str__(self) -> str:
        """Return the step as one would type it."""
        start = f"{self.env} " if self.env else ""
        end = f" < {self.stdin}" if self.stdin else ""
        kind = "" if self.how == "pipe" else f"  # {self.how}"
        program = "" if self.how == "python" else "deadheat "
        return f"{start}{program}{self.line}{end}{kind}"


@dataclass(frozen=True)
class Case:
    """Steps that share a folder; the name is the folder of the record."""

    name: str
    steps: tuple[Step, ...]

    @property
    def apart(self) -> bool:
        """Whether some step needs a process of its own; then all have one."""
        return any(step.apart for step in self.steps)


def case(group: str, *steps: Step | str) -> Case:
    """Return a case that is called after its steps."""
    made = tuple(Step(step) if isinstance(step, str) else step for step in steps)
    said = " then ".join(map(str, made))
    name = re.sub(r"[^\w.=,-]+", "_", said.removeprefix("deadheat ")).strip("_")[:LONGEST_NAME]
    digest = hashlib.sha256(said.encode()).hexdigest()[:6]  # tells apart what reads alike
    return Case(f"{group}/{name}-{digest}", made)


COMMANDS = (
    *("demo", "check", "score", "rank", "verdict", "compare", "agree", "influence", "consensus"),
    *("axioms", "criteria", "rate", "plot", "report", "show", "list", "completion"),
)
FORMATS = ("table", "tsv", "csv", "json", "md", "latex")
SUFFIXES = ("txt", "tsv", "csv", "json", "md", "tex")
LISTS = ("functions", "criteria", "axioms", "plots", "formats", "scoring", "examples")
EXAMPLES = ("arena", "compressors", "models", "sat-race")
FUNCTIONS = (
    *("average_rank", "borda", "copeland", "copeland_hard", "epp", "geometric_mean"),
    *("instant_runoff", "kemeny", "majority_judgement", "mean", "median", "minimax", "plurality"),
    *("ranked_pairs", "relative_difference", "relative_difference_ranks", "schulze"),
    *("success_rate", "success_rate_half", "trimmed_mean"),
)
AXIOMS = (
    *("majority", "condorcet", "consistency", "participation", "iia", "liia", "clones"),
    *("monotonicity", "reversal", "unanimity"),
)
PLANS = (
    *("bootstrap", "stratified", "clustered", "two-level", "bayesian", "jackknife", "subsample"),
)
INTERVALS = (
    *("percentile", "expanded-percentile", "bootstrap-t", "bca", "basic", "wilson"),
    "simultaneous",
)
TESTS = ("max-t", "sign-flip", "t-holm", "wilcoxon-holm", "nemenyi")
CORRECTIONS = (
    *("holm", "hochberg", "hommel", "bonferroni", "benjamini-hochberg", "benjamini-yekutieli"),
)
POLICIES = (
    *("error", "worst", "last-rank", "impute-median", "available", "drop-judges"),
    "drop-candidates",
)
DISTANCES = ("kendall", "spearman", "footrule", "cayley", "euclidean", "hamming")
RULES = (
    *("accuracy", "categories-won", "error", "ipc-agile", "ipc-agile-2018", "ipc-optimal"),
    *("ipc-sat", "par10", "par2", "par3.5", "solved", "solved-verified", "coverage"),
)
MODELS = ("epp", "bradley-terry", "elo", "gaussian", "plackett-luce")
TIES = ("half", "davidson", "rao-kupper")
PENALTIES = ("auto", "none", "firth", "ridge", "pseudo")
VERDICT_TABLES = ("groups", "summary", "first", "intervals", "ranks", "tests", "pairs")
AGREE_TABLES = ("judges", "matrix", "clusters", "functions")
RATE_TABLES = (
    *("pairs", "matrix", "groups", "calibration", "tunability", "tournaments", "embedding"),
)

FEW = "--replicates 200 --seed 1"
FEWER = "--replicates 60 --seed 1 --simulations 39"
TRIALS = "--trials 50 --q 6 --repeats 2 --seed 1"
RUNS = "in/runs.csv --cutoff cutoff --stratum family --repeat seed --combine mean"
PARTS = "in/tournaments.csv --candidate model --score score --better higher"
TOURNAMENT = f"{PARTS} --tournament data --round round"

# Small tables by what is special about them, with the options that they need.
TABLES = {
    "wide": "in/wide.csv --better higher",
    "columns": "in/columns.csv --better higher --candidates columns",
    "long": "in/long.csv --better higher --score score --ignore family --ignore site --ignore w",
    "strata": "in/long.csv --better higher --score score --stratum family --ignore site --ignore w",
    "clusters": "in/long.csv --better higher --score score --cluster site --ignore family "
    "--ignore w",
    "weights": "in/long.csv --better higher --score score --weight w --ignore family --ignore site",
    "both": "in/long.csv --better higher --score score --stratum family --cluster site --weight w",
    "repeats": "in/repeats.csv --better higher --score score --repeat seed --combine judges",
    "lower": "in/lower.csv --better lower",
    "binary": "in/binary.csv --better higher",
    "ties": "in/ties.csv --better higher --tie-tol 0.5",
    "holes": "in/holes.csv --better higher --missing worst",
    "available": "in/holes.csv --better higher --missing available",
    "names": "in/names.csv --better higher",
    "two": "in/two.csv --better higher",
    "runs": RUNS,
    "compressors": "in/compressors/ratios.csv",
}
LARGE = {"models": "in/models/scores.csv.gz", "sat-race": "in/sat-race/runs.csv.gz"}
LOGS = {
    "battles": "in/battles.csv",
    "voters": "in/battles.csv --cluster voter",
    "counts": "in/counts.csv --left-wins lw --right-wins rw --draws d",
    "league": "in/league.csv --min-matches 2",
    "parts": "in/parts",
    "categories": "in/battles.csv --category topic",
    "unbeaten": "in/unbeaten.csv",
}
# What every command says about a table; {table} is a file with its options.
QUESTIONS = {
    "check": "check {table}",
    "rank": "rank {table} --by mean,average_rank,copeland",
    "verdict": f"verdict {{table}} {FEW}",
    "strict": f"verdict {{table}} {FEW} --strict --by mean",
    "compare": f"compare {{table}} ada bob {FEW}",
    "agree": "agree {table} --by mean,borda",
    "influence": "influence {table}",
    "consensus": "consensus {table}",
    "axioms": "axioms mean copeland --table {table}",
    "criteria": f"criteria {{table}} {TRIALS} --by mean,borda",
    "rate": f"rate {{table}} {FEWER}",
}
PAIRS = {"compressors": "bzip2-9 lzma-9e", "names": "'a_b & c%' '日本語 モデル'"}


def ask(question: str, table: str) -> str:
    """Return the command line that asks a question of a table."""
    pair = PAIRS.get(table, "ada bob")
    return QUESTIONS[question].format(table=(TABLES | LARGE)[table]).replace("ada bob", pair)


def helps() -> Iterator[Case]:
    """Yield what a user sees first: help, versions, completion."""
    yield case("help", "")
    yield case("help", "--help")
    yield case("help", "-h")
    yield case("help", "--version")
    for command in COMMANDS:
        yield case("help", f"{command} --help")
        if command not in {"axioms", "demo"}:  # these two need no argument, and take long
            yield case("help", command)
    yield case("help", Step("verdict --help", "terminal"))
    for shell in ("bash", "zsh", "fish"):
        yield case("help", f"completion {shell}")
    for words in (
        *("ver", "rank --b", "rank x --by aver", "rank x --by mean,co", "plot x in", "axioms me"),
        *("score x --rule i", "list a", "completion z", "rate x --model "),
    ):
        count = len(words.split(" "))
        env = f"_DEADHEAT_COMPLETE=bash_complete COMP_WORDS='deadheat {words}' COMP_CWORD={count}"
        yield case("help", Step("", env=env))


def lists() -> Iterator[Case]:
    """Yield what is listed, in each format."""
    for form in FORMATS:
        yield case("list", f"list --format {form}")
        for kind in LISTS:
            yield case("list", f"list {kind} --format {form}")
    for kind in LISTS:
        yield case("list", Step(f"list {kind}", "terminal"))


def demos() -> Iterator[Case]:
    """Yield the shipped examples as the demo tells them."""
    for name in EXAMPLES:
        yield case("demo", f"demo --data {name} --path")
        yield case("demo", f"demo --data {name} --no-report", f"demo --data {name} -q --json")
    yield case("demo", "demo")
    yield case("demo", Step("demo --no-report", "terminal"))
    for form in FORMATS:
        yield case("demo", f"demo --format {form}")


def formats() -> Iterator[Case]:
    """Yield each question in each format: on a terminal, in a pipe and in a file."""
    for question in QUESTIONS:
        for table in ("compressors", "names"):
            line = ask(question, table)
            yield case("formats", *(f"{line} --format {form}" for form in FORMATS))
        line = ask(question, "strata")
        yield case("formats", *(f"{line} -o out.{suffix}" for suffix in SUFFIXES))
        yield case("formats", f"{line} -q", f"{line} --json -q")
        yield case("terminal", Step(line, "terminal"))
        yield case("terminal", Step(ask(question, "names"), "terminal"))
        yield case("terminal", Step(line, "terminal", env=BARE))
        yield case("terminal", Step(f"{line} --format csv", "terminal"))
        yield case("terminal", Step(f"{line} --format table", env=COLOURS))
        yield case("terminal", Step(f"{line} --format table", env="COLUMNS=44"))
        yield case("terminal", Step(f"{line} --format table", env="COLUMNS=160"))


def questions() -> Iterator[Case]:
    """Yield each question about each table."""
    for table in TABLES:
        for question in QUESTIONS:
            line = ask(question, table)
            yield case(question, f"{line} --format table", f"{line} --json")
    for table in LARGE:
        for question in ("check", "rank", "verdict", "agree", "influence", "rate"):
            line = ask(question, table)
            yield case(question, f"{line} --format table", f"{line} --json -q")


def each(options: str) -> list[str]:
    """Return what semicolons separate."""
    return [" ".join(part.split()) for part in options.split(";")]


FILES = """
    wide.csv; wide.tsv; wide.txt; wide.csv.gz; wide.csv.bz2; wide.csv.xz; wide.jsonl; wide.json;
    latin.csv; utf16.csv; bom.csv; crlf.csv; comma.csv; percent.csv; thousands.csv; quoted.csv;
    headless.csv; one.csv; single.csv; comments.csv; index.csv; pipes.csv; long.csv; runs.csv;
    battles.csv"""
READ_OPTIONS = """--where model=ada; --where model!=ada; --where model!=ada --where model!=bob;
    --ignore j1; --ignore j1 --ignore j2; --no-header; --header; --encoding utf-8;
    --encoding latin-1; --delimiter ,; --delimiter comma; --decimal .; --tie-tol 1; --layout wide;
    --candidates rows; --candidates columns; --candidate model; --sidecar in/side.toml;
    --ranks min --by mean,median; --ranks dense; --by all"""


def reading() -> Iterator[Case]:
    """Yield what is understood of files of all kinds, also from standard input."""
    for file in each(FILES):
        yield case("reading", f"check in/{file} --better higher --format table")
        yield case("reading", Step("rank - --better higher --json", stdin=f"in/{file}"))
        yield case("reading", f"rank in/{file} --better higher --json")
    for options in each(READ_OPTIONS):
        yield case("reading", f"rank in/wide.csv --better higher {options} --format table")
    yield case("reading", "rank in/beside.csv", "check in/beside.csv --format table")
    for combine in ("error", "mean", "judges"):
        line = f"in/repeats.csv --better higher --score score --combine {combine}"
        yield case("reading", f"rank {line}", f"rank {line} --repeat seed", f"check {line}")
    for policy in POLICIES:
        line = f"in/holes.csv --better higher --missing {policy}"
        yield case(
            "missing",
            *(f"{command} {line} --format table" for command in ("check", "rank", "agree")),
            f"verdict {line} {FEW} --format table",
            f"consensus {line} --format table",
            f"rank {line} --by all --json",
            f"influence {line} --json",
        )


def functions() -> Iterator[Case]:
    """Yield every ranking function in every command that takes one."""
    wide = TABLES["wide"]
    for name in FUNCTIONS:
        for table in ("strata", "ties", "available"):
            yield case("functions", f"rank {TABLES[table]} --by {name} --format table")
        yield case("functions", f"verdict {wide} --by {name} {FEW} --json")
        yield case("functions", f"verdict {TABLES['both']} --by {name} {FEW} --format table")
        yield case("functions", f"verdict {wide} --strict --by {name} {FEW} --format table")
        yield case("functions", f"compare {wide} ada bob --by {name} {FEW} --format table")
        yield case("functions", f"influence {wide} --by {name} --format table")
        yield case("functions", f"check {wide} --by {name} --format table")
        yield case("functions", f"axioms {name} --budget 20 --only majority,iia --format table")
        yield case("functions", f"axioms {name} --table {wide} --json")
    for table in ("wide", "runs", "lower", "binary", "holes"):
        yield case("functions", f"rank {TABLES[table]} --by all --format table")
    yield case("functions", f"criteria {wide} --by all {TRIALS} --format table")
    yield case("functions", f"agree {wide} --by all --show functions")
    for own in (
        "in/own.py:top",
        "in/own.py:Top-Most",
        "in/own.py:plain",
        "in/own.py:no",
        "in/o.py",
    ):
        yield case("functions", f"rank {wide} --by {own}")
    for own in ("in/own.py", "in/broken.py:f", "in/loud.py", "in/failing.py", "in/wrong.py"):
        yield case("functions", f"verdict {wide} --by {own} {FEW} --format table")


VERDICT_OPTIONS = [
    *(f"--plan {plan}" for plan in PLANS),
    *(f"--interval {interval}" for interval in INTERVALS),
    *(f"--interval {interval} --by mean" for interval in INTERVALS),
    *(f"--test {test} --by mean" for test in TESTS),
    *(f"--correction {correction}" for correction in CORRECTIONS),
    *each("""--alpha 0.01; --alpha 0.1; --alpha 0.5; --p-value paper; --leader best-score;
    --compat fawcett-paper; --top 2; --until-settled; --official in/official.csv;
    --official in/official.csv --top 3; --engine serial; --engine threads:2;
    --strict --official in/official.csv; --strict --leader best-score"""),
]
GATES = """tie-at-top; winner-changed:ada; winner-changed:fay; not-first:ada; not-first:fay;
    not-first:nobody; groups-changed:before.json; nonsense; groups-changed:none.json;
    winner-changed; groups-changed:in/wide.csv"""


def verdicts() -> Iterator[Case]:
    """Yield verdicts and comparisons with every value of each option."""
    wide, both = TABLES["wide"], TABLES["both"]
    for options in VERDICT_OPTIONS:
        yield case("verdict", f"verdict {both} {FEW} {options} --format table")
        for table in (wide, TABLES["binary"]):
            yield case("verdict", f"verdict {table} {FEW} {options} --json")
    for plan in PLANS:
        for table in ("strata", "clusters", "weights", "available", "runs", "lower"):
            yield case("verdict", f"verdict {TABLES[table]} {FEW} --plan {plan} --format table")
        yield case("compare", f"compare {both} ada bob {FEW} --plan {plan} --format table")
    for name in VERDICT_TABLES:
        line = f"verdict {TABLES['strata']} {FEW} --show {name}"
        yield case("verdict", *(f"{line} --format {form}" for form in FORMATS))
        yield case("verdict", f"verdict {TABLES['compressors']} {FEW} --show {name} --format table")
        line = f"verdict {TABLES['strata']} {FEW} --strict --show {name}"
        yield case("verdict", f"{line} --format table", f"{line} --json")
    for condition in each(GATES):
        judged = f"verdict {wide} {FEW}"
        yield case(
            "gates",
            f"{judged} -o before.json",
            f"{judged} --fail-on {condition}",
            f"verdict {TABLES['lower']} {FEW} --fail-on {condition}",
        )
    yield case("gates", f"verdict {wide} {FEW} --fail-on tie-at-top --fail-on not-first:fay -q")
    yield case("verdict", f"verdict {wide} --replicates 5", f"verdict {wide} --format table")
    for pair in ("ada ada", "ada nobody", "fay ada", "ADA bob"):
        yield case("compare", f"compare {wide} {pair} {FEW} --format table")


CRITERIA_OPTIONS = """--correlation kendall; --stability kendall_w; --compat esann-notebook;
    --over judges; --over candidates; --show correlations; --show tables; --engine serial;
    --by mean; --show tables --format md; in/lower.csv; in/binary.csv in/two.csv; in/wide.csv;
    in/binary.csv --show correlations --format latex; in/binary.csv --show tables --format table;
    in/none.csv; in/lower.csv --json"""


def others() -> Iterator[Case]:
    """Yield the options of the remaining questions about a table."""
    for table in ("wide", "both", "holes", "compressors"):
        file = TABLES[table]
        for name in AGREE_TABLES:
            forms = FORMATS if table == "both" else ("table",)
            yield case("agree", *(f"agree {file} --show {name} --format {form}" for form in forms))
        for name in ("matrix", "functions"):
            yield case("agree", f"agree {file} --show {name} --correlation kendall --format table")
        yield case("agree", f"agree {file} --threshold 0.2 --seed 5 -o all.json")
        for distance in DISTANCES:
            line = f"consensus {file} --distance {distance}"
            weak = " --weak" if distance in {"kendall", "spearman"} else ""
            yield case("consensus", f"{line} --format table", f"{line}{weak} --json")
        for over in ("judges", "clusters", "strata"):
            yield case("influence", f"influence {file} --over {over} --format table")
    for axiom in AXIOMS:
        for table in ("wide", "ties"):
            audited = f"axioms mean copeland --table {TABLES[table]} --only {axiom}"
            yield case("axioms", f"{audited} --format table")
        yield case("axioms", f"axioms mean copeland --only {axiom} --budget 60 --json")
    yield case(
        "axioms", "axioms --budget 20 --format table", "axioms median --budget 60 --format md"
    )
    yield case("axioms", "axioms in/own.py:top --budget 20 --format table")
    yield case("axioms", "axioms all --only majority --budget 5 --seed 3 --format table")
    for options in each(CRITERIA_OPTIONS):
        yield case("criteria", f"criteria {TABLES['wide']} {options} {TRIALS}")


RUN_OPTIONS = """--late timeout; --late solved; --late error; --wrong solved; --wrong unsolved;
    --wrong disqualify; --wrong penalise; --statuses ok=crash; --statuses ok=nonsense;
    --rule ipc-sat --reference best; --rule ipc-sat --reference in/reference.csv;
    --rule ipc-sat --reference replicate; --rule in/own.py:quick; --rule in/own.py:zz;
    --rule nonsense; --status nonsense; --time time --quality cost; --verified ok;
    --rule solved-verified --verified checked; --cutoff 5; --cutoff -1; --where seed=1"""


def runs() -> Iterator[Case]:
    """Yield runs by every rule, and what statuses, cutoffs and wrong answers mean."""
    for rule in RULES:
        line = f"{RUNS} --rule {rule} --quality cost --verified checked --missing worst"
        yield case("score", f"score {line} --format table", f"score {line} --format csv")
        yield case("score", f"rank {line} --format table", f"check {line} --format table")
        yield case("score", f"verdict {line} {FEW} --format table", f"influence {line} --json")
    for options in each(RUN_OPTIONS):
        line = f"{RUNS} {options}"
        yield case("score", f"score {line} --format table", f"check {line}")
    yield case("score", f"score {RUNS} -o s.csv", "rank s.csv --better higher --score score")
    yield case("score", Step(f"score {RUNS} --rule par2", "terminal"))
    yield case("score", *(f"score {RUNS} --rule par2 --format {form}" for form in FORMATS))
    yield case("score", "score in/sat-race/runs.csv.gz --format table")


RATE_OPTIONS = [
    *(f"--model {model}" for model in MODELS),
    *(f"--ties {ties}" for ties in TIES),
    *(f"--penalty {penalty}" for penalty in PENALTIES),
    *(f"--plan {plan}" for plan in PLANS),
    *each("""--penalty ridge --strength 0.5; --penalty pseudo --strength 2; --errors bootstrap;
    --errors sandwich; --errors fisher; --interval percentile; --interval basic; --interval wald;
    --interval expanded-percentile; --strict; --test max-t; --test holm; --pairing all; --scale elo;
    --scale elo --anchor ada=1000; --anchor bob; --anchor nobody; --advantage; --simulations 0;
    --scale elo --centre 0 --base 2 --width 100; --model elo --step 8; --model elo --shuffles 5;
    --model gaussian --scale elo; --errors sandwich --strict; --alpha 0.2"""),
]
LOG_OPTIONS = """--covariate length=tokens_a,tokens_b; --category topic --tournament-weight code=2;
    --covariate length=tokens_a,tokens_b --relative; --deduplicate voter; --where topic=code;
    --order-by day --model elo; --order-by day --model gaussian; --self-battles drop;
    --outcomes tie=drop; --outcomes tie=left; --left model_a --right model_b; --weight tokens_a;
    --cluster topic --strict; --largest-part; --min-matches 30; --winner nonsense;
    --tournament-weight code=2; --category nonsense; --tournament-weight x;
    --category topic --tournament-weight nonsense=1"""
LOG_SOURCES = """in/teams.csv --teams +; in/teams.csv --teams + --model gaussian; in/league.csv;
    in/league.csv --largest-part; in/league.csv --min-matches 99; 'in/parts/*.csv'; in/orders.csv;
    in/parts/a.csv in/parts/b.csv; in/parts/a.csv in/wide.csv; in/self.csv; in/empty-folder;
    in/self.csv --self-battles drop; in/words.csv; in/words.csv --outcomes bad=drop;
    in/long.csv --better higher --score score; in/arena/battles.csv.gz"""


def ratings() -> Iterator[Case]:
    """Yield ratings of tables, logs and tournaments by every model and option."""
    for log in LOGS.values():
        line = f"rate {log} {FEWER}"
        yield case("rate", f"{line} --format table", f"{line} --json")
        for name in RATE_TABLES:
            yield case("rate", f"{line} --show {name} --format table")
        yield case("terminal", Step(line, "terminal"))
    for form in FORMATS:
        yield case("rate", f"rate in/battles.csv {FEWER} --format {form}")
    for options in RATE_OPTIONS:
        yield case("rate", f"rate in/battles.csv {FEWER} {options} --format table")
        yield case("rate", f"rate {TABLES['ties']} {FEWER} {options} --format table")
        yield case("rate", f"rate {TABLES['wide']} {FEWER} {options} --json -q")
        yield case("rate", f"rate in/unbeaten.csv {FEWER} {options} --json -q")
    for options in each(LOG_OPTIONS):
        line = f"rate in/battles.csv {FEWER} {options}"
        yield case("rate", f"{line} --format table", f"{line} --json -q")
    for source in each(LOG_SOURCES):
        yield case("rate", f"rate {source} {FEWER} --format table")
    for options in ("", "--tournament-weight d1=2", "--strict", "--pairing all", "--scale elo"):
        line = f"rate {TOURNAMENT} {FEWER} {options}"
        yield case("rate", f"{line} --format table", f"{line} --json")
    for name in RATE_TABLES:
        line = f"rate {TOURNAMENT} {FEWER} --show {name}"
        yield case("rate", *(f"{line} --format {form}" for form in FORMATS))


VERDICT_PICTURES = (
    *("intervals", "first", "ranks", "pairs", "significance"),
    *("critical-difference", "condorcet"),
)
RATE_PICTURES = ("ratings", "calibration", "win-matrix", "epp-bars", "embedding", "tunability")
RUN_PICTURES = ("cactus", "performance-profile", "solved-by-family")
AGREE_PICTURES = ("agreement", "heat-map", "judges-map")
CRITERIA_PICTURES = ("criteria", "concordance", "functions-map")
# What a picture is computed with.
PICTURES = {
    **dict.fromkeys((*VERDICT_PICTURES, *RATE_PICTURES), FEW),
    **dict.fromkeys((*RUN_PICTURES, *AGREE_PICTURES, "condorcet", "influence", "rank-lines"), ""),
    **dict.fromkeys(CRITERIA_PICTURES, "--trials 50 --seed 1"),
    "scatter": f"--pair ada bob {FEW}",
}
PICTURE_OPTIONS = """--strict; --test nemenyi; --official in/official.csv; --interval bca;
    --plan jackknife; --p-value paper; --leader best-score; --by mean; --alpha 0.2; --width 0;
    --width nonsense; --model elo; --trials 5; --by mean,borda"""


def pictures() -> Iterator[Case]:
    """Yield every picture of every kind of input as its Vega specification, some drawn."""
    inputs = [TABLES[name] for name in ("wide", "strata", "names", "available", "runs")]
    for kind, options in PICTURES.items():
        parts = [TOURNAMENT] if kind in RATE_PICTURES else []
        for source in (*inputs, "in/battles.csv", *parts):
            yield case("plot", f"plot {source} {kind} {options} -o fig.json")
        other = "--width column --theme dark"
        asked = options.replace("ada bob", PAIRS["compressors"])
        yield case("plot", f"plot {TABLES['compressors']} {kind} {asked} {other} -o fig.json")
    for kind in ("intervals", "ratings", "heat-map", "pairs", "critical-difference"):
        line = f"plot {inputs[0]} {kind} {PICTURES[kind]}"
        yield case("plot", f"{line} -o fig.svg", f"{line} --theme dark -q -o dark.html")
    line = f"plot {inputs[0]} intervals {FEW}"
    yield case("plot", f"{line} -o fig.png", f"{line} --scale 1 --width 300 -o small.png")
    for options in each(PICTURE_OPTIONS):
        yield case("plot", f"{line} {options} -o fig.json")
    for options in ("-o fig.bmp", "-o fig", "", "-o in/none/fig.svg"):
        yield case("plot", f"{line} {options}")
    for options in ("--model elo", "--errors sandwich", "--penalty ridge", "--ties davidson"):
        yield case("plot", f"plot in/battles.csv ratings {FEW} {options} -o fig.json")
    for kind in ("scatter", "scatter --pair ada,bob", "intervls"):
        yield case("plot", f"plot {inputs[0]} {kind} -o fig.json")
    for kind in ("intervals", "criteria --trials 9"):
        yield case("plot", f"plot in/wide.csv in/binary.csv {kind} --better higher -o fig.json")


def saved() -> Iterator[Case]:
    """Yield results that are saved, shown in each format and drawn."""
    lines = {question: ask(question, "strata") for question in QUESTIONS}
    lines |= {
        "named": ask("verdict", "names"),
        "log": f"rate in/battles.csv {FEWER}",
        "unbeaten": f"rate in/unbeaten.csv {FEWER}",
        "parts": f"rate {TOURNAMENT} {FEWER}",
        "matrix": f"rate {TOURNAMENT} {FEWER} --show matrix",
        "categories": f"rate in/battles.csv --category topic {FEWER}",
        "score": f"score {RUNS} --rule par2",
        "search": "axioms mean --budget 60",
        "list": "list functions",
        "demo": "demo",
        "tests": f"verdict {TABLES['wide']} --strict {FEW} --show tests",
        "correlations": f"criteria {TABLES['wide']} {TRIALS} --show correlations",
        "clusters": f"agree {TABLES['wide']} --show clusters",
    }
    for line in lines.values():
        shown = [f"show saved.json --format {form}" for form in FORMATS]
        again = Step("show - -o again.json", stdin="saved.json")
        yield case("show", f"{line} --json -o saved.json", *shown, again)
    for name in ("verdict", "log", "parts"):
        terminal = Step("show saved.json", "terminal")
        yield case("show", f"{lines[name]} --json -o saved.json", terminal)
    drawn = {
        "verdict": VERDICT_PICTURES,
        "strict": VERDICT_PICTURES,
        "log": RATE_PICTURES,
        "parts": RATE_PICTURES,
        "agree": AGREE_PICTURES,
        "criteria": (*CRITERIA_PICTURES, "rank-lines"),
        "compare": ("scatter",),
        "influence": ("influence",),
        "rank": ("rank-lines", "intervals"),
    }
    for name, kinds in drawn.items():
        plots = [f"plot saved.json {kind} -o {kind}.json" for kind in kinds]
        yield case("show", f"{lines[name]} --json -o saved.json", *plots)
    yield case("show", f"{lines['verdict']} -o s.json", "plot s.json first --by mean -o f.json")


def reports() -> Iterator[Case]:
    """Yield pages and bundles of a table, runs, a log and data sets; few, for they are slow."""
    for source in (TABLES["strata"], "in/battles.csv"):
        yield case("report", f"report {source} {FEW} --bundle all")
    for source in (TABLES["names"], RUNS, TOURNAMENT):
        yield case("report", f"report {source} {FEW} -o page.html")
    wide = TABLES["wide"]
    told = "--strict --title Ours --official in/official.csv"
    yield case("report", f"report {wide} {FEW} {told}")
    for wrong in ("-o page.txt", "-o in/none/page.html", "--bundle in", "--alpha 2", "--by all"):
        yield case("report", f"report {wide} {FEW} {wrong}")
    yield case("report", "report in/wide.csv in/lower.csv --better higher", "report")


# What is refused: how a command line begins, and how it may go on.
REFUSED = {
    "": """rnak; zzz; rank; rank ''; rank in; rank none.csv; rank no/where.csv; rank in/wide.csv;
    rank in/wide.csv --better up; rank in/battles.csv; rank in/runs.csv; verdict in/battles.csv;
    compare in/wide.csv; check in/bad/none; score in/wide.csv; axioms in/wide.csv; axioms zz;
    axioms --better higher; axioms mean --only zz; axioms mean --budget 0;
    axioms --table none.csv; rate; rate none.csv; rate in/bad/none; show none.json;
    show in/wide.csv; show in; show in/bad/json.json; show in/bad/odd.json;
    show in/bad/schema.json; show in/bad/rows.json; list nothing; demo --data nothing; completion;
    completion powershell; plot; plot in/wide.csv; plot in/battles.csv intervals -o f.svg;
    plot in/wide.csv zz -o f.svg; plot in/wide.csv cactus -o f.svg;
    axioms mean --table in/wide.csv --better higher --budget 5""",
    "rank in/wide.csv --better higher": """--bettre higher; --by copland; --by ,; --by '';
    --json --format csv; --format xml; -o x.xyz; -o no/where.csv; -o in/wide.csv; -o in;
    --where model; --where modle=x; --ignore zz; --where model=zz; --encoding utf-99; --sheet x;
    --tie-tol -1; --tie-tol x; --tie-tol nan; --sidecar none.toml; --sidecar in/bad/side.toml;
    --layout long; --layout runs; --layout battles; --layout wide --score j1; --delimiter xx;
    --candidate zz; --missing zz; --ranks max""",
    "rank in/long.csv --better higher": """--candidate modle; --judge zz; --score zz; --stratum zz;
    --cluster zz; --weight model; --repeat zz; --score score; --score score --judge model""",
    "verdict in/wide.csv --better higher": """--alpha 0; --alpha 1; --alpha -1; --alpha 2;
    --alpha nan; --alpha x; --replicates 0; --replicates -5; --replicates x; --replicates 1;
    --replicates 99999999999; --seed -1; --seed x; --plan zz; --plan stratified; --plan clustered;
    --plan two-level; --interval zz; --engine zz; --engine threads:0; --top 0; --by mean,borda;
    --by all; --show zz; --official none.csv; --official in/wide.csv; --test zz;
    --official in/bad/official.csv; --compat fawcett-paper --strict; --strict --plan jackknife;
    --test nemenyi --by mean; --interval wilson --by mean; --until-settled --plan jackknife;
    --strict --until-settled""",
    "agree in/wide.csv --better higher": "--correlation kendall; --threshold 7; --seed -1",
    "consensus in/wide.csv --better higher": """--distance zz; --distance cayley --weak;
    --time-limit -1""",
    "criteria in/wide.csv --better higher": """--trials 0; --q 1; --repeats 0; --by zz;
    --stability kendall_w --correlation kendall""",
    "influence in/wide.csv --better higher": "--over zz; --over strata; --by all",
    "rate in/wide.csv --better higher": """--model zz; --alpha 3; --strength 1; --teams +;
    --show tournaments --replicates 9; --tournament zz; --left a; --replicates 0""",
    "rate in/battles.csv": """--better higher; --covariate zz; --covariate a=b,c; --teams '';
    --left voter --right voter; --model plackett-luce; --outcomes x=y""",
}


def errors() -> Iterator[Case]:
    """Yield what is refused, and in which words."""
    for start, ends in REFUSED.items():
        for end in each(ends):
            yield case("errors", f"{start} {end}".strip())
    for file in sorted(refused_files()):
        for command in ("rank", "check"):
            yield case("errors", f"{command} in/bad/{file} --better higher")
    for file in ("empty.csv", "html.csv", "hole.csv", "text.csv", "json.json", "inf.csv"):
        for command in ("verdict", "rate", "report", "score", "agree", "consensus", "show"):
            yield case("errors", f"{command} in/bad/{file}")
    wide = TABLES["wide"]
    yield case("errors", Step("rank in/wide.csv", "terminal"))
    yield case("errors", Step(f"rank {wide} --by copland", "terminal"))
    yield case("errors", Step(f"rank {wide}", env="DEADHEAT_MEMORY=nonsense"))
    yield case("errors", Step(f"verdict {wide} --replicates 9000000", env="DEADHEAT_MEMORY=500MB"))
    yield case("errors", Step("rank - --better higher", stdin="in/bad/empty.csv"))
    yield case("errors", Step("show -", stdin="in/bad/html.csv"))


def alone() -> Iterator[Case]:
    """Yield each command in an interpreter of its own, which imports no more than it needs."""
    lines = [ask(question, "strata") for question in QUESTIONS]
    lines += [f"plot {TABLES['wide']} {kind} {FEW} -o f.json" for kind in ("ranks", "first")]
    lines += [f"report {TABLES['wide']} -o page.txt", f"score {RUNS}"]
    lines += [f"rate in/battles.csv {FEWER}", f"rank {TABLES['wide']} --by all"]
    lines += [f"plot {RUNS} cactus -o f.svg", "demo --no-report", "", "completion bash", "rnak"]
    lines += [
        "axioms mean --budget 20",
        "rank in/bad/hole.csv",
        *(f"list {kind}" for kind in LISTS),
    ]
    for line in lines:
        yield case("fresh", Step(line, "fresh"))
    yield case("fresh", f"{lines[2]} -o s.json", Step("show s.json --format table", "fresh"))


# Names that an expression may use; each value is made anew where it is used.
NAMES: dict[str, str] = {
    "table": "dh.read('in/wide.csv', better='higher')",
    "strata": "dh.read('in/long.csv', better='higher', score='score', stratum='family', "
    "ignore=['site', 'w'])",
    "holes": "dh.read('in/holes.csv', better='higher', missing='available')",
    "log": "dh.read_battles('in/battles.csv')",
    "solvers": "dh.read_runs('in/runs.csv', cutoff='cutoff', stratum='family', repeat='seed')",
    "columns": "{'candidate': 'model', 'score': 'score', 'better': 'higher'}",
    "few": "{'replicates': 99, 'seed': 1}",
}
RESULTS = (
    "dh.rank(table, by=['mean', 'copeland'])",
    "dh.check(holes)",
    "dh.verdict(strata, **few)",
    "dh.verdict(table, by='mean', strict=True, **few)",
    "dh.compare(table, 'ada', 'bob', by='mean', **few)",
    "dh.agreement(table, by=['mean', 'borda'])",
    "dh.influence(table)",
    "dh.consensus(table)",
    "dh.axioms('mean', only='majority', budget=50)",
    "dh.axioms('mean', table=table)",
    "dh.criteria(table, trials=20, q=5, repeats=2)",
    "dh.rate(table, **few)",
    "dh.rate(log, **few)",
    "dh.rate('in/tournaments.csv', tournament='data', round='round', **columns, **few)",
    "dh.score('in/runs.csv', cutoff='cutoff', rule='par2', repeat='seed', combine='mean')",
)
FORMS = """repr(r); str(r); r._repr_html_(); r.to_frame(); r.to_frame('pandas'); r.to_latex();
    r.to_md(); r.warnings; r.rows(); r.facts(); r.verdict; repr(dh.load(r.to_json().encode()));
    dh.load(r.to_json().encode()).to_latex(); dh.load(r.to_json().encode()).to_json()"""
BARE_DIR = "import deadheat; print(sorted(dir(deadheat)))"
EXPRESSIONS = """sorted(dh.__all__); dh.nonsense; repr(table); repr(strata); repr(log);
    repr(solvers); table.reading; strata.reading; table.sha256; dh.functions();
    dh.examples.names(); dh.examples.load('compressors'); dh.examples.load('nonsense');
    dh.artificial(5, 6, seed=1).scores.tolist(); dh.artificial(kind='zz'); dh.artificial(n=0);
    dh.verdict(table, **few).table('first'); dh.verdict(table, **few).groups;
    dh.verdict(table, **few).leader_corrected; dh.verdict(table, **few).row('ada');
    dh.verdict(table, **few).row('nobody'); dh.verdict(table, **few).table('nonsense');
    dh.verdict(table, alpha=2); dh.verdict(table, replicates=0); dh.verdict(table, plan='zz');
    dh.verdict(table, seed='x'); dh.verdict(table, interval='zz');
    dh.verdict(table, test='zz', strict=True); dh.verdict(table, test='nemenyi');
    dh.verdict(table, plan='stratified'); dh.verdict(table, strict=True, plan='jackknife');
    dh.verdict(table, official=['zz']); dh.verdict(table, by=['mean', 'borda']);
    dh.verdict(table, strict=True, **few).warnings; dh.verdict('in/wide.csv'); dh.verdict(None);
    dh.verdict(table, compat='fawcett-paper', strict=True);
    dh.verdict(dh.read('in/two.csv', better='higher'), **few).warnings;
    dh.rank(table, by='copland'); dh.rank(table, ranks='max'); dh.rank([[1, 2], [3, 4]]);
    dh.rank('none.csv', better='higher'); dh.rank(table, better='lower'); dh.rank(table, zz=1);
    dh.read('in/wide.csv', better='zz'); dh.read('in/bad/hole.csv', better='higher');
    dh.read('in/long.csv', better='higher', score='zz'); dh.read('in/wide.csv', where='x');
    dh.read('in/holes.csv', better='higher', missing='zz'); dh.read(3); dh.read('');
    dh.Results(scores=[[1, 2]], candidates=['a', 'b'], better='higher'); dh.Results();
    dh.Results(scores=[[1, 2], [2, 1]], candidates=['a', 'a'], better='higher');
    dh.Results(scores=[[1, float('inf')]], candidates=['a'], better='higher');
    dh.Results(scores=[[1, 2], [2, 1]], candidates=['a', 'b']);
    dh.Battles(left=['a'], right=['a'], winner=['left']); dh.Runs(candidate=['a']);
    dh.Battles(left=['a'], right=[], winner=[]); dh.Battles(left=['a'], right=['b'], winner=['z']);
    dh.rate(log, model='zz'); dh.rate(log, ties='zz'); dh.rate(log, penalty='zz');
    dh.rate(log, test='holm'); dh.rate(log, anchor='nobody', **few); dh.rate(log, scale='zz');
    dh.rate('in/league.csv'); dh.rate('in/league.csv', min_matches=2, **few).warnings;
    dh.rate(log, strict=True, **few); dh.rate(log, strict=True, errors='fisher', **few).verdict;
    dh.rate(log, model='elo', **few).verdict; dh.rate(table, teams='+'); dh.rate(log, zz=1);
    dh.rate(log, **few).p_beats('ada', 'bob'); dh.rate(log, **few).goodness;
    dh.compare(table, 'ada', 'zz'); dh.compare(table, 'ada', 'ada');
    dh.influence(table, over='zz'); dh.consensus(table, distance='zz');
    dh.consensus(table, output='zz'); dh.agreement(table, threshold=9);
    dh.criteria(table, trials=0); dh.criteria([], trials=5); dh.axioms('zz');
    dh.axioms('mean', only='zz'); dh.axioms('mean', table=table, budget=3);
    dh.load('none.json'); dh.load(b'{}'); dh.load(b'[1'); dh.load('in/wide.csv');
    dh.score(table); dh.score('in/runs.csv', rule='zz'); dh.score('in/runs.csv', rule='par2');
    dh.plot(table, 'zz'); dh.plot(table, 'intervals', **few); dh.plot(log, 'intervals');
    dh.plot(table, 'scatter'); dh.plot(table, 'scatter', pair=('ada', 'bob'), **few).title;
    dh.plot(dh.rank(table), 'intervals'); dh.plot(dh.rank(table), 'rank-lines', seed=1);
    dh.report(table, **few); dh.report(table, zz=1);
    dh.report(table, 'page.txt', **few);
    dh.ranks_scores('mean', scale='interval')(lambda s, j, c: s);
    dh.ranks_table('x', scale='zz')(len); dh.distances.kendall([1, 2, 3], [2, 1, 3]);
    dh.distances.ulam([1, 2, 2], [1, 2, 3]); dh.rank(table).to_frame('zz');
    dh.rank(table).plot('zz'); dh.rank(table).to_json('x.csv');
    [(f.name, f.aliases, f.scale, f.needs, sorted(f.satisfies)) for f in dh.functions()];
    signatures(); documents()"""


def python() -> Iterator[Case]:
    """Yield results as Python shows them, errors of the public functions, and their signatures."""
    for result in RESULTS:
        told = [re.sub(r"\br\b", result, form) for form in each(FORMS)]
        yield case("python", *(Step(line, "python") for line in told))
    for expression in each(EXPRESSIONS):
        yield case("python", Step(expression, "python"))
    fresh = f"subprocess.run([sys.executable, '-c', {BARE_DIR!r}]).returncode"
    yield case("python", Step(fresh, "python"))


def cases() -> list[Case]:
    """Return all cases by name, each once."""
    makers: tuple[Callable[[], Iterator[Case]], ...] = (
        *(helps, lists, demos, formats, questions, reading, functions, verdicts, others, runs),
        *(ratings, pictures, saved, reports, errors, alone, python),
    )
    found = {each.name: each for make in makers for each in make()}
    return [found[name] for name in sorted(found)]


# ---------------------------------------------------------------------------------- its inputs

PEOPLE = ("ada", "bob", "cyd", "dan", "eve", "fay")
LEVELS = (1.2, 1.1, 0.8, 0.5, 0.1, -0.6)
Rows = list[list[Any]]


def written(rows: Iterable[Sequence[Any]], delimiter: str = ",") -> str:
    """Return rows as CSV."""
    paper = io.StringIO(newline="")
    csv.writer(paper, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return paper.getvalue()


def wide_rows(seed: int = 0, *, judges: int = 14, noise: float = 1.0) -> Rows:
    """Return candidates as rows and judges as columns."""
    rng = Random(seed)
    rows: Rows = [["model", *(f"j{k}" for k in range(1, judges + 1))]]
    for name, level in zip(PEOPLE, LEVELS, strict=True):
        rows.append([name, *(round(5 + level + noise * rng.gauss(0, 1), 3) for _ in range(judges))])
    return rows


def long_rows(seed: int = 1) -> Rows:
    """Return one row per candidate and task, with a stratum, a cluster and a weight of the task."""
    rng = Random(seed)
    rows: Rows = [["model", "task", "family", "site", "w", "score"]]
    for k in range(24):
        hard = rng.gauss(0, 1)
        for name, level in zip(PEOPLE, LEVELS, strict=True):
            score = round(5 + level - hard + rng.gauss(0, 1), 3)
            rows.append([name, f"t{k:02}", f"f{k // 2 % 3}", f"s{k // 2:02}", 1 + k % 4, score])
    return rows


def repeated_rows() -> Rows:
    """Return several seeds of each candidate and task."""
    rng = Random(2)
    told = [
        (n, v, t, s) for n, v in zip(PEOPLE, LEVELS, strict=True) for t in range(6) for s in (1, 2)
    ]
    rows = [[n, f"t{t}", s, round(3 + v + rng.gauss(0, 1), 3)] for n, v, t, s in told]
    return [["model", "task", "seed", "score"], *rows]


def run_rows() -> Rows:
    """Return runs of solvers with every status, times, costs, and answers that were checked."""
    rng = Random(3)
    rows: Rows = [
        ["solver", "instance", "family", "seed", "status", "time", "cost", "checked", "cutoff"]
    ]
    for name, level in zip(PEOPLE, LEVELS, strict=True):
        for k in range(15):
            for seed in (1, 2):
                seconds = round(math.exp(1.5 - level + rng.gauss(0, 1.3) + k / 8), 2)
                status = "ok" if seconds < 60 else "timeout"
                odd = rng.random()
                status = "crash" if odd < 0.04 else "memout" if odd < 0.07 else status
                status = "wrong" if odd > 0.99 else status
                cost = 10 + rng.randrange(8) if status == "ok" else ""
                checked = "yes" if status == "ok" and rng.random() < 0.9 else "no"
                told = [name, f"p{k:02}", f"f{k % 3}", seed, status, min(seconds, 60), cost]
                rows.append([*told, checked, 60])
    return rows


def battle_rows(count: int = 400) -> Rows:
    """Return battles with ties, voters, topics, lengths and days."""
    rng = Random(4)
    rows: Rows = [["model_a", "model_b", "winner", "voter", "topic", "tokens_a", "tokens_b", "day"]]
    for k in range(count):
        a, b = rng.sample(range(len(PEOPLE)), 2)
        chance = 1 / (1 + math.exp(LEVELS[b] - LEVELS[a]))
        winner = "tie" if rng.random() < 0.12 else "model_a" if rng.random() < chance else "model_b"
        about = [f"v{rng.randrange(30)}", ("code", "prose", "maths")[k % 3]]
        lengths = [rng.randrange(50, 500), rng.randrange(50, 500)]
        day = f"2026-{1 + k // 40:02}-{1 + k % 28:02}"
        rows.append([PEOPLE[a], PEOPLE[b], winner, *about, *lengths, day])
    return rows


def count_rows() -> Rows:
    """Return one row per pair: wins of each side, and draws."""
    rng = Random(5)
    pairs = [(a, b) for k, a in enumerate(PEOPLE) for b in PEOPLE[k + 1 :]]
    counts = [
        [a, b, rng.randrange(4, 20), rng.randrange(1, 15), rng.randrange(4)] for a, b in pairs
    ]
    return [["left", "right", "lw", "rw", "d"], *counts]


def tournament_rows() -> Rows:
    """Return settings of two algorithms on four data sets, one of which goes against the rest."""
    rng = Random(6)
    settings = ("svm #1", "svm #2", "svm #3", "tree #1", "tree #2")
    rows: Rows = [["model", "data", "round", "score"]]
    for data in ("d1", "d2", "d3", "d4"):
        for k in range(12):
            for place, name in enumerate(settings):
                level = -0.6 * place * (-1 if data == "d4" else 1)
                rows.append([name, data, k, round(level + rng.gauss(0, 1), 3)])
    return rows


def team_rows() -> Rows:
    """Return battles of teams of two."""
    rng = Random(7)
    rows: Rows = [["left", "right", "winner"]]
    for _ in range(150):
        a, b, c, d = rng.sample(range(len(PEOPLE)), 4)
        ahead = LEVELS[a] + LEVELS[b] - LEVELS[c] - LEVELS[d]
        winner = "left" if rng.random() < 1 / (1 + math.exp(-ahead)) else "right"
        rows.append([f"{PEOPLE[a]}+{PEOPLE[b]}", f"{PEOPLE[c]}+{PEOPLE[d]}", winner])
    return rows


def changed(rows: Rows, change: Callable[[int, int, Any], Any]) -> Rows:
    """Return rows of which every score is changed, given its row and column."""
    head, *body = rows
    return [
        head,
        *([r[0], *(change(i, j, x) for j, x in enumerate(r[1:]))] for i, r in enumerate(body)),
    ]


WIDE = wide_rows()
HOSTILE = ("a_b & c%", "日本語 モデル", "=1+1", "\x1b[31mred", "x" * 70, "$\\alpha$ <b>|~^{}#")
LEAGUE = (
    "left,right,winner\nann,bob,left\nbob,cyd,left\ncyd,ann,left\nann,bob,right\nbob,cyd,right\n"
    "ann,cyd,left\ndan,ann,right\ndan,bob,left\ncyd,dan,left\nbob,ann,left\neve,ann,left\n"
    "kim,leo,left\n"
)
OWN = '''"""Functions and a rule of a user's own."""
import numpy as np
import deadheat as dh


@dh.ranks_table("top_score", aliases=("Top-Most",), scale="interval", shared_scale=True)
def top(scores):
    """Rank by the best score."""
    return scores.max(axis=1)


def plain(scores):
    return scores


def quick(runs):
    """Count what is solved within ten seconds."""
    return np.where(runs.solved & (runs.time < 10), 1.0, 0.0)
'''
MADE = "import deadheat as dh\n\n@dh.ranks_table('mine', scale='interval')\ndef mine(scores):\n"


def good_files() -> dict[str, str | bytes]:
    """Return the inputs that can be understood, by name."""
    wide, battles = written(WIDE), battle_rows()
    head, *body = WIDE
    records = [dict(zip(head, row, strict=True)) for row in body]
    rng = Random(8)
    return {
        "wide.csv": wide,
        "wide.tsv": written(WIDE, "\t"),
        "wide.txt": written(WIDE, " "),
        "pipes.csv": written(WIDE, "|"),
        "wide.csv.gz": gzip.compress(wide.encode(), mtime=0),
        "wide.csv.bz2": bz2.compress(wide.encode()),
        "wide.csv.xz": lzma.compress(wide.encode()),
        "wide.jsonl": "".join(json.dumps(record) + "\n" for record in records),
        "wide.json": json.dumps(records),
        "latin.csv": wide.replace("ada", "für").encode("latin-1"),
        "utf16.csv": wide.replace("ada", "für").encode("utf-16"),
        "bom.csv": wide.encode("utf-8-sig"),
        "crlf.csv": wide.replace("\n", "\r\n").encode(),
        "comma.csv": written(WIDE, ";").replace(".", ","),
        "percent.csv": "model,a,b\nx,30%,20%\ny,20%,10%\nz,25%,5%\n",
        "thousands.csv": 'model,a,b\nx,"1,234","2,000,000"\ny,999,"1,000"\n',
        "quoted.csv": 'model,"a\nb",c\n"x\ny",3,2\n"z, w",2,1\n',
        "headless.csv": "x,3,2,1\ny,2,1,4\nz,1,1,1\n",
        "comments.csv": "# scores of May\nmodel,a,b\nx,3,2\ny,2,1\n",
        "index.csv": ",model,a,b\n0,x,3,2\n1,y,2,1\n2,z,2,3\n",
        "one.csv": "model,a\nx,2\ny,1\n",
        "single.csv": "model,a,b\nx,2,1\n",
        "two.csv": "model,a,b,c,d\nada,2,1,3,4\nbob,1,2,2,5\n",
        "columns.csv": written(zip(*WIDE, strict=True)).replace("model", "task"),
        "long.csv": written(long_rows()),
        "repeats.csv": written(repeated_rows()),
        "lower.csv": written(wide_rows(9, judges=9, noise=0.7)),
        "binary.csv": written(changed(wide_rows(10, judges=30), lambda _i, _j, x: int(x > 5.4))),
        "ties.csv": written(changed(wide_rows(11, judges=12), lambda _i, _j, x: round(x))),
        "holes.csv": written(
            changed(wide_rows(12), lambda i, j, x: "" if (i, j) in {(0, 2), (3, 5), (3, 6)} else x)
        ),
        "names.csv": written(
            [row if k == 0 else [HOSTILE[k - 1], *row[1:]] for k, row in enumerate(WIDE)]
        ),
        "beside.csv": wide,
        "beside.toml": 'better = "lower"\nignore = ["j1"]\n',
        "side.toml": "tie_tol = 0.5\n",
        "runs.csv": written(run_rows()),
        "reference.csv": "instance,best\n" + "".join(f"p{k:02},10\n" for k in range(15)),
        "battles.csv": written(battles),
        "parts/a.csv": written(battles[:150]),
        "parts/b.csv": written([battles[0], *battles[150:300]]),
        "counts.csv": written(count_rows()),
        "league.csv": LEAGUE,
        "unbeaten.csv": "left,right,winner\n"
        + "".join(f"ada,{name},left\n" * 6 for name in ("bob", "cyd", "dan"))
        + "".join(
            f"{a},{b},{rng.choice(('left', 'right', 'tie'))}\n"
            for a, b in (("bob", "cyd"), ("cyd", "dan"), ("dan", "bob")) * 8
        ),
        "self.csv": "left,right,winner\na,b,left\na,a,left\nb,a,left\nb,a,tie\n",
        "words.csv": "left,right,winner\na,b,left\nb,a,bad\nb,a,right\na,b,right\n",
        "orders.csv": "1st,2nd,3rd\nann,bob,cyd\nbob,ann,dan\nann,dan,bob\ncyd,ann,bob\n",
        "teams.csv": written(team_rows()),
        "tournaments.csv": written(tournament_rows()),
        "official.csv": "candidate,rank\n"
        + "".join(f"{name},{k}\n" for k, name in enumerate(("bob", "ada", *PEOPLE[2:]), 1)),
        "own.py": OWN,
        "broken.py": "def f(:\n",
        "loud.py": MADE + "    print('hello')\n    return scores.mean(axis=1)\n",
        "failing.py": MADE + "    raise ValueError('no')\n",
        "wrong.py": MADE + "    return scores\n",
    }


def refused_files() -> dict[str, str | bytes]:
    """Return the inputs that cannot be used, by name."""
    return {
        "empty.csv": "",
        "blanks.csv": "\n\n  \n",
        "header.csv": "model,a,b\n",
        "missing.csv": "model,a,b\nx,,\ny,,\n",
        "hole.csv": "model,a,b\nx,1,\ny,2,1\n",
        "text.csv": "model,a,b\nx,1,2\ny,oops,1\nz,2,3\n",
        "inf.csv": "model,a,b\nx,inf,2\ny,2,1\n",
        "candidates.csv": "model,a,b\nx,1,2\nx,2,1\n",
        "judges.csv": "model,a,a\nx,1,2\ny,2,1\n",
        "rows.csv": "model,task,score\nx,a,3\ny,a,2\nx,b,2\ny,b,1\nx,a,4\n",
        "ragged.csv": "model,a,b\nx,1,2\ny,2,1,7\nz,1\n",
        "binary.csv": bytes(range(256)) * 40,
        "cut.csv.gz": gzip.compress(Random(13).randbytes(9_000), mtime=0)[:2_000],
        "html.csv": "<!DOCTYPE html>\n<html><body>404 not found</body></html>\n",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(40),
        "book.xlsx": b"PK\x03\x04 no book",
        "frame.parquet": b"PAR1 no frame",
        "json.json": '{"schema": "deadheat.rank/1", "rows": [',
        "odd.json": "[1, 2, 3]\n",
        "schema.json": '{"schema": "deadheat.nonsense/1", "rows": []}\n',
        "rows.json": '{"schema": "deadheat.rank/1", "rows": [{"rank": "x"}]}\n',
        "lines.jsonl": '{"model": "x", "a": 1}\n{"model": \n',
        "side.toml": "better = [\n",
        "official.csv": "candidate,rank\nzz,1\nada,x\n",
        "negative.csv": "model,fold,a\nx,1,3\nx,2,4\ny,1,5\ny,2,6\n",
        "decimals.csv": "model;a;b\nx;1,5;2.5\ny;2,5;1.5\n",
        "nul.csv": b"model,a\nx\x00,1\ny,2\n",
    }


def make_inputs(folder: Path) -> None:
    """Write all inputs into a folder; the examples are copied, since their place may change."""
    files = good_files() | {f"bad/{name}": text for name, text in refused_files().items()}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "empty-folder").mkdir()
    import deadheat as dh

    for name in EXAMPLES:
        file = Path(str(dh.examples.path(name)))
        shutil.copytree(file.parent, folder / name)


# ---------------------------------------------------------------------------------- recording

Streams = tuple[Path, Path, Path]
LIBRARIES = (
    *("altair", "duckdb", "highspy", "jinja2", "narwhals", "numpy", "rich.console", "rich.table"),
    *("scipy.optimize", "scipy.stats", "scipy.special", "scipy.cluster.hierarchy", "vl_convert"),
)
SURROUNDINGS = {
    "COLUMNS": "80",
    "DEADHEAT_PROGRESS": "0",  # a bar depends on the time that the work takes
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",  # the last bits of a sum depend on how many threads share it
    "PATH": os.environ.get("PATH", ""),
    "TERM": "xterm-256color",
}


def record(out: Path, src: Path, jobs: int, only: str) -> int:
    """Run the cases of a checkout in worker processes and write their records."""
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is there already: name a new folder.")
    out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="golden-") as place:
        env = SURROUNDINGS | {"PYTHONPATH": str(src), "HOME": place, "TMPDIR": place}
        tool = [sys.executable, str(Path(__file__).resolve())]
        subprocess.run([*tool, "inputs", f"{place}/in"], env=env, check=True)
        workers = [
            subprocess.Popen(
                [*tool, "work", str(out), str(src), place, f"{k}/{jobs}", only], env=env
            )
            for k in range(jobs)
        ]
        failed = [worker.wait() for worker in workers]
    _say(f"{len(cases()):,} cases in {time.monotonic() - start:,.0f} s: {out}")
    return int(any(failed))


def work(out: Path, src: Path, place: Path, part: str, only: str) -> None:
    """Run every so many-th case and write its record."""
    number, jobs = map(int, part.split("/"))
    _load_all(src)
    tidy = _substitutions(src, place)
    mine = [one for one in cases() if re.search(only, one.name)][number::jobs]
    for one in (each for each in mine if each.apart):  # a process with threads should not fork
        _record_case(one, out, place, f"case-{number}", tidy, _in_fork)
    os.__dict__.pop("fork")  # the command line then stays in this process, as on Windows
    for one in (each for each in mine if not each.apart):
        _record_case(one, out, place, f"case-{number}", tidy, _here)


def _record_case(
    one: Case,
    out: Path,
    place: Path,
    called: str,
    tidy: Callable[[bytes], bytes],
    runner: Callable[[Step, Path, Streams], str],
) -> None:
    """Run the steps of a case in a new folder, and write what they printed and wrote."""
    folder = place / called
    folder.mkdir()
    (folder / "in").symlink_to(place / "in")
    start = time.monotonic()
    text = b"".join(_told(step, folder, runner) for step in one.steps)
    with (out / f"seconds-{called}.txt").open("a") as times:  # no part of the comparison
        times.write(f"{time.monotonic() - start:.2f} {one.name}\n")
    target = out / one.name
    target.mkdir(parents=True)
    (target / "record.txt").write_bytes(tidy(text))
    (folder / "in").unlink()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        copy = target / "files" / file.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(tidy(file.read_bytes()))
    shutil.rmtree(folder)


def _load_all(src: Path) -> None:
    """Import the package, and what it imports late, once for all cases."""
    import deadheat

    if src.resolve() not in Path(str(deadheat.__file__)).resolve().parents:
        sys.exit(f"deadheat comes from {deadheat.__file__}, not from {src}.")
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for module in pkgutil.walk_packages(deadheat.__path__, "deadheat."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.freeze()  # a fork then copies less memory


def _substitutions(src: Path, place: Path) -> Callable[[bytes], bytes]:
    """Return what replaces, in a text, whatever may differ between two recordings."""
    from deadheat import __version__

    known = {"tmp": str(place), "src": str(src.resolve()), "version": __version__}
    rules = []
    for pattern, instead, _reason in VARIES:
        for key, value in known.items():
            pattern = pattern.replace(f"{{{key}}}", re.escape(value))  # noqa: PLW2901
        rules.append((re.compile(pattern), instead))

    def tidy(content: bytes) -> bytes:
        if content.startswith(PDF):
            return PDF
        try:
            text = content.decode()
        except UnicodeDecodeError:  # a picture
            return content
        for pattern, instead in rules:
            text = pattern.sub(instead, text)
        return text.encode()

    return tidy


def _told(step: Step, folder: Path, runner: Callable[[Step, Path, Streams], str]) -> bytes:
    """Run a step and return what it printed, with its exit code."""
    if step.how == "terminal":
        printed, code = _on_terminal(step, folder)
        parts = {"terminal": printed}
    else:
        out, err = (folder.with_suffix(suffix) for suffix in (".out", ".err"))
        stdin = folder / (step.stdin or os.devnull)
        stdin = stdin if stdin.exists() else Path(os.devnull)  # the step before it failed
        code = runner(step, folder, (stdin, out, err))
        parts = {"stdout": out.read_bytes(), "stderr": err.read_bytes()}
    lines = [f"$ {step}\nexit code {code}\n".encode()]
    for name, content in parts.items():
        lines += [f"--- {name}\n".encode(), content, b"" if content.endswith(b"\n") else b"\n"]
    return b"".join(lines)


def _redirect(streams: Streams) -> None:
    """Let the three standard streams be files."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, (path, flags) in enumerate(
        zip(streams, (os.O_RDONLY, writing, writing), strict=True)
    ):
        handle = os.open(path, flags, 0o600)
        os.dup2(handle, number)
        os.close(handle)


def _here(step: Step, folder: Path, streams: Streams) -> str:
    """Run a step in this process and return how it ended."""
    kept = [(number, os.dup(number)) for number in range(3)]
    objects = sys.stdin, sys.stdout, sys.stderr
    try:
        _redirect(streams)
        return str(_ended(step, folder))
    finally:
        os.chdir(folder.parent)
        sys.stdin, sys.stdout, sys.stderr = objects
        for number, handle in kept:
            os.dup2(handle, number)
            os.close(handle)


def _in_fork(step: Step, folder: Path, streams: Streams) -> str:
    """Run a step in a process of its own and return how it ended."""
    child = os.fork()
    if child == 0:
        try:
            _redirect(streams)
            os._exit(_ended(step, folder))
        finally:
            os._exit(1)
    end = time.monotonic() + LONGEST_STEP
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return str(os.waitstatus_to_exitcode(status))
        time.sleep(0.005)
    return _stopped(child)


def _on_terminal(step: Step, folder: Path) -> tuple[bytes, str]:
    """Run a step on a terminal of 80 columns; return what it shows and how it ended."""
    child, handle = pty.fork()
    if child == 0:
        os._exit(_ended(step, folder))
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown, end = b"", time.monotonic() + LONGEST_STEP
    with contextlib.suppress(OSError):  # the other side is closed
        while time.monotonic() < end:
            if select.select([handle], [], [], 1)[0]:
                more = os.read(handle, 1 << 16)
                if not more:
                    break
                shown += more
    os.close(handle)
    if time.monotonic() >= end:
        return shown, _stopped(child)
    return shown, str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _stopped(child: int) -> str:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"none: stopped after {LONGEST_STEP} seconds"


def _ended(step: Step, folder: Path) -> int:
    """Run a step and return its exit code."""
    code: Any = 1
    try:
        os.chdir(folder)
        terminal = step.how == "terminal"
        if terminal:
            os.environ.pop("COLUMNS")  # the terminal itself says how wide it is
            _wait_for_size()
        for name, _, value in (word.partition("=") for word in shlex.split(step.env)):
            os.environ[name] = value
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, name in ((1, "stdout"), (2, "stderr")):
            errors = "strict" if name == "stdout" else "backslashreplace"
            binary = open(number, "wb", closefd=False)  # noqa: SIM115
            stream = io.TextIOWrapper(
                binary, encoding="utf-8", errors=errors, line_buffering=terminal or number == 2
            )
            setattr(sys, name, stream)
        code = _python(step.line) if step.how == "python" else _command(step)
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - the child ends here, whatever happened
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return code if isinstance(code, int) else int(bool(code))


def _wait_for_size() -> None:
    """Wait until the other process has said how large the terminal is."""
    while os.get_terminal_size(0).columns != 80:
        time.sleep(0.001)


def _command(step: Step) -> int:
    """Run the command line here, or for a fresh step in an interpreter of its own."""
    words = shlex.split(step.line)
    if step.how == "fresh":
        program = [sys.executable, "-m", "deadheat", *words]
        return subprocess.run(program, check=False).returncode
    from deadheat.cli import main

    sys.argv = ["deadheat", *words]
    main()
    return 0


def _python(expression: str) -> int:
    """Print the value of an expression, or the error that it raises."""
    import deadheat

    names: dict[str, Any] = {
        "dh": deadheat,
        "sys": sys,
        "subprocess": subprocess,
        "signatures": _signatures,
        "documents": _documents,
    }
    try:
        for name, made in NAMES.items():
            if re.search(rf"\b{name}\b", expression):
                names[name] = eval(made, names)  # noqa: S307 - an expression of this file
        _say(eval(expression, names))  # noqa: S307
    except Exception as error:  # noqa: BLE001 - the error is the answer
        _say(f"{type(error).__name__}: {error}")
        return 1
    return 0


def _signatures() -> str:
    """Return how each public name is called, methods included."""
    import inspect

    import deadheat

    lines = []
    for name in sorted(deadheat.__all__):
        value = getattr(deadheat, name)
        public = [(name, value)] if callable(value) else []
        if isinstance(value, type):
            public += [(f"{name}.{m}", f) for m, f in vars(value).items() if m[0] != "_"]
        for called, each in public:
            told = inspect.signature(each) if callable(each) else type(each).__name__
            lines.append(f"{called} {told}")
    return "\n".join(lines)


def _documents() -> str:
    """Return the docstring of each public name."""
    import inspect

    import deadheat

    names = sorted(deadheat.__all__)
    return "\n\n".join(f"{name}\n{inspect.getdoc(getattr(deadheat, name))}" for name in names)


# ---------------------------------------------------------------------------------- comparing


def compare(before: Path, after: Path) -> int:
    """Print how two recordings differ, and return 1 where they do."""
    names = [_names(folder) for folder in (before, after)]
    differing = 0
    some = names[1] if names[1] < names[0] else names[0] | names[1]  # a recording of some cases
    for name in sorted(some):
        lines = [
            line for pair in _files(before / name, after / name) for line in _difference(*pair)
        ]
        if lines:
            differing += 1
            rest = len(lines) - LINES_SHOWN
            _say(
                "\n".join([f"== {name}", *lines[:LINES_SHOWN], *[f"... {rest} more"] * (rest > 0)])
            )
    _say(f"{len(some):,} cases, {differing:,} differ")
    return int(differing > 0)


def _names(recording: Path) -> set[str]:
    found = {str(path.parent.relative_to(recording)) for path in recording.glob("*/*/record.txt")}
    if not found:
        sys.exit(f"{recording} is no recording.")
    return found


def _files(before: Path, after: Path) -> list[tuple[Path, Path]]:
    """Return the files of a case in both recordings, pair by pair."""
    inside = {p.relative_to(f) for f in (before, after) for p in f.rglob("*") if p.is_file()}
    return [(before / name, after / name) for name in sorted(inside)]


def _difference(before: Path, after: Path) -> list[str]:
    """Return a unified diff of two files; a missing one is empty."""
    old, new = (path.read_bytes() if path.exists() else b"" for path in (before, after))
    if old == new and before.exists() == after.exists():
        return []
    texts = [content.decode(errors="backslashreplace").splitlines() for content in (old, new)]
    lines = difflib.unified_diff(texts[0], texts[1], str(before), str(after), n=1, lineterm="")
    return [line[:300] for line in lines] or [f"{before} or {after} is missing, or ends otherwise"]


def _say(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run all cases and write what they gave")
    recording.add_argument("out", type=Path, help="a new folder outside the repository")
    source = Path(__file__).resolve().parents[1] / "src"
    recording.add_argument("--src", type=Path, default=source, help="the src of any checkout")
    recording.add_argument("--jobs", type=int, default=2)
    recording.add_argument("--only", default="", help="cases whose names match, e.g. ^(rate|plot)/")
    comparing = commands.add_parser("compare", help="print how two recordings differ")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    commands.add_parser("inputs").add_argument("folder", type=Path)
    working = commands.add_parser("work")
    for name in ("out", "src", "place"):
        working.add_argument(name, type=Path)
    working.add_argument("part")
    working.add_argument("only")
    asked = parser.parse_args()
    if asked.command == "compare":
        return compare(asked.before, asked.after)
    if asked.command == "record":
        return record(asked.out.resolve(), asked.src.resolve(), asked.jobs, asked.only)
    if asked.command == "inputs":
        make_inputs(asked.folder)
    else:
        work(asked.out, asked.src, asked.place, asked.part, asked.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
