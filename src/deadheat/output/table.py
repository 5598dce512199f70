"""A grid in the languages of documents: Markdown, LaTeX and HTML, escaped."""

from __future__ import annotations

import html as entities
import re
from dataclasses import replace

from deadheat.grid import HEADINGS, Grid
from deadheat.text import cut, visible
from deadheat.typesetting import LINE, Layout, Part, layout, length


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


# What every engine has in its usual font: Latin letters and punctuation.
LATIN_GAPS = "\u0126\u0127\u0132\u0133\u0138\u013f\u0140\u0149\u0166\u0167\u017f"
PUNCTUATION = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
_FOREIGN = re.compile(f"[^\x00-\x7f\u00a0-\u017f{PUNCTUATION}]|[{LATIN_GAPS}]")
_NUMBERED = r"{\tiny[U+#1]}"
# A letter that the font does not have is printed as its number; pdflatex has few.
LETTER = (
    r"\providecommand{\dhletter}[2]{\ifdefined\Umathchar\iffontchar\font`#2 #2\else"
    rf"{_NUMBERED}\fi\else{_NUMBERED}\fi\allowbreak}}"
)
LONGEST_WORD = 80  # columns; both ends of a longer one are kept
MOST_FOREIGN = 24  # letters of a name that may have to be printed as numbers


def in_latex(text: str) -> str:
    """Escape what LaTeX would take for a command, a ligature or the argument of a line end.

    Letters that its fonts may lack are given to the command that :data:`LETTER` makes.
    """
    text = visible(" ".join(re.split("\r\n|\r|\n", text)))
    text = "".join(_IN_LATEX.get(char, char) for char in text)
    text = re.sub(r"([-',])(?=\1)", r"\1{}", text)
    text = _FOREIGN.sub(lambda found: f"\\dhletter{{{ord(found[0]):04X}}}{{{found[0]}}}", text)
    return "{}" + text if text.startswith(("[", "*")) else text


def in_latex_lines(text: str, width: float) -> str:
    """Escape a text for a paragraph of so many points: words that are longer break anywhere."""
    words = visible(" ".join(re.split("\r\n|\r|\n", text))).split(" ")
    return " ".join(in_latex(word) if length(word) <= width else _breaking(word) for word in words)


def _breaking(word: str) -> str:
    return r"\allowbreak ".join(map(in_latex, word))


def with_letters(written: str) -> str:
    """Return LaTeX with the command for letters that fonts lack, where it has such."""
    return f"{LETTER}\n{written}" if r"\dhletter" in written else written


def latex(grid: Grid, *, environment: str = "tabular", across: float = LINE) -> str:
    r"""Return a grid as a ``tabular`` for ``\usepackage{booktabs}``, or as a ``longtable``.

    In columns that have a best end, the best is bold and the second best underlined. Where the
    table is wider than ``across`` points, see :func:`deadheat.typesetting.layout`.
    """
    grid = _short(grid.printed())
    found = layout(grid, across)
    tables = [_latex_part(grid, found, part, environment, across) for part in found.parts]
    if found.plain:
        return tables[0]
    head = f"\\begingroup{found.size}\\setlength{{\\tabcolsep}}{{{found.gap:g}pt}}%\n"
    start = r"\noindent" + "\n" if environment == "tabular" else ""
    body = "\\par\\medskip\n".join(start + table for table in tables)
    return f"{head}{body}\\endgroup\n"


def _short(grid: Grid) -> Grid:
    """Return the grid without what is too long for any page, and with headings in words."""
    cells = (
        tuple(_cut(cell) if isinstance(cell, str) else cell for cell in row) for row in grid.cells
    )
    columns = (
        replace(column, name=_cut(HEADINGS.get(column.name, column.name)))
        for column in grid.columns
    )
    return replace(grid, cells=tuple(cells), columns=tuple(columns))


def _cut(text: str) -> str:
    """Return a text whose words, and whose names in other letters, are of bounded length."""
    text = "".join(cut(word, LONGEST_WORD) for word in re.split("([ \r\n]+)", text))
    return "".join(
        cut(name, MOST_FOREIGN) if len(_FOREIGN.findall(name)) > MOST_FOREIGN else name
        for name in re.split("(, )", text)
    )


def _latex_part(grid: Grid, found: Layout, part: Part, environment: str, across: float) -> str:
    widths = dict(zip(part.columns, part.widths, strict=True))
    wrapped = {j: w / found.scale for j, w in widths.items() if w is not None}
    rows = grid.written(str)
    columns: dict[int, list[str]] = {}
    for j in part.columns:
        best, second = grid.podium(j)
        words = grid.is_text(j)
        columns[j] = []
        for i, row in enumerate(rows):
            breaks = words and j in wrapped
            cell = in_latex_lines(row[j], wrapped[j]) if breaks else in_latex(row[j])
            cell = cell if words else re.sub("^-(?=.)", "$-$", cell)
            cell = rf"\textbf{{{cell}}}" if i in best else cell
            cell = rf"\underline{{{cell}}}" if i in second else cell
            cell += r"\textsuperscript{*}" * ((i, j) in grid.marked)
            columns[j].append(rf"\raggedright{{}}{cell}" if breaks else cell)
    sides = "".join(
        ("l" if grid.is_text(j) else "r")
        if not grid.is_text(j) or w is None
        else rf"p{{{int(1000 * w / across) / 1000:g}\linewidth}}"
        for j, w in widths.items()
    )
    end = r"\\" if found.plain else r"\tabularnewline"
    heads = [_heading(grid, j, widths[j], found.scale) for j in part.columns]
    lines = [" & ".join(cells) + f" {end}" for cells in zip(*columns.values(), strict=True)]
    start = [rf"\begin{{{environment}}}{{{sides}}}", r"\toprule", " & ".join(heads) + f" {end}"]
    start += [r"\midrule", *([r"\endhead"] if environment == "longtable" else [])]
    return "\n".join([*start, *lines, r"\bottomrule", rf"\end{{{environment}}}", ""])


def _heading(grid: Grid, j: int, width: float | None, scale: float) -> str:
    name = grid.columns[j].name
    if width is None:
        return in_latex(name)
    told = in_latex_lines(name, width / scale)
    if grid.is_text(j):
        return rf"\raggedright{{}}{told}"
    return rf"\parbox[b]{{{width:.1f}pt}}{{\raggedleft {told}}}"


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
