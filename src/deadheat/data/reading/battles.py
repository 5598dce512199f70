"""From the rows of a battle log to counted cells, by GROUP BY."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from deadheat.data.battle_checks import (
    BAD_WEIGHT,
    odd_names,
    one_way,
    refuse_bad_counts,
    refuse_bad_covariates,
    refuse_bad_weights,
    refuse_nameless,
    refuse_scores_for_names,
    self_battles,
)
from deadheat.data.battle_fields import trimmed
from deadheat.data.battle_log import Log
from deadheat.data.battle_outcomes import settled_outcomes
from deadheat.data.battle_rows import grouped, labelled, ordered_by
from deadheat.errors import DataError, counted, listed, quoted
from deadheat.typing import Floats, Integers

NAMES = 5  # of candidates in a note
FEW = 4  # rows for one cell, at least: so many that DuckDB counts them rather than numpy
SIDES = "SELECT DISTINCT unnest([l, r]) AS name FROM pairs ORDER BY name"


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counted battles, one array per property; see :class:`deadheat.data.battles.Battles`."""

    candidates: tuple[str, ...]
    left: Integers
    right: Integers
    outcome: Integers
    battles: Integers
    weights: Floats
    clusters: Integers | None = None
    cluster_count: int = 0
    categories: Integers | None = None
    category_names: tuple[str, ...] = ()
    covariates: Floats | None = None
    notes: tuple[str, ...] = ()


def cells_of(
    log: Log, own: dict[str, str], *, ordered: bool = False, self_policy: str = "error"
) -> Cells:
    """Return the cells of a log: distinct ones with counts, or one per battle in order."""
    if log.roles.counts:
        refuse_bad_counts(log)
    _pair(log)
    refuse_nameless(log)
    refuse_scores_for_names(log)
    refuse_bad_weights(log)
    dropped = self_battles(log, self_policy)
    outcome, notes = settled_outcomes(log, own)
    names = [name for (name,) in log.execute(SIDES).fetchall()]
    log.execute(f"CREATE TYPE candidate AS ENUM ({SIDES})")
    coding = _Coding(log, outcome)
    columns = coding.in_order() if ordered else coding.counted()
    return _cells(coding, columns, names, [dropped, odd_names(log), one_way(log), *notes])


def _pair(log: Log) -> None:
    """Count the battles of every pair with every outcome, and trim the names that are left."""
    bad = f"count(*) FILTER ({BAD_WEIGHT})" if log.roles.weight is not None else "0"
    log.execute(
        f"CREATE TEMP TABLE written AS SELECT l, r, w, {_battles(log)} AS battles, "  # noqa: S608
        f"{_weight(log)} AS weight, {bad} AS bad FROM ({log.battles(log.rows())}) "
        "GROUP BY l, r, w"
    )
    log.execute(
        "CREATE TEMP TABLE pairs AS SELECT a AS l, b AS r, o AS w, sum(battles) AS battles, "  # noqa: S608
        "sum(weight) AS weight, sum(bad) AS bad, max(l != a OR r != b OR w != o) AS blanks "
        f"FROM (SELECT *, {trimmed('l')} AS a, {trimmed('r')} AS b, "
        f"coalesce({trimmed('w')}, '') AS o FROM written) GROUP BY a, b, o"
    )
    rows, log.trim = log.one("SELECT count(*), coalesce(max(blanks), false) FROM pairs")
    if not rows:
        raise log.nothing_left()


def _battles(log: Log) -> str:
    return "CAST(sum(c) AS BIGINT)" if log.roles.counts else "count(*)"


def _weight(log: Log) -> str:
    if log.roles.weight is None:
        return _battles(log)
    exact = f"CASE WHEN NOT {BAD_WEIGHT} THEN CAST(x AS DECIMAL(38, 18)) END"
    return f"sum({exact} * c)" if log.roles.counts else f"sum({exact})"


class _Coding:
    """Rows with numbers in place of names: ``lc``, ``rc``, ``o``, ``gc``, ``kc``, ``z0``, ``x``."""

    def __init__(self, log: Log, outcome: str) -> None:
        self.log, self._outcome = log, outcome
        roles = log.roles
        self.covariates = [f"z{k}" for k in range(len(roles.covariates))]
        labels = (("g", roles.cluster), ("k", roles.category))
        self.labels = {alias: column for alias, column in labels if column is not None}
        self.keys = ["lc", "rc", "o", *(f"{alias}c" for alias in self.labels), *self.covariates]
        if roles.weight is not None:
            self.keys.append("x")  # battles of one cell weigh the same, and can be drawn again

    def _rows(self, rows: str, more: list[str], order: str = "") -> str:
        """Return the SQL of coded rows; a battle that is dropped or of one with itself is none."""
        sides = [
            f"CAST(enum_code(TRY_CAST({side} AS candidate)) AS INTEGER) AS {side}c"
            for side in ("l", "r")
        ]
        keys = ["CAST(x AS DOUBLE) AS x" if key == "x" else key for key in self.keys[2:]]
        joins = "".join(f" JOIN labels_{alias} USING ({alias})" for alias in self.labels)
        return (
            f"SELECT {', '.join([*sides, *keys, *more])} "  # noqa: S608
            f"FROM (SELECT *, {self._outcome} AS o FROM ({rows})){joins} "
            f"WHERE o IS NOT NULL AND l != r{order}"
        )

    def counted(self) -> dict[str, Any]:
        """Return distinct cells with the number and the weight of their battles."""
        log = self.log
        if self.keys == ["lc", "rc", "o"]:
            rows = self._rows("SELECT * FROM pairs", ["battles", "weight"])
            return self._summed(rows, "CAST(sum(battles) AS BIGINT)", "sum(weight)")
        refuse_bad_covariates(log)
        sizes = [labelled(log, alias, column) for alias, column in self.labels.items()]
        pairs, total = log.one("SELECT count(*), sum(battles) FROM pairs")
        rows = self._rows(log.battles(log.rows()), ["c"] * bool(log.roles.counts))
        if not self.covariates and FEW * pairs * prod(sizes) <= total:
            return self._summed(rows, _battles(log), _weight(log))
        return grouped(log.execute(rows).fetchnumpy(), self.keys)

    def _summed(self, rows: str, battles: str, weight: str) -> dict[str, Any]:
        keys = ", ".join(self.keys)
        return self.log.execute(
            f"SELECT {keys}, {battles} AS battles, CAST({weight} AS DOUBLE) AS weight "  # noqa: S608
            f"FROM ({rows}) GROUP BY {keys} ORDER BY {keys.replace('o', 'o DESC', 1)}"
        ).fetchnumpy()

    def in_order(self) -> dict[str, Any]:
        """Return one cell per battle, in the order of the log or of a column."""
        log = self.log
        refuse_bad_covariates(log)
        for alias, column in self.labels.items():
            labelled(log, alias, column)
        by = [ordered_by(log)] if log.roles.order_by is not None else []
        shuffled = bool(by or self.labels or log.kept)  # else the rows come as they stand
        order = f" ORDER BY {', '.join([*by, 'f', 'n'])}" if shuffled else ""
        rows = log.numbered() if shuffled else log.rows()
        columns: dict[str, Any] = log.execute(self._rows(rows, [], order)).fetchnumpy()
        ones = np.ones(len(columns["lc"]), dtype=np.int64)
        return {**columns, "battles": ones, "weight": columns.get("x", ones)}

    def category_names(self) -> list[str]:
        """Return the names of the categories in the order of their numbers."""
        if "k" not in self.labels:
            return []
        rows = self.log.execute("SELECT DISTINCT label, kc FROM labels_k ORDER BY kc").fetchall()
        return [name for name, _ in rows]


def _cells(coding: _Coding, columns: dict[str, Any], names: list[str], notes: list[str]) -> Cells:
    log = coding.log
    if not len(columns["lc"]):
        raise DataError(
            f"{log.source}: no battle is left.", hint="every outcome means drop; was that meant?"
        )
    used, (left, right) = compact(columns["lc"], columns["rc"])
    clusters, count = None, 0
    if "gc" in columns:
        voters, (clusters,) = compact(columns["gc"])
        count = len(voters)
    categories, kinds = None, coding.category_names()
    if "kc" in columns:
        present, (categories,) = compact(columns["kc"])
        kinds = [kinds[k] for k in present]
    beside = [columns[name] for name in coding.covariates]
    return Cells(
        candidates=tuple(names[i] for i in used),
        left=left,
        right=right,
        outcome=np.asarray(columns["o"], dtype=np.int8),
        battles=columns["battles"],
        weights=np.asarray(columns["weight"], dtype=np.float64),
        clusters=clusters,
        cluster_count=count,
        categories=categories,
        category_names=tuple(kinds),
        covariates=np.column_stack(beside) if beside else None,
        notes=tuple(filter(None, [*notes, _absent(names, used)])),
    )


def _absent(names: list[str], used: Integers) -> str:
    absent = sorted(set(names).difference(names[i] for i in used))
    if not absent:
        return ""
    has = "has" if len(absent) == 1 else "have"
    told = listed(map(quoted, absent), most=NAMES)
    return f"{counted(len(absent), 'candidate')} {has} no battle left: {told}."


def compact(*codes: npt.NDArray[Any]) -> tuple[Integers, list[Integers]]:
    """Return the numbers that occur in any of the codes, and the codes as positions among them."""
    present = np.zeros(max(int(each.max()) for each in codes) + 1, dtype=bool)
    for each in codes:
        present[each] = True
    used = np.flatnonzero(present)
    if len(used) == len(present):
        return used, list(codes)
    places = np.cumsum(present, dtype=np.int32) - 1
    return used, [places[each] for each in codes]
