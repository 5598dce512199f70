"""What goes wrong, said so that a person knows the next step: the fact, then a hint."""

from __future__ import annotations

import difflib
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

# ------------------------------------------------------------------------------
# Options as they are said in Python and on the command line.

OPTION_OF = {  # keywords that are called otherwise on the command line
    "benchmarks": "benchmark",
    "covariates": "covariate",
    "everything": "all",
    "from_": "from",
    "join": "with",
    "more": "more-trials",
    "tournament_weights": "tournament-weight",
}
SHORT = {"--output": "-o"}
WIDTHS: dict[str, int] = {}  # how many words follow an option, by each of its spellings
READING: set[str] = set()  # the options that say how a file is read
_ASKED: list[str] = []  # of the process, for threads that work for it word messages too


@contextmanager
def remember_command(arguments: Sequence[str]) -> Iterator[None]:
    """Remember the command line that asks, for as long as it does."""
    before = _ASKED[:]
    _ASKED[:] = arguments
    try:
        yield
    finally:
        _ASKED[:] = before


def command_with(**options: object) -> str:
    """Return the whole command with some options; in Python their keywords.

    One value takes the place of what was said, as several of a tuple do; None takes an option or
    flag away; the values of a list are added.
    """

    def literal(value: object) -> str:
        return repr(value[0] if isinstance(value, list | tuple) and len(value) == 1 else value)

    if not _ASKED:
        return ", ".join(f"{name}={literal(value)}" for name, value in options.items())
    cut = _ASKED.index("--") if "--" in _ASKED else len(_ASKED)
    asked, rest, flags = _ASKED[:cut], _ASKED[cut:], list[str]()
    for option, value in options.items():
        name = _flag(option)
        if not isinstance(value, list):
            asked = _without(asked, name)
        values = value if isinstance(value, list | tuple) else (value,)
        said = [str(each) for each in values if each is not None and not isinstance(each, bool)]
        flag, width = SHORT.get(name, name), WIDTHS.get(name, 1)
        parts = [said] if width > 1 and said else [[each] for each in said]
        flags += [word for part in parts or [[]] * (value is True) for word in (flag, *part)]
    return shlex.join([*asked, *flags, *rest])


def _without(asked: Sequence[str], name: str) -> list[str]:
    """Return the words of a command without an option, in any spelling, or a flag's opposite."""
    spellings = (name, SHORT.get(name, name), f"--no-{name[2:]}")
    left = [word for word in asked if not word.startswith(tuple(f"{each}=" for each in spellings))]
    for each in spellings:
        while each in left:
            at = left.index(each)
            del left[at : at + 1 + WIDTHS.get(each, 1)]
    return left


def command_saying(instead: Mapping[str, Sequence[str]], *, of: str = "") -> str:
    """Return the whole command with other words in place of some, the last ones of that spelling.

    A word may also stand behind an equals sign, or be one of several with commas between; ``of`` is
    the option whose value it is, or where that is not said an argument. In Python, and where no
    such word stands in the command, nothing.

    >>> with remember_command(["deadheat", "rank", "a.csv", "--by=mean,mdian"]):
    ...     command_saying({"mdian": ["median"]}, of="by"), command_saying({"b.csv": []})
    ('deadheat rank a.csv --by=mean,median', '')
    """
    asked, flag = _ASKED[:], _flag(of)
    said = any(word.partition("=")[0] == flag for word in asked)

    def another_has(at: int) -> bool:
        """Return whether a word is the value of another option than the one that is meant."""
        before, is_it = asked[at - 1], flag in (asked[at - 1], asked[at].partition("=")[0])
        return not is_it and (said or (before.startswith("-") and WIDTHS.get(before, 1) > 0))

    for old, new in instead.items():
        for at in reversed(range(1, len(asked))):
            if of and another_has(at):
                continue
            is_option = asked[at].startswith("--")
            option, equals, value = asked[at].partition("=") if is_option else ("", "", asked[at])
            parts = [value] if value == old else value.split(",")
            if asked[at] == old:
                asked[at : at + 1] = new
            elif old in parts and new:
                parts = [new[0] if part == old else part for part in parts]
                asked[at] = f"{option}{equals}{','.join(parts)}"
            else:
                continue
            break
        else:
            return ""
    return shlex.join(asked)


def say(option: str, value: object = None) -> str:
    """Return an option as the reader would write it, in Python or on the command line.

    >>> with remember_command(["deadheat", "rate", "log.csv"]):
    ...     print(say("largest_part", True), say("left", "a b"), say("replicates"))
    --largest-part --left 'a b' --replicates
    """
    if not _ASKED:
        return f"{option}=" if value is None else f"{option}={value!r}"
    flag = _flag(f"no_{option}" if value is False else option)
    if isinstance(value, list | tuple):
        return " ".join(say(option, each) for each in value)
    plain = value is None or isinstance(value, bool)
    return flag if plain else f"{flag} {shlex.quote(str(value))}"


def ask(question: str, *words: str, **options: object) -> str:
    """Return a question as the reader would ask it, in Python or on the command line.

    >>> ask("plot", "FILE", "ratings"), ask("show", "saved.json")
    ("deadheat.plot(table, 'ratings')", "deadheat.load('saved.json')")
    """
    said = [
        say(name, each)
        for name, value in options.items()
        for each in (value if _ASKED and isinstance(value, list | tuple) else [value])
    ]
    if _ASKED:
        file, about = _about_file()
        names = [file if word == "FILE" else word for word in words]
        names += about if "FILE" in words and not options else []
        if question == "plot":
            names += ["-o", _ASKED[_ASKED.index("-o") + 1] if "-o" in _ASKED[:-1] else "fig.svg"]
        if any(word.startswith("-") for word in words):  # a name that looks like an option
            names = [file, *about]
            said += ["--", *(shlex.quote(word) for word in words if word != "FILE")]
        return " ".join((shlex.join(("deadheat", question, *names)), *said))
    named = "load" if question == "show" else question
    arguments = ["table" if word == "FILE" else repr(word) for word in words]
    return f"deadheat.{named}({', '.join((*arguments, *said))})"


def _about_file() -> tuple[str, list[str]]:
    """Return the file that the command line asks about, and what it says of reading it."""
    file, said = "FILE", list[str]()
    words = iter(_ASKED[1 if os.path.isfile(_ASKED[1]) else 2 :])  # noqa: PTH113 - pathlib is slow to load
    for word in words:
        name, equals, _ = word.partition("=")
        if name in READING:
            said.append(word)
            said += [] if equals else [next(words, "") for _ in range(WIDTHS.get(name, 1))]
        elif file == "FILE" and not word.startswith("-") and os.path.exists(word):  # noqa: PTH110 - pathlib is slow to load
            file = word
    return "-" if file == "FILE" and "-" in _ASKED else file, said


def _flag(option: str) -> str:
    return f"--{OPTION_OF.get(option, option).replace('_', '-')}"


class Words(str):
    """A sentence, and how it bears on the answer that it is said about.

    ``page`` is what a page says instead, where nobody types options. ``weight``, from 0 to 1, is
    how much it could change the reader's mind; ``good`` whether it supports the answer, None where
    it does not bear on it; ``remedy`` has options that would settle it. ``about`` names the fact,
    where something else may tell it, too.
    """

    __slots__ = ("about", "good", "page", "remedy", "weight")
    about: str
    page: str
    weight: float
    good: bool | None
    remedy: Mapping[str, object]

    def __new__(
        cls,
        text: str,
        page: str | None = None,
        *,
        weight: float = 0.5,
        good: bool | None = None,
        remedy: Mapping[str, object] | None = None,
        about: str = "",
    ) -> Self:
        words = super().__new__(cls, text)
        words.about = about
        words.page = text if page is None else page
        words.weight, words.good, words.remedy = weight, good, remedy or {}
        return words


def on_page(text: str) -> str:
    return text.page if isinstance(text, Words) else text


LONGEST_QUOTE = 60
LONGEST_REASON = 160
# What moves a cursor, ends a line or turns the writing direction must not act on the reader.
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_JOINING = "\u00a0\u200c\u200d"  # part of words, and of emoji


class DeadheatError(Exception):
    """The base of every error that deadheat raises on purpose.

    ``str(error)`` is the fact with value and place, then ``Hint:`` and the next step; nothing in
    it acts on the terminal that shows it. ``predicate`` is the fact without its ``subject``, and
    ``remedy`` has options that lead on, the likeliest ones, where only they are missing.
    """

    exit_code = 2

    def __init__(
        self,
        fact: str,
        *,
        hint: str = "",
        subject: str = "",
        remedy: Mapping[str, object] | None = None,
    ) -> None:
        self.remedy: dict[str, Any] = dict(remedy or {})
        self.subject, self.predicate, self.hint = subject, _lines(fact), _lines(hint)
        self.fact = f"{_lines(subject)} {self.predicate}" if subject else self.predicate
        super().__init__(f"{self.fact}\nHint: {self.hint}" if hint else self.fact)

    def __reduce__(self) -> tuple[object, ...]:  # on the way back from a worker process
        return (_rebuilt, (type(self), self.predicate, self.hint, self.subject))

    @property
    def clause(self) -> str:
        """The fact as a part of a longer sentence."""
        return self.fact.removesuffix(".")

    def with_hint(self, hint: str) -> DeadheatError:
        return _rebuilt(type(self), self.predicate, hint, self.subject)


def _rebuilt(kind: type[DeadheatError], fact: str, hint: str, subject: str) -> DeadheatError:
    error = kind.__new__(kind)
    DeadheatError.__init__(error, fact, hint=hint, subject=subject)
    return error


class UsageError(DeadheatError, ValueError):
    """The request is wrong: an option, an argument, a combination of them (exit code 2)."""


class OwnFunctionError(UsageError):
    """A user's own function raised something, which is the cause of this."""


class TooLongError(UsageError):
    """A function would take too long on a table, or did."""

    def resampled(self) -> TooLongError:
        """Return the same of a resampled table: the table itself may be within reach."""
        return TooLongError(
            f"on a resampled table {self.fact}",
            hint="resample with another function, e.g. copeland, schulze or average_rank, or fewer "
            f"candidates; to rank the table itself, with a time limit: {ask('consensus', 'FILE')}",
        )


class DataError(DeadheatError, ValueError):
    """The data cannot be used as they are (exit code 3)."""

    exit_code = 3


class MissingScoresError(DataError):
    """Cells are empty and no policy says what to do about them.

    ``as_runs`` is what scores the table by one of the ``rules``, where empty cells look like runs
    that failed.
    """

    as_runs: Mapping[str, object] = {}
    rules: Sequence[str] = ()


class ScaleError(DataError):
    """The scores are not on the scale that a ranking function needs."""


class NoScoresError(DataError):
    """No column of a file holds scores: no option can lead on."""


class MendByHandError(DataError):
    """The file must be changed by hand before anything else leads on."""


class FailedRunError(DataError):
    """A word stands where others have a time: a rule for runs answers this and all else."""

    as_runs: Mapping[str, object] = {}


class NotOneScoreError(DataError):
    """A column holds text where scores belong, or a candidate has several scores on a judge."""


class TwoValuesError(DataError):
    """A column says two things of one judge or instance."""

    def __init__(
        self, source: str, noun: str, name: str, column: str, values: Sequence[str], *, hint: str
    ) -> None:
        self.source, self.noun, self.name = source, noun, name
        self.column, self.values = column, values
        two = f"{values[0]} and {values[1]}"
        super().__init__(
            f"{source}: {noun} {quoted(name)} has two values of {column}: {two}.", hint=hint
        )


class UnknownNameError(UsageError, LookupError):
    """A name that is not known, with those that were probably meant: ``near``."""

    near: Sequence[str] = ()

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, most: int = 1, see: str = ""
    ) -> None:
        known = sorted(known)
        near = nearest(name, known, most=most)
        guess = f" Did you mean {' or '.join(map(quoted, near))}?" if near else ""
        told = f"known: {listed(known)}." if not see else f"{see}; there are {listed(known)}."
        if near and (command := command_saying({name: near[:1]})):
            told = f"with {quoted(near[0])}: {command}\n{told}"
        super().__init__(f"unknown {kind} {quoted(name)}.{guess}", hint=told)


class UnknownNamesError(UnknownNameError):
    """Two names that are not known, with one command that mends both."""

    def __init__(self, kind: str, names: Sequence[str], known: Sequence[str]) -> None:
        meant: dict[str, str] = {}
        for name in names:
            left = [each for each in known if each not in meant.values()]
            meant |= dict(zip([name], nearest(name, left), strict=False))
        if len(meant) < len(names):
            super().__init__(kind, next(name for name in names if name not in meant), known)
            return
        both, guess = (" and ".join(map(quoted, each)) for each in (names, meant.values()))
        command = command_saying({name: [near] for name, near in meant.items()})
        hint = f"with both: {command}" if command else f"known: {listed(known)}."
        fact = f"unknown {plural_of(kind)} {both}. Did you mean {guess}?"
        UsageError.__init__(self, fact, hint=hint)


def nearest(name: str, known: Sequence[str], *, most: int = 1) -> list[str]:
    """Return the names that were probably meant: those that begin so, else close ones.

    >>> nearest("kissat-sat", ["kissat-unsat / default", "Kissat-sat / default"])
    ['Kissat-sat / default']
    """
    begun = [each for each in known if each.casefold().startswith(name.casefold())]
    if name and begun:
        return sorted(begun, key=len)[:most]
    return difflib.get_close_matches(name, known, n=most)


def visible(text: str) -> str:
    r"""Replace what would act on a terminal or page by its escape, such as ``\x1b``."""
    return ACTING.sub(lambda found: repr(found[0])[1:-1], text)


def _lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def quoted(name: object) -> str:
    """Return a name in quotes that it does not hold, on one line, cut to fit the screen."""
    text = bare(name)
    quote = '"' if "'" in text and '"' not in text else "'"
    return f"{quote}{text}{quote}"


def bare(name: object) -> str:
    """Return a name on one line, cut to fit it; what does not print becomes an escape."""
    text = "".join(c if c.isprintable() or c in _JOINING else repr(c)[1:-1] for c in str(name))
    if len(text) <= LONGEST_QUOTE - 2:
        return text
    return f"{text[: LONGEST_QUOTE - 13]}...{text[-7:]}"


def first_sentence(error: object) -> str:
    """Return what a library says of an error: its first sentence, on one line, without the end."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines[0].split(". ")[0] if lines else type(error).__name__
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in first[: 2 * LONGEST_REASON])
    text = text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 3]}..."
    return text.rstrip(".: ")


def listed(names: Iterable[object], *, most: int = 24) -> str:
    """Return names joined by commas; beyond ``most`` only how many more there are."""
    texts = [visible(str(name)) for name in names]
    shown = ", ".join(text if len(text) <= LONGEST_QUOTE else quoted(text) for text in texts[:most])
    return shown if len(texts) <= most else f"{shown} and {len(texts) - most} more"


def few(texts: Sequence[str], most: int) -> str:
    """Return texts joined by commas, as they are; beyond ``most`` how many more there are."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return f"{', '.join(texts[:most])}{more}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return ``1 judge``, ``2 judges``, ``1,234 judges``."""
    return f"{number:,} {noun if number == 1 else plural or plural_of(noun)}"


def plural_of(noun: str) -> str:
    """Return the plural of a noun.

    >>> [plural_of(noun) for noun in ("judge", "query", "box", "relay")]
    ['judges', 'queries', 'boxes', 'relays']
    """
    if noun == "stratum":
        return "strata"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def named(names: Sequence[str], *, most: int = 5) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``; of many the first and how many more."""
    parts = [bare(name) for name in names[:most]]
    if len(names) > most:
        parts.append(f"{len(names) - most:,} more")
    if len(parts) < 2:
        return parts[0] if parts else "nobody"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
