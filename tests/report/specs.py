"""What stands in a specification of Vega-Lite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def tables(spec: Any) -> Iterator[list[dict[str, Any]]]:
    """Every table of a specification; Altair writes most once for all, by name."""
    if isinstance(spec, dict):
        yield from spec.get("datasets", {}).values()
        found = spec.get("data")
        if isinstance(found, dict) and "values" in found:
            yield found["values"]
        for value in spec.values():
            yield from tables(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from tables(value)


def table_with(picture: Any, *keys: str) -> list[dict[str, Any]]:
    """The first table whose records have these keys."""
    return next(t for t in tables(picture.spec()) if t and set(keys) <= t[0].keys())


def marks(spec: Any) -> list[dict[str, Any]]:
    """Every mark of a specification, with its type and its style."""
    if isinstance(spec, dict):
        own = [spec["mark"]] if isinstance(spec.get("mark"), dict) else []
        return own + [m for key, value in spec.items() if key != "config" for m in marks(value)]
    return [m for value in spec for m in marks(value)] if isinstance(spec, list) else []


def size(picture: Any) -> int:
    return len(json.dumps(picture.spec()))
