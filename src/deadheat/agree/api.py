"""Do the judges agree? Kendall's W, correlations, clusters of judges, and who opposes the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, overload

import numpy as np

from deadheat.core import errors
from deadheat.core.errors import UnknownNameError, UsageError, command_with, counted, named, say
from deadheat.core.types import Booleans, Floats, Integers, Row, require_seed
from deadheat.data.reading.read import are_tables, read, read_all, require_known
from deadheat.data.results import Results, provenance_of, provenance_of_all
from deadheat.output.result import Listing, Result
from deadheat.output.table import Column, Grid
from deadheat.output.text import number, p_value
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.on_tables import affordable, functions_for, observed, usable
from deadheat.ranking.ranks import best_first, ranks
from deadheat.statistics import concordance
from deadheat.statistics.concordance import JudgeRanks, spearman_matrix, tau_b_matrix

CORRELATIONS: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "spearman": ("Spearman's rho", spearman_matrix),
    "kendall": ("Kendall's tau-b", tau_b_matrix),
    "tau_b": ("Kendall's tau-b", tau_b_matrix),
}
CENTRALITY = {  # facts, and the columns of a table that they are
    "centrality": "mean_spearman",
    "centrality_tau_b": "mean_tau_b",
    "centrality_strict": "strict_spearman",
    "centrality_strict_tau_b": "strict_tau_b",
}
LEADING, MOST_ROWS = 10, 1_000  # of the table for people; JSON and CSV have all
NEAR = 0.01  # correlations: closer than this, one is no better than the other
OPPOSITE = -0.3  # mean correlation between two camps
ALPHA = 0.05  # of tables in which chance alone makes somebody oppose the rest, or agree
TURNED = 0.5  # correlation with the others from which on a direction may be wrong
DEGREES = (
    (0.9, "agree almost completely"),
    (0.7, "agree strongly"),
    (0.5, "agree clearly"),
    (0.3, "agree moderately"),
    (0.1, "agree weakly"),
    (0.0, "hardly agree"),
)
LARGEST_MATRIX = 5_000  # judges of which all pairs are looked at
TAU_STEPS = 100_000_000  # signs of pairs of candidates that judges are asked for
THRESHOLD = 0.5
MEANT = {"correlation": 'say it of a table: agreement(...).matrix("kendall").'}
SAME_CORRELATION = 1e-12
MARKED = "* correlates negatively with the others and with their common ranking"
HEADINGS = {"kendall_w": "Kendall's W", "mean_spearman": "mean correlation"}
Centrality = dict[str, dict[str, float]]  # of the ranking by each function, closest first


@overload
def agreement(table: list[Any] | tuple[Any, ...], **request: Any) -> AgreementTable: ...
@overload
def agreement(table: Any, **request: Any) -> Agreement: ...
def agreement(
    table: Any,
    *,
    by: str | RankingFunction | Iterable[str | RankingFunction] | None = None,
    threshold: float = THRESHOLD,
    seed: int = 0,
    **reading: Any,
) -> Agreement | AgreementTable:
    """Say how much the judges of a table agree, and who of them opposes the rest.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`. Of a list of such a table with a row for each, which takes none
        of the other arguments.
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
    Judge weights: see :func:`deadheat.statistics.concordance.concordance`. Judges of weight 0 are
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
            hint=f"from a mean correlation of .5 on: {command_with(threshold=THRESHOLD)}",
        )
    if are_tables(table):
        for name, value, usual in (
            ("by", by, None),
            ("threshold", threshold, THRESHOLD),
            ("seed", seed, 0),
        ):
            if value != usual:
                fact = f"{say(name)} is about one table, and {len(table):,} are given."
                raise UsageError(fact, hint=f"as usual: {command_with(**{name: usual})}")
        return _of_tables([complete(each) for each in read_all(table, **reading)])
    results = complete(read(table, **reading))
    judges = JudgeRanks(results)
    sums = concordance.sums_of(judges)
    means, rest = concordance.with_the_others(judges, sums)
    rankings, refusals = rankings_by(results, by)
    n, m = results.scores.shape
    tau, taus = np.nan, np.full(len(rankings), np.nan)
    if not judges.large and n**2 * m / 2 <= TAU_STEPS:
        rows = np.array(list(rankings.values())).reshape(-1, n)
        tau, taus = concordance.tau_b_means(judges.whole, results.weights, rows)
    untied = np.concatenate([concordance.untied_pairs(block) for _, block in judges])
    clusters = None
    if m <= LARGEST_MATRIX and not judges.large:
        clusters = clusters_of(judges.whole, sums.telling, threshold=threshold)
    found = Agreement(
        made=provenance_of(results, function=list(rankings), seed=seed),
        library=results.library,
        results=results,
        numbers=concordance.concordance(sums),
        sums=sums,
        means=means,
        rest=rest,
        tied=1 - untied / (n * (n - 1) / 2) if n > 1 else np.zeros(m),
        mean_tau_b=tau,
        effective=concordance.effective_judges(judges, sums),
        permutation=concordance.permutation_test(judges, sums, seed=seed),
        clusters=clusters,
        threshold=threshold,
        centrality=centrality(rankings, sums, taus),
    )
    warnings = (*results.notes, *_warnings(found), *refusals)
    return replace(found, warnings=tuple(dict.fromkeys(warnings)))


def _of_tables(tables: list[Results]) -> AgreementTable:
    """Return table 1 of Pavao et al. (2021): how much the judges of each table agree."""
    records: list[Row] = []
    for each in tables:
        numbers = concordance.concordance(concordance.sums_of(JudgeRanks(each)))
        about: Row = {"table": each.source, "candidates": each.n, "judges": each.m}
        about |= {"kendall_w": numbers.kendall_w, "mean_spearman": numbers.mean_spearman}
        records.append(about)
    known = [row for row in records if row["kendall_w"] == row["kendall_w"]]
    said = "Whether judges agree is undefined for every table."
    if known:
        low, high = (pick(known, key=lambda row: row["kendall_w"]) for pick in (min, max))
        said = f"The judges agree most in {high['table']} (Kendall's W = {high['kendall_w']:.3f})"
        less = f", and least in {low['table']} ({low['kendall_w']:.3f})"
        said += f"{less if low is not high else ''}."
    return AgreementTable(
        made=provenance_of_all(tables),
        warnings=tuple(dict.fromkeys(note for each in tables for note in each.notes)),
        library=tables[0].library,
        name="tables",
        records=tuple(records),
        sentence=said,
        keys=1,
        headings=HEADINGS,
        digits=3,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement(Result):
    """Hold how much the judges of a table agree, and what each has in common with the others."""

    schema: ClassVar[str] = "deadheat.agree/1"
    results: Results
    numbers: concordance.Concordance  # Kendall's W, the mean correlation, and the tests
    sums: concordance.Sums
    means: Floats  # the mean correlation of each judge with the others, (m,); NaN if it ties all
    rest: Floats  # and that with the ranking of the others by their mean ranks
    tied: Floats  # the share of pairs of candidates that each judge ties
    mean_tau_b: float  # over all pairs of judges
    effective: float  # how many judges that have nothing in common would be as varied
    permutation: concordance.PermutationTest | None
    clusters: Clusters | None  # None for more than 5,000 judges or 20 million cells
    threshold: float
    centrality: Centrality  # how close the rankings by functions come to the judges

    @property
    def constant(self) -> Booleans:
        """Which judges tie all candidates, so that they correlate with nobody."""
        return ~self.sums.telling

    @cached_property
    def ranks(self) -> Floats:
        return JudgeRanks(self.results).whole

    @cached_property
    def negative(self) -> list[int]:
        """The judges that correlate negatively with the others and their ranking, worst first."""
        against = np.flatnonzero((self.means < 0) & (self.rest < 0))
        judges: list[int] = against[best_first(-self.means[against])].tolist()
        return judges

    @cached_property
    def opposing(self) -> list[int]:
        """The judges that oppose the rest further than chance explains, the most opposed first.

        Among judges that know nothing, somebody is one of them in at most 5 % of tables.
        """
        level = ALPHA / max(1, int(self.sums.telling.sum()))
        return [j for j in self.negative if self._chance(j) <= level]

    def _chance(self, j: int) -> float:
        """Return the chance that a judge who knows nothing goes as far against the others."""
        n, weights, own = self.results.n, self.sums.weights, self.ranks[j]
        others = weights[j] * (own - (n + 1) / 2) - self.sums.total
        theirs = ranks(others, unit=n * float(weights.sum()))
        return concordance.chance_of_less(float(self.rest[j]), own, theirs)

    def rows(self) -> list[Row]:
        return self._rows(best_first(-self.means).tolist())

    def _rows(self, judges: list[int]) -> list[Row]:
        opposing = set(self.opposing)
        cluster = np.zeros(self.results.m, int) if self.clusters is None else self.clusters.of_judge
        return [
            {
                "judge": self.results.judges[j],
                "mean_spearman": float(self.means[j]),
                "rest_correlation": float(self.rest[j]),
                "opposes": j in opposing,
                "constant": bool(self.constant[j]),
                "cluster": cluster[j].item() or None,
                "ties": float(self.tied[j]),
                "weight": float(self.results.weights[j]),
            }
            for j in judges
        ]

    def grid(self) -> Grid:
        columns = {
            "judge": Column(name=self.results.nouns.judge),
            "mean_spearman": Column(name="mean correlation", digits=3),
            "rest_correlation": Column(name="with the rest", digits=3),
            "cluster": Column(name="cluster") if self.clusters is not None else None,
            "ties": Column(name="tied pairs", digits=3) if self.tied.any() else None,
            "weight": Column(name="weight") if np.ptp(self.results.weights) else None,
        }
        judges, negative = best_first(-self.means)[:MOST_ROWS].tolist(), set(self.negative)
        return Grid.of(
            filter(None, columns.values()),
            ([row[key] for key in columns if columns[key]] for row in self._rows(judges)),
            marked=frozenset((row, 1) for row, j in enumerate(judges) if j in negative),
            legend=(MARKED,) if negative else (),
            notes=tuple(_notes(self)),
            leading=LEADING,
        )

    def facts(self) -> dict[str, Any]:
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
            **{
                name: {function: means[key] for function, means in self.centrality.items()}
                for name, key in CENTRALITY.items()
            },
            "most_central": most_central(self.centrality),
        }

    def names(self, judges: Iterable[int]) -> list[str]:
        return [self.results.judges[j] for j in judges]

    def matrix(self, correlation: str = "spearman") -> AgreementTable:
        """Return the correlations between all judges: ``"spearman"`` or ``"kendall"`` (tau-b).

        Judges that rank alike stand side by side, those that tie all candidates are left out.
        """
        return self.table("matrix", correlation=correlation)

    def table(self, name: str, correlation: str = "spearman") -> AgreementTable:
        """Return one of the tables ``judges``, ``matrix``, ``clusters`` and ``functions``.

        The ``correlation`` is that of the matrix, and that by which functions are in order.
        """
        if name not in TABLES:
            raise UnknownNameError("table of agreement", name, TABLES)
        if correlation not in CORRELATIONS:
            raise UnknownNameError("correlation", correlation, CORRELATIONS)
        records, sentence = TABLES[name](self, correlation)
        return AgreementTable.of(self, name, records, sentence, digits=3)

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
    def sentences(self) -> tuple[str, ...]:
        return tuple(filter(None, (_lead(self), _opposing(self), _variety(self), _central(self))))


class AgreementTable(Listing):
    schema: ClassVar[str] = "deadheat.agree-table/1"


def _clusters_for(found: Agreement, what: str) -> Clusters:
    if found.clusters is None:
        raise UsageError(
            f"the table is too large for {what} of {found.results.nouns.judges(found.results.m)}.",
            hint=f"a row for each: {command_with(show='judges')}",
        )
    return found.clusters


def _matrix(found: Agreement, correlation: str) -> tuple[list[Row], str]:
    label, matrix = CORRELATIONS[correlation]
    order = _clusters_for(found, "a matrix").order
    names = found.names(order.tolist())
    values = matrix(found.ranks[order]) if len(order) else np.empty((0, 0))
    key = "judge"
    while key in names:  # the key is no name of a judge
        key += "_"
    records: list[Row] = [
        {key: name, **dict(zip(names, row, strict=True))}
        for name, row in zip(names, values.tolist(), strict=True)
    ]
    left = int(found.constant.sum())
    nouns = found.results.nouns
    out = f"; {nouns.judges(left)} that tied all left out" if left else ""
    between = f"{label} between all {nouns.judges()}"
    return records, f"{between}, those that rank alike side by side{out}."


def _clusters(found: Agreement, correlation: str) -> tuple[list[Row], str]:  # noqa: ARG001
    members = _clusters_for(found, "clusters").members()
    matrix = np.nan_to_num(spearman_matrix(found.ranks))
    records: list[Row] = []
    for place, judges in enumerate(members, start=1):
        others = np.setdiff1d(np.flatnonzero(found.sums.telling), judges)
        inside, outside, size = matrix[judges][:, judges], matrix[judges][:, others], len(judges)
        pairs = size * (size - 1)
        records.append(
            {
                "cluster": str(place),
                "size": size,
                "mean_inside": float((inside.sum() - size) / pairs) if pairs else np.nan,
                "mean_outside": float(outside.mean()) if len(others) else np.nan,
                "judges": ", ".join(found.names(judges)),
            }
        )
    least = f"at least {found.threshold:g} (average linkage)"
    return records, f"Clusters are joined as long as the mean correlation between them is {least}."


def _functions(found: Agreement, correlation: str) -> tuple[list[Row], str]:
    central = closest_first(found.centrality, correlation)
    records: list[Row] = [{"function": name, **means} for name, means in central.items()]
    judges = found.results.nouns.judges()
    return records, (
        f"The mean correlation of the ranking by each function with the {judges}. Ties in a "
        "ranking raise it; strict is its mean over all ways to break them, by which the functions "
        f"stand here ({CORRELATIONS[correlation][0]}), the closest first."
    )


TABLES: dict[str, Callable[[Agreement, str], tuple[list[Row], str]]] = {
    "judges": lambda found, _: (found.rows(), found.verdict),
    "matrix": _matrix,
    "clusters": _clusters,
    "functions": _functions,
}


# The sentences.


def _warnings(found: Agreement) -> Iterator[str]:
    results, telling, nouns = found.results, found.sums.telling, found.results.nouns
    if results.n == 1:
        yield f"1 {nouns.candidate}: nothing is ranked, and agreement is undefined."
    elif not telling.any():
        yield f"every {nouns.judge} ties all {nouns.candidates()}: agreement is undefined (0/0)."
    elif not telling.all():
        constant = found.names(np.flatnonzero(~telling).tolist())
        yield (
            f"{nouns.judges(len(constant))} tied all {nouns.candidates()} ({named(constant)}): "
            "their correlations are undefined and left out of the means."
        )
    if results.m == 1:
        yield f"1 {nouns.judge}: W is 1 by construction, and there is nothing to agree with."
    elif found.numbers.kendall_w >= concordance.UNANIMOUS:
        yield f"all {nouns.judges()} rank alike: F is infinite, and left out with its p-value."
    if results.n == 2:
        yield f"2 {nouns.candidates()}: every correlation is 1 or -1."
    if found.clusters is None:
        pairs = f"all pairs of {nouns.judges()}"
        yield f"the table is too large for clusters and a matrix of {pairs}."
    if np.isnan(found.mean_tau_b) and telling.sum() > 1 and results.n > 1:
        yield "the table is too large for tau-b, which is left out."
    if results.m > 2 and found.numbers.mean_spearman > DEGREES[-2][0]:
        yield from _reversed_judges_warning(found)


def _reversed_judges_warning(found: Agreement) -> Iterator[str]:
    turned = [j for j in found.opposing if found.rest[j] < -TURNED]
    is_it = "is its direction" if len(turned) == 1 else "are their directions"
    if turned:
        who, right = _judges(found, turned, "ranks", "rank"), found.results.direction()
        yield f"{who} the other way round than the others: {is_it} right ({right})?"


def _lead(found: Agreement) -> str:
    numbers, nouns = found.numbers, found.results.nouns
    judges = nouns.judges(found.results.m)
    if np.isnan(numbers.kendall_w):
        return f"Whether the {judges} agree is undefined."
    if found.results.m == 1:
        return f"One {nouns.judge} agrees with itself: W = 1 by construction."
    w, who = f"Kendall's W = {numbers.kendall_w:.3f}", f"The {judges}"
    mean = numbers.mean_spearman
    if np.isnan(mean):
        apart = f"fewer than two {nouns.judges()} separate {nouns.candidates()}"
        return f"{w}; {apart}, so that none correlate."
    tau = f", tau-b {found.mean_tau_b:.2f}" if not np.isnan(found.mean_tau_b) else ""
    figures = f"{w}, mean correlation {number(mean, 2)}{tau}"
    if several := int(np.count_nonzero(~np.isnan(found.means))) % found.results.m:
        who = f"The {several:,} of {judges} that separate {nouns.candidates()}"
        figures = f"mean correlation {number(mean, 2)}{tau}; {w} of all {found.results.m:,}"
    degree = next((words for least, words in DEGREES if mean >= least), "")
    p, shuffle = numbers.friedman_p, found.permutation
    test = f"Friedman's test p {p_value(p)}"
    if shuffle is not None and shuffle.exact:
        p, test = shuffle.p, f"exact p {p_value(shuffle.p)}"
    if mean < 0:
        return f"{who} do not agree ({figures}; {test})."
    chance = "more than chance explains" if p < ALPHA else "no more than chance would explain"
    return f"{who} {degree} ({figures}), {chance} ({test})."


def _opposing(found: Agreement) -> str:
    against, beyond, nouns = found.negative, found.opposing, found.results.nouns
    if not against or found.results.m < 3:
        return ""
    if not beyond:
        who = f"{nouns.judges(len(against))} correlate"  # a star marks them in the table
        if len(against) == 1:
            who = _upper(_judges(found, against, "correlates", ""))
        chance = f"chance may bring one with {nouns.candidates(found.results.n)}"
        return f"{who} negatively with the rest, but no further than {chance}."
    if len(beyond) > found.results.m / 4:
        return _camps(found) or (
            f"No common ranking stands out: {len(beyond):,} of {nouns.judges(found.results.m)} "
            "correlate negatively with that of the others."
        )
    down = "mean correlation" if len(beyond) == 1 else "mean correlations down to"
    who, lowest = _judges(found, beyond, "opposes", "oppose"), float(found.means[beyond[0]])
    return f"{_upper(who)} the rest ({down} {number(lowest, 2)})."


def _camps(found: Agreement) -> str:
    members = [] if found.clusters is None else found.clusters.members()[:2]
    if [len(camp) > 1 for camp in members] != [True, True]:
        return ""
    first, second = (concordance.unit_ranks(found.ranks[camp]).mean(axis=0) for camp in members)
    between = float(first @ second)
    if between > OPPOSITE:
        return ""
    second_camp = found.results.nouns.judges(len(members[1]))
    camps = f"Two camps of {len(members[0]):,} and {second_camp} rank in opposite directions"
    return f"{camps} (mean correlation between them {number(between, 2)})."


def _variety(found: Agreement) -> str:
    nouns, telling = found.results.nouns, int(found.sums.telling.sum())
    if np.isnan(found.effective) or telling < 3 or found.results.n < 3:
        return ""
    members = [] if found.clusters is None else found.clusters.members()
    several, clusters = sum(len(cluster) > 1 for cluster in members), ""
    if len(members) == 1:
        clusters = "; all are in one cluster"
    elif several:
        alone = len(members) - several
        rest = f", and {alone:,} {'stands' if alone == 1 else 'stand'} alone" if alone else ""
        clusters = f"; they form {counted(several, 'cluster')}{rest}"
    worth = number(found.effective, 1)
    judges = f"one {nouns.judge}" if worth == "1.0" else f"{worth} unrelated {nouns.judges()}"
    opposite = " (to say the opposite adds none)" if found.opposing else ""
    return f"In variety they are worth {judges}{opposite}{clusters}."


def _central(found: Agreement) -> str:
    values, most = found.centrality, most_central(found.centrality)
    if not most or found.results.n < 2 or found.results.m < 2:
        return ""
    best = values[most[0]]["strict_spearman"]
    value, judges = number(best, 2), f"the {found.results.nouns.judges()}"
    if len(values) == 1:
        return f"The ranking by {spoken(most[0])} has a mean correlation of {value} with {judges}."
    if best < DEGREES[-2][0]:
        return f"No ranking that was tried comes close to {judges} ({value} at best)."
    near = [name for name in most_central(values, NEAR) if name not in most]
    if len(most) + len(near) == len(values):
        within = f", within {NEAR:g} of each other" if near else ""
        return f"All rankings that were tried are equally close to {judges} ({value}){within}."
    which, comes = ("ranking", "comes") if len(most) == 1 else ("rankings", "come")
    others = f", {counted(len(near), 'other')} within {NEAR:g} of that" if near else ""
    by = named([*map(spoken, most)], most=4)
    return f"The {which} by {by} {comes} closest to {judges} ({value}){others}."


def _notes(found: Agreement) -> Iterator[str]:
    numbers, m = found.numbers, found.results.m
    if (more := m - MOST_ROWS) > 0:
        more_judges = counted(more, f"more {found.results.nouns.judge}")
        yield f"{more_judges} {'has' if more == 1 else 'have'} more in common."
    if not np.isnan(numbers.spearman_from_w):
        mean, follows = (number(x, 3) for x in (numbers.mean_spearman, numbers.spearman_from_w))
        verb = "would be" if found.tied.any() else "is"
        yield f"Without ties the mean correlation ({mean}) {verb} (m W - 1)/(m - 1) = {follows}."


def _judges(found: Agreement, judges: list[int], one: str, several: str) -> str:
    names = found.names(judges)
    if len(names) == 1:
        return f"{found.results.nouns.judge} {named(names)} {one}"
    return f"{found.results.nouns.judges(len(names))} ({named(names)}) {several}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# What judges have in common: clusters of them, and how close a ranking comes to all.


def complete(results: Results) -> Results:
    """Return the table without judges of weight 0, or say that it has holes."""
    if not results.has_holes:
        return results.without_idle_judges()
    holes = results.holes
    i, j = np.argwhere(holes)[0].tolist()
    nouns = results.nouns
    whole = (
        ("drop-judges", 0, results.m, nouns.judges(results.m)),
        ("drop-candidates", 1, results.n, nouns.candidates(results.n)),
    )
    ways = [
        f"to keep {left:,} of {all_of_them}: {command_with(missing=policy)}"
        for policy, axis, number, all_of_them in whole
        if (left := number - int(holes.any(axis=axis).sum())) > 1
    ]
    if not holes.all(axis=0).any():
        ways.append(f"to keep all: {command_with(missing='worst')}")
    raise errors.MissingScoresError(
        f"{results.source}: agreement compares whole rankings, and the score of "
        f"{results.place(i, j)} is missing ({int(holes.sum()):,} in all).",
        hint="\n".join(ways) or f"leave out the {nouns.judges()} without a score.",
    )


@dataclass(frozen=True, eq=False)
class Clusters:
    of_judge: Integers  # from 1, the largest cluster first; 0 for judges that tie all
    order: Integers  # those that tell candidates apart, beside those most like them

    def members(self) -> list[list[int]]:
        number = int(self.of_judge.max(initial=0))
        return [np.flatnonzero(self.of_judge == k).tolist() for k in range(1, number + 1)]


def clusters_of(ranks: Floats, telling: Booleans, *, threshold: float) -> Clusters:
    """Return clusters of the judges with ranks (m, n), by average linkage on 1 - rho.

    The two with the highest mean correlation are joined, as long as that is at least the threshold.
    """
    judges = np.flatnonzero(telling)
    of_judge = np.zeros(len(ranks), dtype=np.int64)
    if len(judges) < 2:
        of_judge[judges] = 1
        return Clusters(of_judge, judges)
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    units = concordance.unit_ranks(ranks[judges])
    apart = 1 - np.clip(units @ units.T, -1, 1)
    joined = linkage(squareform(apart, checks=False), "average")
    found = fcluster(joined, 1 - threshold + 1e-12, criterion="distance")
    _, first, back, sizes = np.unique(
        found, return_index=True, return_inverse=True, return_counts=True
    )
    place = np.empty(len(sizes), dtype=np.int64)  # largest first, among equals by first judge
    place[np.lexsort((first, -sizes))] = np.arange(1, len(sizes) + 1)
    of_judge[judges] = place[back]
    return Clusters(of_judge, judges[leaves_list(joined)])


def centrality_of(sums: concordance.Sums, ranking: Floats) -> float:
    """Return the mean correlation of one ranking with the judges, in O(n)."""
    weight = float(sums.weights[sums.telling].sum())
    if not weight:
        return np.nan
    unit = concordance.unit_ranks(concordance.mean_ranks(ranking[None, :]))[0]
    return float(np.clip(unit @ sums.direction / weight, -1, 1))


def rankings_by(results: Results, by: object = None) -> tuple[dict[str, Floats], list[str]]:
    """Return the ranks by each function, and a sentence for each that cannot rank the table."""
    fs, named_ones = functions_for(results, by) if by is not None else (affordable(results), [])
    fs, refusals = usable(results, fs, named_ones)
    rankings = {}
    for f, row in zip(fs, observed(results, fs), strict=True):
        nobody = [results.candidates[i] for i in np.flatnonzero(np.isnan(row)).tolist()]
        if not nobody:
            rankings[f.name] = ranks(row, unit=f.unit(results.scores, results.weights))
            continue
        fact = f"no merit to {counted(len(nobody), 'candidate')}: {named(nobody)}."
        if f in named_ones:
            raise errors.DataError(
                f"{f.name} gives {fact}",
                hint="every candidate that is present needs a merit; check its kernel.",
            )
        refusals = [*refusals, f"{f.name} is left out: it gives {fact}"]
    return rankings, [] if by is None else refusals


def centrality(rankings: Mapping[str, Floats], sums: concordance.Sums, taus: Floats) -> Centrality:
    """Return mean correlations with the judges of the ranking by each function, closest first.

    Ties shorten a ranking and may bring it closer than any way to break them. The strict ones are
    means over all these ways: by them none is closer than mean ranks (rho), or Kemeny's (tau-b).
    """
    central: Centrality = {}
    for (name, row), tau in zip(rankings.items(), taus.tolist(), strict=True):
        # Ranks and orders of pairs are means of those of all strict rankings that a ranking may
        # become, and products of vectors are linear; so only the length to divide by is another.
        rho, (spread, pairs) = centrality_of(sums, row), np.sqrt(untied_shares(row)).tolist()
        central[name] = {
            "mean_spearman": rho,
            "mean_tau_b": tau,
            "strict_spearman": rho * spread if spread else 0.0,
            "strict_tau_b": tau * pairs if pairs else 0.0,
        }
    return closest_first(central)


def closest_first(central: Centrality, correlation: str = "spearman") -> Centrality:
    key = "strict_spearman" if correlation == "spearman" else "strict_tau_b"
    order = best_first(np.array([means[key] for means in central.values()])).tolist()
    names = list(central)
    return {names[k]: central[names[k]] for k in order}


def most_central(central: Centrality, within: float = SAME_CORRELATION) -> list[str]:
    values = {name: means["strict_spearman"] for name, means in central.items()}
    best = max((value for value in values.values() if value == value), default=np.nan)
    return [name for name, value in values.items() if value >= best - within]


def untied_shares(ranking: Floats) -> tuple[float, float]:
    """Return the spread of ranks, and the pairs in order, as shares of those without ties."""
    n = len(ranking)
    row = concordance.mean_ranks(ranking[None, :])
    spread = float(((row - (n + 1) / 2) ** 2).sum())
    pairs = int(concordance.untied_pairs(row)[0])
    return spread / max((n**3 - n) / 12, 1), pairs / max(n * (n - 1) / 2, 1)
