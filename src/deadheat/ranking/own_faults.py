"""Call the kernel of a ranking function; what a user's own one raises is told with its place."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from deadheat.errors import DeadheatError, OwnFunctionError
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.ranking.function import RankingFunction


def called(f: RankingFunction, *args: Any) -> Floats:
    """Return what a kernel returns; raise with name, file and line what a user's own raises."""
    try:
        return f.kernel(*args)
    except Exception as error:
        if f.shipped or isinstance(error, DeadheatError | MemoryError):
            raise
        place = place_of(f, error)
        said = " ".join(str(error).split())
        raise OwnFunctionError(
            f"{place}ranking function {f.name} failed: {type(error).__name__}: {said}.",
            hint="mend that function; the error that it raised is the cause of this one.",
        ) from error


def place_of(f: RankingFunction, error: BaseException) -> str:
    """Return file and line of the function in which an error was raised; nothing if unknown."""
    kernel = getattr(f.kernel, "func", f.kernel)
    if not isinstance(kernel, FunctionType):
        return ""
    file = kernel.__code__.co_filename
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == file:
            path, here = Path(file), Path.cwd()
            shown = path.relative_to(here) if path.is_relative_to(here) else path
            return f"{shown}, line {line}: "
    return ""
