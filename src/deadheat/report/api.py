"""A table in, a page out that says who won and how sure that is."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from deadheat.files import promised, save
from deadheat.grid import Column, Grid
from deadheat.ranking.function import RankingFunction
from deadheat.report.bundle import bundle
from deadheat.report.gathering import Gathered, gathered
from deadheat.report.names import without_folders
from deadheat.report.page import page
from deadheat.report.room import LARGEST_JSON, shortened
from deadheat.report.section import Section, sections
from deadheat.report.summary import Summary, summary
from deadheat.resampling.engine import Engine
from deadheat.resampling.plans import Plan
from deadheat.resampling.replicate import Progress
from deadheat.result import Result
from deadheat.text import visible
from deadheat.typing import Row


@dataclass(frozen=True, eq=False, kw_only=True)
class Report(Result):
    """Hold everything that a page tells: the results, and the sections made of them."""

    schema: ClassVar[str] = "deadheat.report/1"
    gathered: Gathered

    @cached_property
    def summary(self) -> Summary:
        """The answer in a sentence, three facts, and what else is to be said first."""
        return summary(self.gathered)

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that apply, in their order."""
        return sections(self.gathered)

    def also_made(self, **facts: Any) -> Self:
        """Return a copy that says more about how it was made, also on its page.

        A command is told without the folders of the machine that it ran on: pages are published.
        """
        if facts.get("command"):
            facts["command"] = without_folders(facts["command"])
        told = {**self.gathered.also_made, **facts}
        return replace(
            self, made={**self.made, **facts}, gathered=replace(self.gathered, also_made=told)
        )

    def rows(self) -> list[Row]:
        """Return one record per section: what it is about, its pictures and tables."""
        return [
            {
                "section": section.name,
                "title": section.title,
                "says": section.sentence,
                "pictures": [picture.kind for picture in section.pictures],
                "tables": [table.name for table in section.tables],
            }
            for section in self.sections
        ]

    def facts(self) -> dict[str, Any]:
        """Return the summary, and every result as its own JSON has it."""
        results = {
            name: shortened(json.loads(each.to_json(indent=None)), LARGEST_JSON)
            for name, each in self.gathered.results.items()
        }
        return {"summary": asdict(self.summary), "results": results}

    @property
    def verdict(self) -> str:
        """The answer and its facts, as lines."""
        return self.summary.told()

    def grid(self) -> Grid:
        """Return the sections and what each says."""
        return Grid(
            columns=(Column(name="section"), Column(name="says")),
            cells=tuple((section.title, section.sentence) for section in self.sections),
        )

    def html(self) -> str:
        """Return the page: one file with everything inside, which needs no network."""
        whole = json.loads(self.to_json(indent=None))
        return page(self.gathered, self.sections, whole=whole)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        save(path, self.html())

    def bundle(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write a folder: page, tables, figures, LaTeX, and a list of it all; return its files."""
        results = dict(self.gathered.results)
        for table in (table for section in self.sections for table in section.tables):
            if all(table.result is not known for known in results.values()):
                results[table.name] = table.result
        return bundle(
            folder,
            page=self.html(),
            results=results,
            pictures=[picture for section in self.sections for picture in section.pictures],
            title=visible(self.gathered.title),
            methods=self.gathered.methods,
            names=self.gathered.names,
        )


def report(
    table: Any,
    to: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    by: str | RankingFunction | None = None,
    replicates: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    plan: str | Plan | None = None,
    strict: bool = False,
    official: Any = None,
    tournament: str | None = None,
    round: str | None = None,  # noqa: A002 - as in rate()
    engine: str | Engine = "threads",
    progress: Progress | None = None,
    **reading: Any,
) -> Report:
    """Say on one page who really won and how sure that is, with pictures, tables and the data.

    The page answers first, then shows ranking, intervals, dead heats, ranks, pairs, what ranking
    functions and judges say, what would change the answer, ratings, and how sound the data are.
    What does not apply is absent.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a path, any DataFrame, or a battle log, of which the
        page tells ratings; ``reading`` are the options of :func:`deadheat.read` or
        :func:`deadheat.read_battles`.
    to
        The file to write, such as ``"report.html"``.
    title
        What the page is called; by default the name of the data.
    by, alpha, seed, plan, strict, official
        As in :func:`deadheat.verdict`.
    tournament, round
        Columns of a long table of several data sets: the page tells the ratings of each, as
        :func:`deadheat.rate` does.
    replicates
        How often to resample; by default 10,000, and fewer where there are many judges.

    Notes
    -----
    What takes long on large tables is reduced or left out by their size alone, never by a clock,
    and the page says so. It stays below 5 MB.

    Examples
    --------
    >>> import deadheat as dh
    >>> page = dh.report(dh.examples.load("compressors"), replicates=200)
    >>> [section.name for section in page.sections][:4]
    ['answer', 'ranking', 'intervals', 'groups']
    """
    with promised(to):
        found = gathered(
            table,
            title=title,
            by=by,
            replicates=replicates,
            alpha=alpha,
            seed=seed,
            plan=plan,
            strict=strict,
            official=official,
            tournament=tournament,
            rounds=round,
            engine=engine,
            progress=progress,
            **reading,
        )
    told = Report(
        made=found.main.made,
        warnings=found.warnings,
        library=found.main.library,
        gathered=found,
    )
    if to is not None:
        told.save(to)
    return told
