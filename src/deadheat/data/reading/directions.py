"""Which way scores are better: what names and numbers tell, and what contradicts them."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from math import isfinite

from deadheat.core.errors import (
    DeadheatError,
    UsageError,
    Words,
    listed,
    quoted,
    say,
)
from deadheat.core.weights import MISREAD
from deadheat.data.formats.orders import is_place
from deadheat.data.reading.column_names import (
    matches,
    stands_beside,
    usual_direction,
)
from deadheat.data.reading.layout import (
    Long,
    Wide,
    layout_of,
    refuse_orders,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Head, number_in
from deadheat.data.results import (
    Results,
    TimesError,
    unknown_direction,
)

SEVERAL = 0.2  # of the columns: so many tell the direction of all
LEAST_LIMIT = 10  # seconds; ratings and shares end below it, or at 100
MANY_AT_LIMIT = 0.05  # of the scores: so many are time-outs, where they are times
CHANCE = 0.05  # of many names may hold such a word by chance: a data set called cooking-time
MOST_NAMED = 3
LEAST_PLACES = 3  # in a row or column, and so many of these


def direction_question(head: Head, options: Options) -> UsageError:
    """Return the question which scores are better, with what names and numbers tell."""
    if is_place(head.columns[-1]) or not head.named:
        cells = {name: head.cells(k) for k, name in enumerate(head.columns)}
        refuse_orders(cells, options.values)
    scores = [name for name in head.columns if not stands_beside(name)]
    told = [each for name in scores if (each := usual_direction(name)) is not None]
    # In a wide table one of many may go the other way.
    few = not matches("score", head.columns) and len(told) < SEVERAL * len(scores)
    usual = usual_direction(options.score or "") or (None if few else next(iter(told), None))
    places = _hold_places(head, options) if usual is None else ""
    layout = None
    with suppress(DeadheatError):
        layout = layout_of(head, options)
    times = usual is None and not places and _look_like_times(head, options, layout)
    likely = "lower" if times or places else "higher"
    error = unknown_direction(usual or likely, times=times, why=places)
    if isinstance(error, TimesError) and layout is not None:
        error.as_runs = layout.runs
    return error


def _hold_places(head: Head, options: Options) -> str:
    """Say so where each row, or each column, holds 1, 2, 3 ... once, as places do."""
    names = enumerate(head.columns)
    kept = [k for k, name in names if name not in options.ignore and not stands_beside(name)]
    columns = [[*map(number_in, head.cells(k))] for k in kept if head.is_numeric(k)]
    for each, lists in (("row", [*zip(*columns, strict=True)]), ("column", columns)):
        n = len(lists[0]) if lists else 0
        usual = [*range(1, n + 1)]
        if min(n, len(lists)) >= LEAST_PLACES and all(
            None not in numbers and sorted(filter(None, numbers)) == usual for numbers in lists
        ):
            return f"each {each} holds 1 to {n:,} once, as places do, of which 1 is best"
    return ""


def _look_like_times(head: Head, options: Options, layout: Wide | Long | None) -> bool:
    """Return whether many of the first scores are one number, the largest, as time-outs are."""
    names = enumerate(head.columns)
    places = [k for k, name in names if name not in options.ignore and not stands_beside(name)]
    places = [layout.score] if isinstance(layout, Long) else places
    cells = (cell for k in places if head.is_numeric(k) for cell in head.cells(k))
    every = (number_in(cell or "") for cell in cells)
    found = [number for number in every if number is not None and isfinite(number)]
    if not found or min(found) < 0 or all(number.is_integer() for number in found):
        return False
    worst = max(found)
    often = found.count(worst) >= max(2, MANY_AT_LIMIT * len(found))
    return often and worst >= LEAST_LIMIT and worst != 100


def direction_warnings(
    results: Results, *, score: str = "", columns: Collection[str] = ()
) -> tuple[str, ...]:
    """Return warnings where a direction contradicts the name of a judge or of the scores.

    A few judges that are ``columns`` of the file may be left out.
    """
    doubts: list[tuple[str, str, str, list[str]]] = []
    usual = usual_direction(score) if score else None
    if usual is not None and usual not in results.better:
        doubts.append((f"the scores are called {quoted(score)}", results.better[0], usual, []))
    for better, other in (("higher", "lower"), ("lower", "higher")):
        pairs = zip(results.judges, results.better, strict=True)
        judges = [name for name, direction in pairs if direction == better]
        odd = [name for name in judges if usual_direction(name) == other]
        if len(odd) > CHANCE * len(judges):
            others = any(usual_direction(name) == better for name in judges)
            apart = odd if others or 2 * len(odd) < results.m else []
            apart = apart if {*apart} <= {*columns} else []
            names = listed(map(quoted, odd), most=MOST_NAMED)
            noun = "a judge is called" if len(odd) == 1 else "judges are called"
            doubts.append((f"{noun} {names}", better, other, apart))
    notes = []
    for fact, better, other, apart in doubts:
        doubt = f"{fact}, yet {better} is said to be better; usually {other} is"
        them = "them" if len(apart) > 1 else "it"
        way = (
            f". To leave {them} out: {say('ignore', apart)}"
            if apart
            else f": {say('better', other)}?"
        )
        text, remedy = f"{doubt}{way}", {"ignore": apart} if apart else None
        notes.append(Words(text, page=f"{doubt}.", weight=MISREAD, good=False, remedy=remedy))
    return tuple(notes)
