"""The commands that are a few lines each: parse, call, write."""

from __future__ import annotations

import shlex
import sys
from inspect import signature
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from deadheat.cli import options
from deadheat.cli.options import BY_ONE, RESAMPLING, TABLE, by_several, command, words
from deadheat.cli.output import STDIN, Output, proving, watching
from deadheat.cli.program import ARGUMENTS
from deadheat.core import options as known
from deadheat.core.errors import UsageError, command_saying, command_with, quoted, say
from deadheat.core.files import free_name

if TYPE_CHECKING:
    from deadheat.data.results import Results


@command("check", options.CHECKED, BY_ONE)
def check(source: Any, reading: dict[str, Any], by: Any, out: Output) -> None:
    """Say what was understood of a table or a battle log and what is odd about it.

    Shape, direction, holes, duplicates, ties, and whether the winner changes under other policies;
    of a log columns, outcomes, repeated rows, voters, and whether battles connect everybody.
    """
    from deadheat.check.api import check

    out.write(check(source, by=by, **reading))


@command("score", options.RUNS)
def score(table: Results, out: Output) -> None:
    """Score runs by a rule: a long table of one score per run, totals on a terminal.

    FILE has one row per run: candidate, instance, status, and what the rule needs beside. What is
    written can be ranked: deadheat rank FILE --score score --by mean.
    """
    from deadheat.score.api import score

    out.write(score(table))


@command(
    "rank",
    options.BOARDS,
    by_several(),
    f"""
    --ranks  [{words(known.RankConvention)}] = mean  The rank that tied candidates share.
    --top  ...  Show only the first K.
    """,
)
def rank(table: Results, out: Output, **request: Any) -> None:
    """Rank the candidates of a table by one or several ranking functions.

    FILE is a table of scores: CSV, TSV, Parquet, JSON lines, Excel; - reads standard input.
    """
    from deadheat.rank.api import rank

    out.write(rank(table, **request))


NAMES = [click.Argument([name], metavar=name.upper(), required=False) for name in "ab"]


@command("compare", TABLE, *NAMES, BY_ONE, RESAMPLING)
def compare(table: Results, a: str | None, b: str | None, out: Output, **request: Any) -> None:
    """Compare the candidates A and B of a table.

    The paired difference of their merits with its interval, p-values, on how many judges each
    scores better, and the judges that decide it.
    """
    from deadheat.compare.api import compare, first_two

    if a is None or b is None:
        two = first_two(table, request["by"], named=a)
        names = two if a is None else two[1:]
        ended = a is not None and a.startswith("-")  # by -- in the command itself
        dashes = [] if ended or not any(name.startswith("-") for name in names) else ["--"]
        words = shlex.join([*dashes, *names])
        named = "none is" if a is None else f"only {quoted(a)} is"
        fact = f"compare needs two {table.nouns.candidates()}, and {named} named."
        raise UsageError(fact, hint=f"{' and '.join(map(quoted, two))}: {command_with()} {words}")
    with watching("resampling", quiet=out.quiet) as progress:
        found = compare(table, a, b, progress=progress, **request)
    out.write(found)


@command(
    "agree",
    options.TABLES,
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
def agree(tables: list[Results], show: str | None, out: Output, **request: Any) -> None:
    """Say how much the judges agree, and who opposes the rest.

    Kendall's W with its test, mean correlations, what each judge has in common with the others,
    clusters of judges that rank alike, and which ranking function comes closest to all of them. Of
    several files one table: candidates, judges and Kendall's W of each.
    """
    from deadheat.agree.api import agreement

    if show is not None and len(tables) > 1:
        fact = f"--show is about one table, and {len(tables):,} files are given."
        raise UsageError(fact, hint=f"without it: {command_with(show=None)}")
    correlation = request.pop("correlation")
    if correlation is not None and show not in ("matrix", "functions"):
        fact = f"--correlation {correlation} changes nothing here."
        ways = [f"of a matrix: {command_with(show='matrix')}"] if len(tables) == 1 else []
        ways.append(f"without it: {command_with(correlation=None)}")
        raise UsageError(fact, hint="\n".join(ways))
    if len(tables) > 1:
        out.write(agreement(tables, **request))
        return
    found = agreement(tables[0], **request)
    if show is None or show == "judges":
        out.write(found)
    else:
        out.write(found.table(show, correlation=correlation or "spearman"))


@command(
    "influence",
    options.TABLES,
    BY_ONE,
    """
    --over  [judges|clusters|strata]  What is left out at a time; clusters by default where there
        are some, else judges.
    --official  ...  A CSV file with candidate and rank: the order that breaks ties at the last
        place of the top 10 and the top 3.
    --engine
    --checkpoint
    """,
)
def influence(tables: list[Results], out: Output, **request: Any) -> None:
    """Leave out one judge at a time and say what changes.

    How many judges change any rank, the top 10, the podium, the winner, and which ones. On a
    terminal the most decisive ones; --json and --format csv have all. Of several files one table,
    a row for each.
    """
    from deadheat.influence.api import influence

    with watching("leaving out", quiet=out.quiet) as progress:
        table = tables if len(tables) > 1 else tables[0]
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
    --top  ...  Show only the first K.
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


TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")


@command(
    "axioms",
    click.Argument(
        ["functions"], metavar="[FUNCTION]...", nargs=-1, shell_complete=options.complete_function
    ),
    options.OPTIONAL_TABLE,
    """
    --only  AXIOM[,AXIOM...]...  Some axioms (see deadheat list axioms); all by default.
    --budget  N  Of a search, not of --table: applicable cases to look at per function and axiom;
        20000 by default, fewer where the function claims the axiom.
    --seed
    --engine
    """,
)
def axioms(functions: tuple[str, ...], table: Results | None, out: Output, **request: Any) -> None:
    """Say which axioms ranking functions obey, with counter-examples.

    FUNCTION is a ranking function (see deadheat list functions), all, or your own as FILE.py:NAME;
    by default the seven of Pavao et al. (2021). For one function the counter-examples are shown,
    each shrunk to few candidates and judges.

    With --table the axioms are asked of your table: whose removal flips whom, which copy changes
    the winner, which judge hurts the one it prefers.
    """
    from deadheat.axioms.api import axioms

    with watching("searching" if table is None else "asking", quiet=out.quiet) as progress:
        by, only = [_function(name) for name in functions] or None, request.pop("only") or None
        found = axioms(by, table=table, only=only, progress=progress, **request)
    out.write(found)


def _function(name: str) -> Any:
    if Path(name).suffix.lower() in TABLES or (Path(name).is_file() and ".py" not in name):
        fact = f"{quoted(name)} is a table, and no ranking function."
        hint = f"its axioms: {command_saying({name: ['--table', name]})}"
        raise UsageError(fact, hint=hint)
    return options.own_or_name(name)


PATIENT = 60.0  # seconds that need no warning
MANY_CELLS = 1_000_000_000  # of all resampled tables together: such may take longer
PROBES = ({"trials": 1, "q": 2}, {"trials": 5, "q": 6})


@command(
    "criteria",
    options.TABLES,
    by_several("by default those of Pavao et al. (2021)"),
    f"""
    --trials  N  How many resampled tables for winner rank, Condorcet rate and generalization,
        {known.TRIALS:,} by default; for convergence panels of a size, {known.PANELS:,}.
    --q  N = 100  How many rankings are compared with each other for stability.
    --repeats  N = 10  How often that is repeated.
    --seed
    --correlation  [spearman|kendall] = spearman  Spearman's rho, or Kendall's tau-b.
    --stability  [mean|kendall_w]  Over judges: the mean correlation of all pairs (by default), or
        Kendall's W.
    --compat  [esann-notebook]  Do as the authors' notebook where it differs from their text.
    --over  [both|judges|candidates] = both  What the trials resample.
    --benchmark benchmarks  NAME=FILE,FILE...  Count these files as one benchmark; may be repeated.
    --engine
    --checkpoint
    --show  [criteria|correlations|tables|meta-ranking|convergence]  Another table instead:
        correlations between the functions (nothing is resampled), the values by table, a ranking of
        the functions by the criteria, or what fewer judges would say.
    """,
)
def criteria(tables: list[Results], out: Output, **request: Any) -> None:
    """Say which ranking function to trust on a table, or on several.

    Resamples judges and candidates, ranks by every function, and measures: how high the judges
    rank the winner, whether a Condorcet winner wins, how well unseen judges are predicted, how
    stable the ranking is. By default the functions of Pavao et al. (2021).
    """
    from deadheat.core.types import require_whole
    from deadheat.criteria.api import criteria, require_room

    show = request.pop("show") or "criteria"
    if show == "convergence":
        out.write(_convergence(tables, out, request))
        return
    trials = known.TRIALS if request["trials"] is None else request["trials"]
    none = f"nothing drawn: {command_with(show='correlations', trials=None)}"
    require_whole("trials", trials, 1, hint=f"as usual: {command_with(trials=None)}\n{none}")
    request["trials"] = 0 if show == "correlations" else trials
    request["benchmarks"] = benchmarks_by_name(request["benchmarks"])
    counts = {name: request[name] for name in ("trials", "q", "repeats")}
    require_room(tables, request["by"], **counts)
    _warn_of_a_wait(out, tables, request)
    with watching("resampling", quiet=out.quiet) as progress:
        found = criteria(tables, progress=progress, **request)
    out.write(found.view(show))


def benchmarks_by_name(said: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the files of each benchmark, from texts such as ``NAME=FILE,FILE``."""
    found: dict[str, list[str]] = {}
    for name, equals, files in (each.partition("=") for each in said):
        if not (name and equals and files):
            fact = f"--benchmark needs a name and files, got {quoted(name + equals + files)}."
            given = click.get_current_context().params
            every = given.get("files") or (given["file"], *given["more"])
            all_in_one = command_with(benchmarks=f"{name if equals else 'all'}={','.join(every)}")
            raise UsageError(fact, hint=f"all files in one: {all_in_one}")
        found.setdefault(name, []).extend(files.split(","))
    return found


def _convergence(tables: list[Results], out: Output, request: dict[str, Any]) -> Any:
    from deadheat.criteria.convergence import convergence

    context = click.get_current_context()
    kept = {
        name: value
        for name, value in request.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    if idle := [name for name in kept if name not in signature(convergence).parameters]:
        fact = f"{say(idle[0])} changes nothing about convergence."
        raise UsageError(fact, hint=f"without it: {command_with(**dict.fromkeys(idle))}")
    with watching("resampling", quiet=out.quiet) as progress:
        return convergence(tables, progress=progress, **kept)


def _warn_of_a_wait(out: Output, tables: list[Results], request: dict[str, Any]) -> None:
    """Say how long it will take, before the wait, where that is more than a minute."""
    drawn = request["trials"] + 2 * request["q"] * request["repeats"]
    cells = max(each.n * each.m for each in tables)
    if out.quiet or not request["trials"] or cells * drawn < MANY_CELLS:
        return
    seconds = _seconds_per_table(tables, request) * drawn
    if seconds > PATIENT:
        fewer = max(round(request["trials"] * PATIENT / seconds, -1), 10)
        out.note(
            f"this takes about {seconds / 60:,.0f} minutes: {drawn:,} resampled tables. "
            "Fewer may do, with larger errors: "
            f"{command_with(trials=f'{fewer:.0f}', q=20, repeats=3)}"
        )


def _seconds_per_table(tables: list[Results], request: dict[str, Any]) -> float:
    """Return what one resampled table takes, measured on a few, without what is done once."""
    from deadheat.criteria.api import criteria

    times, drawn = [], []
    for probe in PROBES:
        start = perf_counter()
        criteria(tables, **request | probe | {"repeats": 1, "checkpoint": None})
        times.append(perf_counter() - start)
        drawn.append(probe["trials"] + 2 * probe["q"])
    return max((times[1] - times[0]) / (drawn[1] - drawn[0]), 0.0)


@command(
    "reproduce",
    click.Argument(["paper"], metavar="PAPER"),
    click.Argument(["item"], metavar="[ITEM]", required=False),
    """
    --data  PATH  The folder of the public data; the shipped examples are taken without it.
    --trials  N = 10000  How many resampled tables for criteria.
    --replicates  N = 10000  How many times to resample for verdicts.
    --seed
    --engine
    --bundle  PATH  Write a new folder with page, tables, figures and LaTeX.
    """,
)
def reproduce(
    paper: str, item: str | None, bundle: str | None, out: Output, **request: Any
) -> None:
    """Recompute the tables and figures of a paper, beside what it prints.

    PAPER is pavao2021, fawcett2023 or epp2019; ITEM one of its tables or figures, all by default.
    Numbers that differ from print beyond its digits and Monte-Carlo error have a reason.
    """
    from deadheat.report.api import free_folder
    from deadheat.reproduce.api import reproduce

    if bundle is not None:
        free_folder(Path(bundle))
    with watching("recomputing", quiet=out.quiet) as progress:
        found = reproduce(paper, item, progress=progress, **request)
    if bundle is not None:
        found.bundle(bundle)
        out.note(f"{bundle} has the page, tables and figures.")
    out.write(found)


@command("convert", options.LOG_OR_TABLE, "--output\n--quiet", writes=False)
def convert(source: Any, reading: dict[str, Any], output: str | None, quiet: bool) -> None:  # noqa: FBT001
    """Write a file of any format in our own layout, which reads back to the same.

    A table of scores is long (candidate, judge, score); runs and battles have a column for each of
    their fields. What columns cannot say stands in a sidecar beside it.
    """
    from deadheat.data.convert import convert

    if output is None:
        new = "table.csv" if not Path("table.csv").exists() else free_name("table.csv")
        hint = f"to a new file: {command_with(output=new)}"
        raise UsageError("there is nowhere to write to.", hint=hint)
    written = convert(source, output, **reading)
    if not quiet:
        click.echo(f"wrote {' and '.join(map(str, written))}", err=True)


@command("show", click.Argument(["file"], metavar="FILE", type=options.FILE))
def show(file: str, out: Output) -> None:
    """Show a result that was saved with --json, or write it in another format.

    FILE is the JSON of any command; - reads standard input. Nothing is computed again.
    """
    from deadheat.report.load import load

    result = load(sys.stdin.buffer.read() if file == STDIN else file)
    click.get_current_context().meta.pop(ARGUMENTS, None)  # who made it is known already
    out.write(result)


KINDS = {
    "functions": "the ranking functions, for --by.",
    "criteria": "what ranking functions are measured by, for deadheat criteria.",
    "axioms": "the laws that ranking functions obey or not, for deadheat axioms --only.",
    "plots": "the pictures, for deadheat plot and the plot() of results.",
    "formats": "the kinds of files that can be read.",
    "scoring": "the rules that make scores of runs, for --rule.",
    "examples": "the competitions that come with deadheat, for deadheat demo --data.",
}
KIND = click.Argument(["kind"], metavar="[KIND]", type=click.Choice(list(KINDS)), required=False)


@command("list", KIND)
def list_(kind: str | None, out: Output) -> None:
    """List what there is: functions, axioms, criteria, formats, scoring rules, examples.

    In a table only what one chooses by; --json has all that is known of each.
    """
    from deadheat.cli.catalogue import catalogue, catalogue_of

    rows = [{"kind": kind, "summary": summary} for kind, summary in KINDS.items()]
    out.write(catalogue_of(kind) if kind else catalogue("kinds", rows, "kind summary"))


def weights_by_name(given: tuple[str, ...]) -> dict[str, float]:
    """Return the weights that were written as NAME=X; a name may hold further equals signs.

    >>> weights_by_name(("adult=2", "a=b=0.5"))
    {'adult': 2.0, 'a=b': 0.5}
    """
    found: dict[str, float] = {}
    for said in given:
        name, _, value = said.rpartition("=")
        try:
            weight = float(value)
        except ValueError:
            weight = None
        if not name or weight is None:
            fact = f"--tournament-weight {quoted(said)} is no NAME=X with a number X."
            twice = command_saying({said: [f"{name or value}=2"]})
            raise UsageError(fact, hint=f"counting twice: {twice}")
        if name in found:
            fact = f"--tournament-weight names {quoted(name)} twice."
            raise UsageError(fact, hint=f"leave out {name}={found[name]:g}, or {said}.")
        found[name] = weight
    return found


@command(
    "rate",
    options.RATED,
    f"""
    --model  [epp|bradley-terry|elo|gaussian|plackett-luce]  epp for tables and bradley-terry for
        logs by default; the two are one model.
    --tournament  COL  The data set; each is rated by itself.
    --tournament-weight tournament_weights  NAME=X...  How much a data set or category counts in
        means over them, 1 by default; may be repeated.
    --round
    --pairing  [{words(known.PAIRINGS)}] = same  Whether scores of the same round meet, or all.
    --ties  [half|davidson|rao-kupper] = half  Half a win each, or a model of ties.
    --penalty  [auto|none|firth|ridge|pseudo] = auto  auto: firth where plain ratings do not
        exist, else none.
    --strength  X  Of the penalty ridge or pseudo.
    --scale  [{words(known.SCALES)}] = logit  Log-odds, or points: 400 points multiply the odds
        by 10.
    --anchor  NAME[=X]  Put this candidate at X; shifts ratings, no more.
    --centre  X  The mean rating, or that of an anchor without =X; 0, or 1500 points.
    --base  X = 10  By what --width points multiply the odds.
    --width  X = 400  Points.
    --errors  [{words(known.ERRORS)}] = bootstrap  How sure: resampling, the fast sandwich, or
        as if matches were independent.
    --replicates  ...  How many times to resample; 1,000 by default, more for many candidates.
    --alpha  ...
    --seed  ...
    --plan  ...  How to resample: a table's rounds, bootstrap by default; a log's battles,
        bayesian.
    --interval  [{words(known.RATING_INTERVALS)}]  percentile by default.
    --strict  flag  Groups from tests of all pairs at once.
    --test  [{words(known.RATING_TESTS)}]  Which test. Is strict.
    --simulations  N = 199  Tables that say which deviance to expect; 0 for none.
    """,
    options.Option("--step", {"type": float, "metavar": "K"}, "Elo's K.", 4.0),
    f"""
    --shuffles  N  Average online ratings over N random orders.
    --advantage  flag  The left side has an advantage of its own.
    --teams  SIGN  Members of teams are joined by SIGN: sides of a log, whose members are rated, or
        ensembles in a table, which are rated themselves (--show ensembles).
    --largest-part  flag  Of a log rate only the largest part that matches connect.
    --min-matches  N  Of a log leave out whoever has fewer than N matches with others who are left.
    --cost  COL  What a fit cost, for --show tuning.
    --more-trials  N  How many trials the stop rule looks back and ahead; 5 by default. Is --show
        tuning.
    --show-only  NAME[,NAME...]...  Show these candidates, by name or pattern (knn_*); all are
        rated.
    --top  ...  Show only the K with the highest ratings.
    --engine
    --checkpoint
    --show  [{words(known.RATING_TABLES)}]  One table instead: every pair, the matrix of win
        probabilities, groups, fitted against observed, tunability of algorithms, their trials and
        when to stop, ensembles beside their members; with --tournament the means over data sets,
        what each data set says, which setting to try next, or a map.
    """,
)
def rate(
    source: Any, reading: dict[str, Any], show: str | None, out: Output, **request: Any
) -> None:
    """Rate candidates so that differences are odds of winning.

    FILE is a table of scores, whose judges are the rounds, a table of runs, or a battle log (left,
    right, winner); several files, a folder or a pattern are one log.
    """
    from deadheat.core.types import require_top
    from deadheat.rate.api import rate

    weights = request.pop("tournament_weights")
    if weights:
        if request["tournament"] is None and "category" not in reading:
            fact = f"--tournament-weight {weights[0]} is given, and there is one tournament."
            raise UsageError(fact, hint=f"without: {command_with(tournament_weights=None)}")
        request["tournament_weights"] = weights_by_name(weights)
    request["show_only"], top = request["show_only"] or None, request.pop("top")
    require_top(top)
    more = request.pop("more_trials")
    show = "tuning" if show is None and more is not None else show
    if more is not None and show != "tuning":
        ways = (command_with(show="tuning"), command_with(more_trials=None))
        hint = f"about tuning: {ways[0]}\nwithout it: {ways[1]}"
        raise UsageError(f"--more-trials {more} is about tuning, not {show}.", hint=hint)
    with watching("rating", quiet=out.quiet) as progress:
        found = rate(source, progress=progress, note=out.note, **request, **reading)
    found = found if top is None else found.top(top)
    how = {} if more is None else {"more": more}
    out.write(found if show is None else found.table(show, **how))
