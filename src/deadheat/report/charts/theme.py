"""How pictures look: two themes, colours that colour-blind people can tell apart, no black.

A picture names what a mark means by its ``style`` and leaves the colour to the theme, so that one
picture serves paper and a dark screen.
"""

from __future__ import annotations

from typing import Any, Literal

from deadheat.errors import UnknownNameError

Theme = Literal["light", "dark"]

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
PAGE = 560  # pixels across a page
COLUMN = 252  # 3.5 inches at 72 pixels each: one column of a paper
ROW = 18  # pixels a candidate takes where there is room
LABEL = 190  # pixels that a name may take
HEADLINE = 7.2  # pixels that a letter of a title takes, on average and a little more

# Okabe and Ito's colours, which remain distinct under the common forms of colour blindness; the
# dark theme has lighter ones of the same hues.
_COLOURS = {
    "light": ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#666666"],
    "dark": ["#5db7ec", "#ff8c42", "#35c9a0", "#e29cc3", "#f0c94a", "#9ad4f5", "#b0b0b0"],
}
_INK = {"light": "#1f2328", "dark": "#e8eaed"}
_FAINT = {"light": "#d9dce1", "dark": "#3a3f47"}
_MUTED = {"light": "#6e7781", "dark": "#9aa4af"}
_PAPER = {"light": "#ffffff", "dark": "#16181c"}


def config(theme: Theme = "light") -> dict[str, Any]:
    """Return Vega-Lite's configuration of a theme.

    Its styles are ``accent`` (what the picture is about), ``second``, ``third``, ``muted`` (the
    rest), ``faint`` (guides), ``ink`` (as text) and ``paper`` (as the background); ``on-pale`` and
    ``on-deep`` are text on the pale and deep colours of heat maps, which both themes share.
    """
    if theme not in _INK:
        raise UnknownNameError("theme", str(theme), _INK)
    ink, faint, muted, paper = (each[theme] for each in (_INK, _FAINT, _MUTED, _PAPER))
    colours = _COLOURS[theme]
    styles = {
        "accent": colours[0],
        "second": colours[1],
        "third": colours[2],
        "muted": muted,
        "faint": faint,
        "ink": ink,
        "paper": paper,
        "on-pale": _INK["light"],
        "on-deep": _PAPER["light"],
    }
    return {
        "background": paper,
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            "labelColor": ink,
            "titleColor": ink,
            "domainColor": muted,
            "tickColor": muted,
            "gridColor": faint,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "labelLimit": LABEL,
        },
        "legend": {
            "orient": "top",
            "labelColor": ink,
            "titleColor": ink,
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
        },
        "header": {"labelColor": ink, "titleColor": ink, "labelFontSize": 11},
        "title": {
            "color": ink,
            "subtitleColor": muted,
            "fontSize": 13,
            "anchor": "start",
            "offset": 10,
        },
        "mark": {"color": colours[0]},
        "text": {"color": ink, "fontSize": 11},
        "rule": {"color": ink},
        "range": {
            "category": colours,
            "ramp": {"scheme": "cividis"},
            "heatmap": {"scheme": "cividis"},
            "diverging": {"scheme": "blueorange"},
        },
        "style": {name: {"color": colour} for name, colour in styles.items()},
    }
