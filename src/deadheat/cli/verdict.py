"""``deadheat verdict``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from deadheat.cli.exits import GATE, say
from deadheat.cli.options import BY_ONE, RESAMPLING, VERDICTS, WRITING, command
from deadheat.cli.output import Output, watching
from deadheat.core.errors import UsageError, command_with

if TYPE_CHECKING:
    from deadheat.data.results import Results

OF_RANKINGS = VERDICTS.names | BY_ONE.names | WRITING.names | {"top"}


def _is_ranking(tables: list[Results]) -> bool:
    """Return whether scores say themselves how far they are off, and no option is about draws."""
    context = click.get_current_context()
    others = (str(each.name) for each in context.command.params if each.name not in OF_RANKINGS)
    asked = ParameterSource.COMMANDLINE
    return (
        len(tables) == 1
        and tables[0].tells_its_errors
        and not any(context.get_parameter_source(name) is asked for name in others)
    )


def _require_one(tables: list[Results], show: str | None, fail_on: tuple[str, ...]) -> None:
    """Refuse several tables where a verdict is about one."""
    whole = tables[0]
    if whole.parts and whole.has_holes and not any(part.has_holes for part in whole.parts):
        several = f"{whole.nouns.candidates()} and {whole.nouns.judges()} differ by {whole.each}"
        hint = f"a row for each: {command_with(show='summary', fail_on=None)}"
        raise UsageError(f"{several}: there is no board of all.", hint=hint)
    if len(tables) > 1 and (show != "summary" or fail_on):
        fact = f"{len(tables):,} tables are given, and a verdict is about one."
        words = command_with(show="summary", fail_on=None)
        raise UsageError(fact, hint=f"one table of all: {words}")


@command(
    "verdict",
    VERDICTS,
    BY_ONE,
    RESAMPLING,
    """
    --interval
        [percentile|expanded-percentile|bootstrap-t|bca|basic|wilson|simultaneous] = percentile
    --p-value
    --leader
    --correction  [holm|hochberg|hommel|bonferroni|benjamini-hochberg|benjamini-yekutieli] = holm
        For testing a leader against many.
    --compat  [fawcett-paper]  Exactly the procedure of the paper.
    --strict
    --test
    --until-settled  flag  Keep sampling until no decision is borderline.
    --official
    --top
    --show  [groups|summary|inversions|first|intervals|ranks|tests|pairs]  One table instead:
        groups, summary (numbers of groups, ties, inversions), inversions (the pairs), first
        (shares), intervals, ranks (quantiles), tests (of the groups), pairs (every p-value).
    --fail-on  CONDITION...  Exit with 4 if it holds: tie-at-top, winner-changed:NAME,
        not-first:NAME, groups-changed:FILE; may be repeated.
    """,
)
def verdict(
    tables: list[Results], show: str | None, fail_on: tuple[str, ...], out: Output, **request: Any
) -> None:
    """Say who really won, and how sure that is.

    Resamples the judges, ranks the candidates each time, and puts those that cannot be told apart
    into one group: a dead heat. Prints groups, intervals, shares ranked first, and a verdict; with
    --each also who is first in each category. Of several files --show summary makes one table.
    One score each with standard errors is ranked with tests by these, as deadheat rank does.
    """
    from deadheat.verdict.api import holds, require_condition, verdict

    if _is_ranking(tables):
        from deadheat.rank.api import rank

        out.write(rank(tables[0], by=request["by"], top=request["top"]))
        return
    for condition in fail_on:
        require_condition(condition)
    request["strict"] |= request["test"] is not None
    request["test"] = request["test"] or "max-t"
    if show == "summary" and tables[0].parts:
        tables = list(tables[0].parts)
    _require_one(tables, show, fail_on)
    with watching("resampling", quiet=out.quiet) as progress:
        request |= {"progress": progress, "note": out.note}
        if len(tables) > 1:
            out.write(verdict(tables, **request))
            return
        found = verdict(tables[0], **request)
    reasons = [reason for condition in fail_on if (reason := holds(found, condition))]
    out.write(found if show is None else found.table(show))
    if found.undecided and not (found.too_few or out.quiet):
        number = found.enough
        remedy = {"replicates": number} if number else {"test": None, "strict": False}
        say(f"hint: {command_with(**remedy)}")
    for reason in reasons:
        say(f"failed: {reason}")
    if reasons:
        raise click.exceptions.Exit(GATE)
