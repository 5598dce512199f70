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
    by_pairs = {"scale": "ordinal", "available": True, "pairwise": True}
    return _registering(name, "duels", by_pairs | claims)


def ranks_table(name: str, **claims: Any) -> Callable[[TableKernel], RankingFunction]:
    """Register a plain function ``scores (n, m) -> merits (n,)``, without a word about weights.

    Weights become repetitions of rows and columns, which is slow but always right.
    """
    return _registering(name, "table", {"cost": "a copy of the table and a call"} | claims)


def register(f: RankingFunction) -> RankingFunction:
    """Make a ranking function known by its name and aliases.

    One's own function may be registered again, as happens in notebooks; a name that belongs to
    another function, or to one that comes with deadheat, is refused.
    """
    if not f.shipped:
        _discover()
    names = [spelled(name) for name in (f.name, *f.aliases)]
    for name in names:
        taken = _registered.get(name)
        if taken is not None and (taken.name != f.name or taken.shipped > f.shipped):
            raise UsageError(
                f"the name {name!r} already belongs to the function {taken.name!r}"
                f"{' of deadheat' if taken.shipped else ''}.",
                hint="choose another name.",
            )
    older = _registered.get(spelled(f.name))
    for name in [name for name, known in _registered.items() if known is older]:
        del _registered[name]
    _registered.update(dict.fromkeys(names, f))
    return f


def forget(name: str) -> None:
    """Take a ranking function out of the registry."""
    f = get(name)
    for key in [key for key, known in _registered.items() if known is f]:
        del _registered[key]


def get(name: str | RankingFunction) -> RankingFunction:
    """Return the ranking function of that name, spelled with underscores or hyphens."""
    if isinstance(name, RankingFunction):
        return name
    _discover()
    try:
        return _registered[spelled(name)]
    except (KeyError, AttributeError):
        raise UnknownNameError("ranking function", str(name), _names()) from None


def is_registered(f: RankingFunction) -> bool:
    """Return whether the registry knows this very function by its name."""
    _discover()
    return _registered.get(spelled(f.name)) is f


def functions() -> tuple[RankingFunction, ...]:
    """Return every registered ranking function, in the order of their names."""
    _discover()
    return tuple(sorted(set(_registered.values()), key=lambda f: f.name))


def chosen(by: object) -> tuple[list[RankingFunction], list[RankingFunction]]:
    """Return the functions that ``by`` asks for, and which of them it calls by name.

    ``by`` is one name or function, several, names with commas between, or ``"all"``: every
    function that is not slow. Those called by name come first.
    """
    parts = as_items(by)
    if not parts:
        raise UsageError("no ranking function is named.", hint="e.g. by='average_rank', or 'all'.")
    everyone = [part for part in parts if isinstance(part, str) and spelled(part) == "all"]
    named = list(dict.fromkeys(get(part) for part in parts if part not in everyone))
    rest = [f for f in functions() if not f.slow and f not in named] if everyone else []
    return named + rest, named


def as_items(by: object) -> list[str | RankingFunction]:
    """Return the names and functions of ``by`` one by one; commas separate names."""
    items = [by] if isinstance(by, str | RankingFunction) or not isinstance(by, Iterable) else by
    checked: list[str | RankingFunction] = []
    for item in items:
        if not isinstance(item, str | RankingFunction):
            raise UsageError(
                f"by must name ranking functions, got {item!r}.",
                hint="a name, several, or what deadheat.ranks_table and its like return.",
            )
        checked += [p for p in item.split(",") if p.strip()] if isinstance(item, str) else [item]
    return checked


def _names() -> list[str]:
    """Return every name and alias as it was declared."""
    return [name for f in set(_registered.values()) for name in (f.name, *f.aliases)]


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


def spelled(name: str) -> str:
    """Return a name in the one spelling by which the registry knows it."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


@cache
def _discover() -> None:
    from deadheat.ranking import functions as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
