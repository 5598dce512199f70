"""How much tuning gains: ratings of the settings of an algorithm, and the best against the default.

Everything here works on the scores of one data set and on a function that rates them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deadheat.errors import UnknownNameError, UsageError, quoted
from deadheat.inference.held_out import Gain, Halves, RateRounds, rated, round_weights_of
from deadheat.ranking.ranks import best_of
from deadheat.typing import Floats, Integers

HALVES = 100


@dataclass(frozen=True, eq=False, kw_only=True)
class Tunability:
    """Hold how the settings of one algorithm differ on one data set.

    Attributes
    ----------
    algorithm
        Its name.
    settings
        The numbers of the candidates that are its settings.
    range, iqr, sd
        Of their ratings: the largest less the smallest, the distance of the quartiles (the length
        of the box of a box plot), and the standard deviation (over settings - 1; NaN for one).
    best
        The number of the setting with the highest rating.
    gain
        What the best gains over the default; None where no default is known.
    """

    algorithm: str
    settings: Integers
    range: float
    iqr: float
    sd: float
    best: int
    gain: Gain | None


def tunability(
    scores: Floats,
    rate_rounds: RateRounds,
    *,
    algorithms: Sequence[str],
    defaults: Mapping[str, int] | None = None,
    round_weights: Floats | None = None,
    halves: int = HALVES,
    seed: int = 0,
) -> tuple[Tunability, ...]:
    r"""Return how tunable each algorithm is on one data set, in the order of their first settings.

    The gain is that of [2]_ on the scale of [1]_: :math:`b_{best} - b_{default}`, and the
    probability that the best beats the default is its logistic function.

    Parameters
    ----------
    scores
        (n, S), all candidates of the tournament on its rounds.
    rate_rounds
        Rates scores (n, S) under round weights (B, S), and returns (B, n).
    algorithms
        The algorithm of each candidate.
    defaults
        The number of the candidate that is the default setting, by algorithm.
    round_weights
        (S,), how much each round counts; all the same by default.
    halves
        How many halves to choose on. All there are, if they are as few.

    Notes
    -----
    Differs from [1]_ and [2]_: the best of many settings looks better than it is, because it was
    chosen for it. So the best is also chosen on one half of the rounds and measured on the rest.
    That is what choosing on half of the rounds gains; on all of them one chooses a little better.
    Where one setting wins every round of a half, its rating there is as large as the penalty lets
    it be; ``held_out_wins`` does not depend on that.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power", sec. 5.2.
    .. [2] Probst, Boulesteix, Bischl (2019), "Tunability: importance of hyperparameters of machine
           learning algorithms", JMLR 20(53).
    """
    if len(algorithms) != len(scores):
        raise UsageError(f"{len(algorithms)} algorithms are named for {len(scores)} candidates.")
    names = tuple(dict.fromkeys(map(str, algorithms)))
    of = np.array([names.index(str(name)) for name in algorithms])
    for name, default in (defaults or {}).items():
        _require_default(name, default, names, of)
    ratings = rated(scores, rate_rounds, round_weights_of(scores, round_weights)[None])[0]
    split = Halves(scores, rate_rounds, halves, seed, round_weights) if defaults else None
    found = []
    for a, name in enumerate(names):
        settings = np.flatnonzero(of == a)
        own = ratings[settings]
        quarter, three = np.quantile(own, [0.25, 0.75])
        best = int(settings[best_of(own)])
        gain = None
        if split is not None and defaults and name in defaults:
            gain = split.gain(ratings, settings, np.array([defaults[name]]))
        found.append(
            Tunability(
                algorithm=name,
                settings=settings,
                range=float(np.ptp(own)),
                iqr=float(three - quarter),
                sd=float(own.std(ddof=1)) if len(own) > 1 else float("nan"),
                best=best,
                gain=gain,
            )
        )
    return tuple(found)


def latest_gain(
    scores: Floats,
    rate_rounds: RateRounds,
    *,
    last: int,
    order: Sequence[int] | None = None,
    round_weights: Floats | None = None,
    halves: int = HALVES,
    seed: int = 0,
) -> Gain:
    """Return how the best of the last settings that were tried stands to the best before them.

    A stop rule for tuning: where the best of the last ``last`` settings beats the incumbent with a
    probability not above one half, those tries brought nothing. What settings that nobody has
    tried would bring cannot be known, and is not said here.

    Parameters
    ----------
    last
        How many settings were tried last.
    order
        The candidates in the order in which they were tried; as in the table by default. Others
        than these play and are rated, and are no settings.
    round_weights
        How much each round counts, (S,); all alike by default.

    Notes
    -----
    Differs from [1]_, sec. 6, which speaks of the probability that searching on improves the
    performance. Both sides are the best of some, chosen on the same rounds: the held-out numbers
    choose both on one half of the rounds and compare them on the other.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
           predictive power".
    """
    tried = np.arange(len(scores)) if order is None else np.asarray(order, dtype=np.int64)
    if len(np.unique(tried)) < len(tried) or (tried < 0).any() or (tried >= len(scores)).any():
        raise UsageError(
            f"the order must name candidates from 0 to {len(scores) - 1}, each at most once."
        )
    if type(last) is not int or not 1 <= last < len(tried):
        raise UsageError(
            f"last must be a whole number from 1 to {len(tried) - 1}, got {last!r}.",
            hint="at least one setting must have been tried before the last ones.",
        )
    ratings = rated(scores, rate_rounds, round_weights_of(scores, round_weights)[None])[0]
    split = Halves(scores, rate_rounds, halves, seed, round_weights)
    return split.gain(ratings, tried[-last:], tried[:-last])


def _require_default(name: str, default: int, names: Sequence[str], of: Integers) -> None:
    if name not in names:
        raise UnknownNameError("algorithm", name, names)
    if not 0 <= default < len(of) or names[of[default]] != name:
        raise UsageError(
            f"candidate {default} is named as the default of {quoted(name)}, and is no setting "
            "of it."
        )
