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
    """Show one ranking of an example, and in words what all ranking functions say."""

    schema: ClassVar[str] = "deadheat.demo/1"
    title: str
    ranking: Result
    all_functions: Result

    def rows(self) -> list[Row]:
        """Return the rows of the ranking."""
        return self.ranking.rows()

    def facts(self) -> dict[str, Any]:
        """Return who is first by each function."""
        return self.all_functions.facts()

    @property
    def verdict(self) -> str:
        """Who is first, under how many functions, and where they disagree."""
        return self.all_functions.verdict

    def grid(self) -> Grid:
        """Return the table of the ranking under the name of the example."""
        return replace(self.ranking.grid(), title=self.title)


@click.command("demo")
@output_options
@click.option("--data", metavar="NAME", help="Another example (deadheat list examples).")
def command(data: str | None, out: Output) -> None:
    """Rank a small example and say who is first, under how many functions, and who disagrees."""
    from deadheat.data.examples import DEFAULT, EXAMPLES, load
    from deadheat.ranking.ranking import rank

    name = data or DEFAULT
    table = load(name)
    ranking, everything = rank(table), rank(table, by="all")
    shown = Demonstration(
        made=ranking.made,
        warnings=ranking.warnings,
        title=f"{name}: {EXAMPLES[name]}",
        ranking=ranking,
        all_functions=everything,
    )
    out.for_people().write(shown)
