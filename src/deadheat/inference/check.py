"""What was understood of a table, what is odd about it, and what its winner hangs on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from deadheat.data.missing import resolved
from deadheat.data.read import understood
from deadheat.data.results import POLICIES, Results
from deadheat.errors import DeadheatError, counted, listed, quoted
from deadheat.inference import health
from deadheat.ranking.chosen import function_for
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.made import made_from
from deadheat.ranking.ranking import first_by
from deadheat.ranking.table import affordable, require_usable, usable
from deadheat.ranking.words import scale_warnings, winner_is_worst
from deadheat.result import Column, Grid, Result
from deadheat.typing import Row

MOST_HOLES = 1_000
NAMED = 5
FEW = 3
MANY = 3


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
    for part in (_holes, _judges, _candidates, _suspects, _ties):
        found, facts = part(results)
        findings += found
        details |= facts
    for found, facts in (_by_policy(results, f), _by_function(results, f)):
        findings += found
        details |= facts
    return Check(
        made=made_from(results, function=[f.name]),
        library=results.library,
        findings=tuple(dict.fromkeys(findings)),
        details=details,
    )


Findings = list[tuple[str, str, bool]]


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
        for i, j in places[:MOST_HOLES]
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


def _by_policy(results: Results, f: RankingFunction) -> tuple[Findings, dict[str, Any]]:
    if not results.has_holes:
        return [], {"winners_by_policy": {}}
    winners: dict[str, list[str] | None] = {}
    impossible = []
    for policy in POLICIES:
        if policy == "error":
            continue
        try:
            settled = resolved(results, policy)
            require_usable(settled, f)
            first = list(first_by(settled, [f])[f.name])
        except DeadheatError as error:
            winners[policy] = None
            fact = error.fact.removeprefix(f"{results.source}: ").rstrip(".")
            impossible.append(f"{policy} is impossible ({fact})")
        else:
            winners[policy] = first
    possible = {policy: tuple(first) for policy, first in winners.items() if first}
    changes = len(set(possible.values())) > 1
    lead = "the winner changes" if changes else "the winner is the same"
    words = "; ".join([*_by_winner(possible, "under"), *impossible])
    what = f"{lead} with the policy for missing scores ({f.name}): {words}"
    return [("policies", what, changes)], {"winners_by_policy": winners}


def _by_function(results: Results, f: RankingFunction) -> tuple[Findings, dict[str, Any]]:
    nothing: dict[str, Any] = {"winners_by_function": {}}
    if results.has_holes and results.missing == "error":
        return [], nothing
    try:
        results = resolved(results, results.missing)
    except DeadheatError as error:
        return [("policies", error.fact, True)], nothing
    asked = {f.name: f} | {other.name: other for other in affordable(results)}
    fit, refusals = usable(results, list(asked.values()))
    if f not in fit:
        return [("functions", refusal, True) for refusal in refusals], nothing
    first = first_by(results, fit)
    others = {name: who for name, who in first.items() if who != first[f.name]}
    found: Findings = [("functions", refusal, False) for refusal in refusals]
    what = f"{_first(first[f.name])} first by {f.name}"
    if others:
        changed = "; ".join(_by_winner(others, "by"))
        what += f"; another choice would change the winner: {changed}"
    else:
        what += f" and by all {len(fit)} functions that were tried"
    found.append(("winner", what, bool(others)))
    worst = winner_is_worst(results, first[f.name])
    found += [("direction", warning, True) for warning in worst]
    found += [("scales", warning, True) for warning in scale_warnings(results, fit)]
    return found, {"winners_by_function": {name: list(who) for name, who in first.items()}}


def _by_winner(first: dict[str, tuple[str, ...]], word: str) -> list[str]:
    """Return who is first and by what, most often first."""
    told: dict[tuple[str, ...], list[str]] = {}
    for name, who in first.items():
        told.setdefault(who, []).append(name)
    ordered = sorted(told.items(), key=lambda item: -len(item[1]))
    return [f"{_first(who)} {word} {listed(names)}" for who, names in ordered]


def _first(names: Iterable[str]) -> str:
    names = list(names)
    if len(names) > MANY:
        return f"{counted(len(names), 'candidate')} tied"
    return " and ".join(quoted(name) for name in names)


def _groups(groups: list[list[str]]) -> str:
    told = [" = ".join(quoted(name) for name in group[:4]) for group in groups[:NAMED]]
    more = f" and {len(groups) - NAMED} more groups" if len(groups) > NAMED else ""
    return "; ".join(told) + more
