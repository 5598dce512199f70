"""Whether somebody points at a battle log or at a table of scores."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from deadheat.data.battle_columns import looks_like_battles, may_be_battles
from deadheat.data.battles import Battles
from deadheat.data.opening import stream_of
from deadheat.data.options import Options
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.data.sidecar import sidecar_of
from deadheat.data.source import complaints, is_stream
from deadheat.errors import DeadheatError, UsageError

ONLY_BATTLES = (
    *("left", "right", "winner", "left_wins", "right_wins", "draws", "category", "covariates"),
    *("relative", "outcomes", "deduplicate", "self_battles", "order_by"),
)
ONLY_TABLES = (
    *("layout", "candidates", "candidate", "judge", "score", "better", "stratum", "repeat"),
    *("combine", "rule", "status", "time", "quality", "verified", "missing"),
)
ABOUT_FILES = ("delimiter", "encoding", "sheet")
ONLY = (ONLY_BATTLES, ONLY_TABLES)
PATTERN = "*?["
FIRST = 100  # rows that are looked at


def is_battle_log(source: Any, said: Mapping[str, Any]) -> bool:
    """Return whether a source holds battles: by what was said about it, else by its columns.

    Standard input and open files can be read only once, so they are logs only if somebody says so.
    """
    given = {name for name, value in said.items() if value not in (None, (), False)}
    if isinstance(source, Battles) or said.get("layout") == "battles":
        return True
    if isinstance(source, Results | Runs):
        return False
    of_log, of_table = (next((n for n in said if n in given & {*names}), None) for names in ONLY)
    if of_log is not None and of_table is not None:
        raise UsageError(
            f"{of_log}= (--{_flag(of_log)}) says how to read a battle log, {of_table}= "
            f"(--{_flag(of_table)}) how to read a table of scores.",
            hint="leave one of them out.",
        )
    if of_log is not None:
        return True
    if "layout" in given:
        return False
    if isinstance(source, list | tuple):
        return all(isinstance(each, str | os.PathLike) for each in source)
    if isinstance(source, str | os.PathLike):
        return _is_log_file(os.fspath(source), said)
    columns = getattr(source, "columns", None)
    if columns is None or is_stream(source):
        return False
    return looks_like_battles(_names(source)) or _names_sides(first_cells(source, said))


def _is_log_file(name: str, said: Mapping[str, Any]) -> bool:
    if name == "-":
        return False
    path = Path(name)
    if path.is_dir() or (not path.exists() and any(sign in name for sign in PATTERN)):
        return True
    if sidecar_of(name, None) is not None:
        return False  # a sidecar is about a table of scores
    cells = first_cells(name, said)
    return looks_like_battles(list(cells)) or _names_sides(cells)


def first_cells(source: Any, said: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the first cells of each column of a file or a frame that can be read again.

    Nothing where it cannot: whoever reads it says what is wrong with it. Of what is plainly a log
    no cells are read.
    """
    if source == "-" if isinstance(source, str) else is_stream(source):
        return {}
    about: dict[str, Any] = {key: said.get(key) for key in ABOUT_FILES}
    with ExitStack() as stack:
        try:
            stream, _ = stream_of(source, Options(**about).checked(), None, stack)
            plain = looks_like_battles(stream.columns)
            with complaints(stream.source):
                first = None if plain else next(stream.blocks, None)
        except DeadheatError:
            return {}
        rows = first.of_rows(range(min(first.size, FIRST))) if first is not None else None
        return {
            name: [] if rows is None else [cell or "" for cell in rows.text(k)]
            for k, name in enumerate(stream.columns)
        }


def holds_numbers(cells: list[str]) -> bool:
    """Return whether all cells that are not empty are numbers; False where all are empty."""
    full = [cell for cell in cells if cell.strip()]
    try:
        return bool([float(cell.replace(",", ".")) for cell in full])
    except ValueError:
        return False


def _names_sides(cells: Mapping[str, list[str]]) -> bool:
    """Return whether two sides are names beside a column that may say who won."""
    sides = may_be_battles(list(cells))
    return sides is not None and all(
        any(map(str.strip, cells[side])) and not holds_numbers(cells[side]) for side in sides
    )


def _flag(name: str) -> str:
    return {"covariates": "covariate"}.get(name, name).replace("_", "-")


def _names(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)  # of pyarrow; its columns are the data
    return [str(name) for name in (frame.columns if names is None else names)]
