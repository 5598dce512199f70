"""Vega-Lite as plain dictionaries: rows as data, marks of their fields, layers, the whole."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from deadheat.core.errors import visible
from deadheat.output.text import null_undefined, plain

Spec = dict[str, Any]  # any part of a specification

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
TYPES = {"N": "nominal", "Q": "quantitative"}
# Channels that are nothing else; the others, such as opacity, may also be one look of all marks.
CHANNELS = {"x", "x2", "y", "y2", "color", "detail", "order", "text", "tooltip"}
# Keys that come first in such an object, for people who read a specification.
FIRST = {"mark": ["type"], "from": ["data", "key"], "title": ["text"]}
# What every object of JavaScript has. Vega keeps names as keys of objects when it stacks, sorts,
# titles and draws anew, and would find these there; followed by a letter of no width they are free.
INHERITED = frozenset(
    {
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toString"),
        *("toLocaleString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__"),
        *("__lookupGetter__", "__lookupSetter__"),
    }
)
NO_WIDTH = "\N{WORD JOINER}"


class Field(dict[str, Any]):
    """Hold what a channel shows, and how."""


def field(shorthand: str, /, **how: Any) -> Spec:
    """Return a field of rows such as ``share:Q``, a quantity, or ``judge:N``, a name."""
    name, kind = shorthand.split(":")
    return Field(field=name, type=TYPES[kind], **how)


def tips(*shown: str | tuple[str, ...]) -> list[Spec]:
    """Return what is told of a mark under the mouse: fields, some with a title and a format."""
    found = []
    for each in shown:
        name, *how = [each] if isinstance(each, str) else each
        words = zip(("title", "format"), how, strict=False)
        found.append(field(name, **{key: word for key, word in words if word}))
    return found


def data(rows: Iterable[Mapping[str, Any]]) -> Spec:
    """Return a view of rows: names made visible, undefined numbers as null."""
    shown = [{k: visible(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows]
    return {"data": {"values": null_undefined(plain(shown))[0]}}


def as_float(value: float | None) -> float:
    """Return a number of a result, fresh or saved: what JSON has as null is NaN."""
    return math.nan if value is None else float(value)


def then(view: Spec, step: dict[str, Any]) -> Spec:
    """Return a view with one more transformation of its rows."""
    return {**view, "transform": [*view.get("transform", ()), step]}


def lookup(view: Spec, key: str, rows: Iterable[Mapping[str, Any]]) -> Spec:
    """Return a view whose rows get what ``rows`` say of their key: names are kept only once."""
    known = list(rows)
    fields = [name for name in known[0] if name != key]
    source = {**data(known), "key": key, "fields": fields}
    return then(view, {"lookup": key, "from": source})


def mark(kind: str, view: Spec | None = None, /, **look: Any) -> Spec:
    """Return a view whose rows, those ``where`` a test holds, are drawn as marks.

    Channels are fields, also by their shorthand, fixed values, or lists of fields.
    """
    where = look.pop("where", "")
    view = then(view or {}, {"filter": where}) if where else view or {}
    channels = {k: v for k, v in look.items() if k in CHANNELS or isinstance(v, Field)}
    style = {k: v for k, v in look.items() if k not in channels}
    encoding = {name: _channel(name, what) for name, what in channels.items()}
    return {**view, "mark": {"type": kind, **style}, "encoding": encoding}


def _channel(name: str, what: Any) -> Any:
    if isinstance(what, list):
        return [_channel(name, each) for each in what]
    if not isinstance(what, dict):
        is_field = isinstance(what, str) and what[-2:-1] == ":"
        what = field(what) if is_field else {"value": what}
    # The second end of a mark is of the type of the first.
    return {"field": what["field"]} if name in {"x2", "y2"} and "field" in what else what


def layer(*views: Spec, **more: Any) -> Spec:
    """Return views on top of each other; rows that all of them show are written once."""
    rows = views[0].get("data")
    if rows is not None and all(view.get("data") is rows for view in views):
        more["data"] = rows
        views = tuple({k: v for k, v in view.items() if k != "data"} for view in views)
    return {"layer": list(views), **more}


def framed(view: Spec, width: int, height: float, *, stiff: bool = False) -> Spec:
    """Return a view whose whole width, with labels and legend, is ``width``.

    A ``stiff`` one is laid out for that width: who needs it narrower must draw it anew. It says so
    in its ``usermeta``, which Vega leaves alone.
    """
    fit = {"type": "fit-x", "contains": "padding"}
    more = {"usermeta": {"stiff": True}} if stiff else {}
    return {**view, "width": width, "height": round(height), "autosize": fit, **more}


def is_stiff(view: Spec) -> bool:
    return "usermeta" in view or "autosize" not in view


def whole_spec(view: Spec) -> Spec:
    """Return the whole specification, in which every name is only a name.

    Rows are written once, under a name, however many layers show them.
    """
    rows: dict[str, Any] = {}
    size = {"view": {"continuousWidth": 300, "continuousHeight": 300}}
    return {"config": size, **_with_shared_data(view, rows), "$schema": SCHEMA, "datasets": rows}


def _with_shared_data(value: Any, rows: dict[str, Any], key: str = "") -> Any:
    if isinstance(value, list | tuple):
        return [_with_shared_data(item, rows) for item in value]
    if not isinstance(value, dict):
        return value + NO_WIDTH if isinstance(value, str) and value in INHERITED else value
    if key == "data":
        digest = hashlib.sha256(json.dumps(value["values"], sort_keys=True).encode())
        name = f"data-{digest.hexdigest()[:32]}"
        if name not in rows:
            rows[name] = [
                {k: _with_shared_data(v, rows) for k, v in row.items()} for row in value["values"]
            ]
        return {"name": name}
    first = {
        k: _with_shared_data(value[k], rows, k) for k in value if k == "data"
    }  # its rows come first
    return {k: first.get(k) or _with_shared_data(value[k], rows, k) for k in _key_order(value, key)}


def _key_order(value: Mapping[str, Any], key: str) -> list[str]:
    first = FIRST.get(key, ["layer", "hconcat", "vconcat", "lookup", "calculate"])
    if "mark" in value or "facet" in value:
        first = ["data", "mark", "facet", "spec"]
    return sorted(value, key=lambda k: (first.index(k) if k in first else len(first), k))
