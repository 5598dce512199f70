"""Every command on the shipped examples, in a terminal of 80 x 24 and in a pipe: the voice."""

from __future__ import annotations

import re

import pytest

import deadheat as dh
from deadheat.output.text import width_of
from deadheat.ranking.function import spoken
from terminals import in_terminal

AROUND = 14  # lines beside those of the table
BOX = re.compile("[\u2500-\u257f]")
FILES = {name: dh.examples.path(name) for name in ("sat-race", "compressors")}
PAIR = {"sat-race": ("cadical103", "kissat404"), "compressors": ("bzip2-9", "lzma-9e")}
COMMANDS = {
    "verdict": (),
    "rank": (),
    "rate": ("--replicates", "199", "--simulations", "0"),
    "compare": (),
    "agree": (),
    "influence": (),
    "consensus": (),
    "check": (),
    "criteria": ("--trials", "50"),
    "axioms": ("mean", "copeland"),
    "score": ("--rule", "par2"),
}
SCREENS = [
    (command, name)
    for command in COMMANDS
    for name in FILES
    if command != "score" or name == "sat-race"  # the other one has no runs
]


def words(command, name):
    if command == "axioms":
        return (command, *COMMANDS[command], "--table", FILES[name])
    pair = PAIR[name] if command == "compare" else ()
    return (command, FILES[name], *pair, *COMMANDS[command])


@pytest.fixture(scope="module")
def screens(tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("screens"), {}

    def screen(command, name):
        if (command, name) not in found:
            how = {"NO_COLOR": "1", "DEADHEAT_PROGRESS": "0", "LINES": "24"}
            code, shown = in_terminal(*words(command, name), folder=folder, **how)
            assert code == 0, shown
            found[command, name] = shown.replace("\r", "")
        return found[command, name]

    return screen


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_screen_has_the_answer_first_and_fits(screens, command, name):
    shown = screens(command, name)
    paragraphs, lines = shown.strip().split("\n\n"), shown.splitlines()
    headline = " ".join(paragraphs[0].split())
    assert headline.endswith(".")
    assert not headline.lower().startswith(("warning", "note", "!"))
    assert max(map(width_of, lines)) <= 80
    assert sum(line.startswith((" ! ", " \u00b7 ", " \u2713 ")) for line in lines) <= 5
    rows = max(sum(1 for line in part.splitlines()) - 2 for part in paragraphs[1:])
    if command in ("verdict", "rank", "rate", "consensus"):
        rows = len({*dh.examples.load(name).candidates})
    assert len(lines) <= rows + AROUND


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_screen_speaks_with_the_nouns_of_the_table(screens, command, name):
    shown = screens(command, name)
    assert not re.search(r"\b(judge|candidate)s?\b", re.sub("'(judge|candidate)'", "", shown)) or (
        command == "check"  # which says what the columns are taken for
    )
    prose = [line for line in shown.splitlines() if line.rstrip().endswith(".")]
    coded = [f.name for f in dh.functions() if spoken(f.name) != f.name]
    assert not [f for f in coded if any(f in line for line in prose)]


@pytest.mark.parametrize(("command", "name"), SCREENS)
def test_a_pipe_has_everything_and_no_box(run, command, name):
    done = run(*words(command, name))
    assert done.exit_code == 0, done.stderr
    assert not BOX.search(done.stdout)
    head, *rows = done.stdout.splitlines()
    assert "\t" in head
    if command in ("verdict", "rank", "rate", "consensus"):
        table = dh.examples.load(name)
        assert len(rows) == len({*table.candidates})
        places = [float(row.split("\t")[head.split("\t").index("rank")]) for row in rows]
        assert places == sorted(places)
