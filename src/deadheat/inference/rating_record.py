"""Who met whom in a table or a log, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.data.battles import Battles
from deadheat.data.results import Results
from deadheat.errors import DataError, UsageError, counted, quoted
from deadheat.inference.matches import BattleMatches, Matches, RoundMatches
from deadheat.inference.rating_asked import Asked
from deadheat.inference.requirements import require_judges_drawn
from deadheat.ranking.rating.existence import existence
from deadheat.ranking.rating.pair_counts import PairCounts, sums_by_candidate
from deadheat.resampling.battle_draws import BATTLE_PLANS
from deadheat.resampling.choice import plan_for, plan_warnings
from deadheat.resampling.plans import Jackknife, Plan, Subsample
from deadheat.typing import Floats

FEWEST_KEPT = 20  # replicates that show how ratings vary
HALF = 0.5  # a subsample of which varies as a bootstrap does


def matches_of(found: Results | Battles, asked: Asked) -> Matches:
    """Return the matches of a table or a log, and how to draw them again."""
    return battles_of(found, asked) if isinstance(found, Battles) else rounds_of(found, asked)


def battles_of(found: Battles, asked: Asked) -> BattleMatches:
    """Return the matches of a log."""
    asked.refuse(kind="a battle log", pairing="same")
    usual = "bootstrap" if asked.model == "elo" else "bayesian"
    way = next((plan for plan in BATTLE_PLANS if plan == (asked.plan or usual)), None)
    if way is None:
        raise UsageError(
            f"battles of a log are weighted at random, or drawn one by one, not by the plan "
            f"{asked.plan!r}.",
            hint="plan='bayesian' (--plan bayesian) or 'bootstrap'; cluster= (--cluster COL) takes "
            "whole voters or prompts.",
        )
    found_matches = BattleMatches(
        battles=found, replicates=asked.replicates, seed=asked.seed, way=way
    )
    _require_units(found_matches, asked)
    if way == "bootstrap" and asked.errors == "bootstrap":
        _require_present(found_matches)
    return found_matches


def _require_present(matches: BattleMatches) -> None:
    """Refuse at once to draw battles where nearly every resample would lack somebody."""
    log = matches.battles
    if log.clusters is not None:
        return
    fought = record(matches.fought).sum(axis=0)
    there = 1 - (1 - fought / log.total) ** log.total
    if there.prod() * matches.replicates < FEWEST_KEPT:
        rarest = int(fought.argmin())
        raise DataError(
            f"in nearly all resamples somebody meets nobody: {quoted(log.candidates[rarest])} has "
            f"{counted(int(fought[rarest]), 'match', 'matches')}.",
            hint="plan='bayesian' (--plan bayesian) leaves nobody out; or "
            "min_matches=5 (--min-matches 5).",
        )


def rounds_of(found: Results, asked: Asked) -> RoundMatches:
    """Return the matches of a table, whose judges are the rounds."""
    if found.n < 2:
        raise DataError(
            f"ratings need two candidates or more, got {found.n}.",
            hint="a rating says who beats whom.",
        )
    plan = plan_for(found, asked.plan, replicates=asked.replicates, seed=asked.seed)
    require_judges_drawn(plan)
    _require_spread(plan)
    matches = RoundMatches(results=found, plan=plan, pairing=asked.pairing)
    _require_units(matches, asked)
    return matches


def plan_cautions(found: Results | Battles, matches: Matches, asked: Asked) -> tuple[str, ...]:
    """Warn of strata and clusters of rounds that standard errors do not see."""
    if not isinstance(found, Results) or not isinstance(matches, RoundMatches):
        return ()
    if asked.errors == "bootstrap":
        return tuple(plan_warnings(found, matches.plan))
    cautions = []
    if found.strata is not None:
        cautions.append(
            f"errors={asked.errors!r} (--errors {asked.errors}) takes the rounds of all "
            f"{counted(len(set(found.strata)), 'stratum', 'strata')} as drawn at once: where "
            "strata differ, standard errors are too large. errors='bootstrap' (--errors "
            "bootstrap) draws inside strata."
        )
    if asked.errors == "sandwich" and found.clusters is not None and matches.clusters is None:
        cautions.append(
            "rounds of one cluster are taken as independent: intervals may be far too narrow; "
            "plan='clustered' (--plan clustered) keeps them together."
        )
    return tuple(cautions)


def standing(pairs: PairCounts, *, teams: bool = False) -> dict[str, bool | None]:
    """Return whether matches, and wins, join everybody; None for members of teams."""
    there = existence(pairs)
    return {
        "connected": None if teams else there.connected,
        "strongly_connected": None if teams else there.strongly_connected,
    }


def record(pairs: PairCounts) -> Floats:
    """Return wins, losses and ties of each candidate, (3, n)."""
    return np.stack(
        [
            sums_by_candidate(pairs, pairs.wins, pairs.losses),
            sums_by_candidate(pairs, pairs.losses, pairs.wins),
            sums_by_candidate(pairs, pairs.ties, pairs.ties),
        ]
    )


def kept(replicates: Floats, candidates: Sequence[str]) -> tuple[Floats, int]:
    """Return the replicates in which everybody met somebody, and how many were left out."""
    absent = np.isnan(replicates[:, : len(candidates)])
    there = ~absent.any(axis=1)
    number = int(np.count_nonzero(~there))
    if number and len(replicates) - number < FEWEST_KEPT:
        rarest = candidates[int(absent.sum(axis=0).argmax())]
        raise DataError(
            f"in {number:,} of {len(replicates):,} resamples somebody meets nobody, most often "
            f"{quoted(rarest)}.",
            hint="leave out who has very few matches; or errors='sandwich' (--errors sandwich), "
            "which draws nothing.",
        )
    return replicates[there] if number else replicates, number


def _require_spread(plan: Plan) -> None:
    """Refuse replicates that vary otherwise than ratings of other rounds would."""
    halves = isinstance(plan, Subsample) and plan.share == HALF
    if isinstance(plan, Jackknife | Subsample) and not halves:
        kind = "jackknife" if isinstance(plan, Jackknife) else f"subsample of {plan.share:g}"
        raise UsageError(
            f"replicates of the plan {kind} vary less or more than ratings of other rounds would.",
            hint="plan='bootstrap' (--plan bootstrap), or errors='sandwich' (--errors sandwich), "
            "which needs no replicates.",
        )


def _require_units(matches: Matches, asked: Asked) -> None:
    if asked.errors != "fisher" and matches.units < 2:
        raise DataError(
            "there is only one round, battle or cluster, so nothing shows how far the ratings "
            "vary.",
            hint="give more; or errors='fisher' (--errors fisher), which takes all matches as "
            "independent.",
        )
