"""The competitions that come with deadheat: files, sidecars, datasheets, discovery."""

from __future__ import annotations

import re
import shutil
import socket

import pytest

import deadheat as dh
from deadheat.core.errors import UnknownNameError
from deadheat.data import examples as example
from deadheat.data.examples import DEFAULT, FOLDER, examples, load, names, path

FOLDERS = sorted(file.parent for file in FOLDER.glob("*/example.toml"))
MADE = sorted(examples())
HEADINGS = [
    *("How it was made", "Machine and versions", "Seeds", "Licence", "Known flaws"),
    "What it cannot show",
]
MOST_BYTES = 3_000_000
PLACES = re.compile(r"(?<![\w.])/(home|root|tmp|work|Users|opt|mnt|var)/|[A-Z]:\\\\")
SAT = """solver,instance,family,seed,status,answer,cpu_time,cutoff
a,i1,f,0,ok,SAT,1.0,10
a,i2,f,0,timeout,,10.0,10
a,i3,g,0,ok,UNSAT,3.0,10
a,i3,g,1,ok,UNSAT,5.0,10
b,i1,f,0,ok,SAT,2.0,10
b,i2,f,0,crash,,0.1,10
b,i3,g,0,memout,,4.0,10
b,i3,g,1,timeout wallclock,,1.0,10
"""


@pytest.fixture
def sat_race(tmp_path, monkeypatch):
    """A race of two solvers in the place of the real one."""
    folder = tmp_path / "sat-race"
    shutil.copytree(FOLDER / "sat-race", folder, ignore=shutil.ignore_patterns("*.gz", "*.md"))
    (folder / "runs.csv").write_text(SAT, encoding="utf-8")
    told = folder / "example.toml"
    told.write_text(told.read_text().replace("runs.csv.gz", "runs.csv"))
    monkeypatch.setattr(example, "FOLDER", tmp_path)
    return folder


def test_the_examples_are_there():
    assert {"arena", "compressors", "models"} <= set(names())
    assert DEFAULT in names()
    assert {folder.name for folder in FOLDERS} <= {"sat-race", *names()}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("compressors", dh.Results), ("models", dh.Results), ("arena", dh.Battles)],
)
def test_an_example_is_what_one_can_work_with(name, kind):
    found = dh.examples.load(name)
    assert isinstance(found, kind)
    assert found.source == name
    assert not found.notes


def test_a_wrong_name_is_told_the_nearest():
    for ask in (load, path):
        with pytest.raises(
            UnknownNameError, match=r"unknown example 'modles'\. Did you mean 'models'"
        ):
            ask("modles")


@pytest.mark.parametrize("name", MADE)
def test_the_file_reads_itself_because_its_sidecar_is_beside_it(name):
    file = dh.examples.path(name)
    assert file.is_file()
    read = {"table": dh.read, "runs": dh.read_runs, "battles": dh.read_battles}
    again = read[examples()[name].kind](file)
    assert again.candidates == load(name).candidates


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_datasheet_says_what_must_be_said(folder):
    text = (folder / "DATASHEET.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {folder.name}\n")
    headings = re.findall("^## (.+)$", text, re.MULTILINE)
    assert [heading for heading in headings if heading in HEADINGS] == HEADINGS
    assert re.search(r"\b2026-\d\d-\d\d\b", text)
    assert not re.search(r"<!-- begin (\w+) -->\s*<!-- end \1 -->", text)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_text_names_a_machine_or_a_place_on_it(folder):
    for file in (*folder.glob("*.md"), *folder.glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        assert not PLACES.search(text)
        assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)


def test_all_together_are_small():
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) < MOST_BYTES


def test_the_wheel_has_them():
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    builder = wheel.WheelBuilder(str(FOLDER.parents[3]))
    inside = {file.distribution_path for file in builder.recurse_included_files()}
    shipped = (file for name in MADE for file in (FOLDER / name).iterdir())
    assert {str(file.relative_to(FOLDER.parents[2])) for file in shipped} <= inside


def test_one_more_folder_is_one_more_example(tmp_path, monkeypatch):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "example.toml").write_text('summary = "two"\nfile = "t.csv"\nkind = "table"\n')
    monkeypatch.setattr(example, "FOLDER", tmp_path)
    assert names() == ()
    (folder / "t.csv").write_text("model,a,b\nx,1,2\ny,2,1\n")
    (folder / "t.toml").write_text('better = "lower"\n')
    assert names() == ("tiny",)
    assert load("tiny").better == ("lower", "lower")
    assert examples()["tiny"].rows == 2


class TestSatRace:
    def test_families_are_strata_and_copies_are_seeds(self, sat_race):
        runs = load("sat-race")
        assert isinstance(runs, dh.Runs)
        assert runs.candidates == ("a", "b")
        assert runs.strata == ("f", "g")
        assert runs.seeds == ("0", "1")
        assert runs.solved.sum() == 4

    def test_an_instance_counts_once_however_many_copies_it_has(self, sat_race):
        scored = dh.read(path("sat-race"))
        assert scored.judges == ("i1", "i2", "i3")
        assert scored.original.tolist() == [[1, 20, 4], [2, 20, 20]]  # PAR2, mean of the copies
        asked = examples()["sat-race"].demo
        assert dh.read(load("sat-race"), **asked).scores.tolist() == scored.scores.tolist()
