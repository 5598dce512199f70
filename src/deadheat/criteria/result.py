"""Which ranking function to trust here: the result of measuring them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import UnknownNameError, UsageError, Words, counted, listed
from deadheat.core.options import TRIALS
from deadheat.core.types import Booleans, Floats, Row
from deadheat.core.weights import COUNTING_OF_SOME, OTHER_ORDER
from deadheat.criteria.criterion import ORDER, Criterion
from deadheat.criteria.trials import (
    ALPHA,
    BASELINE,
    ROUNDING,
    Correlation,
    Lead,
    TableValues,
    above_baseline,
    by_benchmark,
    lead_of,
    mean_and_error,
    moments,
)
from deadheat.data.results import Nouns, Results
from deadheat.output.result import Listing, Result
from deadheat.output.table import Grid
from deadheat.output.text import number, p_value
from deadheat.rank.api import Ranking, rank
from deadheat.ranking.function import RankingFunction, spoken
from deadheat.ranking.ranks import best_of

OF_THE_PAPER = tuple(name for name in ORDER if name != "majority_rate")
PREDICTED = "generalization"
FEW_CASES = 100  # below this a rate over trials is not reliable
BEYOND_IMPROVEMENT = 0.9  # the mean correlation of one judge with the others
EXACT = 1e-9
OPPOSITE = -0.1  # a mean correlation with unseen judges below this is rather the opposite
FEW = 0.1  # and one below this predicts next to nothing
SMALL = 0.01  # a difference that hardly matters
HALF_A_DIGIT_BELOW_ONE = 0.9995
ERRORS = 2.0  # standard errors on each side of a mean in pictures
FEWEST_ON_A_MAP = 2
VIEWS = ("criteria", "correlations", "tables", "meta-ranking")
NOISE = (
    "Stability alone is not a merit: a ranking that ignores the judges is stable too. Read it "
    "beside the agreement of the judges (Kendall's W) and generalization."
)
HEADINGS = "Cond. rate is the Condorcet rate, unseen generalization, redrawn stability."


@dataclass(frozen=True, eq=False, kw_only=True)
class View(Listing):
    schema: ClassVar[str] = "deadheat.criteria-table/1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Criteria(Result):
    """Hold what was measured of every function, with error bars, on one table or several.

    The last row of all values is the baseline, the ranking of one judge drawn at random.
    """

    schema: ClassVar[str] = "deadheat.criteria/1"
    functions: tuple[RankingFunction, ...]
    criteria: tuple[Criterion, ...]
    measured: tuple[TableValues, ...]
    correlation: Correlation
    rankings: Floats  # correlations between the rankings of the functions on each table, (T, F, F)
    concordance: tuple[float, ...]  # Kendall's W of each; NaN where all judges tie all candidates
    p_values: tuple[float, ...]  # the chance of it; NaN with one judge
    substitutes: Mapping[str, Mapping[str, str]]  # by table, what stood in for which function

    @property
    def nouns(self) -> Nouns:
        return self.measured[0].results.nouns

    @property
    def names(self) -> tuple[str, ...]:
        return (*(f.name for f in self.functions), BASELINE)

    def used(self, name: str) -> list[TableValues]:
        """Return the tables that a criterion is averaged over: those with enough cases, if any."""
        cases = [table.cases(name) for table in self.measured]
        over = next(c.over for c in self.criteria if c.name == name)
        fewest = FEW_CASES if over == "trials" and max(cases) >= FEW_CASES else 1
        kept = [t for t, k in zip(self.measured, cases, strict=True) if k >= fewest]
        return kept or list(self.measured)

    def values(self, name: str) -> tuple[Floats, Floats, Floats]:
        """Return mean, Monte-Carlo error and error over tables of a criterion, (F,) each."""
        used = self.used(name)
        means, errors = zip(*(moments(t.values[name]) for t in used), strict=True)
        units = by_benchmark(used, np.stack(means))
        mean, between = mean_and_error(units)
        sizes = Counter(table.benchmark for table in used)
        own = [error / sizes[t.benchmark] for error, t in zip(errors, used, strict=True)]
        return mean, np.sqrt((np.stack(own) ** 2).sum(axis=0)) / len(units), between

    @cached_property
    def leads(self) -> dict[str, Lead | None]:
        """How far the best function leads by each criterion; None where it is undefined."""
        names, rivals = [c.name for c in self.criteria], len(self.functions)
        return {name: lead_of(self.used(name), name, rivals) for name in names}

    @cached_property
    def nothing_to_rank(self) -> tuple[str, ...]:
        """Why a table cannot be ranked at all, for each; empty where it can."""
        found = []
        for table, w in zip(self.measured, self.concordance, strict=True):
            name, n = table.results.source, table.results.n
            nouns = table.results.nouns
            tied = f"every {nouns.judge} of {name} ties all {nouns.candidates()}" if w != w else ""
            found.append(f"{name} has one {nouns.candidate}" if n < 2 else tied)
        return tuple(found)

    @cached_property
    def beaten(self) -> tuple[bool, ...]:
        """Whether any function predicts unseen judges better than the baseline, for each table."""
        return tuple(bool(above_baseline(t, PREDICTED).any()) for t in self.measured)

    @cached_property
    def telling(self) -> tuple[bool, ...]:
        """Whether each table can say which function to trust."""
        # Judges must agree more than by chance, and a function must predict unseen ones better than
        # the baseline, unless that can hardly be done, or nobody is unseen. NaN is not below ALPHA.
        values = [table.means(PREDICTED)[-1] for table in self.measured]
        return tuple(
            p < ALPHA and (beaten or base != base or base > BEYOND_IMPROVEMENT)
            for p, beaten, base in zip(self.p_values, self.beaten, values, strict=True)
        )

    def rows(self) -> list[Row]:
        """Return one record per function, with errors over trials and, of several, over tables."""
        endings = ("", "_se", "_se_tables")[: 2 + self.several]
        columns: dict[str, Sequence[Any]] = {"function": self.names}
        for c in self.criteria:
            values = zip(endings, self.values(c.name), strict=False)
            columns |= {f"{c.name}{ending}": column.tolist() for ending, column in values}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @property
    def several(self) -> bool:
        return len(self.measured) > 1

    @property
    def units(self) -> str:
        """What is averaged over, and how many: 6 tables, or 5 benchmarks."""
        return counted(len(self._benchmarks), self.unit)

    @property
    def unit(self) -> str:
        return "benchmark" if len(self._benchmarks) < len(self.measured) else "table"

    @property
    def _benchmarks(self) -> set[str]:
        return {table.benchmark for table in self.measured}

    def facts(self) -> dict[str, Any]:
        names, rows = self.names[:-1], self.matrix.tolist()
        each = zip(names, rows, strict=True)
        return {
            "correlations": {name: dict(zip(names, row, strict=True)) for name, row in each},
            "baseline": BASELINE,
            "kendall_w": list(self.concordance),
            "kendall_w_p": list(self.p_values),
            "above_baseline": [
                list(compress(names, above_baseline(t, PREDICTED))) for t in self.measured
            ],
            "best": {c: list(compress(names, x.level)) for c, x in self.leads.items() if x},
            "cases": {c.name: [t.cases(c.name) for t in self.measured] for c in self.criteria},
            "counts": [dict(table.counts) for table in self.measured],
            "tables": [table.results.source for table in self.measured],
            "by_table": {
                c.name: [_known(t.means(c.name)) for t in self.measured] for c in self.criteria
            },
            "spread": {
                c.name: [[_deviation(own) for own in t.values[c.name]] for t in self.measured]
                for c in self.criteria
                if c.over != "trials"
            },
            "benchmarks": [table.benchmark for table in self.measured],
            "substitutes": self.substitutes,
        }

    @property
    def matrix(self) -> Floats:
        flat = by_benchmark(self.measured, self.rankings.reshape(len(self.rankings), -1))
        return mean_and_error(flat)[0].reshape(self.rankings.shape[1:])

    def correlations(self) -> View:
        names = self.names[:-1]
        rows = zip(names, self.matrix.tolist(), strict=True)
        records = [{"function": a} | dict(zip(names, row, strict=True)) for a, row in rows]
        kind = "Spearman's rho" if self.correlation == "spearman" else "Kendall's tau-b"
        over = f", averaged over {self.units}" if self.several else ""
        sentence = f"{kind} between the rankings of two functions{over}."
        spaced = {name: name.replace("_", " ") for name in names}
        return View.of(self, "correlations", records, sentence, keys=1, digits=3, headings=spaced)

    def tables(self) -> View:
        records = [
            {"table": table.results.source, "function": name}
            | {c.name: float(table.means(c.name)[i]) for c in self.criteria}
            | {"kendall_w": w}
            for table, w in zip(self.measured, self.concordance, strict=True)
            for i, name in enumerate(self.names)
        ]
        short = {c.name: c.heading_in(self.nouns) for c in self.criteria} | {"kendall_w": "W"}
        said = f"{NOISE} {HEADINGS}"
        return View.of(self, "tables", records, said, keys=2, digits=3, headings=short)

    def meta_ranking(self, by: Any = None) -> Ranking:
        """Rank the ranking functions: they are the candidates, and the criteria are the judges.

        ``by`` are functions that rank them, ``average_rank`` by default. The criteria are those of
        the paper that have a value.
        """
        means = {c.name: self.values(c.name)[0][:-1] for c in self.criteria}
        known = {name: means[name] for name in OF_THE_PAPER if not np.isnan(means[name]).any()}
        if not known:
            fact = "no criterion has a value, so nothing ranks the functions."
            why = f"give another table: {listed(self.nothing_to_rank, most=3)}."
            raise UsageError(
                fact, hint=why if all(self.nothing_to_rank) else f"resample: trials={TRIALS}."
            )
        table = Results(
            scores=np.column_stack(list(known.values())),
            better="higher",
            tie_tol=ROUNDING,
            candidates=self.names[:-1],
            judges=tuple(known),
            source="the criteria",
            nouns=Nouns(candidate="function", judge="criterion"),
        )
        note = (
            f"{counted(len(known), 'criterion', 'criteria')} rank the functions: some are led by "
            "definition, and leads inside the noise count as others do."
        )
        ranking = rank(table, by=by)
        return replace(ranking, warnings=(*self.warnings, note, *ranking.warnings))

    def view(self, name: str) -> Result:
        """Return one of the tables: criteria, correlations, tables or meta-ranking."""
        if name not in VIEWS:
            raise UnknownNameError("table of criteria", str(name), VIEWS)
        return self if name == "criteria" else getattr(self, name.replace("-", "_"))()

    @property
    def sentences(self) -> tuple[str, ...]:
        if not self.made["trials"]:
            return (
                "Nothing was resampled: the rankings of the whole tables are all that is compared.",
            )
        if all(self.nothing_to_rank):
            return (f"There is nothing to compare: {listed(self.nothing_to_rank, most=3)}.",)
        parts = [
            *((*_best(self), _by_definition(self)) if any(self.telling) else ()),
            _of_tables(self) if self.several else _agreement(self),
            _prediction(self),
            _claims(self),
        ]
        return tuple(part for part in parts if part)

    def grid(self) -> Grid:
        """Return the centre of the paper's table 2: values, and the error of their last digits."""
        shown = [c for c in self.criteria if c.name in OF_THE_PAPER]
        columns: list[Sequence[str]] = [self.names]
        marked: set[tuple[int, int]] = set()
        for j, c in enumerate(shown, start=1):
            mean, *errors = self.values(c.name)
            columns.append(list(map(with_error, mean.tolist(), errors[self.several].tolist())))
            if (lead := self.leads[c.name]) is not None:
                marked |= {(i, j) for i in np.flatnonzero(lead.level[:-1]).tolist()}
        unit = self.unit if self.several else "trial"
        error_kind = f"standard error over the {unit}s" if self.several else "Monte-Carlo error"
        legend = (
            f"Starred: best of the column, or level with it, compared {unit} by {unit}. "
            f"Brackets: {error_kind} of the last digits."
        )
        headings = ("function", *(c.heading_in(self.nouns) for c in shown))
        rows = zip(*columns, strict=True)
        small = "Differences can be real that are smaller than the brackets."
        trials = f"{counted(self.made['trials'], 'trial')} on these {self.nouns.judges()}"
        noise = f"Noise is that of {self.units if self.several else trials}"
        notes = (HEADINGS, f"{small} {noise}: others may order functions otherwise.")
        return Grid.of(headings, rows, legend=(legend,), notes=notes, marked=frozenset(marked))


def with_error(value: float, error: float) -> str:
    """Write a value with three decimals and the error of the last of them in brackets.

    >>> with_error(0.7331, 0.0021), with_error(1.0, 0.0), with_error(-0.5, 0.013)
    ('.733(2)', '1.000', '-.500(13)')
    """
    if value != value:
        return number(value)
    digits = round(1000 * error) if error == error else 0
    written = f"{value:.3f}".replace("0.", ".", 1) if abs(value) < HALF_A_DIGIT_BELOW_ONE else ""
    return (written or f"{value:.3f}") + (f"({digits})" if digits else "")


def sure(criteria: Criteria, criterion: Criterion) -> list[str]:
    """Return the functions that are best by definition, unless they violate it here."""
    return [
        f.name
        for f, value in zip(criteria.functions, criteria.values(criterion.name)[0], strict=False)
        if (criterion.certain in f.satisfies and value >= 1 - EXACT)
        or (f.name in criterion.led_by and value == value)
    ]


def paper_criteria(criteria: Criteria) -> Iterator[tuple[Criterion, Lead]]:
    """Yield the criteria of the paper that have a value here."""
    for c in criteria.criteria:
        lead = criteria.leads[c.name]
        if c.name in OF_THE_PAPER and lead is not None:
            yield c, lead


def deciding_criteria(criteria: Criteria) -> list[tuple[Criterion, Lead, Booleans]]:
    """Return the criteria by which the tables tell functions apart, and whom each speaks for.

    None that a function leads by definition. Stability over judges speaks only for functions that
    also predict best: a ranking that ignores the judges is stable too.
    """
    found = []
    predicts = np.ones(len(criteria.functions), dtype=bool)
    for c, lead in paper_criteria(criteria):
        level = lead.level[:-1]
        if c.name == PREDICTED:
            predicts = level
        credit = level & predicts if c.name == "stability_judges" else level
        if credit.any() and not level.all() and not sure(criteria, c):
            found.append((c, lead, credit))
    return found


# ------------------------------------------------------------------------------
# The sentences: what the criteria say for this table, and what they cannot say.


def _best(criteria: Criteria) -> Iterator[Words]:
    """Say who is best by most of what the tables decide, then who is how far behind whom."""
    names, found = criteria.names[:-1], deciding_criteria(criteria)
    if len(names) < 2:
        return
    if not found:
        yield Words(
            f"The criteria do not tell the {len(names)} functions apart here: all differences are "
            "inside the noise, or so by definition."
        )
        return
    if criteria.several:
        yield Words(_best_over_tables(criteria))
        return
    tally = Counter(i for _, _, credit in found for i in np.flatnonzero(credit).tolist())
    most, size = max(tally.values()), len(found)
    top = [i for i in range(len(names)) if tally[i] == most]
    every = {1: "the one criterion", 2: "both criteria"}.get(size, f"all {size} criteria")
    by = f"{most} of {size} criteria" if most < size else every
    best = f"{_joined([spoken(names[i]) for i in top])} {'is' if len(top) == 1 else 'are'} best,"
    what = _joined([_in_words(criteria, c) for c, _, _ in found])
    yield Words(f"By {by} that the table decides ({what}), {best} or level with the best.")
    behind: dict[str, float] = {}  # by what is said of it: a lead may be real and mean little
    for c, lead, credit in found:
        first, what = spoken(names[lead.best]), _in_words(criteria, c)
        if len(top) == 1 and not credit[top[0]]:
            yield Words(f"By {what}, {first} is best.", weight=COUNTING_OF_SOME)
        gaps = np.where(lead.level[:-1], np.nan, lead.differences[:-1])
        if credit[top].all() and not np.isnan(gaps).all():
            least, following = float(np.nanmin(gaps)), spoken(names[int(np.nanargmin(gaps))])
            far = "less than 0.001" if least < 0.0005 else number(least, 3)
            behind[f"{following} is {far} behind {first} in {what}"] = least
    if behind:
        small = ": real, but small" if max(behind.values()) < SMALL else ""
        said = " and ".join(behind)
        yield Words(f"{said[0].upper()}{said[1:]}{small}.", weight=OTHER_ORDER)


def _best_over_tables(criteria: Criteria) -> str:
    """Return who is best on average by each criterion; inside the noise may be who varies much."""
    by: dict[str, list[str]] = {}
    for c, lead, _ in deciding_criteria(criteria):
        others = int(lead.level[:-1].sum()) - 1
        undecided = f", {counted(others, 'other')} level with it" if others else ""
        by.setdefault(criteria.names[lead.best], []).append(f"{_in_words(criteria, c)}{undecided}")
    best = [f"{spoken(name)} is best by {'; by '.join(ways)}" for name, ways in by.items()]
    return f"Over the {criteria.units}, {'. '.join(best)}."


def _by_definition(criteria: Criteria) -> str:
    texts = []
    for c, _ in paper_criteria(criteria):
        names = sure(criteria, c)
        if names and len(criteria.functions) > 1:
            verbs = ("is best", "are best") if c.led_by else ("has 1", "have 1")
            who = _joined(list(map(spoken, names)))
            texts.append(f"{_in_words(criteria, c)} ({who} {verbs[len(names) > 1]})")
    text = f"Not counted, because it is so by definition: {_joined(texts)}." if texts else ""
    for c, lead, credit in deciding_criteria(criteria):
        if (credit != lead.level[:-1]).any():
            what = _in_words(criteria, c).capitalize()
            text += f" {what} counts only for those who predict best too."
    return text.strip()


def _claims(criteria: Criteria) -> str:
    return " ".join(
        f"{spoken(f.name)} is claimed to satisfy {c.certain.replace('condorcet', 'Condorcet')}, "
        f"but violates it here: its {_in_words(criteria, c)} is {number(value, 3)}."
        for c in criteria.criteria
        for f, value in zip(criteria.functions, criteria.values(c.name)[0].tolist(), strict=False)
        if c.certain in f.satisfies and value < 1 - EXACT
    )


def _agreement(criteria: Criteria) -> str:
    w, p = criteria.concordance[0], criteria.p_values[0]
    if p != p:
        return f"There is one {criteria.nouns.judge}, so nothing says which function to trust."
    judges = criteria.nouns.judges()
    tested = f"(Kendall's W = {number(w, 3)}, p {p_value(p)})"
    if p < ALPHA:
        return f"The {judges} agree more than by chance {tested}."
    return (
        f"The {judges} agree no more than by chance {tested}, so the table cannot say which "
        f"function to trust, and stability over {judges} is bias here, not a merit."
    )


def _of_tables(criteria: Criteria) -> str:
    known = [w for w in criteria.concordance if w == w]
    low, high = number(min(known), 3), number(max(known), 3)
    text = f"Kendall's W of the tables is {low}" + (f" to {high}." if low != high else ".")
    pairs = zip(criteria.measured, criteria.telling, strict=True)
    silent = [table.results.source for table, telling in pairs if not telling]
    if not silent:
        return text
    nouns = criteria.nouns
    why = f"the {nouns.judges()} agree no more than by chance, or no function beats a "
    why += f"{nouns.judge} drawn at random"
    if len(silent) == len(criteria.measured):
        return f"{text} No table can say which function to trust: on each, {why}."
    verb = "says" if len(silent) == 1 else "say"
    return f"{text} {_joined(silent)} {verb} nothing about which function to trust: there, {why}."


def _prediction(criteria: Criteria) -> str:
    """Say how well unseen judges are predicted, and whether a judge at random does as well."""
    lead = criteria.leads[PREDICTED]
    if lead is None:
        return ""
    *values, base = criteria.values(PREDICTED)[0].tolist()
    best, top = values[lead.best], spoken(criteria.names[lead.best])
    one, judges = criteria.nouns.judge, criteria.nouns.judges()
    if not any(criteria.beaten):
        text = (
            f"No function predicts unseen {judges} better, beyond the noise, than one {one} drawn "
            f"at random: {number(best, 3)} at best ({top}), {number(base, 3)} by that {one}"
        )
        if best < OPPOSITE:
            how = "the opposite" if best < 5 * OPPOSITE else "rather the opposite"
            return f"{text}. That is {how} of what they say: trust none of them here."
        if any(criteria.telling):
            return f"{text}. The {judges} agree so much that the choice hardly matters."
        more = best > base and not criteria.several
        unless = ", unless more trials tell otherwise" if more else ""
        return f"{text}. Trust none of them here{unless}."
    low = best_of(-np.array(values))
    text = f"Unseen {judges} are predicted by {number(best, 3)} at best ({top})"
    if len(values) > 1 and best - values[low] < SMALL:
        text += f", by all functions within {SMALL:g} of each other"
    elif len(values) > 1:
        text += f" and {number(values[low], 3)} at worst ({spoken(criteria.names[low])})"
    text += f", by one {one} drawn at random {number(base, 3)}"
    if best < FEW:
        return f"{text}: next to nothing, so to a single {one} the choice hardly matters."
    return f"{text}."


def _joined(names: list[str]) -> str:
    return listed(names) if len(names) < 2 else f"{listed(names[:-1])} and {names[-1]}"


def _in_words(found: Criteria, criterion: Criterion) -> str:
    judges = found.nouns.judges()
    words = {
        "generalization": f"generalization to unseen {judges}",
        "stability_judges": f"stability when {judges} are redrawn",
        "stability_candidates": "stability when the field is redrawn",
    }
    return words.get(criterion.name) or spoken(criterion.name).replace("condorcet", "Condorcet")


def _known(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _deviation(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else 0.0


def on_the_map(matrix: Floats) -> list[int]:
    """Return the functions whose rankings correlate with others at all; (F, F) has NaN if not."""
    own = np.isfinite(np.diag(matrix))
    whole = np.isfinite(matrix[np.ix_(own, own)]).all(axis=1)
    return [int(k) for k in np.flatnonzero(own)[whole]]


def has_map(found: Criteria) -> bool:
    return len(on_the_map(found.matrix)) >= FEWEST_ON_A_MAP
