"""``deadheat demo``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from deadheat.cli.exits import say
from deadheat.cli.options import command
from deadheat.cli.output import Output, watching
from deadheat.cli.program import ARGUMENTS
from deadheat.core.types import Row
from deadheat.output.result import Result
from deadheat.output.table import Grid

if TYPE_CHECKING:
    from deadheat.data.examples import Example

PAGE = "report.html"


@dataclass(frozen=True, eq=False, kw_only=True)
class Demonstration(Result):
    """Show the verdict on an example, or its ratings, under the name of the example."""

    schema: ClassVar[str] = "deadheat.demo/1"
    asks: ClassVar[str] = "How solid is this?"
    title: str
    shown: Result

    @property
    def has_groups(self) -> bool:
        return self.shown.has_groups

    def rows(self) -> list[Row]:
        return self.shown.rows()

    def facts(self) -> dict[str, Any]:
        return self.shown.facts()

    @property
    def sentences(self) -> tuple[str, ...]:
        return self.shown.sentences

    def grid(self) -> Grid:
        return replace(self.shown.grid(), title=self.title)


@command(
    "demo",
    f"""
    --data  NAME  Another example (deadheat list examples).
    --path  flag  Only say where its file is, for other commands.
    --report/--no-report  flag  Whether to write {PAGE} here too; by default, unless --format or -o
        is said.
    """,
)
def demo(data: str | None, *, path: bool, report: bool | None, out: Output) -> None:
    """Say who really won a competition that comes with deadheat, and how sure that is.

    A battle log is rated, anything else gets a verdict; report.html has all of it with pictures.
    """
    from deadheat.data.examples import DEFAULT, named

    example = named(data or DEFAULT)
    if path:
        click.echo(example.path)
        return
    rated = example.kind == "battles"
    judge = import_module(f"deadheat.{'rate' if rated else 'verdict'}.api")
    with watching("rating" if rated else "resampling", quiet=out.quiet) as progress:
        ask = judge.rate if rated else judge.verdict
        found: Result = ask(example.load(), progress=progress, **example.demo)
    said: Any = {"made": found.made, "warnings": found.warnings}
    said["title"] = f"{example.name}: {example.summary}"
    writes = out.by_default if report is None else report
    out.for_people().write(Demonstration(**said, shown=found), below=int(writes))
    if writes:
        _write_page(example, out)


def _write_page(example: Example, out: Output) -> None:
    """Write the page of an example into the current folder, over no other page but of a demo."""
    from deadheat.data.examples import examples
    from deadheat.report.api import report
    from deadheat.report.page import title_of

    target = Path(PAGE)
    if target.exists() and title_of(target) not in {e.titled for e in examples().values()}:
        out.note(f"there is a {PAGE} here that is of no demo: it stays as it is.")
        return
    with watching("writing the page", quiet=out.quiet) as progress:
        page = report(example.load(), progress=progress, **example.demo)
        page = page.also_made(command=click.get_current_context().meta.get(ARGUMENTS))
        page.save(target)
    if not out.quiet:
        say(f"wrote {PAGE}: open it in a browser")
