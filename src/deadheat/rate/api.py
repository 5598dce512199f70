"""Tables or battle logs in, ratings out: EPP of Gosiewska et al. (2019) and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, counted, listed, quoted
from deadheat.core.memory import require_count
from deadheat.data.battles import Battles
from deadheat.data.reading.read import require_known
from deadheat.data.results import Results
from deadheat.rate.calibration import SIMULATIONS
from deadheat.rate.groups import first_cautions, rating_groups
from deadheat.rate.intervals import rating_intervals
from deadheat.rate.matches import BASE, STEP, WIDTH, Asked, rating_scale
from deadheat.rate.models import MODELS, default_model
from deadheat.rate.result import Ratings
from deadheat.rate.source import (
    OF_LOGS,
    field_of,
    made_of,
    read_rated,
    require_of_log,
    tournaments_of,
)
from deadheat.rate.tournaments import RatingParts
from deadheat.rate.words import rating_cautions
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import Engine, Progress, one_blas_thread, watched
from deadheat.statistics.corrections import require_alpha
from deadheat.statistics.evidence import require_enough_replicates

# ------------------------------------------------------------------------------
# Several tournaments, each rated by itself: those that can be, and why others cannot.

RateOne = Callable[[str, Results | Battles], Ratings]


def rated_each(
    parts: Mapping[str, Results | Battles], rate_one: RateOne, progress: Progress | None
) -> tuple[dict[str, Ratings], dict[str, str]]:
    """Return the ratings of each tournament, and why those without ratings have none.

    A tournament whose data cannot be rated is left out. Where that is true of all, the first of
    them is the error.
    """
    each: dict[str, Ratings] = {}
    refused: dict[str, DataError] = {}
    for name in watched(parts, len(parts), progress):
        try:
            each[name] = rate_one(name, parts[name])
        except DataError as error:
            refused[name] = error
        except UnknownNameError as error:
            raise UsageError(f"in {quoted(name)}: {error.fact}", hint=error.hint) from None
    if not each:
        name, first = next(iter(refused.items()))
        raise DataError(f"in {quoted(name)}: {first.fact}", hint=first.hint)
    return each, {name: error.fact for name, error in refused.items()}


def seed_of(seed: int, name: str) -> int:
    """Return the seed of a tournament, which depends on its name and not on other tournaments."""
    return int.from_bytes(sha256(f"{seed}/{name}".encode()).digest()[:4], "big")


def gathered(
    notes: tuple[str, ...], each: Mapping[str, Ratings], left_out: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the warnings of all tournaments, each once and where it holds, and who is left out."""
    told = told_once({name: r.warnings for name, r in each.items()}, notes)
    reasons: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        reasons.setdefault(reason, []).append(name)
    without = (
        f"{counted(len(names), 'part')} left out ({listed(names, most=3)}): {reason}"
        for reason, names in reasons.items()
    )
    return (*notes, *without, *told)


def told_once(each: Mapping[str, Iterable[str]], notes: Iterable[str]) -> list[str]:
    """Return what is said of each tournament once, with where it holds if not everywhere.

    What ``notes`` say of all is left out.

    >>> told_once({"a": ["few"], "b": ["few", "odd"]}, [])
    ['few', 'b: odd']
    """
    known, where = set(notes), dict[str, list[str]]()
    for name, texts in each.items():
        for text in texts:
            if text not in known:
                where.setdefault(text, []).append(name)
    return [
        text if len(names) == len(each) else f"{listed(names, most=3)}: {text}"
        for text, names in where.items()
    ]


def require_weights(
    weights: Mapping[str, float] | None, parts: Mapping[str, Results | Battles] | None
) -> None:
    """Refuse weights of tournaments that do not exist, and weights that are none."""
    if weights is None:
        return
    if parts is None:
        raise UsageError(
            "tournament_weights= (--tournament-weight) are given, and there is one tournament.",
            hint="name the column of the data sets (tournament=) or of the categories (category=).",
        )
    for name, weight in weights.items():
        if name not in parts:
            raise UnknownNameError("tournament", str(name), tuple(parts))
        if not (np.isfinite(weight) and weight >= 0):
            raise UsageError(
                f"the weight of {quoted(name)} is {weight!r}.",
                hint="weights are numbers of at least 0; those not named have weight 1.",
            )
    require_some_weight(weights, parts)


def require_some_weight(weights: Mapping[str, float] | None, parts: Iterable[str]) -> None:
    """Refuse weights that leave nothing to average over."""
    if weights is not None and not any(weights.get(name, 1.0) > 0 for name in parts):
        raise UsageError(
            "every tournament that is rated has weight 0.",
            hint="give one of them a weight above 0, or leave out --tournament-weight "
            "(tournament_weights=).",
        )


# ------------------------------------------------------------------------------

REPLICATES, MOST_REPLICATES = 1_000, 10_000
BYTES_PER_RATING = 96  # of every resample, with what is made of it
SECONDS_PER_FIT, SECONDS_PER_PAIR, SECONDS_PER_MATCH = 3e-5, 2.5e-7, 2e-6
SPARE = 1.25  # some resamples are left out where candidates are rare
ERRORS = ("bootstrap", "sandwich", "fisher")
CONNECTED = ("epp", "bradley-terry")  # models without a scale between parts that never met


def rate(
    source: Any,
    *,
    model: str | None = None,
    pairing: str = "same",
    ties: str = "half",
    penalty: str = "auto",
    strength: float | None = None,
    scale: str = "logit",
    anchor: str | None = None,
    base: float = BASE,
    width: float = WIDTH,
    centre: float | None = None,
    errors: str = "bootstrap",
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    interval: str | None = None,
    strict: bool = False,
    test: str | None = None,
    simulations: int = SIMULATIONS,
    step: float = STEP,
    shuffles: int | None = None,
    advantage: bool = False,
    teams: str | None = None,
    tournament: str | None = None,
    round: str | None = None,  # noqa: A002 - the word of the paper and of the command line
    tournament_weights: Mapping[str, float] | None = None,
    largest_part: bool = False,
    min_matches: int | None = None,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    note: Callable[[str], None] | None = None,
    **reading: Any,
) -> Ratings | RatingParts:
    r"""Rate candidates so that differences of ratings are log-odds of winning.

    .. math:: \log \frac{P(i \text{ beats } j)}{P(j \text{ beats } i)} = b_i - b_j

    Parameters
    ----------
    source
        A table of scores, whose judges are the rounds (train/test splits, tasks), runs, or a
        battle log: a :class:`Results`, :class:`Runs` or :class:`Battles`, a path, a folder or
        pattern of log files, or any DataFrame. ``reading`` are the options of
        :func:`deadheat.read` or :func:`deadheat.read_battles`.
    model
        ``epp`` (for tables) and ``bradley-terry`` (for logs) are the same model; ``elo`` (online),
        ``gaussian`` (in the manner of TrueSkill), ``plackett-luce`` (whole rankings of rounds).
    pairing
        In a table, whether scores of the ``same`` round meet, or ``all`` as in [1]_, sec. 5.
    ties
        Half a win for both (``half``), or the models ``davidson`` and ``rao-kupper``.
    penalty, strength
        ``auto``: none where plain maximum-likelihood ratings exist, else ``firth``; ``ridge`` and
        ``pseudo`` have a strength.
    scale, base, width, centre
        ``logit``, or ``elo`` points: ``width`` points multiply the odds by ``base``.
    anchor
        The candidate that is put at the centre, or ``NAME=VALUE``. It only shifts ratings.
    errors
        ``bootstrap`` over rounds, battles or clusters of them; ``sandwich``, the fast one;
        ``fisher`` takes all matches as independent, which is wrong where scores meet many others.
    replicates
        How often to resample; by default 1,000, or as many as Holm's test of one candidate against
        all others needs, up to 10,000.
    interval
        ``percentile``, ``basic``, ``expanded-percentile``, or ``wald``.
    strict, test
        Whether tie groups come from tests of all pairs, ``max-t`` or ``holm``.
    simulations
        How many tables calibrate the deviance; 0 for none.
    step, shuffles
        For online models: the largest move of one battle (Elo's K), and over how many random
        orders to average, 0 for the order of the log.
    advantage, teams
        Whether the left side has an advantage of its own (home, first place), and the sign that
        separates the members of a side (``+``).
    tournament, round
        The columns of a long table that name the data set and the round (split, fold, seed). Each
        data set is rated by itself. Without ``round``, the clusters of the judges are the data
        sets. ``category`` does the same for battles. What cannot be rated is left out with a
        warning.
    tournament_weights
        How much each data set or category counts in means over them, by name; 1 where not named.
        None is compared with those of weight 0.
    largest_part, min_matches
        Of a log, whether to rate only the largest part that matches connect, which is done anyway
        where it has nine matches of ten; and to leave out whoever has fewer matches, again and
        again until everybody left has as many. A note says who is left out.
    plan
        Of a log, ``bayesian``: battles, or clusters of them, are weighted at random, so that no
        replicate lacks a battle; or ``bootstrap``: they are drawn with replacement, as those of
        ``elo`` are by default. Of a table, see :func:`deadheat.resampling.plans.plan_for`.
    note
        Is told before the long work who of a log is left out; the warnings say it too.

    Notes
    -----
    Where somebody never lost, no resample has a loss: intervals and groups between such parts of
    the field come from the number of matches, see
    :class:`deadheat.rate.intervals.Separation`, and have one end or none;
    ``first_share`` is null where these are too few. Those of ``gaussian`` are of beliefs.

    References
    ----------
    .. [1] Gosiewska, Woznica, Bakala, Zwolinski, Biecek (2019), "EPP: interpretable score of model
       predictive power".
    .. [2] Bradley, Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39.

    Examples
    --------
    >>> import deadheat as dh
    >>> log = dh.Battles(left="abcab", right="bcaba", winner=["left"] * 4 + ["right"])
    >>> r = dh.rate(log, replicates=100)
    >>> round(r.p_beats("a", "c").p, 2)
    0.65
    """
    require_alpha(alpha)
    if errors not in ERRORS:
        raise UnknownNameError("kind of standard error", str(errors), ERRORS)
    require_known(rate, {name: value for name, value in reading.items() if name not in OF_LOGS})
    _require_numbers(seed, simulations, alpha)
    found = read_rated(source, reading, tournament, round, ordered=model in ("elo", "gaussian"))
    name = default_model(found) if model is None else model.replace("_", "-")
    if name not in MODELS:
        raise UnknownNameError("rating model", str(model), tuple(MODELS))
    require_of_log(found, largest_part=largest_part, min_matches=min_matches, teams=teams)
    chosen = partial(
        field_of,
        largest_part=largest_part,
        min_matches=min_matches,
        connected=name in CONNECTED and teams is None,
    )
    sha256 = None
    if isinstance(found, Battles) and found.categories is None:
        sha256, log = found.sha256, found
        found = chosen(log)
        _tell(note, told_once({"": found.notes}, log.notes))
    asked = Asked(
        model=name,
        pairing=pairing,
        ties=ties,
        penalty=penalty,
        strength=strength,
        errors=errors,
        replicates=_enough(replicates, alpha, _tests(found.n, test)),
        alpha=alpha,
        seed=seed,
        plan=plan,
        step=step,
        shuffles=shuffles,
        advantage=advantage,
        teams=teams,
        engine=engine,
        progress=progress,
    )
    if errors == "bootstrap":
        require_enough_replicates(asked.replicates, alpha, _tests(found.n, test), usual=REPLICATES)
    shown = {"scale": scale, "anchor": anchor, "base": base, "width": width, "centre": centre}
    given = _Given(
        shown,
        interval=interval,
        strict=strict,
        test=test,
        simulations=simulations,
        of_rounds=round is not None,
        largest_part=largest_part,
        min_matches=min_matches,
        sha256=sha256,
    )
    parts = tournaments_of(found, tournament)
    _require_room(found, 1 if parts is None else len(parts), asked, simulations)
    require_weights(tournament_weights, parts)
    if parts is None:
        return _ratings(found, asked, given)

    fields = _fields(parts, chosen)
    _tell(note, told_once({name: field.notes for name, field in fields.items()}, found.notes))

    def rate_one(name: str, part: Results | Battles) -> Ratings:
        if isinstance(part, Battles):
            part = fields[name] if name in fields else chosen(part)
        return _ratings(part, replace(asked, seed=seed_of(seed, name), progress=None), given)

    each, left_out = rated_each(parts, rate_one, progress)
    require_some_weight(tournament_weights, each)
    weights = None if tournament_weights is None else dict(tournament_weights)
    return RatingParts(
        made=made_of(found, asked, **given.facts, tournament_weights=weights),
        warnings=gathered(found.notes, each, left_out),
        library=found.library,
        parts=each,
        left_out=left_out,
        weights=weights,
        kind="category" if isinstance(found, Battles) else "tournament",
        alpha=alpha,
        seed=seed,
    )


def _tell(note: Callable[[str], None] | None, texts: Iterable[str]) -> None:
    for text in texts:
        if note is not None:
            note(text)


def _fields(
    parts: Mapping[str, Results | Battles], chosen: Callable[[Battles], Battles]
) -> dict[str, Battles]:
    """Return who is rated in each part that is a log; what cannot be rated is refused later."""
    found: dict[str, Battles] = {}
    for name, part in parts.items():
        if isinstance(part, Battles):
            with suppress(DataError):
                found[name] = chosen(part)
    return found


@dataclass(frozen=True)
class _Given:
    """What was asked about the shape of the answer."""

    scale: dict[str, Any]
    interval: str | None
    strict: bool
    test: str | None
    simulations: int
    of_rounds: bool
    largest_part: bool
    min_matches: int | None
    sha256: str | None

    @property
    def facts(self) -> dict[str, Any]:
        """All of it by name."""
        shape = ("interval", "strict", "test", "simulations", "largest_part", "min_matches")
        return {**self.scale, **{name: getattr(self, name) for name in shape}}


def _ratings(found: Results | Battles, asked: Asked, given: _Given) -> Ratings:
    """Rate one tournament."""
    with one_blas_thread():  # a few hundred candidates: more threads wait for each other
        rated = MODELS[asked.model](found, asked)
    evidence, alpha = rated.evidence, asked.alpha
    scale = dict(given.scale)
    grouped = rating_groups(evidence, alpha=alpha, strict=given.strict, test=given.test)
    return Ratings(
        made=made_of(
            found, replace(asked, errors=rated.errors), sha256=given.sha256, **given.facts
        ),
        warnings=(
            *found.notes,
            *rating_cautions(rated, alpha=alpha, strict=given.strict, test=given.test),
            *first_cautions(grouped, rated.candidates),
        ),
        library=found.library,
        model=asked.model,
        candidates=rated.candidates,
        evidence=evidence,
        mle=rated.mle,
        record=rated.record,
        bounds=rating_intervals(evidence, alpha=alpha, kind=given.interval),
        grouped=grouped,
        scale=rating_scale(scale.pop("scale"), evidence.ratings, rated.candidates, **scale),
        alpha=alpha,
        errors=rated.errors,
        drawn=rated.drawn,
        fit=rated.fit,
        matches=rated.matches,
        simulations=given.simulations,
        seed=asked.seed,
        on=asked.engine,
        split_sd=rated.split_sd,
        of_rounds=given.of_rounds,
        extra=rated.extra,
    )


def _tests(n: int, test: str | None) -> int:
    """Return over how many tests Holm corrects: of one against all others, or of all pairs."""
    return max(1, n - 1 if test != "holm" else n * (n - 1))


def _enough(replicates: int | None, alpha: float, tests: int) -> int:
    """Return the number of replicates: as asked, else enough for so many tests."""
    if replicates is None:
        return int(np.clip(np.ceil(SPARE * tests / alpha), REPLICATES, MOST_REPLICATES))
    if type(replicates) is not int or replicates < 1:
        raise UsageError(
            f"replicates must be a whole number of at least 1, got {replicates!r}.",
            hint=f"{REPLICATES:,} is the usual number.",
        )
    return replicates


def _require_room(found: Results | Battles, parts: int, asked: Asked, simulations: int) -> None:
    """Refuse numbers of resamples, simulations or orders that do not fit into memory."""
    n = found.n
    each = SECONDS_PER_FIT + SECONDS_PER_PAIR * n * n
    matches = found.cells if isinstance(found, Battles) else n * found.m
    replicates = asked.replicates if asked.errors == "bootstrap" else 0
    orders = asked.shuffles if type(asked.shuffles) is int else 0  # else the model refuses it
    for number, option, bytes_each, seconds in (
        (replicates, "replicates", BYTES_PER_RATING * n * parts, each),
        (simulations, "simulations", BYTES_PER_RATING, each),
        (orders, "shuffles", BYTES_PER_RATING * n, SECONDS_PER_MATCH * matches),
    ):
        require_count(number, option, option=option, bytes_each=bytes_each, seconds_each=seconds)


def _require_numbers(seed: int, simulations: int, alpha: float) -> None:
    if type(seed) is not int or seed < 0:
        raise UsageError(
            f"the seed must be a whole number of at least 0, got {seed!r}.",
            hint="any such number will do; the same one gives the same answer.",
        )
    if type(simulations) is not int or simulations < 0:
        raise UsageError(
            f"simulations must be a whole number of at least 0, got {simulations!r}.",
            hint=f"{SIMULATIONS} is the usual number, 0 leaves them out.",
        )
    least = int(np.ceil(1 / alpha)) - 1
    if 0 < simulations < least:
        raise UsageError(
            f"{counted(simulations, 'simulation')} cannot show that the model does not fit: no "
            f"p-value can be below 1/{simulations + 1}, and alpha is {alpha:g}.",
            hint=f"take {least} or more, or 0 to leave them out.",
        )
