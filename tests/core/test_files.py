"""Files that are read, and files that are written."""

from __future__ import annotations

import importlib
import os
import stat
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

import deadheat as dh
from deadheat.core import files
from deadheat.core.errors import UsageError
from deadheat.core.files import OverwritingError, save

TABLE = "model,a,b,c\nrf,0.9,0.8,0.7\nsvm,0.85,0.7,0.6\nknn,0.5,0.4,0.3\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_missing_folder_is_refused_with_a_hint(tmp_path):
    with pytest.raises(UsageError, match="Hint: "):
        save(tmp_path / "no" / "where.csv", "x")


def test_a_folder_is_not_overwritten(tmp_path):
    with pytest.raises(UsageError, match="folder"):
        save(tmp_path, "x")


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_gets_the_permissions_of_any_new_file_or_keeps_its_own(tmp_path):
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    other.touch()
    save(path, "x")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)
    path.chmod(0o600)
    save(path, "y")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_umask_of_other_threads_is_never_touched(tmp_path, monkeypatch):
    def refused(_):
        raise AssertionError

    monkeypatch.setattr("os.umask", refused)
    save(tmp_path / "a.csv", "x")
    save(tmp_path / "a.csv", "y")


def test_a_secret_file_is_never_open_to_others_while_it_is_replaced(tmp_path, monkeypatch):
    path, seen = tmp_path / "a.csv", []
    path.touch(0o600)
    write = os.fdopen

    def watched(handle, mode):
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return write(handle, mode)

    monkeypatch.setattr("os.fdopen", watched)
    save(path, "x")
    assert seen == [0o600]


def test_a_temporary_name_that_is_taken_is_left_alone(tmp_path, monkeypatch):
    names = iter(["taken", "free"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(names))
    other = tmp_path / ".a.csv.taken"
    other.write_text("other", encoding="utf-8")
    save(tmp_path / "a.csv", "x")
    assert other.read_text(encoding="utf-8") == "other"
    assert sorted(p.name for p in tmp_path.iterdir()) == [".a.csv.taken", "a.csv"]


def test_a_full_disk_gets_a_hint_of_its_own():
    with pytest.raises(UsageError, match=r"No space left on device\.\nHint: make room"):
        save("/dev/full", "x")


def test_a_closed_pipe_is_no_place_that_cannot_be_written(tmp_path, monkeypatch):
    def closed(*_):
        raise BrokenPipeError

    monkeypatch.setattr("pathlib.Path.write_bytes", closed)
    with pytest.raises(BrokenPipeError):
        save(os.devnull, "x")


def test_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "a.csv", tmp_path / "link.csv"
    path.touch()
    link.symlink_to(path)
    save(link, "x")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "x"


def test_a_device_is_written_to_and_not_replaced():
    save(os.devnull, "x")
    assert not os.path.isfile(os.devnull)  # noqa: PTH113


def test_a_write_reaches_the_disk_before_it_takes_the_name_and_the_name_after(
    tmp_path, monkeypatch
):
    done = []
    sync, replace = os.fsync, Path.replace

    def synced(handle):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def replaced(path, target):
        done.append("name")
        return replace(path, target)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("pathlib.Path.replace", replaced)
    save(tmp_path / "a.csv", "x")
    assert done == ["file", "name", "folder"]


def test_a_file_that_cannot_be_brought_to_the_disk_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match=r"No space left on device\.\nHint: make room"):
        save(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_watches_is_told_of_what_is_half_written(tmp_path, monkeypatch):
    told, seen = [], []

    def tell(path, *, there):
        told.append((path, there))

    monkeypatch.setattr("deadheat.core.files.tell", tell)
    monkeypatch.setattr("os.fsync", lambda _: seen.append(sorted(map(str, tmp_path.iterdir()))))
    save(tmp_path / "a.csv", "x")
    half = told[0][0]
    assert told == [(half, True), (half, False)]
    assert seen[0] == [half]


def test_a_write_protected_file_is_left_alone(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    with pytest.raises(UsageError, match="write-protected"):
        save(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_links_that_lead_to_themselves_are_refused(tmp_path):
    (tmp_path / "a.csv").symlink_to("b.csv")
    (tmp_path / "b.csv").symlink_to("a.csv")
    with pytest.raises(UsageError, match="cannot write"):
        save(tmp_path / "a.csv", "x")
    assert (tmp_path / "a.csv").is_symlink()


def test_a_link_to_nothing_makes_what_it_leads_to(tmp_path):
    (tmp_path / "link.csv").symlink_to("new.csv")
    save(tmp_path / "link.csv", "x")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "new.csv").read_text(encoding="utf-8") == "x"


def test_a_pipe_with_a_name_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    seen = []
    reader = threading.Thread(target=lambda: seen.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    save(tmp_path / "pipe", "x" * 100_000)
    reader.join()
    assert seen == [b"x" * 100_000]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("spelling", ["/dev/fd/{}", "/proc/self/fd/{}", "link"])
def test_what_is_open_already_is_written_on_and_not_replaced(tmp_path, spelling):
    log = tmp_path / "log.txt"
    log.write_text("before\n", encoding="utf-8")
    handle = os.open(log, os.O_WRONLY | os.O_APPEND)
    name = spelling.format(handle)
    if spelling == "link":
        name = tmp_path / "link"
        name.symlink_to(f"/dev/fd/{handle}")
    save(name, "more\n")
    os.close(handle)
    assert log.read_text(encoding="utf-8") == "before\nmore\n"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not tell")
def test_a_handle_of_another_process_is_not_our_own(tmp_path):
    log = tmp_path / "log.txt"
    with log.open("wb") as file, subprocess.Popen(["sleep", "60"], stdout=file) as other:
        save(f"/proc/{other.pid}/fd/1", "theirs\n")
        other.kill()
    assert log.read_text(encoding="utf-8") == "theirs\n"


def test_a_name_that_no_system_allows_is_refused():
    with pytest.raises(UsageError, match="cannot write"):
        save("a\0b.csv", "x")


@pytest.mark.parametrize("how", ["same", "link", "hard link", "dots", "stream", "renamed"])
def test_what_was_read_is_not_written_over(table, monkeypatch, how):
    monkeypatch.chdir(table.parent)
    out = {"dots": "./x/../results.csv", "stream": "results.csv", "same": str(table)}.get(how)
    if how == "dots":
        Path("x").mkdir()
    if how == "link":
        out = "link.csv"
        Path(out).symlink_to("results.csv")
    if how == "hard link":
        out = "hard.csv"
        os.link("results.csv", out)
    if how == "stream":
        with table.open(encoding="utf-8") as file:
            found = dh.rank(dh.read(file, better="higher"))
    else:
        found = dh.rank(table, better="higher")
    if how == "renamed":
        out = "moved.csv"
        table.rename(out)
    with pytest.raises(OverwritingError, match="it is the input"):
        found.to_csv(out)
    assert Path(out).read_text(encoding="utf-8") == TABLE


def test_the_refusal_names_both_and_a_free_name(table, monkeypatch):
    monkeypatch.chdir(table.parent)
    Path("link.csv").symlink_to("results.csv")
    Path("link-2.csv").touch()
    found = dh.rank("results.csv", better="higher")
    with pytest.raises(UsageError) as refused:
        found.to_csv("link.csv")
    assert str(refused.value) == (
        "cannot write link.csv: it is the input results.csv.\n"
        "Hint: write to another file, such as link-3.csv."
    )


def test_what_this_run_wrote_itself_may_be_written_again(table):
    found = dh.rank(table, better="higher")
    saved = table.with_name("saved.json")
    found.to_json(saved)
    dh.load(saved)
    found.to_json(saved)
    saved.write_text(found.to_json() + "\n", encoding="utf-8")  # by somebody else
    dh.load(saved)
    with pytest.raises(OverwritingError, match="it is the saved result"):
        found.to_json(saved)


def test_what_was_converted_and_changed_since_is_read(table):
    made = table.with_name("made.csv")
    dh.convert(table, made, better="higher")
    made.write_text(made.read_text(encoding="utf-8") + "\n", encoding="utf-8")  # by somebody else
    assert dh.read(made).candidates == ("rf", "svm", "knn")


def test_the_number_of_a_file_that_is_gone_means_nothing(table):
    found = dh.rank(table, better="higher")
    other = table.with_name("other.csv")
    other.write_text("other", encoding="utf-8")
    there = other.stat()
    table.unlink()
    gone = files._Input("the input", str(table), there.st_mtime_ns - 1)
    files._run.read[(there.st_dev, there.st_ino)] = gone  # as if the system gave the number again
    found.to_csv(other)
    assert other.read_text(encoding="utf-8").startswith("candidate,")


def test_a_page_is_refused_before_it_is_computed(table, monkeypatch):
    gathering = importlib.import_module("deadheat.report.contents")
    monkeypatch.setattr(gathering, "verdict", None)  # calling it would fail
    with pytest.raises(OverwritingError, match="it is the input"):
        dh.report(table, to=table, better="higher")
    assert table.read_text(encoding="utf-8") == TABLE
    with pytest.raises(UsageError, match="there is no folder"):
        dh.report(table, to=table.parent / "no" / "page.html", better="higher")


def test_pictures_do_not_replace_what_was_read(table):
    link = table.with_name("fig.svg")
    link.symlink_to(table)
    found = dh.verdict(table, better="higher", replicates=50)
    with pytest.raises(OverwritingError):
        found.plot().save(link)
    assert table.read_text(encoding="utf-8") == TABLE


def test_arrays_have_no_file(tmp_path):
    found = dh.rank(dh.Results(scores=np.eye(3), better="higher"))
    found.to_csv(tmp_path / "a.csv")
    found.to_csv(tmp_path / "a.csv")
