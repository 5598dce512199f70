"""The page: one HTML file that asks the network for nothing."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from deadheat.core.errors import bare, counted, visible
from deadheat.core.registry import Registry, plugins
from deadheat.core.types import Documented
from deadheat.output.result import MARKS, Result
from deadheat.output.table import Grid
from deadheat.output.text import number, plain
from deadheat.report.charts.rows import BEYOND, LEAST_ROWS, LONGER, brief_share
from deadheat.report.charts.spec import Spec, is_stiff, whole_spec
from deadheat.report.charts.theme import config, javascript, palette, render
from deadheat.report.contents import Contents
from deadheat.report.picture import Picture, draw_picture, in_script, policy
from deadheat.report.summary import Fact

# ------------------------------------------------------------------------------
# Names that are written from right to left, inside sentences that are not.

FIRST_STRONG, END = "\u2068", "\u2069"
MOST = 2_000  # names that are looked for


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    """Return what encloses such names in a text, so that they move nothing beside them.

    Without that a browser shows ``A (1), B (2)`` as ``A (1), (2) B`` where both are Hebrew.
    """
    other = (name for name in names if not name.isascii())
    right_to_left = [n for n in other if {"R", "AL"} & {*map(unicodedata.bidirectional, n)}][:MOST]
    forms = {visible(form) for name in right_to_left for form in (name, bare(name))}
    if not forms:
        return lambda text: text
    any_of = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
    return lambda text: any_of.sub(lambda found: f"{FIRST_STRONG}{found[0]}{END}", text)


# ------------------------------------------------------------------------------
# How many bytes the parts of a page may take, so that their sum is bounded whatever the data.

LARGEST_JSON = 1_000_000  # characters of a result inside the JSON of the whole


def packed(text: str) -> str:
    """Return a text as gzip in base64, a fraction of its size; browsers unpack it."""
    written = text.encode("utf-8", "backslashreplace")
    return base64.b64encode(gzip.compress(written, 9, mtime=0)).decode()


def shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """Return how much of the room each may take: small ones all they need, large ones the same."""
    found: dict[str, int] = {}
    left = max(room, 0)
    for k, name in enumerate(sorted(sizes, key=sizes.__getitem__)):
        found[name] = min(sizes[name], left // (len(sizes) - k))
        left -= found[name]
    return {name: found[name] for name in sizes}


def too_large(sizes: Mapping[str, int], room: int) -> list[str]:
    """Return the largest, as many as must go so that the others have room."""
    left = sum(sizes.values())
    gone: list[str] = []
    for name in sorted(sizes, key=sizes.__getitem__, reverse=True):
        if left > room:
            gone.append(name)
            left -= sizes[name]
    return gone


def first_lines(text: str, most: int) -> str:
    """Return the whole lines at the beginning of a text, of at most so many characters."""
    return text if len(text) <= most else text[: text.rfind("\n", 0, max(most, 0)) + 1]


def packed_lines(text: str, room: int) -> tuple[str, bool]:
    """Return as many first lines as have room when packed, and whether any are missing."""
    kept, found = text, packed(text)
    while len(found) > room and kept:
        kept = first_lines(kept, min(len(kept) - 1, len(kept) * room // len(found)))
        found = packed(kept)
    return (found if kept else ""), kept != text


def packed_whole(whole: dict[str, Any], room: int) -> tuple[str, list[str]]:
    """Return the JSON of everything as it has room, and whose results are shortened in it."""
    results: dict[str, Any] = whole["facts"]["results"]
    for limit in (LARGEST_JSON, LARGEST_JSON // 8, LARGEST_JSON // 64, 0):
        results = {name: abridge(each, limit) for name, each in results.items()}
        facts = {**whole["facts"], "results": results}
        found = packed(json.dumps({**whole, "facts": facts}, indent=2, allow_nan=False) + "\n")
        if len(found) <= room:
            return found, [name for name, each in results.items() if each.get("shortened")]
    return "", list(results)


def abridge(document: dict[str, Any], most: int) -> dict[str, Any]:
    """Return the JSON of a result; of one of over ``most`` characters the first rows, said so."""
    size = len(json.dumps(document))
    if size <= most:
        return document
    rows = document["rows"]
    kept = len(rows) * most // (2 * size)
    further = f"{len(rows) - kept:,} further rows are left out of a report."
    cautions = [*document["warnings"], further]
    found = {**document, "rows": rows[:kept], "shortened": True, "warnings": cautions}
    if len(json.dumps(found)) > most:
        found["facts"] = {}
        cautions.append("Its facts are left out of a report.")
    return found


# ------------------------------------------------------------------------------
# What a page is made of: sections, each with a sentence, pictures, tables and notes.

WIDTH = 720  # pixels of a picture on a page
NARROW = 330  # on a small screen, of those that cannot just be made narrower
LARGEST_CSV = 1_000_000  # characters of a table that a page holds


@dataclass(frozen=True, eq=False)
class Table:
    """Hold a table of a page: ``shown`` is what people read, once it is not ``folded``."""

    name: str
    title: str
    result: Result
    shown: Grid | None = None
    folded: bool = False

    @cached_property
    def whole(self) -> str:
        return self.result.to_csv()

    @cached_property
    def csv(self) -> str:
        """What is downloaded: the table as CSV; of a large one the first rows."""
        return first_lines(self.whole, LARGEST_CSV)


@dataclass(frozen=True, eq=False)
class Section:
    """Hold a section of a page; ``template`` draws it, and ``extra`` is what that one needs."""

    name: str
    title: str
    sentence: str
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    template: str = "section.html.j2"
    extra: dict[str, Any] = field(default_factory=dict)
    folded: bool = False  # for statisticians


Tell = Callable[[Contents], Section | None]


@dataclass(frozen=True, eq=False)
class Tells(Documented):
    """Tell the section that stands at a place; None means: does not apply."""

    place: int
    name: str
    tell: Tell

    def __call__(self, found: Contents) -> Section | None:
        return self.tell(found)


def tells(place: int) -> Callable[[Tell], Tells]:
    return lambda tell: Tells(place, tell.__name__, tell)


TOLD: Registry[Tells] = Registry("section", partial(plugins, "deadheat.report.sections", Tells))


def sections(found: Contents) -> list[Section]:
    told = (tells(found) for tells in sorted(TOLD.values(), key=attrgetter("place")))
    return [section for section in told if section is not None]


def pictures(result: Any, names: Iterable[str], **look: Any) -> tuple[Picture, ...]:
    """Return the pictures of a result, if there is one; what fails is a defect and is raised."""
    found = []
    for name in () if result is None else names:
        picture = draw_picture(result, name, width=WIDTH, **look)
        if picture.shows and is_stiff(picture.view):
            picture = replace(picture, narrow=draw_picture(result, name, width=NARROW, **look))
        found.append(picture)
    return tuple(found)


LARGEST = 4_900_000  # bytes of a page
WORDS = 1_700_000  # bytes of its text and tables
SPARE = 20_000  # bytes for what is said about the rest
ROWS = (100, 30, 10)  # of a table that is shown: as many as have room
RANKED = 50  # rows of the ranking at a time
FIT = {"longer": LONGER, "beyond": BEYOND, "least": LEAST_ROWS}  # of axes that a browser draws
STATIC = 400_000  # bytes of pictures that stand in the page: at load, on paper, in mails
LONG_NUMBER = re.compile(r"(?<=[\s,(\"A-Z-])(\d+\.\d)\d+(?=[\s,)\"A-Z])")
UNSEEN = re.compile(  # what Vega writes of groups, and what shows nothing
    '<path class="(?:fore|back)ground" aria-hidden="true" d="[^"]*"(?: display="none")?/>'
    '| role="graphics-(?:symbol|object)" aria-roledescription="[a-z -]*"'
    r'|(?<=<g) class="mark-[\w -]*"|(?<=<g) transform="translate\(0,0\)"'
)
ALONE = re.compile(r"<g>(<path [^<>]*/>)</g>")
CIRCLE = re.compile(
    r'<path transform="translate\(([\d.]+),([\d.]+)\)" '
    r'd="M([\d.]+),0A\3,\3,0,1,1,-\3,0A\3,\3,0,1,1,\3,0"'
)
FONT = re.compile('(<text [^<>]*) font-family="[^"]*"')  # the style sheet names it
ID = re.compile(r'( id="|url\(#)((?:clip|gradient_)\d+)("|\))')
SENTENCES = "said", "more"  # of a way of counting
WHOLE = " the whole"  # no table is called so
HEAD = 20_000  # bytes in which a page says who wrote it
WRITTEN = re.compile(
    '<meta name="generator" content="deadheat [^>]*>.*?<title>(.*?) - deadheat report</title>',
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class PageData:
    """Hold what is embedded in a page, packed, and what had no room there."""

    pictures: dict[str, dict[str, Any]] = field(
        # Those of small screens, and what is said of these, only where they are others.
        default_factory=lambda: {"pictures": {}, "narrow": {}, "narrow_words": {}}
    )
    pairs: str | None = ""
    live: str = ""
    lines: str = ""  # all rows of the ranking, where they are too many for one look
    tables: dict[str, str] = field(default_factory=dict)
    whole: str = ""
    gone: tuple[str, ...] = ()  # kinds of pictures
    cut: tuple[str, ...] = ()  # tables of which only the first rows are held, or none
    shortened: tuple[str, ...] = ()  # results of which the JSON of the whole holds the first rows
    no_pairs: bool = False
    no_live: bool = False

    def as_json(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("tables", "pairs", "whole", "live", "lines")}
        themes = {theme: config(theme) for theme in ("light", "dark")}
        return {"config": themes, "fit": FIT, **self.pictures, **own}


def title_of(path: Path) -> str | None:
    """Return the title of a page that deadheat wrote; None of any other file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        found = WRITTEN.search(file.read(HEAD).decode("utf-8", "replace"))
    return html.unescape(found[1]) if found else None


def page(found: Contents, told: list[Section], *, whole: dict[str, Any]) -> str:
    """Return the page with its ``whole`` JSON: text, then what has room of pictures and tables."""
    everything = _everything(found, told, whole)
    open_ = (section.pictures for section in told if not section.folded)
    shown = (picture for several in open_ for picture in several if picture.shows)
    static = {picture.kind: _drawn(picture) for picture in shown}
    for kind in too_large({kind: len(drawn) for kind, drawn in static.items()}, STATIC):
        del static[kind]
    for rows in ROWS:
        words = len(_render(found, told, everything, rows, "", static).encode(errors="replace"))
        if words <= WORDS:
            break
    themes = len(in_script(PageData().as_json()))
    room = LARGEST - SPARE - words - themes
    held = _within(told, whole, everything, room)
    left = [
        replace(section, pictures=tuple(p for p in section.pictures if p.kind not in held.gone))
        for section in told
    ]
    return _render(found, left, held, rows, in_script(held.as_json()), static)


def _render(
    found: Contents,
    kept_sections: list[Section],
    held: PageData,
    rows: int,
    data: str,
    static: Mapping[str, str],
) -> str:
    template, script = _environment().get_template("page.html.j2"), _template("page.js")
    said = kept_sections[0].extra["summary"]  # the answer stands first
    return template.render(
        title=found.title,
        described=" ".join(filter(None, (said.sentence, *(_sentence(f) for f in said.facts[:1])))),
        headline=said.headline,
        # Vega escapes what it writes; those without a picture have none.
        static=defaultdict(str, {kind: Markup(drawn) for kind, drawn in static.items()}),  # noqa: S704
        isolated=isolating(found.names),
        sections=kept_sections,
        held=held,
        rows=rows,
        ranked=RANKED,
        style=Markup(palette() + _template("page.css")),  # noqa: S704 - a file of ours
        script=Markup(script),  # noqa: S704 - a file of ours
        vega=_vega(),
        policy=policy(javascript(), script),
        marks=MARKS,
        data=Markup(data),  # noqa: S704 - escaped for scripts
        version=found.main.made["version"],
    )


@cache
def _vega() -> str:
    """Return Vega packed, less than half as long: the page unpacks it, and knows its hash."""
    return packed(javascript())


def _drawn(picture: Picture) -> str:
    """Return a picture as small SVG: the page has its words, and a tenth of a pixel is enough."""
    spec = picture.spec(titled=False)
    spec["config"] = {**spec["config"], "aria": False}
    drawn, known = UNSEEN.sub("", str(render(spec, "svg"))), dict[str, str]()
    for _ in range(3):  # groups of groups of one path
        drawn = ALONE.sub(r"\1", drawn)

    def own(found: re.Match[str]) -> str:  # Vega counts on from picture to picture
        name = known.setdefault(found[2], f"{picture.kind}-{len(known)}")
        return f"{found[1]}{name}{found[3]}"

    drawn = LONG_NUMBER.sub(r"\1", ID.sub(own, FONT.sub(r"\1", drawn)))
    return CIRCLE.sub(r'<circle cx="\1" cy="\2" r="\3"', drawn)


def _sentence(fact: Fact) -> str:
    return f"{fact.figure} {fact.words}."


def _everything(found: Contents, told: list[Section], whole: dict[str, Any]) -> PageData:
    """Return all that a page would hold if there were no end to its room."""
    lines: list[str] = []
    for section in told:
        if len(section.extra.get("lines", ())) > RANKED:
            lines = [
                _environment().get_template("lines.html.j2").render(**section.extra, paged=True)
            ]
    paired = [section.extra["pairs"] for section in told if "pairs" in section.extra]
    tables = [table for section in told for table in section.tables]
    json_of_all, shortened = packed_whole(whole, LARGEST)
    vega = (section for section in told if not section.extra.get("live"))
    wide = {p.kind: p for section in vega for p in section.pictures if p.shows}
    narrow = {kind: picture.narrow for kind, picture in wide.items() if picture.narrow}
    pictures: dict[str, dict[str, Any]] = {
        "pictures": {kind: _packed_spec(picture.view) for kind, picture in wide.items()},
        "narrow": {kind: _packed_spec(p.view, wide[kind].view) for kind, p in narrow.items()},
        "narrow_words": {
            kind: (visible(p.see), visible(p.alt))
            for kind, p in narrow.items()
            if (p.see, p.alt) != (wide[kind].see, wide[kind].alt)
        },
    }
    return PageData(
        pictures=pictures,
        pairs=packed(json.dumps(paired[0], allow_nan=False)) if paired else None,
        live=packed(json.dumps(_isolated(found), allow_nan=False)) if found.live else "",
        lines=packed(lines[0]) if lines else "",
        tables={table.name: packed(table.csv) for table in tables},
        whole=json_of_all,
        cut=tuple(table.name for table in tables if len(table.csv) < len(table.whole)),
        shortened=tuple(shortened),
    )


def _isolated(found: Contents) -> dict[str, Any]:
    """Return what is live, with names of another direction kept together in its sentences."""
    known, isolated = dict(found.live or {}), isolating(found.names)
    ways = ({**way, **{key: isolated(way[key]) for key in SENTENCES}} for way in known["ways"])
    return known | {"ways": [*ways]}


def _within(told: list[Section], whole: dict[str, Any], held: PageData, room: int) -> PageData:
    wide, narrow, words = held.pictures.values()
    sizes = {
        kind: sum(map(len, (spec, narrow.get(kind, ""), in_script(words.get(kind, "")), 3 * kind)))
        + 24
        for kind, spec in wide.items()
    }
    live, lines = held.live if len(held.live) <= room else "", held.lines
    room -= len(live)
    lines = lines if len(lines) <= room else ""
    room -= len(lines)
    gone = too_large(sizes, room)
    room -= sum(size for kind, size in sizes.items() if kind not in gone)
    no_pairs = held.pairs is not None and len(held.pairs) > room
    pairs = None if no_pairs else held.pairs
    room -= len(pairs or "")
    needs = {name: len(text) + len(name) + 8 for name, text in held.tables.items()}
    allowed = shares({**needs, WHOLE: len(held.whole)}, room)
    csv = {table.name: table.csv for section in told for table in section.tables}
    tables, cut = dict(held.tables), set(held.cut)
    for name in held.tables:
        if allowed[name] < needs[name]:
            tables[name], is_cut = packed_lines(csv[name], allowed[name] - len(name) - 8)
            cut |= {name} if is_cut else set()
    if allowed[WHOLE] < len(held.whole):
        json_of_all, shortened = packed_whole(whole, allowed[WHOLE])
        held = replace(held, whole=json_of_all, shortened=tuple(shortened))
    return replace(
        held,
        pictures={
            part: {kind: each for kind, each in of.items() if kind not in gone}
            for part, of in held.pictures.items()
        },
        pairs=pairs,
        live=live,
        lines=lines,
        tables={name: text for name, text in tables.items() if text},
        gone=tuple(gone),
        cut=tuple(name for name in held.tables if name in cut),
        no_pairs=no_pairs,
        no_live=live != held.live,
    )


def _packed_spec(view: Spec, wide: Spec | None = None) -> str:
    """Return the specification without colours, which each theme has once, and without words.

    Of one for small screens the rows are left out that the ``wide`` one has, under the same name.
    """
    spec = {key: part for key, part in whole_spec(view).items() if key != "$schema"}
    known = {} if wide is None else whole_spec(wide)["datasets"]
    spec["datasets"] = {name: rows for name, rows in spec["datasets"].items() if name not in known}
    return packed(json.dumps(spec, allow_nan=False))


def _filled(grid: Grid) -> Grid:
    """Return a table without the columns that have nothing."""
    kept = [
        j
        for j in range(len(grid.columns))
        if any(row[j] is not None and str(row[j]).strip() for row in grid.cells)
    ]
    if len(kept) in (0, len(grid.columns)):
        return grid
    cells = tuple(tuple(row[j] for j in kept) for row in grid.cells)
    marked = frozenset((i, kept.index(j)) for i, j in grid.marked if j in kept)
    columns = tuple(grid.columns[j] for j in kept)
    return replace(grid, columns=columns, cells=cells, marked=marked)


def _cells(grid: Grid, rows: int) -> Iterator[list[tuple[str, str, bool]]]:
    """Yield rows of cells as they are read, as they are sorted, and whether they are marked."""
    for i, row in enumerate(replace(grid, cells=grid.cells[:rows]).texts()):
        pairs = zip(map(plain, grid.cells[i]), row, strict=True)
        keys = [repr(value) if isinstance(value, int | float) else text for value, text in pairs]
        yield [(text, keys[j], (i, j) in grid.marked) for j, text in enumerate(row)]


@pass_context
def _harmless(context: Context, text: str) -> str:
    """Return a text that can do nothing, with names of another direction kept together."""
    return str(context["isolated"](visible(text)))


def minus(text: str) -> str:
    """Return numbers with the sign that pictures have."""
    return re.sub(r"-(?=\d)", "\u2212", text)


def unbroken(text: str) -> str:
    """Return a text in which no line ends between a number and its percent sign."""
    return text.replace(" %", "\u00a0%")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    own = {
        "name": visible,
        "visible": _harmless,
        "cells": _cells,
        "printed": Grid.printed,
        "filled": _filled,
        "minus": minus,
    }
    own |= {"number": number, "share": brief_share, "counted": counted, "unbroken": unbroken}
    environment.filters |= own
    return environment


@cache
def _template(name: str) -> str:
    return files("deadheat.report").joinpath("templates", name).read_text(encoding="utf-8")
