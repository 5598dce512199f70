"""A table in, a page out that says who won and how sure that is."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from deadheat.core.errors import UsageError, command_with, on_page, visible
from deadheat.core.files import beside, flush, free_name, promised, save
from deadheat.core.version import __version__
from deadheat.output import table as markup
from deadheat.output.result import Result
from deadheat.output.table import LETTER, Grid, in_latex_lines
from deadheat.ranking.function import RankingFunction
from deadheat.report.contents import Contents, contents_of, without_folders
from deadheat.report.methods import Methods
from deadheat.report.page import LARGEST_JSON, Section, abridge, page, sections
from deadheat.report.picture import Picture
from deadheat.report.summary import Summary
from deadheat.resampling.engines import Engine, Progress
from deadheat.resampling.plans import Plan

if TYPE_CHECKING:
    from deadheat.report.schema import ReportRow

# ------------------------------------------------------------------------------
# A whole LaTeX document of results: their tables, what they say, and the methods.
#
# It compiles with pdflatex, lualatex and xelatex, whatever the names hold, and no table is wider
# than the page: see :func:`deadheat.output.table.layout`.

LONGEST_TABLE = 12  # rows that fit a page whatever is wrapped in them
MOST_ROWS = 400
LINE = 480.0  # points between the margins
WORD = 240.0  # points of a word that need not be broken
PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage{iftex}
\iftutex
  \usepackage{fontspec}
\else
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
  \IfFileExists{cmap.sty}{\usepackage{cmap}}{}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,longtable}
\setlength{\LTleft}{0pt}
\setlength{\LTright}{0pt plus 1fill}
"""
STYLE = r"\raggedright\setlength{\parindent}{0pt}\setlength{\parskip}{.5\baselineskip}"
UNPRINTED = {"scores"}  # the table itself, which is data and no result


def document(
    results: Mapping[str, Result],
    *,
    title: str,
    methods: Methods | None = None,
    headings: Mapping[str, str] | None = None,
) -> str:
    """Return a LaTeX document: methods, a section for each result by name, references.

    ``headings`` has what a section is called instead.
    """
    body = [rf"\title{{{_words(title)}}}", r"\date{}", r"\begin{document}", STYLE, r"\maketitle"]
    if methods is not None:
        body += [r"\section*{Methods}", methods.latex()]
    for name, result in results.items():
        body += _section(heading((headings or {}).get(name, name)), result)
    if methods is not None and methods.references:
        entries = (f"\\bibitem{{{one.key}}} {_words(one.full)}" for one in methods.references)
        body += [r"\begin{thebibliography}{99}", *entries, r"\end{thebibliography}"]
    return "\n".join([PREAMBLE + LETTER, *body, r"\end{document}", ""])


def heading(name: str) -> str:
    """Return the heading of a result by its name: that of a field without its hyphens."""
    if name.islower() and name.replace("-", "").replace("_", "").isalpha():
        name = name.replace("-", " ").replace("_", " ")
    return name[:1].upper() + name[1:]


def _section(title: str, result: Result) -> list[str]:
    grid = result.grid().printed()
    notes = [on_page(note) for note in grid.remarks]
    notes += [f"Warning: {on_page(warning)}" for warning in result.warnings]
    rows = len(grid.cells)
    if rows > MOST_ROWS:
        marked = frozenset((i, j) for i, j in grid.marked if i < MOST_ROWS)
        grid = replace(grid, cells=grid.cells[:MOST_ROWS], marked=marked)
        notes.insert(0, f"The first {MOST_ROWS:,} of {rows:,} rows.")
    lines = [rf"\section*{{{_words(title)}}}"]
    lines += [f"{_words(on_page(said))}\n" for said in result.sentences]
    if grid.columns and rows:
        environment = "longtable" if rows > LONGEST_TABLE else "tabular"
        lines += [markup.latex(grid, environment=environment, across=LINE), ""]
    small = "\n\n".join(map(_words, notes))
    return [*lines, f"{{\\small {small}\\par}}\n"] if notes else lines


def _words(text: str) -> str:
    return in_latex_lines(text, WORD)


# ------------------------------------------------------------------------------
# Everything that a report holds as a folder of files, whole or not at all.

MANIFEST = "manifest.json"
LONGEST_NAME = 60


def bundle(
    folder: str | os.PathLike[str],
    *,
    page: str,
    results: Mapping[str, Result],
    pictures: Sequence[Picture] = (),
    title: str = "deadheat report",
    methods: Methods | None = None,
    headings: Mapping[str, str] | None = None,
) -> list[str]:
    """Write a folder with the page, tables, figures and a LaTeX document; return its files.

    The folder is empty, or not there yet. Each result becomes a CSV file, a JSON file that
    :func:`deadheat.load` reads and a section of the document, each picture a file in SVG and one in
    PDF. ``manifest.json`` says of each other file what it is, how long, and its sha256.
    """
    target = free_folder(Path(folder))
    files: dict[str, tuple[bytes, str]] = {}

    def add(path: str, content: str | bytes, what: str) -> None:
        if isinstance(content, str):
            content = content.encode("utf-8", "backslashreplace")
        files[path] = content, what

    add("report.html", page, "the report, for a browser")
    for (name, result), file in zip(results.items(), _names(results), strict=True):
        add(f"tables/{file}.csv", result.to_csv(), f"the rows of {name}")
        add(f"json/{file}.json", result.to_json(), f"all of {name}, as {result.schema}")
    for picture, file in zip(pictures, _names(p.kind or p.title for p in pictures), strict=True):
        add(f"figures/{file}.svg", picture.svg(), picture.title)
        add(f"figures/{file}.pdf", picture.pdf(), picture.title)
    printed = {name: result for name, result in results.items() if name not in UNPRINTED}
    text = document(printed, title=title, methods=methods, headings=headings)
    add("report.tex", text, "the tables, for LaTeX")
    if methods is not None:
        add("methods.txt", methods.text(), "what was done, for a paper")
        add("references.bib", methods.bibtex(), "what to cite, for BibTeX")
    width = max(map(len, files))
    lines = [
        title,
        "",
        f"Written by deadheat {__version__}. Begin with report.html: it needs no network.",
        "deadheat show json/NAME.json prints a result again; deadheat.load reads it in Python.",
        f"{MANIFEST} has the sha256 of every file.",
        "",
        *(f"{path:{width}}  {what}" for path, (_, what) in files.items()),
        "",
    ]
    add("README.txt", "".join(" ".join(x.splitlines()) + "\n" for x in lines), "what lies here")
    entries = [
        {"path": path, "what": what, "bytes": len(content), "sha256": sha256(content).hexdigest()}
        for path, (content, what) in files.items()
    ]
    manifest = {"title": title, "version": __version__, "files": entries}
    add(MANIFEST, json.dumps(manifest, indent=2) + "\n", "this list")
    _write(target, files)
    return list(files)


def _names(titles: Iterable[str]) -> list[str]:
    found: list[str] = []
    for title in titles:
        plain = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_NAME].strip("-") or "untitled"
        name, more = plain, 1
        while name in found:
            more += 1
            name = f"{plain}-{more}"
        found.append(name)
    return found


def free_folder(folder: Path) -> Path:
    """Return where a bundle is to be; refuse what would replace or lose something."""
    target = Path(os.path.realpath(folder))
    new = free_name(str(folder if folder.name.strip(".") else target))
    if target.is_dir() and any(target.iterdir()):
        full = f"the folder {folder} is not empty."
        raise UsageError(full, hint=f"to a new one: {command_with(bundle=new)}")
    if target.exists() and not target.is_dir():
        hint = f"to a new folder: {command_with(bundle=new)}"
        raise UsageError(f"{folder} is a file, and no folder.", hint=hint)
    if not target.parent.is_dir():
        nowhere = f"cannot make {folder}: there is no folder {target.parent}."
        raise UsageError(nowhere, hint=f"make {target.parent} first.")
    return target


def _write(target: Path, files: Mapping[str, tuple[bytes, str]]) -> None:
    try:
        with beside(target) as folder:
            folder.mkdir()
            for name, (content, _) in files.items():
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
                flush(path)
            for inside in {folder, *((folder / name).parent for name in files)}:
                flush(inside)
            if target.is_dir():
                folder.chmod(stat.S_IMODE(target.stat().st_mode))
                target.rmdir()  # only an empty one can go
            folder.replace(target)
        flush(target.parent)
    except OSError as error:
        hint = "choose a place that you may write to and that has room."
        raise UsageError(f"cannot write {target}: {error.strerror or error}.", hint=hint) from None


@dataclass(frozen=True, eq=False, kw_only=True)
class Report(Result):
    """Hold everything that a page tells: the results, and the sections made of them."""

    schema: ClassVar[str] = "deadheat.report/1"
    contents: Contents

    @cached_property
    def summary(self) -> Summary:
        """The answer in a sentence, three facts, and what else is to be said first."""
        said: Summary = self.sections[0].extra["summary"]
        return said

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that apply, in their order."""
        return sections(self.contents)

    def also_made(self, **facts: Any) -> Self:
        """Return a copy that says more about how it was made, also on its page.

        A command is told without the folders of the machine that it ran on: pages are published.
        """
        if facts.get("command"):
            facts["command"] = without_folders(facts["command"])
        contents = replace(self.contents, also_made={**self.contents.also_made, **facts})
        return replace(self, made={**self.made, **facts}, contents=contents)

    def rows(self) -> list[ReportRow]:
        """Return one record per section: what it is about, its pictures and tables."""
        return [
            {
                "section": section.name,
                "title": section.title,
                "says": section.sentence,
                "pictures": [picture.kind for picture in section.pictures],
                "tables": [table.name for table in section.tables],
            }
            for section in self.sections
        ]

    def facts(self) -> dict[str, Any]:
        """Return the summary, and every result as its own JSON has it, without its table."""
        every = self.contents.results.items()
        results = {name: abridge(each.document(), LARGEST_JSON) for name, each in every}
        return {"summary": asdict(self.summary), "results": results}

    @property
    def sentences(self) -> tuple[str, ...]:
        return self.summary.sentences

    def grid(self) -> Grid:
        return Grid.of(("section", "says"), ((each.title, each.sentence) for each in self.sections))

    def html(self) -> str:
        """Return the page: one file with everything inside, which needs no network."""
        whole = json.loads(self.to_json(indent=None))
        return page(self.contents, self.sections, whole=whole)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        save(path, self.html())

    def bundle(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write a folder: page, tables, figures, LaTeX, and a list of it all; return its files."""
        results, headings = dict(self.contents.results), dict[str, str]()
        for table in (table for section in self.sections for table in section.tables):
            same = (name for name, known in results.items() if known is table.result)
            name = next(same, table.name)
            results[name], headings[name] = table.result, table.title
        return bundle(
            folder,
            page=self.html(),
            results=results,
            pictures=[p for section in self.sections for p in section.pictures if p.shows],
            title=visible(self.contents.title),
            methods=self.contents.methods,
            headings=headings,
        )


def report(
    table: Any,
    to: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    by: str | RankingFunction | None = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    strict: bool = False,
    official: Any = None,
    top: int | None = None,
    data: bool = True,
    tournament: str | None = None,
    round: str | None = None,  # noqa: A002 - as in rate()
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Report:
    """Say on one page who really won and how sure that is, with pictures, tables and the data.

    The page answers first, with a picture that a reader can count, draw and weigh otherwise. Then
    come the ranking, other ways of counting, where it was decided and one against one; what
    statisticians look for is folded. What does not apply is absent.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, any DataFrame, or a battle log, of which the
        page tells ratings; ``reading`` are the options of :func:`deadheat.read` or
        :func:`deadheat.read_battles`.
    to
        The file to write, such as ``"report.html"``.
    title
        What the page is called; by default what the table holds.
    by, alpha, seed, plan, strict, official, top
        As in :func:`deadheat.verdict`.
    data
        Whether the page carries the table, up to 100,000 cells, so that a reader can rerun the
        race with fewer judges or other weights; beyond, it has the sums of strata.
    tournament, round
        Columns of a long table of several data sets: the page tells the ratings of each, as
        :func:`deadheat.rate` does.
    replicates
        How often to resample; by default 10,000, and fewer where there are many judges.

    Notes
    -----
    What takes long on large tables is reduced or left out by their size alone, never by a clock,
    and the page says so. It stays below 5 MB.

    Examples
    --------
    >>> import deadheat as dh
    >>> page = dh.report(dh.examples.load("compressors"), replicates=200)
    >>> [section.name for section in page.sections][:4]
    ['answer', 'ranking', 'functions', 'decided']
    """
    with promised(to):
        found = contents_of(
            table,
            of_table={"by": by, "official": official, "plan": plan, "top": top},
            columns={"tournament": tournament, "round": round},
            common={"alpha": alpha, "seed": seed, "engine": engine},
            title=title,
            replicates=replicates,
            strict=strict,
            data=data,
            progress=progress,
            reading=reading,
            question=report,
        )
    main = found.main
    told = Report(made=main.made, warnings=main.warnings, library=main.library, contents=found)
    if to is not None:
        told.save(to)
    return told
