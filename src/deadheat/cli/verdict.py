"""``deadheat verdict``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.exits import GATE, say
from deadheat.cli.options import (
    FILE,
    by_one_option,
    output_options,
    resampling_options,
    table_options,
)
from deadheat.cli.output import Output, watching
from deadheat.cli.program import ARGUMENTS

if TYPE_CHECKING:
    from deadheat.data.results import Results

INTERVALS = (
    *("percentile", "expanded-percentile", "bootstrap-t", "bca", "basic", "wilson"),
    "simultaneous",
)
CORRECTIONS = (
    *("holm", "hochberg", "hommel", "bonferroni", "benjamini-hochberg", "benjamini-yekutieli"),
)
TESTS = ("max-t", "sign-flip", "t-holm", "wilcoxon-holm", "nemenyi")
TABLES = ("groups", "summary", "first", "intervals", "ranks", "tests", "pairs")


@click.command("verdict")
@output_options
@table_options
@by_one_option
@resampling_options
@click.option("--interval", type=click.Choice(INTERVALS), default="percentile", show_default=True)
@click.option(
    "--p-value",
    type=click.Choice(["plus-one", "paper"]),
    default="plus-one",
    show_default=True,
    help="(count + 1)/(k + 1), or count/k as in the paper.",
)
@click.option(
    "--leader",
    type=click.Choice(["plurality", "best-score"]),
    default="plurality",
    show_default=True,
    help="Who leads a group: the candidate most often first, or the one with the best merit.",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="For testing a leader against many.",
)
@click.option(
    "--compat", type=click.Choice(["fawcett-paper"]), help="Exactly the procedure of the paper."
)
@click.option("--strict", is_flag=True, help="Groups from tests of all pairs, family-wise.")
@click.option(
    "--test", type=click.Choice(TESTS), help="The test of all pairs; max-t by default. Is strict."
)
@click.option(
    "--until-settled", is_flag=True, help="Keep sampling until no decision is borderline."
)
@click.option(
    "--official", type=FILE, help="A CSV file with candidate and rank: the official order."
)
@click.option("--top", type=int, metavar="K", help="Show only the first K of the official order.")
@click.option(
    "--show",
    type=click.Choice(TABLES),
    help="One table instead: groups, summary (groups, ties, inversions), first (shares), "
    "intervals, ranks (quantiles), tests (of the groups), pairs (every p-value).",
)
@click.option(
    "--fail-on",
    metavar="CONDITION",
    multiple=True,
    help="Exit with 4 if it holds: tie-at-top, winner-changed:NAME, not-first:NAME, "
    "groups-changed:FILE; may be repeated.",
)
def command(
    table: Results,
    show: str | None,
    fail_on: tuple[str, ...],
    test: str | None,
    out: Output,
    **asked: Any,
) -> None:
    """Say who really won, and how sure that is.

    Resamples the judges, ranks the candidates each time, and puts those that cannot be told apart
    into one group: a dead heat. Prints groups, intervals, shares ranked first, and a verdict.
    """
    from deadheat.verdict.api import holds, require_condition, verdict

    for condition in fail_on:
        require_condition(condition)
    with watching("resampling", quiet=out.quiet) as progress:
        asked["strict"] |= test is not None
        found = verdict(table, test=test or "max-t", progress=progress, note=out.note, **asked)
    reasons = [reason for condition in fail_on if (reason := holds(found, condition))]
    out.write(found if show is None else found.table(show))
    if found.untested and found.decides is None and not out.quiet:
        say(f"hint: {_without_tests()}")
    elif found.undecided and not out.quiet:
        say(f"hint: {_with_replicates(found.decides or found.paper.needed)}")
    for reason in reasons:
        say(f"failed: {reason}")
    if reasons:
        raise click.exceptions.Exit(GATE)


def _without_tests() -> str:
    """Return the command that was given, without tests of all pairs."""
    given = iter(click.get_current_context().meta[ARGUMENTS])
    kept = [word for word in given if word != "--strict" and (word != "--test" or not next(given))]
    return shlex.join(kept)


def _with_replicates(number: int | None) -> str:
    """Return the command that was given, with so many replicates."""
    given = iter(click.get_current_context().meta[ARGUMENTS])
    kept = [word for word in given if word != "--replicates" or not next(given, "")]
    return shlex.join([*kept, "--replicates", str(number)])
