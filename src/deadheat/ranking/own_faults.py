"""Call the kernel of a ranking function; what a user's own one raises is told with its place."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.errors import DeadheatError, OwnFunctionError, UsageError
from deadheat.typing import Floats

if TYPE_CHECKING:
    from deadheat.ranking.function import RankingFunction

LARGEST = 1e300  # the difference of two such merits is still a number
EXACT = 2**53


def called(f: RankingFunction, *args: Any) -> Floats:
    """Return what a kernel returns; raise with name, file and line what a user's own raises."""
    try:
        returned = f.kernel(*args)
    except BaseException as error:  # whatever a user's function raises, an exit too
        if f.shipped or isinstance(error, DeadheatError | MemoryError | KeyboardInterrupt):
            raise
        place = place_of(f, error)
        said = " ".join(str(error).split())
        raise OwnFunctionError(
            f"{place}ranking function {f.name} failed: {type(error).__name__}: {said}.",
            hint="mend that function; the error that it raised is the cause of this one.",
        ) from error
    return returned if f.shipped else _array(f, returned)


def _array(f: RankingFunction, returned: Any) -> Any:
    """Return what a user's own kernel returned as an array; refuse what cannot be one."""
    if isinstance(returned, np.ma.MaskedArray):
        returned = np.ma.filled(returned.astype(np.float64), np.nan)
    try:
        array = np.asarray(returned)
    except Exception:  # noqa: BLE001 - whatever an object of the user's own raises
        raise UsageError(
            f"{made_at(f)}ranking function {f.name} returned a {type(returned).__name__} that is "
            "no array of numbers.",
            hint="return one number per candidate.",
        ) from None
    whole = array.dtype.kind in "iu" and array.size
    far = max(map(int, (array.min(), array.max())), key=abs) if whole else 0
    if abs(far) > EXACT:
        raise UsageError(
            f"{made_at(f)}ranking function {f.name} returned {far}, and whole numbers are exact "
            "up to 2^53.",
            hint="return smaller ones: a merit is a floating-point number.",
        )
    return array


def refuse_infinite(f: RankingFunction, merits: Floats) -> None:
    """Refuse merits of a user's own function that cannot be compared, averaged or told."""
    bad = np.abs(merits) > LARGEST  # not where a merit is NaN: there is none
    if bad.any():
        replicate, candidate = np.argwhere(bad)[0].tolist()
        raise UsageError(
            f"{made_at(f)}ranking function {f.name} returned {merits[replicate, candidate]:g} for "
            f"candidate {candidate + 1} of {merits.shape[1]}.",
            hint="return a finite number for every candidate; NaN says that there is none.",
        )


def made_at(f: RankingFunction) -> str:
    """Return file and line in which a user's own function begins; nothing if unknown."""
    kernel = getattr(f.kernel, "func", f.kernel)
    if f.shipped or not isinstance(kernel, FunctionType):
        return ""
    return f"{_from_here(kernel.__code__.co_filename)}, line {kernel.__code__.co_firstlineno}: "


def place_of(f: RankingFunction, error: BaseException) -> str:
    """Return file and line of the function in which an error was raised; nothing if unknown."""
    kernel = getattr(f.kernel, "func", f.kernel)
    if not isinstance(kernel, FunctionType):
        return ""
    file = kernel.__code__.co_filename
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == file:
            return f"{_from_here(file)}, line {line}: "
    return ""


def _from_here(file: str) -> Path:
    path, here = Path(file), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
