"""What a picture is: a chart, one sentence on what to see in it, and the same in words."""

from __future__ import annotations

import base64
import hashlib
import html
import inspect
import json
import os
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    ask,
    command_saying,
    command_with,
    listed,
    quoted,
    visible,
)
from deadheat.core.files import save
from deadheat.core.registry import Registry, plugins
from deadheat.core.types import Documented
from deadheat.output.result import Result
from deadheat.report.charts import theme as vega
from deadheat.report.charts.fonts import with_fonts
from deadheat.report.charts.pixels import LETTER, LINE, canvas, inner, text_layer
from deadheat.report.charts.spec import Spec, framed, whole_spec
from deadheat.report.charts.theme import COLUMN, HEADLINE, INCH, PAGE, Theme, config
from deadheat.report.load import Saved

SUFFIXES = (".svg", ".pdf", ".png", ".html", ".json")


@dataclass(frozen=True, eq=False, kw_only=True)
class Picture:
    """Hold a chart and what it tells those who see it and those who cannot.

    Attributes
    ----------
    view
        The chart in Vega-Lite, without any colours or fonts of its own:
        :mod:`deadheat.report.charts.theme` has them.
    title
        What the picture shows, as a heading.
    see
        What to see in it, one sentence.
    alt
        What it tells somebody who cannot see it, numbers included.
    kind
        The name by which it is asked for; the registry fills it in.
    narrow
        The picture once more for small screens, on pages, where making it narrower would not do.
    shows
        Whether there is something to see; else the picture is only what ``see`` says, which a page
        prints as a sentence.
    """

    view: Spec = field(repr=False)
    title: str
    see: str
    alt: str
    kind: str = ""
    narrow: Picture | None = None
    shows: bool = True

    @classmethod
    def sentence(cls, title: str, see: str, width: int, *, alt: str = "") -> Picture:
        """Return a picture that shows nothing and says so."""
        lines = textwrap.wrap(visible(see), max(10, int(inner(width) / LETTER)))
        tall = LINE * len(lines)
        texts = [(0.0, LINE * (k + 0.5), line) for k, line in enumerate(lines)]
        view = text_layer(texts, *canvas(inner(width), tall), align="left")
        view = framed(view, width, tall, stiff=True)
        return cls(view=view, title=title, see=see, alt=alt or f"{title}: {see}", shows=False)

    @property
    def chart(self) -> Any:
        """The chart as one of Altair, to be changed by hand."""
        import altair as alt

        return alt.Chart.from_dict(whole_spec(self.view))

    def spec(self, theme: Theme = "light", *, titled: bool = True) -> dict[str, Any]:
        """Return the whole specification in Vega-Lite."""
        spec = whole_spec(self.view)
        spec["config"] = config(theme)
        spec["description"] = self.alt
        if titled:
            title, letters = visible(self.title), int(spec.get("width", COLUMN) / HEADLINE)
            lines = textwrap.wrap(title, max(1, letters), break_long_words=False)
            spec["title"] = {"text": lines if len(lines) > 1 else title}
        return spec

    def svg(self, theme: Theme = "light", *, titled: bool = True) -> str:
        """Return the picture as SVG, which says in words what it shows."""
        said = f'role="img" aria-label="{html.escape(visible(self.alt))}"'
        drawn = str(vega.render(self.spec(theme, titled=titled), "svg"))
        return drawn.replace("<svg ", f"<svg {said} ", 1)

    def png(self, theme: Theme = "light", *, scale: float = 2.0, titled: bool = True) -> bytes:
        """Return the picture as PNG, by default two pixels a point."""
        if not 0 < scale <= 20:
            fact = f"the scale must lie between 0 and 20, got {scale:g}."
            raise UsageError(fact, hint=f"sharp on screens: {command_with(scale=2)}")
        return bytes(vega.render(self.spec(theme, titled=titled), "png", scale=scale))

    def pdf(self, theme: Theme = "light", *, titled: bool = True) -> bytes:
        """Return the picture as PDF with its fonts inside, as wide on paper as was asked."""
        return vega.pdf_of(self.svg(theme, titled=titled))

    def html(self, theme: Theme = "light", *, titled: bool = True) -> str:
        """Return a page with the picture, its sentence and its tooltips; it needs no network."""
        draw = (
            f"vegaEmbed('#picture', {in_script(self.spec(theme, titled=False))}, "
            "{renderer: 'svg', mode: 'vega-lite', ast: true, "
            "actions: {export: true, source: false, compiled: false, editor: false}})"
        )
        scripts = (vega.javascript(), draw)
        ground, ink = config(theme)["background"], config(theme)["title"]["color"]
        title, see = (html.escape(visible(text)) for text in (self.title, self.see))
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy(*scripts)}">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{title}</title>"
            f"<style>body{{font-family:sans-serif;margin:1.5em;background:{ground};color:{ink}}}"
            "figure{margin:0;overflow-x:auto}</style></head><body>"
            f"{f'<h1>{title}</h1>' * titled}<figure><div id='picture'></div>"
            f"<figcaption>{see}</figcaption></figure>"
            f"{''.join(f'<script>{script}</script>' for script in scripts)}</body></html>\n"
        )

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        theme: Theme = "light",
        scale: float = 2.0,
        titled: bool = True,
    ) -> None:
        """Write the picture as its name says: .svg, .pdf, .png, .html or .json (Vega-Lite)."""
        save(path, self.written(format_of(path), theme=theme, scale=scale, titled=titled))

    def written(
        self, form: str, *, theme: Theme = "light", scale: float = 2.0, titled: bool = True
    ) -> str | bytes:
        """Return the picture in a format, which is a suffix without its dot."""
        if form == "json":
            return json.dumps(self.spec(theme, titled=titled), indent=2, allow_nan=False) + "\n"
        if form == "png":
            return self.png(theme, scale=scale, titled=titled)
        if form == "html":
            return self.html(theme, titled=titled)
        pdf = self.pdf(theme, titled=titled)
        return pdf if form == "pdf" else with_fonts(self.svg(theme, titled=titled), pdf)

    def _repr_html_(self) -> str:
        """Show the picture in a notebook, also without a network."""
        said = html.escape(visible(self.see))
        return f"<figure>{self.svg()}<figcaption>{said}</figcaption></figure>"


def in_script(value: Any) -> str:
    """Return JSON that may stand inside a ``<script>``: nothing in it can end the script."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")


def policy(*scripts: str) -> str:
    """Return what the page may do: run these scripts, and nothing else, from nowhere else."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    known = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {known}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def format_of(path: str | os.PathLike[str]) -> str:
    """Return the format that the name of a file asks for; refuse other names."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        words = command_saying({os.fspath(path): [str(Path(path).with_suffix(".svg"))]})
        raise UsageError(
            f"the name {quoted(Path(path).name)} does not say which kind of picture to write.",
            hint=f"end it in {', '.join(SUFFIXES)}{f': {words}' if words else '.'}",
        )
    return suffix.removeprefix(".")


# ------------------------------------------------------------------------------
# Which pictures there are: the functions in ``plots/``, found by discovery.

WIDTHS = {"page": PAGE, "column": COLUMN}
LENGTH = re.compile(r"(\d+(?:\.\d+)?) ?(in|cm|mm|pt|px)")
UNITS = {"in": INCH, "cm": INCH / 2.54, "mm": INCH / 25.4, "pt": INCH / 72, "px": 1.0}
NARROWEST, WIDEST = 160, 4000

Draw = Callable[..., Picture]


@dataclass(frozen=True, eq=False, kw_only=True)
class Kind(Documented):
    """Describe a kind of picture: its name, what it is drawn of, and the function that draws it.

    ``figure`` is that of a paper; a ``first`` one is drawn where nobody names another; ``saved`` is
    a key of rows or facts, and JSON that has it is drawn too; ``needs`` are options with which the
    result is made of a table.
    """

    name: str
    of: tuple[type, ...]
    draw: Draw
    figure: str = ""
    first: bool = False
    saved: str = ""
    needs: Mapping[str, Any] = field(default_factory=dict)
    __doc__: str | None = field(default=None, repr=False)

    @property
    def look(self) -> tuple[str, ...]:
        """The options of the picture itself, beside its width."""
        _, *names = inspect.signature(self.draw).parameters
        return tuple(name for name in names if name != "width")

    def suits(self, result: Any) -> bool:
        if isinstance(result, Saved):
            described = (each.schema for each in self.of if issubclass(each, Result))
            known = {*result.json["facts"]}.union(*result.json["rows"][:1])
            return self.saved in known and any(s.startswith(f"{result.kind}/") for s in described)
        return isinstance(result, self.of)


KINDS: Registry[Kind] = Registry("picture", partial(plugins, "deadheat.report.plots", Kind))


# What others call a picture.
ALIASES = dict.fromkeys(("cd", "cd-diagram", "cdd"), "critical-difference")
ALIASES |= {"heatmap": "heat-map", "survival": "cactus", "profile": "performance-profile"}


def draws(
    *of: type, figure: str = "", first: bool = False, saved: str = "", **needs: Any
) -> Callable[[Draw], Kind]:
    """Make a kind of picture, of its name, of a function ``(result, *, width) -> Picture``."""

    def decorate(draw: Draw) -> Kind:
        how: dict[str, Any] = {"figure": figure, "first": first, "saved": saved, "needs": needs}
        name = draw.__name__.replace("_", "-")
        return Kind(name=name, of=of, draw=draw, **how, __doc__=draw.__doc__)

    return decorate


def kinds(of: type | None = None) -> dict[str, Kind]:
    """Return the kinds of pictures by name; ``of`` leaves those that suit a type of results."""
    return {name: kind for name, kind in KINDS.items() if of is None or issubclass(of, kind.of)}


def suitable_kinds(result: Any) -> dict[str, Kind]:
    return {name: kind for name, kind in KINDS.items() if kind.suits(result)}


def kind_named(name: str, *, see: str = "") -> Kind:
    """Return the kind of picture of that name; refuse an unknown name."""
    return KINDS.named(ALIASES.get(name.lower(), name), most=3, see=see)


def draw_picture(
    result: Any, kind: str | None = None, *, width: str | int = "page", **look: Any
) -> Picture:
    """Return the picture of a result; without a ``kind`` the one that suits it best."""
    there = suitable_kinds(result)
    wanted = None if kind is None else kind_named(kind)
    if not there or (wanted is not None and wanted.name not in there):
        _refuse(result, wanted, list(there))
    best = wanted or max(there.values(), key=lambda each: each.first)
    if foreign := [name for name in look if name not in best.look]:
        fact = f"{listed(foreign)}: no option of the picture {best.name}."
        raise UsageError(fact, hint=f"it takes {listed(('width', *best.look))}.")
    picture = best.draw(result, width=pixels(width), **look)
    title, see = picture.title[:1].upper() + picture.title[1:], picture.see
    see = " ".join(filter(None, (see, result.omission)))
    return replace(picture, kind=best.name, title=title, see=see)


def _refuse(result: Any, kind: Kind | None, there: list[str]) -> NoReturn:
    others = f"there are {listed(there)}" if there else ""
    wanted = "a picture" if kind is None else kind.name
    if isinstance(result, Saved):
        raise UsageError(
            f"{wanted} needs the data, and {result.schema} has only results.",
            hint=f"draw it of the table: {ask('plot', 'TABLE', kind.name if kind else 'KIND')}"
            + (f"\nof this JSON {others}." if there else ""),
        )
    raise UsageError(
        f"{wanted} is no picture of {type(result).__name__}.",
        hint=f"{others or 'pictures are drawn of a table, or of another result'}.",
    )


def pixels(width: str | int) -> int:
    """Return a width in pixels: of a page, of a column, or a length such as 3.3in."""
    if isinstance(width, str):
        length = LENGTH.fullmatch(width)
        if length is None and width not in WIDTHS:
            raise UnknownNameError("width", width, (*WIDTHS, "3.3in", "84mm"))
        width = WIDTHS[width] if length is None else round(float(length[1]) * UNITS[length[2]])
    if not NARROWEST <= width <= WIDEST:
        fact = f"a width must lie between {NARROWEST} and {WIDEST} pixels, got {width}."
        as_wide = f"as a page, {PAGE} pixels: {command_with(width='page')}"
        raise UsageError(fact, hint=as_wide)
    return width
