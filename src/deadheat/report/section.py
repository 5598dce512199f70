"""What a page is made of: sections, each with a sentence, pictures, tables and notes."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from altair.utils import schemapi

from deadheat.grid import Grid
from deadheat.report.gathering import Gathered
from deadheat.report.marks import is_stiff
from deadheat.report.picture import Picture
from deadheat.report.registry import drawn
from deadheat.report.room import first_lines
from deadheat.result import Result

WIDTH = 720  # pixels of a picture on a page
NARROW = 330  # on a small screen, of those that cannot just be made narrower
LARGEST_CSV = 1_000_000  # characters of a table that a page holds


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Hold a table of a page: its name, what it shows, and the result that is downloaded.

    ``shown`` is what people read; None where it is only there to be downloaded. A ``folded`` table
    is opened by a click.
    """

    name: str
    title: str
    result: Result
    shown: Grid | None = None
    folded: bool = False

    @cached_property
    def csv(self) -> str:
        """What is downloaded: the table as CSV; of a large one the first rows."""
        return first_lines(self._whole, LARGEST_CSV)

    @property
    def is_cut(self) -> bool:
        """Whether the download holds only the first rows."""
        return len(self.csv) < len(self._whole)

    @cached_property
    def _whole(self) -> str:
        return self.result.to_csv()


@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """Hold a section of a page; ``template`` draws it, and ``extra`` is what that one needs."""

    name: str
    title: str
    sentence: str
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    template: str = "section.html.j2"
    extra: dict[str, Any] = field(default_factory=dict)


Tell = Callable[[Gathered], Section | None]
_known: dict[int, Tell] = {}


def tells(place: int) -> Callable[[Tell], Tell]:
    """Register a function as the section that stands at a place; None means: does not apply."""

    def decorate(tell: Tell) -> Tell:
        return _known.setdefault(place, tell)

    return decorate


def sections(found: Gathered) -> list[Section]:
    """Return the sections that apply, in their order."""
    _discover()
    told = (_known[place](found) for place in sorted(_known))
    return [section for section in told if section is not None]


def pictures(result: Any, names: Iterable[str]) -> tuple[Picture, ...]:
    """Return the pictures of a result by these names; of no result there are none.

    A section asks for those that apply. What then fails is a defect and is raised, never hidden.
    """
    if result is None:
        return ()
    with schemapi.debug_mode(arg=False):  # no check of the specifications: tests do it
        return tuple(_for_a_page(result, name) for name in names)


def _for_a_page(result: Any, name: str) -> Picture:
    picture = drawn(result, name, width=WIDTH)
    if not is_stiff(picture.chart):
        return picture
    return replace(picture, narrow=drawn(result, name, width=NARROW))


@cache
def _discover() -> None:
    from deadheat.report import sections as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
