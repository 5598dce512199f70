"""A table or a result in, a picture out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from deadheat.criteria.criteria import criteria
from deadheat.criteria.result import Criteria
from deadheat.data.read import read, read_runs
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.errors import UsageError, listed
from deadheat.inference.agreement import Agreement, agreement
from deadheat.inference.compare import Comparison, compare
from deadheat.inference.influence import Influence, influence
from deadheat.inference.judging import verdict
from deadheat.inference.rate import rate
from deadheat.inference.rating_parts import RatingParts
from deadheat.inference.ratings import Ratings
from deadheat.inference.verdict import Verdict
from deadheat.ranking.ranking import Ranking, rank
from deadheat.report.picture import Picture
from deadheat.report.registry import Kind, drawn, kind_named
from deadheat.result import Result

# What makes, of a table, the result that a picture is drawn of.
MAKERS: dict[type, Callable[..., Any]] = {
    Verdict: verdict,
    Comparison: compare,
    Influence: influence,
    Ranking: rank,
    Criteria: criteria,
    Agreement: agreement,
    Ratings: rate,
    RatingParts: rate,
    Runs: read_runs,
    Results: read,
}
DEFAULT = "intervals"


def plot(table: Any, kind: str = DEFAULT, *, width: str | int = "page", **asked: Any) -> Picture:
    """Draw a picture of a table, or of a result.

    Parameters
    ----------
    table
        A result such as a :class:`Verdict`; or a :class:`Results`, a :class:`Runs`, a path, or any
        DataFrame, of which the result that the picture needs is computed first.
    kind
        Which picture; ``deadheat list plots`` names all.
    width
        ``"page"``, ``"column"`` of a paper, or a number of pixels.
    asked
        The options of what is computed first, such as ``by`` and ``replicates`` of
        :func:`verdict`, and those of :func:`read`; ``pair=(a, b)`` where two candidates are shown.

    Examples
    --------
    >>> import deadheat as dh
    >>> picture = dh.plot(dh.examples.load("compressors"), "intervals")
    >>> picture.title
    'Mean rank with 95 % intervals'
    """
    wanted = kind_named(kind)
    if isinstance(table, (Result, *wanted.of)):
        if asked:
            raise UsageError(
                f"{listed(list(asked))}: no option of a picture.",
                hint="say it where the result is made.",
            )
        return drawn(table, wanted.name, width=width)
    subject = subject_of(wanted, table, **asked)
    return drawn(subject, wanted.name, width=width)


def subject_of(kind: Kind, table: Any, *, pair: Sequence[str] | None = None, **asked: Any) -> Any:
    """Return what a picture is drawn of, made of a table.

    ``pair`` are the two candidates of a comparison.
    """
    maker, asked = _maker(kind), {**kind.needs, **asked}
    if maker is not compare:
        return maker(table, **asked) if pair is None else maker(table, pair=pair, **asked)
    if pair is None or isinstance(pair, str) or len(pair) != 2:
        raise UsageError(
            "the picture is about two candidates, and they are not named.",
            hint="say --pair A B, in Python pair=(a, b).",
        )
    return compare(table, *pair, **asked)


def understands(kind: Kind) -> set[str]:
    """Return the options that making the result of a picture takes by name."""
    maker = _maker(kind)
    known = set(inspect.signature(maker).parameters)
    return known - {"a", "b"} | {"pair"} if maker is compare else known


def _maker(kind: Kind) -> Callable[..., Any]:
    """Return what makes the first type of results that the picture is drawn of."""
    return next(MAKERS[each] for each in kind.of if each in MAKERS)
