"""What a run reads and what it writes: no output takes the place of an input, or is half-written.

Whoever opens a file of the user says so to :func:`reads`; :func:`save` is the only writer. A
command says to :func:`promise` where it will write, so that a refusal comes before the work.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO

from deadheat.core.errors import UsageError

# ------------------------------------------------------------------------------
# Standard output belongs to the result: what a user's own code prints goes to standard error.

_kept: tuple[TextIO, int | None] | None = None  # standard output, and a copy of its handle


def turn_aside() -> None:
    """Send to standard error what is printed from now on, also by programs that the code starts."""
    global _kept  # noqa: PLW0603 - a process has one standard output
    if _kept is not None or sys.stdout is None or sys.stderr is None:
        return
    sys.stdout.flush()
    try:
        handle, aside = sys.stdout.fileno(), sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):  # no real streams
        _kept, sys.stdout = (sys.stdout, None), sys.stderr
        return
    _kept = sys.stdout, os.dup(handle)
    os.dup2(aside, handle)
    sys.stdout = os.fdopen(os.dup(aside), "w", buffering=1, errors="backslashreplace")


def give_back() -> None:
    global _kept
    if _kept is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    (sys.stdout, copy), _kept = _kept, None
    if copy is not None:
        os.dup2(copy, sys.stdout.fileno())
        os.close(copy)


@contextmanager
def restored_stdout() -> Iterator[None]:
    """Give standard output back for as long as a result is written to it."""
    aside = _kept is not None
    give_back()
    try:
        yield
    finally:
        if aside:
            turn_aside()


# ------------------------------------------------------------------------------
# Files and folders that are there only while work is under way; an interrupt leaves none behind.
#
# Each is told before it is made. Whoever watches over the command (:mod:`deadheat.cli.supervisor`)
# removes what is left when the work ends in any other way than its own.

PREFIX = "deadheat-"
tell: Callable[..., None] = lambda *_, **__: None  # noqa: E731 - nobody listens


@contextmanager
def temporary_path(path: Path) -> Iterator[Path]:
    """Register a file or folder while it is written; remove it at the end."""
    whole = os.path.abspath(path)  # noqa: PTH100 - no link is followed
    tell(whole, there=True)
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            remove_path(path)
        tell(whole, there=False)


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder of our own among the temporary ones, and remove it with all it holds."""
    import tempfile

    with temporary_path(Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(8)}")) as path:
        path.mkdir(mode=0o700)
        yield path


def remove_path(path: str | Path) -> None:
    """Remove a file, or a folder with all it holds; what is gone already is fine."""
    import shutil

    if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
        shutil.rmtree(path, ignore_errors=True)
    else:
        Path(path).unlink(missing_ok=True)


# ------------------------------------------------------------------------------
# What a run reads, and what it writes.

PathLike = str | os.PathLike[str]
Identity = tuple[int, int]

_STREAM = re.compile(r"/dev/(stdin|stdout|stderr)|/(?:dev|proc/(self|\d+))/fd/(\d+)")
_STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
_LINKS = 40  # as many as the system follows


class _Input(NamedTuple):
    what: str  # it is, in words
    path: str
    changed: int


@dataclass
class _Run:
    read: dict[Identity, _Input] = field(default_factory=dict)
    places: dict[str, _Input] = field(default_factory=dict)
    promised: list[str | os.stat_result] = field(default_factory=list)
    written: dict[Identity, int] = field(default_factory=dict)


_run = _Run()


class OverwritingError(UsageError):
    """An output would take the place of an input."""

    def __init__(self, output: str, found: _Input) -> None:
        self.output = output
        known = found.path and os.path.normpath(found.path) != os.path.normpath(output)
        self.other = free_name(output)
        super().__init__(
            f"cannot write {output}: it is {found.what}{f' {found.path}' if known else ''}.",
            hint=f"write to another file, such as {self.other}.",
        )


@contextmanager
def run() -> Iterator[None]:
    """Forget the files of earlier commands while one command runs."""
    global _run  # noqa: PLW0603 - a process has one run at a time
    before, _run = _run, _Run()
    try:
        yield
    finally:
        _run = before


def reads(file: PathLike | int, what: str = "the input") -> None:
    """Say that a file is read, by path or handle; refuse that where it is promised as an output.

    A file that this run wrote itself is nobody's input, while nobody has changed it.
    """
    try:
        found = os.stat(file)  # noqa: PTH116 - also of a handle
    except (OSError, ValueError):  # whoever opens it says what is wrong with it
        return
    same = (found.st_dev, found.st_ino)
    if not stat.S_ISREG(found.st_mode) or _run.written.get(same) == found.st_mtime_ns:
        return
    if same not in _run.read:
        path = "" if isinstance(file, int) else os.fspath(file)
        _run.read[same] = _Input(what, path, found.st_mtime_ns)
        if path:
            _run.places.setdefault(os.path.realpath(path), _run.read[same])
    for output in _run.promised:
        _refuse_input(output)


def promise(output: PathLike) -> None:
    """Say that a file will be written; refuse a place where none can be, and an input."""
    if _handle_of(output) is None:
        _place_of(output)
    _run.promised.append(os.fspath(output))
    _refuse_input(os.fspath(output))


def promise_standard_output() -> None:
    """Say that standard output will be written: where it is a file, that is no input."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        _run.promised.append(os.fstat(sys.stdout.fileno()))


@contextmanager
def promised(output: PathLike | None) -> Iterator[None]:
    """Promise an output, where there is one, for as long as the work on it takes."""
    known = len(_run.promised)
    if output is not None:
        promise(output)
    try:
        yield
    finally:
        del _run.promised[known:]


@restored_stdout()  # the path may be standard output
def save(path: PathLike, written: str | bytes) -> None:
    """Write a file, text as UTF-8, whole or not at all, and never over what was read."""
    # Lone surrogates are no Unicode: as visible escapes they leave the file valid.
    content = written.encode("utf-8", "backslashreplace") if isinstance(written, str) else written
    _refuse_input(os.fspath(path))
    handle = _handle_of(path)
    place: Path | int = _place_of(path) if handle is None else handle
    try:
        if isinstance(place, int):
            if sys.stdout is not None:
                sys.stdout.flush()
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(place, rest) :]
        elif place.exists() and not place.is_file():
            place.write_bytes(content)  # a device or a pipe cannot be replaced
        else:
            _replace(place, content)
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        hint = "choose a folder that exists and that you may write to."
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            hint = "make room there, or write elsewhere."
        cause = error.strerror or error
        raise UsageError(f"cannot write {os.fspath(path)}: {cause}.", hint=hint) from None


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Yield a free path in the same folder; what is still there at the end is removed."""
    while (path := target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}")).exists():
        pass
    with temporary_path(path):
        yield path


def flush(path: Path) -> None:
    """Bring a file or a folder to the disk, where the system can."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # folders cannot be opened everywhere
        return
    try:
        os.fsync(handle)
    except OSError as error:  # not every file system knows how
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EIO}:
            raise
    finally:
        os.close(handle)


def _refuse_input(output: str | os.stat_result) -> None:
    try:
        there = os.stat(output) if isinstance(output, str) else output  # noqa: PTH116
    except (OSError, ValueError):
        return
    if not stat.S_ISREG(there.st_mode):
        return
    found = _run.read.get((there.st_dev, there.st_ino))
    if found is not None and there.st_mtime_ns != found.changed:
        # The number of a file that is gone is given to another one.
        same = False
        with contextlib.suppress(OSError, ValueError):
            same = os.path.samestat(os.stat(found.path), there)  # noqa: PTH116 - of a string
        found = found if same else None
    if isinstance(output, str):
        found = found or _run.places.get(os.path.realpath(output))
        if found is not None:
            raise OverwritingError(output, found)
    elif found is not None:
        raise UsageError(
            f"standard output goes to {found.what}{f' {found.path}' if found.path else ''}.",
            hint=f"write to another file, such as {free_name(found.path or 'output.txt')}.",
        )


def from_here(file: str) -> Path:
    """Return a path as seen from the current folder, where it lies in that."""
    path, here = Path(file), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def free_name(output: str) -> str:
    """Return the name with a number, the first that nothing has."""
    path, number = Path(output), 2
    while (other := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    return str(other)


def _handle_of(path: PathLike) -> int | None:
    """Return the open file that a path such as ``/dev/stdout`` stands for: opening would cut it."""
    name = os.path.abspath(path)  # noqa: PTH100 - links are followed one by one
    for _ in range(_LINKS):
        found = _STREAM.fullmatch(name)
        if found is not None and found[2] in {None, "self", str(os.getpid())}:
            return _STREAMS[found[1]] if found[1] else int(found[3])
        if not os.path.islink(name):  # noqa: PTH114 - of a string
            return None
        name = os.path.normpath(Path(name).parent / os.readlink(name))  # noqa: PTH115
    return None


def _place_of(output: PathLike) -> Path:
    """Return where a file is made or replaced, links followed; refuse where none can be."""
    called = os.fspath(output)

    def refused(why: object, hint: str) -> UsageError:
        return UsageError(f"cannot write {called}: {why}.", hint=hint)

    try:
        target = Path(os.path.realpath(output))
    except ValueError as error:
        raise refused(error, "choose another name.") from None
    if target.is_dir():
        raise refused("it is a folder", "name a file inside it.")
    if not target.parent.is_dir():
        raise refused(f"there is no folder {Path(called).parent}", "make it first.")
    if target.is_symlink():  # all others are resolved
        raise refused("its links lead to themselves", "write to another file.")
    if target.exists() and not target.is_file():
        return target  # a device or a pipe says by itself what is wrong
    protected = target.exists() and not stat.S_IMODE(target.stat().st_mode) & 0o222
    if protected or (target.exists() and not os.access(target, os.W_OK)):
        other = f"write to another file, such as {free_name(called)}."
        raise refused("the file is write-protected", other)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        writable = "choose a folder that you may write to."
        raise refused("nothing may be written in its folder", writable)
    return target


def _replace(target: Path, content: bytes) -> None:
    before = target.stat() if target.exists() else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with beside(target) as temporary:
        # The umask applies to what is created; what is replaced is shown to nobody meanwhile.
        handle = os.open(temporary, flags, 0o666 if before is None else 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        flush(temporary)
        if before is not None:
            with contextlib.suppress(OSError, AttributeError):  # it may be somebody else's
                os.chown(temporary, before.st_uid, before.st_gid)
            temporary.chmod(stat.S_IMODE(before.st_mode))
        temporary.replace(target)
    flush(target.parent)
    there = target.stat()
    _run.written[(there.st_dev, there.st_ino)] = there.st_mtime_ns
