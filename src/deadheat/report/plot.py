"""A table or a result in, a picture out."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from deadheat.agree.api import Agreement, agreement
from deadheat.compare.api import Comparison, compare, first_two
from deadheat.core.errors import (
    DataError,
    UsageError,
    ask,
    command_saying,
    command_with,
    listed,
    quoted,
)
from deadheat.criteria.api import criteria
from deadheat.criteria.convergence import Convergence, convergence
from deadheat.criteria.result import Criteria
from deadheat.data.reading.read import is_battle_log, peekable, read, read_runs
from deadheat.data.results import Results
from deadheat.data.runs import Runs
from deadheat.influence.api import Influence, influence
from deadheat.output.result import Drawable, Result
from deadheat.rank.api import Ranking, rank
from deadheat.rate.api import rate
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.load import saved_at
from deadheat.report.picture import Kind, Picture, draw_picture, kind_named, kinds
from deadheat.verdict.api import verdict
from deadheat.verdict.result import Verdict

# What makes, of a table, the result that a picture is drawn of.
MAKERS: dict[type, Callable[..., Any]] = {
    Verdict: verdict,
    Comparison: compare,
    Influence: influence,
    Ranking: rank,
    Convergence: convergence,
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
        ``"page"``, ``"column"`` of a paper, a length such as ``"3.3in"``, or a number of pixels.
    asked
        The options of what is computed first, such as ``by`` and ``replicates`` of
        :func:`verdict`, and those of :func:`read`; ``pair=(a, b)`` where two candidates are shown,
        ``top=10`` for the first ten of the official order, ``values="ranks"`` or ``"scores"`` of a
        heat map.

    Examples
    --------
    >>> import deadheat as dh
    >>> picture = dh.plot(dh.examples.load("compressors"), "intervals")
    >>> picture.title
    'How far each score could move'
    """
    wanted = kind_named(kind)
    look = {name: asked.pop(name) for name in wanted.look if name in asked}
    result: Any = saved_at(table) or table
    if isinstance(result, Drawable) and isinstance(result, (Result, *wanted.of)):
        if asked:
            fact = f"{listed(list(asked))}: no option of a picture."
            raise UsageError(fact, hint="say it where the result is made.")
    else:
        result = subject_of(wanted, table, **asked)
    return draw_picture(result, wanted.name, width=width, **look)


def subject_of(kind: Kind, table: Any, *, pair: Sequence[str] | None = None, **asked: Any) -> Any:
    """Return what a picture is drawn of, made of a table; ``pair`` are compared."""
    maker, asked = _maker(kind), {**kind.needs, **asked}
    with peekable(table, asked) as file:
        _require_suited(kind, maker, file, asked)
        if maker is read_runs:
            return _runs_for(kind, file, asked)
        if maker is not compare:
            return maker(file, **asked) if pair is None else maker(file, pair=pair, **asked)
        if pair is None or isinstance(pair, str) or len(pair) != 2:
            fact = "the picture is about two candidates, and they are not named."
            own = inspect.signature(compare).parameters
            table = read(file, **{name: value for name, value in asked.items() if name not in own})
            two = first_two(table, asked.get("by"))
            named = " and ".join(map(quoted, two))
            raise UsageError(fact, hint=f"{named}: {command_with(pair=two)}")
        return compare(file, *pair, **asked)


def _require_suited(
    kind: Kind, maker: Callable[..., Any], table: Any, asked: Mapping[str, Any]
) -> None:
    """Refuse several tables where a picture has one, and a battle log where it has scores."""
    several = isinstance(table, list | tuple)
    if several and maker not in (rate, criteria):
        refuse_several(table, what=f"the picture {kind.name}")
    if not several and maker is not rate and is_battle_log(table, asked):
        named = listed(list(kinds(Ratings)))
        raise UsageError(
            f"{source_name(table)} is a battle log, and {kind.name} is no picture of battles.",
            hint=f"one of {named}: {ask('plot', 'FILE', 'ratings')}",
        )


def refuse_several(tables: Sequence[Any], *, what: str) -> NoReturn:
    named = listed([source_name(each) for each in tables], most=4)
    first = command_saying({source_name(each): [] for each in tables[1:]})
    raise UsageError(
        f"{len(tables):,} files are given ({named}), and {what} is about one table.",
        hint=f"the first alone: {first}" if first else "give one table.",
    )


def source_name(table: Any) -> str:
    return str(table) if isinstance(table, str | os.PathLike) else "the table"


def _runs_for(kind: Kind, table: Any, asked: dict[str, Any]) -> Runs:
    """Return the runs of a picture; where there are none, say what such a picture needs."""
    try:
        return read_runs(table, **asked)
    except (DataError, UsageError) as error:
        raised = DataError if isinstance(error, DataError) else UsageError
        raise raised(
            f"the picture {kind.name} needs runs: a row for each candidate and instance, with a "
            f"column of times and, where some did not finish, of statuses. {error.fact}",
            hint=f"if these are runs, {error.hint or 'mend that.'}\n"
            f"Scores have other pictures: {ask('plot', 'FILE', 'intervals')}",
        ) from None


def understands(kind: Kind) -> set[str]:
    """Return the options that making the result of a picture takes by name."""
    maker = _maker(kind)
    looks = {name for each in kinds().values() for name in each.look}  # of other pictures
    known = set(inspect.signature(maker).parameters) - looks
    return known - {"a", "b"} | {"pair"} if maker is compare else known


def _maker(kind: Kind) -> Callable[..., Any]:
    """Return what makes the first type of results that the picture is drawn of."""
    return next(MAKERS[each] for each in kind.of if each in MAKERS)
