"""Which schemas there are."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from deadheat.schemas.schema import Schema


@cache
def schemas() -> dict[str, Schema]:
    """Return the schemas by name, such as ``deadheat.verdict/1``."""
    from deadheat import schemas as package

    found: dict[str, Schema] = {}
    for module in pkgutil.iter_modules(package.__path__):
        home = importlib.import_module(f"{package.__name__}.{module.name}")
        own = (value for value in vars(home).values() if isinstance(value, Schema))
        found |= {schema.name: schema for schema in own}
    return dict(sorted(found.items()))
