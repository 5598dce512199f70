"""What the reader of a verdict must be warned of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from deadheat.errors import counted
from deadheat.inference import measured
from deadheat.inference.claims import FEWEST_JUDGES, OF_RANKS
from deadheat.inference.corrections import fewest_draws
from deadheat.inference.coverage import interval_warning
from deadheat.inference.evidence import Evidence
from deadheat.inference.groups import Groups, Round
from deadheat.inference.measured import LONG_TAIL_LEFT_OUT
from deadheat.inference.skewness import SKEWED, largest_skewness
from deadheat.inference.strict import Strict, affordable
from deadheat.inference.strict_cautions import strict_cautions
from deadheat.ranking.ranks import RELATIVE_TOLERANCE, ranks
from deadheat.ranking.table import remarks_on
from deadheat.ranking.words import scale_warnings, size_warnings, winner_is_worst
from deadheat.resampling.choice import plan_warnings
from deadheat.resampling.plans import Jackknife
from deadheat.text import percent
from deadheat.typing import Booleans, Floats

FEW_JUDGES = 20
GLANCE = 20  # replicates that show at once that a difference varies
MANY = 1_000
SELDOM = 0.07  # how often the set of the best may miss one without a word, at 5 %
ROOM = 10  # times the fewest replicates that could exclude anybody


def cautions(
    evidence: Evidence,
    *,
    alpha: float,
    interval: str,
    p_value: str,
    leader: str,
    correction: str = "holm",
    paper: Groups,
    strict: Strict | None,
    chosen: bool,
    official: Floats,
    settled: bool | None,
    untested: bool = False,
) -> tuple[str, ...]:
    """Return the warnings about a verdict, each once.

    ``chosen`` says whether somebody asked for the number of replicates, ``untested`` whether there
    are no groups because all pairs were not tested.
    """
    results, f = evidence.results, evidence.function
    first = [results.candidates[i] for i in np.flatnonzero(evidence.ranks == 1).tolist()]
    found = [*results.notes, *winner_is_worst(results, first), *scale_warnings(results, [f])]
    found += size_warnings(results, f, evidence.ranks)
    found += remarks_on(results, f)
    found += plan_warnings(results, evidence.plan)
    found += _about_judges(evidence, all_pairs=untested or strict is not None)
    found += _about_intervals(evidence, interval)
    found += _about_jackknife(evidence)
    found += () if untested else _about_leaders(paper, leader)
    found += _about_the_best(evidence, strict)
    if strict is None and not untested:
        found += _about_replicates(paper, alpha, p_value, correction, chosen=chosen)
        found += _about_constant_differences(evidence, paper)
    if strict is not None:
        found += strict_cautions(evidence, strict, alpha)
    if evidence.skipped:
        found.append(
            f"{counted(evidence.skipped, 'resample')} left out, in which some candidate had no "
            "judge."
        )
    if missing := int(np.isnan(official).sum()):
        found.append(f"{counted(missing, 'candidate')} without an official rank.")
    if settled is False:
        found.append(
            f"the groups are not settled after {len(evidence.merits):,} resamples: some decision "
            "stays within the Monte-Carlo error of its threshold."
        )
    return tuple(dict.fromkeys(found))


def _about_judges(evidence: Evidence, *, all_pairs: bool) -> Iterator[str]:
    number = min(float(evidence.independent), evidence.effective)
    if number >= FEW_JUDGES:
        return
    worth = "" if number == evidence.results.m else " (what the weights and clusters leave)"
    if all_pairs:
        yield f"{number:.3g} judges{worth} are few, and little can be shown with them."
        return
    yield (
        f"{number:.3g} judges{worth} are few: groups err more often than they say (10 equal "
        f"candidates on {FEW_JUDGES} judges: somebody is excluded in "
        f"{measured.per_cent(measured.EXCLUDED_OF_10_ON_20)} of cases)."
    )


def _about_jackknife(evidence: Evidence) -> Iterator[str]:
    if isinstance(evidence.plan, Jackknife) and not evidence.function.additive:
        yield (
            f"{evidence.function.name} is no mean over the judges, and leaving out one at a time "
            "gives wrong standard errors where a function does not change smoothly (of medians, "
            f"95 % intervals cover {measured.per_cent(measured.JACKKNIFE_OF_MEDIANS_COVERS)}): "
            "take --plan bootstrap."
        )


def _about_intervals(evidence: Evidence, interval: str) -> Iterator[str]:
    if isinstance(evidence.plan, Jackknife):
        return
    known = evidence.contributions
    if interval == "simultaneous" and not evidence.with_replacement:
        known = None  # and no errors of replicates either
    if known is not None and evidence.function.scale == "ordinal" and evidence.results.m > MANY:
        return  # places, as even as numbers can be
    if known is None:
        scores = _finite(evidence.results.scores)
    else:  # whole numbers need no copy
        scores = known.values if known.scale == 1 else known.per_judge
    warning = interval_warning(
        evidence.quantiles(interval),
        scores=scores,
        additive=known is not None,
        effective=min(evidence.effective, float(evidence.independent)),
    )
    if warning is not None:
        yield warning


def _finite(scores: Floats) -> Floats:
    """Return the scores, or where some are infinite what their order alone says: minus ranks."""
    ends = np.fmax.reduce(scores, axis=None), np.fmin.reduce(scores, axis=None)
    return -ranks(scores.T).T if np.isinf(ends).any() else scores


def _about_replicates(
    paper: Groups, alpha: float, p_value: str, correction: str, *, chosen: bool
) -> Iterator[str]:
    if paper.draws is None or not paper.rounds:
        return
    tests, replicates = len(paper.rounds[0].others), paper.draws
    needed = fewest_draws(tests, alpha) + 1
    if replicates + 1 < needed and p_value == "plus-one" and correction in ("holm", "bonferroni"):
        whose = f"{correction.capitalize()}'s"
        yield (
            f"{replicates:,} resamples are too few to exclude anybody by {whose} test among "
            f"{counted(tests, 'rival')}: the smallest p is 1/{replicates + 1:,}, and the first "
            f"must be at most {alpha / tests:.2g}; take at least {needed - 1:,}, or --p-value "
            "paper."
        )
    elif chosen and replicates + 1 < ROOM * needed:
        yield (
            f"{replicates:,} resamples are few for {counted(tests, 'test')} at once: take "
            f"{ROOM * needed:,} if groups must not depend on the seed."
        )
    if paper.unfinished:
        yield (
            f"the last group holds {counted(len(paper.members[-1]), 'candidate')} that were not "
            "tested further: more tests take more than a minute."
        )


def _about_leaders(paper: Groups, leader: str) -> Iterator[str]:
    if paper.leaders_differ:
        other = "best-score" if leader == "plurality" else "plurality"
        yield (
            "in some group the candidate that is first most often is not the one with the best "
            f"merit (near-copies share their first places); --leader {other} may group otherwise."
        )


def _about_the_best(evidence: Evidence, strict: Strict | None) -> Iterator[str]:
    """Warn that the set of the best may miss one whose scores have a long tail.

    A table can only say so where the tail is in it: one that misses the tail is the one that errs.
    """
    if evidence.freedom + 1 < FEWEST_JUDGES or evidence.contributions is None:
        return  # no such set
    if strict is not None and strict.tests.method in OF_RANKS:
        return
    if (strict is None or strict.tests.best_p is None) and not affordable(evidence):
        return
    fewer = (m for m in LONG_TAIL_LEFT_OUT if m <= evidence.independent)
    like = max(fewer, default=min(LONG_TAIL_LEFT_OUT))
    share = LONG_TAIL_LEFT_OUT[like]
    if share <= SELDOM or (skewness := largest_skewness(evidence.units)) <= SKEWED:
        return
    yield (
        f"some scores have a long tail (skewness of differences / sqrt(judges) = {skewness:.2f}): "
        "a best candidate with such scores is left out of those that may be the best in "
        f"{percent(share)} of cases (at 5 %, {like} judges)."
    )


def _about_constant_differences(evidence: Evidence, paper: Groups) -> Iterator[str]:
    """Warn where a leader differs from somebody it excludes by the same in every resample."""
    pairs = [
        (r.leader, i)
        for r in paper.rounds
        for i in r.others[r.rejected & _constant(evidence.merits[:GLANCE], r)].tolist()
        if evidence.contributions is not None and _never_varying(evidence, r.leader, i)
    ]
    if pairs:
        names = evidence.results.candidates
        i, j = pairs[0]
        where = "on every judge" if _on_every_judge(evidence, i, j) else "in every resample"
        more = f" (and {counted(len(pairs) - 1, 'other pair')})" if len(pairs) > 1 else ""
        yield (
            f"{names[i]} and {names[j]} differ by the same {where}{more}: told apart without a "
            "test."
        )


def _constant(merits: Floats, tested: Round) -> Booleans:
    """Return which others keep their difference to the leader in some replicates."""
    return _same(merits[:, [tested.leader]], merits[:, tested.others], merits.dtype)


def _never_varying(evidence: Evidence, i: int, j: int) -> bool:
    return bool(_same(evidence.merits[:, [i]], evidence.merits[:, [j]], evidence.merits.dtype)[0])


def _on_every_judge(evidence: Evidence, i: int, j: int) -> bool:
    known = evidence.contributions
    assert known is not None
    both = known.values[[i, j]][:, evidence.results.weights > 0]
    return bool(_same(both[:1].T, both[1:].T, both.dtype)[0])


def _same(one: Floats, others: Floats, dtype: np.dtype[Any]) -> Booleans:
    """Return which columns of others differ from one by the same in every row, up to rounding."""
    differences = one.astype(np.float64) - others
    largest = np.abs(one).max(axis=0) + np.abs(others).max(axis=0)
    return np.asarray(np.ptp(differences, axis=0) <= RELATIVE_TOLERANCE.get(dtype, 1e-12) * largest)
