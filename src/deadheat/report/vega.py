"""Vega, which draws the pictures: in a browser from one script, or here without any browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

SPEC = "6.4"  # of Vega-Lite, which altair writes and vl-convert carries
SNIPPET = "window.vegaEmbed = vegaEmbed; window.vega = vega;"
BEYOND = re.compile("[\U00010000-\U0010ffff]")  # emoji and other characters of two halves
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
Drawn = TypeVar("Drawn", str, bytes)


def specified(chart: Any) -> dict[str, Any]:
    """Return the specification of a chart, in which every name is only a name.

    Altair checks what is in it when it is made by hand; these are made by this package, whose
    tests check every kind of picture, and the check takes longer than all the rest.
    """
    spec: dict[str, Any] = _freed(chart.to_dict(validate=False))
    return spec


def _freed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _freed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_freed(item) for item in value]
    return value + NO_WIDTH if isinstance(value, str) and value in INHERITED else value


@cache
def javascript() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that asks the network for nothing."""
    import vl_convert

    script: str = vl_convert.javascript_bundle(SNIPPET, vl_version=SPEC)
    return script.replace("</script", "<\\/script")


def svg(spec: dict[str, Any]) -> str:
    """Return a specification drawn as SVG."""
    import vl_convert

    return _drawn(lambda given: vl_convert.vegalite_to_svg(given, vl_version=SPEC), spec)


def png(spec: dict[str, Any], scale: float) -> bytes:
    """Return a specification drawn as PNG, ``scale`` pixels a point."""
    import vl_convert

    return _drawn(
        lambda given: vl_convert.vegalite_to_png(given, vl_version=SPEC, scale=scale), spec
    )


def pdf(spec: dict[str, Any]) -> bytes:
    """Return a specification drawn as PDF with its fonts inside."""
    import vl_convert

    return _drawn(lambda given: vl_convert.vegalite_to_pdf(given, vl_version=SPEC), spec)


def _drawn(draw: Callable[[Any], Drawn], spec: dict[str, Any]) -> Drawn:
    """Draw; where Vega shortens a name in the middle of an emoji, draw emoji as boxes."""
    try:
        return draw(spec)
    except ValueError:
        written = json.dumps(spec, ensure_ascii=False)
        if BEYOND.search(written) is None:
            raise
        return draw(json.loads(BEYOND.sub("\N{WHITE SQUARE}", written)))
