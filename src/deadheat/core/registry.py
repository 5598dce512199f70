"""Plug-ins: one folder for each kind of them, one file each; to add a file is to register it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType


@cache
def plugins(folder: str) -> tuple[ModuleType, ...]:
    """Import all modules of a package, in the order of their names; decorators register."""
    package = importlib.import_module(folder)
    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return tuple(importlib.import_module(f"{folder}.{name}") for name in names)
