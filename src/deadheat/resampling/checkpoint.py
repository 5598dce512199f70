"""Finished blocks on disk, so that a long run that has ended goes on after them.

A folder belongs to one question: its data, options, seed, function and version stand in
``request.json``, and any other question is refused. Under them every run asks for the same rows of
tasks in the same order, so that a row and a place in it are enough to name a block.
"""

from __future__ import annotations

import glob
import hashlib
import inspect
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from deadheat.core.errors import UsageError, command_with, first_sentence, say
from deadheat.core.files import free_name, save
from deadheat.core.version import __version__
from deadheat.ranking.function import RankingFunction
from deadheat.resampling.engines import engine
from deadheat.resampling.plans import Plan
from deadheat.resampling.tasks import Keep, KeepingEngine

Question = TypeVar("Question", bound=Callable[..., Any])
REQUEST = "request.json"
NOT_ASKED = ("engine", "progress", "note", "checkpoint")  # the answer does not depend on them
ROW, PLACE = 4, 6  # digits
PLAIN = (str, int, float, bool, type(None))


def resumable(question: Question) -> Question:
    """Give a question the option ``checkpoint``, a folder that keeps its blocks."""
    parameters = inspect.signature(question)
    folder = inspect.Parameter(
        "checkpoint",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation="str | os.PathLike[str] | None",
    )

    @wraps(question)
    def asked(*args: Any, **options: Any) -> Any:
        place = options.pop("checkpoint", None)
        if place is None:
            return question(*args, **options)
        given = parameters.bind(*args, **options)
        given.apply_defaults()
        values = {name: value for name, value in given.arguments.items() if name not in NOT_ASKED}
        data, *_ = values
        request = {"deadheat": __version__, "numpy": np.__version__, "question": question.__name__}
        request |= {"data" if name == data else name: _told(values[name]) for name in values}
        kept = Checkpoint(_opened(Path(place), request), options.pop("engine", "threads"))
        try:
            return question(*args, **options, engine=kept)
        finally:
            kept.done = True

    known = [*parameters.parameters.values()]
    asked.__signature__ = parameters.replace(parameters=[*known[:-1], folder, known[-1]])  # type: ignore[attr-defined]
    return cast("Question", asked)


@dataclass
class Checkpoint:
    """An engine that keeps what it computes while the question is asked, and then no more."""

    prefix: Path
    on: Any
    done: bool = False
    rows: Iterator[int] = field(default_factory=count)

    @contextmanager
    def opened(self) -> Iterator[Any]:
        with engine(self.on) as running:
            yield running if self.done else _Keeping(self, running)

    def path(self, row: int, place: int) -> Path:
        return self.prefix.with_name(f"{self.prefix.name}-{row:0{ROW}}-{place:0{PLACE}}")


@dataclass(frozen=True)
class _Keeping:
    checkpoint: Checkpoint
    running: KeepingEngine

    @property
    def workers(self) -> int:
        return self.running.workers

    def __reduce__(self) -> tuple[Any, ...]:
        return self.running.__reduce__()  # type: ignore[return-value]

    def map(
        self, fn: Callable[..., Any], *iterables: Iterable[Any], keep: Keep | None = None
    ) -> Any:
        row, items = next(self.checkpoint.rows), [*zip(*iterables, strict=False)]
        paths = [self.checkpoint.path(row, place) for place in range(len(items))]
        rest = [place for place, path in enumerate(paths) if not path.exists()]

        def store(k: int, answer: Any) -> None:
            content = pickle.dumps(answer, protocol=5)
            save(paths[rest[k]], hashlib.sha256(content).digest() + content)

        computed = self.running.map(fn, *zip(*(items[k] for k in rest), strict=True), keep=store)
        return self._in_order(fn, items, paths, iter(computed) if rest else iter(()), {*rest}, keep)

    @staticmethod
    def _in_order(
        fn: Any, items: Any, paths: list[Path], computed: Any, rest: set[int], keep: Keep | None
    ) -> Iterator[Any]:
        for place, path in enumerate(paths):
            answer = next(computed) if place in rest else _loaded(path, lambda: fn(*items[place]))  # noqa: B023
            if keep is not None:
                keep(place, answer)
            yield answer


def _loaded(path: Path, compute: Callable[[], Any]) -> Any:
    """Return a block from its file; what the disk has spoilt is computed again."""
    content = path.read_bytes()
    if hashlib.sha256(content[32:]).digest() != content[:32]:
        return compute()
    return pickle.loads(memoryview(content)[32:])  # noqa: S301 - of the user's own folder


# ------------------------------------------------------------------------------
# What was asked: two requests with the same words have the same blocks.


def _opened(folder: Path, request: dict[str, Any]) -> Path:
    """Return how the names of blocks begin; refuse a folder of another request."""
    text = json.dumps(request, indent=1, sort_keys=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fact = f"cannot keep blocks in {folder}: {error.strerror}."
        raise UsageError(fact, hint=f"without it: {command_with(checkpoint=None)}") from None
    path = folder / REQUEST
    if path.exists():
        _require_same(folder, path.read_text(encoding="utf-8"), request)
    else:
        save(path, text)
    return folder / hashlib.sha256(text.encode()).hexdigest()[:16]


def _require_same(folder: Path, written: str, request: dict[str, Any]) -> None:
    elsewhere = f"in another folder: {command_with(checkpoint=free_name(str(folder)))}"
    try:
        known = dict(json.loads(written))
    except ValueError as error:
        fact = f"{folder / REQUEST} is not that of a checkpoint ({first_sentence(error)})."
        raise UsageError(fact, hint=elsewhere) from None
    now = json.loads(json.dumps(request))
    other = [name for name in {**known, **now} if known.get(name) != now.get(name)]
    if not other:
        return
    name = next((each for each in ("deadheat", "numpy", "question") if each in other), other[0])
    old, new = known.get(name), now.get(name)
    what = f"{say(name, old)}, not to {say(name, new)}"
    if name in {"deadheat", "numpy", "question"}:
        what = f"{'' if name == 'question' else f'{name} '}{old}, not to {new}"
    elif name == "data" or not isinstance(old, PLAIN) or not isinstance(new, PLAIN):
        what = "other data" if name == "data" else f"another {say(name).rstrip('=')}"
    raise UsageError(f"the blocks in {folder} belong to {what}.", hint=elsewhere)


def _told(value: Any) -> Any:
    """Return a value as JSON can hold it, what is large or code by a digest."""
    if isinstance(value, RankingFunction):
        return {"function": value.name, "code": _code(value.kernel)}
    if hasattr(value, "sha256"):
        ties = getattr(value, "tie_tol", None)
        return {"sha256": value.sha256, "ties": ties, "type": str(getattr(value, "dtype", ""))}
    if isinstance(value, str | os.PathLike) and (files := _files(os.fspath(value))):
        return {"sha256": [_of_file(each) for each in files]}
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, Mapping):
        return {str(key): _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset | range):
        told = [_told(each) for each in value]
        return sorted(told, key=repr) if isinstance(value, set | frozenset) else told
    if callable(value):
        return {"code": _code(value)}
    if isinstance(value, Plan):
        with np.printoptions(threshold=sys.maxsize, floatmode="unique"):
            return repr(value)
    import cloudpickle  # type: ignore[import-untyped]

    return {"sha256": hashlib.sha256(cloudpickle.dumps(value)).hexdigest()}


def _files(name: str) -> list[Path]:
    """Return the files that a name stands for, as in a battle log; none where it is a word."""
    if not name:
        return []
    path = Path(name)
    found = [path] if path.exists() else sorted(map(Path, glob.glob(name, recursive=True)))  # noqa: PTH207
    each = [file for one in found for file in (sorted(one.rglob("*")) if one.is_dir() else [one])]
    return [file for file in each if file.is_file()]


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _code(function: Any) -> str:
    """Return a digest of the file that holds a function, of its code where no file does."""
    if getattr(function, "__module__", "").startswith("deadheat."):
        return "deadheat"
    code = getattr(inspect.unwrap(function), "__code__", None)
    with suppress(TypeError, OSError):
        return _of_file(Path(inspect.getfile(function)))
    said = repr(function) if code is None else (code.co_code, code.co_names, repr(code.co_consts))
    return hashlib.sha256(repr(said).encode()).hexdigest()
