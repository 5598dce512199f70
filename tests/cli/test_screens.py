"""Every command on the shipped examples and small tables, 80 x 24 and in a pipe: the voice."""

from __future__ import annotations

import random
import re

import pytest

import deadheat as dh
from deadheat.output.text import width_of
from deadheat.ranking.function import spoken
from terminals import in_terminal

LINES = 24  # of the terminal, the last of them for the next command
AROUND = 14  # lines beside those of the table
BOX = re.compile("[\u2500-\u257f]")
EXAMPLES = ("sat-race", "compressors", "models", "arena")
TABLES = (*EXAMPLES[:3], "six", "twelve", "families")
LOGS = ("arena", "games")
WITHOUT_NOUNS = ("families", "arena")  # no column says what their candidates are
PAIR = {"sat-race": ("cadical103", "kissat404"), "compressors": ("bzip2-9", "lzma-9e")}
PAIR["models"] = ("forest-6", "boosting-2")
COMMANDS = {
    "verdict": (),
    "verdict --strict": (),
    "rank": (),
    "rank --by": ("mean,copeland,average_rank",),
    "rank --by all": (),
    "rate": ("--replicates", "199", "--simulations", "0"),
    "compare": (),
    "agree": (),
    "influence": (),
    "consensus": (),
    "check": (),
    "criteria": ("--trials", "50"),
    "axioms": ("mean", "copeland"),
    "axioms --by": ("copeland",),
    "score": ("--rule", "par2"),
}
OF_LOGS = {
    "rate": ("--replicates", "199"),
    "rate --category": ("language", "--replicates", "199"),
    "rate --each": ("language", "--replicates", "199"),
    "check": (),
}
SCREENS = [
    *((command, name) for command in COMMANDS for name in TABLES if command != "score"),
    ("score", "sat-race"),
    ("verdict --each", "families"),
    *((command, name) for command in OF_LOGS for name in LOGS if " " not in command),
    *((command, "games") for command in OF_LOGS if " " in command),
]
ROWS_ARE_CANDIDATES = ("verdict", "rank", "rate", "consensus", "score")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the words about each file: the examples, and small tables of four candidates."""
    folder, rng = tmp_path_factory.mktemp("small"), random.Random(18)
    names = ("ann", "bob", "cyd", "dan")
    said = {name: [dh.examples.path(name)] for name in (*TABLES[:3], "arena")}

    def scores(k, tasks):
        return [f"{rng.gauss(70 - k, 4):.1f}" for _ in range(tasks)]

    for name, tasks in (("six", 6), ("twelve", 12)):
        heads = [f"task {j}" for j in range(tasks)]
        rows = [["model", *heads], *([who, *scores(k, tasks)] for k, who in enumerate(names))]
        (folder / f"{name}.csv").write_text("\n".join(map(",".join, rows)) + "\n")
        said[name] = [folder / f"{name}.csv", "--better", "higher"]
    rows = [["task", "family", *names]]
    rows += [[f"t{j}", "abc"[j % 3], *(scores(k, 1)[0] for k in range(4))] for j in range(18)]
    (folder / "families.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    said["families"] = [folder / "families.csv", "--better", "higher", "--judge", "task"]
    said["families"] += ["--stratum", "family"]
    rows = [["model_a", "model_b", "winner", "language"]]
    for _ in range(400):
        a, b = rng.sample(range(4), 2)
        word = "model_a" if rng.random() < 1 / (1 + 2 ** (a - b)) else "model_b"
        rows.append([names[a], names[b], word, rng.choice(["en", "de", "fr"])])
    (folder / "games.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    said["games"] = [folder / "games.csv"]
    return said


def number_of_candidates(name):
    return len({*dh.examples.load(name).candidates}) if name in EXAMPLES else 4


def words(command, name, files):
    question, *options = command.split()
    file, *reading = files[name]
    if question == "axioms":
        tables = () if options else ("--table", file, *reading)
        return (question, *COMMANDS[command], *tables)
    if command == "verdict --each":
        return (question, file, *reading, *options, "family")
    pair = PAIR.get(name, ("ann", "bob")) if question == "compare" else ()
    more = OF_LOGS[command] if name in LOGS else COMMANDS[command]
    return (question, file, *pair, *reading, *options, *more)


@pytest.fixture(scope="module")
def screens(tmp_path_factory, files):
    folder, found = tmp_path_factory.mktemp("screens"), {}

    def screen(command, name):
        if (command, name) not in found:
            how = {"NO_COLOR": "1", "DEADHEAT_PROGRESS": "0", "LINES": str(LINES)}
            code, shown = in_terminal(*words(command, name, files), folder=folder, **how)
            assert code == 0, shown
            found[command, name] = shown.replace("\r", "")
        return found[command, name]

    return screen


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_screen_has_the_answer_first_and_fits(screens, command, name):
    """Lines are at most n + 14, n being the candidates, or what else the rows are of.

    Where a second table stands below the first, only the terminal is the limit.
    """
    shown = screens(command, name)
    paragraphs, lines = shown.strip().split("\n\n"), shown.splitlines()
    headline = " ".join(paragraphs[0].split())
    assert headline.endswith(".")
    assert not headline.lower().startswith(("warning", "note", "!"))
    assert max(map(width_of, lines)) <= 80
    assert sum(line.startswith((" ! ", " \u00b7 ", " \u2713 ")) for line in lines) <= 5
    rows = max(sum(1 for line in part.splitlines()) - 2 for part in paragraphs[1:])
    if command.split()[0] in ROWS_ARE_CANDIDATES:
        rows = number_of_candidates(name)
    beside = command.endswith(("--each", "--category"))
    assert len(lines) <= (LINES - 1 if beside else min(rows + AROUND, LINES - 1))


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_screen_speaks_with_the_nouns_of_the_table(screens, command, name):
    if name in WITHOUT_NOUNS or command == "axioms --by":
        return
    shown = screens(command, name)
    assert not re.search(r"\b(judge|candidate)s?\b", re.sub("'(judge|candidate)'", "", shown)) or (
        command == "check"  # which says what the columns are taken for
    )
    prose = [line for line in shown.splitlines() if line.rstrip().endswith(".")]
    coded = [f.name for f in dh.functions() if spoken(f.name) != f.name]
    assert not [f for f in coded if any(f in line for line in prose)]


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_pipe_has_everything_and_no_box(run, files, command, name):
    done = run(*words(command, name, files))
    assert done.exit_code == 0, done.stderr
    assert not BOX.search(done.stdout)
    head, *rows = done.stdout.splitlines()
    assert "\t" in head
    if command in ("verdict", "rank", "rate", "consensus") and name not in LOGS:
        assert len(rows) == number_of_candidates(name)
        places = [float(row.split("\t")[head.split("\t").index("rank")]) for row in rows]
        assert places == sorted(places)
