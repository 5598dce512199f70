"""Datasheets whose numbers come from the data: text between two marks is written by a script.

A passage stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``; all else is prose.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path


def refresh(path: Path, passages: Mapping[str, str]) -> None:
    """Put each passage between its marks; a mark that is not there is an error."""
    text = path.read_text(encoding="utf-8")
    for name, passage in passages.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{path.name} must have one passage {name!r}")
        before, _, rest = text.partition(begin)
        after = rest.partition(end)[2]
        text = f"{before}{begin}\n{passage.strip()}\n{end}{after}"
    path.write_text(text, encoding="utf-8")


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def machine() -> str:
    """Return what the machine is, without its name."""
    cpus = re.findall(r"^model name\s*:\s*(.+)$", _cpuinfo(), re.MULTILINE)
    model = cpus[0] if cpus else platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def versions(packages: Iterable[str]) -> str:
    """Return the versions of Python and of packages."""
    found = [f"{name} {version(name)}" for name in packages]
    return ", ".join([f"Python {platform.python_version()}", *found])


def _cpuinfo() -> str:
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8") if path.exists() else ""
