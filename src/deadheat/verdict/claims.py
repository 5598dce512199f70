"""What a verdict may claim: who was shown better than whom, and where nothing can be shown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.core.errors import DataError, UnknownNameError, UsageError, counted, quoted
from deadheat.core.files import reads
from deadheat.core.types import Booleans, Floats
from deadheat.data.reading.column_names import matches, plain
from deadheat.output.text import number
from deadheat.ranking.ranks import ranks
from deadheat.resampling.plans import Bayesian, Jackknife, Plan, Subsample
from deadheat.statistics.corrections import ROUNDING
from deadheat.statistics.evidence import drawing, effective_units, present_units
from deadheat.statistics.groups import greedy_groups, monte_carlo_error
from deadheat.statistics.strict_groups import affordable, pairs_tested
from deadheat.statistics.units import FEWEST_JUDGES

if TYPE_CHECKING:
    from deadheat.data.results import Results
    from deadheat.verdict.result import Verdict


OF_RANKS = ("wilcoxon-holm", "nemenyi")  # whether scores are shifted, not whether merits differ
NO_MEANS_THAT_HOLD = ("median",)  # functions that are no mean, and whose tests hold nevertheless


def units(v: Verdict) -> str:
    """Return how many judges or clusters were drawn independently, in words."""
    return units_in_words(v.evidence.results, v.evidence.plan)


def units_in_words(results: Results, plan: Plan) -> str:
    """Return how many judges or clusters a plan draws independently, in words."""
    clustered = getattr(drawing(plan), "clusters", None) is not None
    drawn, strata = present_units(results, plan)
    number = counted(drawn, "cluster" if clustered else "judge")
    if not too_few_units(results, plan):
        return number
    worth = effective_units(results, plan)
    if worth < min(FEWEST_JUDGES, drawn - strata + 1):
        return f"{number}, worth {worth:.2g} of equal weight,"
    return f"{number} in {strata:,} strata" if strata > 1 else number


def too_few_units(results: Results, plan: Plan) -> bool:
    """Return whether a plan draws too few judges or clusters for any claim."""
    drawn, strata = present_units(results, plan)
    return min(drawn - strata + 1, effective_units(results, plan)) < FEWEST_JUDGES


def too_few(v: Verdict) -> bool:
    """Return whether there are too few judges for any claim; one of each stratum tells nothing."""
    return min(v.evidence.freedom + 1, v.evidence.effective) < FEWEST_JUDGES


def fewest(v: Verdict) -> int:
    """Return how many judges or clusters a claim needs in so many strata."""
    _, strata = present_units(v.evidence.results, v.evidence.plan)
    return FEWEST_JUDGES + strata - 1


def why_unknown(v: Verdict) -> str:
    """Return why nobody knows how often the groups err, as a clause; empty where it is known."""
    if v.strictly is None and isinstance(v.evidence.plan, Bayesian | Jackknife | Subsample):
        return "by a plan whose error is not known"
    if v.strictly is None and not _known(v, mean=v.function.additive):
        return f"by resamples whose error is not known, since {v.evidence.no_mean}"
    if v.strictly is not None and not _known(v, mean=_is_mean(v)):
        return f"by resamples that control no error, since {v.evidence.no_mean}"
    return ""


def shows(v: Verdict) -> bool:
    """Return whether the groups may be said to show anybody better."""
    return not (too_few(v) or why_unknown(v))


def tested(v: Verdict) -> bool:
    """Return whether tests of all pairs, where they were made, err as seldom as they say."""
    return not too_few(v) and _known(v, mean=_is_mean(v))


def sound(v: Verdict) -> bool:
    """Return whether tests of all pairs are about the merits and err as seldom as they say."""
    return tested(v) and v.test not in OF_RANKS


def first_leader(v: Verdict) -> int:
    """Return who leads the first group, and was tested against all below."""
    if v.strictly is None:
        return v.paper.rounds[0].leader
    below = _below(v)
    return next(i for i in v.members[0] if v.strictly.tests.better[i, below].all())


def confirmed(v: Verdict) -> bool:
    """Return whether sound tests of all pairs show the first leader better than all below."""
    leader = first_leader(v)
    return all(pair_confirmed(v, leader, other) for other in _below(v))


def tests_in_words(v: Verdict) -> str:
    """Return what kind of tests the groups come from, and their level."""
    level = f"at {number(100 * v.alpha)} %"
    if v.strictly is None:
        return f"one-sided tests {level}"
    return f"tests of ranks {level}" if v.test in OF_RANKS else f"tests of all pairs {level}"


def has_winner(v: Verdict) -> bool:
    """Return whether one candidate may be called the winner: shown better than all others."""
    alone = len(v.members[0]) == 1 and v.winners == v.groups[0]
    return alone and confirmed(v)


def told_apart(v: Verdict, better: int, worse: int) -> bool:
    """Return whether a test showed one candidate better than another."""
    if not shows(v):
        return False
    if v.strictly is not None:
        return bool(v.strictly.tests.better[better, worse])
    tests = (found for found in v.paper.rounds if found.leader == better)
    return any(worse in found.others[found.rejected].tolist() for found in tests)


def pair_confirmed(v: Verdict, better: int, worse: int) -> bool:
    """Return whether sound tests of all pairs show one candidate better than another."""
    stricter = v.all_pairs if sound(v) else None
    return stricter is not None and bool(stricter.tests.better[better, worse])


def _is_mean(v: Verdict) -> bool:
    return v.evidence.contributions is not None


def _known(v: Verdict, *, mean: bool) -> bool:
    """Return whether tests of the merits hold what they say, in simulations."""
    holds = v.function.name in NO_MEANS_THAT_HOLD and not v.evidence.results.has_holes
    return mean or holds


def _below(v: Verdict) -> list[int]:
    return [j for group in v.members[1:] for j in group]


# ------------------------------------------------------------------------------
# Who may be the best: a confidence set that never contradicts the groups.


def may_be_best(v: Verdict) -> Booleans | None:
    """Return who may be the best, (n,); None where no set is known to hold.

    A given best candidate is among them with confidence 1 - alpha, also after the leader was
    chosen. They are those whom comparisons with the best do not leave out
    (:func:`~deadheat.statistics.max_t.max_t`) and the first group, without those whom tests of all
    pairs show worse than somebody.
    """
    if too_few(v) or v.evidence.contributions is None:
        return None
    if v.strictly is not None and v.test in OF_RANKS:
        return None  # tests of something else
    p = _p_values(v)
    if p is None:
        return None
    found = p > v.alpha * (1 + ROUNDING)
    found[list(v.members[0])] = True
    if v.all_pairs is not None and v.test not in OF_RANKS:
        found &= ~v.all_pairs.tests.better.any(axis=0)
    return found


def _p_values(v: Verdict) -> Floats | None:
    """Return the p-values of "this one is one of the best", where they are quick to have."""
    if v.test == "max-t":
        return None if v.all_pairs is None else v.all_pairs.tests.best_p
    if not affordable(v.evidence):
        return None
    return pairs_tested(v.evidence, test="max-t", alpha=v.alpha).best_p


# ------------------------------------------------------------------------------
# Who leads each tie group of a verdict.


def leaders(verdict: Verdict) -> tuple[int, ...]:
    """Return the position of the leader of each tie group, best group first.

    The leader is the one that all below are shown worse than; others of its group are not.
    """
    rounds = verdict.paper.rounds[: 1 if verdict.untested else None]
    if verdict.strictly is not None:
        tests = verdict.strictly.tests
        rounds = greedy_groups(
            tests.better,
            verdict.spread.places,
            -verdict.evidence.ranks,
            medians=-verdict.spread.standing,
            p=np.where(tests.differences > 0, tests.p, 1.0),
            alpha=verdict.alpha,
            leader=verdict.leader,
        ).rounds
    led = [r.leader for r in rounds]
    return (*led, *(group[0] for group in verdict.members[len(led) :]))  # a last one alone


# ------------------------------------------------------------------------------
# The official order of a competition, to compare a verdict with.

RANKS = frozenset({"rank", "place", "position", "officialrank", "officialplace"})


def official_ranks(given: Any, candidates: Sequence[str]) -> Floats:
    """Return the official rank of each candidate, NaN where it has none.

    Parameters
    ----------
    given
        A mapping from name to rank, the names in their order (best first), or a file: a CSV with
        the columns candidate and rank (without the latter its lines are in order), or one name a
        line.
    """
    places = dict(zip(candidates, range(len(candidates)), strict=True))
    found = np.full(len(candidates), np.nan)
    for name, rank in _pairs(given, candidates):
        if name not in places:
            raise UnknownNameError("candidate in the official order", name, list(candidates))
        if not np.isnan(found[places[name]]):
            raise DataError(
                f"the official order names {quoted(name)} twice.", hint="leave one of them out."
            )
        found[places[name]] = _rank(rank, name)
    if np.isnan(found).all():
        raise DataError(
            "the official order names none of the candidates.", hint="was it the right file?"
        )
    return found


def top(official: Floats, k: int) -> list[int]:
    """Return the candidates with an official place of at most k, all who share the last one.

    >>> top(np.array([1.0, 2.5, 2.5, 4.0]), 2)
    [0, 1, 2]
    """
    places = ranks(-official, convention="min")
    return [int(i) for i in np.flatnonzero(places <= k)]


def official_winners(official: Floats) -> list[int]:
    """Return who won officially, all who share that; nobody where the first place is not known.

    >>> official_winners(np.array([np.nan, 2.0])), official_winners(np.array([3.0, 1.0, np.nan]))
    ([], [1])
    """
    known = official[np.isfinite(official)]
    if not len(known):
        return []
    first = top(official, 1)
    shared = (1 + len(first)) / 2  # the mean of the places that they share
    return first if len(known) == len(official) or known.min() <= shared else []


def _pairs(given: Any, known: Sequence[str]) -> list[tuple[str, object]]:
    """Return names and ranks, however they were given."""
    if isinstance(given, str | Path):
        return _from_file(Path(given), known)
    if isinstance(given, Mapping):
        return [(str(name), rank) for name, rank in given.items()]
    if isinstance(given, Iterable):
        return [(str(name), place) for place, name in enumerate(given, start=1)]
    raise UsageError(
        f"an official order is no {type(given).__name__}.",
        hint="give names best first, a mapping to ranks, or a CSV file.",
    )


def _rank(rank: object, name: str) -> float:
    try:
        number = float(str(rank).strip().rstrip("."))
    except ValueError:
        number = float("nan")
    if not number >= 1:
        raise DataError(
            f"the official rank of {quoted(name)} is {rank!r}.",
            hint="ranks are numbers from 1, the best.",
        )
    return number


def _from_file(path: Path, known: Sequence[str]) -> list[tuple[str, object]]:
    reads(path, "the official order")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(
            f"cannot read the official order {path}: {why}.",
            hint="give a CSV file with a column of candidates and one of ranks.",
        ) from None
    head = content.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    rows = [row for row in csv.reader(io.StringIO(content), delimiter=delimiter) if any(row)]
    if not rows:
        raise DataError(f"the official order {path} is empty.")
    names = [name.strip() for name in rows[0]]
    if len(names) == 1 and names[0] in known:  # a plain list, best first
        return [(row[0].strip(), place) for place, row in enumerate(rows, start=1)]
    candidate = matches("candidate", names)
    rank = [k for k, name in enumerate(names) if plain(name) in RANKS]
    if not candidate:
        raise UsageError(
            f"{path}: which column names the candidates? The first line is {quoted(head.strip())}.",
            hint="head it with candidate,rank; or write one name a line, best first.",
        )
    columns = max(candidate[0], *rank, 0) + 1
    lines = [row + [""] * (columns - len(row)) for row in rows[1:]]
    return [
        (line[candidate[0]].strip(), line[rank[0]] if rank else place)
        for place, line in enumerate(lines, start=1)
    ]


# ------------------------------------------------------------------------------
# How the numbers and groups of a verdict are read, whether it was just made or read back.


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Hold how the numbers and groups of a verdict are read.

    ``heading`` is what the shown number is called, and ``lower_is_better`` whether people write
    small ones for good candidates, as with ranks and times. ``leaders`` are those of the tie
    groups, best group first; ``shows`` is whether the groups may be said to show anybody better.
    """

    heading: str
    lower_is_better: bool
    leaders: tuple[str, ...]
    shows: bool

    @property
    def axis(self) -> str:
        """What the numbers are called, and which of them are good."""
        return f"{self.heading} ({'lower' if self.lower_is_better else 'higher'} is better)"

    def facts(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {**vars(self), "leaders": list(self.leaders)}


def reading_of(v: Verdict) -> Reading:
    """Return how a verdict is read."""
    worst = float(v.low.min())
    ends = np.array([worst, worst + max(1.0, abs(worst))])  # a candidate, and a better one
    first, last = v.function.shown(ends, v.evidence.results).tolist()
    return Reading(
        heading=v.heading,
        lower_is_better=bool(first > last),
        leaders=tuple(v.candidates[i] for i in leaders(v)),
        shows=shows(v),
    )


def first_error(v: Verdict, share: Floats | float) -> Floats:
    """Return the Monte-Carlo error of shares ranked first; 0 where nothing is random."""
    if isinstance(v.evidence.plan, Jackknife):
        return np.zeros_like(share)
    return monte_carlo_error(share, len(v.merits))


# ------------------------------------------------------------------------------
# What a verdict says about one candidate.

CLOSE = 1.96  # Monte-Carlo errors either side, for 95 %


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Hold what a verdict says about one candidate.

    ``merit``, ``low``, ``high`` and ``median_merit`` are merits, higher is better; ``shown``,
    ``shown_low`` and ``shown_high`` are the same as people write them. ``official`` is the official
    rank where one was given, ``first_error`` the Monte-Carlo error of ``first_share``;
    ``may_be_best`` is whether it is in :attr:`Verdict.best`, None where there is no such set.
    """

    candidate: str
    merit: float
    low: float
    high: float
    shown: float
    rank: float
    rank_low: float
    rank_high: float
    first_share: float
    group: int
    fractional_rank: float
    median_merit: float
    first_error: float
    shown_low: float
    shown_high: float
    official: float | None
    may_be_best: bool | None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the merit."""
        return self.low, self.high

    @property
    def first_interval(self) -> tuple[float, float]:
        """The share ranked first less and plus what other random draws might change (95 %)."""
        close = CLOSE * self.first_error
        return max(0.0, self.first_share - close), min(1.0, self.first_share + close)


def digits_of(numbers: Sequence[float]) -> int:
    """Return how many decimals numbers deserve: none where all are whole, else four figures.

    >>> digits_of([2.0, 30.0]), digits_of([1.25, 12.5]), digits_of([12345.6, 1.0])
    (0, 2, 0)
    """
    if all(x == round(x) for x in numbers):
        return 0
    return max(0, 4 - len(f"{max(map(abs, numbers)):.0f}"))
