"""The functions that rank one table: those asked for, or the one that suits it."""

from __future__ import annotations

from deadheat.data.results import Results
from deadheat.errors import UsageError
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.registry import as_items, chosen, spelled
from deadheat.ranking.run_functions import bound_function

DEFAULT = "average_rank"


def functions_for(
    results: Results, by: object = None
) -> tuple[list[RankingFunction], list[RankingFunction]]:
    """Return the functions that ``by`` asks for on a table, and which of them it calls by name.

    Without ``by`` it is the one that the table carries, which scored runs do: the mean of their
    rule, shown as people write it, or the function of a rule that looks at other candidates; else
    ``average_rank``. A function of the latter kind belongs to its table: it can be named for that
    table alone, and ``"all"`` includes it.
    """
    own = bound_function(results)
    if by is None:
        by = own or results.by or DEFAULT
    if own is None:
        return chosen(by)
    items: list[str | RankingFunction] = []
    for item in as_items(by):
        items += [own] if isinstance(item, str) and spelled(item) == own.name else [item]
    functions, named = chosen(items)
    if any(isinstance(item, str) and spelled(item) == "all" for item in items):
        functions = functions if own in functions else [*named, own, *functions[len(named) :]]
    return functions, named


def function_for(results: Results, by: object = None) -> RankingFunction:
    """Return the one function that ``by`` names, or the one that suits the table."""
    found = functions_for(results, by)[0]
    if len(found) > 1:
        raise UsageError(
            f"one ranking function is needed here, and {len(found)} are named.",
            hint=f"e.g. by={found[0].name!r}.",
        )
    return found[0]
