"""The commands that ask one question of one table: parse, call, write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from deadheat.cli.options import (
    BY_ONE,
    RESAMPLING,
    RUNS,
    TABLE,
    TABLE_WITH_HOLES,
    by_several,
    command,
    words,
)
from deadheat.cli.output import Output, proving, watching
from deadheat.core.errors import UsageError
from deadheat.core.options import RankConvention

if TYPE_CHECKING:
    from deadheat.data.results import Results


@command("check", TABLE_WITH_HOLES, BY_ONE)
def check(table: Results, by: Any, out: Output) -> None:
    """Say what was understood of a table and what is odd about it.

    Shape, direction, holes, duplicates, ties, and whether the winner changes under other policies.
    """
    from deadheat.check.api import check

    out.write(check(table, by=by))


@command("score", RUNS)
def score(table: Results, out: Output) -> None:
    """Score runs by a rule: a long table of one score per run, totals on a terminal.

    FILE has one row per run: candidate, instance, status, and what the rule needs beside. What is
    written can be ranked: deadheat rank FILE --score score --by mean.
    """
    from deadheat.score.api import score

    out.write(score(table))


@command(
    "rank",
    TABLE,
    by_several(),
    f"--ranks  [{words(RankConvention)}] = mean  The rank that tied candidates share.",
)
def rank(table: Results, out: Output, **request: Any) -> None:
    """Rank the candidates of a table by one or several ranking functions.

    FILE is a table of scores: CSV, TSV, Parquet, JSON lines, Excel; - reads standard input.
    """
    from deadheat.rank.api import rank

    out.write(rank(table, **request))


@command("compare", TABLE, click.Argument(["a"]), click.Argument(["b"]), BY_ONE, RESAMPLING)
def compare(table: Results, a: str, b: str, out: Output, **request: Any) -> None:
    """Compare the candidates A and B of a table.

    The paired difference of their merits with its interval, p-values, on how many judges each
    scores better, and the judges that decide it.
    """
    from deadheat.compare.api import compare

    with watching("resampling", quiet=out.quiet) as progress:
        found = compare(table, a, b, progress=progress, **request)
    out.write(found)


@command(
    "agree",
    TABLE,
    by_several("by default all that fit the table"),
    """
    --show  [judges|matrix|clusters|functions]  One table instead: judges, the matrix of their
        correlations, clusters, functions.
    --correlation  [spearman|kendall]  Spearman's rho (by default) or Kendall's tau-b: of the
        matrix, and to order functions.
    --threshold  FLOAT = 0.5  Clusters of judges are joined down to this mean correlation.
    --seed  INTEGER = 0  Of the permutation test.
    """,
)
def agree(
    table: Results, show: str | None, correlation: str | None, out: Output, **request: Any
) -> None:
    """Say how much the judges agree, and who opposes the rest.

    Kendall's W with its test, mean correlations, what each judge has in common with the others,
    clusters of judges that rank alike, and which ranking function comes closest to all of them.
    """
    from deadheat.agree.api import agreement

    if correlation is not None and show not in ("matrix", "functions"):
        raise UsageError(
            f"--correlation {correlation} changes nothing here.",
            hint="it goes with --show matrix or --show functions.",
        )
    found = agreement(table, **request)
    if show is None or show == "judges":
        out.write(found if out.path is None else found.with_all())
    else:
        out.write(found.table(show, correlation=correlation or "spearman"))


@command(
    "influence",
    TABLE,
    BY_ONE,
    """
    --over  [judges|clusters|strata]  What is left out at a time; clusters by default where there
        are some, else judges.
    --engine
    """,
)
def influence(table: Results, out: Output, **request: Any) -> None:
    """Leave out one judge at a time and say what changes.

    How many judges change any rank, the top 10, the podium, the winner, and which ones. On a
    terminal the most decisive ones; --json and --format csv have all.
    """
    from deadheat.influence.api import influence

    with watching("leaving out", quiet=out.quiet) as progress:
        found = influence(table, progress=progress, **request)
    out.write(found)


@command(
    "consensus",
    TABLE,
    """
    --distance  [kendall|spearman|footrule|cayley|euclidean|hamming] = kendall  Between two
        rankings; kendall is Kemeny's rule, spearman Borda's.
    --time-limit  S = 60  Return the best ranking so far after that many seconds, with a bound.
    --weak  flag  Let candidates tie, for kendall and spearman.
    """,
)
def consensus(table: Results, out: Output, *, weak: bool, **request: Any) -> None:
    """Find the ranking that is closest to the judges, and prove it.

    Optimal rank aggregation. Prints the ranking, how far it is from the judges, whether that is
    proven optimal, and whether other rankings are as good. A tie counts one half of a
    disagreement.
    """
    from deadheat.consensus.api import consensus

    with proving(limit=request["time_limit"], quiet=out.quiet) as progress:
        request["output"] = "weak" if weak else "strict"
        found = consensus(table, progress=progress, **request)
    out.write(found)
