"""The journal of finished runs, and the table that is made of it.

The journal is a CSV file that grows by one line for each finished run. A line that was cut off by
a crash is dropped. Each line also tells a digest of the clauses, so that a journal of other
instances is never continued by mistake.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from packed import write_packed
from sat_race.race import Job
from sat_race.run import Outcome

COLUMNS = ("solver", "instance", "family", "seed", "status", "answer", "cpu_time", "cutoff")
Row = dict[str, str]


class StaleJournalError(Exception):
    """The journal belongs to other instances or another cutoff."""


def digest(packed: array[int]) -> str:
    """Name a formula by its clauses."""
    return hashlib.sha256(",".join(map(str, packed)).encode()).hexdigest()[:12]


def job_of(row: Mapping[str, str]) -> Job:
    """Tell which run a row reports."""
    return Job(row["solver"], row["instance"], int(row["seed"]))


class Journal:
    """Open a journal, keep what it has and append to it; a context manager."""

    def __init__(
        self, path: Path, *, cutoff: float, digests: Mapping[tuple[str, int], str]
    ) -> None:
        self.path, self.cutoff, self.digests = path, cutoff, digests
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = whole[: whole.rfind("\n") + 1]
        self.rows = list(csv.DictReader(io.StringIO(whole)))
        for row in self.rows:
            self._check(row)
        if path.exists() and path.read_text(encoding="utf-8") != whole:
            beside = path.with_name(f"{path.name}.new")
            beside.write_text(whole, encoding="utf-8")
            beside.replace(path)
        self._file = path.open("a", newline="", encoding="utf-8")
        self._writer = csv.DictWriter(self._file, [*COLUMNS, "digest"], lineterminator="\n")
        if not whole:
            self._writer.writeheader()
            self._file.flush()

    def _check(self, row: Row) -> None:
        job = job_of(row)
        known = self.digests.get((job.instance, job.seed))
        if known != row["digest"] or float(row["cutoff"]) != self.cutoff:
            raise StaleJournalError(
                f"{self.path}: {job.instance} (copy {job.seed}) was run with other clauses or "
                "another cutoff. Hint: move the journal away to start anew."
            )

    def append(self, job: Job, family: str, outcome: Outcome) -> None:
        """Write a finished run to the disk."""
        row = {
            "solver": job.solver,
            "instance": job.instance,
            "family": family,
            "seed": str(job.seed),
            "status": outcome.status,
            "answer": outcome.answer,
            "cpu_time": f"{outcome.cpu_time:.4f}",
            "cutoff": f"{self.cutoff:g}",
            "digest": self.digests[job.instance, job.seed],
        }
        self._writer.writerow(row)
        self._file.flush()
        self.rows.append(row)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def write_table(rows: Iterable[Mapping[str, str]], target: Path) -> None:
    """Write the sorted rows as gzipped CSV; the same rows give the same bytes."""
    ordered = sorted(rows, key=lambda r: (r["family"], r["instance"], int(r["seed"]), r["solver"]))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_packed(target, COLUMNS, [[row[c] for c in COLUMNS] for row in ordered])


def read_table(source: Path) -> list[Row]:
    """Read the rows back."""
    return list(csv.DictReader(io.StringIO(gzip.decompress(source.read_bytes()).decode())))
