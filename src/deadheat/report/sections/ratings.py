"""Ratings, whose differences are odds of winning."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deadheat.core.errors import DataError, UsageError, on_page
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.report.contents import Contents
from deadheat.report.page import Section, Table, pictures, tells

OWN_GROUPS = "Ratings have a model of their own, and so their groups may differ from those above."
OF_ONE = ("ratings", "win-matrix", "calibration")
MOST = 80  # candidates of which the matrix is downloaded


@tells(90)
def ratings(found: Contents) -> Section | None:
    r = found.ratings
    if r is None:
        return None
    tables = []
    if found.table is not None or isinstance(r, RatingParts):  # else they are the ranking
        tables.append(Table(name="ratings", title="Ratings", result=r, shown=r.grid(), folded=True))
    if isinstance(r, Ratings) and len(r.candidates) <= MOST:
        tables.append(
            Table(name="win-matrix", title="Chances of winning", result=r.table("matrix"))
        )
        tables.append(Table(name="rating-pairs", title="Every pair", result=r.table("pairs")))
    first, *rest = r.sentences
    kinds, absent = (OF_ONE, ()) if isinstance(r, Ratings) else _of_several(r)
    return Section(
        name="ratings",
        title="Ratings and chances of winning",
        sentence=first,
        pictures=pictures(r, kinds),
        tables=tuple(tables),
        notes=tuple(map(on_page, (*rest, *r.grid().notes, *absent, *_more(found, r)))),
    )


def _of_several(r: RatingParts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the pictures that the ratings of several data sets allow, and why others are absent.

    The results behind the pictures are asked, so that no failure of a picture itself is hidden.
    """
    kinds, absent = ["epp-bars"], []
    asked: dict[str, Callable[[], object]] = {"tunability": r.tunability, "embedding": r.embedding}
    for kind, ask in asked.items():
        try:
            ask()
        except (DataError, UsageError) as error:
            absent.append(f"There is no picture of {kind}: {error.fact}")
        else:
            kinds.append(kind)
    return tuple(kinds), tuple(absent)


def _more(found: Contents, r: Ratings | RatingParts) -> Iterator[str]:
    if found.table is not None:
        yield OWN_GROUPS
    if isinstance(r, Ratings) and len(r.candidates) > MOST:
        yield (
            f"The chances of every pair of {len(r.candidates):,} candidates are left out: see "
            "deadheat rate."
        )
