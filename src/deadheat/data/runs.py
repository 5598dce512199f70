"""Runs of a competition: one row per (candidate, instance, seed), before any score is given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from deadheat.core import errors
from deadheat.core.errors import (
    DataError,
    NotOneScoreError,
    UnknownNameError,
    UsageError,
    Words,
    command_with,
    counted,
    few,
    quoted,
)
from deadheat.core.options import LATE
from deadheat.core.types import Booleans, Floats, Integers, Record
from deadheat.core.weights import TRIFLE
from deadheat.data.results import Nouns
from deadheat.output.result import Drawable

# How a run ended, and the words by which people say so.

STATUSES = ("solved", "timeout", "memout", "crash", "wrong", "unknown")
SOLVED, TIMEOUT, MEMOUT, CRASH, WRONG, UNKNOWN = range(len(STATUSES))
MOST_WORDS = 12


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


# Without case, and with a blank for any run of other signs: "timeout (CPU)" is "timeout cpu".
_VERIFIED = _phrases("verified, sat verified, unsat verified, proof verified")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "solved": _VERIFIED
    + _phrases("""
        solved, ok, complete, completed, success, successful, done, finished, sat, unsat,
        satisfiable, unsatisfiable, optimal, optimum, optimum found, s satisfiable,
        s unsatisfiable, s optimum found, correct, true, yes, 1, plan found, solution found,
        covered, pass, passed, accepted
    """),
    "timeout": _phrases("""
        timeout, time out, timed out, timeout wallclock, timeout cpu, to, tle, timelimit,
        time limit, time limit exceeded, out of time, outoftime, timeout soft,
        out of time and memory, resource out, resourceout, cutoff
    """),
    "memout": _phrases("""
        memout, mem out, out of memory, outofmemory, outofmemoryexception, oom, mo, memory out,
        memory limit, memory limit exceeded, mle, memlimit
    """),
    "crash": _phrases("""
        crash, crashed, error, err, failed, failure, fail, exception, abort, aborted, segfault,
        segmentation fault, signal, killed, runtime error, error and out of time,
        error and out of memory, error and out of time and memory,
        unknown portfolio returncode, critical error, input error, unsupported
    """),
    "wrong": _phrases("""
        wrong, wrong answer, incorrect, incorrect answer, wa, invalid, unsound, sat incorrect,
        unsat incorrect, invalid plan, suboptimal, refuted
    """),
    "unknown": _phrases("""
        , unknown, s unknown, other, na, n a, nan, none, null, false, no, 0, not applicable,
        presolved, unsolved, no answer, no result, incomplete, unsolvable incomplete,
        search unsolvable incomplete, gave up, not solved
    """),
}
_CODES = {word: STATUSES.index(status) for status, words in _WORDS.items() for word in words}
_CHECKED = {*_VERIFIED, *_phrases("yes, true, 1, correct, valid, ok, accepted")}
_UNCHECKED = _phrases("""
    unverified, unchecked, not verified, not checked, enqueued, pending, sat, unsat
""")


def plain_word(word: object) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", str(word).lower()))


def status_codes(
    words: Sequence[str], mapping: Mapping[str, str] | None = None, source: str = "the runs"
) -> Integers:
    """Return the status that each word means, as its position in ``STATUSES``."""
    known = dict(_CODES)
    for word, status in (mapping or {}).items():
        spelled = plain_word(status)
        if spelled not in _CODES or not spelled:
            raise UnknownNameError(f"status for {quoted(word)}", str(status), STATUSES)
        known[plain_word(word)] = _CODES[spelled]
    counts = Counter(words)
    codes = {word: known.get(plain_word(word)) for word in counts}
    unknown = sorted((-counts[word], word) for word, code in codes.items() if code is None)
    if unknown:
        noun = "an unknown status" if len(unknown) == 1 else f"{len(unknown):,} unknown statuses"
        described = [f"{quoted(word)} ({counted(-number, 'run')})" for number, word in unknown]
        own = ",".join(f"{word}=?" for _, word in unknown[:MOST_WORDS])
        hint = f"say what each means, where ? is one of {', '.join(STATUSES)}: "
        hint += command_with(statuses=[own])
        raise DataError(f"{source} has {noun}: {few(described, MOST_WORDS)}.", hint=hint)
    return np.array([codes[word] for word in words], dtype=np.int8)


def meaning(word: object, mapping: Mapping[str, str] | None = None) -> str:
    """Return the status that a word means, or nothing where it is no known word.

    >>> meaning("MO"), meaning("Paris"), meaning("T.O.", {"T.O.": "timeout"})
    ('memout', '', 'timeout')
    """
    own = {plain_word(each): status for each, status in (mapping or {}).items()}
    plain = plain_word(word)
    code = _CODES.get(plain_word(own.get(plain, plain)))
    return "" if code is None else STATUSES[code]


def checks_of(
    words: Sequence[str], mapping: Mapping[str, str] | None = None, source: str = "the runs"
) -> tuple[Booleans, Booleans]:
    """Return which words about verification say that an answer was found right, and which wrong.

    A ``mapping`` may say that a word means solved, which is verified, or any other status.
    """
    own = {plain_word(word): plain_word(status) for word, status in (mapping or {}).items()}
    known = {word: plain_word(word) for word in dict.fromkeys(words)}
    for word, spelled in known.items():
        if not any(spelled in known for known in (own, _CHECKED, _UNCHECKED, _CODES)):
            fact = f"{source}: {quoted(word)} does not say whether an answer was verified."
            ways = {"it was": "solved", "it was not": "unknown"}
            texts = {way: command_with(statuses=[f"{word}={s}"]) for way, s in ways.items()}
            hint = "\n".join(f"if {way}: {text}" for way, text in texts.items())
            raise DataError(fact, hint=hint)
    means = {word: own.get(spelled, spelled) for word, spelled in known.items()}
    right = [means[word] in {"solved", *_CHECKED} for word in words]
    wrong = [_CODES.get(means[word]) == WRONG for word in words]
    return np.array(right, dtype=bool), np.array(wrong, dtype=bool)


# ------------------------------------------------------------------------------
# What the columns of runs must be, and what is refused.

MOST_ROWS = 5


def codes_and_names(
    given: Any, names: Sequence[str], what: str, source: str
) -> tuple[Integers, tuple[str, ...]]:
    """Return positions and names, the names in the order of their appearance."""
    if names:
        return np.asarray(given, dtype=np.int32), tuple(names)
    known: dict[str, int] = {}
    values = given.tolist() if hasattr(given, "tolist") else given
    texts = ["" if value is None or value != value else str(value).strip() for value in values]
    codes = np.fromiter((known.setdefault(text, len(known)) for text in texts), np.int32)
    if "" in known and what in {"candidate", "instance"}:
        fact = f"{source}: the {what} of run {texts.index('') + 1:,} has no name."
        raise DataError(fact, hint="every run names its candidate and its instance.")
    return codes, tuple(known)


def floats(given: Any, size: int, name: str, source: str) -> Floats:
    try:
        column = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        fact = f"{source}: the {name} column holds what is no number ({error})."
        raise DataError(fact, hint="give numbers; NaN where one is missing.") from None
    if column.shape not in {(), (size,)}:
        fact = f"{source}: {name} has shape {column.shape} for {counted(size, 'run')}."
        raise DataError(fact, hint="give one number per run, or one for all.")
    return np.broadcast_to(column, (size,))


def inferred_status(runs: Runs) -> Integers:
    """Return the status of runs of which only quality, time and cutoff are known."""
    if runs.quality is not None:
        return np.where(np.isnan(runs.quality), UNKNOWN, SOLVED).astype(np.int8)
    if runs.time is None:
        hint = "give the status of each run, or its time or quality."
        raise UsageError(f"{runs.source}: nothing says which runs are solved.", hint=hint)
    solved = True if runs.cutoff is None else runs.time < runs.cutoff
    status = np.where(solved, SOLVED, TIMEOUT)
    return np.where(np.isnan(runs.time), UNKNOWN, status).astype(np.int8)


def within_strata(runs: Runs) -> dict[str, Any]:
    """Return what tells instances apart that have one name in several strata, as in planning."""
    if runs.stratum is None:
        return {}
    several = len(runs.strata)
    pairs = runs.instance.astype(np.int64) * several + runs.stratum
    distinct, first, place = np.unique(pairs, return_index=True, return_inverse=True)
    if len(distinct) == len(runs.instances):
        return {}
    order = np.argsort(first)  # in the order of their appearance
    rank = np.argsort(order).astype(np.int32)
    places = (divmod(pair, several) for pair in distinct[order].tolist())
    names = [f"{runs.strata[stratum]}/{runs.instances[k]}" for k, stratum in places]
    told = Words("instances of one name in several strata are several instances.", weight=TRIFLE)
    notes = (*runs.notes, told)
    return {"instance": rank[place], "instances": tuple(names), "notes": notes}


def refuse_repeats(runs: Runs) -> None:
    judges = runs.judge
    rows = first_repeat(runs.candidate.astype(np.int64) * (int(judges.max()) + 1) + judges)
    if not len(rows):
        return
    lines = [f"{line}" for line in runs.lines[rows][:MOST_ROWS]]
    keep = hint = f"keep only one of {runs.unit}s {', '.join(lines[:-1])} and {lines[-1]}"
    row, seed = rows[0], ""
    if runs.seed is not None:
        seed = f" with seed {quoted(runs.seeds[runs.seed[row]])}"
        hint += ", or give each a seed of its own."
    elif runs.unit == "run":
        hint += "; if they are repeats, say which is which: seed=[...]."
    else:
        ways = {"judges": "make each a judge of its own", "mean": "take their mean"}
        texts = (f"if they are repeats, {w}: {command_with(combine=c)}" for c, w in ways.items())
        hint = "\n".join((*texts, f"else {keep}."))
    who = f"candidate {quoted(runs.candidates[runs.candidate[row]])}"
    where = f"{quoted(runs.instances[runs.instance[row]])}{seed} ({runs.unit}s {', '.join(lines)}"
    more = ", ..." if len(rows) > MOST_ROWS else ""
    fact = f"{runs.source}: {who} has {len(rows):,} runs on instance {where}{more})."
    raise NotOneScoreError(fact, hint=hint, remedy={"combine": "mean"})


def first_repeat(keys: Integers) -> Integers:
    """Return the rows of the first key that comes more than once; none where each comes once."""
    ordered = np.sort(keys)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(repeated):
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(keys == keys[np.argmax(np.isin(keys, np.unique(repeated)))])


def refuse_bad_times(runs: Runs) -> None:
    time, cutoff = runs.time, runs.cutoff
    known = "at least 0 seconds; leave it empty where it is not known"
    checks = (("time", time, np.less, known), ("cutoff", cutoff, np.less_equal, "above 0 seconds"))
    for name, column, too_low, wanted in checks:
        if column is None:
            continue
        bad = too_low(column, 0) | np.isinf(column) | (np.isnan(column) & (name == "cutoff"))
        for row in np.flatnonzero(bad)[:1].tolist():
            fact = f"{runs.place(row)} has the {name} {column[row]:g}{_in_all(bad)}."
            raise DataError(fact, hint=f"a {name} is {wanted}.")


def of_instances(runs: Runs, name: str, words: Sequence[str] = ()) -> Any:
    """Return what a column says of each instance; refuse two values, of which none is one."""
    column = getattr(runs, name)
    values = np.zeros(len(runs.instances), dtype=column.dtype)
    values[runs.instance[::-1]] = column[::-1]  # the first run of an instance has the last word
    first = values[runs.instance]
    other = (first != column) & ~((first != first) & (column != column))
    if other.any():
        row = int(np.argmax(other))
        both = (first[row], column[row])
        numbers = ["none" if value != value else f"{value:g}" for value in both]
        said = [quoted(words[value]) for value in both] if words else numbers
        raise two_values(runs.source, runs.instances[runs.instance[row]], name, said)
    return values


def two_values(source: str, instance: str, name: str, said: Sequence[str]) -> DataError:
    hint = f"a {name} belongs to an instance and is the same in all of its runs."
    return errors.TwoValuesError(source, "instance", instance, name, said, hint=hint)


def refuse_bad_reference(values: Floats, instances: Sequence[str]) -> None:
    for k in np.flatnonzero((values < 0) | np.isinf(values)).tolist():
        raise bad_reference(instances[k], f"{values[k]:g}")


def bad_reference(instance: str, said: str) -> DataError:
    hint = "it is a finite number of at least 0; leave it out where none is known."
    return DataError(f"the reference of instance {quoted(instance)} is {said}.", hint=hint)


def treat_late(runs: Runs) -> dict[str, Any]:
    """Refuse solved runs above the cutoff, or return what makes them what ``late`` says."""
    if runs.time is None or runs.cutoff is None:
        return {}
    late: Booleans = (runs.status == SOLVED) & (runs.time > runs.cutoff)
    if not late.any():
        return {}
    if runs.late == "error":
        row = int(np.argmax(late))
        above = f"above the cutoff of {runs.cutoff[row]:g} s{_in_all(late)}"
        fact = f"{runs.place(row)} is solved after {runs.time[row]:g} s, {above}."
        ways = {"timeout": "count them as timeouts", "solved": "count them as solved at the cutoff"}
        texts = (f"{way}: {command_with(late=late)}" for late, way in ways.items())
        raise DataError(fact, hint="\n".join(texts))
    way = "timeouts" if runs.late == "timeout" else "solved at the cutoff"
    note = f"{counted(int(late.sum()), 'solved run')} above the cutoff counted as {way}."
    if runs.late == "timeout":
        change: dict[str, Any] = {"status": np.where(late, TIMEOUT, runs.status).astype(np.int8)}
    else:
        change = {"time": np.where(late, runs.cutoff, runs.time)}
    return change | {"notes": (*runs.notes, note)}


def _in_all(bad: Booleans) -> str:
    number = int(bad.sum())
    return f" ({number:,} such runs)" if number > 1 else ""


# ------------------------------------------------------------------------------
# The runs themselves.

CODED = {"candidate": "candidates", "instance": "instances", "seed": "seeds"}
CODED |= {"stratum": "strata", "cluster": "clusters"}
NUMBERS = ("time", "quality", "cutoff", "weight", "reference")
COLUMNS = (*CODED, *NUMBERS, "status", "verified", "lines")
ABSENT = {"status": UNKNOWN, "verified": False, "time": np.nan, "quality": np.nan, "lines": 0}


INSTANCES = Nouns(judge="instance")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Runs(Record, Drawable):
    """Hold the runs of a competition, column by column; one value per run in each.

    The constructor takes names and words as people wrote them; afterwards ``candidate``,
    ``instance``, ``seed``, ``stratum`` and ``cluster`` are positions in the names that stand in
    ``candidates``, ``instances``, ``seeds``, ``strata`` and ``clusters``, and ``status`` is a
    position in :data:`deadheat.data.runs.STATUSES`. A column that is not there is None.
    :func:`deadheat.read` turns runs into the table that is ranked: ``read(runs, rule="par2")``.

    Parameters
    ----------
    status
        How each run ended, in the words of the competition (``ok``, ``SAT``, ``timeout (cpu)``);
        ``statuses`` says what other words mean. Without it a run with a quality is solved, or
        one with a time below the cutoff, or else one with a time.
    time, cutoff
        Seconds, and the limit: one for all, or one each.
    quality
        What the run achieved: the cost of a plan, an accuracy.
    verified
        Whether the answer was checked and found right: true or false, or the words of a checker
        (``verified``, ``unchecked``). What it calls ``wrong`` is a wrong answer, whatever was
        claimed.
    stratum
        The domain or family of the instance. Instances of the same name in several strata are
        several instances.
    weight, reference
        How much the instance counts, and its best known quality: the same in all of its runs.
    late
        What a solved run is whose time is above the cutoff: an ``"error"``, a ``"timeout"``, or
        ``"solved"`` at the cutoff.
    rule, combine
        How the runs are scored, and what several seeds become, where nobody says otherwise.
    official
        The official rank of candidates, where the source says it.

    Examples
    --------
    >>> Runs(candidate=["a", "b"], instance=["i", "i"], status=["ok", "TO"], time=[3.1, 60])
    <Runs: 2 runs of 2 candidates on 1 instance, 1 solved>
    """

    candidate: Any
    instance: Any
    status: Any = None
    time: Any = None
    quality: Any = None
    cutoff: Any = None
    seed: Any = None
    verified: Any = None
    stratum: Any = None
    cluster: Any = None
    weight: Any = None
    reference: Any = None
    statuses: Mapping[str, str] | None = None
    late: str = "error"
    candidates: Sequence[str] = ()
    instances: Sequence[str] = ()
    seeds: Sequence[str] = ()
    strata: Sequence[str] = ()
    clusters: Sequence[str] = ()
    lines: Any = None
    unit: str = "run"
    source: str = "the runs"
    reading: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    library: str = ""
    nouns: Nouns = INSTANCES
    title: str = ""
    rule: Any = None
    combine: str | None = None
    official: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if self.late not in LATE:
            raise UnknownNameError("way to treat late answers", str(self.late), LATE)
        size = len(self.candidate)
        if not size:
            raise DataError(
                f"{self.source} has no run.", hint="a table of runs has a row for each run."
            )
        self._put_columns(size)
        self._put("lines", np.arange(1, size + 1) if self.lines is None else self.lines)
        self._put("status", self._statuses())
        self._put_all(within_strata(self))
        refuse_repeats(self)
        refuse_bad_times(self)
        if self.weight is not None:
            of_instances(self, "weight")
        if self.reference is not None:
            refuse_bad_reference(of_instances(self, "reference"), self.instances)
        self._put_all(treat_late(self))

    def _put_columns(self, size: int) -> None:
        for name in (*CODED, "status", "verified"):
            column = getattr(self, name)
            if column is not None and len(column) != size:
                fact = f"{counted(len(column), f'{name} value')} for {counted(size, 'run')}"
                raise DataError(f"{self.source}: {fact}.", hint="give one per run.")
        for name, names in CODED.items():
            if getattr(self, name) is not None:
                pair = codes_and_names(getattr(self, name), getattr(self, names), name, self.source)
                self._put_all(dict(zip((name, names), pair, strict=True)))
        for name in NUMBERS:
            if getattr(self, name) is not None:
                self._put(name, floats(getattr(self, name), size, name, self.source))

    def _put_all(self, columns: Mapping[str, Any]) -> None:
        for name, value in columns.items():
            self._put(name, value)

    def _statuses(self) -> Integers:
        refuted: Any = False
        if self.verified is not None:
            right = np.asarray(self.verified)
            if right.dtype.kind in "OU":
                words = ["" if word is None else str(word) for word in right.tolist()]
                right, refuted = checks_of(words, self.statuses, self.source)
            self._put("verified", right.astype(bool))
        status = self._claimed()
        return np.where(refuted & (status == SOLVED), WRONG, status).astype(np.int8)

    def _claimed(self) -> Integers:
        """Return how each run ended by what was said of it, before anybody checked the answer."""
        given = self.status
        if given is None:
            return inferred_status(self)
        if isinstance(given, np.ndarray) and given.dtype.kind == "i":
            return given
        words = [str(word) for word in given]
        # A status such as SAT-VERIFIED also says that the answer was verified.
        verified = {word for word in set(words) if plain_word(word) in _VERIFIED}
        if verified:
            sure = np.array([word in verified for word in words])
            self._put("verified", sure if self.verified is None else sure | self.verified)
        return status_codes(words, self.statuses, self.source)

    def __len__(self) -> int:
        return len(self.candidate)

    @property
    def solved(self) -> Booleans:
        """Which runs are solved."""
        return np.asarray(self.status == SOLVED)

    @property
    def judge(self) -> Integers:
        """One number per (instance, seed)."""
        several = max(len(self.seeds), 1)
        seed = 0 if self.seed is None else self.seed
        return np.asarray(self.instance.astype(np.int64) * several + seed)

    @property
    def categories(self) -> Integers:
        """The stratum of each run; where there are no strata, one and the same for all."""
        return np.zeros(len(self), dtype=np.int32) if self.stratum is None else self.stratum

    def best(self, values: Floats, among: Booleans) -> Floats:
        """Return, for each run, the lowest value on its instance among some runs; inf if none."""
        lowest = np.full(len(self.instances), np.inf)
        np.minimum.at(lowest, self.instance[among], values[among])
        return np.asarray(lowest[self.instance])

    def in_order(self) -> Self:
        """Return the runs by candidate, stratum, instance and seed, each in the order of its names.

        The order of a file would show in last digits of sums, random draws and lists of ties.
        """
        changes: dict[str, Any] = {}
        for column, names in CODED.items():
            codes, known = getattr(self, column), getattr(self, names)
            if codes is not None:
                keys: Sequence[Any] = known
                if column == "instance" and self.stratum is not None:
                    strata = of_instances(self, "stratum").tolist()
                    keys = [(self.strata[k], name) for k, name in zip(strata, known, strict=True)]
                order = sorted(range(len(known)), key=keys.__getitem__)
                changes[column] = np.argsort(order).astype(np.int32)[codes]
                changes[names] = tuple(known[k] for k in order)
        seed = changes.get("seed", np.zeros(len(self)))
        rows = np.lexsort((seed, changes["instance"], changes["candidate"]))
        for name in COLUMNS:
            column = changes.get(name, getattr(self, name))
            changes[name] = None if column is None else column[rows]
        return self.changed(**changes)

    def completed(self) -> Self:
        """Return the runs with those that are absent as runs of unknown status."""
        judges, first, place = np.unique(self.judge, return_index=True, return_inverse=True)
        present = np.zeros((len(self.candidates), len(judges)), dtype=bool)
        present[self.candidate, place] = True
        candidate, j = np.nonzero(~present)
        if not len(candidate):
            return self
        rows = np.r_[: len(self), first[j]]  # metadata are those of a run of one judge
        columns = {name: getattr(self, name) for name in COLUMNS if getattr(self, name) is not None}
        whole = {name: column[rows] for name, column in columns.items()}
        for name, value in (ABSENT | {"candidate": candidate}).items():
            if name in whole:
                whole[name][len(self) :] = value
        note = f"{counted(len(candidate), 'absent run')} counted as unsolved."
        return self.changed(**whole, notes=(*self.notes, note))

    def place(self, row: int) -> str:
        candidate = self.candidates[self.candidate[row]]
        name = f"candidate {candidate!r} on instance {self.instances[self.instance[row]]!r}"
        return f"{self.source}: {self.unit} {self.lines[row]:,}: {name}"

    @property
    def statuses_in_words(self) -> str:
        """How many runs ended how."""
        counts = np.bincount(self.status, minlength=len(STATUSES)).tolist()
        words = [f"{k:,} {word}" for word, k in zip(STATUSES, counts, strict=True) if k]
        if self.verified is not None and self.solved.any():
            words[0] += f" ({int((self.solved & self.verified).sum()):,} verified)"
        return ", ".join(words)

    def __repr__(self) -> str:
        seeds = f" with {counted(len(self.seeds), 'seed')}" if self.seed is not None else ""
        who, on = (
            counted(len(self.candidates), "candidate"),
            counted(len(self.instances), "instance"),
        )
        runs, solved = counted(len(self), "run"), int(self.solved.sum())
        return f"<Runs: {runs} of {who} on {on}{seeds}, {solved:,} solved>"
