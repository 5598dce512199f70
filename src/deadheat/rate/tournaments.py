"""Ratings of several tournaments: one per data set, or per category of battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    Words,
    bare,
    command_with,
    counted,
    listed,
    named,
    plural_of,
    quoted,
)
from deadheat.core.options import RATING_TABLES
from deadheat.core.types import Floats, Integers, Row
from deadheat.core.weights import CAUTION, NARROW, OTHER_ORDER, SUPPORT
from deadheat.data.results import Nouns
from deadheat.output.result import Boards, Result
from deadheat.output.table import DOT, Column, Grid
from deadheat.output.text import number, percent
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_first, best_of, ranks, winners
from deadheat.rate.estimates import Estimates, names_matching
from deadheat.rate.evidence import RatingEvidence
from deadheat.rate.matches import Linear
from deadheat.rate.options import Options, RatingScale
from deadheat.rate.result import (
    KEYS,
    Ratings,
    RatingTable,
    by_name,
    omission_in_words,
    rating_grid,
)
from deadheat.rate.result import TABLES as OF_EACH
from deadheat.rate.schema import MeansRow, NavigationRow, TuningRow
from deadheat.rate.tunability import (
    Names,
    Tunability,
    about_navigation,
    about_tuning,
    navigation,
)
from deadheat.rate.words import SPOKEN, about_groups, headline, leader_reasons, meaning
from deadheat.resampling import plans
from deadheat.resampling.draws import multiplicities, stream
from deadheat.statistics.corrections import adjusted_p_values
from deadheat.statistics.embedding import Embedding, RatingMatrix, embedding, rating_matrix
from deadheat.statistics.units import units

# What data sets say together, and which of them go against the others.

ALL_EQUAL = 1e-9  # of the largest rating: ratings that vary less do not vary
HALF = 0.5 * (1 - 1e-12)  # of the weights, whose sums are rounded


class Agreement(NamedTuple):
    """Hold how the ratings of each data set agree with those of the others, an entry per data set.

    ``with_others`` is the upper median of the correlations with the others; NaN where ratings are
    all equal, as ``low`` to ``high`` (percentiles) and ``p_reversed`` (by Holm) are without
    replicates.
    """

    data_sets: tuple[str, ...]
    with_others: Floats
    discordant: Floats  # the mean share of pairs of settings in another order
    low: Floats
    high: Floats
    p_reversed: Floats
    reversed_: tuple[str, ...]  # those with a negative correlation, the most negative first
    beyond_noise: tuple[str, ...]
    common_order: bool  # whether these are less than half by weight
    spread: Floats
    alpha: float
    camps: tuple[tuple[str, ...], ...] = ()
    """Two, if all correlations are positive within them and negative between them."""


def data_set_agreement(
    matrix: RatingMatrix,
    *,
    replicates: Sequence[Floats] | None = None,
    weights: Floats | None = None,
    alpha: float = 0.05,
) -> Agreement:
    """Compare each data set with each of the others, by the ratings of the same settings.

    ``replicates`` are per data set the ratings (B, K) of resampled rounds. Correlations do not
    depend on how large ratings are, and a median not on one data set that reverses the order.
    Replicates are noisier than ratings: few splits hide a reversal and make none up.
    """
    matrix.require_whole()
    sets, size = matrix.data_sets, len(matrix.ratings)
    weight = np.ones(size) if weights is None else weights
    correlations = _with_the_others(matrix.ratings[:, None, :], weight)[:, 0]
    low, high, p = np.full((3, size), np.nan)
    if replicates is not None:
        least, last = max(size, replicates[0].shape[1]), min(map(len, replicates))
        step = max(1, WORKING_SET // (size * least))
        tiles = (
            np.stack([np.asarray(each[k : min(k + step, last)], np.float64) for each in replicates])
            for k in range(0, last, step)
        )
        again = np.concatenate([_with_the_others(tile, weight) for tile in tiles], axis=1)
        known = ~np.isnan(again).all(axis=1) & ~np.isnan(correlations)
        low[known], high[known] = np.nanquantile(again[known], [alpha / 2, 1 - alpha / 2], axis=1)
        counts = np.count_nonzero(~(again[known] < 0), axis=1)
        p[known] = adjusted_p_values((counts + 1) / (again.shape[1] + 1), "holm")
    against = [d for d in best_first(-correlations).tolist() if correlations[d] < 0]
    there = np.flatnonzero(weight > 0)  # only those that count are in a camp
    pairwise = _correlations(matrix.ratings[there])
    first = pairwise[0] > 0
    signed = np.where(first[:, None] == first, pairwise, -pairwise)
    opposed = not first.all() and bool((signed > 0).all())
    discordant, spread = _discordant(matrix.ratings, weight), matrix.ratings.std(axis=1)
    beyond = tuple(sets[d] for d in against if p[d] <= alpha)
    reverse, common = tuple(sets[d] for d in against), 2 * weight[against].sum() < weight.sum()
    camps = tuple(tuple(sets[d] for d in there[camp]) for camp in (first, ~first) if opposed)
    ends = (low, high, p, reverse, beyond, bool(common), spread, alpha, camps)
    return Agreement(sets, correlations, discordant, *ends)


def _with_the_others(ratings: Floats, weight: Floats) -> Floats:
    """Return the upper medians (D, B) of the correlations of ratings (D, B, K) with the others.

    That is the largest value that half of the weights reach; NaN where nothing has weight.
    """
    pairwise = _correlations(np.moveaxis(ratings, 1, 0))
    counts = np.where(np.isnan(pairwise), 0.0, weight * ~np.eye(len(weight), dtype=bool))
    order = np.argsort(-pairwise, axis=-1, kind="stable")
    reached = np.cumsum(np.take_along_axis(counts, order, axis=-1), axis=-1)
    total = reached[..., -1:]
    place = np.argmax((reached >= HALF * total) & (reached > 0), axis=-1)
    at = np.take_along_axis(order, place[..., None], axis=-1)
    found = np.take_along_axis(pairwise, at, axis=-1)
    return np.asarray(np.where(total > 0, found, np.nan)[..., 0]).T


def _correlations(rows: Floats) -> Floats:
    """Return the correlations (..., D, D) of rows (..., D, K); NaN for those that do not vary."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    sizes = np.sqrt((rows**2).sum(axis=-1, keepdims=True))
    noise = ALL_EQUAL * np.abs(rows).max(axis=(-2, -1), keepdims=True, initial=0.0)
    unit = rows / np.where(sizes > noise, sizes, np.nan)
    return np.asarray(np.clip(unit @ np.swapaxes(unit, -2, -1), -1, 1))


def _discordant(ratings: Floats, weight: Floats) -> Floats:
    """Return the mean share of pairs of settings in the other order than another has them, (D,)."""
    size, settings = ratings.shape
    opposed = np.zeros((size, size))
    standing = ranks(ratings)  # equals differ by rounding alone
    for k in range(settings - 1):
        signs = np.sign(standing[:, k + 1 :] - standing[:, k, None])
        above, below = (signs > 0).astype(float), (signs < 0).astype(float)
        opposed += above @ below.T + below @ above.T
    others = weight * ~np.eye(size, dtype=bool)
    shares = opposed / (settings * (settings - 1) / 2)
    return np.asarray((others * shares).sum(axis=1) / others.sum(axis=1))


class AcrossDataSets(NamedTuple):
    settings: tuple[str, ...]
    mean: Floats
    sd: Floats
    low: Floats
    high: Floats
    best_on: Integers  # numbers of data sets
    worst_on: Integers


def across_data_sets(matrix: RatingMatrix, *, weights: Floats | None = None) -> AcrossDataSets:
    matrix.require_whole()
    ratings = matrix.ratings
    weight = np.ones(len(ratings)) if weights is None else weights
    share = weight / weight.sum()
    mean = share @ ratings
    sd = np.sqrt(share @ (ratings - mean) ** 2)
    on = (np.array([best_of(sign * each) for each in ratings.T]) for sign in (1, -1))
    return AcrossDataSets(matrix.settings, mean, sd, ratings.min(axis=0), ratings.max(axis=0), *on)


# The mean over data sets, which are a sample: how sure it is, and who is level with the leader.


def mean_estimates(
    parts: Mapping[str, Ratings],
    weights: Mapping[str, float] | None,
    options: Options,
    noun: str,
) -> Estimates | None:
    """Return the mean ratings over data sets; None if candidates differ or one data set counts.

    Data sets are drawn with replacement, one less than there are (Rao, Wu 1988), each whole: the
    noise of its splits is in how data sets differ. Splits drawn again inside would count that noise
    twice: where data sets agree, 95 % intervals then hold the truth in 98 % to 100 % of simulated
    tables, and these, by Student's t, in 93 % to 96 %. Tests of all pairs have data sets as units.
    Where a data set has no finite ratings, its penalised ones are in the mean.
    """
    counts = {name: (weights or {}).get(name, 1.0) for name in parts}
    several = [r for name, r in parts.items() if counts[name] > 0]
    names, size = several[0].candidates, len(several)
    if size < 2 or any({*r.candidates} != {*names} for r in parts.values()):
        return None
    at = [[r.at(name) for name in names] for r in several]
    ratings, plain, records = (
        np.stack([of[..., who] for of, who in zip(column, at, strict=True)], axis=-1)
        for column in zip(*((r.ratings, r.mle, r.record) for r in several), strict=True)
    )
    share = np.array([weight for weight in counts.values() if weight > 0])
    mean, sets = units(ratings, weights=share), counted(size, noun)
    plan = plans.Bootstrap(replicates=options.replicates, seed=options.seed)
    known = np.full(len(names), size)
    linear = Linear(make=lambda: mean, plan=plan, on=options.engine, noun=noun, known=known)
    own: dict[str, Any] = {"covariance": mean.centred @ mean.centred.T}
    how = f"Standard errors from how the ratings of {sets} differ."
    if options.errors == "bootstrap":
        drawn = multiplicities(stream(plan.seed, size), plan.replicates, size, size - 1) * share
        own = {"replicates": drawn @ ratings.T / drawn.sum(axis=1, keepdims=True)}
        how = f"{plan.replicates:,} resamples: {sets}, drawn whole with replacement."
    with np.errstate(invalid="ignore"):  # infinities of both signs have no mean
        mle = plain @ (share / share.sum())
    return Estimates(
        candidates=names,
        evidence=RatingEvidence(ratings=mean.merits, units=size, linear=linear, **own),
        mle=mle,
        record=records.sum(axis=-1),
        errors=several[0].errors,
        drawn=how,
    )


# What to say when data sets disagree about the settings.

FEW = 3  # data sets: with fewer, nobody knows which of them is the unusual one
KINDS = {"tournament": "data set", "category": "category"}  # and what sentences call one
SETTINGS = Nouns(candidate="setting", judge="split")
USUAL = "the labels, the direction of the score and what is special about the data"
OF_CATEGORY = "who fought there, who judged and what is special about it"
MOST_NAMES = 4  # of a camp


def advice(a: Agreement, *, noun: str = "data set", nouns: Nouns = SETTINGS) -> Iterator[Words]:
    plural, settings = plural_of(noun), nouns.candidates()
    against = [a.data_sets.index(name) for name in a.reversed_]
    # what noise may explain changes fewer minds
    doubt: Any = {"good": False, "weight": 0.85 if a.beyond_noise else 0.6}
    if len(a.data_sets) < FEW:
        if a.with_others[0] < 0:
            ways = f"in opposite ways (correlation {a.with_others[0]:.2f}){_noise(a, nouns, 0)}"
            which = f"With two {plural} nothing tells which of them is unusual."
            yield Words(f"The two {plural} order the {settings} {ways}. {which}", **doubt)
        return
    if a.camps and not a.common_order:
        one, other = (listed(camp, most=MOST_NAMES) for camp in a.camps)
        camps = f"two camps that order the {settings} in opposite ways: {one} against {other}"
        why = f"do not average over {plural} before you know why they differ"
        said = f"The {plural} fall into {camps}{_noise(a, nouns)}. There is no common order: {why}."
        yield Words(said, **doubt)
        return
    for d in against:
        who = f"{noun.capitalize()} {quoted(a.data_sets[d])} goes against the others"
        size = f"its ratings correlate {a.with_others[d]:.2f} with those of most of them, or less"
        pairs = f"{percent(float(a.discordant[d]))} of the pairs of {settings}"
        order = f"it puts {pairs} in the other order, on average"
        weight = OTHER_ORDER if a.data_sets[d] in a.beyond_noise else NARROW
        said = f"{who}: {size}, and {order}{_noise(a, nouns, d)}."
        yield Words(said, weight=weight, good=False)
    if a.beyond_noise:
        look = f"Look at {listed(a.beyond_noise)} before you average over {plural}"
        where = OF_CATEGORY if noun == "category" else USUAL
        yield Words(f"{look}: {where}.", weight=OTHER_ORDER, good=False)
    if not a.common_order:
        some = f"{counted(len(against), noun)} of {len(a.data_sets)}"
        none = "so that there is no common order to go against"
        yield Words(
            f"{some} go against most of the others, {none}.", weight=OTHER_ORDER, good=False
        )


def _noise(a: Agreement, nouns: Nouns, d: int | None = None) -> str:
    noise = f"noise of the {nouns.judges()}"
    against = [a.data_sets.index(name) for name in a.reversed_] if d is None else [d]
    if np.isnan(a.p_reversed[against]).any():
        return "; whether that is more than noise was not tested"
    if d is None and len(a.beyond_noise) == len(against):
        return f"; that is more than the {noise}"
    if d is None:
        return f"; for some of them that may be {noise}"
    more = "is more than the" if a.p_reversed[d] <= a.alpha else "may be"
    share = f"{100 * (1 - a.alpha):g} % of resamples"
    return f"; that {more} {noise} ({share} give {a.low[d]:.2f} to {a.high[d]:.2f})"


# Tables about the ratings of several tournaments.


def _different(r: RatingParts, what: str) -> DataError:
    """Return that there is nothing to average or compare, and the command that shows each part."""
    hint = f"each {r.noun} by itself: {command_with(show=None)}"
    return DataError(f"{what}: {r.absent_in_words}.", hint=hint)


def _means(r: RatingParts) -> tuple[list[MeansRow], tuple[str, ...]]:
    across, mean = r.shown, r.mean
    if across is None:
        raise _different(r, f"there is no mean over {plural_of(r.noun)}")
    known = {} if mean is None else {row["candidate"]: row for row in mean.rows()}
    sure = ("se", "low", "high", "rank_low", "rank_high", "first_share", "group")
    names, standing = list(r.parts), ranks(across.mean).tolist()
    rows: list[MeansRow] = [
        {
            "candidate": across.settings[i],
            "mean": float(across.mean[i]),
            **{key: known.get(across.settings[i], {}).get(key) for key in sure},  # type: ignore[typeddict-item]
            "rank": standing[i],
            "sd": float(across.sd[i]),
            "lowest": float(across.low[i]),
            "lowest_on": names[across.worst_on[i]],
            "highest": float(across.high[i]),
            "highest_on": names[across.best_on[i]],
            "penalised_on": int(r.held_back[i]),
        }
        for i in best_first(across.mean).tolist()
        if across.settings[i] in r.display
    ]
    return rows, r.about_means()


def _tournaments(r: RatingParts) -> tuple[list[Row], tuple[str, ...]]:
    a = r.agreement
    if a is None:
        raise _different(r, f"{plural_of(r.noun)} cannot be compared")
    keys = (r.kind, "with_others", "low", "high", "p_reversed", "other_order", "spread", "split_sd")
    numbers = (a.with_others, a.low, a.high, a.p_reversed, a.discordant, a.spread)
    noise = (r.parts[name].split_sd for name in a.data_sets)
    cells = zip(a.data_sets, *(column.tolist() for column in numbers), noise, strict=True)
    rows: list[Row] = [dict(zip(keys, row, strict=True)) for row in cells]
    said = tuple(advice(a, noun=r.noun, nouns=r.nouns))
    return rows, said or (f"No {r.noun} goes against the others.",)


def _embedding(r: RatingParts) -> tuple[list[Row], tuple[str, ...]]:
    found = r.embedding()
    points = [("point", *each) for each in zip(found.data_sets, found.points, strict=True)]
    loads = [("loading", *each) for each in zip(found.settings, found.loadings, strict=True)]
    rows: list[Row] = [
        {"kind": kind, "name": name, **{f"pc{c}": float(x) for c, x in enumerate(place, start=1)}}
        for kind, name, place in points + loads
    ]
    shares = ", ".join(f"{100 * share:.0f} %" for share in found.shares)
    said = f"The components show {shares} of the variance between the rows of ratings."
    loadings = f"loadings the directions of {r.nouns.candidates()}"
    return rows, (f"{said} Points are {plural_of(r.noun)}, {loadings}.",)


def _navigation(r: RatingParts) -> tuple[list[NavigationRow], tuple[str, ...]]:
    rows = navigation(r.matrix.of(r.display), r.noun)
    return rows, (about_navigation(rows, r.noun),)


TABLES = by_name(_means, _tournaments, _navigation, _embedding)


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingParts(Result):
    """Hold the ratings of each tournament, and what they say together.

    ``kind`` is what a tournament is: ``tournament`` (a data set) or ``category``, and ``noun`` what
    sentences call one. ``weights`` say
    how much each counts in means over them, 1 where not named; None: all alike. Those of weight 0
    are compared with the others, and nobody is compared with them. ``left_out`` says
    why tournaments without ratings have none.
    """

    schema: ClassVar[str] = "deadheat.rate/1"
    asks: ClassVar[str] = "How solid is this?"
    parts: Mapping[str, Ratings]
    kind: str
    noun: str
    nouns: Nouns
    alpha: float
    seed: int
    weights: Mapping[str, float] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    mean: Ratings | None = None
    """The mean ratings over data sets with intervals and groups; None without several alike."""
    visible: tuple[str, ...] | None = None
    """Whom tables and pictures show; None: all."""

    @cached_property
    def matrix(self) -> RatingMatrix:
        """The rating of each candidate (columns) in each tournament (rows), as log-odds."""
        return rating_matrix(
            {name: _by_name(r, r.ratings) for name, r in self.parts.items()},
            separated={name: r.candidates if r.separated else () for name, r in self.parts.items()},
        )

    @property
    def whole(self) -> bool:
        return not bool(np.isnan(self.matrix.ratings).any())

    @cached_property
    def agreement(self) -> Agreement | None:
        """How the tournaments agree; None if candidates differ, or only one tournament counts."""
        if not self.whole or np.count_nonzero(self._weights) < 2:
            return None
        drawn = [
            r.evidence.replicates[:, [r.at(name) for name in self.matrix.settings]]
            for r in self.parts.values()
            if r.evidence.replicates is not None
        ]
        return data_set_agreement(
            self.matrix,
            replicates=drawn if len(drawn) == len(self.parts) else None,
            weights=(self._weights > 0).astype(np.float64),
            alpha=self.alpha,
        )

    @cached_property
    def shown(self) -> AcrossDataSets | None:
        """The mean rating of each candidate, on the scale; None where candidates differ."""
        if not self.whole:
            return None
        each = {name: _by_name(r, r.scale.shown(r.ratings)) for name, r in self.parts.items()}
        return across_data_sets(rating_matrix(each), weights=self._weights)

    @cached_property
    def held_back(self) -> Integers:
        """On how many tournaments each candidate of the matrix has no finite plain rating."""
        plain = [_by_name(r, r.mle) for r in self.parts.values()]
        names = self.matrix.settings
        return np.array([sum(not np.isfinite(of.get(name, 0.0)) for of in plain) for name in names])

    @property
    def display(self) -> tuple[str, ...]:
        """Who is shown, as the matrix has them."""
        return self.matrix.settings if self.visible is None else self.visible

    def show_only(self, names: str | Iterable[str]) -> Self:
        """Return the same ratings, of whom tables and pictures show some, by name or pattern."""
        visible = names_matching(self.matrix.settings, names)
        parts = {
            name: r.show_only([who for who in r.candidates if who in visible])
            for name, r in self.parts.items()
        }
        mean = None if self.mean is None else self.mean.show_only(visible)
        same = self.also_made(show_only=list(visible))
        return replace(same, parts=parts, mean=mean, visible=visible)

    def top(self, number: int) -> Self:
        """Return the same ratings, of whom tables and pictures show the highest by their mean.

        Where there is no mean, those are the highest of each part.
        """
        if self.shown is None:
            return replace(self, parts={name: r.top(number) for name, r in self.parts.items()})
        rows = sorted(_means(self)[0], key=lambda row: row["rank"])
        return self.show_only([row["candidate"] for row in rows[:number]])

    @property
    def omission(self) -> str:
        """Who is rated and not shown, in words."""
        return omission_in_words(self.visible, len(self.matrix.settings))

    def of(self, name: str) -> Ratings:
        """Return the ratings of one tournament."""
        if name not in self.parts:
            raise UnknownNameError(self.kind, str(name), tuple(self.parts))
        return self.parts[name]

    def embedding(self, *, components: int = 2) -> Embedding:
        """Return the tournaments as points, by the ratings of the same candidates."""
        return embedding(self.matrix.of(self.display), components=components)

    def tunability(
        self, *, algorithms: Names = None, defaults: Names = None
    ) -> dict[str, tuple[Tunability, ...]]:
        """Return per tournament how tunable each algorithm is: see :meth:`Ratings.tunability`."""
        how = {"algorithms": algorithms, "defaults": defaults}
        return {name: r.tunability(**how) for name, r in self.parts.items()}

    def tuning(self, **how: Any) -> dict[str, list[TuningRow]]:
        """Return per tournament the trials of each algorithm: see :meth:`Ratings.tuning`."""
        return {name: r.tuning(**how) for name, r in self.parts.items()}

    def rows(self) -> list[Row]:
        """Return one record per tournament and candidate."""
        return [
            {self.kind: name, **row, **({} if r.split_sd is None else {"split_sd": r.split_sd})}
            for name, r in self.parts.items()
            for row in r.rows()
        ]

    def outline(self) -> dict[str, Any]:
        agreement = self.agreement
        return {
            "kind": self.kind,
            "anchor": self.scale.anchor,
            "origin": self.scale.origin,
            "candidates": len(self.matrix.settings),
            "tournaments": {
                name: {
                    "candidates": len(r.candidates),
                    "weight": (self.weights or {}).get(name, 1.0),
                    "separated": r.separated,
                }
                for name, r in self.parts.items()
            },
            "means": None if self.shown is None else _means(self)[0],
            "reversed": None if agreement is None else list(agreement.reversed_),
        }

    def facts(self) -> dict[str, Any]:
        """Return what is true of each tournament, and of all."""
        keys = ("connected", "strongly_connected", "deviance", "deviance_p")
        each, whole = {name: r.facts() for name, r in self.parts.items()}, self.outline()
        for name, found in each.items():
            more = {key: found.get(key) for key in (*keys, "groups", "split_sd")}
            whole["tournaments"][name] |= more
        for board in self.leaders.boards:
            said = {key: board[key] for key in ("first", "level", "too_few")}
            whole["tournaments"][board["value"]] |= said
        known = [found["deviance"] for found in each.values() if found["deviance"] is not None]
        apart = [f["separated"] for f in each.values() if f["separated"] is not None]
        agreement = self.agreement
        return {
            **whole,
            "left_out": dict(self.left_out),
            **{key: all(found.get(key, True) for found in each.values()) for key in keys[:2]},
            "separated": any(apart) if apart else None,
            "deviance": sum(known) if known else None,
            "reversed_beyond_noise": None if agreement is None else list(agreement.beyond_noise),
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        """Who has the highest mean, and which of the tournaments goes against the others."""
        reasons = [] if self.mean is None else [*leader_reasons(self.mean)]
        reasons += [*self._standing_of_best(), *self._penalties()]
        if self.agreement is not None:
            reasons += advice(self.agreement, noun=self.noun, nouns=self.nouns)
        return (self._headline(), *reasons)

    def _headline(self) -> str:
        across, model = self.shown, next(iter(self.parts.values())).model
        if across is None:
            none = f"There is no mean over the {self._parts_in_words}: {self.absent_in_words}"
            return f"{self.leaders.sentence} {none} ({SPOKEN.get(model, model)})."
        mean = "mean" if self.weights is None else "weighted mean"
        basis = f"{mean} over {self._averaged_parts_in_words}"
        if self.mean is not None:
            return headline(self.mean, basis, what=f"{mean} rating")
        best = [*compress(across.settings, winners(across.mean))]
        who = f"{named(best)} {'share' if best[1:] else 'has'} the highest {mean} rating"
        who += "; whether it is better was not tested"
        return f"{who} ({SPOKEN.get(model, model)}, {basis})."

    def _standing_of_best(self) -> Iterator[Words]:
        across = self.shown
        of = self.matrix.ratings[self._weights > 0]
        if across is None or len(of) < 2:
            return
        best = best_of(across.mean)
        above = int(np.count_nonzero(of[:, best] > 0))
        every = counted(len(of), self.noun)
        often = f"all {every}" if above == len(of) else f"{above:,} of {every}"
        value = number(float(across.mean[best]), self.scale.digits)
        said = f"{bare(across.settings[best])}, whose mean is {value}, is above average in {often}."
        yield Words(said, weight=SUPPORT, good=True if above == len(of) else None)

    def _penalties(self) -> Iterator[Words]:
        apart = [name for name, r in self.parts.items() if r.separated]
        if apart:
            none = f"In {len(apart)} of {self._parts_in_words} no finite ratings exist"
            said = f"{none} ({listed(apart, most=4)}); there they are penalised."
            yield Words(f"{said}{self._penalty_in_mean()}", weight=CAUTION, good=False)

    def _penalty_in_mean(self) -> str:
        """Return what the penalty does to who has the highest mean."""
        across, of = self.shown, self.matrix.ratings[self._weights > 0]
        if across is None or not self.held_back[best_of(across.mean)]:
            return ""
        best, middle = across.settings[best_of(across.mean)], np.median(of, axis=0)
        same = middle[best_of(across.mean)] == middle.max()
        leads = "it leads" if same else f"{bare(across.settings[best_of(middle)])} leads"
        size = f"How large the mean of {bare(best)} is depends on that"
        return f" {size}; by the median over {plural_of(self.noun)}, which does not, {leads}."

    def about_means(self) -> tuple[str, ...]:
        """Return what the means are over, how sure they are, and what marks say."""
        kind = "Mean" if self.weights is None else "Weighted mean"
        notes = [f"{kind} over {self._averaged_parts_in_words}, each rated by itself."]
        if self.mean is not None:
            notes += [meaning(self.mean), self.mean.drawn, about_groups(self.mean)]
        held = {*np.array(self.matrix.settings)[self.held_back > 0].tolist()}
        if held & {*self.display}:
            all_won = "won or lost all between parts of the field"
            notes.append(f"* {all_won} somewhere: a penalised rating is in the mean.")
        if self.omission:
            notes.append(self.omission)
        return tuple(notes)

    def grid(self) -> Grid:
        """Return the mean rating of each candidate, its interval, and how far it varies."""
        if self.shown is None:
            return self.leaders.grid()
        rows, notes = _means(self)
        digits, captions = self.scale.digits, list[str]()
        if self.mean is not None:
            kind = f"{100 * (1 - self.alpha):g} % {self.mean.interval} intervals of the mean"
            captions.append(f"Bars: {kind}, right is better, {DOT} the mean.")
        further = {"sd": Column(name="sd", digits=digits)}
        for end in ("lowest", "highest"):
            where: Any = {"on_paper": self.mean is not None}
            further[end] = Column(name=end, digits=digits, **where)
            further[f"{end}_on"] = Column(name="on", **where)
        marked = frozenset((i, 3) for i, row in enumerate(rows) if row["penalised_on"])
        told: Any = {"notes": notes, "captions": tuple(captions), "marked": marked}
        return rating_grid(rows, "mean", further, self.scale, self.nouns, self.mean, **told)

    def table(self, name: str, **how: Any) -> RatingTable:
        """Return means, tournaments, navigation, embedding, or a table of each tournament."""
        if name in TABLES:
            rows, (first, *further) = TABLES[name](self)
            return RatingTable.of(self, name, rows, first, further=tuple(further))
        if name not in OF_EACH:
            raise UnknownNameError("table of several tournaments", str(name), RATING_TABLES)
        parts = self.parts
        if name == "tuning":  # its sentence is about whole searches, whoever is shown of them
            parts = {part: replace(r, visible=None) for part, r in parts.items()}
        tables = {part: found.table(name, **how) for part, found in parts.items()}
        every = [(part, row) for part, table in tables.items() for row in table.records]
        columns = dict.fromkeys(key for _, row in every for key in row)
        rows = [{self.kind: part, **{key: row.get(key) for key in columns}} for part, row in every]
        sentence = next(iter(tables.values())).sentence
        if name == "tuning":
            sentence = about_tuning(rows, **how)
            rows = [row for row in rows if row["setting"] in self.display]
        return RatingTable.of(self, name, rows, sentence, keys=1 + KEYS.get(name, 1))

    def with_leaders(self) -> Self:
        """Return the same with a board for each category, where the table has means instead."""
        besides = self.kind == "category" and self.shown is not None
        return replace(self, boards=self.leaders) if besides else self

    @cached_property
    def leaders(self) -> Boards:
        """Who is first in each tournament, and who is level with it; its rows are the result's."""
        return Boards(
            column=self.noun,
            heading="rating",
            candidate=self.nouns.candidate,
            judges="battles" if self.kind == "category" else "rounds",
            digits=self.scale.digits,
            boards=tuple(
                r.brief()
                ._replace(rows=[])
                .board(name, candidates=len(r.candidates), judges=r.rounds)
                for name, r in self.parts.items()
            ),
        )

    @property
    def absent_in_words(self) -> str:
        """Who is missing in some parts."""
        everybody, rated = self.matrix.settings, ~np.isnan(self.matrix.ratings)
        who = [everybody[i] for i in np.flatnonzero(~rated.all(axis=0)).tolist()]
        are = "is" if len(who) == 1 else "are"
        some = f"{len(who):,} of {self.nouns.candidates(len(everybody))} {are} missing in some"
        return f"{some} ({listed(map(quoted, who), most=MOST_NAMES)})"

    @property
    def _weights(self) -> Floats:
        given = self.weights or {}
        return np.array([given.get(name, 1.0) for name in self.parts], dtype=np.float64)

    @property
    def scale(self) -> RatingScale:
        return next(iter(self.parts.values())).scale

    @property
    def _parts_in_words(self) -> str:
        return counted(len(self.parts), self.noun)

    @property
    def _averaged_parts_in_words(self) -> str:
        of, every = int(np.count_nonzero(self._weights)), self._parts_in_words
        return every if of == len(self.parts) else f"{of:,} of {every}"


def _by_name(r: Ratings, values: Floats) -> dict[str, float]:
    return dict(zip(r.candidates, values.tolist(), strict=True))
