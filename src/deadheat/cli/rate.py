"""``deadheat rate``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from deadheat.cli.options import (
    FILE,
    PLANS,
    READ,
    READING,
    engine_option,
    output_options,
    own_or_name,
)
from deadheat.cli.output import Output, watching
from deadheat.core.errors import UsageError, quoted

# The words of deadheat.statistics, which cannot be asked without importing numpy.
MODELS = ("epp", "bradley-terry", "elo", "gaussian", "plackett-luce")
INTERVALS = ("percentile", "basic", "expanded-percentile", "wald")
TABLES = (
    *("pairs", "matrix", "groups", "calibration", "tunability"),
    *("tournaments", "embedding"),
)
LOG_OPTIONS = (
    click.option("--left", metavar="COL", help="A log's column of the left candidate."),
    click.option("--right", metavar="COL", help="A log's column of the right candidate."),
    click.option("--winner", metavar="COL", help="A log's column that says who won."),
    click.option("--left-wins", metavar="COL", help="Wins of the left one, where rows are counts."),
    click.option("--right-wins", metavar="COL", help="Wins of the right one."),
    click.option("--draws", metavar="COL", help="Draws, where rows are counts."),
    click.option(
        "--outcomes",
        metavar="WORD=OUTCOME",
        multiple=True,
        help="What a word means: left, right, tie or drop; may be repeated.",
    ),
    click.option("--category", metavar="COL", help="Rate each category of battles by itself."),
    click.option(
        "--covariate",
        "covariates",
        metavar="NAME=A,B",
        multiple=True,
        help="Control for a quality of both sides, such as length=tokens_a,tokens_b.",
    ),
    click.option("--relative", is_flag=True, help="Covariates as (A - B) / (A + B)."),
    click.option(
        "--deduplicate",
        metavar="COL",
        multiple=True,
        help="Count a battle once, by these columns; may be repeated.",
    ),
    click.option(
        "--self-battles",
        type=click.Choice(["error", "drop"]),
        help="What to do about a candidate that meets itself; an error by default.",
    ),
    click.option("--order-by", metavar="COL", help="The column of times, for online ratings."),
)
LOG_READ = (
    *("left", "right", "winner", "left_wins", "right_wins", "draws", "outcomes", "category"),
    *("covariates", "relative", "deduplicate", "self_battles", "order_by"),
)


def log_or_table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE... and the options about reading a log or a table; hand over both unread."""

    @wraps(command)
    def collecting(files: tuple[str, ...], **given: Any) -> Any:
        names = READ | {*LOG_READ}
        said = {name: given.pop(name) for name in list(given) if name in names}
        reading = {name: value for name, value in said.items() if value not in (None, (), False)}
        if "rule" in reading:
            reading["rule"] = own_or_name(reading["rule"], "rule_from")
        if not files:
            raise UsageError("there is nothing to read: no file is named.", hint="name a file.")
        source = files[0] if len(files) == 1 else list(files)
        return command(source=source, reading=reading, **given)

    found: Callable[..., Any] = collecting
    for option in reversed((*READING[1:], *LOG_OPTIONS)):
        found = option(found)
    return click.argument("files", nargs=-1, type=FILE, metavar="FILE...")(found)


def weights_by_name(given: tuple[str, ...]) -> dict[str, float]:
    """Return the weights that were written as NAME=X; a name may hold further equals signs.

    >>> weights_by_name(("adult=2", "a=b=0.5"))
    {'adult': 2.0, 'a=b': 0.5}
    """
    found: dict[str, float] = {}
    for text in given:
        name, _, value = text.rpartition("=")
        try:
            weight = float(value)
        except ValueError:
            weight = None
        if not name or weight is None:
            raise UsageError(
                f"--tournament-weight {quoted(text)} is no NAME=X with a number X.",
                hint="write the name of the data set and how much it counts, e.g. adult=2.",
            )
        if name in found:
            raise UsageError(
                f"--tournament-weight names {quoted(name)} twice.", hint="name every data set once."
            )
        found[name] = weight
    return found


@click.command("rate")
@output_options
@log_or_table_options
@click.option(
    "--model",
    type=click.Choice(MODELS),
    help="epp for tables and bradley-terry for logs by default; the two are one model.",
)
@click.option("--tournament", metavar="COL", help="The data set; each is rated by itself.")
@click.option(
    "--tournament-weight",
    "tournament_weights",
    metavar="NAME=X",
    multiple=True,
    help="How much a data set or category counts in means over them, 1 by default; may be "
    "repeated.",
)
@click.option("--round", metavar="COL", help="The column of the round: split, fold, seed.")
@click.option(
    "--pairing",
    type=click.Choice(["same", "all"]),
    default="same",
    show_default=True,
    help="Whether scores of the same round meet, or all.",
)
@click.option(
    "--ties",
    type=click.Choice(["half", "davidson", "rao-kupper"]),
    default="half",
    show_default=True,
    help="Half a win each, or a model of ties.",
)
@click.option(
    "--penalty",
    type=click.Choice(["auto", "none", "firth", "ridge", "pseudo"]),
    default="auto",
    show_default=True,
    help="auto: firth where plain ratings do not exist, else none.",
)
@click.option("--strength", type=float, metavar="X", help="Of the penalty ridge or pseudo.")
@click.option(
    "--scale",
    type=click.Choice(["logit", "elo"]),
    default="logit",
    show_default=True,
    help="Log-odds, or points: 400 points multiply the odds by 10.",
)
@click.option(
    "--anchor", metavar="NAME[=X]", help="Put this candidate at X; shifts ratings, no more."
)
@click.option(
    "--centre",
    type=float,
    metavar="X",
    help="The mean rating, or that of an anchor without =X; 0, or 1500 points.",
)
@click.option(
    "--base",
    type=float,
    metavar="X",
    default=10.0,
    show_default=True,
    help="By what --width points multiply the odds.",
)
@click.option("--width", type=float, metavar="X", default=400.0, show_default=True, help="Points.")
@click.option(
    "--errors",
    type=click.Choice(["bootstrap", "sandwich", "fisher"]),
    default="bootstrap",
    show_default=True,
    help="How sure: resampling, the fast sandwich, or as if matches were independent.",
)
@click.option(
    "--replicates",
    type=int,
    metavar="N",
    help="How many times to resample; 1,000 by default, more for many candidates.",
)
@click.option("--alpha", type=float, metavar="X", default=0.05, show_default=True)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True)
@click.option(
    "--plan",
    type=click.Choice(PLANS),
    help="How to resample: a table's rounds, bootstrap by default; a log's battles, bayesian.",
)
@click.option("--interval", type=click.Choice(INTERVALS), help="percentile by default.")
@click.option("--strict", is_flag=True, help="Groups from tests of all pairs at once.")
@click.option("--test", type=click.Choice(["max-t", "holm"]), help="Which test. Is strict.")
@click.option(
    "--simulations",
    type=int,
    metavar="N",
    default=199,
    show_default=True,
    help="Tables that say which deviance to expect; 0 for none.",
)
@click.option("--step", type=float, metavar="K", default=4.0, show_default=True, help="Elo's K.")
@click.option(
    "--shuffles", type=int, metavar="N", help="Average online ratings over N random orders."
)
@click.option("--advantage", is_flag=True, help="The left side has an advantage of its own.")
@click.option("--teams", metavar="SIGN", help="Sides are teams: their members are joined by SIGN.")
@click.option(
    "--largest-part",
    is_flag=True,
    help="Of a log rate only the largest part that matches connect.",
)
@click.option(
    "--min-matches",
    type=int,
    metavar="N",
    help="Of a log leave out whoever has fewer than N matches with others who are left.",
)
@engine_option
@click.option(
    "--show",
    type=click.Choice(TABLES),
    help="One table instead: every pair, the matrix of win probabilities, groups, fitted against "
    "observed, tunability of algorithms; with --tournament what each data set says, or a map of "
    "the data sets.",
)
def command(
    source: Any,
    reading: dict[str, Any],
    show: str | None,
    tournament_weights: tuple[str, ...],
    out: Output,
    **asked: Any,
) -> None:
    """Rate candidates so that differences are odds of winning.

    FILE is a table of scores, whose judges are the rounds, a table of runs, or a battle log (left,
    right, winner); several files, a folder or a pattern are one log.
    """
    from deadheat.rate.api import rate

    if tournament_weights:
        if asked["tournament"] is None and "category" not in reading:
            raise UsageError(
                f"--tournament-weight {tournament_weights[0]} is given, and there is one "
                "tournament.",
                hint="name the column of the data sets (--tournament COL) or of the categories "
                "(--category COL).",
            )
        asked["tournament_weights"] = weights_by_name(tournament_weights)
    with watching("rating", quiet=out.quiet) as progress:
        found = rate(source, progress=progress, note=out.note, **asked, **reading)
    out.write(found if show is None else found.table(show))
