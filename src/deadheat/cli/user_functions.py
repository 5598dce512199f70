"""A user's own function from a Python file: ``--by`` or ``--rule path/to/file.py:name``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from deadheat.cli.exits import OWN, in_one_line, own_line
from deadheat.core.errors import UnknownNameError, UsageError, command_saying, quoted
from deadheat.core.files import reads, turn_aside
from deadheat.core.registry import spelled
from deadheat.data.formats import Format
from deadheat.data.scoring_rule import ScoringRule
from deadheat.ranking.function import RankingFunction

MOST_WAYS = 3
HOW = "decorate it: @deadheat.ranks_scores(NAME, scale=...), or ranks_duels, ranks_table."


def rule_from(place: str) -> Any:
    """Return the scoring rule that ``file.py:name`` means, a plain function or a decorated one."""
    file, name, module = _load_module(place)
    rules = [rule for rule in vars(module).values() if isinstance(rule, ScoringRule)]
    if not name and len(rules) != 1:
        fact = f"{file} has {len(rules) or 'no'} scoring rules."
        ways = _each_named(place, file, [rule.name for rule in rules])
        raise UsageError(fact, hint=ways or f"write a function in {file} that takes runs.")
    found: Any = getattr(module, name.replace("-", "_"), None) if name else rules[0]
    if found is None:
        found = next((rule for rule in rules if spelled(rule.name) == spelled(name)), None)
    if not callable(found):
        functions = (k for k, value in vars(module).items() if callable(value) and k[0] != "_")
        raise UnknownNameError(f"scoring rule in {file}:", name, functions)
    return found


def format_from(place: str) -> str:
    """Return the name of the format that ``file.py:name`` means; the only one needs no name."""
    file, name, module = _load_module(place)
    found = {f.name: f for f in vars(module).values() if isinstance(f, Format)}
    if name and spelled(name) not in map(spelled, found):
        raise UnknownNameError(f"format in {file}:", name, found)
    if not name and len(found) != 1:
        fact = f"{file} has {len(found) or 'no'} formats."
        how = "decorate a reader: @deadheat.reads_format(NAME, TITLE)."
        raise UsageError(fact, hint=_each_named(place, file, found) or how)
    return name or next(iter(found))


def function_from(place: str) -> RankingFunction:
    """Return the ranking function that ``file.py:name`` means; the only one needs no name."""
    file, name, module = _load_module(place)
    found = [value for value in vars(module).values() if isinstance(value, RankingFunction)]
    if not name:
        # What the file only imports counts when it is named, not when it is to be guessed.
        own = [f for f in found if getattr(f.kernel, "__module__", "") == module.__name__]
        if len(own) != 1:
            ways = _each_named(place, file, [f.name for f in own])
            fact = f"{file} has {len(own) or 'no'} ranking functions."
            raise UsageError(fact, hint=ways or HOW)
        return own[0]
    value = getattr(module, name.replace("-", "_"), None)
    for f in found:
        if f is value or spelled(name) in map(spelled, (f.name, *f.aliases)):
            return f
    if value is not None:
        raise UsageError(f"{quoted(name)} in {file} is not a registered function.", hint=HOW)
    raise UnknownNameError(f"ranking function in {file}:", name, (f.name for f in found))


def _each_named(place: str, file: str, names: Iterable[str]) -> str:
    """Return a command for each of the first names that a file has."""
    few = islice(names, MOST_WAYS)
    return "\n".join(f"{name}: {command_saying({place: [f'{file}:{name}']})}" for name in few)


def _load_module(place: str) -> tuple[str, str, ModuleType]:
    """Return the file, the name in it ("" where none is said) and the module."""
    file, _, function = place.rpartition(":")
    if not file.endswith(".py"):
        file, function = place, ""
    path = Path(file)
    if not path.is_file():
        what = f"{path} is a folder." if path.is_dir() else f"there is no file {path}."
        raise UsageError(what, hint="say NAME, or FILE.py:NAME of your own.")
    reads(path, "the file of your function")
    name = f"{OWN}{path.stem}_{abs(hash(path.resolve()))}"
    if name in sys.modules:  # two functions of one file
        return file, function, sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look the module up
    if str(path.resolve().parent) not in sys.path:  # last, so that no neighbour hides a library
        sys.path.append(str(path.resolve().parent))
    turn_aside()
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # no folder beside the file
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        own = own_line(error)
        line = getattr(error, "lineno", None) or (own and own[1])
        fact = f"{path}{f', line {line}' if line else ''}: {in_one_line(error)}"
        raise UsageError(fact, hint=f"the file must run by itself: python {path}") from error
    finally:
        sys.dont_write_bytecode = bytecode
    return file, function, module
