"""Types that every room shares: arrays, seeds, and what the docstring of a formula says."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from deadheat.core import options
from deadheat.core.errors import UsageError, command_with

Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Booleans: TypeAlias = npt.NDArray[np.bool_]

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Any]

Scale = Literal["ordinal", "interval", "ratio"]
Direction: TypeAlias = options.Direction
MissingPolicy: TypeAlias = options.MissingPolicy
RankConvention: TypeAlias = options.RankConvention


class Documented:
    """Read summary, formula and reference from the docstring of an object."""

    aliases: tuple[str, ...] = ()  # other names by which it is known

    @property
    def summary(self) -> str:
        return inspect.cleandoc(self.__doc__ or "").partition("\n\n")[0].replace("\n", " ")

    @property
    def formula(self) -> str:
        return self._doc_part(r"\.\. math::\s*(.+?)(?:\n\s*\n|$)")

    @property
    def reference(self) -> str:
        return self._doc_part(r"\.\. \[1\]\s*(.+?)(?=\n\s*\n|\n\s*\.\. \[|$)")

    def _doc_part(self, pattern: str) -> str:
        found = re.search(pattern, self.__doc__ or "", re.DOTALL)
        return " ".join(found[1].split()) if found else ""


@dataclass(frozen=True, eq=False)
class Record:
    """Hold columns of data; nothing can be written through their arrays."""

    def _put(self, name: str, value: object) -> None:
        if isinstance(value, np.ndarray):
            value = value.view()
            value.flags.writeable = False
        object.__setattr__(self, name, value)

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other fields, which are taken as they are."""
        copy = object.__new__(type(self))
        for field in fields(self):
            copy._put(field.name, changes.pop(field.name, getattr(self, field.name)))
        if changes:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(changes))!r}")
        return copy


def require_whole(name: str, value: object, least: int, *, hint: str) -> None:
    """Raise unless a value is a whole number of at least so much."""
    if type(value) is not int or value < least:
        wrong = f"{name} must be a whole number of at least {least}, got {value!r}."
        raise UsageError(wrong, hint=hint)


def require_top(top: int | None) -> None:
    if top is not None:
        require_whole("top", top, 1, hint=f"the first ten: {command_with(top=10)}")


def require_seed(seed: object) -> None:
    hint = f"the same one gives the same answer: {command_with(seed=0)}"
    require_whole("the seed", seed, 0, hint=hint)


def codes(labels: Iterable[str]) -> Integers:
    """Return the numbers of labels, in the order in which these first come."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels])
