"""What the caller said about a table, from arguments and sidecar, and what contradicts itself."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Self

from deadheat.core.errors import DataError, UnknownNameError, UsageError, quoted, say
from deadheat.core.files import reads
from deadheat.data.reading.source import PACKED, nearby
from deadheat.data.results import POLICIES
from deadheat.data.runs import LATE

COMBINE = ("error", "mean", "judges")
WRONG = ("unsolved", "solved", "disqualify", "penalise")
# The options that take one of some words: what they are called in a message, and the words.
WORDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "layout": ("layout", ("wide", "long", "runs")),
    "late": ("way to treat late answers", LATE),
    "wrong": ("way to treat wrong answers", WRONG),
    "candidates": ("place of the candidates", ("rows", "columns")),
    "combine": ("way to combine scores", COMBINE),
    "missing": ("missing policy", POLICIES),
    "decimal": ("decimal sign", (".", ",")),
}
DELIMITERS: Mapping[str, str] = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "\\t": "\t",
    "pipe": "|",
    **dict.fromkeys(("space", "white space", "whitespace"), " "),
}
ABOUT_JUDGES = ("stratum", "cluster", "weight")
OF_RUNS = ("status", "time", "quality", "verified")
COLUMNS = ("candidate", "judge", "score", "repeat", *OF_RUNS, *ABOUT_JUDGES)
ONLY_RUNS = ("rule", *OF_RUNS, "cutoff", "reference", "statuses", "late", "wrong")
REPLACED_BY = {"weight": "weights", "stratum": "strata", "cluster": "clusters"}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Hold everything that can be said about a table; None means that it was not said."""

    better: Any = None
    layout: str | None = None
    candidates: str | None = None
    candidate: str | None = None
    judge: str | None = None
    score: str | None = None
    stratum: str | None = None
    cluster: str | None = None
    weight: str | None = None
    where: Any = ()
    missing: str | None = None
    tie_tol: float | None = None
    repeat: str | None = None
    combine: str | None = None
    rule: Any = None
    status: str | None = None
    time: str | None = None
    quality: str | None = None
    verified: str | None = None
    cutoff: Any = None
    reference: Any = None
    statuses: Any = None
    late: str | None = None
    wrong: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | int | None = None
    ignore: tuple[str, ...] = ()  # any iterable until it is checked
    weights: Mapping[str, Any] | None = None
    strata: Mapping[str, Any] | None = None
    clusters: Mapping[str, Any] | None = None

    @property
    def said(self) -> dict[str, Any]:
        """The options that were given."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value is not None and not _empty(value)}

    def over(self, other: Self, sidecar: str) -> tuple[Self, tuple[str, ...]]:
        """Return these options, completed by those of a sidecar where nothing was said here.

        What was said here wins; the sentences tell what of the sidecar does not count.
        """
        kept: dict[str, Any] = {}
        told = []
        for name, value in other.tidied().said.items():
            why = self._beats(name, value)
            if why:
                told.append(f"{sidecar} says {_in_toml(name, value)}, which does not count: {why}.")
            elif name not in self.said:
                kept[name] = value
        named = {getattr(self, role): role for role in COLUMNS}
        for column in filter(named.__contains__, other.ignore):
            role = say(named[column], column)
            told.append(f"{sidecar} leaves out column {quoted(column)}, yet {role} uses it.")
        ignore = [column for column in other.ignore if column not in named]
        both_ignore = tuple(dict.fromkeys((*ignore, *self.ignore)))
        return replace(self, **kept | {"ignore": both_ignore}), tuple(told)

    def _beats(self, name: str, value: Any) -> str:
        """Return what was said here that an option of a sidecar contradicts, or nothing."""
        mine = self.said
        if name == "ignore":
            return ""
        if name in mine:
            return "" if mine[name] == value else f"{_in_words(mine[name])} was said"
        column = next((one for one, table in REPLACED_BY.items() if table == name), "")
        if column in mine:
            return f"{say(column, mine[column])} was said"
        try:
            replace(self, **{name: value}).require_consistent()
            if name == "better" and self.rule is not None:
                from deadheat.data.scoring_rule import rule_of

                rule_of(self.rule, value)
        except UsageError as error:
            return error.fact.rstrip(".")
        return ""

    @property
    def about_judges(self) -> dict[str, str]:
        """The columns that give each judge its stratum, cluster and weight, where named."""
        pairs = ((name, getattr(self, name)) for name in ABOUT_JUDGES)
        return {name: column for name, column in pairs if column is not None}

    @property
    def judges_named(self) -> set[str]:
        """The judges that are called by their names, to give them directions, weights, labels."""
        by_name = (self.better, self.weights, self.strata, self.clusters)
        named: set[str] = set()
        for given in filter(lambda each: isinstance(each, Mapping), by_name):
            for key, value in given.items():
                named.update(map(str, value) if isinstance(value, list) else [str(key)])
        return named - {"*"}

    @property
    def about_runs(self) -> str:
        """The first option that only runs understand, if any was given."""
        given = (name for name in ONLY_RUNS if name in self.said)
        return next(given, "layout" if self.layout == "runs" else "")

    def checked(self) -> Self:
        """Return the options in their canonical spelling; refuse those that contradict."""
        if self.layout == "battles":
            raise UsageError(
                "a battle log is no table of scores: its candidates are rated.",
                hint="use deadheat rate FILE, in Python deadheat.rate(...).",
            )
        for name, (noun, words) in WORDS.items():
            value = getattr(self, name)
            if value is not None and value not in words:
                raise UnknownNameError(noun, str(value), words)
        tidy = self.tidied()
        tidy.require_consistent()
        _check_repeats(tidy)
        return tidy

    def tidied(self) -> Self:
        """Return the options in their canonical spelling."""
        named = {role: getattr(self, role) for role in COLUMNS}
        texts: dict[str, Any] = {
            role: str(column) for role, column in named.items() if column is not None
        }
        return replace(
            self,
            delimiter=_delimiter(self.delimiter),
            where=self.where if isinstance(self.where, str | Mapping) else tuple(self.where or ()),
            ignore=_texts(self.ignore),
            statuses=self.statuses
            if self.statuses is None
            else words_meant(self.statuses, "statuses", "STATUS", "gave up=unknown,sigsegv=crash"),
            **texts,
        )

    def require_consistent(self) -> None:
        """Refuse options that contradict each other."""
        _check_separators(self)
        _check_layout(self)
        _check_runs(self)
        _check_columns(self)


def _texts(given: str | Iterable[object]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given or ()))


def words_meant(given: Any, option: str, wanted: str, example: str) -> dict[str, str]:
    """Return what words of one's own mean, from a mapping or from WORD=MEANING,WORD=MEANING."""
    if isinstance(given, Mapping):
        return {str(word): str(meaning) for word, meaning in given.items()}
    found = {}
    for part in (part for text in _texts(given) for part in text.split(",")):
        word, equals, meaning = part.rpartition("=")
        if not equals:
            raise UsageError(
                f"--{option} needs WORD={wanted}, got {part!r}.",
                hint=f"for instance --{option} '{example}'.",
            )
        found[word] = meaning
    return found


def _in_words(value: Any) -> str:
    """Return a value as people say it; a mapping, which is long, by what it is."""
    return "another for each" if isinstance(value, Mapping) else quoted(value)


def _in_toml(name: str, value: Any) -> str:
    """Return an option as a sidecar has it; of a table only its name."""
    if isinstance(value, Mapping):
        return f"[{name}]"
    return f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}"


def _empty(value: object) -> bool:
    return isinstance(value, tuple | list | dict) and not value


def _delimiter(given: str | None) -> str | None:
    if given is None:
        return None
    delimiter = DELIMITERS.get(given.lower(), given)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise UsageError(
            f"the delimiter must be one character, got {given!r}.",
            hint="for instance ',' or ';' or 'tab'; 'space' stands for any run of white space.",
        )
    return delimiter


def _contradiction(fact: str, hint: str) -> UsageError:
    return UsageError(f"{fact}.", hint=f"{hint}.")


def _check_separators(options: Options) -> None:
    if options.decimal is not None and options.decimal == options.delimiter:
        raise _contradiction(
            f"{options.decimal!r} cannot be both the delimiter and the decimal sign",
            "say only one of --delimiter and --decimal; the other is found in the file",
        )


def _check_layout(options: Options) -> None:
    wide = options.layout == "wide" or (options.candidates is not None and not options.about_runs)
    if options.combine in {"mean", "judges"} and wide:
        raise _contradiction(
            f"--combine {options.combine} is about the rows of a long table, "
            "yet the layout is wide",
            f"leave out --combine, or say {say('layout', 'long')}",
        )
    for name in ("score", "repeat"):
        if options.layout == "wide" and getattr(options, name) is not None:
            raise _contradiction(
                f"--{name} {getattr(options, name)} names a column of a long table, "
                "yet the layout is wide",
                f"leave out --{name}, or say {say('layout', 'long')}",
            )
    if options.layout == "wide" and options.candidate and options.judge:
        raise _contradiction(
            "a wide table has one label column, yet both --candidate and --judge are given",
            f"say {say('candidate', 'COL')} where rows are candidates, {say('judge', 'COL')} "
            "where they are judges",
        )
    if options.candidates is None:
        return
    if options.layout == "long" or options.score is not None:
        raise _contradiction(
            f"--candidates {options.candidates} is about a wide table, yet the layout is long",
            f"in a long table {say('candidate', 'COL')} names the column of the candidates",
        )
    label = "judge" if options.candidates == "rows" else "candidate"
    if getattr(options, label) is not None:
        raise _contradiction(
            f"--{label} {getattr(options, label)} says that rows are {label}s, "
            f"yet --candidates says {options.candidates}",
            "say only one of them",
        )


def _check_runs(options: Options) -> None:
    about = options.about_runs
    if not about:
        return
    other = next((name for name in ("score", "candidates") if name in options.said), None)
    if other is None and options.layout in {None, "runs"}:
        return
    said = f"--{other} {getattr(options, other)}" if other else f"--layout {options.layout}"
    raise _contradiction(
        f"--{about} is about runs, yet {said} is about a table of scores",
        f"leave out --{about} to rank by the scores, or the other to score the runs by a rule",
    )


def _check_repeats(options: Options) -> None:
    if options.about_runs:
        return
    if options.repeat is not None and options.combine not in {"mean", "judges"}:
        raise _contradiction(
            f"--repeat {options.repeat} needs to know what to do with the repeats",
            f"{say('combine', 'mean')} averages them, {say('combine', 'judges')} makes each "
            "repeat a judge",
        )


def _check_columns(options: Options) -> None:
    named = [(role, getattr(options, role)) for role in COLUMNS]
    for role, column in named:
        if column in options.ignore:
            raise _contradiction(
                f"column {quoted(column)} cannot be ignored and hold the {role}s",
                f"leave out one of {say('ignore', column)} and {say(role, column)}",
            )
    for (one, column), (other, same) in combinations(named, 2):
        both_about_judges = one in {"judge", *ABOUT_JUDGES} and other in ABOUT_JUDGES
        if column is not None and column == same and not both_about_judges:
            raise _contradiction(
                f"--{one} and --{other} both name the column {quoted(column)}",
                f"the {one} and the {other} stand in columns of their own",
            )


# ------------------------------------------------------------------------------
# The sidecar: a TOML file beside a table that says what the table cannot.

# Every key of a sidecar: the types that its value may have, and an example.
KEYS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "better": ((str, dict), 'better = "higher"'),
    "tie_tol": ((int, float), "tie_tol = 0.01"),
    "header": ((bool,), "header = true"),
    "sheet": ((str, int), 'sheet = "scores"'),
    "ignore": ((list,), 'ignore = ["notes"]'),
    "layout": ((str,), 'layout = "wide"'),
    "candidates": ((str,), 'candidates = "rows"'),
    "missing": ((str,), 'missing = "worst"'),
    "repeat": ((str,), 'repeat = "name of a column"'),
    "combine": ((str,), 'combine = "mean"'),
    "delimiter": ((str,), 'delimiter = ";"'),
    "decimal": ((str,), 'decimal = ","'),
    "encoding": ((str,), 'encoding = "latin-1"'),
    "rule": ((str,), 'rule = "par2"'),
    "cutoff": ((int, float, str), "cutoff = 5000"),
    "reference": ((str,), 'reference = "best_known"'),
    "late": ((str,), 'late = "timeout"'),
    "wrong": ((str,), 'wrong = "disqualify"'),
    "statuses": ((dict,), '[statuses], and below it one word = "status" per line'),
    "columns": ((dict,), '[columns], and below it score = "accuracy"'),
    "weights": ((dict,), "[weights], and below it one judge = number per line"),
    "strata": ((dict,), '[strata], and below it one judge = "stratum" per line'),
    "clusters": ((dict,), '[clusters], and below it one judge = "cluster" per line'),
}
IN_WORDS = {str: "text", dict: "a table", list: "a list", bool: "true or false", int: "a number"}


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
        if key not in KEYS:
            raise UnknownNameError(f"key in {path.name}", key, KEYS)
        kinds, _ = KEYS[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            wanted = " or ".join(IN_WORDS[kind] for kind in kinds if kind in IN_WORDS)
            raise _wrong(path, key, value, wanted)
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


def _wrong(path: Path, key: str, value: object, wanted: str) -> UsageError:
    name = key.removeprefix("columns.")
    _, example = KEYS.get(name, ((), f'{name} = "name of a column"'))
    if name == "ignore" and isinstance(value, str):
        example = f"ignore = [{json.dumps(value)}]"
    return UsageError(
        f"{path.name}: {key} must be {wanted}, got {value!r}.", hint=f"for instance: {example}"
    )
