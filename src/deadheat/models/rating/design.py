"""The rows of a model of battles: who stands on which side, and under what circumstances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from deadheat.core.errors import DataError, UsageError, listed, quoted, say
from deadheat.core.types import Floats
from deadheat.ranking.block import WORKING_SET

SIDE = "left side"
NEGLIGIBLE = 1e-9  # of the information about one parameter: what rounding leaves of none


def share_won(outcome: npt.ArrayLike) -> Floats:
    """Return what the left side won: 1, one half of a tie, or 0; from 1, 0 and -1."""
    return (np.asarray(outcome, dtype=np.float64) + 1) / 2


@dataclass(frozen=True, eq=False)
class Design:
    """Hold one row per cell: +1 for each member on the left, -1 on the right, circumstances."""

    matrix: Any
    """(C, p) sparse: the members on the two sides, then the context, divided by its scales."""
    n: int  # the number of candidates; the other columns are the side and the covariates
    scales: Floats  # (k,) the root mean square of each column of the context; 1 for the side
    context_names: tuple[str, ...]
    weights: Floats  # (C,)
    names: tuple[str, ...]
    level: bool  # whether raising all ratings alike changes nothing, so that only differences count

    @property
    def parameters(self) -> int:
        return int(self.matrix.shape[1])

    @cached_property
    def turned(self) -> Any:
        return self.matrix.T.tocsr()

    def log_odds(self, parameters: Floats) -> Floats:
        """Return the log-odds of the left side, (C,) or (C, B), under parameters (p,) or (p, B)."""
        return np.asarray(self.matrix @ parameters)

    def gradient(self, residuals: Floats) -> Floats:
        """Return the sum of the rows times residuals (C,) or (C, B), as (p,) or (p, B)."""
        return np.asarray(self.turned @ residuals)

    def information(self, weights: Floats) -> Floats:
        """Return (p, p) the sum of the squared rows, each times its weight (C,)."""
        weighted = self.turned.copy()
        weighted.data *= weights[weighted.indices]
        return np.asarray((weighted @ self.matrix).toarray())

    def anchored(self, information: Floats, *, fixed: float | None = None) -> Floats:
        """Return the information made invertible where only differences of ratings count.

        A determinant that is to be compared with others needs a ``fixed`` size of the anchor.
        """
        anchored = information.copy()
        nothing = np.flatnonzero(information.diagonal() == 0)
        anchored[nothing, nothing] = 1.0
        if self.level:
            size = anchored.diagonal()[: self.n].mean() if fixed is None else fixed
            anchored[: self.n, : self.n] += size / self.n
        return anchored

    def leverages(self, covariance: Floats, weights: Floats) -> Floats:
        """Return (C,) the weight of each row times its squared length under a covariance."""
        found = np.empty(len(weights))
        for rows in self.rows(self.parameters):
            dense = self.matrix[rows].toarray()
            found[rows] = weights[rows] * np.einsum("ci,ci->c", dense @ covariance, dense)
        return found

    def rows(self, size: int) -> Iterator[slice]:
        """Yield slices of so few cells that ``size`` numbers for each stay affordable."""
        step = max(1, WORKING_SET // max(size, 1))
        for start in range(0, len(self.weights), step):
            yield slice(start, start + step)

    def called(self, parameter: int) -> str:
        if parameter >= self.n:
            return self.context_names[parameter - self.n]
        return quoted(self.names[parameter]) if self.names else f"number {parameter}"


def design_of(
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    n: int,
    *,
    covariates: npt.ArrayLike | None = None,
    covariate_names: Sequence[str] = (),
    side: bool = False,
    members: Sequence[Sequence[int]] | None = None,
    weights: npt.ArrayLike | None = None,
    names: Sequence[str] = (),
) -> Design:
    """Return the rows of a model of battles, or say why they cannot tell its parameters apart.

    Parameters
    ----------
    left, right
        Positions (C,) of the candidates, or of the sides in ``members``.
    covariates
        Circumstances (C, k) as differences, left minus right, so that swapping the sides turns the
        sign. Each is divided by its root mean square, and never centred: a centred difference would
        favour a side.
    side
        Whether being on the left may be an advantage (playing at home, being shown first).
    members
        The candidates of each side, for teams; without it side i is candidate i.
    weights
        How many battles a cell stands for, (C,); 0 leaves it out.
    """
    from scipy.sparse import csr_array, hstack

    teams = [tuple(team) for team in (((i,) for i in range(n)) if members is None else members)]
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    counted = np.ones(len(sides[0])) if weights is None else np.asarray(weights, dtype=np.float64)
    if not counted.any():
        raise DataError("all weights are 0.", hint="a rating needs at least one battle.")
    columns, scales, column_names = _scaled(covariates, covariate_names, counted)
    if side:
        columns = np.hstack([np.ones((len(counted), 1)), columns])
    flat = np.array([i for team in teams for i in team], dtype=np.intp)
    starts = np.r_[0, np.cumsum([len(team) for team in teams])]
    lineup = csr_array((np.ones(len(flat)), flat, starts), shape=(len(teams), n))
    players = (lineup[sides[0]] - lineup[sides[1]]).tocsr()
    players.eliminate_zeros()
    design = Design(
        matrix=hstack([players, csr_array(columns)]).tocsr(),
        n=n,
        scales=np.r_[1.0, scales] if side else scales,
        context_names=(SIDE, *column_names) if side else column_names,
        weights=counted,
        names=tuple(names),
        level=not np.asarray(players.sum(axis=1))[counted > 0].any(),
    )
    _require_full_rank(design)
    return design


def _scaled(
    covariates: npt.ArrayLike | None, names: Sequence[str], weights: Floats
) -> tuple[Floats, Floats, tuple[str, ...]]:
    if covariates is None:
        return np.empty((len(weights), 0)), np.empty(0), ()
    columns = np.asarray(covariates, dtype=np.float64)
    if columns.ndim == 1:
        columns = columns[:, None]
    called = tuple(names) or tuple(f"covariate {k + 1}" for k in range(columns.shape[1]))
    for name, column in zip(called, columns.T, strict=True):
        wrong = ~np.isfinite(column)
        if wrong.any():
            raise DataError(
                f"covariate {quoted(name)} is {column[wrong][0]:g} in battle "
                f"{int(np.argmax(wrong)) + 1} ({int(wrong.sum())} in all).",
                hint="leave such battles out, or the covariate.",
            )
        there = column[weights > 0]
        if (there == there[0]).all():
            raise DataError(
                f"covariate {quoted(name)} is {there[0]:g} in every battle: it says nothing.",
                hint="leave it out; a constant advantage of the left side is "
                f"{say('advantage', value=True)}.",
            )
    scales = np.sqrt(np.average(columns**2, axis=0, weights=weights))
    return columns / scales, scales, called


def _require_full_rank(design: Design) -> None:
    from scipy.linalg.lapack import dpstrf

    information = design.information(design.weights)
    size = np.sqrt(information.diagonal())
    empty = np.flatnonzero(size == 0)
    if len(empty):
        raise DataError(
            f"nothing is known of {listed(map(design.called, empty.tolist()), most=8)}: no battle "
            "depends on them.",
            hint="leave them out.",
        )
    shaped = information / size / size[:, None]
    if design.level:
        shaped[: design.n, : design.n] += (
            size[: design.n, None] * size[: design.n] / (size[: design.n] @ size[: design.n])
        )
    if dpstrf(shaped, tol=NEGLIGIBLE)[2] == design.parameters:
        return
    vector = np.abs(np.linalg.eigh(shaped)[1][:, 0])
    mixed = np.flatnonzero(vector > 1e-6 * vector.max())
    circumstances = [design.called(i) for i in mixed.tolist() if i >= design.n]
    candidates = [design.called(i) for i in mixed.tolist() if i < design.n]
    if not circumstances:
        raise DataError(
            f"these battles cannot tell the ratings apart of: {listed(candidates, most=8)}.",
            hint="they never met others, or always stand together: join them, or rate them alone.",
        )
    if candidates:
        raise DataError(
            f"{listed(circumstances)} cannot be told apart from the ratings: the candidates "
            "determine it.",
            hint="a property of the candidates is part of their ratings; leave it out.",
        )
    raise DataError(
        f"the covariates {listed(circumstances)} determine each other.", hint="leave one out."
    )


# Teams: sides that are sets of candidates, written with a separator.


class Lineups(NamedTuple):
    """The candidates that occur in sides, and the positions of the members of each side."""

    candidates: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]


def lineups(sides: Iterable[str], *, separator: str = "+") -> Lineups:
    """Split the names of sides into members; ``a+b`` is the team of ``a`` and ``b``.

    A team is as strong as the sum of its members.

    >>> lineups(["gpt", "gpt + claude", "claude"])
    Lineups(candidates=('gpt', 'claude'), members=((0,), (0, 1), (1,)))
    """
    if not separator:
        raise UsageError("the separator of members is empty.", hint="write e.g. '+'.")
    places: dict[str, int] = {}
    members: list[tuple[int, ...]] = []
    for side in sides:
        names = [name.strip() for name in side.split(separator)]
        if not all(names):
            raise DataError(
                f"side {quoted(side)} has an empty member.",
                hint=f"names are separated by {separator!r}; is it part of a name? "
                "Choose another separator.",
            )
        if len(set(names)) < len(names):
            raise DataError(
                f"side {quoted(side)} names a member twice.", hint="each member counts once."
            )
        members.append(tuple(places.setdefault(name, len(places)) for name in names))
    if not members:
        raise DataError("there are no sides.", hint="a rating needs at least one battle.")
    return Lineups(tuple(places), tuple(members))
