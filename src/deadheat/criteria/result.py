"""Which ranking function to trust here: the result of measuring them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.criteria import words
from deadheat.criteria.criterion import Criterion, all_criteria
from deadheat.criteria.measuring import TableValues
from deadheat.criteria.noise import ALPHA, Lead, above_baseline, averaged, lead
from deadheat.criteria.trial import BASELINE, Correlation
from deadheat.errors import UnknownNameError
from deadheat.ranking.function import RankingFunction
from deadheat.result import Column, Grid, Listing, Result
from deadheat.text import number
from deadheat.typing import Floats, Row

FEW_CASES = 100  # below this a rate over trials is not reliable
SHOWN = ("winner_rank", "condorcet_rate", "generalization", "stability_judges")
SHOWN_TOO = ("stability_candidates",)
HALF_A_DIGIT_BELOW_ONE = 0.9995
BEYOND_IMPROVEMENT = 0.9  # the mean correlation of one judge with the others
VIEWS = ("criteria", "correlations", "tables")


@dataclass(frozen=True, eq=False, kw_only=True)
class View(Listing):
    """Hold one table about the functions, of several there are; criteria have their headings."""

    schema: ClassVar[str] = "deadheat.criteria-table/1"

    def grid(self) -> Grid:
        """Return the records with three decimals."""
        names = tuple(self.records[0])
        short = {c.name: c.heading for c in all_criteria()} | {"kendall_w": "W"}
        return Grid(
            columns=tuple(
                Column(
                    name=short.get(name, name.replace("_", " ")),
                    digits=3,
                    key=name == "function",
                )
                for name in names
            ),
            cells=tuple(tuple(row[name] for name in names) for row in self.records),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Criteria(Result):
    """Hold what was measured of every function, with error bars, on one table or several.

    ``functions`` are the ranking functions; the last row of every array of values is the
    baseline, the ranking of one judge drawn at random.
    """

    schema: ClassVar[str] = "deadheat.criteria/1"
    functions: tuple[RankingFunction, ...]
    criteria: tuple[Criterion, ...]
    measured: tuple[TableValues, ...]
    correlation: Correlation
    rankings: Floats
    """The correlations between the rankings of the functions on each table, (T, F, F)."""
    concordance: tuple[float, ...]
    """Kendall's W of each table; NaN where every judge ties all candidates."""
    p_values: tuple[float, ...]
    """The probability of such a W, or a larger one, by chance; NaN with one judge."""

    @property
    def names(self) -> tuple[str, ...]:
        """The functions by name, then the baseline."""
        return (*(f.name for f in self.functions), BASELINE)

    def used(self, name: str) -> list[TableValues]:
        """Return the tables that a criterion is averaged over: those with enough cases, if any."""
        cases = [table.cases(name) for table in self.measured]
        over = next(c.over for c in self.criteria if c.name == name)
        fewest = FEW_CASES if over == "trials" and max(cases) >= FEW_CASES else 1
        kept = [t for t, k in zip(self.measured, cases, strict=True) if k >= fewest]
        return kept or list(self.measured)

    def values(self, name: str) -> tuple[Floats, Floats, Floats]:
        """Return mean, Monte-Carlo error and error over tables of a criterion, (F,) each."""
        tables = self.used(name)
        means = np.stack([table.means(name) for table in tables])
        errors = np.stack([table.errors(name) for table in tables])
        mean, between = averaged(means)
        return mean, np.sqrt((errors**2).sum(axis=0)) / len(tables), between

    @cached_property
    def leads(self) -> dict[str, Lead | None]:
        """How far the best function leads by each criterion; None where it is undefined."""
        return {c.name: lead(self.used(c.name), c.name, len(self.functions)) for c in self.criteria}

    @cached_property
    def nothing_to_rank(self) -> tuple[str, ...]:
        """Why a table cannot be ranked at all, for each; empty where it can."""
        found = []
        for table, w in zip(self.measured, self.concordance, strict=True):
            name = table.results.source
            tied = f"every judge of {name} ties all candidates" if w != w else ""
            found.append(f"{name} has one candidate" if table.results.n < 2 else tied)
        return tuple(found)

    @property
    def by_chance(self) -> tuple[bool, ...]:
        """Whether the judges of a table agree no more than by chance (5 %), for each."""
        return tuple(p >= ALPHA for p in self.p_values)

    @cached_property
    def beaten(self) -> tuple[bool, ...]:
        """Whether any function predicts unseen judges better than the baseline, for each table."""
        return tuple(bool(above_baseline(t, "generalization").any()) for t in self.measured)

    @cached_property
    def telling(self) -> tuple[bool, ...]:
        """Whether a table can say which function to trust, for each.

        Its judges must agree more than by chance, and a function must predict unseen ones better
        than the baseline does, unless that does so well that it can hardly be done better, or
        nobody is unseen.
        """
        values = [table.means("generalization")[-1] for table in self.measured]
        agree = (p < ALPHA for p in self.p_values)  # NaN is not
        kinds = zip(agree, self.beaten, values, strict=True)
        return tuple(
            more and (beaten or base != base or base > BEYOND_IMPROVEMENT)
            for more, beaten, base in kinds
        )

    def rows(self) -> list[Row]:
        """Return one record per function; ``_se`` is the Monte-Carlo error.

        With several tables ``_se_tables`` is the error over these, as for other such tables.
        """
        rows: list[Row] = [{"function": name} for name in self.names]
        for criterion in self.criteria:
            columns = self.values(criterion.name)
            keys = [criterion.name, f"{criterion.name}_se", f"{criterion.name}_se_tables"]
            for key, column in list(zip(keys, columns, strict=True))[: 2 + self.several]:
                for row, value in zip(rows, column.tolist(), strict=True):
                    row[key] = value
        return rows

    @property
    def several(self) -> bool:
        """Whether there is more than one table."""
        return len(self.measured) > 1

    def facts(self) -> dict[str, Any]:
        """Return what is true of all functions together."""
        names = self.names[:-1]
        matrix = self.matrix.tolist()
        return {
            "correlations": {
                a: dict(zip(names, row, strict=True)) for a, row in zip(names, matrix, strict=True)
            },
            "baseline": BASELINE,
            "kendall_w": list(self.concordance),
            "kendall_w_p": list(self.p_values),
            "above_baseline": [
                [n for n, ok in zip(names, above_baseline(t, "generalization"), strict=True) if ok]
                for t in self.measured
            ],
            "best": {
                name: [n for n, ok in zip(names, found.level, strict=False) if ok]
                for name, found in self.leads.items()
                if found is not None
            },
            "cases": {c.name: [t.cases(c.name) for t in self.measured] for c in self.criteria},
            "counts": [dict(table.counts) for table in self.measured],
            "tables": [table.results.source for table in self.measured],
        }

    @property
    def matrix(self) -> Floats:
        """The correlations between the rankings of the functions, averaged over the tables."""
        flat = self.rankings.reshape(len(self.rankings), -1)
        return averaged(flat)[0].reshape(self.rankings.shape[1:])

    def correlations(self) -> View:
        """Return the correlations between the rankings of the functions on the whole table."""
        names = self.names[:-1]
        rows = zip(names, self.matrix.tolist(), strict=True)
        records = [{"function": a} | dict(zip(names, row, strict=True)) for a, row in rows]
        kind = "Spearman's rho" if self.correlation == "spearman" else "Kendall's tau-b"
        over = f", averaged over {len(self.measured)} tables" if self.several else ""
        return self._view(
            "correlations", records, f"{kind} between the rankings of two functions{over}."
        )

    def tables(self) -> View:
        """Return the values on each table, and how much its judges agree."""
        records = [
            {"table": table.results.source, "function": name}
            | {c.name: float(table.means(c.name)[i]) for c in self.criteria}
            | {"kendall_w": w}
            for table, w in zip(self.measured, self.concordance, strict=True)
            for i, name in enumerate(self.names)
        ]
        return self._view("tables", records, f"{words.NOISE} {words.HEADINGS}")

    def view(self, name: str) -> Result:
        """Return one of the tables: criteria, correlations or tables."""
        if name not in VIEWS:
            raise UnknownNameError("table of criteria", str(name), VIEWS)
        views = {"correlations": self.correlations, "tables": self.tables}
        return views[name]() if name in views else self

    def _view(self, name: str, records: list[Row], sentence: str) -> View:
        return View(
            made=self.made,
            warnings=self.warnings,
            library=self.library,
            name=name,
            records=tuple(records),
            sentence=sentence,
        )

    @property
    def verdict(self) -> str:
        """Which function to trust here, as far as the criteria say."""
        return words.advice(self)

    def grid(self) -> Grid:
        """Return the centre of the paper's table 2: values, and in brackets the last digits' error.

        That is the Monte-Carlo error, or that over tables where there are several. Starred is the
        best of each column and what cannot be told from it.
        """
        shown = [c for c in self.criteria if c.name in {*SHOWN, *SHOWN_TOO}]
        cells: list[list[str]] = [[name] for name in self.names]
        marked: set[tuple[int, int]] = set()
        for j, criterion in enumerate(shown, start=1):
            mean, within, between = self.values(criterion.name)
            error = between if self.several else within
            for row, value, se in zip(cells, mean.tolist(), error.tolist(), strict=True):
                row.append(with_error(value, se))
            found = self.leads[criterion.name]
            if found is not None:
                marked |= {(i, j) for i in np.flatnonzero(found.level[:-1]).tolist()}
        headings = ("function", *(c.heading for c in shown))
        return Grid(
            columns=tuple(Column(name=heading) for heading in headings),
            cells=tuple(tuple(row) for row in cells),
            notes=(words.legend(self),),
            marked=frozenset(marked),
        )


def with_error(value: float, error: float) -> str:
    """Write a value with three decimals and the error of the last of them in brackets.

    >>> with_error(0.7331, 0.0021), with_error(1.0, 0.0), with_error(-0.5, 0.013)
    ('.733(2)', '1.000', '-.500(13)')
    """
    if value != value:
        return number(value)
    digits = round(1000 * error) if error == error else 0
    written = f"{value:.3f}".replace("0.", ".", 1) if abs(value) < HALF_A_DIGIT_BELOW_ONE else ""
    return (written or f"{value:.3f}") + (f"({digits})" if digits else "")
