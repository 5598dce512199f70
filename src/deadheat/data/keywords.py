"""Keyword arguments that nobody knows, told with the name of the function that was called."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from deadheat.data.read import read
from deadheat.errors import UsageError, listed


class UnknownKeywordError(UsageError, TypeError):
    """A keyword argument that a function does not take."""


def require_known(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    *,
    meant: Mapping[str, str] | None = None,
) -> None:
    """Refuse keywords that neither the function nor :func:`deadheat.read` takes.

    ``meant`` says of some words what to say instead of them.
    """
    of_read = set(inspect.signature(read).parameters) - {"source"}
    name = next((name for name in given if name not in of_read), None)
    if name is None:
        return
    own = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name != "progress"
    ]
    near = difflib.get_close_matches(name, [*own, *sorted(of_read)], n=1)
    guess = f"did you mean {near[0]}=?" if near else f"it takes {listed(own)}, and all of read()."
    raise UnknownKeywordError(
        f"{function.__name__}() got an unexpected keyword argument {name!r}.",
        hint=(meant or {}).get(name, guess),
    )
