"""How much tuning gains: ratings of the settings of an algorithm, the best against the default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    counted,
    listed,
    plural_of,
    quoted,
)
from deadheat.core.types import Booleans, Floats, Integers, require_whole
from deadheat.models.rating.pair_counts import checked_rounds, pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter
from deadheat.output.text import number, percent
from deadheat.ranking.block import WORKING_SET
from deadheat.ranking.ranks import best_first, best_of, ranks, winners
from deadheat.rate.estimates import RatingFacts
from deadheat.rate.matches import RoundMatches
from deadheat.rate.schema import NavigationRow, TuningRow
from deadheat.resampling.draws import stream
from deadheat.statistics.embedding import RatingMatrix

HALVES = 100
Names: TypeAlias = Mapping[str, str] | None
RateRounds: TypeAlias = Callable[[Floats, Floats], Floats]  # scores (n, S), weights (B, S): (B, n)


class Gain(NamedTuple):
    """Hold what a chosen candidate gains over a reference, as seen and corrected.

    The ``held_out`` ones choose on one half of the rounds and measure on the other; NaN with less
    than 2 rounds. The others promise too much.
    """

    chosen: int
    reference: int
    difference: float
    probability: float
    held_out: float
    held_out_probability: float
    held_out_wins: float  # share of rounds of the other halves that the choice won, without a model
    halves: int


class Tunability(NamedTuple):
    algorithm: str
    settings: Integers
    range: float
    iqr: float
    sd: float
    best: int
    gain: Gain


@dataclass(frozen=True, eq=False, kw_only=True)
class Rounds:
    """Hold scores (n, S) of one data set, weights (S,) of its rounds, and what rates them."""

    scores: Floats
    weights: Floats
    rate: RateRounds
    seed: int = 0
    halves: int = HALVES  # of the rounds to choose on; all there are, if they are as few

    @cached_property
    def ratings(self) -> Floats:
        found: Floats = self.rate(self.scores, self.weights[None])[0]
        return found

    @cached_property
    def _halves(self) -> tuple[Booleans, Floats]:
        """Halves of the rounds (H, S), and the ratings (H, n) on them."""
        chosen_on = halves_of(self.scores.shape[1], most=self.halves, seed=self.seed)
        step = max(1, WORKING_SET // max(self.scores.size, 1))
        parts = [
            self.rate(self.scores, chosen_on[start : start + step] * self.weights)
            for start in range(0, len(chosen_on), step)
        ]
        ratings = np.concatenate(parts) if parts else np.zeros((0, len(self.scores)))
        there: Booleans = ~np.any(np.isnan(ratings), axis=1)
        kept = np.repeat(there[::2] & there[1::2], 2)  # a half goes with its complement
        return chosen_on[kept], ratings[kept]

    def tunability(
        self, algorithms: Sequence[str], defaults: Mapping[str, int]
    ) -> tuple[Tunability, ...]:
        found = []
        for name in dict.fromkeys(algorithms):
            settings = np.flatnonzero([algorithm == name for algorithm in algorithms])
            if defaults[name] not in settings:
                default = f"candidate {defaults[name]} is named as the default of {quoted(name)}"
                raise UsageError(f"{default}, and is no setting of it.")
            own = self.ratings[settings]
            quarter, three = np.quantile(own, [0.25, 0.75])
            sd = float(own.std(ddof=1)) if len(own) > 1 else float("nan")
            box = float(np.ptp(own)), float(three - quarter), sd, int(settings[best_of(own)])
            gain = self.gain(settings, np.array([defaults[name]]))
            found.append(Tunability(name, settings, *box, gain))
        return tuple(found)

    def gain(self, settings: Integers, references: Integers) -> Gain:
        """Return what the best of some settings gains over the best of others."""
        best = int(settings[best_of(self.ratings[settings])])
        against = int(references[best_of(self.ratings[references])])
        ahead = float(self.ratings[best] - self.ratings[against])
        chosen_on, ratings = self._halves
        held_out = wins = float("nan")
        if len(chosen_on):
            other = np.arange(len(chosen_on)) ^ 1  # a half and its complement are neighbours
            ours, theirs = (  # the first of those who are level
                those[winners(ratings[:, those]).argmax(axis=1)] for those in (settings, references)
            )
            held_out = float((ratings[other, ours] - ratings[other, theirs]).mean())
            gaps = self.scores[ours] - self.scores[theirs]
            measured = ~chosen_on & ~np.isnan(gaps)
            weights = np.where(measured, self.weights, 0.0)
            points = np.where(measured, (np.sign(gaps) + 1) / 2, 0.0)
            if weights.any():
                wins = float((weights * points).sum() / weights.sum())
        chances = float(expit(ahead)), float(expit(held_out))
        return Gain(best, against, ahead, chances[0], held_out, chances[1], wins, len(chosen_on))


def halves_of(rounds: int, *, most: int, seed: int) -> Booleans:
    """Return halves of the rounds, each beside its complement, (H, S): all, or at most so many."""
    if rounds < 2:
        return np.zeros((0, rounds), dtype=bool)
    small = rounds // 2
    number = comb(rounds, small) // (1 if rounds % 2 else 2)
    if 2 * number <= most:
        first = np.zeros((number, rounds), dtype=bool)
        for row, chosen in zip(first, combinations(range(rounds), small), strict=False):
            row[list(chosen)] = True
    else:
        keys = stream(seed).random((max(1, most // 2), rounds))
        first = keys.argsort(axis=1).argsort(axis=1) < small
    return np.stack([first, ~first], axis=1).reshape(-1, rounds)


# Candidates as settings of algorithms.

NUMBER = re.compile(r"[\s_\-/.:#]*\d+$")


def algorithm_of(candidate: str) -> str:
    return NUMBER.sub("", candidate) or candidate  # xgboost_11, glmnet/3: xgboost, glmnet


def tunability_of(
    r: RatingFacts, *, algorithms: Names = None, defaults: Names = None
) -> tuple[Tunability, ...]:
    """Return how tunable each algorithm is, by the ratings of its settings.

    ``algorithms`` has the algorithm of each candidate, by default its name without the number at
    its end; ``defaults`` the candidate that is the default setting, by default the first. The gain
    is that of Probst, Boulesteix, Bischl (2019, "Tunability", JMLR 20(53)) on the scale of
    Gosiewska et al. (2019, "EPP", sec. 5.2). Differs from both: the best of many settings looks
    better than it is, so it is also chosen on one half of the rounds and measured on the rest.
    Where one setting wins every round of a half, its rating is as large as the penalty lets it be;
    ``held_out_wins`` is not.
    """
    rounds = rounds_of_ratings(r, "tunability")
    return rounds.tunability(*settings_by_algorithm(r, algorithms, defaults))


def settings_by_algorithm(
    r: RatingFacts, algorithms: Names, defaults: Names
) -> tuple[list[str], dict[str, int]]:
    """Return the algorithm of each candidate, and the default setting of each algorithm."""
    known = algorithms
    if known is None:
        known = {name: algorithm_of(name) for name in r.candidates}
    for candidate in r.candidates:
        if candidate not in known:
            raise UnknownNameError("candidate with an algorithm", candidate, tuple(known))
    of = [str(known[candidate]) for candidate in r.candidates]
    numbers = {name: of.index(name) for name in dict.fromkeys(of)}
    for name, candidate in (defaults or {}).items():
        if name not in numbers:
            raise UnknownNameError("algorithm", str(name), tuple(numbers))
        numbers[name] = r.at(candidate)
    return of, numbers


OF_TABLES = ("epp", "gaussian", "plackett-luce")  # models that rate tables of scores
ABOUT_TABLES = "give the table of scores from which the battles come."


def rounds_of_ratings(r: RatingFacts, what: str) -> Rounds:
    """Return the rounds that ratings are of; refuse those of something else."""
    fitted, matches = r.fit, r.matches
    if fitted is None or not isinstance(matches, RoundMatches):
        fact = f"{what} needs scores in rounds, and these are {r.model} ratings of something else."
        by_epp = f"of a table of scores: {command_with(model='epp')}"
        raise UsageError(fact, hint=by_epp if r.model in OF_TABLES else ABOUT_TABLES)
    results, pairing, refit = matches.results, matches.pairing, Refitter(fitted)
    scores, _ = checked_rounds(results.scores, None, pairing=pairing, tie_tol=results.tie_tol)
    return Rounds(
        scores=np.asarray(scores, dtype=np.float64),
        weights=np.asarray(results.weights, dtype=np.float64),
        rate=lambda scores, weights: refit(pairs_of_rounds(scores, weights, pairing=pairing)),
        seed=r.seed,
    )


# Settings tried one after another: when to stop, and which to try next.

MORE = 5  # trials that the stop rule looks back and ahead
EVEN = 0.5


def tuning_of(
    r: RatingFacts, *, more: int = MORE, algorithms: Names = None, defaults: Names = None
) -> list[TuningRow]:
    """Return the settings of each algorithm as trials, in the order of the table, default first.

    Chances are shares of rounds that the choice won; both sides are chosen on other rounds, so that
    no luck of choice flatters them. ``p_next`` looks at what the next ``more`` trials brought.
    ``p_random`` is what is known before they are run, if settings are tried in random order: the
    best of k + t is among the last t with the chance t / (k + t), whatever the scores. ``stop``
    says where the last ``more`` trials did not beat those before, a rule that Gosiewska et al.
    (2019, sec. 6) sketch; how much an untried setting could gain, no rating tells.
    """
    require_whole("more", more, 1, hint=f"as usual: {command_with(more=MORE)}")
    rounds, rows = rounds_of_ratings(r, "tuning"), list[TuningRow]()
    of, first = settings_by_algorithm(r, algorithms, defaults)
    for name, default in first.items():
        own = [i for i, other in enumerate(of) if other == name and i != default]
        tried = np.array([default, *own])
        stopped, spent = False, 0.0
        for k in range(1, len(tried) + 1):
            before, last, ahead = tried[: k - 1], tried[max(0, k - more) : k], tried[k : k + more]
            so_far = tried[:k]
            if k > more and not stopped:
                stopped = rounds.gain(last, tried[: k - more]).held_out_wins <= EVEN
            row: TuningRow = {
                "algorithm": name,
                "trial": k,
                "setting": r.candidates[tried[k - 1]],
                "rating": float(r.scale.shown(r.ratings)[tried[k - 1]]),
                "best": r.candidates[so_far[best_of(r.ratings[so_far])]],
                "p_beats_default": rounds.gain(so_far, tried[:1]).held_out_wins,
                "p_beats_before": None,
                "p_next": rounds.gain(ahead, so_far).held_out_wins if len(ahead) else None,
                "p_random": more / (k + more),
                "stop": stopped,
            }
            if k > 1:
                row["p_beats_before"] = rounds.gain(tried[k - 1 : k], before).held_out_wins
            if r.costs is not None:
                row["cost"] = r.costs[row["setting"]]
                spent += row["cost"]
                row["spent"] = spent
            rows.append(row)
    return rows


def about_tuning(rows: list[TuningRow], more: int = MORE) -> str:
    """Return where the stop rule stops, at what price, and what it forgoes."""
    searches: dict[tuple[str, str], list[TuningRow]] = {}
    for row in rows:
        searches.setdefault((row.get("tournament", ""), row["algorithm"]), []).append(row)
    at = {key: next((row for row in own if row["stop"]), None) for key, own in searches.items()}
    stops = {key: row for key, row in at.items() if row is not None}
    last = counted(more, "trial")
    rule = f"stop once the best of the last {last} does not beat the best before"
    said = [f"Stop rule: {rule}."]
    if stops:
        where = f"It stops {len(stops):,} of {counted(len(searches), 'search', 'searches')}"
        trials = number(round(float(np.mean([row["trial"] for row in stops.values()])), 1))
        of = number(round(float(np.mean([len(searches[key]) for key in stops])), 1))
        where += f", after {trials} of {of} trials on average"
        whole = sum(searches[key][-1].get("spent", 0.0) for key in stops)
        if whole:
            spent = sum(row.get("spent", 0.0) for row in stops.values())
            where += f", at {percent(spent / whole)} of the cost"
        forgone = [row["p_next"] for row in stops.values() if row["p_next"] is not None]
        if forgone:
            beats = f"the next {last} beat the best so far in {percent(float(np.mean(forgone)))}"
            where += f"; {beats} of rounds"
        said.append(f"{where}.")
    else:
        said.append("It stops no search.")
    said.append("Chances are shares of rounds won, both sides chosen on other rounds.")
    said.append(f"p random: that {last} more bring a new best, if the order is random.")
    return " ".join(said)


# Which setting to try next on a data set, by the ratings on the others.


def navigation(matrix: RatingMatrix, noun: str) -> list[NavigationRow]:
    """Return, for each data set, the untried setting that is best on the others.

    Ratings count from the mean of the settings that all data sets have. How well such a guess does
    is seen where the setting was tried: ``guess`` is the best on the others of those tried here.
    """
    common = ~np.isnan(matrix.ratings).any(axis=0)
    if not common.any() or len(matrix.ratings) < 2:
        fact = f"no setting was tried on every {noun}" if len(matrix.ratings) > 1 else "one " + noun
        hint = f"give two {plural_of(noun)} or more, and scores of one setting on each of them."
        raise DataError(f"nothing says which setting to try next: {fact}.", hint=hint)
    ratings = matrix.ratings - matrix.ratings[:, common].mean(axis=1, keepdims=True)
    rows: list[NavigationRow] = []
    for d, name in enumerate(matrix.data_sets):
        here, others = ratings[d], np.delete(ratings, d, axis=0)
        rated = ~np.isnan(others)
        means = np.where(rated, others, 0.0).sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
        means = np.where(rated.any(axis=0), means, -np.inf)
        tried, untried = np.flatnonzero(~np.isnan(here)), np.flatnonzero(np.isnan(here))
        order = tried[best_first(means[tried])]
        best, guess = int(tried[best_of(here[tried])]), int(order[0])
        after = int(untried[best_first(means[untried])[0]]) if len(untried) else None
        rows.append(
            {
                "tournament": name,
                "tried": len(tried),
                "best": matrix.settings[best],
                "guess": matrix.settings[guess],
                "guess_rank": float(ranks(here[tried])[tried.tolist().index(guess)]),
                "p_best_beats_guess": float(expit(here[best] - here[guess])),
                "trials_to_best": order.tolist().index(best) + 1,
                "trials_at_random": (len(tried) + 1) / 2,
                "next": None if after is None else matrix.settings[after],
                "p_next": None if after is None else _chance(others, after, best),
            }
        )
    return rows


def _chance(others: Floats, a: int, b: int) -> float | None:
    """Return the mean chance over data sets that have both that a beats b."""
    gaps = others[:, a] - others[:, b]
    known = gaps[~np.isnan(gaps)]
    return float(expit(known).mean()) if len(known) else None


def about_navigation(rows: list[NavigationRow], noun: str) -> str:
    first = sum(row["guess_rank"] == 1 for row in rows)
    trials, random = (
        number(round(float(np.mean([row[key] for row in rows])), 1))
        for key in ("trials_to_best", "trials_at_random")
    )
    others = f"best on the other {plural_of(noun)}"
    said = f"The setting that is {others} is the best in {first} of {len(rows)}"
    reach = f"trials in their order reach the best after {trials} on average, random ones {random}"
    waiting = [row for row in rows if row["next"] is not None]
    if not waiting:
        return f"{said}; {reach}. Every setting was tried, so that none is left to suggest."
    todo = [f"{row['next']} on {quoted(row['tournament'])}" for row in waiting]
    return f"{said}; {reach}. Try next: {listed(todo, most=4)}."
