"""A result that was saved as JSON, read back."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadheat.axioms.result import NESTED
from deadheat.errors import DataError
from deadheat.result import PathLike
from deadheat.saved_criteria import SavedCriteria
from deadheat.saved_document import document_of, remedy
from deadheat.saved_ratings import SavedRatingParts, SavedRatings
from deadheat.saved_result import Saved
from deadheat.saved_verdict import SavedVerdict
from deadheat.typing import Row

__all__ = [
    "Saved",
    "SavedAxioms",
    "SavedCriteria",
    "SavedRatingParts",
    "SavedRatings",
    "SavedVerdict",
    "load",
    "saved_at",
]

HEAD = 1000  # bytes in which a saved result names its schema
WRITTEN = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"schema"\s*:\s*"deadheat\.')


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedAxioms(Saved):
    """Hold saved axioms; spreadsheets get what happens, and not whole tables."""

    def to_csv(self, path: PathLike | None = None) -> str:
        """Return the small facts as CSV."""
        return self._small().to_csv(path)

    def to_tsv(self, path: PathLike | None = None) -> str:
        """Return the small facts separated by tabs."""
        return self._small().to_tsv(path)

    def _small(self) -> Saved:
        return Saved(
            made=self.made,
            written_as=self.written_as,
            records=tuple(_small(record) for record in self.records),
            whole=self.whole,
            words=self.words,
        )


def _small(row: Row) -> Row:
    example = row["counterexample"] or row.get("weak_example")
    if "findings" in row:
        example = next(iter(row["findings"]), None)
    kept = {key: value for key, value in row.items() if key not in NESTED}
    return {**kept, "change": example and example["change"]}


KINDS: dict[str, type[Saved]] = {
    "deadheat.axioms": SavedAxioms,
    "deadheat.criteria": SavedCriteria,
    "deadheat.verdict": SavedVerdict,
    "deadheat.demo": SavedVerdict,
    "deadheat.rate": SavedRatings,
}


def load(source: str | bytes | os.PathLike[str]) -> Saved:
    """Return a result that was saved as JSON: a path, or the text itself.

    It has the rows, facts, warnings and words of what was saved and writes itself in every form,
    as JSON byte for byte the same. A saved verdict has also ``groups``, ``winners`` and ``row``,
    and ``plot`` draws what the JSON has the numbers for. What needs the data, such as comparing
    other pairs, is computed by the functions again.

    Examples
    --------
    >>> import deadheat as dh
    >>> saved = dh.verdict(dh.examples.load("compressors"), replicates=200).to_json()
    >>> dh.load(saved).winners
    ('bzip2-9',)
    """
    where, document = document_of(source)
    name = document["schema"]
    kind = KINDS.get(name.partition("/")[0], Saved)
    if kind is SavedRatings and "kind" in document["facts"]:
        kind = SavedRatingParts
    found = kind(
        made=document["made"],
        warnings=tuple(document["warnings"]),
        written_as=name,
        records=tuple(document["rows"]),
        whole=document["facts"],
        words=document["verdict"],
    )
    fault = next(found.faults(), None)
    if fault is not None:
        raise DataError(f"{where}: {fault}.", hint=remedy(document))
    return found


def saved_at(source: Any) -> Saved | None:
    """Return the result that a file holds, where that is one and no table."""
    if not isinstance(source, str | os.PathLike):
        return None
    try:
        with Path(source).open("rb") as file:
            head = file.read(HEAD)
    except (OSError, ValueError):
        return None
    return load(Path(source)) if WRITTEN.match(head) else None
