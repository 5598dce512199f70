"""SWE-bench: which issues each model resolved, from reports of the harness or results.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from deadheat.core.errors import DataError
from deadheat.core.memory import require
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import CELL, at, files_in, json_in, stream
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

OF_REPORTS, OF_RESULTS = {"resolved_ids", "submitted_ids"}, {"resolved", "no_generation"}
FILE = re.compile(r"(?:(?:.*/)?([^/]+)/results/results|(?:.*/)?([^/]+))\.json(?:\.gz)?")


class Report(NamedTuple):
    model: str
    resolved: frozenset[str]
    known: dict[str, None]  # issues that it names, in order
    whole: bool  # whether it names all that the model was given


@reads_format(
    "swe-bench",
    "issues that models resolved, as of SWE-bench",
    known_by="JSON with resolved_ids and submitted_ids, or resolved and no_generation",
)
def read_resolved(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Give 1 for an issue that is resolved, 0 for any other of those that a model was given.

    A report names all its issues. ``results.json`` names some: the others have 0 there.
    """
    files = files_in(source, lambda name: FILE.fullmatch(name) is not None)
    found = [each for name, part in files for each in _models(name, part)]
    if not found:
        raise DataError(f"{source.name} names no resolved issue.", hint="is the list of ids there?")
    everything = dict.fromkeys(issue for each in found for issue in each.known)
    require(CELL * len(found) * len(everything), source.name)
    rows = (
        [each.model, issue, float(issue in each.resolved)]
        for each in found
        for issue in (each.known if each.whole else everything)
    )
    states: dict[str, Any] = {"layout": "long", "candidate": "model", "judge": "issue"}
    states |= {"score": "resolved", "better": "higher", "total": "resolved"}
    states["noun"] = {"candidate": "model", "judge": "issue"}
    return stream(source, ["model", "issue", "resolved"], rows, states=states)


@read_resolved.recognises
def _is_resolved(source: Source) -> str:
    for needed in (OF_REPORTS, OF_RESULTS):
        if source.keys >= needed:
            return f"it has {' and '.join(sorted(needed))}"
    for name in filter(FILE.fullmatch, source.listing or ()):
        with source.open(name) as part:
            return f"it holds {name}" if _is_resolved(part) else ""
    return ""


def _models(name: str, part: Source) -> Iterator[Report]:
    """Yield the report of a file, or of each model where a file has several."""
    found = FILE.fullmatch(name)
    model = (found[1] or found[2] if found else name).replace("__", "/", 1)
    content = json_in(part)
    one = _report(model, content)
    several = content.items() if one is None and isinstance(content, dict) else ()
    for each in (one, *(_report(key, value) for key, value in several)):
        if each is not None:
            yield each


def _report(model: str, content: Any) -> Report | None:
    whole = at(content, "resolved_ids") is not None
    resolved = at(content, "resolved_ids" if whole else "resolved")
    if not isinstance(resolved, list):
        return None
    lists = (each for each in content.values() if isinstance(each, list))
    known = dict.fromkeys(issue for each in lists for issue in each if isinstance(issue, str))
    return Report(model, frozenset(filter(known.__contains__, map(str, resolved))), known, whole)
