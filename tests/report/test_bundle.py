"""The folder of a report: all of it, or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import stat

import pytest

import deadheat as dh
from deadheat.report import api as home
from deadheat.report.api import bundle
from deadheat.report.methods import methods
from deadheat.report.picture import draw_picture
from nasty import scores
from samples import samples


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def given():
    v = samples()["verdict"]
    results = {"verdict": v, "groups": samples()["verdict groups"]}
    return {"page": "<p>é</p>", "results": results, "title": "Who won?"}


def test_everything_is_there_and_the_manifest_is_true(tmp_path, given):
    v = given["results"]["verdict"]
    out = tmp_path / "out"
    named = bundle(out, **given, pictures=[draw_picture(v, "intervals")], methods=methods(v))
    assert set(named) == files(out)
    assert files(out) == {
        "report.html", "tables/verdict.csv", "json/verdict.json", "tables/groups.csv",
        "json/groups.json", "figures/intervals.svg", "figures/intervals.pdf", "report.tex",
        "methods.txt", "references.bib", "README.txt", "manifest.json",
    }  # fmt: skip
    listed = json.loads((out / "manifest.json").read_text())["files"]
    assert {each["path"] for each in listed} == files(out) - {"manifest.json"}
    for each in listed:
        content = (out / each["path"]).read_bytes()
        assert each["sha256"] == hashlib.sha256(content).hexdigest()
        assert each["bytes"] == len(content) > 0
        assert each["what"]
        assert each["path"] in (out / "README.txt").read_text() or each["path"] == "README.txt"
    assert (out / "report.html").read_text(encoding="utf-8") == given["page"]
    assert (out / "tables/verdict.csv").read_text() == v.to_csv()
    assert dh.load(out / "json/verdict.json").to_json() == v.to_json()
    assert (out / "figures/intervals.svg").read_text().startswith("<svg")
    assert (out / "figures/intervals.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_same_is_written_twice(tmp_path, given):
    for name in ("a", "b"):
        bundle(tmp_path / name, **given)
    assert (tmp_path / "a/manifest.json").read_bytes() == (
        tmp_path / "b/manifest.json"
    ).read_bytes()


def test_an_empty_folder_is_filled_and_another_one_refused(tmp_path, given):
    out = tmp_path / "out"
    out.mkdir()
    bundle(out, **given)
    before = files(out)
    with pytest.raises(dh.UsageError, match="is not empty") as raised:
        bundle(out, **given)
    assert raised.value.hint.startswith("to a new one: bundle=")
    assert files(out) == before
    with pytest.raises(dh.UsageError, match="is a file"):
        bundle(out / "report.html", **given)
    with pytest.raises(dh.UsageError, match="there is no folder"):
        bundle(tmp_path / "x/y", **given)


def test_nothing_is_left_where_writing_fails(tmp_path, given, monkeypatch):
    def broken(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(home.Path, "write_bytes", broken)
    with pytest.raises(dh.UsageError, match="No space left"):
        bundle(tmp_path / "out", **given)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_nothing(tmp_path, given, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(home.Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        bundle(tmp_path / "out", **given)
    assert list(tmp_path.iterdir()) == []


def test_a_private_folder_stays_private_and_all_is_flushed(tmp_path, given, monkeypatch):
    out, flushed = tmp_path / "out", []
    out.mkdir(0o700)
    sync = os.fsync
    monkeypatch.setattr("os.fsync", lambda handle: (flushed.append(handle), sync(handle)))
    named = bundle(out, **given)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    folders = 4  # tables, json, the bundle, and where it lies
    assert len(flushed) == len(named) + folders


def test_names_become_file_names_of_their_own(tmp_path, given):
    odd = {
        name: scores("a", "b") for name in ("../../x", "X", "x!", "", "日本", "a" * 300, "con\n")
    }
    bundle(tmp_path / "out", page="", results=odd)
    tables = [path for path in files(tmp_path / "out") if path.startswith("tables/")]
    assert len(tables) == len(odd)
    assert all(path.count("/") == 1 and len(path) < 90 and path.isascii() for path in tables)
