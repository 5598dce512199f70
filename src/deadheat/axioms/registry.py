"""Every axiom by name: one file in ``laws`` is enough to add one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from functools import cache

from deadheat.axioms.axiom import Axiom
from deadheat.errors import UnknownNameError

# The order of Pavao et al. (2021), table 2; others follow in the order of their names.
FIRST = ("majority", "condorcet", "consistency", "participation", "iia", "liia", "clones")


@cache
def known() -> dict[str, Axiom]:
    """Return every axiom by its name."""
    from deadheat.axioms import laws

    found: dict[str, Axiom] = {}
    for module in pkgutil.iter_modules(laws.__path__):
        home = importlib.import_module(f"{laws.__name__}.{module.name}")
        for kind in vars(home).values():
            if (
                inspect.isclass(kind)
                and kind.__module__ == home.__name__
                and issubclass(kind, Axiom)
            ):
                found[kind.name] = kind()
    rest = sorted(set(found) - set(FIRST))
    return {name: found[name] for name in (*FIRST, *rest)}


def chosen(names: str | Iterable[str] | None) -> list[Axiom]:
    """Return the axioms of some names, commas between them or not; all of them for None."""
    laws = known()
    if names is None:
        return list(laws.values())
    items = [names] if isinstance(names, str) else names
    found = []
    for name in (part.strip() for item in items for part in str(item).split(",")):
        if name.lower() not in laws:
            raise UnknownNameError("axiom", name, laws)
        found.append(laws[name.lower()])
    return list(dict.fromkeys(found))
