"""Battles under circumstances: Bradley-Terry ratings beside covariates and a side's advantage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    listed,
    quoted,
)
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.models.rating.existence import Levels
from deadheat.models.rating.newton import Nearby, Peaks, Uphill, climb
from deadheat.models.rating.pair_counts import SIDE, checked_strength, share_won
from deadheat.models.rating.uncertainty import meat_of_clusters
from deadheat.ranking.block import slices

# The rows of a model of battles: who stands on which side, and under what circumstances.

NEGLIGIBLE = 1e-9  # of the information about one parameter: what rounding leaves of none


@dataclass(frozen=True, eq=False)
class Design:
    """Hold one row per cell: +1 for each member on the left, -1 on the right, circumstances."""

    matrix: Any  # (C, p) sparse: members on both sides, then the context, divided by its scales
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
    def transpose(self) -> Any:
        return self.matrix.T.tocsr()

    def log_odds(self, parameters: Floats) -> Floats:
        """Return the log-odds of the left side, (C,) or (C, B), under parameters (p,) or (p, B)."""
        return np.asarray(self.matrix @ parameters)

    def gradient(self, residuals: Floats) -> Floats:
        """Return the sum of the rows times residuals (C,) or (C, B), as (p,) or (p, B)."""
        return np.asarray(self.transpose @ residuals)

    def information(self, weights: Floats) -> Floats:
        """Return (p, p) the sum of the squared rows, each times its weight (C,)."""
        weighted = self.transpose.copy()
        weighted.data *= weights[weighted.indices]
        return np.asarray((weighted @ self.matrix).toarray())

    def anchored(self, information: Floats, *, fixed: float | None = None) -> Floats:
        """Return the information made invertible where only differences of ratings count."""
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
        for rows in slices(len(weights), self.parameters):  # so few that dense ones are affordable
            dense = self.matrix[rows].toarray()
            found[rows] = weights[rows] * np.einsum("ci,ci->c", dense @ covariance, dense)
        return found

    def parameter_name(self, parameter: int) -> str:
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
    """Return the rows of a model of battles, or say why they do not separate its parameters.

    ``left`` and ``right`` (C,) are candidates, or sides in ``members``. ``covariates`` (C, k) are
    differences, left minus right, divided by their root mean square, and never centred: a centred
    difference would favour a side. With ``side`` being on the left may be an advantage. A cell
    stands for ``weights`` (C,) battles.
    """
    from scipy.sparse import csr_array, hstack

    teams = [(i,) for i in range(n)] if members is None else members
    sides = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
    counted = np.ones(len(sides[0])) if weights is None else np.asarray(weights, dtype=np.float64)
    columns, scales, column_names = _scaled(covariates, covariate_names, counted)
    if side:
        columns = np.hstack([np.ones((len(counted), 1)), columns])
        scales, column_names = np.r_[1.0, scales], (SIDE, *column_names)
    flat = np.array([i for team in teams for i in team], dtype=np.intp)
    starts = np.r_[0, np.cumsum([len(team) for team in teams])]
    lineup = csr_array((np.ones(len(flat)), flat, starts), shape=(len(teams), n))
    players = (lineup[sides[0]] - lineup[sides[1]]).tocsr()
    players.eliminate_zeros()
    matrix = hstack([players, csr_array(columns)]).tocsr()
    level = not np.asarray(players.sum(axis=1))[counted > 0].any()
    design = Design(matrix, n, scales, column_names, counted, tuple(names), level)
    _require_full_rank(design)
    return design


def _scaled(
    covariates: npt.ArrayLike | None, names: Sequence[str], weights: Floats
) -> tuple[Floats, Floats, tuple[str, ...]]:
    if covariates is None:
        return np.empty((len(weights), 0)), np.empty(0), ()
    columns = np.asarray(covariates, dtype=np.float64).reshape(len(weights), -1)
    called = tuple(names) or tuple(f"covariate {k + 1}" for k in range(columns.shape[1]))
    for name, column in zip(called, columns.T, strict=True):
        there = column[weights > 0]
        if (there == there[0]).all():
            raise DataError(
                f"covariate {quoted(name)} is {there[0]:g} in every battle: it says nothing.",
                hint=f"without covariates: {command_with(covariates=None)}\n"
                f"for the left side's advantage: {command_with(covariates=None, advantage=True)}",
            )
    scales = np.sqrt(np.average(columns**2, axis=0, weights=weights))
    return columns / scales, scales, called


def _require_full_rank(design: Design) -> None:
    from scipy.linalg.lapack import dpstrf

    information = design.information(design.weights)
    size = np.sqrt(information.diagonal())
    empty = np.flatnonzero(size == 0)
    if len(empty):
        who = listed(map(design.parameter_name, empty.tolist()), most=8)
        raise DataError(
            f"nothing is known of {who}: no battle counts.",
            hint="leave their rows out, or give one a weight above 0.",
        )
    n, shaped = design.n, information / size / size[:, None]
    if design.level:
        shaped[:n, :n] += size[:n, None] * size[:n] / (size[:n] @ size[:n])
    if dpstrf(shaped, tol=NEGLIGIBLE)[2] == design.parameters:
        return
    vector = np.abs(np.linalg.eigh(shaped)[1][:, 0])
    mixed = np.flatnonzero(vector > 1e-6 * vector.max()).tolist()
    circumstances = [design.parameter_name(i) for i in mixed if i >= n]
    candidates = [design.parameter_name(i) for i in mixed if i < n]
    if not circumstances:
        raise DataError(
            f"these battles do not separate the ratings of {listed(candidates, most=8)}.",
            hint="they never met others, or always stand together; to rate whole sides: "
            + command_with(teams=None),
        )
    if candidates:
        raise DataError(
            f"{listed(circumstances)} cannot be separated from the ratings.",
            hint=_without(circumstances),
        )
    said = f"the covariates {listed(circumstances)} determine each other."
    raise DataError(said, hint=_without(circumstances))


def _without(circumstances: Sequence[str]) -> str:
    if SIDE in circumstances:
        return f"without the advantage: {command_with(advantage=False)}"
    return f"without covariates: {command_with(covariates=None)}"


def lineups(
    sides: Iterable[str], *, separator: str = "+"
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Return who occurs in sides, and the members of each; ``a+b`` is a team."""
    if not separator:
        raise UsageError(
            "the separator of members is empty.", hint=f"such as +: {command_with(teams='+')}"
        )
    places: dict[str, int] = {}
    members: list[tuple[int, ...]] = []
    for side in sides:
        names = [name.strip() for name in side.split(separator)]
        if not all(names):
            hint = f"if {separator!r} is part of a name: {command_with(teams=None)}"
            raise DataError(f"side {quoted(side)} has an empty member.", hint=hint)
        if len(set(names)) < len(names):
            hint = f"write each member once; to rate whole sides: {command_with(teams=None)}"
            raise DataError(f"side {quoted(side)} names a member twice.", hint=hint)
        members.append(tuple(places.setdefault(name, len(places)) for name in names))
    return tuple(places), tuple(members)


Penalty = Literal["none", "firth", "ridge"]
FARTHEST = 25.0  # log-odds of one who has run away


class Likelihood(Uphill):
    def __init__(
        self, design: Design, won: Floats, weights: Floats, penalty: Penalty, strength: float
    ) -> None:
        self.design, self.won, self.weights = design, won, weights
        self.penalty, self.strength = penalty, strength
        super().__init__(np.zeros(design.parameters))

    def value(self, at: Floats) -> float:
        height = likelihood(self.design, self.won, self.weights, at)
        if self.penalty == "ridge":
            height -= self.strength / 2 * float(at @ at)
        if self.penalty == "firth":
            p = expit(self.design.log_odds(at))
            information = self.design.information(self.weights * p * (1 - p))
            # A determinant that is compared with others needs an anchor of one size.
            anchored = self.design.anchored(information, fixed=1.0)
            height += float(np.linalg.slogdet(anchored)[1]) / 2
        return height

    def step(self, at: Floats) -> Floats:
        design, p = self.design, expit(self.design.log_odds(at[0]))
        certain = self.weights * p * (1 - p)
        information = design.information(certain)
        residuals = self.weights * (self.won - p)
        if self.penalty == "firth":
            inverse = np.linalg.inv(design.anchored(information))
            leverages = design.leverages(inverse, certain)
            residuals += leverages * (0.5 - p)
            information = design.information(certain + leverages * p * (1 - p))
        gradient = design.gradient(residuals)
        if self.penalty == "ridge":
            gradient -= self.strength * at[0]
            information[np.diag_indices_from(information)] += self.strength
        return np.linalg.solve(design.anchored(information), gradient)[None]

    def is_lost(self, at: Floats, slower: Floats, number: int) -> Booleans:  # noqa: ARG002
        far = np.abs(self.design.log_odds(at[0])).max() > FARTHEST
        return np.array([self.penalty == "none" and far])


def peak(design: Design, won: Floats, weights: Floats, penalty: Penalty, strength: float) -> Peaks:
    """Return the best parameters (p,), ratings with mean 0 where only differences count."""
    start = np.zeros((1, design.parameters))
    best = climb(Likelihood(design, won, weights, penalty, strength), start).first
    if design.level:
        best.parameters[: design.n] -= best.parameters[: design.n].mean()
    return best


def likelihood(design: Design, won: Floats, weights: Floats, at: Floats) -> float:
    odds = design.log_odds(at)
    return float(weights @ (won * odds - np.logaddexp(0, odds)))


# Whether some combination of ratings and coefficients explains every battle without an error.

WITHOUT_ERROR = 1e-6
SAME = 1e-12  # squared differences of directions that are nothing but rounding
MOST_ROWS, MOST_PARAMETERS = 50_000, 1_000  # for which programs say who is above whom
MOST_PARTS = 20


def linearly_separated(design: Design, outcome: Integers, weights: Floats) -> bool:
    """Return whether the likelihood of battles grows for ever in some direction.

    It calls no winner wrong, no tie anything but even, and some winner right (Albert, Anderson
    1984, Biometrika 71(1)).
    """
    _, decided, tied = _calls(design, outcome, weights)
    if not decided.shape[0]:
        return False
    most = _lowest(-np.asarray(decided.sum(axis=0)).ravel(), decided, tied)
    return bool(-most.fun > WITHOUT_ERROR)


def runaway_directions(
    design: Design, outcome: Integers, weights: Floats
) -> tuple[Levels, Booleans]:
    """Return who moves away from whom, and which battles (C,) stay undecided, where separated.

    Inside the cone of directions that call no battle wrong, all battles that some direction calls
    right are called right. The others stay undecided, and so do differences of ratings that these
    fix (Geyer 2009, Electronic Journal of Statistics 3). Candidate i is above j if no direction has
    :math:`d_i < d_j`; of very many battles, candidates or parts that is not known.
    """
    from scipy.sparse import csr_array, eye_array, hstack

    there, n = weights > 0, design.n
    if np.count_nonzero(there) > MOST_ROWS or design.parameters > MOST_PARAMETERS:
        return Levels.unknown(n), np.zeros(len(weights), dtype=bool)
    rows, decided, tied = _calls(design, outcome, weights)
    # A direction that calls right, by 1 or more, all that any direction calls right: each battle
    # has a variable of its own, by how much, up to 1.
    number, size = decided.shape
    answer = _lowest(
        np.r_[np.zeros(size), -np.ones(number)],
        hstack([decided, -eye_array(number)]),
        hstack([tied, csr_array((tied.shape[0], number))]) if tied.shape[0] else tied,
        bounds=[(None, None)] * size + [(0, 1)] * number,
    )
    direction = np.asarray(answer.x[:size], dtype=np.float64)
    undecided = there & ((outcome == 0) | (rows @ direction < 0.5))
    values, vectors = np.linalg.eigh(design.information(undecided.astype(np.float64)))
    free = vectors[:n, values <= WITHOUT_ERROR * max(float(values.max()), 1.0)]
    squares = (free**2).sum(axis=1)
    together = squares[:, None] + squares - 2 * free @ free.T <= SAME
    levels = Levels.of(together, np.zeros((n, n), dtype=bool))
    heads = np.unique(levels.part, return_index=True)[1]
    if len(heads) <= MOST_PARTS:
        for (k, i), (m, j) in product(enumerate(heads.tolist()), repeat=2):
            if direction[i] > direction[j]:
                gap = np.zeros(design.parameters)
                gap[i], gap[j] = 1.0, -1.0
                levels.above[k, m] = _lowest(gap, decided, tied).fun > -WITHOUT_ERROR
    return levels, undecided


def _calls(design: Design, outcome: Integers, weights: Floats) -> tuple[Any, Any, Any]:
    """Return the rows such that above 0 is right; those of decided battles, and of ties."""
    rows = design.matrix.multiply(np.where(outcome == 0, 1.0, outcome)[:, None]).tocsr()
    return rows, rows[(weights > 0) & (outcome != 0)], rows[(weights > 0) & (outcome == 0)]


def _lowest(costs: Floats, decided: Any, tied: Any, *, bounds: Any = (-1, 1)) -> Any:
    """Return the cheapest direction that calls no decided battle wrong, and each tie even."""
    from scipy.optimize import linprog

    even = (tied, np.zeros(tied.shape[0])) if tied.shape[0] else (None, None)
    right = (-decided, np.zeros(decided.shape[0]))
    return linprog(costs, *right, *even, bounds=bounds, method="highs")


# The fit, and replicates of it.

HARDLY = 1e-8  # a ridge that only keeps still what no battle tells
SUSPICIOUS = 6.0  # log-odds from which on an estimate may be on its way to infinity


@dataclass(frozen=True, eq=False)
class Contextual:
    """Ratings at equal circumstances, and what the circumstances are worth, in log-odds."""

    parameters: Floats  # (p,) the ratings, then the coefficients of the scaled columns
    penalty: Penalty
    strength: float
    mle: Floats  # (n,) plain ratings, or ``levels.mle``; NaN if sizes of teams fix the level
    levels: Levels | None  # who moves away from whom; None where plain estimates are finite
    log_likelihood: float  # without the penalty
    design: Design
    outcome: Integers

    @property
    def ratings(self) -> Floats:
        return self.parameters[: self.design.n]


def contextual(
    design: Design, outcome: npt.ArrayLike, *, penalty: str = "auto", strength: float = 1.0
) -> Contextual:
    r"""Fit ratings and the worth of circumstances together, by logistic regression.

    .. math:: \operatorname{logit} P(\text{left wins}) =
        \sum_{i \in \text{left}} b_i - \sum_{j \in \text{right}} b_j + h + z^\top g

    with h the advantage of the left side and z the covariates. A tie is half a win for both. Where
    all sides have equally many members, the ratings sum to 0. Teams of different sizes fix the
    level themselves. The penalty ``firth`` is half the log-determinant of the information (Firth
    1993, Biometrika 80(1)); ``ridge`` minus ``strength`` / 2 times the sum of squares; ``auto``
    none where a finite estimate is best, else firth.

    Differs from the style control of language-model arenas (Li, Angelopoulos, Chiang 2024), which
    centres the differences of the covariates: without an advantage of the left side the answer then
    depends on who is written on the left.
    """
    known = ("auto", *get_args(Penalty))
    if penalty not in known:
        raise UnknownNameError("penalty", penalty, known)
    strength = checked_strength(strength)
    results = np.asarray(outcome, dtype=np.int8)
    won = share_won(results)
    plain = peak(design, won, design.weights, "none", strength)
    separated = _runs_away(design, plain) and linearly_separated(design, results, design.weights)
    if penalty == "none" and separated:
        raise DataError(
            "no finite ratings fit best: ratings and circumstances explain every battle.",
            hint=f"for finite ratings: {command_with(penalty='firth')}",
        )
    chosen: Penalty = "firth" if penalty == "firth" or separated else "none"
    chosen = "ridge" if penalty == "ridge" else chosen
    best = plain if chosen == "none" else peak(design, won, design.weights, chosen, strength)
    levels, mle = None, plain.parameters[: design.n]
    if separated:
        levels, undecided = runaway_directions(design, results, design.weights)
        mle = np.full(design.n, np.nan)
        if design.level:  # what undecided battles tell; the others say which way one goes
            within = peak(design, won, design.weights * undecided, "ridge", HARDLY)
            mle = levels.mle(within.parameters[: design.n])
    height = likelihood(design, won, design.weights, best.parameters)
    return Contextual(best.parameters, chosen, strength, mle, levels, height, design, results)


def contextual_refits(fit: Contextual, weights: Floats) -> tuple[Floats, Booleans]:
    """Return the parameters (B, p) under other cell weights (B, C), and where separated.

    Those take Firth's penalty. Who is in none of the battles gets NaN, and so do all where teams
    cannot be separated.
    """
    design, won = fit.design, share_won(fit.outcome)
    counted = np.asarray(weights, dtype=np.float64)
    found = np.tile(fit.parameters, (len(counted), 1))
    settled, separated = np.zeros((2, len(counted)), dtype=bool)
    if fit.penalty != "firth":
        for rows in slices(len(counted), len(won)):
            near = climb(_Nearby(fit, counted[rows]), found[rows])
            found[rows], settled[rows] = near.parameters, near.settled
    for b in np.flatnonzero(~settled):
        found[b], separated[b] = _refit(fit, won, counted[b])
    absent = (abs(design.transpose[: design.n]) @ counted.T).T == 0
    found[:, : design.n][absent] = np.nan
    if design.level:
        found[:, : design.n] -= np.nanmean(found[:, : design.n], axis=1, keepdims=True)
    return found, separated


def _refit(fit: Contextual, won: Floats, weights: Floats) -> tuple[Floats, bool]:
    """Return one replicate fitted in full; NaN where its battles do not tell all parameters."""
    design, separated = fit.design, False
    try:
        best = peak(design, won, weights, fit.penalty, fit.strength)
        if fit.penalty == "none" and _runs_away(design, best):
            separated = linearly_separated(design, fit.outcome, weights)
        if separated:
            best = peak(design, won, weights, "firth", fit.strength)
    except np.linalg.LinAlgError:  # nothing separates teams that are only drawn together
        return np.full(design.parameters, np.nan), False
    return best.parameters, separated


def _runs_away(design: Design, best: Peaks) -> bool:
    odds = design.log_odds(best.parameters)
    return not best.settled or float(np.abs(odds).max()) > SUSPICIOUS


class _Nearby(Nearby):
    most_steps, settled_at, together = 30, 1e-9, True

    def __init__(self, fit: Contextual, weights: Floats) -> None:
        self.design, self.won = fit.design, share_won(fit.outcome)[:, None]
        self.ridge = fit.strength if fit.penalty == "ridge" else 0.0
        self.by_cell = np.ascontiguousarray(weights.T)
        drawn, weight = self.by_cell.sum(axis=0), self.design.weights.sum()
        super().__init__(_bread(fit, penalised=True), weights, drawn, weight)

    def step(self, at: Floats) -> Floats:
        columns = np.ascontiguousarray(at.T)  # the last bits of a product depend on the layout
        residuals = expit(self.design.log_odds(columns))
        np.subtract(self.won, residuals, out=residuals)
        residuals *= self.by_cell
        gradient = self.design.gradient(residuals) - self.ridge * columns
        return np.asarray(self.inverse @ gradient * self.scale).T


def contextual_fisher(fit: Contextual) -> Floats:
    """Return the covariance (p, p) of ratings and coefficients per unit, battles independent."""
    return _in_units(fit, _bread(fit))


def contextual_sandwich(
    fit: Contextual, *, clusters: npt.ArrayLike | None = None, battles: npt.ArrayLike | None = None
) -> Floats:
    """Return the covariance (p, p) with clusters as units, or the battles (C,) of each cell."""
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    residuals = design.weights * (share_won(fit.outcome) - p)
    if clusters is None:
        number = design.weights if battles is None else np.asarray(battles, dtype=np.float64)
        meat = design.information(residuals**2 / np.maximum(number, 1.0))
    else:
        there = design.weights > 0
        scores = design.matrix[there].multiply(residuals[there][:, None]).tocsr()
        meat = meat_of_clusters(scores, np.asarray(clusters)[there]).toarray()
    bread = _bread(fit, penalised=True)
    return _in_units(fit, bread @ meat @ bread)


def _bread(fit: Contextual, *, penalised: bool = False) -> Floats:
    design = fit.design
    p = expit(design.log_odds(fit.parameters))
    information = design.information(design.weights * p * (1 - p))
    if penalised and fit.penalty == "ridge":
        information[np.diag_indices_from(information)] += fit.strength
    return np.asarray(np.linalg.inv(design.anchored(information)))


def _in_units(fit: Contextual, covariance: Floats) -> Floats:
    n = fit.design.n
    turn = np.diag(np.r_[np.ones(n), 1 / fit.design.scales])
    if fit.design.level:
        turn[:n, :n] -= 1 / n
    return np.asarray(turn @ covariance @ turn.T)
