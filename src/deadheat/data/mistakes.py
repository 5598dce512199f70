"""What is wrong with a cell that should be a score, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadheat.data.numbers import BadCellError, is_missing, looks_numeric
from deadheat.data.roles import names_rows
from deadheat.data.status import meaning
from deadheat.data.wording import both
from deadheat.errors import DataError, quoted

OR_EMPTY = "or leave the cell empty for a failure"
KEEP = f"beside the number: keep only the number, {OR_EMPTY}"
_NUMBER = r"[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?"
_MARK = r"(?:[^\w\s]|_)+"
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
_FAILURES = {
    "timeout": "a timeout",
    "memout": "a memout",
    "crash": "a crash",
    "wrong": "a wrong answer",
}
FIRST_ROWS = 10  # a header that stands below other rows stands among these


def bad_score(bad: BadCellError, source: str, place: str, decimal: str | None) -> DataError:
    """Return what is wrong with a cell that is no finite number."""
    if bad.rounded or (bad.infinite and re.fullmatch(r"[\d.,\s+-]+", bad.text)):
        return DataError(
            f"{source}: {place}: {quoted(bad.text)} has more digits than a score keeps: whole "
            "numbers are exact up to 9,007,199,254,740,992.",
            hint="write smaller numbers: in a larger unit, or less what all have in common.",
        )
    if bad.infinite:
        return DataError(
            f"{source}: {place}: the score is infinite ({quoted(bad.text)}).",
            hint=f"leave such cells empty and say {both('missing', 'worst')}, "
            "or write the cutoff instead.",
        )
    if looks_numeric(bad.text):
        return _other_sign(bad, source, place, decimal or ".")
    if failure := _FAILURES.get(meaning(bad.text)):
        return DataError(
            f"{source}: {place}: {quoted(bad.text)} is not a number.",
            hint=f"it looks like {failure}: leave the cell empty and say "
            f"{both('missing', 'worst')}, or write one row per run with its status and score them "
            "by a rule such as par2 (docs/runs.md).",
        )
    return DataError(
        f"{source}: {place}: {quoted(bad.text)} is not a number.",
        hint=beside_the_number(bad.text)
        or "leave the cell empty (or write n/a) where a score is missing.",
    )


def beside_the_number(text: str) -> str:
    """Return what to do about a cell that is more than a number, or nothing where it is none."""
    return next((hint for pattern, hint in _KINDS.items() if re.fullmatch(pattern, text)), "")


def is_uncertain(cell: str | None) -> bool:
    """Return whether a cell is a number with an uncertainty or a rank: 0.87 ± 0.01, 0.84 (1)."""
    return re.fullmatch(_UNCERTAIN, (cell or "").strip()) is not None


def _other_sign(bad: BadCellError, source: str, place: str, decimal: str) -> DataError:
    sign, other, if_so = (
        ("comma", ".", "commas separate thousands")
        if decimal == ","
        else ("point", ",", "the comma is the decimal sign in all of them")
    )
    return DataError(
        f"{source}: {place}: {quoted(bad.text)} is no number where the decimal sign is a {sign}.",
        hint=f"write all numbers in one way, or say {both('decimal', other)} if {if_so}.",
    )


def like_a_header(label: str, cells: Sequence[str | None]) -> bool:
    """Return whether the cells of a row are names rather than scores, most of them."""
    written = [cell for cell in cells if not is_missing(cell)]
    words = sum(not looks_numeric(cell) and any(map(str.isalpha, cell or "")) for cell in written)
    enough = 1 if names_rows(label) else 2
    return words >= enough and 2 * words > len(written)


def header_below(unit: str, line: int) -> str:
    """Return the hint for a table that begins with something else than its header."""
    return f"{unit} {line:,} looks like the header; remove the {unit}s above it."


def header_again(unit: str, line: int) -> str:
    """Return the hint for a table in the middle of which another begins."""
    return f"{unit} {line:,} looks like another header: keep one table of the file."
