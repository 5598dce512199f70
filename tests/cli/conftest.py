"""A table on disk, and the command in and out of process."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from deadheat.cli.program import deadheat

TABLE = "model,a,b,c\nrf,0.9,0.8,0.7\nsvm,0.85,0.7,0.6\nknn,0.5,0.4,0.3\n"
OWN = """
import deadheat.ranking.function as dh

@dh.ranks_table("top_score", aliases=("Top-Most",), scale="interval", shared_scale=True)
def best(scores):
    \"\"\"Rank by the best score.\"\"\"
    return scores.max(axis=1)

def unregistered(scores):
    return scores
"""
QUIET = {"NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "80", "DEADHEAT_DEBUG": ""}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def assert_whole_commands(said):
    """Assert that each line of a hint that speaks of options is a command to copy."""
    _, found, hint = said.partition("\nHint: ")
    for line in hint.splitlines() if found else ():
        assert "deadheat " in line or not re.search(r"(?<![\w-])--?[a-z]", line), line


@pytest.fixture
def run():
    """Run the command line in this process; standard output is a pipe."""

    def invoke(*args, **options):
        runner = CliRunner(env={"COLUMNS": "80"})
        done = runner.invoke(deadheat, [str(a) for a in args], **options)
        assert_whole_commands(done.stderr)
        return done

    return invoke


@pytest.fixture
def spawn():
    """Run ``python -m deadheat`` in a process of its own."""

    def started(*args, env=(), **options):
        return subprocess.run(
            [sys.executable, "-m", "deadheat", *map(str, args)],
            env=os.environ | QUIET | dict(env),
            capture_output=True,
            check=False,
            **options,
        )

    return started


@pytest.fixture
def own(tmp_path):
    from deadheat.core.errors import DeadheatError
    from deadheat.ranking.function import forget

    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    yield path
    with contextlib.suppress(DeadheatError):
        forget("top_score")
