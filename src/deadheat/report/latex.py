r"""A whole LaTeX document of results: their tables, what they say, and the methods.

It compiles with pdflatex, lualatex and xelatex, whatever the names hold, and no table is wider than
the page: see :func:`deadheat.typesetting.layout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from deadheat import markup
from deadheat.grid import Grid
from deadheat.markup import LETTER, in_latex_lines
from deadheat.report.methods import Methods
from deadheat.report.summary import on_a_page
from deadheat.result import Result

LONGEST_TABLE = 12  # rows that fit a page whatever is wrapped in them
MOST_ROWS = 400
LINE = 480.0  # points between the margins
WORD = 240.0  # points of a word that need not be broken
PREAMBLE = (
    r"""\documentclass[a4paper]{article}
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
    + LETTER
    + "\n"
)
STYLE = r"\raggedright\setlength{\parindent}{0pt}\setlength{\parskip}{.5\baselineskip}"
# What a heading says instead of the name of a file.
HEADINGS = {
    "groups": "The groups",
    "tests": "Every test behind the groups",
    "group-summary": "Ties and inversions",
    "removals": "Without one candidate",
    "influence": "Without one judge",
    "criteria": "Ranking functions compared",
    "agreement": "How much the judges agree",
    "check": "Data health",
    "policies": "Another policy for missing scores",
    "groupings": "The paper's groups and strict ones",
    "pairs": "Every pair",
    "win-matrix": "Chances of winning",
    "rating-pairs": "Every pair by its ratings",
    "first": "Shares ranked first",
    "ranks": "Quantiles of the ranks",
    "function-correlations": "How alike the rankings of functions are",
}


def document(
    results: Mapping[str, Result],
    *,
    title: str,
    methods: Methods | None = None,
    names: Iterable[str] = (),
) -> str:
    """Return a LaTeX document with a section for each result.

    Parameters
    ----------
    results
        The results by name; those that the page has get its headings.
    methods
        Told first; its references end the document.
    names
        Of candidates and judges, which stay as they are in sentences.
    """
    body = [rf"\title{{{_words(title)}}}", r"\date{}", r"\begin{document}", STYLE, r"\maketitle"]
    if methods is not None:
        body += [r"\section*{Methods}", methods.latex()]
    kept = tuple(names)
    for name, result in results.items():
        body += _section(name, result, kept)
    if methods is not None:
        body += _bibliography(methods)
    return PREAMBLE + "\n".join([*body, r"\end{document}", ""])


def heading(name: str) -> str:
    """Return the heading of a result by its name.

    >>> heading("group-summary"), heading("rating-calibration"), heading("My Table")
    ('Ties and inversions', 'Rating calibration', 'My Table')
    """
    words = HEADINGS.get(name, name)
    if words.islower() and words.replace("-", "").replace("_", "").isalpha():
        words = words.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _section(name: str, result: Result, names: tuple[str, ...]) -> list[str]:
    grid = result.grid().printed()
    said = [on_a_page(line, names) for line in result.verdict.split("\n") if line]
    warned = (f"Warning: {warning}" for warning in result.warnings)
    notes = [on_a_page(note, names) for note in (*grid.notes, *warned)]
    shown = len(grid.cells)
    if shown > MOST_ROWS:
        grid = _first(grid, MOST_ROWS)
        notes.insert(0, f"The first {MOST_ROWS:,} of {shown:,} rows.")
    lines = [rf"\section*{{{_words(heading(name))}}}"]
    lines += [f"{_words(line)}\n" for line in said]
    if grid.columns and grid.cells:
        environment = "longtable" if len(grid.cells) > LONGEST_TABLE else "tabular"
        lines += [markup.latex(grid, environment=environment, across=LINE), ""]
    small = "\n\n".join(map(_words, notes))
    return [*lines, f"{{\\small {small}\\par}}\n"] if notes else lines


def _words(text: str) -> str:
    return in_latex_lines(text, WORD)


def _first(grid: Grid, most: int) -> Grid:
    marked = frozenset((i, j) for i, j in grid.marked if i < most)
    return replace(grid, cells=grid.cells[:most], marked=marked)


def _bibliography(methods: Methods) -> list[str]:
    entries = [f"\\bibitem{{{one.key}}} {_words(one.full)}" for one in methods.references]
    if not entries:
        return []
    return [r"\begin{thebibliography}{99}", *entries, r"\end{thebibliography}"]
