"""How much a page may cost: what is computed for a table of a size, whoever has it.

Only the size of a table decides, never a clock: the same table gives the same page everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deadheat.errors import counted

REPLICATES, FEWEST_REPLICATES = 10_000, 2_000
DRAWS = 200_000_000  # judges that are drawn in all
CELLS = 25_000_000  # cells of resampled tables that ranking functions are measured on
TRIALS, FEWEST_TRIALS = 10_000, 50
REPEATS = 10
MATCHES = 2_000_000  # n n m of tables that are rated
CHECKED = 6_000_000  # n n m of tables that ranking functions are tried on beside the chosen one
REMOVED = 1_000_000_000  # n n m of rankings without one candidate
PAIRS = 25_000_000  # numbers looked at for pairs of candidates
MOST_TRIED = 1_000  # candidates: beyond, ranking functions take time by their third power
MOST_PAIRED = 40  # candidates of which every pair is told
MOST_LISTED = 300  # candidates of which every pair stands in a table
MOST_IN_GRAPH = 150  # candidates of which the majorities are drawn
MOST_TESTS = 50_000  # tests that are listed


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Hold what is affordable for a table of n candidates and m judges."""

    replicates: int
    trials: int
    """Of the comparison of ranking functions; 0 for none."""
    repeats: int
    agreement: bool
    ratings: bool
    check: bool
    removals: bool
    paired: int
    """How many candidates, best first, every pair is told of."""
    listed: bool
    """Whether there is a table of every pair."""
    graph: bool
    """Whether the majorities are drawn."""
    told: tuple[str, ...]
    """What is less than usual, in sentences."""


def budget_of(n: int, m: int, replicates: int | None = None) -> Budget:
    """Return what is affordable in about twenty seconds; no more than ``replicates`` of anything.

    >>> budget_of(10, 20).told
    ()
    >>> budget_of(30, 100_000).replicates, budget_of(30, 100_000).trials
    (2000, 0)
    """
    told: list[str] = []
    drawn = replicates
    if drawn is None:
        drawn = min(REPLICATES, max(FEWEST_REPLICATES, DRAWS // m))
        if drawn < REPLICATES:
            told.append(f"{drawn:,} resamples instead of {REPLICATES:,}, as there are many judges.")
    trials = int(CELLS / (n * m * (1 + n / 100)))
    trials = 0 if trials < FEWEST_TRIALS or n > MOST_TRIED else min(TRIALS, trials)
    trials = trials if replicates is None else min(trials, max(1, replicates))
    repeats = max(1, min(REPEATS, trials // 100))
    if not trials:
        told.append(
            "Ranking functions are not compared on so large a table: see deadheat criteria."
        )
    elif trials < TRIALS:
        told.append(
            f"Ranking functions are compared on {counted(trials, 'resampled table')} instead of "
            f"{TRIALS:,}."
        )
    ratings = n * n * m <= MATCHES
    if not ratings:
        told.append("Candidates are not rated on so large a table: see deadheat rate.")
    check = n <= MOST_TRIED and n * m <= CHECKED and n * n * m <= 100 * CHECKED
    if not check:
        told.append("The data are not checked on so large a table: see deadheat check.")
    agreement = n * m <= CHECKED
    if not agreement:
        told.append("Judges are not compared on so large a table: see deadheat agree.")
    removals = n <= MOST_TRIED and n * n * m <= REMOVED
    if not removals:
        told.append("Candidates are not left out one at a time on so large a table.")
    paired = min(n, MOST_PAIRED, max(3, int((2 * PAIRS / (drawn + 3 * n * m)) ** 0.5)))
    return Budget(
        replicates=drawn,
        trials=trials,
        repeats=repeats,
        agreement=agreement,
        ratings=ratings,
        check=check,
        removals=removals and n > 2,
        paired=paired,
        listed=n <= MOST_LISTED,
        graph=n <= MOST_IN_GRAPH,
        told=(*told, *_of_pairs(n, paired)),
    )


def _of_pairs(n: int, paired: int) -> Iterator[str]:
    """Tell what is left out of what is told of pairs."""
    if paired < n:
        yield f"Pairs are told of the {paired} best candidates of {n:,}."
    if n > MOST_LISTED:
        yield f"The {n * (n - 1) // 2:,} pairs are not listed: see deadheat verdict."
    if n > MOST_IN_GRAPH:
        yield "The graph of majorities is left out for so many candidates."
