"""Every ranking function by name: one decorator registers it, one file is enough to add it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from deadheat.errors import UnknownNameError, UsageError
from deadheat.ranking.function import (
    DuelsKernel,
    Form,
    RankingFunction,
    ScoresKernel,
    StandingsKernel,
    TableKernel,
)

_registered: dict[str, RankingFunction] = {}


def ranks_scores(name: str, **claims: Any) -> Callable[[ScoresKernel], RankingFunction]:
    """Register a kernel ``(scores (n, m), judge weights (B, m), candidate weights (B, n))``.

    It returns merits (B, n), higher is better. ``claims`` are the fields of
    :class:`~deadheat.ranking.function.RankingFunction`; ``scale`` is required.
    """
    return _registering(name, "scores", claims)


def ranks_standings(name: str, **claims: Any) -> Callable[[StandingsKernel], RankingFunction]:
    """Register a kernel ``(standings, candidate weights)`` that needs only the places."""
    return _registering(name, "standings", {"scale": "ordinal", "additive": True} | claims)


def ranks_duels(name: str, **claims: Any) -> Callable[[DuelsKernel], RankingFunction]:
    """Register a kernel ``(duels, candidate weights)`` that needs only who beats whom how often."""
    return _registering(name, "duels", {"scale": "ordinal", "available": True} | claims)


def ranks_table(name: str, **claims: Any) -> Callable[[TableKernel], RankingFunction]:
    """Register a plain function ``scores (n, m) -> merits (n,)``, without a word about weights.

    Weights become repetitions of rows and columns, which is slow but always right.
    """
    return _registering(name, "table", {"cost": "a copy of the table and a call"} | claims)


def register(f: RankingFunction) -> RankingFunction:
    """Make a ranking function known by its name and aliases; a newer one replaces an older one."""
    names = [_spelled(name) for name in (f.name, *f.aliases)]
    for name in names:
        taken = _registered.get(name)
        if taken is not None and taken.name != f.name:
            raise UsageError(f"the name {name!r} already belongs to the function {taken.name!r}.")
    _registered.update(dict.fromkeys(names, f))
    return f


def forget(name: str) -> None:
    """Take a ranking function out of the registry."""
    f = get(name)
    for key in (f.name, *f.aliases):
        _registered.pop(_spelled(key), None)


def get(name: str | RankingFunction) -> RankingFunction:
    """Return the ranking function of that name, spelled with underscores or hyphens."""
    if isinstance(name, RankingFunction):
        return name
    _discover()
    try:
        return _registered[_spelled(name)]
    except (KeyError, AttributeError):
        raise UnknownNameError("ranking function", str(name), _registered) from None


def functions() -> tuple[RankingFunction, ...]:
    """Return every registered ranking function, in the order of their names."""
    _discover()
    return tuple(sorted(set(_registered.values()), key=lambda f: f.name))


def chosen(by: str | RankingFunction | Iterable[str | RankingFunction]) -> list[RankingFunction]:
    """Return the functions that ``by`` names: one, several, comma-separated, or ``"all"``."""
    if isinstance(by, str):
        by = [part.strip() for part in by.split(",") if part.strip()]
    elif isinstance(by, RankingFunction):
        by = [by]
    names = list(by)
    if not names:
        raise UsageError("no ranking function is named.", hint="e.g. by='average_rank', or 'all'.")
    found: dict[str, RankingFunction] = {}
    for name in names:
        group = functions() if name == "all" else [get(name)]
        found |= {f.name: f for f in group if name != "all" or not f.slow}
    return list(found.values())


def _registering(
    name: str, form: Form, claims: dict[str, Any]
) -> Callable[[Callable[..., Any]], RankingFunction]:
    def decorate(kernel: Callable[..., Any]) -> RankingFunction:
        made = {key: _frozen(value) for key, value in claims.items()}
        made |= {"name": name, "form": form, "kernel": kernel, "__doc__": kernel.__doc__}
        try:
            return register(RankingFunction(**made))
        except TypeError as error:
            raise UsageError(
                f"cannot register ranking function {name!r}: {error}.",
                hint="scale is required; help(deadheat.RankingFunction) lists the claims.",
            ) from None

    return decorate


def _frozen(value: Any) -> Any:
    return frozenset(value) if isinstance(value, set) else value


def _spelled(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


@cache
def _discover() -> None:
    from deadheat.ranking import functions as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
