"""``deadheat demo``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import click

from deadheat.cli.options import output_options
from deadheat.cli.output import Output
from deadheat.result import Grid, Result
from deadheat.typing import Row


@dataclass(frozen=True, eq=False, kw_only=True)
class Demonstration(Result):
    """Show the verdict on an example under the name of the example."""

    schema: ClassVar[str] = "deadheat.demo/1"
    title: str
    shown: Result

    def rows(self) -> list[Row]:
        """Return the rows of the verdict."""
        return self.shown.rows()

    def facts(self) -> dict[str, Any]:
        """Return the facts of the verdict."""
        return self.shown.facts()

    @property
    def verdict(self) -> str:
        """What the verdict says."""
        return self.shown.verdict

    def grid(self) -> Grid:
        """Return the table of the verdict under the name of the example."""
        return replace(self.shown.grid(), title=self.title)


@click.command("demo")
@output_options
@click.option("--data", metavar="NAME", help="Another example (deadheat list examples).")
def command(data: str | None, out: Output) -> None:
    """Say who really won a small competition that comes with deadheat, and how sure that is."""
    from deadheat.data.examples import DEFAULT, EXAMPLES, load
    from deadheat.inference.judging import verdict

    name = data or DEFAULT
    found = verdict(load(name))
    out.for_people().write(
        Demonstration(
            made=found.made,
            warnings=found.warnings,
            title=f"{name}: {EXAMPLES[name]}",
            shown=found,
        )
    )
