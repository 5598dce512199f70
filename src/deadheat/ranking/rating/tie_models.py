"""How a battle can end, given the difference of two ratings: half ties, Davidson, Rao-Kupper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deadheat.errors import UnknownNameError
from deadheat.typing import Floats

Ties = Literal["half", "davidson", "rao-kupper"]


@dataclass(frozen=True, eq=False)
class Terms:
    """Hold the log-likelihood of one battle of each pair, and its derivatives.

    All arrays are (3, ...): as if ``first`` had won, lost, tied. x is the difference of the
    ratings, t the tie parameter.
    """

    logs: Floats
    x: Floats
    t: Floats
    xx: Floats
    xt: Floats
    tt: Floats


def half(x: Floats, tie: Floats | float) -> Terms:  # noqa: ARG001 - the shape of a tie model
    """Take a tie as half a win and half a loss: a quasi-likelihood without a tie parameter."""
    won = _logistic(x)
    win, loss = _log_logistic(x), _log_logistic(-x)
    none = np.zeros((3, *x.shape))
    return Terms(
        np.stack([win, loss, (win + loss) / 2]),
        np.stack([1 - won, -won, 0.5 - won]),
        none,
        np.broadcast_to(-won * (1 - won), none.shape),
        none,
        none,
    )


def davidson(x: Floats, tie: Floats | float) -> Terms:
    r"""Give a tie odds that depend on the geometric mean of both strengths.

    .. math:: P(\text{win}) : P(\text{loss}) : P(\text{tie}) = e^{x/2} : e^{-x/2} : \nu,
        \quad t = \log \nu

    References
    ----------
    .. [1] Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired
           comparison experiments", Journal of the American Statistical Association 65(329).
    """
    log_odds = np.stack([x / 2, -x / 2, np.broadcast_to(np.asarray(tie, dtype=float), x.shape)])
    top = log_odds.max(axis=0)
    logs = log_odds - top - np.log(np.exp(log_odds - top).sum(axis=0))
    won, lost, tied = np.exp(logs)
    lead = (won - lost) / 2
    return Terms(
        logs,
        np.stack([0.5 - lead, -0.5 - lead, -lead]),
        np.stack([-tied, -tied, won + lost]),
        np.broadcast_to(lead**2 - (won + lost) / 4, logs.shape),
        np.broadcast_to(lead * tied, logs.shape),
        np.broadcast_to(-tied * (won + lost), logs.shape),
    )


def rao_kupper(x: Floats, tie: Floats | float) -> Terms:
    r"""Call a battle tied in which neither is ahead by more than a threshold.

    .. math:: P(\text{win}) = \sigma(x - t), \quad P(\text{loss}) = \sigma(-x - t), \quad
        t = \log \theta > 0

    References
    ----------
    .. [1] Rao, Kupper (1967), "Ties in paired-comparison experiments: a generalization of the
           Bradley-Terry model", Journal of the American Statistical Association 62(317).
    """
    not_won, not_lost = _logistic(tie - x), _logistic(tie + x)
    win, loss = _log_logistic(x - tie), _log_logistic(-x - tie)
    bent_win, bent_loss = not_won * (1 - not_won), not_lost * (1 - not_lost)
    rest = -np.expm1(-2 * np.asarray(tie, dtype=float))  # 1 - exp(-2t)
    bend = 4 * (1 - rest) / rest**2
    return Terms(
        np.stack([win, loss, win + loss + 2 * tie + np.log(rest)]),
        np.stack([not_won, -not_lost, not_won - not_lost]),
        np.stack([-not_won, -not_lost, 2 / rest - not_won - not_lost]),
        np.stack([-bent_win, -bent_loss, -bent_win - bent_loss]),
        np.stack([bent_win, -bent_loss, bent_win - bent_loss]),
        np.stack([-bent_win, -bent_loss, -bent_win - bent_loss - bend]),
    )


TieModel = Callable[[Floats, "Floats | float"], Terms]
MODELS: dict[str, TieModel] = {"half": half, "davidson": davidson, "rao-kupper": rao_kupper}
WITHOUT_TIES = {"half": None, "davidson": -np.inf, "rao-kupper": 0.0}


def tie_model(name: str) -> TieModel:
    """Return the tie model of that name."""
    try:
        return MODELS[name]
    except (KeyError, TypeError):
        raise UnknownNameError("tie model", str(name), get_args(Ties)) from None


def first_tie(name: str, share: float) -> float:
    """Return the tie parameter that gives equals this share of ties, to start from."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    odds = share / (1 - share)
    return float(np.log(2 * odds) if name == "davidson" else np.log1p(2 * odds))


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit

    found: Floats = expit(x)
    return found


def _log_logistic(x: Floats) -> Floats:
    from scipy.special import log_expit

    found: Floats = log_expit(x)
    return found
