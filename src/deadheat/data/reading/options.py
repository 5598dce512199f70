"""What the caller said about a table, from arguments and sidecar, and what contradicts itself."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Self, TypeAlias

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    ask,
    command_with,
    listed,
    quoted,
    say,
)
from deadheat.core.files import reads
from deadheat.core.options import (
    BRACKETS,
    COMBINE,
    LATE,
    PLACES,
    SCALINGS,
    SEVERAL,
    UNVERIFIED,
    WRONG,
)
from deadheat.data.reading import column_names as words
from deadheat.data.reading.source import PACKED, nearby
from deadheat.data.results import PLAIN, POLICIES, Nouns
from deadheat.data.runs import STATUSES

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "pipe": "|"}
DELIMITERS |= dict.fromkeys(("space", "white space", "whitespace"), " ")
OTHER_DELIMITERS = ",;|:\t"  # that people write
ABOUT_JUDGES = ("stratum", "cluster", "weight")
OF_RUNS = ("status", "time", "quality", "verified")
COLUMNS = ("candidate", "judge", "score", "standard_error", "repeat", *OF_RUNS, *ABOUT_JUDGES)
ONLY_RUNS = ("rule", *OF_RUNS, "cutoff", "reference", "statuses", "late", "wrong", "unverified")
Beside: TypeAlias = Mapping[str, str] | None  # options that a sidecar says, and its name
Ways = dict[str, dict[str, object]]  # options that lead on, by what they are for
EQUAL_STRATA = "equal-strata"  # a weight that is no column
REPLACED_BY = {"weight": "weights", "stratum": "strata", "cluster": "clusters"}


def option(example: str, *kinds: type, default: Any = None, noun: str = "", words: Any = ()) -> Any:
    """Declare an option: its line in a sidecar, the types of its value, and the words it takes.

    Without a declaration an option names a column; a sidecar has it below ``[columns]``.
    """
    about = {"example": example, "kinds": kinds or (str,), "noun": noun, "words": words}
    return field(default=default, metadata=about)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Hold everything that can be said about a table; None means that it was not said."""

    title: str | None = option('title = "The race of 2026"')
    by: str | None = option('by = "mean"')
    heading: str | None = option('heading = "PAR2"')
    total: str | None = option('total = "solved"')
    better: Any = option('better = "higher"', str, dict)  # noqa: RUF009
    layout: str | None = option('layout = "wide"', noun="layout", words=("wide", "long", "runs"))
    candidates: str | None = option('candidates = "rows"', noun="place of candidates", words=PLACES)
    candidate: str | None = None
    judge: Any = None
    score: str | None = None
    standard_error: Any = ()  # one column, or the two ends of an interval
    stratum: Any = None
    cluster: Any = None
    weight: str | None = None
    where: Any = ()
    missing: str | None = option('missing = "worst"', noun="missing policy", words=POLICIES)
    tie_tol: float | None = option("tie_tol = 0.01", int, float)
    scale_scores: str | None = option(
        'scale_scores = "judge"', noun="way to scale scores", words=SCALINGS
    )
    repeat: str | None = option('repeat = "name of a column"')
    combine: str | None = option('combine = "mean"', noun="way to combine scores", words=COMBINE)
    brackets: str | None = option(
        'brackets = "count"', noun="meaning of numbers in brackets", words=BRACKETS
    )
    rule: Any = option('rule = "par2"')  # noqa: RUF009
    status: str | None = None
    time: str | None = None
    quality: str | None = None
    verified: str | None = None
    cutoff: Any = option("cutoff = 5000", int, float, str)  # noqa: RUF009
    reference: Any = option('reference = "best_known"')  # noqa: RUF009
    statuses: Any = option('[statuses], and below it one word = "status" per line', dict)  # noqa: RUF009
    late: str | None = option('late = "timeout"', noun="way to treat late answers", words=LATE)
    wrong: str | None = option('wrong = "disqualify"', noun="way with wrong answers", words=WRONG)
    unverified: str | None = option(
        'unverified = "unsolved"', noun="way with unverified answers", words=UNVERIFIED
    )
    delimiter: str | None = option('delimiter = ";"')
    header: bool | None = option("header = true", bool)
    decimal: str | None = option('decimal = ","', noun="decimal sign", words=(".", ","))
    encoding: str | None = option('encoding = "latin-1"')
    sheet: str | int | None = option('sheet = "scores"', str, int)
    from_: str | None = None
    ignore: tuple[str, ...] = option('ignore = ["notes"]', list, default=())
    keep: tuple[str, ...] = option('keep = ["rank"]', list, default=())
    join: Any = ()
    rename: Any = None
    noun: Any = option('[noun], and below it candidate = "solver"', dict)  # noqa: RUF009
    weights: Mapping[str, Any] | None = option("[weights], and below it judge = number", dict)
    strata: Mapping[str, Any] | None = option('[strata], and below it judge = "stratum"', dict)
    clusters: Mapping[str, Any] | None = option('[clusters], and below it judge = "cluster"', dict)
    official: Mapping[str, Any] | None = option("[official], and below it candidate = rank", dict)
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns made of columns

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """The options that somebody set, by name."""
        pairs = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {k: v for k, v in pairs if not isinstance(v, tuple | list | dict | None) or v}

    def over(self, other: Self, sidecar: str) -> tuple[Self, tuple[str, ...]]:
        """Return these options, completed by those of a sidecar where nothing was said here."""
        mine, more, notes = self.values, {}, []
        for name, value in other.values.items():
            why = self._beats(name, value)
            if why:
                line = f"{name} = {json.dumps(value, ensure_ascii=False, default=str)}"
                line = f"[{name}]" if isinstance(value, Mapping) else line
                notes.append(f"{sidecar} says {line}, which does not count: {why}.")
            elif name not in mine:
                more[name] = value
        roles = {name: role for role, name in self.named_columns}
        for name in filter(roles.__contains__, other.ignore):
            use = say(roles[name], name)
            notes.append(f"{sidecar} leaves out column {quoted(name)}, yet {use} uses it.")
        ignore = [name for name in other.ignore if name not in roles]
        more["ignore"] = tuple(dict.fromkeys((*ignore, *self.ignore)))
        return replace(self, **more), tuple(notes)

    def _beats(self, name: str, value: Any) -> str:
        """Return what was said here that an option of a sidecar contradicts, or nothing."""
        mine = self.values
        if name == "ignore" or (name in mine and mine[name] == value):
            return ""
        if name in mine:
            each = isinstance(mine[name], Mapping)
            return f"{'another for each' if each else quoted(mine[name])} was said"
        beaten = next((one for one, table in REPLACED_BY.items() if table == name), "")
        if beaten in mine:
            return f"{say(beaten, mine[beaten])} was said"
        try:
            replace(self, **{name: value}).require_consistent()
            if name == "better" and self.rule is not None:
                from deadheat.data.scoring_rule import rule_of

                rule_of(self.rule, value)
        except UsageError as error:
            return error.clause
        return ""

    def nouns(
        self,
        candidate: str = "",
        judge: str = "",
        stratum: str = "",
        repeat: str | None = None,
    ) -> Nouns:
        """Return what was said, else what names of columns tell, else the usual words.

        ``stratum`` is a column where the option of that name says none; where repeats are judges,
        ``repeat`` is the column that tells them apart.
        """
        told = {"candidate": words.noun_of(candidate, "candidate", "perhaps_candidate")}
        told["cluster"] = words.noun_of(self.cluster or "", "judge", "round", "stratum")
        told["stratum"] = words.noun_of(self.stratum or stratum, "stratum", "judge", "round")
        for role, column in (("judge", judge), ("repeat", repeat or "")):
            *_, finest = parts = self.together.get(column, (column,))
            told[role] = words.noun_of(finest, "judge", "round")
            if len(parts) > 1 and not told[role] and finest.isalpha():
                told[role] = finest.lower()  # 68 diagrams, of 17 datasets
        if repeat is not None:
            run = f"{told['judge']} run" if told["judge"] else "run"
            told["cluster"] = told["cluster"] or told["judge"]
            told["judge"] = (told["repeat"] if self.cluster else "") or run
        return Nouns(**{role: noun for role, noun in told.items() if noun} | (self.noun or {}))

    @property
    def named_columns(self) -> list[tuple[str, str]]:
        """Every role that a column was said to have, and the column; several may share one."""
        said = ((role, getattr(self, role)) for role in COLUMNS)
        return [(role, name) for role, names in said for name in names_in(names)]

    @property
    def about_judges(self) -> dict[str, str]:
        pairs = ((name, getattr(self, name)) for name in ABOUT_JUDGES)
        return {name: given for name, given in pairs if given not in (None, EQUAL_STRATA)}

    @property
    def named_judges(self) -> set[str]:
        """The judges that are called by their names, to give them directions, weights, labels."""
        by_name = (self.better, self.weights, self.strata, self.clusters)
        pairs = [pair for each in by_name if isinstance(each, Mapping) for pair in each.items()]
        names = (value if isinstance(value, list) else [key] for key, value in pairs)
        return set(map(str, chain.from_iterable(names))) - {"*"}

    @property
    def about_runs(self) -> str:
        given = (name for name in ONLY_RUNS if name in self.values)
        return next(given, "layout" if self.layout == "runs" else "")

    def checked(self, beside: Beside = None) -> Self:
        """Return the options as readers have them; ``beside`` are those that a sidecar said."""
        if self.layout == "battles":
            fact = "a battle log is no table of scores: its candidates are rated."
            raise UsageError(fact, hint=f"rate it: {ask('rate', 'FILE')}")
        for each in fields(self):
            value, words = getattr(self, each.name), each.metadata.get("words")
            if words and value is not None and value not in words:
                raise UnknownNameError(each.metadata["noun"], str(value), words)
        tidy = self.tidied()
        tidy.require_consistent(beside)
        if tidy.repeat is not None and tidy.combine not in COMBINE[1:] and not tidy.about_runs:
            fact = f"{say('repeat', tidy.repeat)} needs to know what to do with the repeats."
            ways = {"mean": "to average them", "judges": "to make each a judge"}
            told = (f"{why}: {command_with(combine=way)}" for way, why in ways.items())
            raise UsageError(fact, hint="\n".join(told))
        return tidy

    def tidied(self) -> Self:
        texts: dict[str, Any] = {
            role: str(given) for role in COLUMNS if (given := getattr(self, role)) is not None
        }
        for role in ("standard_error", *(role for role in SEVERAL if role in texts)):
            names = tuple(dict.fromkeys(map(str, names_in(getattr(self, role)))))
            one = len(names) < 2 and role in SEVERAL
            texts[role] = next(iter(names), None) if one else names
        if self.statuses is not None:
            texts["statuses"] = word_meanings(self.statuses, "statuses", "STATUS", STATUS_OF_WORD)
        joined = self.join or ()
        texts["join"] = (joined,) if isinstance(joined, str | os.PathLike) else tuple(joined)
        if self.noun is not None:
            texts["noun"] = word_meanings(self.noun, "noun", "NOUN", NOUN_OF_ROLE)
            for role in (role for role in texts["noun"] if role not in vars(PLAIN)):
                raise UnknownNameError("role of a noun", role, vars(PLAIN))
        if self.delimiter is not None:
            texts["delimiter"] = DELIMITERS.get(self.delimiter.lower(), self.delimiter)
            if len(texts["delimiter"]) != 1 or texts["delimiter"] in '"\r\n':
                fact = f"the delimiter must be one character, got {self.delimiter!r}."
                near = difflib.get_close_matches(self.delimiter.lower(), DELIMITERS, n=1)
                sign = next(iter(near), self.delimiter[:1])
                if not near and (not sign or sign not in OTHER_DELIMITERS):
                    sign = "comma"
                hint = f"if it is {quoted(sign)}: {command_with(delimiter=sign)}"
                raise UsageError(fact, hint=hint)
        where = self.where if isinstance(self.where, str | Mapping) else tuple(self.where or ())
        return replace(
            self, where=where, ignore=_texts(self.ignore), keep=_texts(self.keep), **texts
        )

    @property
    def without_runs(self) -> dict[str, object]:
        """What takes away whatever was said about runs."""
        return self.without([*ONLY_RUNS, *(["layout"] if self.layout == "runs" else [])])

    def require_consistent(self, beside: Beside = None) -> None:
        for wrong, fact, ways in self._contradictions():
            if wrong:
                hint = (f"{way}: {_done(told, beside or {})}" for way, told in ways.items())
                raise UsageError(f"{fact}.", hint="\n".join(hint))

    def without(self, names: Iterable[str]) -> dict[str, object]:
        """Return what takes options away that were said, as a command and keywords have it."""
        return {name: None for name in names if name in self.values}

    def _contradictions(self) -> Iterator[tuple[object, str, Ways]]:
        """Yield whether options contradict each other, how, and options that end it."""
        said, about, wide = self.values, self.about_runs, self.layout == "wide"
        fact = f"{self.decimal!r} cannot be both the delimiter and the decimal sign"
        both = self.decimal is not None and self.decimal == self.delimiter
        ways: Ways = {"without the decimal sign": {"decimal": None}}
        yield both, fact, ways | {"without the delimiter": {"delimiter": None}}
        score = "score" in said and not self.standard_error  # whose score it may name
        fact = f"{say('score', self.score)} is about a long table, yet the layout is wide"
        ways = {"if the table is long": {"layout": "long"}, "if it is wide": {"score": None}}
        yield wide and score, fact, ways
        one, other = say("candidate"), say("judge")
        fact = f"a wide table has one label column, yet both {one} and {other} are given"
        ways = {"if rows are candidates": {"judge": None}}
        ways |= {
            "if rows are judges": {"candidate": None},
            "if the table is long": {"layout": None},
        }
        yield wide and self.candidate and self.judge, fact, ways
        place, label = self.candidates, "judge" if self.candidates == "rows" else "candidate"
        fact = f"{say('candidates', place)} is about a wide table, yet the layout is long"
        ways = {"if the table is long": {"candidates": None}}
        ways["if it is wide"] = self.without(["score"]) | {"layout": "wide"}
        yield place and (self.layout == "long" or score), fact, ways
        rows_are = f"{say(label, said.get(label))} says that rows are {label}s"
        fact = f"{rows_are}, yet {say('candidates', place)} says otherwise"
        ways = {f"if rows are {label}s": {"candidates": None}, "if not": {label: None}}
        yield place and label in said, fact, ways
        table = next((name for name in ("score", "candidates") if name in said), "layout")
        times = table == "candidates" and self.layout in {None, "wide"}  # may stand in columns
        scores = (table != "layout" and not times) or self.layout == "long"
        of_scores = f"yet {say(table, said.get(table))} is about a table of scores"
        ways = {"to rank by the scores": self.without_runs}
        ways["to score the runs"] = self.without(["score", "candidates", "layout"])
        yield about and scores, f"{say(about)} is about runs, {of_scores}", ways
        roles = self.named_columns
        for role, name in roles:
            fact = f"column {quoted(name)} cannot be ignored and hold the {role}s"
            others = tuple(each for each in self.ignore if each != name)
            ways = {"to leave it out": {role: None}, "to keep it": {"ignore": others or None}}
            yield name in self.ignore, fact, ways
        for name in self.keep:
            fact = f"column {quoted(name)} cannot be ignored and kept"
            left, kept = (
                tuple(each for each in names if each != name) or None
                for names in (self.ignore, self.keep)
            )
            ways = {"to leave it out": {"keep": kept}, "to keep it": {"ignore": left}}
            yield name in self.ignore, fact, ways
        for (one, name), (other, same) in combinations(roles, 2):
            alike = one in {"judge", *ABOUT_JUDGES} and other in ABOUT_JUDGES
            fact = f"{say(one)} and {say(other)} both name the column {quoted(name)}"
            ways = {f"if it is the {one}": {other: None}, f"if it is the {other}": {one: None}}
            yield name == same and one != other and not alike, fact, ways


def _done(told: Mapping[str, object], beside: Mapping[str, str]) -> str:
    """Return a command that says other options; what a sidecar says is removed there."""
    there = [name for name, value in told.items() if value is None and name in beside]
    here = {name: value for name, value in told.items() if name not in there}
    command = command_with(**here)
    if not there:
        return command
    removed = f"remove {listed(there)} from {beside[there[0]]}"
    return f"{removed}, then: {command}" if here else f"{removed}."


def names_in(given: Any) -> tuple[Any, ...]:
    """Return the columns that were said: none, one, or several that name something together."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list | tuple) else (given,)


def _texts(given: str | Iterable[object]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(map(str, given or ()))


# How a word that stands alone could be said, and what that would mean.
STATUS_OF_WORD = {f"where ? is one of {', '.join(STATUSES)}": "{}=?"}
NOUN_OF_ROLE = {f"if a {role} is called so": f"{role}={{}}" for role in ("candidate", "judge")}


def word_meanings(given: Any, option: str, wanted: str, ways: Mapping[str, str]) -> dict[str, str]:
    """Return what words of one's own mean, from a mapping or from WORD=MEANING,WORD=MEANING."""
    if isinstance(given, Mapping):
        return {str(word): str(meaning) for word, meaning in given.items()}
    parts = [part.rpartition("=") for text in _texts(given) for part in text.split(",")]
    for _, equals, part in parts:
        if not equals:
            fact = f"{say(option)} needs WORD={wanted}, got {part!r}."
            hint = []
            for why, way in ways.items():
                told = ("".join(each) if each[1] else way.format(each[2]) for each in parts)
                hint.append(f"{why}: {command_with(**{option: ','.join(told)})}")
            raise UsageError(fact, hint="\n".join(hint))
    return {word: meaning for word, _, meaning in parts}


# ------------------------------------------------------------------------------
# The sidecar: a TOML file beside a table that says what the table cannot.

# Every key of a sidecar: the types that its value may have, and an example.
KEYS: Mapping[str, tuple[tuple[type, ...], str]] = {
    each.name: (each.metadata["kinds"], each.metadata["example"])
    for each in fields(Options)
    if each.metadata
} | {"columns": ((dict,), '[columns], and below it score = "accuracy"')}
IN_COLUMNS: Mapping[str, tuple[tuple[type, ...], str]] = {
    role: ((str, list) if role in SEVERAL else (str,), f'{role} = "name of a column"')
    for role in COLUMNS
} | {"standard_error": ((str, list), 'standard_error = ["lower end", "upper end"]')}
IN_WORDS = {str: "text", dict: "a table", list: "a list", bool: "true or false", int: "a number"}


def sidecar_of(source: object, asked: str | os.PathLike[str] | None) -> Path | None:
    if asked is not None:
        return Path(asked)
    if not isinstance(source, str | os.PathLike) or source == "-":
        return None
    path = bare = Path(source)
    names = [path.name]
    while bare.suffix.lower() in PACKED:
        bare = bare.with_suffix("")
        names.append(bare.name)
    beside = (path.with_name(f"{name}.toml") for name in (*names, bare.stem) if name)
    return next((file for file in beside if file != path and file.is_file()), None)


def read_sidecar(path: Path) -> Options:
    said = _parse_sidecar(path)
    columns = said.get("columns", {})
    checks = [("key", key, key, value, KEYS) for key, value in said.items()]
    if isinstance(columns, dict):
        checks += [
            ("column", key, f"columns.{key}", value, IN_COLUMNS) for key, value in columns.items()
        ]
    for kind, key, place, value, known in checks:
        if key not in known:
            raise UnknownNameError(f"{kind} in {path.name}", key, known)
        kinds, example = known[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            if key == "ignore" and isinstance(value, str):
                example = f"ignore = [{json.dumps(value)}]"
            wanted = " or ".join(IN_WORDS[kind] for kind in kinds if kind in IN_WORDS)
            fact = f"{path.name}: {place} must be {wanted}, got {value!r}."
            raise UsageError(fact, hint=f"for instance: {example}")
    said.pop("columns", None)
    return Options(**(columns | said)).tidied()


def _parse_sidecar(path: Path) -> dict[str, Any]:
    reads(path, "the sidecar of the input")
    hint = 'for instance: better = "higher".'
    try:
        said = tomllib.loads(path.read_text("utf-8"))
        _require_64_bits(said)
    except UnicodeDecodeError:
        fact, hint = f"{path.name} is no valid TOML: it is not UTF-8 text", "save it as UTF-8."
    except RecursionError:
        fact = f"{path.name} is no valid TOML: it is nested too deeply"
    except ValueError as error:
        bits = "a whole number does not fit into 64 bits"
        why = error if isinstance(error, tomllib.TOMLDecodeError) else bits
        fact = f"{path.name} is no valid TOML: {why}"
    except (FileNotFoundError, NotADirectoryError):
        fact, hint = f"there is no sidecar file {str(path)!r}", nearby(path)
    except OSError as error:
        fact = f"the sidecar {str(path)!r} cannot be read ({error.strerror})"
        hint = "it must be a TOML file that you may read."
    else:
        return said
    raise DataError(f"{fact}.", hint=hint)


def _require_64_bits(value: object) -> None:
    """Refuse what Python reads as a whole number and no array holds."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _require_64_bits(part)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError
