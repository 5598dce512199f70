"""Small real tables that the project made itself; `tools/` holds the scripts that made them."""

from __future__ import annotations

from importlib import resources

from deadheat.data.read import read
from deadheat.data.results import Results
from deadheat.errors import UnknownNameError

EXAMPLES = {
    "compressors": "compression ratios of 10 settings of deflate, bzip2 and LZMA on 16 inputs",
}
DEFAULT = "compressors"


def load(name: str = DEFAULT) -> Results:
    """Return an example table by name.

    >>> from deadheat.data.examples import load
    >>> load("compressors")
    <Results: 10 candidates x 16 judges, higher is better>
    """
    if name not in EXAMPLES:
        raise UnknownNameError("example", name, EXAMPLES)
    with resources.as_file(resources.files(__name__) / f"{name}.csv") as path:
        return read(path, better="higher").changed(source=name)
