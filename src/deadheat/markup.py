"""A grid in the languages of documents: Markdown, LaTeX and HTML, escaped."""

from __future__ import annotations

import html as entities
import re

from deadheat.grid import Grid
from deadheat.text import visible


def markdown(grid: Grid) -> str:
    """Return a grid as a Markdown table, one line per row; marked cells end in a star."""
    grid = grid.printed()
    sides = [":--" if grid.is_text(j) else "--:" for j in range(len(grid.columns))]
    rows = [[in_markdown(column.name) for column in grid.columns], sides]
    for i, row in enumerate(grid.written(in_markdown)):
        rows.append([cell + r"\*" * ((i, j) in grid.marked) for j, cell in enumerate(row)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def in_markdown(text: str) -> str:
    """Escape what Markdown or HTML would take for markup; a line end becomes ``<br>``."""
    lines = re.split("\r\n|\r|\n", text)
    lines = [re.sub(r"[\\`*\[\]|~$]", r"\\\g<0>", visible(line)) for line in lines]
    lines = [re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", line) for line in lines]
    return "<br>".join(entities.escape(line, quote=False) for line in lines)


_IN_LATEX = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # a shorthand under babel, and \textquotedbl needs another font encoding
    "`": r"\textasciigrave{}",
}


def in_latex(text: str) -> str:
    """Escape what LaTeX would take for a command, a ligature or the argument of a line end."""
    text = visible(" ".join(re.split("\r\n|\r|\n", text)))
    text = "".join(_IN_LATEX.get(char, char) for char in text)
    text = re.sub(r"([-',])(?=\1)", r"\1{}", text)
    return "{}" + text if text.startswith(("[", "*")) else text


def latex(grid: Grid, *, environment: str = "tabular") -> str:
    r"""Return a grid as a ``tabular`` for ``\usepackage{booktabs}``, or as a ``longtable``.

    In columns that have a best end, the best is bold and the second best underlined.
    """
    grid = grid.printed()
    rows = grid.written(in_latex)
    for j in range(len(grid.columns)):
        best, second = grid.podium(j)
        words = grid.is_text(j)
        for i, row in enumerate(rows):
            cell = row[j] if words else re.sub("^-(?=.)", "$-$", row[j])
            cell = rf"\textbf{{{cell}}}" if i in best else cell
            cell = rf"\underline{{{cell}}}" if i in second else cell
            row[j] = cell + r"\textsuperscript{*}" * ((i, j) in grid.marked)
    sides = "".join("l" if grid.is_text(j) else "r" for j in range(len(grid.columns)))
    body = [" & ".join(row) + r" \\" for row in rows]
    head = " & ".join(in_latex(column.name) for column in grid.columns) + r" \\"
    lines = [rf"\begin{{{environment}}}{{{sides}}}", r"\toprule", head, r"\midrule"]
    lines += [r"\endhead"] if environment == "longtable" else []
    return "\n".join([*lines, *body, r"\bottomrule", rf"\end{{{environment}}}", ""])


def in_html(text: str) -> str:
    """Escape a text for HTML, isolated so that its direction cannot disturb its neighbours."""
    lines = [entities.escape(visible(line)) for line in re.split("\r\n|\r|\n", text)]
    return f"<bdi>{'<br>'.join(lines)}</bdi>"


_CELL = "padding:.2em .7em;overflow-wrap:anywhere;max-width:40em;text-align:"


def html(grid: Grid, *, most: int = 200) -> str:
    """Return the first ``most`` rows of a grid as an HTML table, without scripts."""
    grid = grid.printed()
    sides = ["left" if grid.is_text(j) else "right" for j in range(len(grid.columns))]
    head = "".join(
        f'<th style="{_CELL}{side}">{in_html(column.name)}</th>'
        for column, side in zip(grid.columns, sides, strict=True)
    )
    best = [grid.podium(j)[0] for j in range(len(grid.columns))]
    body = []
    for i, row in enumerate(grid.written(in_html)[:most]):
        cells = (f"<b>{cell}</b>" if i in best[j] else cell for j, cell in enumerate(row))
        cells = (f"<mark>{c}</mark>" if (i, j) in grid.marked else c for j, c in enumerate(cells))
        pairs = zip(cells, sides, strict=True)
        body.append("".join(f'<td style="{_CELL}{side}">{cell}</td>' for cell, side in pairs))
    lines = "".join(f"<tr>{row}</tr>\n" for row in body)
    rest = f"<p>({len(grid.cells) - most:,} more)</p>\n" if len(grid.cells) > most else ""
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>\n{rest}"
