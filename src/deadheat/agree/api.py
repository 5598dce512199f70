"""Do the judges agree? Kendall's W, correlations, clusters of judges, and who opposes the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from deadheat.data.keywords import require_known
from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.data.seeds import require_seed
from deadheat.errors import UsageError
from deadheat.inference import agreement_words as words
from deadheat.inference.agreement_tables import AgreementTable, agreement_table
from deadheat.inference.centrality import Centrality, centrality, centrality_of, rankings_by
from deadheat.inference.complete import complete
from deadheat.inference.concordance import (
    Concordance,
    JudgeRanks,
    Shuffled,
    Sums,
    chance_of_less,
    concordance,
    effective_judges,
    shuffled,
    sums_of,
    with_the_others,
)
from deadheat.inference.judge_clusters import Clusters, clusters_of
from deadheat.ranking.correlation_matrices import tau_b_means, untied_pairs
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.ranking.ranks import best_first, ranks
from deadheat.result import Grid, PathLike, Result
from deadheat.typing import Booleans, Floats, Integers, Row

LARGEST_MATRIX = 5_000  # judges of which all pairs are looked at
TAU_STEPS = 100_000_000  # signs of pairs of candidates that judges are asked for
THRESHOLD = 0.5
MEANT = {
    "correlation": 'say it of a table: agreement(...).matrix("kendall"), or '
    'agreement(...).table("functions", correlation="kendall").',
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement(Result):
    """Hold how much the judges of a table agree, and what each has in common with the others.

    Attributes
    ----------
    numbers
        Kendall's W, the mean correlation, and the tests.
    means, rest
        The mean correlation of each judge with the others, and that with the ranking of the
        others by their mean ranks, (m,) each; NaN for judges that tie all candidates.
    tied
        The share of pairs of candidates that each judge ties.
    mean_tau_b, effective
        The mean of tau-b over all pairs of judges; how many judges that have nothing in common
        would be as varied.
    clusters
        Which judges rank alike; None where there are more than 5,000 of them, or of cells more
        than 20 million.
    centrality
        How close the rankings by ranking functions come to the judges.
    longest
        How many judges the table for people has at most; None for all.
    """

    schema: ClassVar[str] = "deadheat.agree/1"
    results: Results
    numbers: Concordance
    sums: Sums
    means: Floats
    rest: Floats
    tied: Floats
    mean_tau_b: float
    effective: float
    permutation: Shuffled | None
    clusters: Clusters | None
    threshold: float
    centrality: Centrality
    longest: int | None = words.MOST_ROWS

    @property
    def constant(self) -> Booleans:
        """Which judges tie all candidates, so that they correlate with nobody."""
        return ~self.sums.telling

    @cached_property
    def ranks(self) -> Floats:
        """The ranks that each judge gives, (m, n)."""
        return JudgeRanks(self.results).whole

    @cached_property
    def negative(self) -> list[int]:
        """The judges that correlate negatively with the others and with their ranking.

        Among judges that know nothing that is every third or so. The most opposed stand first.
        """
        against = np.flatnonzero((self.means < 0) & (self.rest < 0))
        return [int(j) for j in against[best_first(-self.means[against])]]

    @cached_property
    def opposing(self) -> list[int]:
        """The judges that oppose the rest, further than chance explains; the most opposed first.

        Among judges that know nothing, somebody is one of them in at most 5 % of tables.
        """
        level = words.ALPHA / max(1, int(self.sums.telling.sum()))
        return [j for j in self.negative if self._chance(j) <= level]

    def _chance(self, j: int) -> float:
        """Return the chance that a judge who knows nothing goes as far against the others."""
        n, weights = self.results.n, self.sums.weights
        own = self.ranks[j]
        theirs = ranks(
            weights[j] * (own - (n + 1) / 2) - self.sums.total, unit=n * float(weights.sum())
        )
        return chance_of_less(float(self.rest[j]), own, theirs)

    @property
    def least_first(self) -> Integers:
        """The judges, those that have least in common with the others first."""
        return best_first(-self.means)

    def rows(self) -> list[Row]:
        """Return one record per judge, those that have least in common with the others first."""
        opposing = set(self.opposing)
        return [
            {
                "judge": self.results.judges[j],
                "mean_spearman": float(self.means[j]),
                "rest_correlation": float(self.rest[j]),
                "opposes": j in opposing,
                "constant": bool(self.constant[j]),
                "cluster": self.cluster(j),
                "ties": float(self.tied[j]),
                "weight": float(self.results.weights[j]),
            }
            for j in self.least_first.tolist()
        ]

    def cluster(self, j: int) -> int | None:
        """Return the cluster of a judge, from 1; None for one that ties all candidates."""
        return None if self.clusters is None else int(self.clusters.of_judge[j]) or None

    def facts(self) -> dict[str, Any]:
        """Return W, mean correlations, tests, who opposes, clusters, and who is central."""
        shuffle = self.permutation
        return {
            **asdict(self.numbers),
            "permutation_p": shuffle and shuffle.p,
            "permutations": shuffle and shuffle.arrangements,
            "permutation_exact": shuffle and shuffle.exact,
            "mean_tau_b": self.mean_tau_b,
            "effective_judges": self.effective,
            "candidates": self.results.n,
            "judges": self.results.m,
            "constant": self.names(np.flatnonzero(self.constant).tolist()),
            "opposing": self.names(self.opposing),
            "clusters": self.clusters and [self.names(c) for c in self.clusters.members()],
            "threshold": self.threshold,
            "centrality": dict(self.centrality.spearman),
            "centrality_tau_b": dict(self.centrality.tau_b),
            "centrality_strict": dict(self.centrality.strict_spearman),
            "centrality_strict_tau_b": dict(self.centrality.strict_tau_b),
            "most_central": self.centrality.most_central(),
        }

    def names(self, judges: Iterable[int]) -> list[str]:
        """Return the names of some judges."""
        return [self.results.judges[j] for j in judges]

    def matrix(self, correlation: str = "spearman") -> AgreementTable:
        """Return the correlations between all judges: ``"spearman"`` or ``"kendall"`` (tau-b).

        Judges that rank alike stand side by side, those that tie all candidates are left out.
        """
        return agreement_table(self, "matrix", correlation=correlation)

    def table(self, name: str, correlation: str = "spearman") -> AgreementTable:
        """Return one of the tables ``judges``, ``matrix``, ``clusters`` and ``functions``.

        The ``correlation`` is that of the matrix, and that by which functions are in order.
        """
        return agreement_table(self, name, correlation=correlation)

    def with_all(self) -> Agreement:
        """Return the same with all judges in its table, not only those that agree least."""
        return replace(self, longest=None)

    def to_md(self, path: PathLike | None = None) -> str:
        """Return a Markdown table of all judges, followed by notes, verdict and warnings."""
        return Result.to_md(self.with_all(), path)

    def to_latex(self, path: PathLike | None = None) -> str:
        r"""Return a ``tabular`` of all judges for ``\usepackage{booktabs}``."""
        return Result.to_latex(self.with_all(), path)

    def closeness(self, ranking: Any) -> float:
        """Return the mean of Spearman's correlations of a ranking with the judges.

        ``ranking`` has one rank per candidate, 1 = best, in the order of the table.
        """
        given = np.asarray(ranking, dtype=np.float64)
        if given.shape != (self.results.n,) or not np.isfinite(given).all():
            raise UsageError(
                f"a ranking of {self.results.n:,} candidates is needed, got shape {given.shape}.",
                hint="give one rank per candidate, 1 = best, in the order of the table.",
            )
        return centrality_of(self.sums, given)

    @property
    def verdict(self) -> str:
        """Whether the judges agree, who opposes them, and what is closest to all."""
        return words.verdict(self)

    def grid(self) -> Grid:
        """Return the judges that have least in common with the others; all are in the rows."""
        return words.grid(self)


def agreement(
    table: Any,
    *,
    by: str | RankingFunction | Iterable[str | RankingFunction] | None = None,
    threshold: float = THRESHOLD,
    seed: int = 0,
    **reading: Any,
) -> Agreement:
    """Say how much the judges of a table agree, and who of them opposes the rest.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    by
        The ranking functions whose rankings are compared with the judges; by default all that fit
        the table and are quick on it.
    threshold
        Two clusters of judges are joined as long as the mean correlation between them is at least
        this.
    seed
        Of the random arrangements behind ``permutation_p``.

    Notes
    -----
    Judge weights: see :func:`deadheat.inference.concordance.concordance`. Judges of weight 0 are
    left out. With more than 5,000 judges there are neither clusters nor a matrix; the means over
    all pairs of judges never look at pairs and stay.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, table 1,
       and supplement, sec. 4.

    Examples
    --------
    >>> import deadheat as dh
    >>> found = dh.agreement(dh.examples.load("compressors"))
    >>> round(found.facts()["kendall_w"], 3)
    0.478
    """
    require_known(agreement, reading, meant=MEANT)
    require_seed(seed)
    if not -1 <= threshold <= 1:
        raise UsageError(
            f"the threshold must lie between -1 and 1, got {threshold}.",
            hint="threshold=0.5 joins judges whose mean correlation is at least .5.",
        )
    results = complete(read(table, **reading))
    judges = JudgeRanks(results)
    sums = sums_of(judges)
    means, rest = with_the_others(judges, sums)
    rankings, refusals = rankings_by(results, by)
    tau, taus = _taus(judges, rankings)
    few = results.m <= LARGEST_MATRIX and not judges.large
    found = Agreement(
        made=made_from(results, function=list(rankings), seed=seed),
        library=results.library,
        results=results,
        numbers=concordance(sums),
        sums=sums,
        means=means,
        rest=rest,
        tied=_tied(judges),
        mean_tau_b=tau,
        effective=effective_judges(judges, sums),
        permutation=shuffled(judges, sums, seed=seed),
        clusters=clusters_of(judges.whole, sums.telling, threshold=threshold) if few else None,
        threshold=threshold,
        centrality=centrality(rankings, sums, taus),
    )
    told = (*results.notes, *words.warnings(found), *refusals)
    return replace(found, warnings=tuple(dict.fromkeys(told)))


def _taus(judges: JudgeRanks, rankings: Mapping[str, Floats]) -> tuple[float, Floats]:
    """Return the mean of tau-b among the judges, and of each ranking with them; NaN if too slow."""
    n, m = judges.results.n, judges.results.m
    if judges.large or n**2 * m / 2 > TAU_STEPS:
        return np.nan, np.full(len(rankings), np.nan)
    rows = np.array(list(rankings.values())).reshape(-1, n)
    return tau_b_means(judges.whole, judges.results.weights, rows)


def _tied(judges: JudgeRanks) -> Floats:
    """Return the share of pairs of candidates that each judge ties; 0 where there are none."""
    n = judges.results.n
    untied = np.concatenate([untied_pairs(block) for _, block in judges])
    return np.asarray(1 - untied / (n * (n - 1) / 2)) if n > 1 else np.zeros(len(untied))
