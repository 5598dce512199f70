"""How many cells a row has, and what to do with the rows that have more or fewer."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.errors import DataError, counted


class Shape:
    """The names and the width of a text table, from its first rows."""

    def __init__(
        self, source: str, rows: Sequence[Sequence[str]], *, named: bool, head_line: int
    ) -> None:
        self._source, self._head_line = source, head_line
        first = [cell.strip() for cell in rows[0]]
        body = [row for row in rows[1:] if any(cell.strip() for cell in row)]
        self.notes: tuple[str, ...] = ()
        if _trailing(first, body, named=named):
            first.pop()
            self._note("a trailing delimiter made an empty last column, which is ignored.")
        elif named and body and all(len(row) == len(first) + 1 for row in body):
            if any(row[-1].strip() for row in body):
                first.insert(0, "")
                self._note("the header names one column less than there are: the first has none.")
            else:
                self._note("every row ends with a delimiter, which is ignored.")
        self.names, self.width = first, len(first)

    def _note(self, sentence: str) -> None:
        self.notes = (*self.notes, sentence)

    def fitted(
        self, lines: Sequence[int], rows: list[list[str]]
    ) -> tuple[Sequence[int], list[list[str]]]:
        """Return the rows without empty ones; refuse those of another width."""
        width = self.width
        if not any(len(row) != width or not row[0] for row in rows):
            return lines, rows
        kept, fitting = [], []
        for line, row in zip(lines, rows, strict=True):
            if len(row) != width:
                if not any(cell.strip() for cell in row):
                    continue
                row = self._cut(line, row)  # noqa: PLW2901
            elif not row[0] and not any(cell.strip() for cell in row):
                continue
            kept.append(line)
            fitting.append(row)
        return kept, fitting

    def _cut(self, line: int, row: list[str]) -> list[str]:
        if len(row) == self.width + 1 and not row[-1].strip():
            return row[:-1]
        newline = any("\n" in cell for cell in row)
        raise DataError(
            f"{self._source}: line {line:,} has {counted(len(row), 'field')}, "
            f"expected {self.width:,} as in line {self._head_line:,}.",
            hint="a quotation mark that is never closed?"
            if newline
            else "quote cells that hold the delimiter (decimal commas too); fill short rows with "
            "empty cells.",
        )


def _trailing(first: Sequence[str], body: Sequence[Sequence[str]], *, named: bool) -> bool:
    """Return whether the last column is only what follows a trailing delimiter."""
    if len(first) < 2 or first[-1]:
        return False
    if not named and not body:
        return False
    return all(len(row) < len(first) or not row[len(first) - 1].strip() for row in body)
