"""Plug-ins: a registry for each kind of them; a file in the folder of a kind is found there."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import cache, cached_property
from types import ModuleType
from typing import Any, TypeVar

from deadheat.core.errors import UnknownNameError, UsageError

T = TypeVar("T")


@cache
def modules(folder: str) -> tuple[ModuleType, ...]:
    """Import all modules of a package, in the order of their names."""
    package = importlib.import_module(folder)
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return tuple(importlib.import_module(f"{folder}.{name}") for name in names)


def plugins(folder: str, kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield what the modules of a package hold of one kind, by all names; of a class one."""
    for module in modules(folder):
        for thing in vars(module).values():
            own = isinstance(thing, type) and thing.__module__ == module.__name__
            found = thing() if own and issubclass(thing, kind) else thing
            if isinstance(found, kind):
                yield from ((name, found) for name in (found.name, *found.aliases))


def spelled(name: object) -> str:
    """Return a name in the one spelling by which registries know it."""
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


class Registry(MutableMapping[str, T]):
    """Things of one kind by name, in any spelling; ``find`` yields them when one is asked for.

    ``noun`` is what messages call one of them. Some names come ``first``, others are sorted.
    """

    def __init__(
        self, noun: str, find: Callable[[], Iterable[tuple[str, T]]], *, first: Sequence[str] = ()
    ) -> None:
        self.noun, self._find, self._first = noun, find, first

    @cached_property
    def _known(self) -> dict[str, tuple[str, T]]:
        known: dict[str, tuple[str, T]] = {}
        for name, thing in self._find():
            if known.setdefault(spelled(name), (name, thing))[1] is not thing:
                fact = f"two different {self.noun}s are called {name!r}."
                raise UsageError(fact, hint="choose another name for one of them.")
        return known

    @property
    def loaded(self) -> bool:
        """Whether somebody has asked for a thing already."""
        return "_known" in vars(self)

    def __getitem__(self, name: str) -> T:
        return self._known[spelled(name)][1]

    def __setitem__(self, name: str, thing: T) -> None:
        self._known[spelled(name)] = name, thing

    def __delitem__(self, name: str) -> None:
        del self._known[spelled(name)]

    def __iter__(self) -> Iterator[str]:
        names = sorted(name for name, _ in self._known.values())
        return iter([*self._first, *(name for name in names if name not in self._first)])

    def __len__(self) -> int:
        return len(self._known)

    def named(self, name: object, *, most: int = 1, see: str = "") -> T:
        """Return the thing of a name; refuse others with the nearest, or ``most`` of these."""
        if spelled(name) not in self._known:
            raise UnknownNameError(self.noun, str(name), self, most=most, see=see)
        return self[str(name)]
