"""ASlib scenarios: ``algorithm_runs.arff``, with ``description.txt`` beside it in a folder."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError, counted
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import stream, text_in
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import GET_AGAIN, Source, Stream

RUNS, ABOUT = "algorithm_runs.arff", "description.txt"
NEEDED = ("instance_id", "repetition", "algorithm", "runstatus")
STATUSES = {"ok": "solved", "not_applicable": "unknown", "other": "unknown"}
ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)", re.IGNORECASE)


@reads_format("aslib", "an ASlib scenario", known_by=f"{RUNS}, beside it {ABOUT}")
def read_aslib(source: Source, options: Options) -> Stream:  # noqa: ARG001
    about: dict[str, Any] = {}
    text = ""
    if source.listing is None:
        text = text_in(source)
    for name in source.listing or ():
        if name.rpartition("/")[2] == ABOUT:
            with source.open(name) as part:
                about = _description(text_in(part))
        elif name.rpartition("/")[2] == RUNS:
            with source.open(name) as part:
                text = text_in(part)
    columns, rows = _arff(text, source.name)
    for column in (column for column in NEEDED if column not in columns):
        fact = f"{source.name}: {RUNS} has no attribute {column}."
        raise DataError(fact, hint=f"an ASlib file of runs has {', '.join(NEEDED)}.")
    measures = [name for name in columns if name not in NEEDED]
    if not measures:
        raise DataError(f"{source.name}: {RUNS} measures nothing.", hint="add a time or a quality.")
    measure = next((each for each in about.get("performance_measures", ()) if each in measures),
                   measures[0])  # fmt: skip
    states = _states(about, measure, measures)
    several = len({row[columns.index("repetition")] for _, row in rows}) > 1
    states |= {"repeat": "repetition"} if several else {}
    return stream(source, columns, rows, unit="line", states=states)


@read_aslib.recognises
def _is_scenario(source: Source) -> str:
    for name in source.listing or ():
        if name == RUNS:
            return f"it holds {RUNS}"
    runs = "@relation" in source.text.lower() and all(
        re.search(rf"@attribute\s+'?{name}\b", source.text, re.IGNORECASE) for name in NEEDED
    )
    return "it is an ARFF file of runs with a runstatus" if runs else ""


def _states(about: dict[str, Any], measure: str, measures: list[str]) -> dict[str, Any]:
    place = measures.index(measure)
    kinds, turned = about.get("performance_type", []), about.get("maximize", [])
    runtime = (kinds[place : place + 1] or ["runtime"])[0] == "runtime"
    states: dict[str, Any] = {"candidate": "algorithm", "judge": "instance_id"}
    states["noun"] = {"candidate": "algorithm", "judge": "instance"}
    if not runtime:
        states |= {"layout": "long", "score": measure, "combine": "judges", "repeat": "repetition"}
        way = (turned[place : place + 1] or [""])[0].lower()
        return states | ({"better": "higher" if way == "true" else "lower"} if way else {})
    states |= {"layout": "runs", "status": "runstatus", "time": measure, "late": "timeout"}
    states["statuses"] = STATUSES
    limit = about.get("algorithm_cutoff_time")
    try:
        cutoff = float(str(limit))
    except ValueError:
        return states
    return states | ({"cutoff": cutoff} if 0 < cutoff < float("inf") else {})


def _description(text: str) -> dict[str, Any]:
    """Return the scalars of a description, and the lists that are written as dashes or in []."""
    found: dict[str, Any] = {}
    last = ""
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        item = re.fullmatch(r"\s*-\s*(.+?)\s*", line)
        if item and last and isinstance(found.get(last), list):
            found[last].append(item[1].strip("'\""))
        elif colon and not line[:1].isspace():
            last, value = key.strip().lower(), value.strip().strip("'\"")
            inner = value.strip("[]").split(",") if value[:1] == "[" else [value] if value else []
            lists = last in {"performance_measures", "performance_type", "maximize"}
            found[last] = [each.strip().strip("'\"") for each in inner] if lists else value
    return found


def _arff(text: str, name: str) -> tuple[list[str], list[tuple[int, list[str | None]]]]:
    columns, data = list[str](), False
    rows: list[tuple[int, list[str | None]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        plain = line.strip()
        if not plain or plain[0] == "%":
            continue
        if data:
            cells = next(_cells(plain))
            if len(cells) != len(columns):
                size = f"{counted(len(cells), 'cell')}, not {len(columns):,}"
                fact = f"{name}: line {number:,} has {size} as there are attributes."
                raise DataError(fact, hint="mend or remove the line.")
            rows.append((number, [None if cell == "?" else cell for cell in cells]))
        elif found := ATTRIBUTE.match(plain):
            columns.append(found[1].strip("'\"").lower())
        else:
            data = plain.lower().startswith("@data")
    if not rows:
        raise DataError(f"{name} has no rows behind @data.", hint=GET_AGAIN)
    return columns, rows


def _cells(line: str) -> Iterator[list[str]]:
    quote = "'" if "'" in line else '"'
    for row in csv.reader([line], quotechar=quote, skipinitialspace=True):
        yield [cell.strip() for cell in row]
