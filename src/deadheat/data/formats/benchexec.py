"""BenchExec: its table CSV (tab-separated, three header rows) and its result XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from deadheat.core.errors import DataError
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import files_in, stream, text_in, xml_in
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

COLUMNS = ("tool", "task", "status", "time")
STATES: dict[str, Any] = {"layout": "runs", "candidate": "tool", "judge": "task"}
STATES |= {"status": "status", "time": "time", "noun": {"candidate": "tool", "judge": "task"}}
RESULT = re.compile(r"\.results\b.*\.xml(\.bz2|\.gz)?$")
ROOT = re.compile(r"<result\b[^>]*benchmarkname=")
SECONDS = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(s|sec|min|h|)\s*")
UNITS = {"s": 1, "sec": 1, "": 1, "min": 60, "h": 3600}
UNIT = re.compile(r"\s*\([^)]*\)$")


@reads_format(
    "benchexec",
    "a result of BenchExec",
    known_by="header rows tool and run set, or XML of results",
)
def read_benchexec(source: Source, options: Options) -> Stream:  # noqa: ARG001
    limits: set[float] = set()
    if source.listing is None and not source.text.lstrip().startswith("<"):
        rows: Any = _table(source)
    else:
        files = files_in(source, RESULT.search)
        rows = [row for name, part in files for row in _result(name, part, limits)]
    states = STATES | ({"cutoff": limits.pop(), "late": "timeout"} if len(limits) == 1 else {})
    return stream(source, COLUMNS, rows, states=states)


@read_benchexec.recognises
def _is_benchexec(source: Source) -> str:
    if source.listing:
        files = [name for name in source.listing if RESULT.search(name)]
        return f"it holds results such as {files[0]}" if files else ""
    starts = [line.split("\t")[0].strip() for line in source.lines[:2]]
    if starts == ["tool", "run set"]:
        return "its header rows are tool and run set"
    xml = source.text.lstrip()[:1] == "<" and ROOT.search(source.text)
    return "it is XML with <result benchmarkname=...>" if xml else ""


def _meaning(status: str, category: str) -> str:
    """Return what a status means: its category says whether an answer is right, if there is one."""
    low = status.lower()
    failures = (("timeout", "timeout"), ("out of memory", "memout"), ("out_of_memory", "memout"))
    failed = next((word for sign, word in failures if low.startswith(sign)), "")
    if failed or category in {"error", "unknown", "missing", "wrong"}:
        words = {"wrong": "wrong", "error": "crash"}
        return failed or words.get(category, "unknown")
    if category.startswith("correct") or low == "done" or low.startswith(("true", "false")):
        return "solved"
    return "solved" if low in {"sat", "unsat"} else "crash" if "error" in low else "unknown"


def _table(source: Source) -> Iterator[list[str | None]]:
    lines = [line.split("\t") for line in text_in(source).splitlines() if line.strip()]
    if len(lines) < 4:
        raise DataError(f"{source.name} has no rows.", hint="three header rows stand above runs.")
    tools, sets, titles = ([cell.strip() for cell in line] for line in lines[:3])
    blocks: dict[tuple[str, str], dict[str, int]] = {}
    first = next((k for k, tool in enumerate(tools) if k and tool), len(tools))
    for k in range(first, min(map(len, (tools, sets, titles)))):
        blocks.setdefault((tools[k], sets[k]), {}).setdefault(UNIT.sub("", titles[k]).lower(), k)
    several = len({tool for tool, _ in blocks}) < len(blocks)
    if not any("status" in columns for columns in blocks.values()):
        fact = f"{source.name} has no column of statuses."
        raise DataError(fact, hint="a table of BenchExec has one for each tool.")
    for cells in lines[3:]:
        task = " ".join(filter(None, map(str.strip, cells[:first])))
        for (tool, run_set), columns in blocks.items():
            found = {title: cells[k].strip() for title, k in columns.items() if k < len(cells)}
            if found.get("status"):
                name = f"{tool} {run_set}".strip() if several else tool
                yield _run(name, task, found)


def _run(tool: str, task: str, found: dict[str, str]) -> list[str | None]:
    time = found.get("cputime") or found.get("walltime") or ""
    seconds = SECONDS.fullmatch(time)
    status = _meaning(found.get("status", ""), found.get("category", "").lower())
    return [tool, task, status, seconds[1] if seconds else None]


def _result(name: str, part: Source, limits: set[float]) -> list[list[str | None]]:
    root = xml_in(part)
    if root.tag != "result":
        fact = f"{name}: its XML is a <{root.tag}>, not a <result>."
        raise DataError(fact, hint="BenchExec writes files that end in .results.NAME.xml.bz2.")
    about = root.attributes
    called = about.get("displayName") or about.get("tool") or name
    parts = (called, about.get("version", ""), about.get("name", "").rpartition(".")[2])
    tool = " ".join(filter(None, dict.fromkeys(parts)))
    limit = SECONDS.fullmatch(about.get("timelimit", ""))
    if limit:
        limits.add(float(limit[1]) * UNITS[limit[2]])
    rows = []
    for run in root.find("run"):
        columns = {each.attributes.get("title", ""): each.attributes.get("value", "")
                   for each in run.find("column")}  # fmt: skip
        names = map(run.attributes.get, ("name", "properties"))
        task = " ".join(filter(None, names))
        rows.append(_run(tool, task, columns))
    if not rows:
        raise DataError(f"{name} has no runs.", hint="was the benchmark executed?")
    return rows
