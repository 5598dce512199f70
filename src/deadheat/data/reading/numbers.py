"""From cells to numbers: as people write them, and never by guessing in silence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from deadheat.core.errors import DataError, FailedRunError, Words, command_with, quoted, say
from deadheat.core.types import Booleans, Floats
from deadheat.core.weights import CAUTION, TRIFLE
from deadheat.data.reading.column_names import names_rows
from deadheat.data.reading.source import Block, Column, TextBlock
from deadheat.data.results import EXACT, first_inexact
from deadheat.data.runs import meaning

MISSING = frozenset(
    {"", "-", "--", "n/a", "na", "nan", "null", "none", "missing", "?", "#n/a", "."}
    | {"<na>", "n.a.", "\N{EN DASH}", "\N{EM DASH}"}
)
_WAYS = (str, str.upper, str.capitalize, " {}".format)
_SPELLINGS = {way(word): "nan" for word in MISSING for way in _WAYS}
_TRUTH = {"true": 1.0, "false": 0.0}
_INFINITE = frozenset({"inf", "infinity", "infinite", "\N{INFINITY}"})
_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})
_POWER = r"(?:[eE][+-]?\d+)?"
_GAPS = "'\N{RIGHT SINGLE QUOTATION MARK} \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
_PLAIN = re.compile(rf"[+-]?(?:\d+\.?\d*|\.\d+){_POWER}", re.ASCII)
_COMMA = re.compile(rf"[+-]?(?:\d+,?\d*|,\d+){_POWER}", re.ASCII)
_GROUPS = {
    sign: re.compile(
        rf"[+-]?[1-9]\d{{0,2}}([{other}{_GAPS}])\d{{3}}(?:\1\d{{3}})*(?:\{sign}\d*)?{_POWER}",
        re.ASCII,
    )
    for sign, other in (".,", ",.")
}
_ONE_COMMA = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)  # 1,234: either
_ONE_POINT = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)  # 1.234: either
_UNLIKE = re.compile(rf"(?:^|\0)(?!{_ONE_POINT.pattern}(?:\0|$))[^\0.]*\.", re.ASCII)
_LARGE = re.compile(r"(?:^|\0) *[+-]?\d{3,} *%? *(?:\0|$)", re.ASCII)


class BadCellError(ValueError):
    """A cell that is no number, or one that is infinite or has more digits than a float keeps."""

    def __init__(
        self, place: int, text: str, *, infinite: bool = False, rounded: bool = False
    ) -> None:
        self.place, self.text, self.infinite, self.rounded = place, text, infinite, rounded
        super().__init__(text)


class Parsed(NamedTuple):
    """Numbers; which had a percent sign, if any had; and their standard errors, if any has one.

    ``failed`` has the status of runs whose time is a word, such as TO, as a position in STATUSES.
    A whole number in brackets, as in 0.84 (1), is the rank of a board or counts the last digit:
    ``brackets`` has such numbers, and whoever sees a whole column decides.
    """

    values: Floats
    percent: Booleans | None = None
    errors: Floats | None = None
    brackets: Floats | None = None
    failed: Floats | None = None

    def reshaped(self, shape: tuple[int, ...]) -> Parsed:
        return Parsed(*(None if each is None else each.reshape(shape) for each in self))  # type: ignore[arg-type]


class Numbers:
    """Read cells of one table, remembering its decimal sign and what had to be understood."""

    def __init__(
        self,
        decimal: str | None = None,
        *,
        quoted_commas: bool = False,
        semicolons: bool = False,
    ) -> None:
        # Of runs: how one ended that has a word instead of a number.
        self.failures: Callable[[str], int | None] | None = None
        self.decimal, self.quoted_commas, self.thousands_likely = decimal, quoted_commas, semicolons
        self.points_seen = self.points_proved = False
        self.examples: dict[str, str] = {}

    def floats(self, cells: Sequence[str | None]) -> Parsed:
        joined = _join_cells(cells)
        self.settle(cells, joined)
        self._watch_points(cells, joined)
        fast = self._fast(cells, joined)
        return Parsed(fast) if fast is not None else self._one_by_one(cells)

    def _fast(self, cells: Sequence[str | None], joined: str) -> Floats | None:
        if "_" in joined or (self.decimal == "," and "." in joined):
            return None  # float() would read 1_000; people would not
        if self.decimal == ",":
            parts = joined.replace(",", ".").split("\0") if cells else []
            if len(parts) != len(cells):  # a cell with a zero byte in it
                return None
            cells = parts
        try:
            values = np.array(cells, dtype=np.float64)
        except ValueError:
            try:
                texts = [_SPELLINGS.get(cell or "", cell) for cell in cells]
                values = np.array(texts, dtype=np.float64)
            except ValueError:
                return None
        return None if (np.abs(values) >= EXACT).any() else values

    def _one_by_one(self, cells: Sequence[str | None]) -> Parsed:
        texts = [(cell or "").strip() for cell in cells]
        values, errors, brackets, failed = np.full((4, len(cells)), np.nan)
        for place, text in enumerate(texts):
            value = self.number(text)
            if value is None and (found := _WITH_ERROR.fullmatch(text)):
                value = self.number(found[1].strip())
                errors[place], brackets[place] = self._error(*found.group(1, 2, 3))
                value = None if np.isnan(errors[place]) else value
            if (value is None or np.isinf(value)) and self.failures is not None:
                status = self.failures(text)
                failed[place], value = (np.nan, value) if status is None else (status, np.nan)
            if value is None or np.isinf(value):
                raise BadCellError(place, text, infinite=value is not None)
            if abs(value) >= EXACT and "e" not in text.lower():
                digits = "".join(c for c in text if c.isdecimal() or c == (self.decimal or "."))
                if Decimal(digits.replace(",", ".")) != abs(value):
                    raise BadCellError(place, text, rounded=True)
            values[place] = value
        percent = np.array(["%" in text for text in texts], dtype=bool)
        parts = (errors, brackets, failed)
        beside = (None if np.isnan(each).all() else each for each in parts)
        return Parsed(values, percent if percent.any() else None, *beside)

    def _error(self, score: str, sign: str, text: str) -> tuple[float, float]:
        """Return what stands behind ± or in brackets as an error, and as a whole number, if so."""
        value = self.number(text.strip())
        if value is None or not 0 <= value < np.inf:
            return np.nan, np.nan
        if sign != "(" or not text.strip().isdecimal():
            self.examples.setdefault("error", f"{score.strip()} {sign} {text.strip()}")
            return value, np.nan
        digits = re.sub(r"[eE].*|%", "", score.strip()).partition(self.decimal or ".")[2]
        return value * 10.0 ** -len(digits), value

    def number(self, text: str) -> float | None:
        """Return the number a cell holds: NaN for missing, inf for infinite, None for text."""
        lower = text.lower()
        if lower in MISSING:
            return float("nan")
        if lower in _TRUTH:
            self.examples.setdefault("truth", text)
            return _TRUTH[lower]
        if text.endswith("%"):
            self.examples.setdefault("percent", text)
            text = text[:-1].rstrip()
        text = text.translate(_MINUS)
        if text.lstrip("+-").lower() in _INFINITE:
            return float("inf")
        decimal = self.decimal or "."
        if (_PLAIN if decimal == "." else _COMMA).fullmatch(text):
            return float(text.replace(",", "."))
        group = _GROUPS[decimal].fullmatch(text)
        if group is None:
            return None
        self.examples.setdefault("thousands", text)
        return float(text.replace(group[1], "").replace(",", "."))

    def settle(self, cells: Sequence[str | None], joined: str) -> None:
        if self.decimal is not None:
            return
        if "," in joined:
            self._settle_comma([_bare(cell) for cell in cells if cell and "," in cell], joined)
        elif not self.points_seen and "." in joined:
            pointed = [cell for cell in cells if cell and "." in cell]
            if any(_PLAIN.fullmatch(cell.strip()) for cell in pointed):
                self.points_seen = True
            elif any(_GROUPS[","].fullmatch(_bare(c)) for c in pointed if c.count(".") > 1):
                self.decimal = ","  # 1.234.567

    def _settle_comma(self, texts: list[str], joined: str) -> None:
        """Decide by the cells with a comma; a leading zero never begins a group of thousands."""
        either = [text for text in texts if _ONE_COMMA.fullmatch(text)]
        others = [text for text in texts if not _ONE_COMMA.fullmatch(text)]
        if self.points_seen or any(map(_GROUPS["."].fullmatch, others)):
            self.decimal = "."
            return
        # 0,873 and 12,5 and 1.234,5 can have no other meaning.
        proofs = (t for t in others if _COMMA.fullmatch(t) or _GROUPS[","].fullmatch(t))
        proof = next(proofs, None)
        if proof is not None:
            self.decimal = ","
            self.examples["decimal"] = proof
        elif either:
            points = any(_PLAIN.fullmatch(cell) for cell in joined.split("\0") if "." in cell)
            self.decimal = "." if points or self.quoted_commas else ","
            self.examples |= {} if points else {"either": either[0]}

    def _watch_points(self, cells: Sequence[str | None], joined: str) -> None:
        """Look for a number that proves the decimal point, as 1.234 beside 999 does not."""
        if self.decimal is not None or self.points_proved:
            return
        self.thousands_likely = self.thousands_likely or _LARGE.search(joined) is not None
        if "." not in joined:
            return
        pointed = (cell for cell in cells if cell and "." in cell)
        unlike = _UNLIKE.search(joined) is not None  # quick; it may be 1.234 in spaces or a "n.a."
        for text in map(_bare, pointed if unlike else islice(pointed, 1)):
            if _ONE_POINT.fullmatch(text):
                self.examples.setdefault("point", text)
            elif text.lower() not in MISSING:
                self.points_proved = True
                return

    @property
    def notes(self) -> tuple[str, ...]:
        seen = {kind: repr(text) for kind, text in self.examples.items()}
        decimal = self.decimal == ","
        either = "the decimal sign" if decimal else "a thousands separator"
        unsure = self.decimal is None and not self.points_proved and self.thousands_likely
        seen |= {} if unsure else {"point": ""}
        seen |= {"thousands": ""} if "either" in seen else {}
        notes = {
            "decimal": "the comma is read as the decimal sign (as in {}).",
            "either": f"the comma in {{}} could mean two things and is read as {either}; "
            f"{say('decimal', '.' if decimal else ',')} says otherwise.",
            "point": f"numbers such as {{}} are read with a decimal point; say "
            f"{say('decimal', ',')} if the point separates thousands, {say('decimal', '.')} if "
            "not.",
            "thousands": "thousands separators were removed (as in {}).",
            "percent": "percent signs were removed ({} is read as a number).",
            "error": "what stands behind a score (as in {}) is kept as its standard error.",
            "truth": "true and false are read as 1 and 0.",
        }
        weight = dict.fromkeys(("decimal", "thousands", "percent", "error", "truth"), TRIFLE)
        return tuple(
            Words(note.format(seen[kind]), weight=weight.get(kind, CAUTION))
            for kind, note in notes.items()
            if seen.get(kind)
        )


def _bare(cell: str) -> str:
    return cell.strip().removesuffix("%").rstrip().translate(_MINUS)


def _join_cells(cells: Sequence[str | None]) -> str:
    try:
        return "\0".join(cells)  # type: ignore[arg-type]
    except TypeError:  # a missing cell is None in typed sources
        return "\0".join(cell or "" for cell in cells)


def looks_numeric(cell: str | None) -> bool:
    """Return whether a cell could be a score, whatever the decimal sign; missing counts."""
    text = (cell or "").strip()
    return any(Numbers(decimal).number(text) is not None for decimal in (".", ","))


def is_missing(cell: str | None) -> bool:
    return (cell or "").strip().lower() in MISSING


def matrix(block: Block, columns: Sequence[int], numbers: Numbers) -> Parsed:
    shape = (block.size, len(columns))
    if isinstance(block, TextBlock):
        return numbers.floats(block.cells(columns)).reshaped(shape)
    if numbers.decimal is None:  # one column of text may settle it for another
        texts = (column for k in columns if isinstance(column := block.column(k), list))
        cells = list(chain.from_iterable(texts))
        numbers.settle(cells, _join_cells(cells))
    table, signs = np.empty(shape), np.zeros(shape, dtype=bool)
    beside = np.full((3, *shape), np.nan)
    for position, k in enumerate(columns):
        try:
            table[:, position], percent, *more = _column(block.column(k), numbers)
        except BadCellError as bad:
            bad.place = bad.place * len(columns) + position
            raise
        if percent is not None:
            signs[:, position] = percent
        for each, found in zip(beside, more, strict=True):
            if found is not None:
                each[:, position] = found
    known = (None if np.isnan(each).all() else each for each in beside)
    return Parsed(table, signs if signs.any() else None, *known)


def _column(column: Column, numbers: Numbers) -> Parsed:
    if isinstance(column, list):
        return numbers.floats(column)
    floats = column.astype(np.float64)
    for place in np.flatnonzero(np.isinf(column))[:1].tolist():
        raise BadCellError(place, str(column[place]), infinite=True)
    for place in first_inexact(column, floats):
        raise BadCellError(place, str(column[place]), rounded=True)
    return Parsed(floats)


# ------------------------------------------------------------------------------
# What is wrong with a cell that should be a score, and what to do about it.

EMPTY = "leave the cell empty for a failure"
OR_EMPTY = f"or {EMPTY}"
KEEP = f"beside the number: keep only the number, {OR_EMPTY}"
_NUMBER = r"[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?"
_MARK = r"(?:[^\w\s]|_)+"
_WITH_ERROR = re.compile(rf"({_NUMBER}\s*%?)\s*(±|\+/-|\+-|\()\s*±?\s*({_NUMBER})\s*%?\s*\)?")
_UNCERTAIN = rf"{_NUMBER}\s*%?\s*(?:(?:±|\+/-|\+-)\s*{_NUMBER}.*|[(\[]\s*{_NUMBER}.*)"
_KINDS = {
    r"#[A-Z0-9/_]+[!?]?": f"it is a spreadsheet error: mend the formula, {OR_EMPTY}.",
    r"=.+": f"it is a formula: write its value, {OR_EMPTY}.",
    rf"{_NUMBER}\s*%?\s*(?:±|\+/-|\+-|[(\[]).*": f"it holds an uncertainty or a rank {KEEP}.",
    rf"{_NUMBER}\s*(?:-|\u2013)\s*{_NUMBER}": f"it is a range: write one number, {OR_EMPTY}.",
    r"\\\w+\{.*|\$.*\$": f"it holds LaTeX {KEEP}.",
    r"±|\+/-|\+-": f"it holds an uncertainty {KEEP}.",
    r"<\w+>.*": f"it holds HTML {KEEP}.",
    r"\d+(?::[0-5]?\d){1,2}(?:[.,]\d+)?": f"it is a clock time: write seconds, {OR_EMPTY}.",
    rf"[$€£¥]\s*{_NUMBER}.*": f"it holds a unit {KEEP}.",
    rf"{_NUMBER}\s*(?:[$€£¥]|°?[^\W\d_][\w/]*)": f"it holds a unit {KEEP}.",
    rf"{_MARK}\s*{_NUMBER}\s*(?:{_MARK})?|{_NUMBER}\s*{_MARK}": f"it holds a mark {KEEP}.",
}
_FAILURES = {word: f"a {word}" for word in ("timeout", "memout", "crash")}
_FAILURES["wrong"] = "a wrong answer"
FIRST_ROWS = 10  # a header that stands below other rows stands among these


def bad_score(
    bad: BadCellError,
    source: str,
    place: str,
    numbers: Numbers,
    as_runs: Mapping[str, object],
) -> DataError:
    """Return what is wrong with a cell; ``as_runs`` says how to score the table by a rule."""
    cell, hint = quoted(bad.text), cell_hint(bad.text)
    fact = f"{cell} is not a number"
    if bad.rounded or (bad.infinite and re.fullmatch(r"[\d.,\s+-]+", bad.text)):
        fact = f"{cell} has more digits than a score keeps: whole numbers are exact up to "
        fact += "9,007,199,254,740,992"
        hint = "write smaller numbers: in a larger unit, or less what all have in common."
    elif bad.infinite:
        fact = f"the score is infinite ({cell})"
        worst = f"then count missing scores as the worst: {command_with(missing='worst')}"
        hint = f"write the cutoff instead, or leave such cells empty, {worst}"
    elif looks_numeric(bad.text):
        sign, other, if_so = ("point", ",", "the comma is the decimal sign in all of them")
        if numbers.decimal == ",":
            sign, other, if_so = ("comma", ".", "commas separate thousands")
        fact = f"{cell} is no number where the decimal sign is a {sign}"
        hint = f"if {if_so}: {command_with(decimal=other)}\nelse write all numbers in one way."
    elif numbers.failures is not None and not hint and re.search(r"[^\W\d_]", bad.text):
        meant = command_with(statuses=[f"{bad.text}=timeout"])
        hint = (
            f"if a run that ran out of time is called so: {meant}\nelse write its time, {OR_EMPTY}."
        )
    elif failure := _FAILURES.get(meaning(bad.text)):
        fact = f"{fact}: it looks like {failure}"
        if as_runs:
            error = FailedRunError(f"{source}: {place}: {fact}.", hint=as_timed_runs(as_runs))
            error.as_runs = as_runs
            return error
    hint = hint or "leave the cell empty (or write n/a) where a score is missing."
    return DataError(f"{source}: {place}: {fact}.", hint=hint)


def as_timed_runs(as_runs: Mapping[str, object]) -> str:
    """Return the command that scores a table of times by a rule."""
    limit = as_runs.get("cutoff")
    of = "" if limit is None else f" with a limit of {limit:,.12g} s"
    return f"if they are times of runs{of}: {command_with(**as_runs)}"


def cell_hint(text: str) -> str:
    """Return what to do about a cell that is more than a number, or nothing where it is none."""
    return next((hint for pattern, hint in _KINDS.items() if re.fullmatch(pattern, text)), "")


def is_uncertain(cell: str | None) -> bool:
    """Return whether a cell is a number with an uncertainty or a rank: 0.87 ± 0.01, 0.84 (1)."""
    return re.fullmatch(_UNCERTAIN, (cell or "").strip()) is not None


def another_header(
    label: str, cells: Sequence[str | None], unit: str, line: int, *, first: int
) -> str:
    """Return what to do about a row of names; nothing about a row that does not look like one."""
    texts = [cell for cell in cells if not is_missing(cell)]
    words = sum(
        not looks_numeric(cell) and not meaning(cell) and any(map(str.isalpha, cell or ""))
        for cell in texts
    )
    near = line < first + FIRST_ROWS
    if 2 * words <= len(texts) or words < 2 - names_rows(label) or not (near or names_rows(label)):
        return ""
    if near:
        return f"{unit} {line:,} looks like the header; remove the {unit}s above it."
    return f"{unit} {line:,} looks like another header: keep one table of the file."
