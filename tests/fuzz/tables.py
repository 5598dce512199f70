"""Tables of every kind in every format, with names and numbers that have broken programs."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from dataclasses import dataclass, field
from random import Random
from typing import Any

PLAIN = ("rf", "svm", "knn", "mlp", "xgb", "lgbm", "cat", "tree", "nb", "gp", "lda", "ridge")
HOSTILE = (
    "constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "null", "NaN", "true",
    "a, b; c\td", "quote \" and '", "line\nfeed", "cr\rlf", "emoji 🦊", "<script>alert(1)</script>",
    "=1+1", "@SUM(A1)", "\x1b[31mred", "\u202eright", "[bold]x[/bold]", r"\textbf{x} & 100% $_^",
    "`code` **b**", " spaces ", "-1.5", "2024-01-01", "é", "e\u0301", "a\u200bb", "x" * 300,
    "日本語",
    "a[0].b", "{{x}}", "%s", "</table>", "C:\\dir", "-", "--json", "1e5", "0.5", "mean", "rank",
)  # fmt: skip
NUMBERS = (
    "0", "1", "-1", "1e308", "-1e308", "1e-320", "5e-324", "9007199254740993", "9" * 400,
    "9" * 5000, "1e999", "inf", "-inf", "nan", "NA", "", "-", "null", "1,5", "1.234,5", "1 000",
    "50%", "0x1f", "1_000", "½", "١٢", "0.84 (1)", "0.87 ± 0.01", "**0.9**", "true", "=1+1", "'1",
    "1e", "--1", "+.5", "1.0.0", "2024-01-01", "12:30", "$5", "\x00", "∞", "\u22121", "1\u00a0000",
)  # fmt: skip
CANDIDATE_WORDS = ("model", "solver", "algorithm", "team", "candidate", "Method")
JUDGE_WORDS = ("dataset", "task", "instance", "fold", "judge", "problem", "seed", "k", "id")
UNPROVEN_WORDS = ("name", "", "x", "what", "Unnamed: 0")


@dataclass(frozen=True)
class Table:
    """Rows of text below a header, and the options that read it."""

    kind: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = field(default=())
    rows_are_judges: bool = False


def names(rng: Random, number: int, prefix: str) -> list[str]:
    """Return different names, hostile ones among them now and then."""
    hostile = rng.random() < 0.3
    pool = [*PLAIN, *(HOSTILE if hostile else ())]
    found = rng.sample(pool, min(number, len(pool))) if prefix == "c" else []
    while len(found) < number:
        name = f"{prefix}{len(found)}"
        found.append(name if not hostile or rng.random() < 0.7 else rng.choice(HOSTILE) + name)
    return found


def score(rng: Random, style: str) -> str:
    """Return one cell of a style."""
    if style == "unit":
        return f"{rng.random():.4f}"
    if style == "count":
        return str(rng.randrange(0, 5))
    if style == "binary":
        return rng.choice("01")
    if style == "time":
        return f"{rng.lognormvariate(2, 2):.3f}"
    if style == "wild":
        return repr(rng.gauss(0, 1) * 10.0 ** rng.randrange(-300, 300))
    return f"{100 * rng.random():.1f}"


def wide(rng: Random) -> Table:
    """Return a table of candidates and judges."""
    n, m = rng.choice((1, 2, 3, 3, 4, 6, 8)), rng.choice((1, 2, 3, 5, 8, 12, 20))
    style = rng.choice(("unit", "unit", "count", "binary", "time", "wild", "percent"))
    down_are_judges = rng.random() < 0.4
    down, across = (names(rng, m, "j"), names(rng, n, "c"))
    if not down_are_judges:
        down, across = across, down
    words = JUDGE_WORDS if down_are_judges else CANDIDATE_WORDS
    proven = rng.random() < 0.85
    label = rng.choice(words if proven else UNPROVEN_WORDS)
    rows = [[name, *(score(rng, style) for _ in across)] for name in down]
    if rng.random() < 0.2:
        _spoil(rng, rows)
    options: tuple[str, ...] = (
        () if rng.random() < 0.1 else ("--better", rng.choice(("higher", "lower")))
    )
    if not proven and rng.random() < 0.7:
        options += ("--candidates", "columns" if down_are_judges else "rows")
    header = (label, *across)
    return Table(
        "wide", header, tuple(map(tuple, rows)), options, header, rows_are_judges=down_are_judges
    )  # fmt: skip


def _spoil(rng: Random, rows: list[list[str]]) -> None:
    for _ in range(rng.randrange(1, 4)):
        row = rng.choice(rows)
        row[rng.randrange(1, len(row))] = rng.choice(NUMBERS)


def long(rng: Random) -> Table:
    """Return a table with one score per row."""
    header = [
        rng.choice(CANDIDATE_WORDS),
        rng.choice(JUDGE_WORDS[:6]),
        rng.choice(("score", "accuracy", "value")),
    ]
    strata = rng.random() < 0.4
    header += ["family"] if strata else []
    style = rng.choice(("unit", "count", "time", "binary"))
    candidates, judges = names(rng, rng.randrange(1, 6), "c"), names(rng, rng.randrange(1, 12), "j")
    rows = [
        [c, j, score(rng, style), *([f"f{k % 3}"] if strata else [])]
        for c in candidates
        for k, j in enumerate(judges)
        if rng.random() < 0.98
    ]
    rows = rows or [["rf", "a", "1", *(["f"] if strata else [])]]
    if rng.random() < 0.3:
        rng.shuffle(rows)
    if rng.random() < 0.2:
        rng.choice(rows)[2] = rng.choice(NUMBERS)
    if rng.random() < 0.1:
        rows.append(list(rng.choice(rows)))
    options = ("--better", rng.choice(("higher", "lower")))
    options += ("--stratum", "family") if strata and rng.random() < 0.7 else ()
    return Table("long", tuple(header), tuple(map(tuple, rows)), options, tuple(header))


def runs(rng: Random) -> Table:
    """Return a table of runs: status and time."""
    header = ("solver", "instance", "status", "time", "family", "cost")
    words = rng.choice(
        (("ok", "timeout"), ("SAT", "UNSAT", "UNKNOWN"), ("solved", "memout", "crash"), HOSTILE)
    )
    rows = []
    for c in names(rng, rng.randrange(1, 6), "c"):
        for k in range(rng.randrange(1, 12)):
            time = score(rng, "time") if rng.random() < 0.97 else rng.choice(NUMBERS)
            rows.append((c, f"i{k}", rng.choice(words), time, f"f{k % 3}", score(rng, "count")))
    rng.shuffle(rows)
    options: tuple[str, ...] = ()
    if rng.random() < 0.8:
        rules = (
            "solved",
            "par2",
            "par10",
            "ipc-sat",
            "ipc-agile",
            "categories-won",
            "parx",
            "ipc-optimal",
        )
        options += ("--rule", rng.choice(rules))
    if rng.random() < 0.8:
        options += ("--cutoff", rng.choice(("100", "5000", "1e9", "family", "0", "-1", "nan")))
    if rng.random() < 0.3:
        options += ("--stratum", "family")
    return Table("runs", header, tuple(rows), options, header)


def battles(rng: Random) -> Table:
    """Return a log of battles."""
    header = rng.choice(
        (
            ("model_a", "model_b", "winner"),
            ("left", "right", "winner", "voter"),
            ("player1", "player2", "result"),
        )
    )
    players = names(rng, rng.randrange(2, 7), "c")
    outcomes = rng.choice(
        (
            ("model_a", "model_b", "tie"),
            ("left", "right", "tie"),
            ("1", "0", "0.5"),
            ("a", "b", "x"),
        )
    )
    rows = []
    for _ in range(rng.randrange(1, 80)):
        pair = rng.sample(players, 2) if rng.random() < 0.98 else [players[0]] * 2
        row = [*pair, rng.choice(outcomes), f"v{rng.randrange(5)}"][: len(header)]
        rows.append(tuple(row))
    return Table("battles", header, tuple(rows), (), header)


KINDS = (wide, wide, wide, wide, long, long, runs, runs, battles, battles)


def text(table: Table, rng: Random, delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """Return a table as text."""
    out = io.StringIO()
    ending = rng.choice(("\n", "\n", "\r\n"))
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(out, delimiter=delimiter, lineterminator=ending, quoting=quoting)
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return out.getvalue().encode(encoding, "replace")


def _typed(cell: str) -> Any:
    try:
        number = float(cell)
    except ValueError:
        return cell or None
    if number != number or abs(number) == float("inf"):
        return cell
    return (
        int(cell)
        if cell.lstrip("-").isascii() and cell.lstrip("-").isdigit() and len(cell) < 19
        else number
    )


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows as objects."""
    return [dict(zip(table.header, map(_typed, row), strict=True)) for row in table.rows]


def parquet(table: Table) -> bytes:
    """Return a table as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = []
    for k in range(len(table.header)):
        cells = [_typed(row[k]) for row in table.rows]
        try:
            columns.append(pa.array(cells))
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            columns.append(pa.array([None if cell is None else str(cell) for cell in cells]))
    out = io.BytesIO()
    unique = [
        name if table.header.index(name) == k else f"{name}_{k}"
        for k, name in enumerate(table.header)
    ]
    pq.write_table(pa.table(columns, names=unique), out)
    return out.getvalue()


def excel(table: Table) -> bytes:
    """Return a table as an Excel workbook."""
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook()
    sheet = book.active
    for row in (table.header, *table.rows):
        cells = [
            ILLEGAL_CHARACTERS_RE.sub("?", c) if isinstance(c, str) else c for c in map(_typed, row)
        ]
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def foreign(table: Table, rng: Random) -> tuple[str, bytes]:
    """Return a table in a format that is not, or not yet, read."""
    rows = [table.header, *table.rows]
    kind = rng.choice(("md", "tex", "html", "soc", "json", "arff"))
    if kind == "md":
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + "---|" * len(table.header))
    elif kind == "tex":
        lines = [
            r"\begin{tabular}{ll}",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\end{tabular}",
        ]
    elif kind == "html":
        cells = ["<tr><td>" + "</td><td>".join(row) + "</td></tr>" for row in rows]
        lines = ["<table>", *cells, "</table>"]
    elif kind == "soc":
        lines = ["# FILE NAME: x.soc", "# NUMBER ALTERNATIVES: 3", "2: 1,2,3", "1: 3,2,1"]
    elif kind == "arff":
        lines = [
            "@RELATION runs",
            "@ATTRIBUTE a NUMERIC",
            "@ATTRIBUTE b NUMERIC",
            "@DATA",
            "1,2",
            "3,4",
        ]
    else:
        lines = [
            json.dumps(
                {
                    "results": {
                        row[0]: dict(zip(table.header, row, strict=True)) for row in table.rows
                    }
                }
            )
        ]
    return f"table.{rng.choice((kind, kind, 'csv', 'txt'))}", "\n".join(lines).encode(
        "utf-8", "replace"
    )


def written(table: Table, rng: Random) -> tuple[str, bytes]:
    """Return a name and the bytes of a table in a format drawn at random."""
    form = rng.choices(
        ("csv", "odd", "jsonl", "json", "parquet", "xlsx", "foreign"), (10, 5, 2, 2, 2, 2, 1)
    )[0]
    if form == "csv":
        name, content = "table.csv", text(table, rng)
    elif form == "odd":
        delimiter = rng.choice((";", "\t", "|", ",", " "))
        encoding = rng.choice(("utf-8-sig", "utf-16", "latin-1", "utf-8"))
        name = rng.choice(("table.csv", "table.tsv", "table.txt", "table", "x=5/table.csv"))
        content = text(table, rng, delimiter, encoding)
    elif form == "jsonl":
        name = "table.jsonl"
        content = "\n".join(json.dumps(r) for r in records(table)).encode()
    elif form == "json":
        name, content = "table.json", json.dumps(records(table)).encode()
    elif form == "parquet":
        name, content = rng.choice(("table.parquet", "year=2024/table.parquet")), parquet(table)
    elif form == "xlsx":
        name, content = "table.xlsx", excel(table)
    else:
        return foreign(table, rng)
    packed = rng.random()
    if packed < 0.06:
        return f"{name}.gz", gzip.compress(content, mtime=0)
    if packed < 0.08:
        return f"{name}.bz2", bz2.compress(content)
    if packed < 0.1:
        return f"{name}.xz", lzma.compress(content)
    return name, content
