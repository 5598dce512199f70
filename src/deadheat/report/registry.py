"""Which pictures there are: one file in ``plots/`` each, found by discovery."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from deadheat.data.documented import Documented
from deadheat.errors import UnknownNameError, UsageError, listed
from deadheat.report.picture import Picture
from deadheat.report.theme import COLUMN, PAGE

WIDTHS = {"page": PAGE, "column": COLUMN}
NARROWEST, WIDEST = 160, 4000

Draw = Callable[..., Picture]


@dataclass(frozen=True, eq=False, kw_only=True)
class Kind(Documented):
    """Describe a kind of picture: its name, what it is drawn of, and the function that draws it.

    Parameters
    ----------
    of
        The types of results that it can be drawn of.
    figure
        The figure of a paper that it is, where it is one.
    first
        Whether it is the picture of these results where nobody names another.
    needs
        Options with which the result is made where a table is given and nobody says otherwise.
    """

    name: str
    of: tuple[type, ...]
    draw: Draw
    figure: str = ""
    first: bool = False
    needs: Mapping[str, Any] = field(default_factory=dict)
    __doc__: str | None = field(default=None, repr=False)


_known: dict[str, Kind] = {}


def draws(*of: type, figure: str = "", first: bool = False, **needs: Any) -> Callable[[Draw], Kind]:
    """Register a function ``(result, *, width) -> Picture`` as a kind of picture of its name."""

    def decorate(draw: Draw) -> Kind:
        name = draw.__name__.replace("_", "-")
        kind = Kind(
            name=name,
            of=of,
            draw=draw,
            figure=figure,
            first=first,
            needs=needs,
            __doc__=draw.__doc__,
        )
        return _known.setdefault(name, kind)

    return decorate


def kinds(of: type | None = None) -> dict[str, Kind]:
    """Return the kinds of pictures by name; ``of`` leaves those that suit a type of results."""
    _discover()
    return {
        name: kind for name, kind in sorted(_known.items()) if of is None or issubclass(of, kind.of)
    }


def kind_named(name: str) -> Kind:
    """Return a kind of picture; refuse what there is not."""
    wanted = name.replace("_", "-")
    if wanted not in kinds():
        see = "deadheat list plots says what each shows"
        raise UnknownNameError("picture", name, kinds(), most=3, see=see)
    return kinds()[wanted]


def drawn(result: Any, kind: str | None = None, *, width: str | int = "page") -> Picture:
    """Return the picture of a result; without a ``kind`` the one that suits it best."""
    suited = kinds(type(result))
    name = type(result).__name__
    if not suited:
        raise UsageError(
            f"there is no picture of {name}.",
            hint="pictures are drawn of a table, or of a result that was just computed.",
        )
    if kind is None:
        chosen = next((each for each in suited.values() if each.first), next(iter(suited.values())))
    else:
        chosen = kind_named(kind)
    if chosen.name not in suited:
        raise UsageError(
            f"{chosen.name} is no picture of {name}.", hint=f"there are {listed(list(suited))}."
        )
    picture = chosen.draw(result, width=pixels(width))
    title = picture.title[:1].upper() + picture.title[1:]
    return replace(picture, kind=chosen.name, title=title)


def pixels(width: str | int) -> int:
    """Return a width in pixels: of a page, of a column, or as given."""
    if isinstance(width, str):
        if width not in WIDTHS:
            raise UnknownNameError("width", width, WIDTHS)
        return WIDTHS[width]
    if not NARROWEST <= width <= WIDEST:
        raise UsageError(
            f"a width must lie between {NARROWEST} and {WIDEST} pixels, got {width}.",
            hint=f"a page has {PAGE}, a column {COLUMN}.",
        )
    return width


@cache
def _discover() -> None:
    from deadheat.report import plots as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
