"""One module per format, found by discovery: a new format is one more file in this folder.

A format is a reader with a name and a way to know its files::

    @reads_format("kaggle", "a Kaggle leaderboard", known_by="columns TeamId, TeamName and Score")
    def read_kaggle(source: Source, options: Options) -> Stream: ...

    @read_kaggle.recognises
    def _is_board(source: Source) -> str:
        return "its columns are ..." if {"TeamId", "Score"} <= set(source.columns) else ""

1. *Recognise* by ``source.text`` (the first 64 KB), ``.lines``, ``.columns`` (a text table's
   header), ``.keys`` (of JSON), ``.suffix`` and ``.name``; of a folder, an archive or several files
   by ``.listing``. Return why in a few words, or "". Accept only what is surely yours: two formats
   that accept one file are an error. A format that says ``suffixes`` alone is known by them.
2. *Read* named columns and rows. ``data.reading.documents`` has what formats share: ``text_in``,
   ``json_in``, ``xml_in`` (bounded, one clear error for damage), ``files_in`` (each file of a
   folder) and ``stream`` (rows of Python cells, None where missing). Long rows (candidate, judge,
   score) are always right. What is a table already, with columns of its own, is a dialect: one
   function ``Stream -> Stream | None`` knows it in CSV, JSON lines, Parquet, Excel and DataFrames::

    @reads_dialect("kaggle", "a Kaggle leaderboard", known_by="columns TeamId, TeamName and Score")
    def kaggle(stream: Stream) -> Stream | None: ...
3. *State* what the file says in ``Stream.states``, like a sidecar that it brings along: ``better``
   (one word, or per judge), ``layout``, ``candidate`` ``judge`` ``score`` ``status`` ``time``
   (names of columns), ``standard_error``, ``cutoff``, ``stratum``, ``weight``, ``repeat`` with
   ``combine``, ``official`` (rank by candidate), ``noun``. A battle log has columns ``left, right,
   winner``. Names are those to show. What the file does not say is not stated: then the user is
   asked. The user and a real sidecar override it.
4. *Test*: a sample of your own in ``tests/data/formats/format_samples`` with its winner. The shared
   tests read it, fuzz it, pack it, convert it and look for its line in ``deadheat list formats``.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from typing import Any, TypeAlias

from deadheat.core.errors import (
    DataError,
    UsageError,
    command_with,
    first_sentence,
    listed,
    say,
)
from deadheat.core.registry import Registry, plugins
from deadheat.data.reading.options import Beside, Options
from deadheat.data.reading.source import Facts, Source, Stream, text_of

ABOUT_FILES = ("delimiter", "header", "encoding", "sheet", "from_")
FALLBACK = "text"
Reader: TypeAlias = Callable[[Source, Options], Stream]
Dialect: TypeAlias = Callable[[Stream], Stream | None]
BLANKS = b"\xef\xbb\xbf \t\r\n"
JSON = re.compile(rb'(\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')  # no CSV begins so: it would be quoted


@dataclass(kw_only=True)
class Format:
    """A kind of file: what sentences call one, how it is known, and who reads it.

    ``understands`` are options about files that it obeys. ``magic`` are first bytes that settle it,
    ``opening`` such that count only where the suffix says nothing. A ``generic`` one holds any
    table, and gives way to a specific one that knows the file. A ``dialect`` is known by columns.
    """

    name: str
    title: str
    read: Reader
    known_by: str = ""
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    opening: tuple[bytes, ...] = ()
    understands: tuple[str, ...] = ()
    generic: bool = False
    aliases: tuple[str, ...] = ()
    recognise: Callable[[Source], str] | None = None
    dialect: Dialect | None = None

    def __call__(self, source: Source, options: Options) -> Stream:
        return self.read(source, options)

    def recognises(self, detector: Callable[[Source], str]) -> Callable[[Source], str]:
        """Take a function that says why a source is of this format, or nothing."""
        self.recognise = detector
        return detector

    def why(self, source: Source) -> str:
        if self.recognise is not None:
            return self.recognise(source)
        if self.dialect is not None:
            header = Stream(source=source.name, columns=source.columns, blocks=iter(()))
            return "" if self.dialect(header) is None else self.by_columns
        return self.by_magic(source) or self.by_suffix(source)

    def by_magic(self, source: Source) -> str:
        found = bool(self.magic) and source.head.startswith(self.magic)
        return "its first bytes say so" if found else ""

    def by_suffix(self, source: Source) -> str:
        return f"its name ends in {source.suffix}" if source.suffix in self.suffixes else ""

    @property
    def by_columns(self) -> str:
        return f"it has {self.known_by}"

    @property
    def told_by(self) -> str:
        """How its files are known, in a few words."""
        return self.known_by or f"names that end in {' '.join(self.suffixes)}"


_own: list[Format] = []


def reads_format(name: str, title: str, **claims: Any) -> Callable[[Reader], Format]:
    """Make a format of a function ``(Source, Options) -> Stream``, known wherever files are read.

    ``title`` is what sentences call such a file, with its article. ``claims`` are ``known_by``, in
    a few words; ``suffixes``; ``magic``; ``understands``; ``aliases``. The format's ``recognises``
    takes the function that knows its files. A package offers formats by an entry point of the
    group ``deadheat.formats``.
    """

    def decorate(read: Reader) -> Format:
        try:
            made = Format(name=name, title=title, read=read, **claims)
        except TypeError as error:
            fact = f"cannot make the format {name!r}: {error}."
            hint = "help(deadheat.reads_format) lists what can be said of a format."
            raise UsageError(fact, hint=hint) from None
        if not read.__module__.startswith(__name__):
            _own.append(made)
            if FORMATS.loaded:
                FORMATS[name] = made
        return made

    return decorate


def reads_dialect(name: str, title: str, *, known_by: str) -> Callable[[Dialect], Format]:
    """Make a format of a function that knows a table by its columns, whatever file or frame it is.

    The function returns the stream with what it states, and with other rows where it must; None
    where the columns are not its own. It is also asked about a header alone.
    """

    def decorate(dialect: Dialect) -> Format:
        def read(source: Source, options: Options) -> Stream:
            kind, _ = next(_generic(source))
            refuse_foreign(options, kind.title, (*kind.understands, "from_"), source.name)
            return _spoken_in(FORMATS[name], kind.read(source, options))

        read.__module__ = dialect.__module__
        claims = {"known_by": known_by, "understands": ABOUT_FILES[:-1], "dialect": dialect}
        return reads_format(name, title, **claims)(read)

    return decorate


def _spoken_in(kind: Format, stream: Stream) -> Stream:
    found = kind.dialect(stream) if kind.dialect is not None else None
    if found is None:
        fact = f"{stream.source} is not {kind.title}: it has no {kind.known_by}."
        raise DataError(fact, hint=f"as any other table: {command_with(from_=None)}")
    return found


def in_dialect(stream: Stream, said: str | None = None) -> tuple[Stream, Format | None]:
    """Return a table in the dialect of its columns, if some dialect knows them or one is said."""
    if said is not None:
        return _spoken_in(FORMATS.named(said), stream), FORMATS.named(said)
    header = replace(stream, blocks=iter(()))
    found = [kind for kind in FORMATS.values() if kind.dialect and kind.dialect(header)]
    _refuse_several(stream.source, [(kind, kind.by_columns) for kind in found])
    return (_spoken_in(found[0], stream), found[0]) if found else (stream, None)


def _find() -> Iterator[tuple[str, Format]]:
    yield from plugins(__name__, Format)
    for point in entry_points(group="deadheat.formats"):
        try:
            point.load()
        except Exception as error:  # noqa: BLE001 - of somebody else's package it may be any
            fact = f"the format {point.name!r} cannot be loaded ({first_sentence(error)})."
            hint = "mend or remove the package that offers it."
            raise UsageError(fact, hint=hint) from None
    yield from ((each.name, each) for each in _own)


FORMATS: Registry[Format] = Registry("format", _find)


# ------------------------------------------------------------------------------
# Which format a source has: said, or known to one specific format alone, else a generic one.


def format_of(source: Source, said: str | None = None) -> tuple[Format, str]:
    """Return the format of a source, and why it is that one."""
    if said is not None:
        return FORMATS.named(said), f"{say('from_', said)} says so"
    found = specific(source)
    _refuse_several(source.name, found)
    if found:
        return found[0]
    if are_parquet(source):
        return FORMATS["parquet"], "all files are such"
    if source.listing is not None:
        raise _unknown_folder(source)
    for refused, what, hint in _other_formats(source):
        if refused:
            raise DataError(f"{source.name} is {what}.", hint=hint)
    return next(_generic(source))


def _refuse_several(name: str, found: list[tuple[Format, str]]) -> None:
    if len(found) > 1:
        names = " and ".join(f"{kind.title} ({why})" for kind, why in found)
        ways = (f"{k.title}: {command_with(from_=k.name)}" for k, _ in found)
        raise UsageError(f"{name} could be {names}.", hint="\n".join(ways))


def specific(source: Source) -> list[tuple[Format, str]]:
    """Return the specific formats that know a source, and why."""
    kinds = (kind for kind in FORMATS.values() if not kind.generic)
    return [(kind, why) for kind in kinds if (why := kind.why(source))]


def are_parquet(source: Source) -> bool:
    """Return whether a source is several files, all of them Parquet by their names."""
    suffixes = FORMATS["parquet"].suffixes
    return bool(source.paths) and all(path.suffix.lower() in suffixes for path in source.paths)


def _generic(source: Source) -> Iterator[tuple[Format, str]]:
    known = [kind for kind in FORMATS.values() if kind.generic]
    beginning = source.head.lstrip(BLANKS)
    yield from ((kind, why) for kind in known if (why := kind.by_magic(source)))
    if JSON.match(beginning):
        yield FORMATS["jsonl"], "it begins as JSON"
    yield from ((kind, why) for kind in known if (why := kind.by_suffix(source)))
    yield from ((kind, "it begins so") for kind in known if beginning.startswith(kind.opening))
    yield FORMATS[FALLBACK], "nothing else fits"


def _unknown_folder(source: Source) -> DataError:
    listing = source.listing or ()
    fact = f"{source.name} is {source.kind} of {len(listing):,} files, not a table."
    if not listing:
        fact = f"{source.name} holds no file."
    else:
        fact += f" There are {listed(listing, most=4)}."
    return DataError(fact, hint="name one of the files, or see what is read: deadheat list formats")


def open_stream(source: Source, options: Options, beside: Beside = None) -> Stream:
    kind, why = format_of(source, options.from_)
    understands = (*kind.understands, "from_")
    refuse_foreign(options, kind.title, understands, source.name, beside)
    stream = kind.read(source, options)
    if kind.generic and options.from_ is None:
        stream, dialect = in_dialect(stream)
        kind, why = (kind, why) if dialect is None else (dialect, dialect.by_columns)
    facts = dict(stream.facts)
    told = facts.pop("format", kind.title)
    told = f"{kind.title if kind.dialect else told} ({why})"
    return replace(stream, facts=(("format", told), *facts.items(), *_stated(stream)))


def _spoken(value: object) -> str:
    if isinstance(value, list | tuple):
        return listed(filter(None, map(str, value)), most=4)
    if not isinstance(value, Mapping):
        return str(value)
    return listed((f"{key}: {text_of(each)}" for key, each in value.items()), most=4)


def _stated(stream: Stream) -> Facts:
    says = "; ".join(f"{name} = {_spoken(value)}" for name, value in stream.states.items())
    return (("stated", says),) if says else ()


def refuse_foreign(
    options: Options, title: str, understands: tuple[str, ...], name: str, beside: Beside = None
) -> None:
    for option in ABOUT_FILES:
        if getattr(options, option) is not None and option not in understands:
            sidecar = (beside or {}).get(option)
            said = f"{option} in {sidecar}" if sidecar else say(option)
            hint = f"remove that line of {sidecar}."
            if not sidecar:
                hint = f"without it: {command_with(**{option: None})}"
            raise UsageError(f"{said} means nothing for {title} ({name}).", hint=hint)


# ------------------------------------------------------------------------------
# Files of other formats, known by their first bytes or lines and refused by their names.

LINES = 60  # that are looked at
SAVE = "save it as CSV, .xlsx or Parquet."
MAGIC = {
    b"%PDF-": ("a PDF document", "copy the table out of it and save it as CSV."),
    b"\x93NUMPY": ("a NumPy array", "in Python give the array: Results(scores=numpy.load(...))."),
    b"\x89HDF": ("an HDF5 file", SAVE),
    b"ARROW1": ("an Arrow (Feather) file", "save it as Parquet, or give the DataFrame in Python."),
    b"SQLite format 3": ("an SQLite database", "export the table as CSV."),
    b"RDX": ("an R data file", "in R: write.csv(table, 'table.csv')."),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it first."),
    b"Rar!": ("a RAR archive", "unpack it first."),
}
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument."
WEB = re.compile(r"<(!doctype html|html|head|body|table|div|meta|style)\b|<\?xml[^\0]*<html")
BOX = re.compile(r"\+[-=+]*[-=][-=+]*\+\s*|[\u2500-\u257f]{2,}\s*")
PSQL = re.compile(r"-+(\+-+)+\s*")
RULES = re.compile(r"(={2,}\s+)+={2,}\s*|(-{2,}\s+)+-{2,}\s*")


def _other_formats(source: Source) -> Iterator[tuple[object, str, str]]:
    """Yield whether the source is of some format, what that is, and what to do about it.

    A cell of a table may hold any other text: of most formats only the first lines count.
    """
    head, suffix = source.head, source.suffix
    for mark, (what, hint) in MAGIC.items():
        yield head.startswith(mark), what, hint
    ods = OPEN_DOCUMENT in head[:200]
    yield ods, "an OpenDocument file (.ods)", "save it as .xlsx or CSV."
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = head.decode("utf-16" if wide else "utf-8", "replace").lstrip(" \t\r\n\ufeff")
    start, lines = text[:2_000].lower(), text.splitlines()[:LINES]
    excel = start[:1] == "<" and "urn:schemas-microsoft-com:office:spreadsheet" in start
    yield excel, "an Excel file in XML", "open it in Excel and save it as .xlsx or CSV."
    page, hint = WEB.match(start), "open it in a spreadsheet and save it as .xlsx or CSV."
    named = f"an HTML page, though its name ends in {suffix}"
    yield page and suffix in {".xls", ".xlsx"}, named, hint
    hint = "download the table itself: on a code site, the raw file behind the page."
    yield page, "a web page, not a table", hint
    yield start.startswith("<?xml"), "an XML document", "save the table in it as CSV."
    plain = [line.strip() for line in lines if line.strip() and line[0] != "%"]
    first = plain[0] if plain else ""
    hint = "keep what follows @data, below a line with the names of the columns, as CSV."
    yield first.lower().startswith("@relation"), "an ARFF file", hint
    yield from _drawings(lines)


def _drawings(lines: list[str]) -> Iterator[tuple[object, str, str]]:
    """Tell a table that is drawn with lines: in a box, as psql has it, or of RST."""
    first, second = (*lines, "", "")[:2]
    if BOX.fullmatch(first) or ("|" in first and PSQL.fullmatch(second)):
        bar = "pipe" if "|" in f"{first}{second}" else second[:1]
        hint = f"print it as CSV, or {_without_rules(bar)}"
        yield True, "a table drawn with lines, as databases print it", hint
    elif RULES.fullmatch(first) or RULES.fullmatch(second):
        rst = first.startswith("=") and RULES.fullmatch(first)
        what = "a reStructuredText (RST) table" if rst else "a table drawn with dashes"
        yield True, what, _without_rules("space")


def _without_rules(delimiter: str) -> str:
    return f"remove the lines that hold no cells, then: {command_with(delimiter=delimiter)}"
