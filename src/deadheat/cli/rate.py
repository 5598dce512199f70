"""``deadheat rate``."""

from __future__ import annotations

from typing import Any

from deadheat.cli.options import LOG_OR_TABLE, Option, command
from deadheat.cli.output import Output, watching
from deadheat.core.errors import UsageError, quoted


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
            hint = "write the name of the data set and how much it counts, e.g. adult=2."
            raise UsageError(fact, hint=hint)
        if name in found:
            fact = f"--tournament-weight names {quoted(name)} twice."
            raise UsageError(fact, hint="name every data set once.")
        found[name] = weight
    return found


@command(
    "rate",
    LOG_OR_TABLE,
    """
    --model  [epp|bradley-terry|elo|gaussian|plackett-luce]  epp for tables and bradley-terry for
        logs by default; the two are one model.
    --tournament  COL  The data set; each is rated by itself.
    --tournament-weight tournament_weights  NAME=X...  How much a data set or category counts in
        means over them, 1 by default; may be repeated.
    --round
    --pairing  [same|all] = same  Whether scores of the same round meet, or all.
    --ties  [half|davidson|rao-kupper] = half  Half a win each, or a model of ties.
    --penalty  [auto|none|firth|ridge|pseudo] = auto  auto: firth where plain ratings do not
        exist, else none.
    --strength  X  Of the penalty ridge or pseudo.
    --scale  [logit|elo] = logit  Log-odds, or points: 400 points multiply the odds by 10.
    --anchor  NAME[=X]  Put this candidate at X; shifts ratings, no more.
    --centre  X  The mean rating, or that of an anchor without =X; 0, or 1500 points.
    --base  X = 10  By what --width points multiply the odds.
    --width  X = 400  Points.
    --errors  [bootstrap|sandwich|fisher] = bootstrap  How sure: resampling, the fast sandwich, or
        as if matches were independent.
    --replicates  ...  How many times to resample; 1,000 by default, more for many candidates.
    --alpha  ...
    --seed  ...
    --plan  ...  How to resample: a table's rounds, bootstrap by default; a log's battles,
        bayesian.
    --interval  [percentile|basic|expanded-percentile|wald]  percentile by default.
    --strict  flag  Groups from tests of all pairs at once.
    --test  [max-t|holm]  Which test. Is strict.
    --simulations  N = 199  Tables that say which deviance to expect; 0 for none.
    """,
    Option("--step", {"type": float, "metavar": "K"}, "Elo's K.", 4.0),
    """
    --shuffles  N  Average online ratings over N random orders.
    --advantage  flag  The left side has an advantage of its own.
    --teams  SIGN  Sides are teams: their members are joined by SIGN.
    --largest-part  flag  Of a log rate only the largest part that matches connect.
    --min-matches  N  Of a log leave out whoever has fewer than N matches with others who are left.
    --engine
    --show  [pairs|matrix|groups|calibration|tunability|tournaments|embedding]  One table instead:
        every pair, the matrix of win probabilities, groups, fitted against observed, tunability of
        algorithms; with --tournament what each data set says, or a map of the data sets.
    """,
)
def rate(
    source: Any, reading: dict[str, Any], show: str | None, out: Output, **request: Any
) -> None:
    """Rate candidates so that differences are odds of winning.

    FILE is a table of scores, whose judges are the rounds, a table of runs, or a battle log (left,
    right, winner); several files, a folder or a pattern are one log.
    """
    from deadheat.rate.api import rate

    weights = request.pop("tournament_weights")
    if weights:
        if request["tournament"] is None and "category" not in reading:
            fact = f"--tournament-weight {weights[0]} is given, and there is one tournament."
            raise UsageError(fact, hint="name their column: --tournament COL, or --category COL.")
        request["tournament_weights"] = weights_by_name(weights)
    with watching("rating", quiet=out.quiet) as progress:
        found = rate(source, progress=progress, note=out.note, **request, **reading)
    out.write(found if show is None else found.table(show))
