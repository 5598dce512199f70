"""What holds of every run: the exit code, the messages, the files, the memory, the answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from fuzz import reading
from fuzz.cases import Case

SECONDS = 20
MEGABYTES = 2_000
NEVER = (
    "Traceback (most recent call last)", "failed unexpectedly", "RuntimeWarning", "UserWarning",
    "FutureWarning", "DeprecationWarning", "ResourceWarning", "Exception ignored",
    "deadheat was stopped", "deadheat was killed", "deadheat crashed",
)  # fmt: skip
SAFE = {"json", "table", "md", "latex"}  # CSV and TSV say exactly what the table has
CONTROLS = {*map(chr, range(32)), "\x7f", *map(chr, range(0x80, 0xA0))} - {"\n", "\t"}


@dataclass(frozen=True)
class Outcome:
    """How a run ended; ``code`` is negative where a signal ended it."""

    code: int
    cpu: float
    megabytes: float
    folder: Path
    temp: Path
    hung: bool

    @property
    def out(self) -> bytes:
        """Standard output."""
        return (self.temp.parent / "out").read_bytes()

    @property
    def err(self) -> str:
        """Standard error."""
        return (self.temp.parent / "err").read_bytes().decode("utf-8", "replace")


def faults(case: Case, outcome: Outcome) -> list[str]:
    """Return the laws that a run broke, in words."""
    err = outcome.err
    found = [f"standard error has {word!r}" for word in NEVER if word in err]
    if outcome.hung or outcome.cpu > SECONDS:
        found.append(f"took {outcome.cpu:.0f} s of CPU{' and was stopped' if outcome.hung else ''}")
    elif outcome.code not in {0, 2, 3, 4}:
        found.append(f"exit code {outcome.code}")
    if outcome.megabytes > MEGABYTES:
        found.append(f"took {outcome.megabytes:,.0f} MB")
    if outcome.code in {2, 3} and "error: " not in err:
        found.append("refused without a message")
    shown = [hex(ord(c)) for c in sorted(CONTROLS & set(err))]
    if shown:
        found.append(f"raw controls on standard error: {shown}")
    formats = {value for option, value in pairwise(case.args) if option == "--format"}
    if b"\x1b" in outcome.out and ("--json" in case.args or SAFE & formats):
        found.append("an escape sequence on standard output")
    if str(outcome.temp) in err or str(outcome.temp).encode() in outcome.out:
        found.append("a temporary folder is told")
    return [*found, *_files(case, outcome), *(_json(case, outcome) or _answer(case, outcome))]


def _files(case: Case, outcome: Outcome) -> list[str]:
    found = []
    for name, content in case.files.items():
        if name not in case.inputs:
            continue
        path = outcome.folder / name
        if not path.is_file() or path.read_bytes() != content:
            found.append(f"the input {name} was changed")
    if outcome.hung or outcome.code < 0:
        return found
    if any(outcome.temp.iterdir()):
        found.append(f"left behind: {sorted(p.name for p in outcome.temp.iterdir())}")
    asked = {arg.partition("/")[0] for arg in case.args} | {"report.html"}
    known = {name.partition("/")[0] for name in case.files}
    extra = {p.name for p in outcome.folder.iterdir()} - known
    if extra - asked or (extra and outcome.code in {2, 3}):
        found.append(f"wrote {sorted(extra)}")
    return found


def _json(case: Case, outcome: Outcome) -> list[str]:
    wanted = "--json" in case.args and not {"-o", "--output", "-h"} & set(case.args)
    if not wanted or outcome.code not in {0, 4} or "--path" in case.args:
        return []
    try:
        json.loads(outcome.out, parse_constant=_refuse)
    except ValueError as error:
        return [f"no JSON: {error}"]
    return []


def _refuse(token: str) -> Any:
    raise ValueError(f"{token} is no JSON")


def _answer(case: Case, outcome: Outcome) -> list[str]:
    """Compare the means with those of an independent reading, where both read the file."""
    if not case.table or outcome.code != 0:
        return []
    expected = reading.means(case.files[case.table], case.reading)
    if expected is None:
        return []
    told = {row["candidate"]: row["merit"] for row in json.loads(outcome.out)["rows"]}
    size = max(map(abs, expected.values()), default=0) + 1e-300
    same = set(told) == set(expected) and all(
        told[name] is not None and abs(told[name] - mean) <= 1e-9 * max(size, abs(mean))
        for name, mean in expected.items()
    )
    return [] if same else [f"misread: {told} instead of {expected}"]
