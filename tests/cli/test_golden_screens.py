"""Recorded screens of every command, in a terminal of 80 x 24 and in a pipe, to be read by eyes.

``PYTHONPATH=src:tests python tests/cli/test_golden_screens.py`` writes them again: look at what
``git diff`` shows.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import deadheat as dh
from deadheat.cli.program import deadheat
from terminals import in_terminal

SCREENS = Path(__file__).parent / "screens"
SAT, FILES, MODELS, ARENA = "sat.csv.gz", "ratios.csv", "models.csv.gz", "arena.csv.gz"
EXAMPLES = {SAT: "sat-race", FILES: "compressors", MODELS: "models", ARENA: "arena"}
QUICK = "--replicates 199 --simulations 0"
BOARD = """rank,model,score,95% CI,votes
1,gpt-x,1310,+5/-4,12000
2,claude-y,1305,+6/-6,8000
3,gemini-z,1290,+4/-5,15000
4,llama-w,1250,+5/-5,9000
"""
READ = "board.csv --better higher --standard-error '95% CI' --ignore rank --ignore votes"
COMMANDS = {
    "next-steps": "",
    "help": "--help",
    "help-verdict": "verdict --help",
    "demo": "demo --data compressors",
    "check-ratios": f"check {FILES}",
    "score": f"score {SAT} --rule par2",
    "rank": f"rank {FILES}",
    "rank-all": f"rank {SAT} --by all",
    "verdict-sat": f"verdict {SAT} --replicates 999",
    "verdict-ratios": f"verdict {FILES} --replicates 999",
    "verdict-strict": f"verdict {FILES} --strict --replicates 999",
    "board-open": "board.csv",
    "board": READ,
    "board-alone": "rank board.csv --better higher --ignore '95% CI' --ignore rank --ignore votes",
    "verdict-each": f"verdict {SAT} --each family --replicates 999",
    "compare": f"compare {SAT} cadical103 kissat404 --replicates 999",
    "compare-nobody": f"compare {FILES}",
    "influence": f"influence {FILES}",
    "agree": f"agree {FILES}",
    "consensus": f"consensus {FILES}",
    "criteria": f"criteria {FILES} --trials 50",
    "axioms": "axioms copeland",
    "axioms-several": "axioms mean copeland --only condorcet,iia",
    "axioms-table": f"axioms borda --table {FILES}",
    "rate-table": f"rate {FILES} {QUICK}",
    "rate-log": f"rate {ARENA} {QUICK}",
    "rate-category": f"rate log.csv --category language {QUICK}",
    "list": "list",
    "list-functions": "list functions",
    "list-examples": "list examples",
    "list-plots": "list plots",
    "list-formats": "list formats",
    "list-scoring": "list scoring",
    "show": "show saved.json",
    "convert": f"convert {FILES} -o long.csv",
    "report": f"report {FILES} -o page.html --replicates 199",
    "plot": f"plot {FILES} intervals --replicates 199 -o fig.svg",
    "each-picture": f"plot {SAT} intervals --each family -o fig.svg",
}
PIPED = (
    *("check-ratios", "score", "rank", "verdict-ratios", "verdict-each", "compare", "influence"),
    *("agree", "consensus", "criteria", "axioms", "axioms-table", "rate-table", "rate-log"),
    *("rate-category", "list", "list-functions", "show", "convert", "plot", "report"),
)
CASES = [*((name, "tty") for name in COMMANDS), *((name, "pipe") for name in PIPED)]
LOG = "model_a,model_b,winner,language\n" + "".join(
    f"{a},{b},{'model_a' if k % 5 > worse else 'model_b' if k % 5 else 'tie'},{language}\n"
    for language, battles in (("German", 40), ("English", 60), ("Welsh", 6))
    for a, b, worse in (("ada", "bell", 2), ("ada", "curie", 1), ("bell", "curie", 1))
    for k in range(battles)
)
LONGEST = 12  # lines of a pipe: which columns, and what a row looks like
DIGITS = re.compile(r"-?\d+\.\d{4,}(e[-+]\d+)?|-?\d+e[-+]\d+")


def examples_in(folder):
    """Lay the examples into a folder under short names, with what says how to read them."""
    for short, name in EXAMPLES.items():
        path = Path(dh.examples.path(name))
        stem = short.partition(".")[0]
        (folder / short).write_bytes(path.read_bytes())
        for side in path.parent.glob("*.toml"):
            if side.name != "example.toml":
                (folder / f"{stem}.toml").write_bytes(side.read_bytes())
    (folder / "log.csv").write_text(LOG, encoding="utf-8")
    saved = dh.verdict(folder / FILES, replicates=199)
    (folder / "saved.json").write_text(saved.to_json(), encoding="utf-8")
    (folder / "board.csv").write_text(BOARD, "utf-8")


def rounded(found):
    """Return a number to four digits: what machines may disagree about is not recorded."""
    return f"{float(found[0]):.4g}"


def screen(name, where, folder):
    """Return the command, and what it writes."""
    words = shlex.split(COMMANDS[name])
    if where == "tty":
        settings = {"NO_COLOR": "1", "DEADHEAT_PROGRESS": "0", "LINES": "24"}
        _, written = in_terminal(*words, folder=folder, **settings)
        lines = written.replace("\r", "").splitlines()
    else:
        before = Path.cwd()
        os.chdir(folder)
        try:
            done = CliRunner(env={"COLUMNS": "80"}).invoke(deadheat, words)
        finally:
            os.chdir(before)
        every = DIGITS.sub(rounded, done.stdout).splitlines()
        lines = [*every[:LONGEST], *([f"... {len(every):,} lines"] if len(every) > LONGEST else [])]
        lines += ["", *done.stderr.splitlines()]
    body = "\n".join(line.rstrip() for line in lines).strip("\n")
    return f"$ deadheat {COMMANDS[name]}\n{body}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("golden")
    examples_in(made)
    return made


@pytest.mark.parametrize(("name", "where"), CASES)
def test_a_screen_is_as_it_was_when_somebody_looked_at_it(folder, name, where):
    recorded = (SCREENS / f"{name}.{where}.txt").read_text(encoding="utf-8")
    assert screen(name, where, folder) == recorded


def test_every_recorded_screen_is_of_a_command():
    assert {path.name for path in SCREENS.iterdir()} == {f"{n}.{w}.txt" for n, w in CASES}


if __name__ == "__main__":
    SCREENS.mkdir(exist_ok=True)
    for old in SCREENS.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as made:
        examples_in(Path(made))
        for name, where in CASES:
            (SCREENS / f"{name}.{where}.txt").write_text(screen(name, where, Path(made)), "utf-8")
