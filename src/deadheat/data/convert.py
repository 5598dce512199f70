"""Write what was read in our own layouts, which read back to the same bit.

A table is long: ``candidate, judge, score``, and ``standard_error`` where there is one; runs and
battles have one column for each of their fields. The sidecar beside a table says the rest.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.core import files
from deadheat.core.errors import UsageError, quoted
from deadheat.data.battles import Battles
from deadheat.data.reading import read as reader
from deadheat.data.reading.database import database, literal
from deadheat.data.reading.options import COLUMNS
from deadheat.data.reading.preview import GUARDED
from deadheat.data.results import Results
from deadheat.data.runs import STATUSES, Runs

DELIMITERS = {".csv": ",", ".tsv": "\t"}
PARQUET = ".parquet"
OUTCOMES = {1: "left", 0: "tie", -1: "right"}
Columns = dict[str, Sequence[Any]]


def convert(source: Any, to: str | os.PathLike[str], **reading: Any) -> list[Path]:
    """Read any file and write it in our own layout; return the files that were written.

    Parameters
    ----------
    source
        Whatever :func:`deadheat.read`, ``read_runs`` or ``read_battles`` take; ``reading`` are
        their options.
    to
        A name that ends in .csv, .tsv or .parquet; a sidecar of the same name with .toml is written
        beside a table of scores and beside runs.
    """
    path = Path(to)
    if path.suffix.lower() not in (*DELIMITERS, PARQUET):
        fact = f"{quoted(path.name)} does not say what to write."
        raise UsageError(fact, hint="end it in .csv, .tsv or .parquet.")
    known = source if isinstance(source, Results | Runs | Battles) else reader.read_any(
        source, **reading)  # fmt: skip
    if isinstance(known, Battles):
        columns, beside = _battles(known), dict[str, Any]()
    else:
        columns, beside = _runs(known) if isinstance(known, Runs) else _table(known)
        beside |= {"official": dict(known.official)} if known.official else {}
    content = _parquet(columns) if path.suffix.lower() == PARQUET else _text(columns, path)
    written = [(path, content)]
    if beside:
        written.append(sidecar(path, beside))
    with ExitStack() as both:
        for place, _ in written:
            both.enter_context(files.promised(place))
        for place, data in written:
            files.save(place, data)
    return [place for place, _ in written]


# ------------------------------------------------------------------------------
# What each kind has: columns, and what a sidecar says.


def _table(results: Results) -> tuple[Columns, dict[str, Any]]:
    n, m = results.n, results.m
    columns: Columns = {
        "candidate": np.repeat(np.array(results.candidates, dtype=object), m).tolist(),
        "judge": [*results.judges] * n,
        "score": results.original.astype(np.float64).ravel().tolist(),
    }
    said: dict[str, Any] = {"layout": "long"}
    roles = {"candidate": "candidate", "judge": "judge", "score": "score"}
    if results.standard_errors is not None:
        columns["standard_error"] = results.standard_errors.ravel().tolist()
        roles["standard_error"] = "standard_error"
    for name in ("missing", "tie_tol"):
        value = getattr(results, name)
        said |= {name: value} if value not in ("error", 0.0) else {}
    one = results.better[0] if len(set(results.better)) == 1 else None
    said["better"] = one or dict(zip(results.judges, results.better, strict=True))
    said["columns"] = roles
    if (results.weights != 1).any():
        said["weights"] = dict(zip(results.judges, results.weights.tolist(), strict=True))
    for name in ("strata", "clusters"):
        labels = getattr(results, name)
        said |= {} if labels is None else {name: dict(zip(results.judges, labels, strict=True))}
    said |= {"title": results.title} if results.title else {}
    return columns, said | {"noun": vars(results.nouns)}


def _runs(runs: Runs) -> tuple[Columns, dict[str, Any]]:
    names = {"candidate": runs.candidates, "instance": runs.instances, "seed": runs.seeds}
    names |= {"stratum": runs.strata, "cluster": runs.clusters, "status": STATUSES}
    columns: Columns = {}
    for name in ("candidate", "instance", "status", "time", "quality", "cutoff", "seed",
                 "verified", "stratum", "cluster", "weight", "reference"):  # fmt: skip
        values = getattr(runs, name)
        if values is not None:
            known, cells = names.get(name), values.tolist()
            columns[name] = cells if known is None else [known[k] for k in cells]
    roles = {name: name for name in COLUMNS if name in columns} | {"judge": "instance"}
    said: dict[str, Any] = {"layout": "runs", "late": "solved"}
    said |= {name: name for name in ("cutoff", "reference") if name in columns}
    said |= {"repeat": "seed"} if "seed" in columns else {}
    said |= {"combine": runs.combine} if runs.combine else {}
    said |= {"rule": runs.rule} if isinstance(runs.rule, str) else {}
    said |= {"title": runs.title} if runs.title else {}
    return columns, said | {"columns": roles, "noun": vars(runs.nouns)}


def _battles(log: Battles) -> Columns:
    who, number = log.candidates, log.battles.tolist()
    counts = {1: "left_wins", -1: "right_wins", 0: "draws"}
    outcome = log.outcome.tolist()
    columns: Columns = {"left": [who[k] for k in log.left], "right": [who[k] for k in log.right]}
    if log.ordered:
        columns["winner"] = [OUTCOMES[o] for o in outcome]
    else:
        for sign, name in counts.items():
            columns[name] = [c if o == sign else 0 for o, c in zip(outcome, number, strict=True)]
    if (log.weights != log.battles).any():
        columns["weight"] = (log.weights / log.battles).tolist()
    if log.clusters is not None:
        columns[log.cluster_kind or "cluster"] = log.clusters.tolist()
    if log.categories is not None:
        labels = [log.category_names[k] for k in log.categories]
        columns[log.category_kind or "category"] = labels
    for k, name in enumerate(log.covariate_names):
        columns[name] = log.covariates[:, k].tolist() if log.covariates is not None else []
    return columns


# ------------------------------------------------------------------------------
# Text, Parquet and TOML.


def _rows(columns: Columns) -> Iterable[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


def _text(columns: Columns, path: Path) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=DELIMITERS[path.suffix.lower()], lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in _rows(columns))
    return text.getvalue().encode("utf-8", "surrogateescape")


def _cell(value: Any) -> str:
    if isinstance(value, str):  # as readers take an apostrophe before a sign away
        return f"'{value}" if GUARDED.match(value) else value
    return "" if value is None or value != value else repr(value)


def _parquet(columns: Columns) -> bytes:
    with ExitStack() as stack:
        base = stack.enter_context(database())
        arrays = {f"c{k}": _array(values) for k, values in enumerate(columns.values())}
        base.connection.register("columns_read", arrays)
        path = base.fresh()
        named = ", ".join(
            f'c{k} AS "{name.replace(chr(34), chr(34) * 2)}"' for k, name in enumerate(columns)
        )
        rows = f"SELECT {named} FROM columns_read"  # noqa: S608
        base.connection.execute(f"COPY ({rows}) TO {literal(path)} (FORMAT parquet)")
        return path.read_bytes()


def _array(values: Sequence[Any]) -> Any:
    texts = any(isinstance(value, str) for value in values)
    return np.array(values, dtype=object if texts else None)


def sidecar(path: Path, said: Mapping[str, Any]) -> tuple[Path, bytes]:
    """Return the sidecar of a file that says how it is read, and its content."""
    return path.with_name(f"{path.name}.toml"), _toml(said).encode()


def _toml(said: Mapping[str, Any]) -> str:
    plain = [f"{name} = {_value(value)}" for name, value in said.items()
             if not isinstance(value, Mapping)]  # fmt: skip
    for name, value in said.items():
        if isinstance(value, Mapping):
            lines = (f"{_value(str(key))} = {_value(each)}" for key, each in value.items())
            plain += ["", f"[{name}]", *lines]
    return "\n".join(plain) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(float(value)) if isinstance(value, float) else json.dumps(value)
