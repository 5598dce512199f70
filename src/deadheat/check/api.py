"""What was understood of a table, what is odd about it, and what its winner hangs on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deadheat.data.read import understood
from deadheat.data.results import Results
from deadheat.errors import counted, listed, quoted
from deadheat.inference import health
from deadheat.inference.check_winners import Findings, by_function, by_policy
from deadheat.ranking.chosen import function_for
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.result import Column, Grid, Result
from deadheat.typing import Row

MOST_ROWS = 1_000
NAMED = 5
FEW = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Check(Result):
    """Hold the findings about a table: (topic, finding, whether it deserves a second look)."""

    schema: ClassVar[str] = "deadheat.check/1"
    findings: tuple[tuple[str, str, bool], ...]
    details: dict[str, Any]

    def rows(self) -> list[Row]:
        """Return one record per finding."""
        return [
            {"topic": topic, "finding": finding, "look": look}
            for topic, finding, look in self.findings
        ]

    def facts(self) -> dict[str, Any]:
        """Return the holes, copies, suspicious scores and winners themselves."""
        return self.details

    @property
    def verdict(self) -> str:
        """Whether anything deserves a second look."""
        looks = Counter(topic for topic, _, look in self.findings if look)
        if not looks:
            return "Nothing here deserves a second look."
        topics = [name if number == 1 else f"{name} ({number})" for name, number in looks.items()]
        return f"{counted(looks.total(), 'finding')} to look at: {listed(topics)}."

    def grid(self) -> Grid:
        """Return topics and findings, those to look at marked."""
        cells = tuple((topic, finding) for topic, finding, _ in self.findings)
        marked = frozenset((row, 0) for row, (_, _, look) in enumerate(self.findings) if look)
        return Grid(
            columns=(Column(name="topic"), Column(name="finding")), cells=cells, marked=marked
        )


def check(table: Any, *, by: str | RankingFunction | None = None, **reading: Any) -> Check:
    """Say what was understood of a table and what is odd about it; refuse nothing that can be read.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, or any DataFrame; ``reading`` are the options
        of :func:`deadheat.read`.
    by
        The ranking function that names the winner under each policy for missing scores:
        ``"average_rank"`` by default, and the mean of the scoring rule for runs.
    """
    results = understood(table, **reading)
    f = function_for(results, by)
    findings: list[tuple[str, str, bool]] = [
        (topic, what, False) for topic, what in results.reading
    ]
    details: dict[str, Any] = {}
    findings += _size(results)
    findings += [("note", note, True) for note in results.notes]
    for part in (_holes, _judges, _candidates, _strata, _suspects, _ties):
        found, facts = part(results)
        findings += found
        details |= facts
    for found, facts in (by_policy(results, f), by_function(results, f)):
        findings += found
        details |= facts
    return Check(
        made=made_from(results, function=[f.name]),
        library=results.library,
        findings=tuple(dict.fromkeys(findings)),
        details=details,
    )


def _size(results: Results) -> Findings:
    size = f"{counted(results.n, 'candidate')} x {counted(results.m, 'judge')}"
    findings = [("size", size, False), ("direction", results.direction(), False)]
    if results.n == 1:
        findings.append(("size", "one candidate: it is first, whatever the scores", True))
    if results.m == 1:
        findings.append(("size", "one judge: no interval or stability can be given", True))
    weights = results.weights
    if (weights != weights[0]).any():
        effective = weights.sum() ** 2 / (weights**2).sum()
        what = f"from {weights.min():g} to {weights.max():g}, worth {effective:.1f} equal judges"
        findings.append(("weights", what, False))
    for kind in ("strata", "clusters"):
        labels = getattr(results, kind)
        if labels is not None:
            names, sizes = np.unique(labels, return_counts=True)
            low, high = int(sizes.min()), counted(int(sizes.max()), "judge")
            what = f"{len(names):,}, of {high if low == sizes.max() else f'{low:,} to {high}'}"
            findings.append((kind, what, False))
            if low == 1 and kind == "strata":
                findings.append((kind, "a stratum of one judge cannot be resampled", True))
    if results.tie_tol:
        findings.append(("ties", f"scores within {results.tie_tol:g} count as equal", False))
    return findings


def _holes(results: Results) -> tuple[Findings, dict[str, Any]]:
    places = np.argwhere(results.holes)
    if not len(places):
        return [("holes", "none", False)], {"holes": [], "holes_in_all": 0}
    share = len(places) / results.scores.size
    judges = counted(len(np.unique(places[:, 1])), "judge")
    candidates = counted(len(np.unique(places[:, 0])), "candidate")
    first = "; ".join(results.place(i, j) for i, j in places[:FEW].tolist())
    what = f"{counted(len(places), 'cell')} missing ({share:.1%}), of {candidates} on {judges}: "
    found = [("holes", what + first + (" ..." if len(places) > FEW else ""), True)]
    silent = [results.candidates[i] for i in np.flatnonzero(results.holes.all(axis=1)).tolist()]
    if silent:
        what = f"no score at all for {counted(len(silent), 'candidate')}: "
        found.append(("holes", what + listed(silent, most=NAMED), True))
    if (groups := health.components(results)) > 1:
        what = f"{groups} groups of candidates have no judge in common: pairwise functions cannot "
        found.append(("holes", what + "compare across them", True))
    named = [
        {"candidate": results.candidates[i], "judge": results.judges[j]}
        for i, j in places[:MOST_ROWS]
    ]
    return found, {"holes": named, "holes_in_all": len(places)}


def _judges(results: Results) -> tuple[Findings, dict[str, Any]]:
    constant = [results.judges[j] for j in health.constant_judges(results)] if results.n > 1 else []
    same = [[results.judges[j] for j in group] for group in health.identical_judges(results)]
    found: Findings = []
    if constant:
        what = f"the same score for everybody on {counted(len(constant), 'judge')}: "
        found.append(("constant judges", what + listed(constant, most=NAMED), True))
    if idle := [results.judges[j] for j in health.idle_judges(results)] if results.n > 1 else []:
        what = f"fewer than two scores on {counted(len(idle), 'judge')}: "
        found.append(("idle judges", what + listed(idle, most=NAMED), True))
    if same and results.n > 1:
        found.append(("identical judges", _groups(same), True))
    return found, {"constant_judges": constant, "identical_judges": same}


def _candidates(results: Results) -> tuple[Findings, dict[str, Any]]:
    names = results.candidates
    same = [[names[i] for i in group] for group in health.identical_candidates(results)]
    near = health.near_clones(results)
    found: Findings = []
    if same:
        found.append(("clones", f"the same scores everywhere: {_groups(same)}", True))
    if near is None:
        found.append(("clones", "too many cells to look for near-clones; exact ones only", False))
    elif near:
        pairs = [f"{quoted(names[i])} and {quoted(names[j])} ({s:.0%})" for i, j, s in near]
        more = f" and {len(pairs) - NAMED} more pairs" if len(pairs) > NAMED else ""
        what = f"equal on nearly all judges: {'; '.join(pairs[:NAMED])}{more}"
        found.append(("near-clones", what, True))
    pairs_out = [{"candidates": [names[i], names[j]], "share": share} for i, j, share in near or []]
    return found, {"clones": same, "near_clones": pairs_out}


def _strata(results: Results) -> tuple[Findings, dict[str, Any]]:
    failed = health.failed_strata(results)
    told = [
        f"{quoted(results.candidates[i])} has the worst score on all {size:,} judges of stratum "
        f"{quoted(stratum)}, most others have not"
        for i, stratum, size in failed[:FEW]
    ]
    told += [f"{len(failed) - FEW:,} more like these"] if len(failed) > FEW else []
    rows = [
        {"candidate": results.candidates[i], "stratum": stratum, "judges": size}
        for i, stratum, size in failed[:MOST_ROWS]
    ]
    return [("failed strata", what, True) for what in told], {"failed_strata": rows}


def _suspects(results: Results) -> tuple[Findings, dict[str, Any]]:
    suspects = health.suspects(results)
    rows = [
        {
            "candidate": results.candidates[s.i],
            "judge": results.judges[s.j],
            "score": s.score,
            "why": s.why,
        }
        for s in suspects
    ]
    found: Findings = []
    for why in dict.fromkeys(s.why for s in suspects):
        alike = [s for s in suspects if s.why == why]
        judges = len({s.j for s in alike})
        places = [f"{results.place(s.i, s.j)} has {s.score:g}" for s in alike[:FEW]]
        more = f", and {len(alike) - FEW:,} more on {counted(judges, 'judge')}"
        what = f"{why}: {'; '.join(places)}{more if len(alike) > FEW else ''}"
        found.append(("suspicious", what, True))
    return found, {"suspicious": rows}


def _ties(results: Results) -> tuple[Findings, dict[str, Any]]:
    share = health.tied_share(results)
    found = [("ties", f"{share:.1%} of all pairs of scores are equal", False)] if share else []
    return found, {"tied_share": share}


def _groups(groups: list[list[str]]) -> str:
    told = [" = ".join(quoted(name) for name in group[:4]) for group in groups[:NAMED]]
    more = f" and {len(groups) - NAMED} more groups" if len(groups) > NAMED else ""
    return "; ".join(told) + more
