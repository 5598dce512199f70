"""Open what the caller points at: a file, standard input, a stream; compressed or not."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import difflib
import glob
import gzip
import io
import lzma
import os
import re
import shutil
import sys
import zipfile
import zlib
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import (
    DataError,
    UsageError,
    command_saying,
    command_with,
    first_sentence,
    listed,
    quoted,
)
from deadheat.core.files import reads
from deadheat.core.memory import budget, readable, too_large
from deadheat.data.results import EXACT

# What every format yields: named columns and blocks of rows, bounded in size.

Column: TypeAlias = npt.NDArray[Any] | list[str | None]
Facts: TypeAlias = tuple[tuple[str, str], ...]
Row: TypeAlias = tuple[int, Sequence[Any]]  # where it stands, and its cells

CELLS_PER_BLOCK = 500_000
CHARACTERS_PER_BLOCK = 16_000_000


class Block:
    """Some rows of a table, column by column, and the ``lines`` where they stand in its source.

    A column is a numeric array (NaN = missing) where the source is typed, else text or None.
    """

    def __init__(self, lines: Sequence[int], columns: Sequence[Column]) -> None:
        self.lines, self.columns = lines, columns

    @property
    def size(self) -> int:
        return len(self.lines)

    def column(self, k: int) -> Column:
        return self.columns[k]

    def text(self, k: int) -> list[str | None]:
        column = self.column(k)
        return column if isinstance(column, list) else [text_of(v) for v in column.tolist()]

    def has(self, k: int) -> bool:  # noqa: ARG002
        """Return whether a column was read."""
        return True

    def holds_text(self, k: int) -> bool:
        return isinstance(self.column(k), list)

    def each(self, k: int, of: Callable[[str | None], Any], kind: Any) -> npt.NDArray[Any]:
        """Return what a function says of the text of each cell; equal ones may be asked once."""
        return np.fromiter(map(of, self.text(k)), kind, self.size)

    def of_rows(self, rows: Sequence[int]) -> Block:
        columns = [
            [column[i] for i in rows] if isinstance(column, list) else column[list(rows)]
            for column in self.columns
        ]
        return Block([self.lines[i] for i in rows], columns)


@dataclass(frozen=True)
class Coded:
    """A column as codes: ``cells`` has the text of each code, or its number."""

    codes: npt.NDArray[np.integer[Any]]
    cells: Sequence[Any]


class CodedBlock(Block):
    """Rows of which only some columns were read, and texts as codes; others are None."""

    def __init__(self, lines: Sequence[int], columns: Sequence[Any]) -> None:
        self.lines, self._columns = lines, columns

    def column(self, k: int) -> Column:
        column = self._columns[k]
        if isinstance(column, Coded):
            return [column.cells[code] for code in column.codes.tolist()]
        numbers: Column = column
        return numbers

    def has(self, k: int) -> bool:
        return self._columns[k] is not None

    def holds_text(self, k: int) -> bool:
        return isinstance(self._columns[k], Coded | list)

    def each(self, k: int, of: Callable[[str | None], Any], kind: Any) -> npt.NDArray[Any]:
        column = self._columns[k]
        if isinstance(column, list):
            return super().each(k, of, kind)
        if not isinstance(column, Coded):
            cells, codes = np.unique(column, return_inverse=True)
            column = Coded(codes, [text_of(cell) for cell in cells.tolist()])
        first = np.full(len(column.cells), -1)
        first[column.codes[::-1]] = np.arange(self.size)[::-1]  # what is written last stays
        met = np.flatnonzero(first >= 0)
        met = met[np.argsort(first[met])]  # in order of appearance
        known = np.empty(len(first), kind)
        known[met] = np.fromiter((of(column.cells[code]) for code in met.tolist()), kind, len(met))
        said: npt.NDArray[Any] = known[column.codes]
        return said

    def of_rows(self, rows: Sequence[int]) -> CodedBlock:
        kept = np.asarray(rows, dtype=np.int64)
        columns = [
            Coded(column.codes[kept], column.cells)
            if isinstance(column, Coded)
            else [column[i] for i in rows]
            if isinstance(column, list)
            else None
            if column is None
            else column[kept]
            for column in self._columns
        ]
        return CodedBlock(np.asarray(self.lines)[kept].tolist(), columns)


class TextBlock(Block):
    """Some rows of a text file, kept row by row because that is how they arrive."""

    def __init__(self, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> None:
        self.lines, self.rows = lines, rows

    def column(self, k: int) -> list[str | None]:
        return [row[k] for row in self.rows]

    def of_rows(self, rows: Sequence[int]) -> TextBlock:
        return TextBlock([self.lines[i] for i in rows], [self.rows[i] for i in rows])

    def cells(self, chosen: Sequence[int]) -> list[str]:
        if not chosen:
            return []
        first, last = chosen[0], chosen[-1]
        if last - first + 1 == len(chosen):  # neighbours: a slice is much the fastest
            return list(chain.from_iterable(row[first : last + 1] for row in self.rows))
        return list(chain.from_iterable(map(itemgetter(*chosen), self.rows)))


class Again(Protocol):
    """All rows once more, in the same blocks, but only some columns of them, texts as codes.

    ``columns`` are those that can be read so, ``numbers`` those that hold nothing but numbers.
    """

    @property
    def columns(self) -> AbstractSet[int]: ...
    @property
    def numbers(self) -> AbstractSet[int]: ...

    def pays(self, first: int) -> bool: ...  # where the first block has so many rows
    def on(self, running: Any) -> Again: ...  # an engine
    def __call__(self, wanted: Sequence[int]) -> Iterator[Block]: ...


@dataclass(frozen=True, kw_only=True)
class Stream:
    """A table on its way in: named columns, and blocks of rows that are read once."""

    source: str  # what messages call the table
    columns: Sequence[str]  # made up (column_1 ...) where ``named`` is False
    blocks: Iterator[Block]
    named: bool = True
    unit: str = "row"  # what a position in ``Block.lines`` counts
    quoted_commas: bool = False  # a comma inside a cell must have been quoted: thousands
    semicolons: bool = False  # they separate the cells, as where the comma is the decimal sign
    guarded: bool = False  # names may wear an apostrophe, lest a spreadsheet runs them
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    library: str = ""  # of the DataFrame it came from, where it did
    states: Mapping[str, Any] = field(default_factory=dict)  # what the format says, as a sidecar
    across: str = ""  # what a frame calls its columns, all of them, where it does
    files: Sequence[tuple[str, int]] = ()  # of several: their names, and the rows before each
    again: Again | None = None

    def spot(self, line: int, form: str = "") -> str:
        """Return the number of a line or row, in which file where there are several."""
        if not self.files:
            return format(line, form)
        name, before = self.files[bisect([before for _, before in self.files], line - 1) - 1]
        return f"{format(line - before, form)} of {name}"

    def place(self, line: int) -> str:
        return f"{self.unit} {self.spot(line, ',')}"


def layout_facts(layout: str, said: str, unused: Sequence[str], *, guessed: bool = False) -> Facts:
    facts = (("layout", f"{layout}{' (guessed)' if guessed else ''}: {said}"),)
    return (*facts, ("columns not used", listed(unused))) if unused else facts


def column_of(values: Sequence[object]) -> Column:
    """Return an array where all values are numbers that it keeps exactly, else text."""
    kinds = set(map(type, values))
    if kinds == {int} or not kinds:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:  # ids beyond 64 bits
            return [str(value) for value in values]
    numbers = kinds <= {int, float, bool, type(None)}
    if numbers and not any(type(v) is int and abs(v) > EXACT for v in values):
        return np.array(values, dtype=np.float64)
    return [text_of(value) for value in values]


def text_of(value: object) -> str | None:
    """Return a value as a person would write it: 2019, not 2019.0; None and NaN are missing."""
    if value is None or value != value:
        return None
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < EXACT else repr(value)
    return str(value)


def rows_per_block(width: int, characters: float) -> int:
    by_characters = CHARACTERS_PER_BLOCK / max(characters, 1.0)
    return max(1, min(CELLS_PER_BLOCK // max(width, 1), int(by_characters)))


def blocks_of(rows: Iterator[Row], width: int, characters: float = 0) -> Iterator[Block]:
    """Yield numbered rows of cells as blocks; ``characters`` is what a row may take."""
    size = rows_per_block(width, characters)
    while chunk := list(islice(rows, size)):
        lines, cells = zip(*chunk, strict=True)
        yield Block(lines, [column_of(values) for values in zip(*cells, strict=True)])


# ------------------------------------------------------------------------------
# Bytes from a file, standard input or a stream, unpacked on the way.

HEAD = 1 << 16
LINES = 60  # that are looked at
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
COMPRESSIONS: Mapping[str, tuple[bytes, Callable[[Any], Any]]] = {
    "gzip": (b"\x1f\x8b", gzip.open),
    "bzip2": (b"BZh", bz2.open),
    "xz": (b"\xfd7zXZ\x00", lzma.open),
}
ZSTD = b"\x28\xb5\x2f\xfd"
TOO_MANY_DIGITS = "integer string conversion"  # how Python refuses them
GET_AGAIN = "copy or download it again."
ALIKE = 0.7  # of the names of two files, without their suffixes
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
LINE = 1 / 100  # of the budget: the longest line, of which an object is made for every cell
MOST_COPIED = 4  # budgets of memory: what is unpacked to the disk for a library is no larger


@dataclass(frozen=True, kw_only=True)
class Source:
    """Bytes from their beginning, the first of them at hand, and what to call them."""

    name: str
    handle: io.BufferedReader
    head: bytes
    suffix: str
    path: Path | None = None
    facts: Facts = ()
    listing: tuple[str, ...] | None = None  # of a folder, an archive or several files: their names
    kind: str = "a file"
    opener: Callable[[str], IO[bytes]] | None = None  # of a name in the listing
    paths: tuple[Path, ...] = ()  # of the names in the listing, where they are files

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[Source]:
        """Open one of the listing, unpacked where it is packed."""
        assert self.opener is not None
        with ExitStack() as stack:
            below = stack.enter_context(self.opener(name))
            yield _unpacked(below, name, stack)

    @cached_property
    def text(self) -> str:
        """The beginning, as text: damaged letters are replaced."""
        wide = self.head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return self.head.decode("utf-16" if wide else "utf-8", "replace").lstrip("\ufeff")

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()][:LINES]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The first line cut where its most frequent delimiter is, as of a text table."""
        line = self.lines[0] if self.lines else ""
        delimiter = max("\t,;|", key=line.count)
        with contextlib.suppress(csv.Error):
            cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
            return tuple(cell.strip() for cell in cells)
        return ()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of JSON in the beginning, on any level; none of other text."""
        json = self.text.lstrip()[:1] in {"{", "["}
        return frozenset(_KEY.findall(self.text)) if json else frozenset()


class _FunctionStream(io.RawIOBase):
    """Bytes that a function serves, some at most and none at the end; nothing below is closed."""

    def __init__(self, serve: Callable[[int], bytes]) -> None:
        self._serve = serve

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        more = self._serve(len(buffer))
        buffer[: len(more)] = more
        return len(more)


def open_source(source: Any, stack: ExitStack, name: str = "") -> Source:
    """Open a path, ``"-"`` or a stream; decompress it whatever its name says.

    What is wrong with it is told of the ``name``: without one that of the file, without folders.
    """
    if isinstance(source, str) and not source.strip():
        raise empty_path()
    if is_several(source):
        return _several(source)
    path = None if source == "-" or is_stream(source) else Path(os.fspath(source))
    if path is not None:
        name, below = name or path.name or str(path), stack.enter_context(_file(path))
        reads(path)
    else:
        name, below = _stream(source)
        with contextlib.suppress(OSError, ValueError, AttributeError):  # a stream of no file
            reads(below.fileno())
    raw = _unpacked(below, name, stack)
    again = path is not None and not raw.facts and path.is_file()  # a named pipe is read once
    return replace(raw, path=path) if again else raw


def _unpacked(below: IO[Any], name: str, stack: ExitStack) -> Source:
    packed: list[tuple[str, str]] = []
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    with complaints(name):
        while True:
            if len(packed) > MOST_LAYERS:
                fact = f"{name} is packed more than {MOST_LAYERS} times."
                raise DataError(fact, hint="unpack it first.")
            start = _rest(b"", below)
            head = start.read(HEAD)
            handle = _rest(head, start)
            if head.startswith(ZSTD):
                hint = f"unpack it first: zstd -d {name}"
                raise DataError(f"{name} is compressed with zstd.", hint=hint)
            if head.startswith(ZIP):
                data = io.BytesIO(_bounded(handle, name, ARCHIVE))  # it is read from its end
                archive = _archive(data, stack)
                names = _files_in(archive) if archive is not None else []
                if archive is None or _is_document(names):
                    data.seek(0)
                    handle = io.BufferedReader(data)
                    break
                if len(names) > 1:
                    return _folder_of(archive, names, name)
                packed.append(("compression", "zip"))
                part = _part(archive, names[0], name) if names else io.BytesIO()
                below = stack.enter_context(part)
                suffixes = [suffix.lower() for suffix in Path(*names).suffixes]
                continue
            kinds = [kind for kind, (magic, _) in COMPRESSIONS.items() if head.startswith(magic)]
            if not kinds:
                break
            packed.append(("compression", kinds[0]))
            below = stack.enter_context(COMPRESSIONS[kinds[0]][1](handle))
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    suffix = suffixes[-1] if suffixes else ""
    return Source(name=name, handle=handle, head=head, suffix=suffix, facts=tuple(packed))


# ------------------------------------------------------------------------------
# Several files as one source: a folder, a pattern, a list of paths, an archive.

PATTERN = "*?["
HIDDEN = (".", "_")
MOST_FILES = 100_000
MOST_LAYERS = 5  # of compression: some archives hold themselves
ZIP = b"PK\x03\x04"
ARCHIVE = 1 / 4  # of the budget: an archive as it is
ENCRYPTED = 1  # in the flags of a part of an archive
DOCUMENTS = ("[Content_Types].xml", "mimetype")  # of Excel, of OpenDocument


def is_several(source: Any) -> bool:
    """Return whether a source means a folder, files of a pattern, or a list of paths."""
    if isinstance(source, list | tuple):
        return bool(source) and all(isinstance(each, str | os.PathLike) for each in source)
    if not isinstance(source, str | os.PathLike) or source == "-":
        return False
    path = Path(source)
    try:
        return path.is_dir() or (any(sign in str(path) for sign in PATTERN) and not path.exists())
    except (OSError, ValueError):
        return False


def _several(source: Any) -> Source:
    if isinstance(source, list | tuple):
        paths, name, kind = {str(each): Path(each) for each in source}, "the list", "a list"
    elif Path(source).is_dir():
        root = Path(source)
        paths = {str(path.relative_to(root)): path for path in walk(root)}
        name, kind = root.name or str(root), "a folder"
    else:
        found = sorted(glob.glob(os.fspath(source), recursive=True))  # noqa: PTH207
        paths = {each: Path(each) for each in found if Path(each).is_file()}
        name, kind = os.fspath(source), "a pattern"
        if not paths:
            raise DataError(f"no file matches {quoted(name)}.", hint=nearby(Path(name)))
    root = Path(os.path.commonpath(paths.values())) if len(paths) > 1 else Path()
    if kind != "a folder":  # names from where the paths part
        paths = {
            str(path.relative_to(root)) if len(paths) > 1 else path.name: path
            for path in paths.values()
        }

    def opener(each: str) -> IO[bytes]:
        reads(paths[each])
        return _file(paths[each])

    names = tuple(sorted(paths))
    return replace(_listed(names, name, kind, opener), paths=tuple(paths[each] for each in names))


def _listed(
    names: tuple[str, ...], name: str, kind: str, opener: Callable[[str], IO[bytes]]
) -> Source:
    nothing: Any = io.BufferedReader(io.BytesIO())
    source = Source(name=name, handle=nothing, head=b"", suffix="", kind=kind)
    return replace(source, listing=names, opener=opener)


def walk(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and those below it, in order, but for hidden ones."""
    number = 0
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(HIDDEN))
        for each in sorted(files):
            if not each.startswith(HIDDEN):
                number += 1
                if number > MOST_FILES:
                    fact = f"{folder} holds more than {MOST_FILES:,} files."
                    raise DataError(fact, hint="name a smaller folder.")
                yield Path(root, each)


def _archive(data: IO[bytes], stack: ExitStack) -> zipfile.ZipFile | None:
    try:
        return stack.enter_context(zipfile.ZipFile(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return None


def _is_document(names: Sequence[str]) -> bool:
    return any(name in DOCUMENTS for name in names)


def _files_in(archive: zipfile.ZipFile) -> list[str]:
    parts = [part for part in archive.infolist() if not part.is_dir()]
    return [
        part.filename
        for part in parts
        if not any(step.startswith((".", "__MACOSX")) for step in part.filename.split("/"))
    ]


def _folder_of(archive: zipfile.ZipFile, names: Sequence[str], name: str) -> Source:
    """Return an archive as a folder, without a folder that holds all of it."""
    tops = {each.partition("/")[0] for each in names}
    top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in each for each in names) else ""

    def opener(each: str) -> IO[bytes]:
        return _part(archive, top + each, name)

    return _listed(tuple(sorted(n.removeprefix(top) for n in names)), name, "an archive", opener)


def _part(archive: zipfile.ZipFile, part: str, name: str) -> IO[bytes]:
    with complaints(name):
        if archive.getinfo(part).flag_bits & ENCRYPTED:
            fact = f"{name}: {part} is encrypted: it opens with a password only."
            raise DataError(fact, hint="unpack it first.")
        try:
            return archive.open(part)
        except NotImplementedError as error:
            raise zipfile.BadZipFile(str(error)) from None


def _rest(known: bytes, below: IO[Any]) -> io.BufferedReader:
    """Serve some bytes that were read already, then the rest, which may be text."""

    def serve(size: int) -> bytes:
        nonlocal known
        if not known:
            more = below.read(size // 4 or 1)
            known = more.encode("utf-8", "surrogateescape") if isinstance(more, str) else more
        served, known = known[:size], known[size:]
        return served

    return io.BufferedReader(_FunctionStream(serve), HEAD)


def empty_path() -> UsageError:
    hint = "name a file, or - for standard input."
    return UsageError("there is nothing to read: the path is empty.", hint=hint)


def size_limited(source: Source) -> IO[bytes]:
    """Return the bytes of a source; what is unpacked on the way is refused where it never ends."""
    left = most = MOST_COPIED * budget()

    def serve(size: int) -> bytes:
        nonlocal left
        more = source.handle.read(size)
        left -= len(more)
        if left < 0:
            fact = f"{source.name} unpacks to more than {readable(most)}."
            raise DataError(fact, hint="unpack it first, and read the unpacked file.")
        return more

    packed = any(topic == "compression" for topic, _ in source.facts)
    return io.BufferedReader(_FunctionStream(serve), HEAD) if packed else source.handle


def in_lines(source: Source) -> io.BufferedReader:
    """Return the bytes of a source; a line that does not fit into memory is refused."""
    most, lines, since = int(LINE * budget()), 1, 0

    def serve(size: int) -> bytes:
        nonlocal lines, since
        more = source.handle.read(size)
        end = max(more.rfind(b"\n"), more.rfind(b"\r"))
        lines += more.count(b"\n")
        since = since + len(more) if end < 0 else len(more) - end - 1
        if since > most:
            raise too_large(f"{source.name}: line {lines:,} has {readable(since)} or more")
        return more

    return io.BufferedReader(_FunctionStream(serve), HEAD)


def whole(source: Source, share: float) -> bytes:
    return _bounded(source.handle, source.name, share)


def _bounded(handle: IO[bytes], name: str, share: float) -> bytes:
    most = int(share * budget())
    content = handle.read(most + 1)
    if len(content) > most:
        raise too_large(f"{name} is larger than {readable(most)}")
    return content


def is_stream(source: Any) -> bool:
    return callable(getattr(source, "read", None))


def _stream(source: Any) -> tuple[str, IO[Any]]:
    if isinstance(source, str):
        if sys.stdin is None or sys.stdin.closed:
            raise DataError("there is no standard input to read.", hint="name a file instead of -.")
        return "standard input", getattr(sys.stdin, "buffer", sys.stdin)
    said = getattr(source, "name", None)
    name = Path(said).name if isinstance(said, str) and said else "the stream"
    if getattr(source, "closed", False):
        raise UsageError(f"{name} is closed.", hint="read it while it is open.")
    return name, source


def kept_input(folder: Path) -> Path:
    """Write standard input to a file, which can be read more than once."""
    name, below = _stream("-")
    with contextlib.suppress(OSError, ValueError, AttributeError):
        reads(below.fileno())
    path = folder / name
    with path.open("wb") as file:
        shutil.copyfileobj(_rest(b"", below), file)
    return path


def _file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except IsADirectoryError:
        fact, hint = f"{path} is a directory, not a table", "name a file inside it."
    except (FileNotFoundError, NotADirectoryError):
        fact, hint = f"there is no file {quoted(path)}", nearby(path)
    except PermissionError:
        fact, hint = f"{path} may not be read: permission denied", f"try chmod u+r {path.name}."
    except (OSError, ValueError) as error:
        fact, hint = f"{quoted(path)} cannot be opened ({error})", ""
    raise DataError(f"{fact}.", hint=hint)


def nearby(path: Path) -> str:
    """Return a hint for a file that does not exist: the one of the nearest name, if any is near."""
    try:
        known = sorted(entry.name for entry in path.parent.iterdir() if entry.is_file())
    except OSError:
        return f"there is no folder {quoted(path.parent)} either."
    stem, *stems = (name[:1] + name[1:].partition(".")[0] for name in (path.name, *known))
    near = difflib.get_close_matches(stem, stems, n=1, cutoff=ALIKE)  # suffixes are alike
    names = [name for name, each in zip(known, stems, strict=True) if each in near]
    nearest = difflib.get_close_matches(path.name, names, n=1, cutoff=0)
    if nearest:
        command = command_saying({str(path): [str(path.with_name(nearest[0]))]})
        meant = quoted(nearest[0])
        return f"with {meant}: {command}" if command else f"did you mean {meant}?"
    folder = "this folder" if path.parent == Path() else f"folder {quoted(path.parent)}"
    return f"{folder} holds {listed(known, most=6) or 'no file'}."


@contextlib.contextmanager
def complaints(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        why = "it ends too early" if isinstance(error, EOFError) else first_sentence(error)
        fact = f"{name}: the compressed data are damaged ({why})"
        hint = GET_AGAIN
    except UnicodeError as error:
        fact = f"{name} cannot be decoded ({first_sentence(error)})"
        hint = f"if it is western text: {command_with(encoding='latin-1')}"
    except RecursionError:
        fact, hint = f"{name} is nested too deeply", "a table is flat."
    except ValueError as error:
        if TOO_MANY_DIGITS not in str(error):
            raise
        fact, hint = f"{name} holds a whole number of thousands of digits", "write fewer digits."
    except csv.Error as error:
        fact, hint = f"{name} is no readable table ({first_sentence(error)})", ""
    except OSError as error:
        fact, hint = f"{name} cannot be read ({error})", ""
    else:
        return
    raise DataError(f"{fact}.", hint=hint)
