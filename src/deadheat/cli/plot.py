"""``deadheat plot``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from deadheat.cli.exits import say
from deadheat.cli.options import FILE, PLANS, engine_option, own_or_name
from deadheat.cli.output import watching
from deadheat.cli.rate import log_or_table_options
from deadheat.cli.verdict import TESTS
from deadheat.core.errors import UsageError, listed, quoted
from deadheat.core.files import promise


def complete_kinds(
    context: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Complete the name of a picture without importing any: one file each."""
    folder = Path(__file__).parents[1] / "report" / "plots"
    names = sorted(file.stem.replace("_", "-") for file in folder.glob("[!_]*.py"))
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class PlotCommand(click.Command):
    """Take two names after ``--pair``, and say so where they came as one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse ``--pair A,B``, which would take the next option for a name."""
        for place, arg in enumerate(args):
            name, equals, value = arg.partition("=")
            if name != "--pair":
                continue
            rest = [value] * bool(equals) + args[place + 1 :]
            if rest and "," in rest[0] and (len(rest) == 1 or rest[1].startswith("-")):
                both = " ".join(part.strip() for part in rest[0].split(",", 1))
                raise UsageError(
                    f"--pair takes two names, and {quoted(rest[0])} is one.", hint=f"--pair {both}"
                )
        return super().parse_args(ctx, args)


@click.command("plot", cls=PlotCommand)
@log_or_table_options
@click.argument("kind", metavar="KIND", shell_complete=complete_kinds)
@click.option("-o", "--output", type=FILE, help="The file: .svg, .pdf, .png, .html or .json.")
@click.option(
    "--width",
    metavar="page|column|N",
    default="page",
    show_default=True,
    help="Of a page, of a column of a paper, or pixels.",
)
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option(
    "--scale", type=float, default=2.0, show_default=True, metavar="X", help="Pixels a point, PNG."
)
@click.option("--by", metavar="NAME[,NAME...]", help="The ranking functions, as in verdict.")
@click.option("--replicates", type=int, metavar="N", help="How many times to resample.")
@click.option("--trials", type=int, metavar="N", help="Resampled tables, as in criteria.")
@click.option("--alpha", type=float, metavar="X", help="The level; 0.05 by default.")
@click.option("--seed", type=int, metavar="N", help="The same seed gives the same picture.")
@click.option("--plan", type=click.Choice(PLANS), help="How to resample.")
@click.option("--strict", is_flag=True, help="Groups from tests of all pairs, family-wise.")
@click.option("--official", type=FILE, help="A CSV file with candidate and rank, as in verdict.")
@click.option("--test", type=click.Choice(TESTS), help="The test of all pairs, as in verdict.")
@click.option("--interval", metavar="NAME", help="Of intervals, as in verdict and rate.")
@click.option("--p-value", type=click.Choice(["plus-one", "paper"]), help="As in verdict.")
@click.option("--leader", type=click.Choice(["plurality", "best-score"]), help="As in verdict.")
@click.option("--model", metavar="NAME", help="Of ratings, as in rate.")
@click.option("--errors", metavar="NAME", help="Of ratings, as in rate.")
@click.option("--penalty", metavar="NAME", help="Of ratings, as in rate.")
@click.option("--ties", metavar="NAME", help="Of ratings, as in rate.")
@click.option("--pair", nargs=2, metavar="A B", help="The two candidates of a scatter.")
@click.option("--tournament", metavar="COL", help="The data set, as in rate.")
@click.option("--round", metavar="COL", help="The round, as in rate.")
@click.option("--largest-part", is_flag=True, help="Of a log, as in rate.")
@click.option("--min-matches", type=int, metavar="N", help="Of a log, as in rate.")
@engine_option
@click.option("-q", "--quiet", is_flag=True, help="No notes and warnings on stderr.")
def command(
    source: Any,
    reading: dict[str, Any],
    kind: str,
    output: str | None,
    width: str,
    theme: Any,
    scale: float,
    **asked: Any,
) -> None:
    """Draw a picture of a table: intervals, groups, ranks, influence, ratings and more.

    KIND is one of `deadheat list plots`. What the picture needs is computed first, with the options
    of the command that computes it.
    """
    from deadheat.report.load import saved_at
    from deadheat.report.picture import format_of, kind_named, pixels
    from deadheat.report.plot import subject_of, understands

    wanted, quiet = kind_named(kind), asked.pop("quiet")
    if output is None:
        raise UsageError(
            "no file is named to write to.", hint=f"deadheat plot FILE {wanted.name} -o fig.svg"
        )
    format_of(output)
    promise(output)
    across = pixels(int(width) if width.isdigit() else width)
    said = {name: value for name, value in asked.items() if value not in (None, (), False)}
    known = understands(wanted)
    if "by" in said:
        names = [own_or_name(name.strip(), "function_from") for name in said["by"].split(",")]
        said["by"] = names[0] if len(names) == 1 else names
    said = {name: value for name, value in said.items() if name != "engine" or name in known}
    foreign = [f"--{name.replace('_', '-')}" for name in said if name not in known]
    if foreign:
        raise UsageError(
            f"{listed(foreign)}: no option of the picture {wanted.name}.", hint="leave it out."
        )
    subject: Any = saved_at(source)
    if subject is None:
        with watching("computing", quiet=quiet) as progress:
            watched: dict[str, Any] = {"progress": progress} if "progress" in known else {}
            subject = subject_of(wanted, source, **said, **reading, **watched)
    elif options := [name for name in (*said, *reading) if name != "engine"]:
        named = [f"--{name.replace('_', '-')}" for name in options]
        raise UsageError(
            f"{listed(named)}: {source} is a saved result, and nothing is computed again.",
            hint="leave it out, or name the table.",
        )
    picture = subject.plot(wanted.name, width=across)
    picture.save(output, theme=theme, scale=scale)
    if not quiet:
        for warning in getattr(subject, "warnings", ()):
            say(f"warning: {warning}")
        say(f"wrote {output}: {picture.see}")
