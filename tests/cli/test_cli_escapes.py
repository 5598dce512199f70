"""What would act on a terminal never reaches one raw; files and pipes have names as they are."""

from __future__ import annotations

import csv
import json
import re

import pytest

import deadheat as dh
from deadheat.core.errors import DataError, listed
from terminals import in_terminal

EVIL = "\x1b]0;title\x07\x1b[31mred\x9b2J\x7f\u202egnp\u2066x"
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
FORMATS = ("table", "tsv", "csv", "json", "md", "latex")


@pytest.fixture
def evil(tmp_path):
    path = tmp_path / "evil.csv"
    path.write_text(f"model,a{EVIL},b\nx{EVIL},1,2\ny,2,1.5\nz,0,0\n", encoding="utf-8")
    return path


def shown(folder, *args):
    code, written = in_terminal(*args, folder=folder, NO_COLOR="1", TERM="dumb")
    found = ACTING.search(written)
    assert found is None, (found, written)
    return code, written


@pytest.mark.parametrize("form", FORMATS)
def test_names_cannot_act_on_a_terminal_in_any_format(evil, form):
    code, written = shown(evil.parent, "agree", evil, "--better", "higher", "--format", form)
    assert code == 0
    assert "judge" in written


def test_nor_where_the_terminal_is_named_as_a_file(evil):
    args = ("rank", evil, "--better", "higher", "--format", "csv", "-o", "/dev/stdout")
    assert shown(evil.parent, *args)[0] == 0


@pytest.mark.parametrize(
    "args",
    [
        ["rank", f"no{EVIL}.csv"],
        ["rank", "evil.csv", "--better", EVIL],
        ["rank", "evil.csv", "--better", "higher", "--by", EVIL],
        ["rank", "evil.csv", "--better", "higher", "-o", f"no{EVIL}/x.csv"],
        ["rank", "evil.csv", "--better", "higher", "--candidate", EVIL],
        ["compare", "evil.csv", EVIL, "y", "--better", "higher"],
        [f"--{EVIL}"],
        [EVIL],
    ],
)
def test_what_is_said_again_cannot_act_either(evil, args):
    assert shown(evil.parent, *args)[0] in {2, 3}


def test_a_pipe_has_names_as_they_are(run, evil):
    done = run("rank", evil, "--better", "higher", "--format", "csv")
    assert next(csv.DictReader(done.stdout.splitlines()))["candidate"] == f"x{EVIL}"


def test_json_has_them_as_escapes_and_means_the_same(run, evil):
    done = run("rank", evil, "--better", "higher", "--json")
    assert ACTING.search(done.stdout) is None
    assert json.loads(done.stdout)["rows"][0]["candidate"] == f"x{EVIL}"


def test_an_error_says_nothing_that_acts_also_in_python():
    error = DataError(f"the name {EVIL}.", hint=f"not {EVIL}.\nthis line is meant.")
    assert ACTING.search(str(error)) is None
    assert str(error).count("\n") == 2
    assert listed(["a\nHint: rm"]) == "a\\nHint: rm"
    with pytest.raises(dh.UsageError) as caught:
        dh.rank(dh.examples.load("compressors"), by=EVIL)
    assert ACTING.search(str(caught.value)) is None
