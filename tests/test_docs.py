"""Every example runs: docstrings, README, and every page of the documentation."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import deadheat
from deadheat.ranking import function as registry
from deadheat.report.picture import kinds
from terminals import in_own_terminal, in_terminal

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNABLE = {"python", "console"}
FUNCTIONS_OF_THE_PAGES = frozenset(
    [
        "average_rank",
        "borda",
        "copeland",
        "copeland_hard",
        "epp",
        "geometric_mean",
        "instant_runoff",
        "kemeny",
        "majority_judgement",
        "mean",
        "median",
        "minimax",
        "plurality",
        "ranked_pairs",
        "relative_difference",
        "relative_difference_ranks",
        "schulze",
        "success_rate",
        "success_rate_half",
        "trimmed_mean",
    ]
)
PROSE = {"", "toml", "text", "csv", "json"}  # shown, not run; csv and toml are files of the page
NAMED_FILE = re.compile(r"`([\w.-]+\.(?:csv|toml|py))`:?\s*$")


def modules():
    found = pkgutil.walk_packages(deadheat.__path__, "deadheat.")
    return sorted(m.name for m in found if not m.name.endswith("__main__"))


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs={"np": np})
    for test in tests:
        failures, _ = doctest.DocTestRunner(verbose=False).run(test)
        assert not failures, test.name


@pytest.fixture
def own_registry(monkeypatch):
    """Forget the functions that a page registers, and those that came after the pages.

    Pages print which functions agree: one function more must not break them.
    """
    known = registry.FUNCTIONS._known.items()
    written = {name: each for name, each in known if each[1].name in FUNCTIONS_OF_THE_PAGES}
    monkeypatch.setattr(registry.FUNCTIONS, "_known", written)


@pytest.mark.usefixtures("own_registry")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    """Blocks of one page share a folder and a namespace; output that is shown is compared."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        language, code = block[1], block[2]
        named = NAMED_FILE.search(text[: block.start()].rstrip())
        if named:
            (tmp_path / named[1]).write_text(code, encoding="utf-8")
        elif language == "python":
            run_python(code, namespace)
        elif language == "console":
            run_console(code, tmp_path)
        else:
            assert language in PROSE | {"sh"}, f"{page.name}: unknown block {language!r}"
            if language == "sh":
                assert_make_targets(code)


class Checker(doctest.OutputChecker):
    def check_output(self, want, got, optionflags):
        return super().check_output("\n".join(trimmed(want)), "\n".join(trimmed(got)), optionflags)


def run_python(code, namespace):
    if ">>>" in code:
        test = doctest.DocTestParser().get_doctest(code, namespace, "block", None, 0)
        runner = doctest.DocTestRunner(verbose=False, checker=Checker())
        failures, _ = runner.run(test, clear_globs=False)
        namespace.update(test.globs)
        assert not failures
    else:
        exec(compile(code, "block", "exec"), namespace)


def run_console(code, folder):
    """Run each line after `$` in a terminal 80 columns wide; what follows it is its output."""
    for command, expected in re.findall(
        r"^\$ (.*(?:\\\n.*)*)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE
    ):
        status, output = run_line(command, folder)
        if expected.strip():
            assert up_to_the_sentence(output) == up_to_the_sentence(expected), command
        else:
            assert status == 0, f"{command}\n{output}"


def run_line(line, folder):
    """Run a line in a terminal: the command here, other programs and own code in a shell."""
    settings = {"NO_COLOR": "1", "DEADHEAT_PROGRESS": "0"}
    words = shlex.split(line.replace("\\\n", " "))
    while "=" in words[0]:
        settings |= [words.pop(0).split("=", 1)]
    if words[0] != "deadheat" or re.search(r"[|<>&;$*]|\.py\b", line):
        settings["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return in_own_terminal(line, folder=folder, **settings)
    return in_terminal(*words[1:], folder=folder, **settings)


EVERY_FUNCTION = (" is first under ", "Another choice would change", "All # functions that")


def up_to_the_sentence(text):
    """Return the lines as far as they do not name every function there is.

    The sentence that closes a ranking or a verdict does, and one function more must not break a
    page; the tests of rankings and verdicts look at the sentence itself.
    """
    lines = trimmed(text)
    last = (k for k, line in enumerate(lines) if any(part in line for part in EVERY_FUNCTION))
    return lines[: next(last, None)]


def trimmed(text):
    """Drop trailing blanks, and how many functions there are: one more must not break a page."""
    text = re.sub(r"\b\d+( of \d+)?( other)?( ranking)? functions", "# functions", text)
    text = re.sub(r"\b\d+ of \d+ other ways|\b\d+ other ways", "# other ways", text)
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def assert_make_targets(code):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", code, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


IN_A_FRESH_HOUSE = """
import sys
import deadheat as dh
from deadheat.axioms import laws
from deadheat.criteria import measures

for home in (laws, measures):
    home.__path__.append(sys.argv[1 + (home is measures)])
rows = {row["function"]: row for row in dh.axioms("copeland,median", only="condorcet_loser").rows()}
assert rows["copeland"]["holds"] and not rows["median"]["holds"], rows
assert rows["median"]["counterexample"]["change"].startswith("B loses every duel, and B is above A")
table = dh.Results(scores=[[1, 1, 2], [1, 2, 1], [2, 1, 1]], better="higher")
found = dh.criteria(table, by="mean,copeland", trials=200, q=5, repeats=2)
assert 0 < found.rows()[0]["decisiveness"] < 1
assert "decisiveness_se" in found.to_csv() and "decisiveness" in found.facts()["best"]
"""


def test_the_recipes_for_an_axiom_and_a_criterion_work(tmp_path):
    """A file each, added to the folder of its kind, in a process that has not loaded that yet."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    files = {"condorcet_loser.py": tmp_path / "laws", "decisiveness.py": tmp_path / "measures"}
    for block in FENCE.finditer(text):
        named = NAMED_FILE.search(text[: block.start()].rstrip())
        if named and named[1] in files:
            files[named[1]].mkdir()
            (files[named[1]] / named[1]).write_text(block[2], encoding="utf-8")
    run = [sys.executable, "-c", IN_A_FRESH_HOUSE, *map(str, files.values())]
    assert subprocess.run(run, check=False).returncode == 0


def test_every_function_has_its_row_and_section_in_the_generated_page():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        page = importlib.import_module("make_docs").functions_page()
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for f in registry.functions():
        assert f"| [`{f.name}`](#{f.name}) |" in page
        assert f.formula in page


def test_every_picture_has_its_row_in_the_generated_page():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        page = importlib.import_module("make_docs").pictures_page()
    finally:
        sys.path.remove(str(ROOT / "tools"))
    for kind in kinds().values():
        assert f"| `{kind.name}` |" in page
        assert kind.summary in page


def test_no_page_names_a_machine_or_a_registry():
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True
    ).stdout.split("\0")
    if tracked == [""]:
        pytest.skip("not a git checkout: nothing says which files are tracked")
    machine = re.compile("/" + "(?:work|root|home)/" + r"\w|(?:py" + "pi|pythonhosted)" + r"\.org")
    for name in filter(None, tracked):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".yml", ".cff", ""} and path.is_file():
            assert not machine.search(path.read_text(encoding="utf-8")), name
