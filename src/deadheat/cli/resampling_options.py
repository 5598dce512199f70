"""The options about resampling that commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

# The words of deadheat.resampling.choice, which cannot be asked without importing numpy.
PLANS = (
    "bootstrap",
    "stratified",
    "clustered",
    "two-level",
    "bayesian",
    "jackknife",
    "subsample",
)


engine_option = click.option(
    "--engine",
    metavar="NAME",
    default="threads",
    show_default=True,
    help="Where the work runs: serial, threads or threads:N; the answer is the same.",
)


def resampling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about resampling; hand over replicates, alpha, seed, plan and engine."""
    options = (
        click.option(
            "--replicates",
            type=int,
            metavar="N",
            help="How many times to resample; 10,000 by default, more in tests of very many.",
        ),
        click.option(
            "--alpha",
            type=float,
            metavar="X",
            default=0.05,
            show_default=True,
            help="The level: 0.05 gives 95 % intervals.",
        ),
        click.option(
            "--seed",
            type=int,
            metavar="N",
            default=0,
            show_default=True,
            help="The same seed gives the same answer.",
        ),
        click.option(
            "--plan",
            type=click.Choice(PLANS),
            help="How to resample; by default what the strata and clusters ask for.",
        ),
        engine_option,
    )
    for option in reversed(options):
        command = option(command)
    return command
