"""The field: eighteen of the solvers that python-sat 1.9.dev17 carries.

`cryptosat` is left out because it only wraps the package pycryptosat, which python-sat does not
bring along; `ergo` and `minisatep`, a third build of MiniSat, to keep the race within its budget.
"""

from __future__ import annotations

from importlib.util import find_spec

SOLVERS = (
    "cadical103", "cadical153", "cadical195", "cadical300", "gluecard3", "gluecard4",
    "glucose3", "glucose4", "glucose42", "kissat404", "lingeling", "maplechrono", "maplecm",
    "maplesat", "mergesat3", "minicard", "minisat-gh", "minisat22",
)  # fmt: skip


def check_present() -> None:
    """Import python-sat once, before the forks, or say how to get it."""
    if find_spec("pysat") is None:
        raise SystemExit("python-sat is not installed. Hint: pip install 'deadheat[data]'.")
    import pysat.solvers  # noqa: F401
