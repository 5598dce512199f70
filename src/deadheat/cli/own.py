"""A user's own ranking function from a Python file: ``--by path/to/file.py:name``."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from deadheat.cli.blame import OWN, in_one_line, own_line
from deadheat.errors import UnknownNameError, UsageError, listed, quoted
from deadheat.ranking.function import RankingFunction

HOW = "decorate it: @deadheat.ranks_scores(NAME, scale=...), or ranks_duels, ranks_table."


def function_from(place: str) -> RankingFunction:
    """Return the ranking function that ``file.py:name`` means; the only one needs no name."""
    file, _, name = place.rpartition(":")
    if not file or not file.endswith(".py"):
        file, name = place, ""
    module = _module(Path(file))
    found = [value for value in vars(module).values() if isinstance(value, RankingFunction)]
    # What the file only imports counts when it is named, not when it is to be guessed.
    own = [f for f in found if getattr(f.kernel, "__module__", "") == module.__name__]
    if name:
        return _named(name, module, found, file)
    if len(own) != 1:
        raise UsageError(
            f"{file} has {len(own) or 'no'} ranking functions.",
            hint=f"name one: {file}:{listed(f.name for f in own)}." if own else HOW,
        )
    return own[0]


def _named(
    name: str, module: ModuleType, found: list[RankingFunction], file: str
) -> RankingFunction:
    wanted = _spelled(name)
    for f in found:
        names = {_spelled(known) for known in (f.name, *f.aliases)}
        if wanted in names or getattr(module, name.replace("-", "_"), None) is f:
            return f
    if hasattr(module, name.replace("-", "_")):
        raise UsageError(f"{quoted(name)} in {file} is not a registered function.", hint=HOW)
    raise UnknownNameError(f"ranking function in {file}:", name, (f.name for f in found))


def _spelled(name: str) -> str:
    return name.lower().replace("-", "_")


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(
            f"there is no file {path}.", hint="--by takes NAME, or FILE.py:NAME of your own."
        )
    name = f"{OWN}{path.stem}_{abs(hash(path.resolve()))}"
    if name in sys.modules:  # two functions of one file
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look the module up
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        place = own_line(error)
        line = getattr(error, "lineno", None) or (place and place[1])
        raise UsageError(
            f"{path}{f', line {line}' if line else ''}: {in_one_line(error)}",
            hint=f"the file must run by itself: python {path}",
        ) from error
    return module
