r"""A whole LaTeX document of results: their tables, what they say, and the methods.

It compiles with pdflatex, lualatex and xelatex, whatever the names hold: a character that the font
does not have is printed as its number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from deadheat import markup
from deadheat.grid import Grid
from deadheat.markup import in_latex
from deadheat.report.methods import Methods
from deadheat.result import Result
from deadheat.text import cut

LONGEST_NAME = 40  # columns of a cell; both ends of a name are kept
LONGEST_TABLE = 40  # rows that fit a page
MOST_ROWS = 400
# What every engine has in its usual font: Latin letters and punctuation.
_LATIN_GAPS = "\u0126\u0127\u0132\u0133\u0138\u013f\u0140\u0149\u0166\u0167\u017f"
_PUNCTUATION = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
_PLAIN = re.compile(f"[\x00-\x7f\u00a0-\u017f{_PUNCTUATION}]")
PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage{iftex}
\iftutex
  \usepackage{fontspec}
  \newcommand{\other}[2]{\iffontchar\font"#1 #2\else{\footnotesize[U+#1]}\fi}
\else
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
  \IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
  \IfFileExists{cmap.sty}{\usepackage{cmap}}{}
  \newcommand{\other}[2]{{\footnotesize[U+#1]}}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,longtable,graphicx}
\setlength{\parindent}{0pt}
\setlength{\parskip}{.5\baselineskip}
\emergencystretch=3em
% A table that is wider than the page is made smaller.
\newsavebox{\toowide}
\newenvironment{fitting}{\begin{lrbox}{\toowide}}{\end{lrbox}%
  \ifdim\wd\toowide>\linewidth\resizebox{\linewidth}{!}{\usebox{\toowide}}%
  \else\usebox{\toowide}\fi}
"""


def document(results: Mapping[str, Result], *, title: str, methods: Methods | None = None) -> str:
    """Return a LaTeX document with a section for each result.

    Parameters
    ----------
    results
        The results by the headings of their sections.
    methods
        Told first; its references end the document.
    """
    body = [rf"\title{{{in_latex(title)}}}", r"\date{}", r"\begin{document}", r"\maketitle"]
    if methods is not None:
        body += [r"\section*{Methods}", methods.latex()]
    for name, result in results.items():
        body += _section(name, result)
    if methods is not None:
        body += _bibliography(methods)
    body += [r"\end{document}", ""]
    return PREAMBLE + _typeset("\n".join(body))


def _section(name: str, result: Result) -> list[str]:
    grid = _short(result.grid().printed())
    said = [line for line in result.verdict.split("\n") if line]
    notes = [*grid.notes, *(f"Warning: {warning}" for warning in result.warnings)]
    shown = len(grid.cells)
    if shown > MOST_ROWS:
        grid = _first(grid, MOST_ROWS)
        notes.insert(0, f"The first {MOST_ROWS:,} of {shown:,} rows.")
    lines = [rf"\section*{{{in_latex(name)}}}"]
    lines += [f"{in_latex(line)}\n" for line in said]
    if grid.columns and grid.cells:
        lines += [_table(grid), ""]
    small = "\n\n".join(in_latex(note) for note in notes)
    return [*lines, f"{{\\small {small}\\par}}\n"] if notes else lines


def _table(grid: Grid) -> str:
    if len(grid.cells) > LONGEST_TABLE:
        size = r"\scriptsize" if len(grid.columns) > 6 else r"\small"
        return f"{{{size}\n{markup.latex(grid, environment='longtable')}}}"
    return f"\\begin{{fitting}}\n{markup.latex(grid)}\\end{{fitting}}"


def _short(grid: Grid) -> Grid:
    """Return the grid with names that a page has room for."""
    cells = (
        tuple(cut(cell, LONGEST_NAME) if isinstance(cell, str) else cell for cell in row)
        for row in grid.cells
    )
    columns = (replace(column, name=cut(column.name, LONGEST_NAME)) for column in grid.columns)
    return replace(grid, cells=tuple(cells), columns=tuple(columns))


def _first(grid: Grid, most: int) -> Grid:
    marked = frozenset((i, j) for i, j in grid.marked if i < most)
    return replace(grid, cells=grid.cells[:most], marked=marked)


def _bibliography(methods: Methods) -> list[str]:
    entries = [f"\\bibitem{{{one.key}}} {in_latex(one.full)}" for one in methods.references]
    if not entries:
        return []
    return [r"\begin{thebibliography}{99}", *entries, r"\end{thebibliography}"]


def _typeset(text: str) -> str:
    """Return the text with every character that a font may lack as a command that knows it."""

    def one(found: re.Match[str]) -> str:
        char = found[0]
        if _PLAIN.fullmatch(char) and char not in _LATIN_GAPS:
            return char
        return f"\\other{{{ord(char):04X}}}{{{char}}}"

    return re.sub("[^\x00-\x7f]", one, text)
