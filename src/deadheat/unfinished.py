"""Files and folders that are there only while work is under way; an interrupt leaves none behind.

Each is told before it is made. Whoever watches over the command (:mod:`deadheat.cli.supervisor`)
removes what is left when the work ends in any other way than its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "deadheat-"


def _nobody(path: str, *, there: bool) -> None:
    """Nobody watches: what is unfinished is removed where it is made."""


tell: Callable[..., None] = _nobody


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """Tell of a file or folder that is about to be made, and once it is finished or gone."""
    whole = os.path.abspath(path)  # noqa: PTH100 - no link is followed
    tell(whole, there=True)
    try:
        yield path
    finally:
        tell(whole, there=False)


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder of our own among the temporary ones, and remove it with all it holds."""
    import secrets
    import tempfile
    from pathlib import Path

    path = Path(tempfile.gettempdir(), f"{PREFIX}{secrets.token_hex(8)}")
    with unfinished(path):
        path.mkdir(mode=0o700)
        try:
            yield path
        finally:
            removed(path)


def removed(path: str | Path) -> None:
    """Remove a file, or a folder with all it holds; what is gone already is fine."""
    import shutil
    from pathlib import Path

    if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
        shutil.rmtree(path, ignore_errors=True)
    else:
        Path(path).unlink(missing_ok=True)
