"""Tables or battle logs in, ratings out: EPP of Gosiewska et al. (2019) and its relatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    on_page,
    quoted,
)
from deadheat.core.memory import require_count
from deadheat.core.options import ERRORS
from deadheat.core.types import require_seed, require_whole
from deadheat.data.battles import Battles
from deadheat.data.boards import Brief, boards_of
from deadheat.data.missing import apply_policy
from deadheat.data.reading.read import OF_LOGS, peekable, require_known
from deadheat.data.results import Nouns, Results
from deadheat.output.result import Boards
from deadheat.rate.calibration import SIMULATIONS
from deadheat.rate.estimates import Estimates
from deadheat.rate.evidence import rating_groups, rating_intervals
from deadheat.rate.models import MODELS
from deadheat.rate.options import BASE, IN_ORDER, STEP, WIDTH, Options, rating_scale
from deadheat.rate.result import Ratings
from deadheat.rate.source import (
    field_of,
    noun_of_part,
    read_costs,
    read_for_rating,
    require_of_log,
    tournaments_of,
)
from deadheat.rate.tournaments import RatingParts, mean_estimates
from deadheat.rate.words import rating_cautions
from deadheat.resampling.checkpoint import resumable
from deadheat.resampling.engines import Engine, Progress, one_blas_thread, with_progress
from deadheat.resampling.plans import Plan
from deadheat.statistics.corrections import require_alpha
from deadheat.statistics.evidence import require_enough_replicates

REPLICATES, MOST_REPLICATES = 1_000, 10_000
BYTES_PER_RATING = 96  # of every resample, with what is made of it
SECONDS_PER_FIT, SECONDS_PER_PAIR, SECONDS_PER_MATCH = 3e-5, 2.5e-7, 2e-6
SPARE = 1.25  # some resamples are left out where candidates are rare
Parts: TypeAlias = Mapping[str, Results | Battles]
CONNECTED = ("epp", "bradley-terry")  # models without a scale between parts that never met


@resumable
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
    cost: str | None = None,
    show_only: str | Sequence[str] | None = None,
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
        separates the members of a side (``+``), which are rated; or of ensembles in a table, which
        are rated themselves and compared with their members by the table ``ensembles``.
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
    cost
        The column of a long table with what a fit cost (time, money), for the table ``tuning``.
    show_only
        Names or patterns (``knn_*``) of candidates: tables and pictures show these, all are rated.
        Results have it as a method.
    note
        Is told before the long work who of a log is left out; the warnings say it too.

    Notes
    -----
    Where somebody never lost, no resample has a loss: intervals and groups between such parts of
    the field come from the number of matches, see
    :class:`deadheat.rate.evidence.Separation`, and have one end or none;
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
    of_logs = {*OF_LOGS, "ordered"}
    require_known(rate, {name: value for name, value in reading.items() if name not in of_logs})
    require_seed(seed)
    _require_simulations(simulations, alpha)
    with peekable(source, reading) as file:
        ordered = model in IN_ORDER
        data = read_for_rating(file, reading, tournament, round, ordered=ordered, engine=engine)
        costs = {} if cost is None else read_costs(file, reading, tournament, round, cost, data)
    usual = "epp" if isinstance(data, Results) else "bradley-terry"
    model = usual if model is None else model.replace("_", "-")
    MODELS.named(model)
    parted: Any = {"largest_part": largest_part, "min_matches": min_matches}
    require_of_log(data, **parted, teams=teams)
    parted["connected"] = model in CONNECTED and teams is None
    choose: Callable[[Battles], Battles] = partial(field_of, **parted)
    tell = note or (lambda _: None)
    whole = None
    boards: Parts = {}
    if isinstance(data, Battles) and reading.get("each") is not None:
        boards, data = data.parts(), data.together()
    if isinstance(data, Battles) and data.categories is None:
        whole, data = data, choose(data)
        for text in each_once({"": data.notes}, whole.notes):
            tell(text)
    tests = max(1, data.n * (data.n - 1) if test == "holm" else data.n - 1)  # that Holm corrects
    enough = int(np.clip(np.ceil(SPARE * tests / alpha), REPLICATES, MOST_REPLICATES))
    replicates = enough if replicates is None else replicates
    require_whole("replicates", replicates, 1, hint=f"as usual: {command_with(replicates=None)}")
    options = Options.of(locals())  # the parameters are the options, by their names
    if errors == "bootstrap":
        require_enough_replicates(replicates, alpha, tests, usual=REPLICATES)
    parts = tournaments_of(data, tournament)
    _require_room(data, 1 if parts is None else len(parts), options)
    _require_weights(tournament_weights, parts)
    of_rounds = round is not None
    if parts is None:
        asked: Any = {"of_rounds": of_rounds, "costs": costs.get("")}
        asked["sha256"] = None if whole is None else whole.sha256
        one = _with_boards(_ratings(data, options, **asked), data, options, of_rounds=of_rounds)
        if boards:
            column = str(reading["each"])
            one = _with_boards_of_log(one, *_fields(boards, choose), options, column=column)
        return one if show_only is None else one.show_only(show_only)
    fields, refused = _fields(parts, choose)
    if isinstance(data, Battles):
        notes = {name: fields[name].notes for name in parts if name not in refused}
        for text in each_once(notes, data.notes):
            tell(text)
    each = _rate_each(fields, refused, options, of_rounds=of_rounds, costs=costs)
    _require_some_weight(tournament_weights, each)
    weights = None if tournament_weights is None else dict(tournament_weights)
    left_out = {name: refused[name].fact for name in parts if name in refused}
    several = _several(data, each, left_out, options, weights, tournament)
    return several if show_only is None else several.show_only(show_only)


def _several(
    data: Results | Battles,
    each: dict[str, Ratings],
    left_out: dict[str, str],
    options: Options,
    weights: dict[str, float] | None,
    tournament: str | None,
) -> RatingParts:
    """Return the ratings of several tournaments, with their mean where there is one."""
    said = each_once({name: r.warnings for name, r in each.items()}, data.notes)
    made, mean = options.provenance(data, tournament_weights=weights), None
    noun = noun_of_part(data, tournament)
    found = mean_estimates(each, weights, options, noun) if isinstance(data, Results) else None
    if found is not None:
        by_t = replace(options, interval=options.interval or "wald")
        of: Any = {"nouns": replace(data.nouns, judge=noun), "rounds": found.evidence.units}
        mean = _with_groups(found, by_t, made=made, library=data.library, **of)
        said += [text for text in mean.warnings if text not in said]
    several = RatingParts(
        made=made,
        noun=noun,
        nouns=data.nouns,
        warnings=(*data.notes, *_left_out_in_words(left_out), *said),
        library=data.library,
        parts=each,
        mean=mean,
        left_out=left_out,
        weights=weights,
        kind="category" if isinstance(data, Battles) else "tournament",
        alpha=options.alpha,
        seed=options.seed,
    )
    return several.with_leaders()


def _with_boards(
    whole: Ratings, data: Results | Battles, options: Options, *, of_rounds: bool
) -> Ratings:
    """Return ratings with those of the parts of a table, if it has some."""

    def board(part: Results) -> Brief:
        asks = part.has_holes and part.missing == "error"
        held = apply_policy(part, "available") if asks else part
        return _ratings(held, options, of_rounds=of_rounds).brief()

    if isinstance(data, Battles):
        return whole
    if data.parts and all(part.n < 2 for part in data.parts):
        alone = f"each {data.each} has one {data.nouns.candidate}: nobody is compared within one."
        return replace(whole, warnings=(*whole.warnings, alone))
    return replace(
        whole, boards=boards_of(data, "rating", board, digits=lambda _: whole.scale.digits)
    )


def _with_boards_of_log(
    whole: Ratings,
    fields: Parts,
    refused: dict[str, DataError],
    options: Options,
    *,
    column: str,
) -> Ratings:
    """Return ratings of a log with a board for each part of it that can be rated."""
    each = _rate_each(fields, refused, options, of_rounds=False, costs={})
    left_out = {name: refused[name].fact for name in fields if name in refused}
    boards = Boards(
        column=column,
        heading="rating",
        candidate=whole.nouns.candidate,
        judges=whole.nouns.judges(),
        digits=whole.scale.digits,
        boards=tuple(
            r.brief().board(name, candidates=len(r.candidates), judges=r.rounds)
            for name, r in each.items()
        ),
    )
    warnings = (*whole.warnings, *_left_out_in_words(left_out))
    return replace(whole, boards=boards, warnings=warnings)


def _left_out_in_words(left_out: Mapping[str, str]) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        yield f"{counted(len(names), 'part')} left out ({listed(names, most=3)}): {reason}"


def _ratings(
    data: Results | Battles, options: Options, *, sha256: str | None = None, **whole: Any
) -> Ratings:
    """Rate one tournament; ``sha256`` is that of the whole log, where it is a part of one."""
    with one_blas_thread():  # a few hundred candidates: more threads wait for each other
        found = MODELS[options.model](data, options)
    made = replace(options, errors=found.errors).provenance(data, sha256=sha256)
    size = data.m if isinstance(data, Results) else data.total
    whole |= {"made": made, "library": data.library, "nouns": data.nouns, "rounds": size}
    return _with_groups(found, options, notes=data.notes, **whole)


def _with_groups(
    found: Estimates,
    options: Options,
    *,
    nouns: Nouns,
    notes: tuple[str, ...] = (),
    **whole: Any,
) -> Ratings:
    evidence, alpha = found.evidence, options.alpha
    of_scale: Any = {name: getattr(options, name) for name in ("anchor", "base", "width", "centre")}
    grouped = rating_groups(evidence, alpha=alpha, strict=options.strict, test=options.test)
    return Ratings(
        **vars(found),
        **whole,
        warnings=(*notes, *rating_cautions(found, grouped, options, nouns)),
        nouns=nouns,
        model=options.model,
        bounds=rating_intervals(evidence, alpha=alpha, kind=options.interval),
        grouped=grouped,
        scale=rating_scale(options.scale, evidence.ratings, found.candidates, **of_scale),
        alpha=alpha,
        simulations=options.simulations,
        seed=options.seed,
        on=options.engine,
    )


# Several tournaments, each rated by itself: those that can be, and why others cannot.


def _fields(
    parts: Parts, choose: Callable[[Battles], Battles]
) -> tuple[dict[str, Results | Battles], dict[str, DataError]]:
    fields, refused = dict(parts), dict[str, DataError]()
    for name, part in parts.items():
        if isinstance(part, Battles):
            try:
                fields[name] = choose(part)
            except DataError as error:
                refused[name] = error
    return fields, refused


def _rate_each(
    parts: Parts,
    refused: dict[str, DataError],
    options: Options,
    *,
    of_rounds: bool,
    costs: Mapping[str, Mapping[str, float]],
) -> dict[str, Ratings]:
    """Return the ratings of each tournament, and put into ``refused`` why others have none."""
    each: dict[str, Ratings] = {}
    for name in with_progress(parts, len(parts), options.progress):
        if name in refused:
            continue
        # the seed of a tournament depends on its name and not on other tournaments
        digest = sha256(f"{options.seed}/{name}".encode()).digest()
        own = replace(options, seed=int.from_bytes(digest[:4], "big"), progress=None)
        try:
            spent = costs.get(name)
            each[name] = _ratings(parts[name], own, of_rounds=of_rounds, costs=spent)
        except DataError as error:
            refused[name] = error
        except UnknownNameError as error:
            raise UsageError(f"in {quoted(name)}: {error.fact}", hint=error.hint) from None
    if not each:
        name = next(name for name in parts if name in refused)
        raise DataError(f"in {quoted(name)}: {refused[name].fact}", hint=refused[name].hint)
    return each


def each_once(each: Mapping[str, Iterable[str]], notes: Iterable[str]) -> list[str]:
    """Return what is said of each tournament once, with where it holds if not everywhere.

    >>> each_once({"a": ["few"], "b": ["few", "odd"]}, notes=[])
    ['few', 'b: odd']
    """
    known, where = set(notes), dict[str, list[str]]()
    for name, texts in each.items():
        for text in texts:
            if text not in known:
                where.setdefault(text, []).append(name)
    return [
        text if len(names) == len(each) else _of_some(text, f"{listed(names, most=3)}: ")
        for text, names in where.items()
    ]


def _of_some(text: str, where: str) -> str:
    if not isinstance(text, Words):
        return f"{where}{text}"
    page = f"{where}{on_page(text)}"
    return Words(f"{where}{text}", page=page, weight=text.weight, good=text.good)


def _require_weights(weights: Mapping[str, float] | None, parts: Parts | None) -> None:
    if weights is None:
        return
    without = f"without weights: {command_with(tournament_weights=None)}"
    if parts is None:
        fact = "weights of tournaments are given, and there is one tournament."
        raise UsageError(fact, hint=without)
    for name, weight in weights.items():
        if name not in parts:
            raise UnknownNameError("tournament", str(name), tuple(parts))
        if not (np.isfinite(weight) and weight >= 0):
            fact = f"the weight of {quoted(name)} is {weight!r}, not a number of at least 0."
            raise UsageError(fact, hint=without)
    _require_some_weight(weights, parts)


def _require_some_weight(weights: Mapping[str, float] | None, parts: Iterable[str]) -> None:
    if weights is not None and not any(weights.get(name, 1.0) > 0 for name in parts):
        hint = f"without weights: {command_with(tournament_weights=None)}"
        raise UsageError("every tournament that is rated has weight 0.", hint=hint)


# Numbers that can be asked for.


def _require_room(data: Results | Battles, parts: int, options: Options) -> None:
    n = data.n
    each = SECONDS_PER_FIT + SECONDS_PER_PAIR * n * n
    matches = data.cells if isinstance(data, Battles) else n * data.m
    replicates = options.replicates if options.errors == "bootstrap" else 0
    orders = options.shuffles if type(options.shuffles) is int else 0  # else the model refuses it
    for number, option, bytes_each, seconds in (
        (replicates, "replicates", BYTES_PER_RATING * n * parts, each),
        (options.simulations, "simulations", BYTES_PER_RATING, each),
        (orders, "shuffles", BYTES_PER_RATING * n, SECONDS_PER_MATCH * matches),
    ):
        require_count(number, option, option=option, bytes_each=bytes_each, seconds_each=seconds)


def _require_simulations(simulations: int, alpha: float) -> None:
    none = f"without them: {command_with(simulations=0)}"
    usual = f"as usual: {command_with(simulations=SIMULATIONS)}\n{none}"
    require_whole("simulations", simulations, 0, hint=usual)
    least = int(np.ceil(1 / alpha)) - 1
    if 0 < simulations < least:
        some = counted(simulations, "simulation")
        least_p = f"no p-value can be below 1/{simulations + 1}, and alpha is {alpha:g}"
        hint = f"with enough: {command_with(simulations=least)}\n{none}"
        raise UsageError(f"{some} cannot show that the model does not fit: {least_p}.", hint=hint)
