"""What the columns of runs must be, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.data.status import SOLVED, TIMEOUT, UNKNOWN
from deadheat.data.wording import both
from deadheat.errors import DataError, UsageError, counted, quoted
from deadheat.typing import Booleans, Floats, Integers

if TYPE_CHECKING:
    from deadheat.data.runs import Runs

MOST_ROWS = 5


def coded(
    given: Any, names: Sequence[str], what: str, source: str
) -> tuple[Integers, tuple[str, ...]]:
    """Return positions and names, the names in the order of their appearance.

    With ``names`` what is given are positions already.
    """
    if names:
        return np.asarray(given, dtype=np.int32), tuple(names)
    known: dict[str, int] = {}
    values = given.tolist() if hasattr(given, "tolist") else given
    texts = ["" if value is None or value != value else str(value).strip() for value in values]
    codes = np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int32)
    if "" in known and what in {"candidate", "instance"}:
        raise DataError(
            f"{source}: the {what} of run {texts.index('') + 1:,} has no name.",
            hint="every run names its candidate and its instance.",
        )
    return codes, tuple(known)


def floats(given: Any, size: int, name: str, source: str) -> Floats | None:
    """Return a column of numbers, or None; one number stands for all runs."""
    if given is None:
        return None
    try:
        column = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{source}: the {name} column holds what is no number ({error}).",
            hint="give numbers; NaN where one is missing.",
        ) from None
    if column.ndim == 0:
        column = np.full(size, float(column))
    if column.shape != (size,):
        raise DataError(
            f"{source}: {name} has shape {column.shape} for {counted(size, 'run')}.",
            hint="give one number per run, or one for all.",
        )
    return column


def inferred_status(runs: Runs) -> Integers:
    """Return the status of runs of which only quality, time and cutoff are known."""
    if runs.quality is not None:
        return np.where(np.isnan(runs.quality), UNKNOWN, SOLVED).astype(np.int8)
    if runs.time is None:
        raise UsageError(
            f"{runs.source}: nothing says which runs are solved.",
            hint=f"name the column of the status, e.g. {both('status', 'result')}.",
        )
    if runs.cutoff is None:
        return np.where(np.isnan(runs.time), UNKNOWN, SOLVED).astype(np.int8)
    status = np.where(runs.time < runs.cutoff, SOLVED, TIMEOUT)
    return np.where(np.isnan(runs.time), UNKNOWN, status).astype(np.int8)


def within_strata(runs: Runs) -> dict[str, Any]:
    """Return what tells instances apart that have one name in several strata, as in planning."""
    if runs.stratum is None:
        return {}
    pairs = runs.instance.astype(np.int64) * len(runs.strata) + runs.stratum
    distinct, first, place = np.unique(pairs, return_index=True, return_inverse=True)
    if len(distinct) == len(runs.instances):
        return {}
    order = np.argsort(first)  # in the order of their appearance
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    names = [
        f"{runs.strata[pair % len(runs.strata)]}/{runs.instances[pair // len(runs.strata)]}"
        for pair in distinct[order].tolist()
    ]
    told = "instances of one name in several strata are several instances."
    return {
        "instance": rank[place],
        "instances": tuple(names),
        "notes": (*runs.notes, told),
    }


def refuse_repeats(runs: Runs) -> None:
    """Refuse several runs of one candidate on one instance that no seed tells apart."""
    judges = runs.judge
    keys = runs.candidate.astype(np.int64) * (int(judges.max()) + 1) + judges
    ordered = np.sort(keys)
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return
    repeated = np.unique(ordered[1:][again])
    key = keys[np.argmax(np.isin(keys, repeated))]
    found = np.flatnonzero(keys == key)
    lines = [f"{line}" for line in runs.lines[found][:MOST_ROWS]]
    more = ", ..." if len(found) > MOST_ROWS else ""
    row = found[0]
    raise DataError(
        f"{runs.source}: candidate {quoted(runs.candidates[runs.candidate[row]])} has "
        f"{len(found):,} runs on instance {quoted(runs.instances[runs.instance[row]])}"
        f"{_same_seed(runs, row)} ({runs.unit}s {', '.join(lines)}{more}).",
        hint=_only_one(runs, lines),
    )


def _only_one(runs: Runs, lines: Sequence[str]) -> str:
    """Return what to do about runs that nothing tells apart."""
    ways = f"keep only one of {runs.unit}s {', '.join(lines[:-1])} and {lines[-1]}"
    if runs.seed is not None:
        return f"{ways}, or give each a seed of its own."
    if runs.unit == "run":
        return f"{ways}; if they are repeats, say which is which: seed=[...]."
    return (
        f"{ways}; if instances of several families share a name, --stratum COL names the family; "
        f"if they are repeats, {both('combine', 'mean')} averages them, "
        f"{both('combine', 'judges')} numbers them, and --repeat COL names a column that does."
    )


def _same_seed(runs: Runs, row: int) -> str:
    return "" if runs.seed is None else f" with seed {quoted(runs.seeds[runs.seed[row]])}"


def refuse_negative(runs: Runs, name: str) -> None:
    """Refuse a negative or infinite time, and a cutoff that is not above 0."""
    column = getattr(runs, name)
    if column is None:
        return
    bad = np.isinf(column) | (column < 0) if name == "time" else ~(column > 0) | np.isinf(column)
    if bad.any():
        row = int(np.argmax(bad))
        wanted = "at least 0 seconds" if name == "time" else "above 0 seconds"
        raise DataError(
            f"{runs.place(row)} has the {name} {column[row]:g}{_in_all(bad)}.",
            hint=f"a {name} is {wanted}; leave it empty where it is not known."
            if name == "time"
            else f"a {name} is {wanted}.",
        )


def of_instances(runs: Runs, name: str, words: Sequence[str] = ()) -> Any:
    """Return what a column says of each instance; refuse two values, of which none is one.

    ``words`` are the names that the codes of a column stand for.
    """
    column = getattr(runs, name)
    found = np.zeros(len(runs.instances), dtype=column.dtype)
    found[runs.instance[::-1]] = column[::-1]  # the first run of an instance has the last word
    first = found[runs.instance]
    other = (first != column) & ~((first != first) & (column != column))
    if other.any():
        row = int(np.argmax(other))
        said = [_said(value, words) for value in (first[row], column[row])]
        raise two_values(runs.source, runs.instances[runs.instance[row]], name, said)
    return found


def two_values(source: str, instance: str, name: str, said: Sequence[str]) -> DataError:
    """Return the error for an instance of which a column says two things."""
    return DataError(
        f"{source}: instance {quoted(instance)} has two values of {name}: {said[0]} and {said[1]}.",
        hint=f"a {name} belongs to an instance and is the same in all of its runs.",
    )


def _said(value: Any, words: Sequence[str]) -> str:
    if words:
        return quoted(words[value])
    return "none" if value != value else f"{value:g}"


def refuse_bad_reference(runs: Runs) -> None:
    """Refuse a best known quality that is negative or infinite; NaN means that none is known."""
    bad = (runs.reference < 0) | np.isinf(runs.reference)
    if bad.any():
        row = int(np.argmax(bad))
        raise bad_reference(runs.instances[runs.instance[row]], f"{runs.reference[row]:g}")


def bad_reference(instance: str, said: str) -> DataError:
    """Return the error for a best known quality that is no finite number of at least 0."""
    return DataError(
        f"the reference of instance {quoted(instance)} is {said}.",
        hint="the best known cost is a finite number of at least 0; leave it out where none is "
        "known.",
    )


def settled_late(runs: Runs) -> dict[str, Any]:
    """Refuse solved runs above the cutoff, or return what makes them what ``late`` says."""
    if runs.time is None or runs.cutoff is None:
        return {}
    late: Booleans = (runs.status == SOLVED) & (runs.time > runs.cutoff)
    if not late.any():
        return {}
    number = counted(int(late.sum()), "solved run")
    if runs.late == "error":
        row = int(np.argmax(late))
        raise DataError(
            f"{runs.place(row)} is solved after {runs.time[row]:g} s, above the cutoff of "
            f"{runs.cutoff[row]:g} s{_in_all(late)}.",
            hint=f"is the cutoff right? {both('late', 'timeout')} counts such runs as timeouts, "
            "'solved' as solved at the cutoff.",
        )
    if runs.late == "timeout":
        told = f"{number} above the cutoff counted as timeouts."
        status = np.where(late, TIMEOUT, runs.status).astype(np.int8)
        return {"status": status, "notes": (*runs.notes, told)}
    told = f"{number} above the cutoff counted as solved at the cutoff."
    return {"time": np.where(late, runs.cutoff, runs.time), "notes": (*runs.notes, told)}


def _in_all(bad: Booleans) -> str:
    number = int(bad.sum())
    return f" ({number:,} such runs)" if number > 1 else ""
