"""How a run ended, and the words by which people say so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from deadheat.data.wording import flag
from deadheat.errors import DataError, UnknownNameError, counted, quoted
from deadheat.typing import Booleans, Integers

STATUSES = ("solved", "timeout", "memout", "crash", "wrong", "unknown")
SOLVED, TIMEOUT, MEMOUT, CRASH, WRONG, UNKNOWN = range(len(STATUSES))
MOST_WORDS = 12

# Without case, and with a blank for any run of other signs: "timeout (CPU)" is "timeout cpu".
_VERIFIED = ("verified", "sat verified", "unsat verified", "proof verified")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "solved": (
        *("solved", "ok", "complete", "completed", "success", "successful", "done", "finished"),
        *("sat", "unsat", "satisfiable", "unsatisfiable", "optimal", "optimum", "optimum found"),
        *("s satisfiable", "s unsatisfiable", "s optimum found", "correct", "true", "yes", "1"),
        *("plan found", "solution found", "covered", "pass", "passed", "accepted"),
        *_VERIFIED,
    ),
    "timeout": (
        *("timeout", "time out", "timed out", "timeout wallclock", "timeout cpu", "to", "tle"),
        *("timelimit", "time limit", "time limit exceeded", "out of time", "outoftime"),
        *("timeout soft", "out of time and memory", "resource out", "resourceout", "cutoff"),
    ),
    "memout": (
        *("memout", "mem out", "out of memory", "outofmemory", "outofmemoryexception", "oom"),
        *("mo", "memory out", "memory limit", "memory limit exceeded", "mle", "memlimit"),
    ),
    "crash": (
        *("crash", "crashed", "error", "err", "failed", "failure", "fail", "exception", "abort"),
        *("aborted", "segfault", "segmentation fault", "signal", "killed", "runtime error"),
        *("error and out of time", "error and out of memory", "error and out of time and memory"),
        *("unknown portfolio returncode", "critical error", "input error", "unsupported"),
    ),
    "wrong": (
        *("wrong", "wrong answer", "incorrect", "incorrect answer", "wa", "invalid", "unsound"),
        *("sat incorrect", "unsat incorrect", "invalid plan", "suboptimal", "refuted"),
    ),
    "unknown": (
        *("unknown", "s unknown", "other", "", "na", "n a", "nan", "none", "null", "false", "no"),
        *("0", "not applicable", "presolved", "unsolved", "no answer", "no result", "incomplete"),
        *("unsolvable incomplete", "search unsolvable incomplete", "gave up", "not solved"),
    ),
}
_CODES = {word: STATUSES.index(status) for status, words in _WORDS.items() for word in words}
_CHECKED = frozenset((*_VERIFIED, "yes", "true", "1", "correct", "valid", "ok", "accepted"))
_UNCHECKED = frozenset(
    (
        "unverified",
        "unchecked",
        "not verified",
        "not checked",
        "enqueued",
        "pending",
        "sat",
        "unsat",
    )
)


def plain_word(word: object) -> str:
    """Return a word without case and signs.

    >>> plain_word("Timeout (wallclock)")
    'timeout wallclock'
    """
    return " ".join(re.findall(r"[a-z0-9]+", str(word).lower()))


def status_codes(
    words: Sequence[str],
    *,
    mapping: Mapping[str, str] | None = None,
    counts: Sequence[int] = (),
    source: str = "the runs",
) -> Integers:
    """Return the status that each word means, as its position in ``STATUSES``.

    ``mapping`` says what words of one's own mean; it beats the words that are known anyway.
    ``counts`` says how often each word stands in the table, for the message.
    """
    own = {plain_word(word): _meant(word, status) for word, status in (mapping or {}).items()}
    known = _CODES | own
    plain = [plain_word(word) for word in words]
    unknown = [k for k, word in enumerate(plain) if word not in known]
    if unknown:
        raise _unknown_words(
            [words[k] for k in unknown], [(counts or (0,) * len(words))[k] for k in unknown], source
        )
    return np.array([known[word] for word in plain], dtype=np.int8)


def meaning(word: object) -> str:
    """Return the status that a word means, or nothing where it is no known word.

    >>> meaning("MO"), meaning("Paris")
    ('memout', '')
    """
    code = _CODES.get(plain_word(word))
    return "" if code is None else STATUSES[code]


def says_verified(word: object) -> bool:
    """Return whether a status also says that the answer was verified: ``SAT-VERIFIED``."""
    return plain_word(word) in _VERIFIED


def verified_words(words: Sequence[str], *, source: str = "the runs") -> Booleans:
    """Return which words of a column about verification say that the answer was verified."""
    plain = [plain_word(word) for word in words]
    for word, given in zip(plain, words, strict=True):
        if word not in _CHECKED and word not in _UNCHECKED and word not in _CODES:
            raise DataError(
                f"{source}: {quoted(given)} does not say whether an answer was verified.",
                hint="write verified, or leave the cell empty.",
            )
    return np.array([word in _CHECKED for word in plain], dtype=bool)


def _meant(word: str, status: object) -> int:
    spelled = plain_word(status)
    if spelled not in _CODES or not spelled:
        raise UnknownNameError(f"status for {quoted(word)}", str(status), STATUSES)
    return _CODES[spelled]


def _unknown_words(words: Sequence[str], counts: Sequence[int], source: str) -> DataError:
    order = sorted(range(len(words)), key=lambda k: (-counts[k], words[k]))
    told = [
        f"{quoted(words[k])} ({counted(counts[k], 'run')})" if counts[k] else quoted(words[k])
        for k in order
    ]
    more = f" and {len(told) - MOST_WORDS:,} more" if len(told) > MOST_WORDS else ""
    noun = "an unknown status" if len(words) == 1 else f"{len(words):,} unknown statuses"
    own = ",".join(f"{words[k]}=?" for k in order[:MOST_WORDS])
    return DataError(
        f"{source} has {noun}: {', '.join(told[:MOST_WORDS])}{more}.",
        hint=f"say what each means, where ? is one of {', '.join(STATUSES)}: "
        f"{flag('statuses', own)}, in Python statuses=... with the same text.",
    )
