"""Whether the winner of a table hangs on the policy for missing scores, or on the function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from deadheat.data.missing import resolved
from deadheat.data.results import POLICIES, Results
from deadheat.errors import DeadheatError, counted, listed, quoted
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranking import first_by
from deadheat.ranking.run_functions import bound_to
from deadheat.ranking.table import affordable, require_usable, usable
from deadheat.ranking.words import scale_warnings, winner_is_worst

MANY = 3
Findings = list[tuple[str, str, bool]]


def by_policy(results: Results, f: RankingFunction) -> tuple[Findings, dict[str, Any]]:
    """Return who is first under each policy for missing scores."""
    if not results.has_holes:
        return [], {"winners_by_policy": {}}
    winners: dict[str, list[str] | None] = {}
    impossible = []
    for policy in POLICIES:
        if policy == "error":
            continue
        try:
            settled = resolved(results, policy)
            of_table = bound_to(settled, f)  # judges may be gone
            require_usable(settled, of_table)
            first = list(first_by(settled, [of_table])[f.name])
        except DeadheatError as error:
            winners[policy] = None
            fact = error.fact.removeprefix(f"{results.source}: ").rstrip(".")
            impossible.append(f"{policy} is impossible ({fact})")
        else:
            winners[policy] = first
    possible = {policy: tuple(first) for policy, first in winners.items() if first}
    changes = len(set(possible.values())) > 1
    lead = "who is first changes" if changes else "who is first does not change"
    words = "; ".join([*_by_winner(possible, "under"), *impossible])
    what = f"{lead} with the policy for missing scores ({f.name}): {words}"
    return [("policies", what, changes)], {"winners_by_policy": winners}


def policies_in_words(first: Mapping[str, tuple[str, ...]]) -> str:
    """Return who is first under which policies for missing scores, most of them first."""
    return "; ".join(_by_winner(dict(first), "under"))


def by_function(results: Results, f: RankingFunction) -> tuple[Findings, dict[str, Any]]:
    """Return who is first by each function that can rank the table, and warn of its direction."""
    nothing: dict[str, Any] = {"winners_by_function": {}}
    if results.has_holes and results.missing == "error":
        return [], nothing
    try:
        results = resolved(results, results.missing)
    except DeadheatError as error:
        return [("policies", error.fact, True)], nothing
    f = bound_to(results, f)
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
        what += f"; another choice would change who is first: {changed}"
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
