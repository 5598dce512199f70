"""What is rated: a table or a battle log, as one tournament or as several."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np

from deadheat.data.battle_guess import is_battle_log
from deadheat.data.battles import Battles, read_battles
from deadheat.data.missing import resolved
from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.errors import DataError, DeadheatError, UsageError
from deadheat.inference.rating_asked import Asked
from deadheat.inference.rating_hints import (
    better_hint,
    in_words_of_tournaments,
    refuse_judge_and_round,
    refuse_orders,
)
from deadheat.ranking.made import made_from
from deadheat.result import made

OPTIONS = {"covariates": "covariate"}  # that the command line calls by another name
OF_LOGS = frozenset(signature(read_battles).parameters) - {"source"} | {"layout"}
OF_TABLES = frozenset(signature(read).parameters) - {"source"}


def read_rated(
    source: Any,
    reading: dict[str, Any],
    tournament: str | None,
    rounds: str | None,
    *,
    ordered: bool,
) -> Results | Battles:
    """Read a table or a log; ``ordered`` keeps the battles in their order."""
    if is_battle_log(source, reading):
        for name, column in (("round", rounds), ("tournament", tournament)):
            if column is not None:
                raise UsageError(
                    f"a battle log has no {name}s, yet {name}={column!r} is given.",
                    hint="category= (--category) rates parts of a log, cluster= (--cluster) says "
                    "what is drawn whole.",
                )
        said = _known(reading, OF_LOGS, "a battle log", "layout='long' or 'wide' (--layout)")
        said.pop("layout", None)
        if ordered and not isinstance(source, Battles):
            said["ordered"] = True
        return read_battles(source, **said)
    said = _known(reading, OF_TABLES, "a table of scores", "layout='battles' (--layout battles)")
    if rounds is None and tournament is None and not isinstance(source, Results | Runs):
        refuse_orders(source, said)
    return _met(_read_table(source, said, tournament, rounds), said, tournament)


def _known(
    reading: dict[str, Any], known: frozenset[str], what: str, otherwise: str
) -> dict[str, Any]:
    """Return the options, refusing those that say how to read something else."""
    for name, value in reading.items():
        if name not in known and value not in (None, (), False):
            option = f"{name}= (--{OPTIONS.get(name, name).replace('_', '-')})"
            raise UsageError(
                f"{option} does not say anything about {what}, which this is taken for.",
                hint=f"leave it out, or say {otherwise} if it is something else.",
            )
    return {name: value for name, value in reading.items() if name in known}


def _read_table(
    source: Any, said: dict[str, Any], tournament: str | None, rounds: str | None
) -> Results:
    if isinstance(source, Results):
        return read(source, **said)
    if tournament is not None and said.get("cluster") not in {None, tournament}:
        raise UsageError(
            f"each {tournament} is rated by itself, yet cluster={said['cluster']!r} (--cluster) "
            "groups the rounds otherwise.",
            hint="leave out one of them.",
        )
    if rounds is not None and tournament is not None:
        said |= {"judge": tournament, "repeat": rounds, "combine": "judges", "cluster": tournament}
    elif rounds is not None:
        refuse_judge_and_round(said.setdefault("judge", rounds), rounds)
    elif tournament is not None:
        said["cluster"] = tournament
        try:
            return read(source, **said)
        except DataError as error:
            raise in_words_of_tournaments(error, source, said, tournament) from None
    try:
        return read(source, **said)
    except DeadheatError as error:
        if rounds is not None:
            raise
        raise better_hint(error, source, said) from None


def _met(found: Results, said: dict[str, Any], tournament: str | None) -> Results:
    """Return a table whose holes are matches that did not take place, and say so."""
    if not found.has_holes or found.missing != "error":
        return found
    if said.get("missing") == "error":
        return resolved(found, "error")
    return found if tournament is not None else resolved(found, "available")


def tournaments_of(
    found: Results | Battles, tournament: str | None
) -> dict[str, Results | Battles] | None:
    """Return the tournaments by name, or None where there is one."""
    if isinstance(found, Battles):
        return None if found.categories is None else {**found.parts()}
    if tournament is None:
        return None
    if found.clusters is None:
        raise UsageError(
            f"{found.source}: no judge says which tournament it belongs to.",
            hint="name the columns: tournament=... and round=... (--tournament, --round).",
        )
    names = dict.fromkeys(found.clusters)
    return {
        name: _of_tournament(found, [cluster == name for cluster in found.clusters])
        for name in names
    }


def _of_tournament(found: Results, chosen: list[bool]) -> Results:
    """Return the rounds of one tournament, without those who have no score in it."""
    part = found.of_judges(np.array(chosen)).changed(clusters=None)
    there = ~np.isnan(part.scores).all(axis=1)
    part = part if there.all() else part.of_candidates(there)
    return resolved(part, "available") if part.missing == "error" else part


def made_of(
    found: Results | Battles, asked: Asked, *, sha256: str | None = None, **shape: Any
) -> dict[str, Any]:
    """Return what it takes to make the ratings again; ``shape`` is what was asked of the answer.

    ``sha256`` is that of the whole log, where only a part of it was rated.
    """
    facts = {
        "function": asked.model,
        "pairing": asked.pairing,
        "ties": asked.ties,
        "penalty": asked.penalty,
        "strength": asked.strength,
        "step": asked.step,
        "shuffles": asked.shuffles,
        "advantage": asked.advantage,
        "teams": asked.teams,
        "errors": asked.errors,
        "seed": asked.seed,
        "replicates": asked.replicates
        if asked.errors == "bootstrap" or (asked.errors == "sandwich" and shape.get("strict"))
        else None,
        "plan": asked.plan if isinstance(asked.plan, str | None) else repr(asked.plan),
        "alpha": asked.alpha,
        **shape,
    }
    if isinstance(found, Results):
        return made_from(found, **facts)
    return made(
        **facts,
        source=found.source,
        sha256=sha256 or found.sha256,
        candidates=found.n,
        battles=found.total,
    )
