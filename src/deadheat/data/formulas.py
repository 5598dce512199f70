"""Formulas of a workbook: their values are read where the program that made it saved them."""

from __future__ import annotations

import importlib
import io
import warnings
from typing import Any

from deadheat.errors import DataError, quoted

EMPTY_TEXT = "str"  # the type of a formula whose saved value is no text at all


def refuse_unsaved(data: io.BytesIO, sheet: Any, source: str) -> None:
    """Refuse a formula without a saved value: it would be read as a missing score."""
    openpyxl = importlib.import_module("openpyxl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = openpyxl.load_workbook(data, read_only=True, data_only=False)[sheet.title]
    asked.reset_dimensions()
    for formulas, values in zip(asked.iter_rows(), sheet.iter_rows(), strict=True):
        for formula, value in zip(formulas, values, strict=True):
            saved = value.value is not None or value.data_type == EMPTY_TEXT
            if formula.data_type == "f" and not saved:
                text = getattr(formula.value, "text", formula.value)
                raise DataError(
                    f"{source}: sheet {quoted(sheet.title)}, cell {formula.coordinate}: "
                    f"the formula {quoted(text)} has no saved value.",
                    hint="open and save it in a spreadsheet program, or save the sheet as CSV.",
                )
