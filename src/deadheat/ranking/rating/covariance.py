"""How sure Bradley-Terry ratings are: Fisher, clustered sandwich, quasi-variances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.errors import DataError
from deadheat.ranking.rating.bradley_terry import Fit, with_pseudo_wins
from deadheat.ranking.rating.pair_counts import CellPairs, PairCounts
from deadheat.ranking.rating.round_pairs import checked_rounds
from deadheat.ranking.rating.sparse import centred_twice
from deadheat.ranking.rating.tie_models import Terms, TieModel, tie_model
from deadheat.ranking.rating.tie_newton import bordered
from deadheat.typing import Floats, Integers

if TYPE_CHECKING:
    from deadheat.data.battles import Battles

FEWEST_CLUSTERS = 2
FEWEST_CONTRASTS = 3  # candidates from which on quasi-variances are determined
MOST_STEPS = 100
SETTLED = 1e-13


def fisher(fit: Fit, pairs: PairCounts) -> Floats:
    r"""Return the covariance (n, n) of the ratings by the inverse information.

    Notes
    -----
    It takes all battles as independent. Where one score enters many battles, as in EPP, its
    standard errors are two to six times too small: use :func:`sandwich_of_rounds` or resample.
    """
    return centred_twice(_bread(fit, pairs)[: pairs.n, : pairs.n])


def sandwich(fit: Fit, pairs: PairCounts) -> Floats:
    r"""Return the covariance (n, n) with every battle a unit, whatever the model says of ties.

    .. math:: V = H^{-1} \Bigl(\sum_c u_c u_c^\top\Bigr) H^{-1}

    References
    ----------
    .. [1] White (1982), "Maximum likelihood estimation of misspecified models", Econometrica 50.
    """
    terms = _terms(fit, pairs)
    counts = np.stack([pairs.wins, pairs.losses, pairs.ties])
    squares = (counts * product for product in (terms.x**2, terms.x * terms.t, terms.t**2))
    return _between(fit, pairs, _meat(pairs, *(total.sum(axis=0) for total in squares)))


def sandwich_of_battles(fit: Fit, battles: Battles) -> Floats:
    r"""Return the covariance (n, n) with the clusters of a battle log (voters, prompts) as units.

    Without clusters every battle is a unit; one cell's weight is then taken as shared equally by
    its battles. With K clusters the sum is multiplied by K / (K - 1).
    """
    cells = CellPairs(battles)
    if battles.clusters is None:
        pairs = cells.counts()
        along_x, along_t = _along(fit, cells, battles)
        number = np.maximum(np.asarray(battles.battles, dtype=np.float64), 1.0)
        squares = (along_x**2, along_x * along_t, along_t**2)
        sums = [np.bincount(cells.pair, s / number, len(pairs.first)) for s in squares]
        return _between(fit, pairs, _meat(pairs, *np.asarray(sums, dtype=np.float64)))
    row = np.unique(battles.clusters, return_inverse=True)[1]
    return _between(fit, cells.counts(), _clustered(scores_of_cells(fit, battles, cells), row))


def scores_of_cells(
    fit: Fit, battles: Battles, cells: CellPairs | None = None, *, stretched: bool = False
) -> Any:
    r"""Return what the cells of a log add to the likelihood equations, sparse (C, n + 1).

    Parameters
    ----------
    stretched
        Whether residuals r get back what the fit has taken from them. The fewer matches somebody
        has, the nearer are the ratings to them: of variance v, a residual keeps (1 - h) v. So it
        becomes :math:`\pm\sqrt{r^2 + h \varphi v}`, with the leverage h of one battle [1]_ and
        :math:`\varphi` the variance of all residuals beside that of the model.

    References
    ----------
    .. [1] MacKinnon, White (1985), "Some heteroskedasticity-consistent covariance matrix
       estimators with improved finite sample properties", Journal of Econometrics 29.
    """
    from scipy.sparse import coo_array

    cells = CellPairs(battles) if cells is None else cells
    along_x, along_t = _along(fit, cells, battles)
    if stretched:
        along_x = _stretched(fit, cells, battles, along_x)
    first, second = cells.first[cells.pair], cells.second[cells.pair]
    size = len(along_x)
    values = np.concatenate([along_x, -along_x, along_t])
    columns = np.concatenate([first, second, np.full(size, cells.n)])
    rows = np.tile(np.arange(size), 3)
    return coo_array((values, (rows, columns)), shape=(size, cells.n + 1)).tocsr()


def sandwich_of_rounds(
    fit: Fit,
    scores: Floats,
    *,
    round_weights: Floats | None = None,
    pairing: str = "same",
    tie_tol: float = 0.0,
    clusters: Sequence[object] | None = None,
) -> Floats:
    r"""Return the covariance (n, n) with the rounds of a table of scores (n, S) as units.

    The score of a round is the derivative of the likelihood equations by its weight, so that
    with ``pairing="all"`` a round counts in all the battles that it has a part in. With S rounds
    the sum is multiplied by S / (S - 1). Where rounds have ``clusters`` (S,), these are the units.
    """
    by_round, weights = scores_of_rounds(
        fit, scores, round_weights=round_weights, pairing=pairing, tie_tol=tie_tol
    )
    return _between(fit, fit.pairs, meat_of_units(by_round, weights, clusters))


def scores_of_rounds(
    fit: Fit,
    scores: Floats,
    *,
    round_weights: Floats | None = None,
    pairing: str = "same",
    tie_tol: float = 0.0,
) -> tuple[Floats, Floats]:
    """Return what rounds add to the likelihood equations (S, n + 1), and their weights (S,)."""
    table, rows = checked_rounds(scores, round_weights, pairing=pairing, tie_tol=tie_tol)
    n, rounds = table.shape
    weights = np.ones(rounds) if rows is None else rows[0]
    x = fit.ratings[:, None] - fit.ratings[None, :]
    terms = _model(fit)(x, _tie(fit))
    by_round = np.zeros((rounds, n + 1))
    for s in range(rounds):
        counts = weights[s] * (_same if pairing == "same" else _all)(table, weights, s)
        counts[:, np.arange(n), np.arange(n)] = 0.0
        by_round[s, :n] = np.einsum("kij,kij->i", counts, terms.x)
        by_round[s, n] = np.einsum("kij,kij->", counts, terms.t) / 2
    return by_round, weights


def influences(fit: Fit, by_unit: Floats, sizes: Floats) -> Floats:
    r"""Return how far each unit moves the ratings, to first order, (n, U).

    .. math:: \psi_u = H^{-1} \Bigl(s_u - \frac{w_u}{\sum_v w_v} \sum_v s_v\Bigr)

    with the scores s (U, n + 1) and the sizes w (U,) of the units: were unit u there
    :math:`1 + \varepsilon` times, the ratings would move by :math:`\varepsilon \psi_u`. The sum
    over units is not 0 only where ratings are penalised.

    References
    ----------
    .. [1] Huber (1967), "The behavior of maximum likelihood estimates under nonstandard
       conditions", Proc. 5th Berkeley Symposium 1.
    """
    n = fit.pairs.n
    bread = _bread(fit, fit.pairs)[:n]
    bread = bread - bread.mean(axis=0)
    found: Floats = bread @ np.asarray(by_unit.T)
    return np.asarray(found - found.sum(axis=1, keepdims=True) * (sizes / sizes.sum()))


def meat_of_units(
    by_round: Floats, weights: Floats, clusters: Sequence[object] | None = None
) -> Floats:
    """Return the sum (p, p) of squares of the scores (S, p) of rounds, or of their clusters.

    A round of weight 0 is no unit. With K units the sum is multiplied by K / (K - 1).
    """
    there = weights > 0
    labels = (
        np.arange(len(by_round))
        if clusters is None
        else np.unique(np.asarray(clusters), return_inverse=True)[1]
    )
    units, row = np.unique(labels[there], return_inverse=True)
    _require_clusters(len(units))
    sums = np.zeros((len(units), by_round.shape[1]))
    np.add.at(sums, row, by_round[there])
    meat: Floats = sums.T @ sums * (len(units) / (len(units) - 1))
    return meat


def quasi_variances(covariance: Floats) -> Floats:
    r"""Return n numbers whose sums are, nearly, the variances of all differences.

    .. math:: \arg\min_q \sum_{i<j} \bigl(\log(q_i + q_j)
        - \log \operatorname{Var}(b_i - b_j)\bigr)^2

    They say with one number per candidate what a column of standard errors relative to some
    reference cannot. A few may be negative; a variance of 0 leaves them undefined (NaN).

    References
    ----------
    .. [1] Firth, de Menezes (2004), "Quasi-variances", Biometrika 91(1).
    """
    n = len(covariance)
    first, second = np.triu_indices(n, 1)
    own = np.diagonal(covariance)
    variances = own[first] + own[second] - 2 * covariance[first, second]
    if n < FEWEST_CONTRASTS or not (variances > 0).all():
        return np.full(n, np.nan)
    total = variances.sum() / (n - 1)  # of all n, were they exact
    shares = np.bincount(first, variances, n) + np.bincount(second, variances, n)
    found: Floats = (shares - total) / (n - 2)
    for _ in range(MOST_STEPS):
        sums = np.maximum(found[first] + found[second], variances / 10)
        slope, gap = 1 / sums, np.log(sums / variances)
        square = np.zeros((n, n))
        square[first, second] = square[second, first] = slope**2
        square[np.arange(n), np.arange(n)] = square.sum(axis=1)
        right = np.bincount(first, gap * slope, n) + np.bincount(second, gap * slope, n)
        step = np.linalg.solve(square, right)
        found -= step
        if np.abs(step).max() <= SETTLED * variances.max():
            break
    return found


def information(fit: Fit, pairs: PairCounts) -> Floats:
    """Return the information (n + 1, n + 1) of ratings and tie parameter, made regular.

    Where ratings alone are fitted, the last row and column are those of the identity.
    """
    terms = _terms(fit, pairs)
    counts = np.stack([pairs.wins, pairs.losses, pairs.ties])
    bends = (-(counts * bend).sum(axis=0) for bend in (terms.xx, terms.xt, terms.tt))
    system = bordered(pairs, *bends)
    ridge = fit.strength if fit.penalty == "ridge" else 0.0
    system[np.arange(pairs.n), np.arange(pairs.n)] += ridge
    if not fit.with_parameter:
        system[-1, -1] = 1.0
    return system


def _bread(fit: Fit, pairs: PairCounts) -> Floats:
    counts = with_pseudo_wins(pairs, fit.strength) if fit.penalty == "pseudo" else pairs
    inverse: Floats = np.linalg.inv(information(fit, counts))
    return inverse


def _between(fit: Fit, pairs: PairCounts, meat: Floats) -> Floats:
    bread = _bread(fit, pairs)
    bread[: pairs.n] -= bread[: pairs.n].mean(axis=0)
    return centred_twice((bread @ meat @ bread.T)[: pairs.n, : pairs.n])


def _meat(pairs: PairCounts, xx: Floats, xt: Floats, tt: Floats) -> Floats:
    meat = bordered(pairs, xx, xt, tt)
    meat[: pairs.n, : pairs.n] = centred_twice(meat[: pairs.n, : pairs.n])
    return meat


def _clustered(by_cell: Any, rows: Integers) -> Floats:
    from scipy.sparse import coo_array

    count = int(rows.max(initial=-1)) + 1
    _require_clusters(count)
    cells = len(rows)
    members = coo_array((np.ones(cells), (rows, np.arange(cells))), shape=(count, cells)).tocsr()
    scores = members @ by_cell
    meat: Floats = (scores.T @ scores).toarray() * (count / (count - 1))
    return meat


def _require_clusters(count: int) -> None:
    if count < FEWEST_CLUSTERS:
        raise DataError(
            f"a sandwich covariance needs two clusters or more, got {count}.",
            hint="take every battle or round as a unit, or Fisher's covariance.",
        )


def _model(fit: Fit) -> TieModel:
    return tie_model(fit.ties if fit.with_parameter else "half")


def _tie(fit: Fit) -> float:
    return fit.tie if fit.with_parameter and fit.tie is not None else 0.0


def _along(fit: Fit, cells: CellPairs, battles: Battles) -> tuple[Floats, Floats]:
    """Return what each cell says of the difference of its pair, and of the tie parameter."""
    terms = _terms(fit, cells.counts())
    weights = np.asarray(battles.weights, dtype=np.float64)
    along_x, along_t = (part[cells.kind, cells.pair] * weights for part in (terms.x, terms.t))
    return along_x, along_t


def _stretched(fit: Fit, cells: CellPairs, battles: Battles, along_x: Floats) -> Floats:
    """Return what cells say of differences, with the variance that it had before the fit."""
    pairs, counts = cells.counts(), np.asarray(battles.battles, dtype=np.float64)
    each = np.asarray(battles.weights, dtype=np.float64) / counts
    outcomes = np.stack([pairs.wins, pairs.losses, pairs.ties])
    bends = -(outcomes * _terms(fit, pairs).xx).sum(axis=0)
    bread = _bread(fit, fit.pairs)
    own = np.diagonal(bread)
    far = own[pairs.first] + own[pairs.second] - 2 * bread[pairs.first, pairs.second]
    usual = np.divide(bends, pairs.met, out=np.zeros(len(bends)), where=pairs.met > 0)[cells.pair]
    leverage = np.clip(each * usual * far[cells.pair], 0.0, 1.0)
    residual = np.divide(along_x, counts * each, out=np.zeros(len(each)), where=each > 0)
    left = float((counts * each**2 * usual * (1 - leverage)).sum())
    times = float((counts * each**2 * residual**2).sum()) / left if left > 0 else 0.0
    whole = np.copysign(np.sqrt(residual**2 + leverage * times * usual), residual)
    return np.asarray(whole * counts * each)


def _terms(fit: Fit, pairs: PairCounts) -> Terms:
    return _model(fit)(fit.ratings[pairs.first] - fit.ratings[pairs.second], _tie(fit))


def _same(scores: Floats, weights: Floats, s: int) -> Floats:  # noqa: ARG001 - as _all
    """Return who won, lost and tied against whom in round s, (3, n, n)."""
    mine, yours = scores[:, s, None], scores[None, :, s]
    return np.stack([mine > yours, mine < yours, mine == yours]).astype(np.float64)


def _all(scores: Floats, weights: Floats, s: int) -> Floats:
    """Return the weight of what was won, lost and tied with a part of round s, (3, n, n)."""
    n = len(scores)
    here = scores[:, s]
    there = ~np.isnan(here)
    below, upto, total = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
    for j, row in enumerate(scores):
        order = np.argsort(row)[: np.count_nonzero(~np.isnan(row))]
        reached = np.append(0.0, np.cumsum(weights[order]))
        total[j] = reached[-1]
        below[there, j] = reached[np.searchsorted(row[order], here[there], side="left")]
        upto[there, j] = reached[np.searchsorted(row[order], here[there], side="right")]
    won = below + (total * there[:, None] - upto).T
    tied = upto - below
    return np.stack([won, won.T, tied + tied.T])
