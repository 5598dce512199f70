"""The sidecar: a TOML file beside a table that says what the table cannot."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deadheat.data.options import COLUMNS, Options
from deadheat.data.source import PACKED, nearby
from deadheat.errors import DataError, UnknownNameError, UsageError
from deadheat.files import reads

TEXT = (
    *("layout", "candidates", "missing", "combine", "repeat", "delimiter", "decimal", "encoding"),
    *("rule", "reference", "late", "wrong"),
)
TABLES = ("columns", "weights", "strata", "clusters", "statuses")
KINDS: Mapping[str, tuple[type, ...]] = {
    "better": (str, dict),
    "tie_tol": (int, float),
    "cutoff": (int, float, str),
    "header": (bool,),
    "sheet": (str, int),
    "ignore": (list,),
    **dict.fromkeys(TEXT, (str,)),
    **dict.fromkeys(TABLES, (dict,)),
}
WORDS = {str: "text", dict: "a table", list: "a list", bool: "true or false", int: "a number"}

EXAMPLES = {
    "better": 'better = "higher"',
    "tie_tol": "tie_tol = 0.01",
    "header": "header = true",
    "sheet": 'sheet = "scores"',
    "ignore": 'ignore = ["notes"]',
    "layout": 'layout = "wide"',
    "candidates": 'candidates = "rows"',
    "missing": 'missing = "worst"',
    "combine": 'combine = "mean"',
    "delimiter": 'delimiter = ";"',
    "decimal": 'decimal = ","',
    "encoding": 'encoding = "latin-1"',
    "rule": 'rule = "par2"',
    "cutoff": "cutoff = 5000",
    "reference": 'reference = "best_known"',
    "late": 'late = "timeout"',
    "wrong": 'wrong = "disqualify"',
    "statuses": '[statuses], and below it one word = "status" per line',
    "columns": '[columns], and below it score = "accuracy"',
    "weights": "[weights], and below it one judge = number per line",
    "strata": '[strata], and below it one judge = "stratum" per line',
    "clusters": '[clusters], and below it one judge = "cluster" per line',
}


def sidecar_of(source: object, asked: str | os.PathLike[str] | None) -> Path | None:
    """Return the sidecar that was asked for, or the one beside the table, if any."""
    if asked is not None:
        return Path(asked)
    if not isinstance(source, str | os.PathLike) or source == "-":
        return None
    path = Path(source)
    names = [f"{path.name}.toml"]
    bare = Path(path.name)
    while bare.suffix.lower() in PACKED:
        bare = bare.with_suffix("")
        names.append(f"{bare.name}.toml")
    names.append(f"{bare.stem}.toml")
    beside = (path.parent / name for name in names)
    return next((file for file in beside if file != path and file.is_file()), None)


def read_sidecar(path: Path) -> Options:
    """Return what a sidecar says; refuse what it cannot say."""
    said = _parsed(path)
    for key, value in said.items():
        if key not in KINDS:
            raise UnknownNameError(f"key in {path.name}", key, KINDS)
        _check_kind(path, key, value)
    columns = said.pop("columns", {})
    for key, value in columns.items():
        if key not in COLUMNS:
            raise UnknownNameError(f"column in {path.name}", key, COLUMNS)
        if not isinstance(value, str):
            raise _wrong(path, f"columns.{key}", value, "text")
    if "ignore" in said:
        said["ignore"] = tuple(map(str, said["ignore"]))
    return Options(**(columns | said))


def _parsed(path: Path) -> dict[str, Any]:
    reads(path, "the sidecar of the input")
    try:
        with path.open("rb") as file:
            said = tomllib.load(file)
        _require_64_bits(said)
    except tomllib.TOMLDecodeError as error:
        raise DataError(
            f"{path.name} is no valid TOML: {error}.", hint='for instance: better = "higher".'
        ) from None
    except UnicodeDecodeError:
        raise DataError(
            f"{path.name} is not UTF-8 text, as TOML must be.", hint="save it as UTF-8."
        ) from None
    except RecursionError:
        raise DataError(
            f"{path.name} is nested too deeply.", hint="a table in it holds names and values."
        ) from None
    except ValueError:
        raise DataError(
            f"{path.name}: a whole number does not fit into 64 bits, as in TOML it must.",
            hint="write a smaller one, or 1e30.",
        ) from None
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"there is no sidecar file {str(path)!r}.", hint=nearby(path)) from None
    except OSError as error:
        raise DataError(
            f"the sidecar {str(path)!r} cannot be read ({error.strerror}).",
            hint="it must be a TOML file that you may read.",
        ) from None
    return said


def _require_64_bits(value: object) -> None:
    """Refuse what Python reads as a whole number and no array holds."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _require_64_bits(part)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError


def _check_kind(path: Path, key: str, value: object) -> None:
    kinds = KINDS[key]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise _wrong(path, key, value, " or ".join(WORDS[kind] for kind in kinds if kind in WORDS))


def _wrong(path: Path, key: str, value: object, wanted: str) -> UsageError:
    name = key.removeprefix("columns.")
    example = EXAMPLES.get(name) or f'{name} = "name of a column"'
    if name == "ignore" and isinstance(value, str):
        example = f"ignore = [{json.dumps(value)}]"
    return UsageError(
        f"{path.name}: {key} must be {wanted}, got {value!r}.", hint=f"for instance: {example}"
    )
