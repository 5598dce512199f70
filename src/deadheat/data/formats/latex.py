"""Tables in LaTeX, as a paper has them; bold and underlined cells are read plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import text_in
from deadheat.data.reading.drawn import Drawn, joined_header, stream_of_drawn
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Row, Source, Stream

BEGIN = re.compile(
    r"\\begin\{(tabular[xy*]?|longtable|array|supertabular)\}"
    r"(?:\[[^\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\})*"
)
CAPTION = re.compile(r"\\caption(?:\[[^\]]*\])?\{([^{}]*)\}")
COMMENT = re.compile(r"(?<!\\)%.*")
RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|addlinespace"
    r"|specialrule|c(?:mid)?rule|cline)(?:\[[^\]]*\]|\([^)]*\)|\{[^{}]*\})*"
)
END_OF_ROW = re.compile(r"\\\\(?:\*|\[[^\]]*\])?")
CELL = re.compile(r"(?<!\\)&")
SPANNED = re.compile(r"\s*\\multicolumn\{(\d{1,3})\}\{(?:[^{}]|\{[^{}]*\})*\}\s*(.*)", re.DOTALL)
SIGNS = {r"\pm": "±", r"\uparrow": "↑", r"\downarrow": "↓", r"\%": "%", r"\&": "&", r"\_": "_"}
SIGNS |= {r"\#": "#", r"\$": "$", "~": " ", r"\,": " ", r"\;": " ", r"\ ": " ", "--": "-"}
SIGNS |= {r"\checkmark": "", r"\dagger": "†", r"\ddagger": "‡", r"\ast": "*"}
HIDDEN = re.compile(
    r"\\(?:cite[a-z]*|footnote(?:mark)?|label|cellcolor|rowcolor|color|textcolor|vspace|hspace"
    r"|multirow\{[^{}]*\})(?:\[[^\]]*\])*\{[^{}]*\}"
)
COMMAND = re.compile(r"\\[a-zA-Z]+\*?\s*")
LONGEST = 2_000  # characters of a cell


@reads_format(
    "latex",
    "a LaTeX table",
    known_by="a tabular, or rows with & that end in two backslashes",
    understands=("encoding", "sheet"),
)
def read_latex(source: Source, options: Options) -> Stream:
    tables = list(_tables(text_in(source, options.encoding)))
    return stream_of_drawn(source, tables, options)


@read_latex.recognises
def _is_latex(source: Source) -> str:
    plain = [line.strip() for line in source.lines if line.strip()[:1] != "%"]
    first = plain[0] if plain else ""
    anywhere = source.suffix in {".tex", ".latex"} or first[:1] == "\\"
    if anywhere and (found := BEGIN.search(source.text)):
        return f"it has a \\begin{{{found[1]}}}"
    rows = ["&" in line and line.endswith("\\\\") for line in plain]
    return "its rows are cut by & and end in \\\\" if any(rows[: None if anywhere else 1]) else ""


def _tables(text: str) -> Iterator[Drawn]:
    lines = (COMMENT.sub("", line) for line in text.splitlines())
    text, at, caption = "\n".join(lines), 0, ""
    starts = list(BEGIN.finditer(text))
    if not starts:
        yield _table(text, 1, "")
    for found in starts:
        captions = CAPTION.findall(text, at, found.start())
        end = text.find(f"\\end{{{found[1]}", found.end())
        end = len(text) if end < 0 else end
        behind = CAPTION.search(text, end, end + LONGEST)
        near = behind if behind and "\\begin{table" not in text[end : behind.start()] else None
        caption = captions[-1] if captions else (near[1] if near else "")
        yield _table(text[found.end() : end], text.count("\n", 0, found.end()) + 1, caption)
        at = end


def _table(body: str, line: int, caption: str) -> Drawn:
    rows, at = list[Row](), 0
    for end in END_OF_ROW.finditer(f"{body}\\\\"):
        part = RULES.sub("", body[at : end.start()])
        cells = CELL.split(part)
        if len(cells) > 1:
            number = line + body.count("\n", 0, end.start())
            rows.append((number, [cell for each in cells for cell in _spanned(each)]))
        at = end.end()
    return joined_header(rows, line=line, caption=caption)


def _spanned(cell: str) -> list[str]:
    found = SPANNED.fullmatch(cell)
    if found is None:
        return [_text(cell)]
    return [_text(found[2])] + [""] * (int(found[1]) - 1)


def _text(cell: str) -> str:
    text = HIDDEN.sub("", cell[:LONGEST])
    for sign, plain in SIGNS.items():
        text = text.replace(sign, plain)
    return re.sub(r"[{}$]", "", COMMAND.sub("", text)).strip()
