"""The journal of an unfinished run of `make_models.py`: finished blocks, written down at once."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from models.fits import COLUMNS, Block
from models.settings import SETTINGS

Rows = list[list[str]]


class OtherPlanError(Exception):
    """Raised where a journal was begun with other versions, seeds or settings."""


class Journal:
    """Keep finished blocks in a file; a block that was cut short by a crash is made again."""

    def __init__(self, folder: Path, plan: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "journal.csv"
        _require_plan(folder / "plan.json", plan)
        self.blocks = _finished(self._path)
        _replace(self._path, (row for rows in self.blocks.values() for row in rows))

    def add(self, block: Block, rows: Rows) -> None:
        """Write a finished block down, so that it survives whatever comes next."""
        self.blocks[block] = rows
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(_text(rows))
            file.flush()
            os.fsync(file.fileno())


def _require_plan(path: Path, plan: dict[str, Any]) -> None:
    text = json.dumps(plan, indent=1, sort_keys=True)
    if not path.exists():
        path.write_text(text, encoding="utf-8")
    if path.read_text(encoding="utf-8") != text:
        raise OtherPlanError(
            f"{path.parent} was begun with other versions, seeds or settings.\n"
            f"Hint: remove {path.parent} to begin anew."
        )


def _finished(path: Path) -> dict[Block, Rows]:
    if not path.exists():
        return {}
    found: dict[Block, Rows] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if len(row) == len(COLUMNS):
                algorithm, _, task, _, split, *_ = row
                found.setdefault(Block(task, int(split), algorithm), []).append(row)
    return {block: rows for block, rows in found.items() if len(rows) == SETTINGS}


def _replace(path: Path, rows: Iterable[list[str]]) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(_text(rows), encoding="utf-8")
    beside.replace(path)


def _text(rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
