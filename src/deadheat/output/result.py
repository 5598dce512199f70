"""What every result is: rows and facts that write themselves in any form."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    Words,
    bare,
    counted,
    named,
    on_page,
    plural_of,
    visible,
)
from deadheat.core.files import PathLike, save
from deadheat.core.version import __version__
from deadheat.core.weights import CAUTION, LITTLE
from deadheat.output import table as markup
from deadheat.output import text
from deadheat.output.table import Column, Grid, grid_as_text

if TYPE_CHECKING:
    from deadheat.core.types import Row
    from deadheat.output.schema import Board

Library = Literal["polars", "pandas", "pyarrow"]
LIBRARIES: tuple[Library, ...] = get_args(Library)
MARKS = {True: "\u2713", False: "!", None: "\u00b7"}  # a reason supports the answer, or not
MOST_REASONS = 5  # that people read
LEVEL_WIDTH = 20  # of the column of a board that says who is level with the first
TOO_FEW = "too few for a test"
LARGEST_REPR = {"most": 10, "width": 100}


class Drawable:
    """Have pictures: results, and the tables and runs that they are computed from."""

    @property
    def omission(self) -> str:
        """Who is not shown, in words."""
        return ""

    def plot(self, kind: str | None = None, *, width: str | int = "page", **look: Any) -> Any:
        """Return a picture; without a ``kind`` the one that suits best.

        Its ``save("fig.svg")`` writes SVG, PDF, PNG or HTML. ``width`` is ``"page"``, ``"column"``
        or a number of pixels; ``look`` are options of the picture itself, such as ``top=10`` for
        the first ten of the official order, ``values="ranks"`` of a heat map.
        """
        registry = importlib.import_module("deadheat.report.picture")  # a layer above this one
        return registry.draw_picture(self, kind, width=width, **look)


def provenance(**facts: Any) -> dict[str, Any]:
    """Return how a result was made: the version, then whatever the caller knows about it."""
    return {"version": __version__, **facts}


def _level(board: Board) -> str:
    """Return who is level with the first, for a narrow column, or how many are."""
    names = board["level"]
    if board["too_few"]:
        return TOO_FEW
    if len(names) == 1:
        return text.shorten(names[0], LEVEL_WIDTH)
    said = named(names, most=2) if names else ""
    fits = len(names) <= 2 and len(said) <= LEVEL_WIDTH
    return said if fits else counted(len(names), "other")


@dataclass(frozen=True, kw_only=True)
class Boards:
    """Say who is first for each value of a column, beside the result of the whole table."""

    column: str
    heading: str
    candidate: str
    judges: str
    digits: int | None  # of the scores; None: as many as a number deserves
    boards: tuple[Board, ...]

    @property
    def sentence(self) -> str:
        """Say who is first how often; where there is nobody else, nobody is."""
        contested = [board for board in self.boards if board["candidates"] > 1]
        if not contested:
            return f"No {visible(self.column)} has two {plural_of(self.candidate)} to compare."
        number = Counter(who for board in contested for who in board["first"])
        (most, times), *others = number.most_common()
        said = [f"{bare(most)} is first in {times:,} of {len(contested):,} "]
        said[0] += plural_of(self.column)
        said += [f"{bare(who)} in {times:,}" for who, times in others[:2]]
        rest = [times for _, times in others[2:]]
        if rest:
            alike = len({*rest}) == 1 < len(rest)
            often = f"{rest[0]:,} each" if alike else f"at most {rest[0]:,}"
            often = f"{rest[0]:,}" if len(rest) == 1 else often
            said.append(f"{counted(len(rest), 'other')} in {often}")
        few = sum(board["too_few"] for board in self.boards)
        test = f"; {few:,} with too few {self.judges} for a test" if few else ""
        if shared := sum(len(board["first"]) > 1 for board in contested):
            test = f", {shared:,} of them shared{test}"
        told = f"{', '.join(said[:-1])} and {said[-1]}" if said[1:] else said[0]
        return f"{told}{test}."

    def grid(self) -> Grid:
        """Return a line for each value: its size, who is first, who is level, the score."""
        split = len({board["candidates"] for board in self.boards}) > 1
        level = any(board["level"] or board["too_few"] for board in self.boards)
        heads = [Column(name=self.column, key=True)]
        heads += [Column(name=plural_of(self.candidate))] if split else []
        heads += [Column(name=self.judges), Column(name="first", key=True)]
        heads += [Column(name="level with it")] if level else []
        cells = [
            [
                board["value"],
                *([board["candidates"]] if split else []),
                board["judges"],
                named(first) if len(first := board["first"]) <= 2 else f"{len(first):,} share it",
                *([_level(board)] if level else []),
                board["shown"],
            ]
            for board in self.boards
        ]
        return Grid.of([*heads, Column(name=self.heading, digits=self.digits)], cells)

    def largest(self, number: int) -> Boards:
        """Return the boards of the most judges."""
        by_size = sorted(self.boards, key=lambda board: -board["judges"])
        return replace(self, boards=tuple(by_size[:number]))

    def top(self, number: int) -> Boards:
        """Return the same boards with the rows of their first candidates."""
        some: tuple[Any, ...] = tuple(
            {**board, "rows": _first(board["rows"], number)} for board in self.boards
        )
        return replace(self, boards=some)

    def rows(self, whole: list[Row]) -> list[Row]:
        """Return the rows of the whole and of all boards, which a first column tells apart."""
        name = "each" if any(self.column in row for row in whole) else self.column
        parts = [{name: board["value"], **row} for board in self.boards for row in board["rows"]]
        return [*({name: None, **row} for row in whole), *parts]

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Boards:
        return cls(**{**saved, "boards": tuple(saved["boards"])})


def _first(rows: list[Row], number: int) -> list[Row]:
    """Return the rows of so many candidates, those that are named first."""
    kept = [*dict.fromkeys(row["candidate"] for row in rows)][:number]
    return [row for row in rows if row["candidate"] in kept]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Result(Drawable):
    """Write ``rows()`` and ``schema``; every other form follows from them."""

    schema: ClassVar[str]
    asks: ClassVar[str] = "What to know"  # the heading of reasons
    made: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    library: str = ""
    boards: Boards | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        # A dataclass replaces a representation that is only inherited.
        super().__init_subclass__(**options)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def rows(self) -> list[Any]:
        """Return the result as records, best first."""
        raise NotImplementedError

    def beside(self) -> dict[str, Any]:
        """Return what a sidecar says of the rows as CSV or TSV, where they are read back."""
        return {}

    @property
    def has_groups(self) -> bool:
        """Whether tests made the groups; else no table has them."""
        return True

    def small_rows(self) -> list[Row]:
        """Return the rows as spreadsheets get them: no column is empty for everybody.

        Where only the first candidates are asked for, nobody else has a row.
        """
        rows, boards, top = self.rows(), self.boards, self.made.get("top")
        if top is not None and rows and "candidate" in rows[0]:
            shown = self.document_grid() or self.grid()
            rows = _first(rows, len(shown.cells))  # some may share the last place
            boards = boards and boards.top(top)
        rows = rows if boards is None else boards.rows(rows)
        told = {key for row in rows for key, value in row.items() if not _is_empty(value)}
        told -= set() if self.has_groups else {"group"}
        return [{key: value for key, value in row.items() if key in told} for row in rows]

    def facts(self) -> dict[str, Any]:
        """Return what is true of the whole, not of a row."""
        return {}

    def outline(self) -> dict[str, Any]:
        """Return the facts that pictures need, without those that take long to compute."""
        return self.facts()

    @property
    def undefined(self) -> int:
        """How many numbers of the JSON that it comes from were undefined."""
        return 0

    @property
    def verdict(self) -> str:
        """What the result says, in words: its sentences, a line each."""
        return "\n".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline, and what else is to be said; a verdict of one's own is one sentence."""
        own = "" if type(self).verdict is Result.verdict else self.verdict
        return (own,) if own else ()

    @property
    def reasons(self) -> tuple[Words, ...]:
        """What bears on the headline, most important first: further sentences, and warnings."""
        further = (said if isinstance(said, Words) else Words(said) for said in self.sentences[1:])
        every = [*further, *map(caution, self.warnings)]
        return tuple(sorted(every, key=lambda said: -said.weight))

    def grid(self) -> Grid:
        """Return the table as people read it; by default one column per key of the rows."""
        rows = self.rows()
        keys = text.keys(rows)
        return Grid.of(keys, ([text.flat(row.get(key)) for key in keys] for row in rows))

    def document_grid(self) -> Grid | None:
        """Return the table of documents, where that is not the one of terminals."""
        return None

    def appendix(self) -> Iterable[tuple[str, Grid | None]]:
        """Return what documents tell below: sentences, with tables or without."""
        return ()

    def _below(self) -> list[tuple[str, Grid | None]]:
        own = [*self.appendix()]
        return own if self.boards is None else [*own, (self.boards.sentence, self.boards.grid())]

    def also_made(self, **facts: Any) -> Self:
        """Return a copy that says more about how it was made."""
        same = copy.copy(self)
        object.__setattr__(same, "made", {**self.made, **facts})
        return same

    def to_frame(self, library: str = "") -> Any:
        """Return the rows as a DataFrame of ``library``, by default the caller's own.

        That is the library the data came in, else one that is already imported (polars, pandas,
        pyarrow), else the first that is installed.
        """
        backend = _library(library, self.library)
        import narwhals as nw

        rows = self.rows()
        columns = {k: _alike([text.flat(row.get(k)) for row in rows]) for k in text.keys(rows)}
        return nw.from_dict(columns, backend=backend).to_native()

    def document(self) -> dict[str, Any]:
        """Return the whole result in the types of JSON, without the printed table."""
        names = ("schema", "made", "verdict", "sentences", "warnings")
        own = {name: getattr(self, name) for name in names}
        own["reasons"] = [{"says": str(said), "good": said.good} for said in self.reasons]
        whole = text.plain({**own, "facts": self.facts(), "rows": self.rows()})
        plain, undefined = text.null_undefined(whole)
        undefined += self.undefined
        if undefined:
            plain["warnings"].append(undefined_in_words(undefined))
            plain["undefined"] = undefined
        return dict(plain)

    def to_json(self, path: PathLike | None = None, *, indent: int | None = 2) -> str:
        """Return the whole result as one JSON object, and write it where a path is given.

        JSON has no NaN or infinity: what is undefined is null, and a warning says how often.
        """
        whole = self.document()
        whole["table"] = self.grid().to_json(whole["rows"])
        paper = self.document_grid()
        whole |= {"paper": paper.to_json(whole["rows"])} if paper else {}
        below = [{"says": said, "table": t and t.to_json(())} for said, t in self.appendix()]
        whole |= {"appendix": below} if below else {}
        if self.boards is not None:
            whole["each"] = text.null_undefined(text.plain(vars(self.boards)))[0]
        return _save_to(text.json_text(whole, indent) + "\n", path)

    def to_csv(self, path: PathLike | None = None) -> str:
        """Return the rows as CSV that is safe to open in a spreadsheet: no text is a formula."""
        return _save_to(text.csv_text(self.small_rows(), ","), path)

    def to_tsv(self, path: PathLike | None = None) -> str:
        """Return the rows separated by tabs, raw, for other programs."""
        return _save_to(text.csv_text(self.small_rows(), "\t"), path)

    def to_md(self, path: PathLike | None = None) -> str:
        """Return the grid as a Markdown table, followed by notes, verdict and warnings."""
        grid = self.document_grid() or self.grid()
        warnings = (f"warning: {warning}" for warning in self.warnings)
        said = (*grid.remarks, *self.sentences, *warnings)
        parts = [markup.markdown(grid), *(f"{markup.in_markdown(s)}\n" for s in said if s)]
        for sentence, below in self._below():
            parts.append(f"{markup.in_markdown(sentence)}\n")
            parts += [] if below is None else [markup.markdown(below)]
        return _save_to("\n".join(parts), path)

    def to_latex(self, path: PathLike | None = None) -> str:
        r"""Return the grid as a ``tabular`` for ``\usepackage{booktabs}``, best bold.

        A table too wide for a page of LaTeX's ``article`` is wrapped, made smaller, or told in
        parts. Names that are not in Latin letters need ``\usepackage[T1]{fontenc}`` or lualatex.
        """
        grid = self.document_grid() or self.grid()
        digests = self.made.get("sha256", [])
        every = ", ".join([digests] if isinstance(digests, str) else digests)
        data = f", sha256 of the data {every}" if every else ""
        origin = f"deadheat {self.made.get('version', __version__)}{data}"
        said = self._lines(origin, *grid.printed().remarks, *self.sentences)
        head = "".join(f"% {line}\n" for line in said)
        parts = [markup.latex(grid)]
        for sentence, below in self._below():
            parts.append(f"\\par\\medskip\\noindent\n{markup.in_latex(sentence)}\n")
            parts += [] if below is None else [f"\\par\\smallskip\n{markup.latex(below)}"]
        body = "\n".join(parts)
        letters = f"{markup.LETTER}\n" if r"\dhletter" in body else ""
        return _save_to(head + letters + body, path)

    def _repr_html_(self) -> str:
        """Show the table, the verdict and the warnings in a notebook."""
        grid = self.document_grid() or self.grid()
        lines = [f"<p><b>{markup.in_html(grid.title)}</b></p>"] if grid.title else []
        lines.append(markup.html(grid))
        lines += [
            f"<p>{markup.in_html(line)}</p>" for line in (*grid.remarks, self.verdict) if line
        ]
        style = '<p style="color:#8a5a00">'
        lines += [f"{style}warning: {markup.in_html(warning)}</p>" for warning in self.warnings]
        for sentence, below in self._below():
            lines.append(f"<p>{markup.in_html(sentence)}</p>")
            lines += [] if below is None else [markup.html(below)]
        head = f'<div style="font-family:sans-serif" title="{type(self).__name__}">\n'
        return head + "\n".join(lines) + "</div>"

    def __repr__(self) -> str:
        """Return what a terminal shows: the answer, the table, and what bears on it."""
        grid, reasons = self.grid(), self.reasons
        lines = [*self.sentences[:1], grid_as_text(grid, **LARGEST_REPR), *grid.legend]
        if self.boards is not None:
            lines += ["", self.boards.sentence, grid_as_text(self.boards.grid(), **LARGEST_REPR)]
        if reasons:
            lines += ["", self.asks]
            shown = doubts_first(reasons[:MOST_REASONS])
            lines += [f" {MARKS[said.good]} {said}" for said in shown]
        if (more := len(reasons) - MOST_REASONS) > 0:
            lines.append(f"{counted(more, 'more remark')}: .reasons")
        whole = "\n".join(line if "\n" in line else visible(line) for line in lines)
        return whole or f"<{type(self).__name__}>"

    def _lines(self, *remarks: str) -> list[str]:
        every = (*remarks, *(f"warning: {warning}" for warning in self.warnings))
        return [visible(remark) for remark in every if remark]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Listing(Result):
    """Hold one of several tables of a result; subclasses give it a schema.

    ``further`` are sentences after the first. The first ``keys`` columns name a row; ``headings``
    are what people read over a column, and ``digits`` the decimals of its numbers.
    """

    name: str
    records: tuple[Row, ...]
    sentence: str
    further: tuple[str, ...] = ()
    keys: int = 0
    headings: Mapping[str, str] = field(default_factory=dict)
    digits: int | None = None

    @classmethod
    def of(
        cls, whole: Result, name: str, records: Iterable[Row], sentence: str, **form: Any
    ) -> Self:
        """Return a table of a result, which was made and is warned of like the whole."""
        form |= {"made": whole.made, "warnings": whole.warnings, "library": whole.library}
        return cls(name=name, records=tuple(records), sentence=sentence, **form)

    def rows(self) -> list[Row]:
        return [dict(record) for record in self.records]

    def grid(self) -> Grid:
        grid = super().grid()
        names = [self.headings.get(column.name, column.name) for column in grid.columns]
        columns = (
            Column(name=name, digits=self.digits, key=j < self.keys) for j, name in enumerate(names)
        )
        return replace(grid, columns=tuple(columns))

    def facts(self) -> dict[str, Any]:
        return {"table": self.name}

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.sentence, *self.further)))


def caution(warning: str) -> Words:
    """Return a warning as a reason to doubt, or as a remark where it weighs little."""
    weight = warning.weight if isinstance(warning, Words) else CAUTION
    said, page = (_sentence(each) for each in (warning, on_page(warning)))
    return Words(said, page, weight=weight, good=None if weight < LITTLE else False)


def doubts_first(shown: Sequence[Words]) -> list[Words]:
    """Return reasons in the order in which they are read: what speaks against the answer first."""
    return sorted(shown, key=lambda said: said.good is not False)


def _sentence(clause: str) -> str:
    """Return a clause with a capital; names of files and candidates stay as they are."""
    first = clause.split(" ", 1)[0]
    return clause[:1].upper() + clause[1:] if first.isalpha() else str(clause)


def undefined_in_words(number: int) -> str:
    return f"{counted(number, 'undefined number')} written as null."


def _library(wanted: str, own: str) -> Library:
    if wanted and wanted not in LIBRARIES:
        raise UnknownNameError("DataFrame library", wanted, LIBRARIES)
    said = [name for name in LIBRARIES if name == (wanted or own)]
    imported = [name for name in LIBRARIES if name in sys.modules]
    for name in (*said, *imported, *filter(importlib.util.find_spec, LIBRARIES)):
        return name
    hint = "install polars, pandas or pyarrow; rows() and to_csv() need none."
    raise UsageError("no DataFrame library is installed.", hint=hint)


def _alike(values: list[Any]) -> list[Any]:
    """Return a column of one type, as typed frames need: all floats, or all text."""
    kinds = {type(value) for value in values} - {type(None)}
    if len(kinds) < 2:
        return values
    common = float if kinds <= {int, float} else text.cell_text
    return [None if value is None else common(value) for value in values]


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _save_to(content: str, path: PathLike | None) -> str:
    if path is not None:
        save(path, content)
    return content
