"""What is there only while work is under way is told before it is made, and once it is gone."""

import os

import pytest

from deadheat.core.files import remove_path, save
from deadheat.data.reading.database import database
from deadheat.report.api import bundle


@pytest.fixture
def told(monkeypatch):
    """Return what was told: paths, whether work on them begins, whether they were there."""
    found = []
    monkeypatch.setattr(
        "deadheat.core.files.tell",
        lambda path, *, there: found.append((path, there, os.path.lexists(path))),
    )
    return found


def in_a_database(_):
    with database():
        pass


@pytest.mark.parametrize(
    "work",
    [
        lambda folder: save(folder / "a.csv", "x"),
        lambda folder: bundle(folder / "b", page="x", results={}),
        in_a_database,
    ],
)
def test_it_is_told_before_it_is_made_and_when_it_is_gone(tmp_path, told, work):
    work(tmp_path)
    (path, *first), (same, *last) = told
    assert path == same
    assert (first, last) == ([True, False], [False, False])


def test_files_folders_and_links_are_removed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / "link").symlink_to(kept)
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    (tmp_path / "file").touch()
    for name in ("link", "folder", "file", "never there"):
        remove_path(tmp_path / name)
    assert list(tmp_path.iterdir()) == [kept]
