"""How pictures look: two themes, colours that colour-blind people can tell apart, no black.

A picture names what a mark means by its ``style`` and leaves the colour to the theme, so that one
picture serves paper and a dark screen.
"""

from __future__ import annotations

import json
import re
from functools import cache, partial
from typing import Any, Literal

from deadheat.core.errors import UnknownNameError

Theme = Literal["light", "dark"]

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
PAGE = 560  # pixels across a page
INCH = 96  # pixels, as in browsers: letters of 12 pixels are of 9 points on paper
COLUMN = 317  # 3.3 inches: one column of a paper
ROW = 20  # pixels a candidate takes where there is room
LETTERS = 12  # pixels that letters are high, everywhere
LABEL = 190  # pixels that a name may take
# Where the title of an axis across stands, as it has room to the left, over the names; of one that
# runs from right to left.
RIGHT_END = {"titleAnchor": "end", "titleAlign": "right"}
REVERSED = {"titleAnchor": "start"}
HEADLINE = 7.6  # pixels that a letter of a title takes, on average and a little more

# Numbers as in sentences: 1,000 and 88 %.
PER_CENT = {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["$", ""]}
PER_CENT |= {"percent": "\N{NO-BREAK SPACE}%"}

# One hue says one thing, in every picture, on the page and in its sentences; all else is grey, and
# what is more of it darker. They remain distinct under the common forms of colour blindness.
HUES = {
    "accent": "Violet",  # level with the leader
    "wins": "Blue",  # wins, is ahead, clearly better
    "loses": "Orange",  # loses, fails, is behind
}
MATRIX = f"{HUES['wins']}: the row wins. {HUES['loses']}: it loses."
_HUES = {
    "light": {"accent": "#8f1fe0", "wins": "#0072b2", "loses": "#d55e00"},
    "dark": {"accent": "#b765ff", "wins": "#5db7ec", "loses": "#ff8c42"},
}
# Other hues, of what is no candidate: families, ways of counting. Each has a shape or dash, too.
_OTHERS = {
    "light": ["#00795a", "#a8780a", "#c0508f", "#333a42", "#7a9a1e", "#8a5a3c"],
    "dark": ["#35c9a0", "#f0c94a", "#f095c6", "#e8eaed", "#b5d450", "#c79a7a"],
}
_DIVERGING = {  # from what loses to what wins; what is even is as the background
    "light": ["#b34700", "#f0a878", "#f3f4f6", "#7db4d8", "#005a8c"],
    "dark": ["#ff9f5f", "#8f5a34", "#24282e", "#33698c", "#7cc8f5"],
}
# As text, for guides, for the rest, and as the background.
_GREYS = {
    "light": ("#1f2328", "#d9dce1", "#6e7781", "#ffffff"),
    "dark": ("#e8eaed", "#3a3f47", "#9aa4af", "#16181c"),
}


# What a page has beside these: quiet letters, buttons, cautions as letters, and who is chosen.
_PAGE = {
    "light": "--muted:#57606a;--soft:#f4f6f8;--warm:#8a4b00;--mark:#fff3c4",
    "dark": "--muted:#a9b3be;--soft:#1f2329;--warm:#ffb066;--mark:#4d3f00",
}


def palette() -> str:
    """Return the colours of a page, those of its pictures among them, as a style sheet."""
    light, dark = _variables("light"), _variables("dark")
    chosen, wanted = ":root[data-theme=dark]", ":root:not([data-theme=light])"
    return (
        f":root{{{light}}}{chosen}{{{dark}}}"
        f"@media (prefers-color-scheme:dark){{{wanted}{{{dark}}}}}"
        f"@media print{{:root,{chosen},{wanted}{{{light};print-color-adjust:exact}}}}"
    )


def _variables(theme: Theme) -> str:
    ink, faint, rest, paper = _GREYS[theme]
    hues = ";".join(f"--{name}:{colour}" for name, colour in _HUES[theme].items())
    own = f"--paper:{paper};--ink:{ink};--faint:{faint};--rest:{rest};{hues}"
    return f"{own};{_PAGE[theme]};color-scheme:{theme}"


def config(theme: Theme = "light") -> dict[str, Any]:
    """Return Vega-Lite's configuration of a theme.

    Its styles are those of ``HUES``, ``muted`` (the rest), ``faint`` (guides), ``ink`` (as text,
    and what stands out) and ``paper`` (as the background).
    """
    if theme not in _GREYS:
        raise UnknownNameError("theme", str(theme), _GREYS)
    ink, faint, muted, paper = _GREYS[theme]
    styles = _HUES[theme] | {"muted": muted, "faint": faint, "ink": ink, "paper": paper}
    words = {"labelColor": ink, "titleColor": ink}
    sizes = {"labelFontSize": LETTERS, "titleFontSize": LETTERS, "titleFontWeight": "normal"}
    lines = {"domainColor": muted, "tickColor": muted, "gridColor": faint}
    title = {"color": ink, "subtitleColor": muted, "fontSize": 14, "anchor": "start", "offset": 10}
    ramp = [faint, ink]
    return {
        "background": paper,
        "font": FONT,
        "locale": {"number": PER_CENT},
        "view": {"stroke": None},
        "axis": {**words, **lines, **sizes, "labelLimit": LABEL},
        "axisX": RIGHT_END,
        "legend": {"orient": "top", **words, **sizes},
        "header": {**words, "labelFontSize": LETTERS},
        "title": title,
        "mark": {"color": muted},
        "text": {"color": ink, "fontSize": LETTERS},
        "rule": {"color": ink},
        "range": {
            "category": _OTHERS[theme],
            "ordinal": [styles[name] for name in ("wins", "loses", "muted")],
            "ramp": ramp,
            "heatmap": ramp,
            "diverging": _DIVERGING[theme],
        },
        "style": {name: {"color": colour} for name, colour in styles.items()},
    }


# ------------------------------------------------------------------------------
# Vega, which draws the pictures: in a browser from one script, or here without any browser.

SPEC = "6.4"  # of Vega-Lite, which vl-convert carries
SNIPPET = "window.vegaEmbed = vegaEmbed; window.vega = vega;"
BEYOND = re.compile("[\U00010000-\U0010ffff]")  # emoji and other characters of two halves


@cache
def javascript() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that asks the network for nothing."""
    import vl_convert

    script: str = vl_convert.javascript_bundle(SNIPPET, vl_version=SPEC)
    return script.replace("</script", "<\\/script")


def pdf_of(svg: str) -> bytes:
    """Return an SVG as PDF: pixels are points there, of which an inch has fewer."""
    import vl_convert

    size = re.compile(r' (width|height)="([\d.]+)"')
    begin, end = svg.split(">", 1)
    begin = size.sub(lambda f: f' {f[1]}="{float(f[2]) * 72 / INCH:g}"', begin)
    return bytes(vl_convert.svg_to_pdf(f"{begin}>{end}"))


def render(spec: dict[str, Any], form: Literal["svg", "png"], **options: Any) -> Any:
    """Return a specification drawn as SVG (text) or PNG (bytes).

    Where Vega shortens a name in the middle of an emoji, emoji are drawn as boxes.
    """
    import vl_convert

    convert = partial(getattr(vl_convert, f"vegalite_to_{form}"), vl_version=SPEC, **options)
    try:
        return convert(spec)
    except ValueError:
        written = json.dumps(spec, ensure_ascii=False)
        if BEYOND.search(written) is None:
            raise
        return convert(json.loads(BEYOND.sub("\N{WHITE SQUARE}", written)))
