"""SWE-bench: which issues each model resolved, from reports of the harness or results.json."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from deadheat.core.errors import DataError
from deadheat.core.memory import require
from deadheat.data.formats import reads_format
from deadheat.data.reading.documents import (
    CELL,
    at,
    files_in,
    holding,
    json_in,
    many,
    shown_names,
    stream,
    text_in,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

OF_REPORTS, OF_RESULTS = {"resolved_ids", "submitted_ids"}, {"resolved", "no_generation"}
FILE = re.compile(r"(?:(?:.*/)?([^/]+)/results/results|(?:.*/)?(?!report\.)([^/]+))\.json(?:\.gz)?")
OF_ISSUE = re.compile(r"(?:.*/)?(?!logs/)([^/]+)/(?:logs/)?[^/]+/report\.json")
METADATA = re.compile(r"(?:.*/)?[^/]+/metadata\.yaml")
NAME = re.compile(r"^\s*name:\s*(['\"]?)(.+?)\1\s*$", re.MULTILINE)
IN_ISSUE = {"patch_successfully_applied", "resolved"}  # below the name of the issue


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
    files = files_in(source, FILE.fullmatch)
    found = [each for name, part in files for each in _models(name, part)] or _of_issues(source)
    if not found:
        raise DataError(f"{source.name} names no resolved issue.", hint="is the list of ids there?")
    everything = dict.fromkeys(issue for each in found for issue in each.known)
    require(CELL * len(found) * len(everything), source.name)
    names = _names(source, (each.model for each in found))
    rows = (
        [names[each.model], issue, float(issue in each.resolved)]
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
    of_issues = holding(source, OF_ISSUE.fullmatch, lambda part: part.keys >= IN_ISSUE)
    return holding(source, FILE.fullmatch, _is_resolved) or of_issues


def _models(name: str, part: Source) -> Iterator[Report]:
    """Yield the report of a file, or of each model where a file has several."""
    found = FILE.fullmatch(name)
    model, content = (found[1] or found[2] if found else name), json_in(part)
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
    lists = (many(content, key) for key in content if not whole or key.endswith("_ids"))
    known = dict.fromkeys(issue for each in lists for issue in each if isinstance(issue, str))
    return Report(model, frozenset(filter(known.__contains__, map(str, resolved))), known, whole)


def _of_issues(source: Source) -> list[Report]:
    """Return what logs say, one report for each issue; an issue without one was not resolved."""
    models: dict[str, dict[str, bool]] = {}
    for name, part in files_in(source, OF_ISSUE.fullmatch):
        found, content = OF_ISSUE.fullmatch(name), json_in(part)
        for issue, said in content.items() if isinstance(content, dict) and found else ():
            models.setdefault(str(found and found[1]), {})[issue] = at(said, "resolved") is True
    return [
        Report(model, frozenset(k for k, right in issues.items() if right),
               dict.fromkeys(issues), whole=False)
        for model, issues in models.items()
    ]  # fmt: skip


def _names(source: Source, models: Iterable[str]) -> dict[str, str]:
    """Return what models are called: as ``metadata.yaml`` beside their results says."""
    names = {model: model.replace("__", "/", 1) for model in models}
    for place, part in files_in(source, METADATA.fullmatch) if source.listing else ():
        called, folder = NAME.search(text_in(part)), place.split("/")[-2]
        if called and folder in names:
            names[folder] = called[2]
    return shown_names(names)
