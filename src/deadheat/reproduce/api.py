"""Recompute a paper: every table and figure that the data at hand allow, beside what it prints."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from deadheat.core.errors import DataError, Words, counted, named, on_page
from deadheat.output.result import Listing, Result, provenance
from deadheat.output.table import Column, Grid, html, in_html
from deadheat.output.text import number
from deadheat.reproduce.paper import PAPERS, Item, Number, Paper, Request, require_folder
from deadheat.resampling.engines import Engine, Progress

if TYPE_CHECKING:
    from deadheat.reproduce.schema import ReproduceRow

STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:1.5em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left}"
    "tr{border-bottom:1px solid #ddd}svg{max-width:100%;height:auto}"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemOutcome:
    """Hold what became of one item; ``original`` if it was made of the paper's own data."""

    item: Item
    numbers: tuple[Number, ...]
    pictures: tuple[Any, ...]
    original: bool

    @property
    def printed(self) -> list[Number]:
        return [each for each in self.numbers if each.printed]

    @property
    def differing(self) -> list[Number]:
        return [each for each in self.printed if not each.agrees]

    @property
    def rows(self) -> list[ReproduceRow]:
        return [
            {
                "item": self.item.name,
                "what": each.what,
                "ours": each.ours,
                "error": each.error or None,
                "printed": float(each.printed) if each.printed else None,
                "agrees": each.agrees,
                "why": each.why if each.agrees is False else None,
            }
            for each in self.numbers
        ]

    @property
    def sentence(self) -> str:
        if not self.original:
            return f"{self.item.title}. Made of {self.item.example}: the paper's data are absent."
        if not self.printed:
            return f"{self.item.title}. The paper prints no numbers to compare with."
        agree = len(self.printed) - len(self.differing)
        return f"{self.item.title}. {agree:,} of {counted(len(self.printed), 'number')} agree."

    def grid(self) -> Grid:
        """Return the numbers, ours beside the printed ones; as a grid where the paper has one."""
        why = tuple(dict.fromkeys(each.why for each in self.differing if each.why))
        why = (self.item.note, *why) if self.item.note else why
        if self.numbers and all(each.cell for each in self.numbers):
            return self._as_printed(why)
        cells = []
        for each in self.numbers:
            noise = f" ± {each.error:.2g}" if each.error else ""
            said = {True: "yes", False: "no", None: ""}[each.agrees]
            cells.append((each.what, f"{number(each.ours)}{noise}", each.printed, said))
        columns = ("number", "ours", "printed", "agrees")
        return Grid.of([Column(name=columns[0], key=True), *columns[1:]], cells, notes=why)

    def _as_printed(self, notes: tuple[str, ...]) -> Grid:
        """Return rows and columns as the paper has them: ours, and the printed in brackets."""
        by = {each.cell: each for each in self.numbers if each.cell}
        rows, columns = (list(dict.fromkeys(names)) for names in zip(*by, strict=True))
        cells = [
            [
                row,
                *(_in_a_cell(by[row, column]) if (row, column) in by else "" for column in columns),
            ]
            for row in rows
        ]
        legend = "Ours, and printed in brackets; ≠ where they differ." if self.printed else ""
        error = max(each.error for each in self.numbers)
        noise = f"Monte-Carlo errors are up to {error:.2g}." if error else ""
        headings = [Column(name="", key=True), *(name.replace("_", " ") for name in columns)]
        return Grid.of(headings, cells, notes=tuple(filter(None, (legend, noise, *notes))))


@dataclass(frozen=True, eq=False, kw_only=True)
class ReproducedTable(Listing):
    schema: ClassVar[str] = "deadheat.reproduce-table/1"


@dataclass(frozen=True, eq=False, kw_only=True)
class Reproduction(Result):
    """Hold a paper recomputed: its items, ours beside the printed numbers."""

    schema: ClassVar[str] = "deadheat.reproduce/1"
    paper: Paper
    items: tuple[ItemOutcome, ...]

    def rows(self) -> list[ReproduceRow]:
        """Return one record per number, item by item."""
        return [row for item in self.items for row in item.rows]

    @cached_property
    def pictures(self) -> list[Any]:
        """The figures, in the order of the items."""
        return [picture for item in self.items for picture in item.pictures]

    def facts(self) -> dict[str, Any]:
        printed = [each for item in self.items for each in item.printed]
        return {
            "items": [each.item.name for each in self.items],
            "numbers": sum(len(each.numbers) for each in self.items),
            "printed": len(printed),
            "agree": sum(bool(each.agrees) for each in printed),
            "examples": [each.item.name for each in self.items if not each.original],
            "pictures": len(self.pictures),
        }

    @property
    def sentences(self) -> tuple[str, ...]:
        facts = self.facts()
        said = []
        if facts["printed"]:
            rest = facts["printed"] - facts["agree"]
            why = f"; {rest:,} {'differs' if rest == 1 else 'differ'}" if rest else ""
            said.append(f"{facts['agree']:,} of {facts['printed']:,} printed numbers agree{why}.")
        if self.pictures:
            number = counted(len(self.pictures), "figure")
            has = "it" if len(self.pictures) == 1 else "them"
            said.append(Words(f"{number}: a bundle has {has}.", page=f"{number}, below."))
        for item in self.items if len(self.items) > 1 else ():
            said += [f"{item.item.name}: {each.why}" for each in _first_of_each(item.differing)]
        return tuple(said)

    def grid(self) -> Grid:
        data = tuple(f"Data: {each}." for each in self.made["data"])
        if len(self.items) == 1:
            grid = self.items[0].grid()
            return replace(grid, notes=(*grid.notes, *data))
        cells = []
        for each in self.items:
            agree = len(each.printed) - len(each.differing)
            told = f"{agree} of {len(each.printed)}" if each.printed else ""
            source = "" if each.original else "examples"
            figures = len(each.pictures) or None
            cells.append((each.item.name, each.item.title, told, figures, source))
        names = ("what it is", "agree", "figures", "made of")
        notes = (f"Not here: {what} ({why})" for what, why in self.paper.absent.items())
        return Grid.of([Column(name="item", key=True), *names], cells, notes=(*notes, *data))

    def html(self) -> str:
        """Return a page: every item, its numbers and its figures; it needs no network."""
        title = in_html(self.paper.citation)
        data = (f"Data: {each}." for each in self.made["data"])
        above = (*map(on_page, self.sentences), *self.warnings, *data)
        parts = [f"<h1>{title}</h1>", *(f"<p>{in_html(each)}</p>" for each in above)]
        for each in self.items:
            parts.append(f"<h2 id={each.item.name!r}>{in_html(each.item.title)}</h2>")
            grid = each.grid()
            if each.numbers:
                parts.append(html(grid))
            parts += [f"<p>{in_html(note)}</p>" for note in grid.remarks]
            parts += [
                f"<figure>{picture.svg()}<figcaption>{in_html(picture.see)}</figcaption></figure>"
                for picture in each.pictures
            ]
        for heading, said in (("Not here", self.paper.absent), ("Errata", self.paper.errata)):
            lines = [f"<li>{in_html(f'{what}: {why}')}</li>" for what, why in said.items()]
            parts += [f"<h2>{heading}</h2>", "<ul>", *lines, "</ul>"] if lines else []
        head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        body = "\n".join(parts)
        return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'

    def table(self, item: str) -> ReproducedTable:
        """Return the numbers of one item."""
        (found,) = (each for each in self.items if each.item.name == item)
        rows = [{k: v for k, v in row.items() if k != "item"} for row in found.rows]
        return ReproducedTable.of(self, item, rows, found.sentence, keys=1)

    def bundle(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write a folder: page, tables, figures, LaTeX and a list of it all; return its files."""
        tables: dict[str, Result] = {"reproduction": self}
        tables |= {each.item.name: self.table(each.item.name) for each in self.items}
        above = importlib.import_module("deadheat.report.api")
        files: list[str] = above.bundle(
            folder,
            page=self.html(),
            results=tables,
            pictures=self.pictures,
            title=self.paper.citation,
        )
        return files


def _made_of(names: list[str], why: str) -> str:
    return f"{named(names, most=len(names))} {'is' if len(names) == 1 else 'are'} {why}"


def _in_a_cell(each: Number) -> str:
    whole = float(each.ours).is_integer() and "." not in each.printed
    ours = f"{each.ours:.0f}" if whole else f"{each.ours:.3f}"
    differs = " ≠" if each.agrees is False else ""
    return f"{ours} ({each.printed}){differs}" if each.printed else ours


def _first_of_each(numbers: Sequence[Number]) -> list[Number]:
    return list({each.why: each for each in reversed(numbers) if each.why}.values())[::-1]


def reproduce(
    paper: str,
    item: str | None = None,
    *,
    data: str | os.PathLike[str] | None = None,
    trials: int = 10_000,
    replicates: int = 10_000,
    seed: int = 0,
    engine: str | Engine = "threads",
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute the tables and figures of a paper, and hold them against what it prints.

    Parameters
    ----------
    paper
        ``"pavao2021"``, ``"fawcett2023"`` or ``"epp2019"``.
    item
        One table or figure, such as ``"table2-left"``; by default all of them.
    data
        The folder of the public data; the facts name its sets. Where they are absent, the same
        items are made of the shipped examples, and say so.
    trials, replicates
        How often to resample: tables for criteria, judges for verdicts.

    Examples
    --------
    >>> import deadheat as dh
    >>> print(dh.reproduce("pavao2021", "supplement-table1").verdict)
    2 of 2 printed numbers agree.
    """
    chosen = PAPERS.named(paper)
    items = chosen.named(item)
    folder = None if data is None else Path(data)
    require_folder(folder, chosen)
    request = Request(data=folder, trials=trials, replicates=replicates, seed=seed, engine=engine)
    found = []
    versions: dict[str, None] = {}
    examples: dict[str, list[str]] = {}
    for k, each in enumerate(items):
        about = [] if each.data is None else [*request.other_versions(each.data)]
        versions |= dict.fromkeys(about)
        example = request.why_example(each)
        if example:
            examples.setdefault(example, []).append(each.name)
        try:
            findings = list(each.compute(request))
        except DataError as error:
            if not about:
                raise
            hint = "take the version of the file with the sha256 that is expected."
            raise DataError(f"{' '.join(about)} {error.fact}", hint=hint) from error
        found.append(
            ItemOutcome(
                item=each,
                numbers=tuple(x for x in findings if isinstance(x, Number)),
                pictures=tuple(x for x in findings if not isinstance(x, Number)),
                original=not example,
            )
        )
        if progress is not None:
            progress(k + 1, len(items))
    sets = {each.data.name: each.data for each in items if each.data is not None}
    data_files = [
        f"{each.name}/{file} ({each.origin}), sha256 {digest}"
        for each in sets.values()
        for file, digest in each.files.items()
    ]
    how = {"seed": seed, "paper": paper, "trials": trials, "replicates": replicates}
    return Reproduction(
        made=provenance(**how, data=data_files),
        warnings=(*versions, *(_made_of(names, why) for why, names in examples.items())),
        paper=chosen,
        items=tuple(found),
    )
