"""Tuning: settings tried one after another, when to stop, and which to try next."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from deadheat.core.errors import DataError, counted, listed, plural_of, quoted
from deadheat.core.types import Floats, require_whole
from deadheat.output.text import number, percent
from deadheat.ranking.ranks import best_first, best_of, ranks
from deadheat.rate.estimates import RatingFacts
from deadheat.rate.schema import NavigationRow, TuningRow
from deadheat.rate.tunability import Names, rounds_of_ratings, settings_by_algorithm
from deadheat.statistics.embedding import RatingMatrix

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
    require_whole("more", more, 1, hint=f"{MORE} is usual.")
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
        hint = "ratings of other data sets say what to try next: give settings that all have."
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
