"""Runs in, their scores out: the table that is ranked, written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from deadheat.core.errors import UsageError, ask
from deadheat.core.types import Floats, Row
from deadheat.data.reading.read import read, require_known
from deadheat.data.results import SEED, Results, provenance_of
from deadheat.output.result import Result
from deadheat.output.table import Grid
from deadheat.rank.api import digits_of, grid_of_one
from deadheat.ranking import ranks as conversion
from deadheat.ranking.on_tables import function_for, merits_of, require_usable

HASH = " #"  # before the seed in the name of a judge


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores(Result):
    """Hold the score of every run, and what each candidate has in all."""

    schema: ClassVar[str] = "deadheat.score/1"
    results: Results
    shown: Floats
    ranks: Floats
    heading: str

    def rows(self) -> list[Row]:
        results = self.results
        judges: list[Row] = [{"instance": name} for name in results.judges]
        if results.instances is not None:
            judges = [
                {"instance": instance, SEED: name.removeprefix(instance + HASH)}
                for instance, name in zip(results.instances, results.judges, strict=True)
            ]
        if results.strata is not None:
            pairs = zip(judges, results.strata, strict=True)
            judges = [judge | {"stratum": stratum} for judge, stratum in pairs]
        return [
            {"candidate": candidate, **judge, "score": score}
            for candidate, scores in zip(results.candidates, results.original, strict=True)
            for judge, score in zip(judges, scores.tolist(), strict=True)
        ]

    def beside(self) -> dict[str, Any]:
        """Return how the scores are read back: they rank as the runs do."""
        results = self.results
        roles = {"candidate": "candidate", "judge": "instance", "score": "score"}
        roles |= {"stratum": "stratum"} if results.strata is not None else {}
        said: dict[str, Any] = {"layout": "long", "better": results.better[0], "by": results.by}
        names = {"heading": results.heading, "total": results.total, "title": results.title}
        said |= {name: word for name, word in names.items() if word}
        said |= {} if results.instances is None else {"repeat": SEED, "combine": "judges"}
        said |= {} if results.missing == "error" else {"missing": results.missing}
        said["columns"] = roles
        judges = results.instances or results.judges
        if (results.weights != 1).any():
            said["weights"] = dict(zip(judges, results.weights.tolist(), strict=True))
        if results.clusters is not None and results.clusters != results.instances:
            said["clusters"] = dict(zip(judges, results.clusters, strict=True))
        return said | {"noun": vars(results.nouns)}

    def facts(self) -> dict[str, Any]:
        results = self.results
        totals = dict(zip(results.candidates, self.shown.tolist(), strict=True))
        facts = {"rule": results.rule, "better": results.better[0], "by": results.by}
        return {**facts, "shown": self.heading, "totals": totals}

    @property
    def verdict(self) -> str:
        best = self.results.better[0]
        what = f"{self.results.nouns.candidates(self.results.n)} on {self.results.judged_on}"
        return f"{what}, scored by {self.results.heading or self.results.rule}: {best} is better."

    def grid(self) -> Grid:
        names = self.results.candidates
        noun = self.results.nouns.candidate
        digits = digits_of(self.shown, total=True)
        return grid_of_one(names, self.ranks, self.shown, self.heading, noun=noun, digits=digits)


def read_scored(table: Any, **reading: Any) -> Results:
    """Read runs whatever they look like: where no rule says so, their layout does."""
    if not isinstance(table, Results) and reading.get("rule") is None:
        reading = {"layout": "runs"} | reading
    return read(table, **reading)


def score(table: Any, **reading: Any) -> Scores:
    """Score runs by a rule and return the table that is ranked.

    Parameters
    ----------
    table
        Runs that :func:`deadheat.read` reads; ``reading`` are its options, ``rule`` among them.

    Examples
    --------
    >>> import deadheat as dh
    >>> runs = dh.Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "TO"])
    >>> dh.score(runs, rule="solved").rows()[0]
    {'candidate': 'a', 'instance': 'i', 'score': 1.0}
    """
    require_known(score, reading)
    results = read_scored(table, **reading)
    if not results.rule:
        raise UsageError(
            f"{results.source} holds scores already, so no rule can give them.",
            hint=f"to rank by the scores that it holds: {ask('rank', 'FILE')}",
        )
    f = function_for(results)
    require_usable(results, f)
    merits = merits_of(results, [f])[f.name][0]
    return Scores(
        made=provenance_of(results, function=[f.name]),
        warnings=results.notes,
        library=results.library,
        results=results,
        shown=f.shown(merits, results),
        ranks=conversion.ranks(merits, unit=f.unit(results.scores, results.weights)),
        heading=f.heading_for(results),
    )
