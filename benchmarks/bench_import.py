"""How long `import deadheat` and `deadheat --help` take, in units of `import numpy`.

Wanted: import under 4, --help nearly the same.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

TRIES = 9
TOY = {"TRIES": 1}


def best(*arguments: str) -> float:
    """Return the shortest wall time of a fresh interpreter, in seconds."""
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> Iterator[str]:
    """Yield the ratios, the bare interpreter taken off."""
    bare = best("-c", "pass")
    unit = best("-c", "import numpy") - bare
    yield f"import numpy      {unit * 1000:6.0f} ms"
    for name, arguments in {
        "import deadheat": ["-c", "import deadheat"],
        "and ask for rank": ["-c", "import deadheat; deadheat.rank"],
        "deadheat --help": ["-m", "deadheat", "--help"],
    }.items():
        took = best(*arguments) - bare
        yield f"{name:17} {took * 1000:6.0f} ms = {took / unit:.2f} x numpy"
