"""What the outcomes of a log mean, and what its battles must be before they are counted."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    counted,
    listed,
    quoted,
    said_with,
    say,
)
from deadheat.data.reading.battle_log import Log
from deadheat.data.reading.database import literal
from deadheat.data.reading.options import words_meant

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-9, 1e9  # summed as decimals, so that no order matters
BAD_WEIGHT = (
    f"(x IS NULL OR isnan(x) OR x < 0 OR x > {LARGEST_WEIGHT:g} "
    f"OR (x > 0 AND x < {SMALLEST_WEIGHT:g}))"
)
LARGEST_COUNT = 2**53 - 1  # of the whole numbers that no other is rounded to
NO_NAMES = ("nan", "none", "null", "na", "n/a", "<na>")


def refuse_bad_counts(log: Log) -> None:
    total = 0
    for outcome, column in log.roles.counts.items():
        n = f"n_{outcome}"
        bad = f"({n} IS NULL OR NOT isfinite({n}) OR {n} < 0 OR {n} != trunc({n}))"
        number, lowest = log.one(f"SELECT count(*), min({n}) FROM ({log.rows()}) WHERE {bad}")  # noqa: S608
        if number:
            value = "empty or no number" if lowest is None else f"{lowest:g}"
            raise DataError(
                f"{log.first(bad)}: the count {quoted(column)} is {value} "
                f"({counted(number, 'such row')}).",
                hint="counts are whole numbers of at least 0, and ties are counted in a column of "
                f"their own: {say('draws', 'COL')}.",
            )
        highest, battles = log.one(
            f"SELECT coalesce(max({n}), 0), sum(least({n}, 2.0**60)::HUGEINT) FROM ({log.rows()})"  # noqa: S608
        )
        total += int(battles or 0)
        if highest > LARGEST_COUNT:
            place, cell = log.first_cell(f"{n} > {LARGEST_COUNT}", column)
            raise _too_many(f"{place}: the count {quoted(column)} is {quoted(cell)}")
    if total > LARGEST_COUNT:
        raise _too_many(f"{log.source} counts {total:,} battles")


def _too_many(fact: str) -> DataError:
    return DataError(
        f"{fact}, more than {LARGEST_COUNT:,}, up to which numbers are exact.",
        hint="divide all counts by the same number.",
    )


def refuse_bad_names(log: Log) -> None:
    """Refuse an empty name, and numbers with decimals beside names: a table of scores has such."""
    for side, column in (("l", log.roles.left), ("r", log.roles.right)):
        number = log.one(f"SELECT sum(battles) FROM pairs WHERE {side} IS NULL")[0]  # noqa: S608
        if number:
            raise DataError(
                f"{log.first(f'{side} IS NULL')}: {quoted(column)} is empty "
                f"({counted(int(number), 'such battle')}).",
                hint=f"fill the cells, or leave the rows out: {say('where', f'{column}!=')}.",
            )
    numbers = ", ".join(
        f"bool_and({number} IS NOT NULL), coalesce(bool_or({number} != trunc({number})), false)"
        for number in (f"TRY_CAST({side} AS DOUBLE)" for side in ("l", "r"))
    )
    left, left_decimals, right, right_decimals = log.one(f"SELECT {numbers} FROM pairs")  # noqa: S608
    if left != right and (left_decimals if left else right_decimals):
        scores, names = (log.roles.left, log.roles.right)[:: 1 if left else -1]
        raise UsageError(
            f"{log.source}: column {quoted(scores)} holds numbers with decimals and column "
            f"{quoted(names)} names, so that they are not the two sides of battles.",
            hint=f"if it is a table of scores, leave out {say('left')}, {say('right')} and "
            f"{say('winner')} and say {say('better', 'higher')} or {say('better', 'lower')}.",
        )


def refuse_bad_weights(log: Log) -> None:
    if log.roles.weight is None:
        return
    bad, total = log.one("SELECT sum(bad), sum(weight) FROM pairs")
    if bad:
        place, cell = log.first_cell(BAD_WEIGHT, log.roles.weight)
        raise DataError(
            f"{place}: the weight {quoted(log.roles.weight)} is no usable number but "
            f"{quoted(cell) if cell else 'an empty cell'} ({counted(int(bad), 'such battle')}).",
            hint=f"weights are 0 or lie between {SMALLEST_WEIGHT:g} and {LARGEST_WEIGHT:g}.",
        )
    if not total:
        raise DataError(
            f"{log.source}: all weights are 0: no battle counts.",
            hint="give some battle a weight above 0.",
        )


def without_self_battles(log: Log, policy: str) -> str:
    number = int(log.one("SELECT coalesce(sum(battles), 0) FROM pairs WHERE l = r")[0])
    if not number or policy == "drop":
        return f"{counted(number, 'battle')} of a candidate with itself dropped." if number else ""
    name = log.one("SELECT l FROM pairs WHERE l = r ORDER BY battles DESC, l LIMIT 1")[0]
    raise DataError(
        f"{log.first('l = r')}: a candidate battles with itself "
        f"({counted(number, 'such battle')}, e.g. of {quoted(name)}).",
        hint=f"mend the rows, or leave them out: {say('self_battles', 'drop')}.",
    )


def odd_names(log: Log) -> str:
    words = ", ".join(map(literal, NO_NAMES))
    row = log.execute(
        f"SELECT name, sum(battles) FROM (SELECT unnest([l, r]) AS name, battles FROM pairs) "  # noqa: S608
        f"WHERE lower(name) IN ({words}) GROUP BY name ORDER BY name"
    ).fetchone()
    if row is None:
        return ""
    name, battles = row[0], counted(int(row[1]), "battle")
    both_sides = said_with("where", *(f"{c}!={name}" for c in (log.roles.left, log.roles.right)))
    return (
        f"{quoted(name)} is taken for the name of a candidate ({battles}); if it stands for an "
        f"empty cell, leave it out: {both_sides}"
    )


def one_way(log: Log) -> str:
    """Return what to say where wins of the right side are nowhere: in no column and no row."""
    roles = log.roles
    if roles.left_wins is None or roles.right_wins is not None:
        return ""
    if log.one("SELECT count(*) FROM pairs a JOIN pairs b ON a.l = b.r AND a.r = b.l")[0]:
        return ""
    return (
        f"{quoted(roles.left_wins)} counts wins of {quoted(roles.left)}, and no pair stands in "
        f"both orders, so that nobody in {quoted(roles.right)} ever won; "
        f"{say('right_wins', 'COL')} names a column of their wins."
    )


def refuse_bad_covariates(log: Log) -> None:
    for k, covariate in enumerate(log.roles.covariates):
        bad = f"(z{k} IS NULL OR NOT isfinite(z{k}))"
        number = log.count(bad)
        if number:
            columns = " and ".join(map(quoted, covariate.columns))
            raise DataError(
                f"{log.first(bad)}: the covariate {quoted(covariate.name)} ({columns}) is no "
                f"finite number ({counted(number, 'such row')}).",
                hint="give numbers, those of relative differences at least 0; or leave the rows "
                f"out: {say('where', 'COL!=VALUE')}.",
            )


# ------------------------------------------------------------------------------
# Who won a battle, and the words by which people say so.

MEANINGS = ("left", "right", "tie", "drop", "name")
CODES = {"left": 1, "tie": 0, "right": -1}
MOST_WORDS = 12

# Without case, and with a blank for any run of signs: "tie (bothbad)" is "tie bothbad".
BOTH_BAD = frozenset({"both bad", "bothbad", "tie bothbad", "tie both bad", "neither"})
_PLAIN: Mapping[str, tuple[str, ...]] = {
    "left": ("left", "home", "white", "first", "win", "won", "victory", "1 0"),
    "right": ("right", "away", "black", "second", "loss", "lose", "lost", "defeat", "0 1"),
    "tie": (
        *("tie", "tied", "ties", "draw", "drawn", "equal", "same", "both", "no preference"),
        *("both good", "bothgood", "tie bothgood", "tie both good", "1 2 1 2", "½ ½", "0 5 0 5"),
        *BOTH_BAD,
    ),
}
_UNIVERSAL = {word: meaning for meaning, words in _PLAIN.items() for word in words}
_KNOWN = {word: word.replace(" ", "_") for word in ("model a", "model b", *_UNIVERSAL)}
_SIDES = {
    **dict.fromkeys(("a", "1", "x", "one", "left"), "left"),
    **dict.fromkeys(("b", "2", "y", "two", "right"), "right"),
}
_FILLERS = frozenset(
    [
        *("model", "player", "team", "system", "candidate", "assistant", "response", "answer"),
        *("option", "side", "agent", "bot", "output", "generator", "method", "algorithm", "item"),
        *("wins", "win", "won", "is", "better", "winner", "the"),
    ]
)
# Words that only mean something beside one another: 0 is a tie beside -1, a defeat beside 0.5.
CONVENTIONS: tuple[Mapping[str, str], ...] = (
    {"1": "left", "0": "tie", "-1": "right"},
    {"1": "left", "0.5": "tie", "0": "right"},
    {"1": "left", "1.5": "tie", "2": "right"},
    {"a": "left", "b": "right"},
    {"x": "left", "y": "right"},
    {"l": "left", "r": "right"},
    {"h": "left", "d": "tie", "a": "right"},
    {"w": "left", "d": "tie", "l": "right"},
)


@dataclass(frozen=True)
class Word:
    """An outcome as it stands in a log, and how often.

    ``left`` and ``right`` count the battles in which it is the name of the left or right candidate.
    """

    text: str
    battles: int
    left: int = 0
    right: int = 0

    @property
    def plain(self) -> str:
        return plain_outcome(self.text)

    @property
    def is_name(self) -> bool:
        """Whether it always names one of the two candidates."""
        return self.left + self.right == self.battles


def plain_outcome(word: str) -> str:
    """Return an outcome without case and signs; a number in its shortest form.

    >>> plain_outcome("Tie (bothbad)"), plain_outcome("-1.0"), plain_outcome("Model_A")
    ('tie bothbad', '-1', 'model a')
    """
    try:
        return f"{float(word):g}"
    except ValueError:
        return " ".join(re.findall(r"[^\W_]+", word.casefold()))


def own_outcomes(given: Any) -> dict[str, str]:
    example = "model_1=left,model_2=right,skip=drop"
    found = {}
    for word, meaning in words_meant(given, "outcomes", "MEANING", example).items():
        plain = plain_outcome(meaning)
        if plain not in {*MEANINGS, "draw"}:
            raise UnknownNameError(f"meaning of the outcome {quoted(word)}", meaning, MEANINGS)
        found[word] = "tie" if plain == "draw" else plain
    return found


def meanings(
    words: Sequence[Word],
    own: Mapping[str, str],
    source: str,
    place: Callable[[Sequence[str]], Mapping[str, str]] = lambda _: {},
) -> dict[str, str]:
    """Return what each word of a log means: ``left``, ``right``, ``tie``, ``drop`` or ``name``.

    A word is one that everybody knows, one of a convention that explains all the other words too,
    or the name of one of the two candidates. What can be read in two ways is refused like what
    cannot be read at all; ``own`` settles it. ``place`` says where words stand first.
    """
    said = {word.text: own_meaning for word in words if (own_meaning := _own(word, own))}
    rest = [word for word in words if word.text not in said]
    named = [word for word in rest if word.is_name]
    by_word = _by_word(rest)
    by_name = _by_word([word for word in rest if not word.is_name]) if named else None
    if isinstance(by_name, dict):
        if not isinstance(by_word, dict):
            return said | by_name | {word.text: "name" for word in named}
        _refuse_two_readings(named, by_word, source)
    if isinstance(by_word, dict):
        return said | by_word
    unread = by_word if by_name is None else by_name
    assert not isinstance(unread, dict)
    raise unread.error(source, place)


def _own(word: Word, own: Mapping[str, str]) -> str:
    """Return what the caller says about a word: spelled so, spelled alike, or meaning the same."""
    if word.text in own:
        return own[word.text]
    plain = {plain_outcome(key): meaning for key, meaning in own.items()}
    if word.plain in BOTH_BAD and word.plain not in plain:
        return next((plain[other] for other in sorted(BOTH_BAD) if other in plain), "")
    return plain.get(word.plain, "")


@dataclass(frozen=True)
class _Unread:
    """Words without a meaning, or with several."""

    words: Sequence[Word]
    readings: Sequence[Mapping[str, str]] = ()

    def error(self, source: str, place: Callable[[Sequence[str]], Mapping[str, str]]) -> DataError:
        words = sorted(self.words, key=lambda word: (-word.battles, word.text))[:MOST_WORDS]
        places = place([word.text for word in words])
        told = ", ".join(_told(word, places.get(word.text, "")) for word in words)
        if len(self.words) > MOST_WORDS:
            told += f" and {len(self.words) - MOST_WORDS:,} more"
        asked = say("outcomes", ",".join(f"{word.text}=?" for word in words))
        hint = f"say what each means, where ? is one of left, right, tie, drop: {asked}."
        if self.readings:
            ways = " or ".join(
                ", ".join(f"{word.text} = {reading[word.plain]}" for word in words)
                for reading in self.readings
            )
            return DataError(f"{source}: the outcomes {told} can be read as {ways}.", hint=hint)
        many = len(self.words)
        noun = "an unknown outcome" if many == 1 else f"{many:,} unknown outcomes"
        return DataError(f"{source} has {noun}: {told}.", hint=hint)


def _told(word: Word, place: str) -> str:
    text = quoted(word.text) if word.text else "an empty cell"
    near = difflib.get_close_matches(word.plain, sorted(_KNOWN), n=1, cutoff=0.7)
    guess = f"; did you mean {_KNOWN[near[0]]!r}?" if word.plain and near else ""
    where = f", first in {place}" if place else ""
    return f"{text} ({counted(word.battles, 'battle')}{where}{guess})"


def _by_word(words: Iterable[Word]) -> dict[str, str] | _Unread:
    """Return what the words mean whatever the candidates are called, or which mean nothing."""
    known = {word: known_outcome(word.plain) for word in words}
    found = {word.text: meaning for word, meaning in known.items() if meaning}
    rest = [word for word, meaning in known.items() if not meaning]
    if not rest:
        return found
    plain = {word.plain for word in rest}
    readings: list[Mapping[str, str]] = []
    for each in CONVENTIONS:
        if each.keys() >= plain and (meant := {p: each[p] for p in plain}) not in readings:
            readings.append(meant)
    if len(readings) != 1:
        return _Unread(rest, readings)
    return found | {word.text: readings[0][word.plain] for word in rest}


def known_outcome(plain: str) -> str:
    """Return what a plain word means whatever stands beside it, or nothing.

    >>> known_outcome("model b"), known_outcome("bothbad"), known_outcome("0")
    ('right', 'tie', '')
    """
    if plain in _UNIVERSAL:
        return _UNIVERSAL[plain]
    tokens = re.findall(r"[^\W\d_]+|\d+", plain)
    sides = [token for token in tokens if token not in _FILLERS]
    if len(sides) == 1 and len(tokens) > 1:
        return _SIDES.get(sides[0], _UNIVERSAL.get(sides[0], ""))
    return ""


def _refuse_two_readings(named: Sequence[Word], by_word: Mapping[str, str], source: str) -> None:
    """Refuse a word that is an outcome and a candidate, where that makes a difference."""
    for word in named:
        meant = by_word[word.text]
        if meant == "tie" or (word.right if meant == "left" else word.left):
            raise DataError(
                f"{source}: the outcome {quoted(word.text)} is the name of a candidate and also "
                f"the word for {meant}.",
                hint=f"say which: {say('outcomes', f'{word.text}={meant}')}, or "
                f"{say('outcomes', f'{word.text}=name')} where the winner is called by its name.",
            )


# ------------------------------------------------------------------------------
# What the outcomes of a log are in SQL, and what is said about them.

MOST_OUTCOMES = 100_000
NAMES = 5  # of words in a note


def settled_outcomes(log: Log, own: dict[str, str]) -> tuple[str, list[str]]:
    """Return the SQL of the outcome of a battle as a number, NULL to drop it, and what to say."""
    words = _words(log)
    found = {word.text: word.text for word in words}
    if log.roles.winner is not None:
        found = meanings(words, own, log.source, log.firsts)
    cases = []
    for meaning, code in {**CODES, "drop": "NULL"}.items():
        meant = [literal(word) for word, each in found.items() if each == meaning]
        if meant:
            cases.append(f"WHEN w IN ({', '.join(meant)}) THEN {code}")
    named = "name" in found.values()
    by_name = "WHEN w = l THEN 1 WHEN w = r THEN -1 " if named else ""
    outcome = f"CAST(CASE {' '.join(cases)} {by_name}END AS TINYINT)"
    if named:
        _refuse_other_names(log, outcome, found)
    return outcome, _notes(words, own, found)


def _words(log: Log) -> list[Word]:
    number = log.one("SELECT count(DISTINCT w) FROM pairs WHERE l != r")[0]
    if not number:
        raise DataError(
            f"{log.source}: every battle is of a candidate with itself.",
            hint="are the right columns chosen?",
        )
    if number > MOST_OUTCOMES:
        raise DataError(
            f"{log.source}: {quoted(log.roles.winner)} holds {number:,} different outcomes.",
            hint=f"is it the column of the winner? {say('winner', 'COL')} names another.",
        )
    rows = log.execute(
        "SELECT w, sum(battles), coalesce(sum(battles) FILTER (w = l), 0), "
        "coalesce(sum(battles) FILTER (w = r), 0) FROM pairs WHERE l != r GROUP BY w "
        "ORDER BY 2 DESC, w"
    ).fetchall()
    return [Word(text, int(n), int(left), int(right)) for text, n, left, right in rows]


def _refuse_other_names(log: Log, outcome: str, found: dict[str, str]) -> None:
    dropped = ", ".join(literal(word) for word, meant in found.items() if meant == "drop")
    wrong = f"{outcome} IS NULL AND l != r" + (f" AND w NOT IN ({dropped})" if dropped else "")
    row = log.execute(
        f"SELECT w, l, r FROM pairs WHERE {wrong} ORDER BY battles DESC, w, l, r LIMIT 1"  # noqa: S608
    ).fetchone()
    if row is not None:
        raise DataError(
            f"{log.first(wrong)}: the winner is neither of the two candidates (e.g. "
            f"{quoted(row[0])} in a battle of {quoted(row[1])} and {quoted(row[2])}).",
            hint="where winners are called by their names, it is one of the two.",
        )


def _notes(words: list[Word], own: dict[str, str], found: dict[str, str]) -> list[str]:
    notes = []
    ties = [word for word in words if word.plain in BOTH_BAD and found[word.text] == "tie"]
    if ties:
        notes.append(
            f"{counted(sum(word.battles for word in ties), 'battle')} in which both were bad count "
            f"as ties; {say('outcomes', f'{ties[0].text}=drop')} leaves them out."
        )
    for word in words:
        if found[word.text] == "drop":
            what = f"the outcome {quoted(word.text)}" if word.text else "an empty outcome"
            notes.append(f"{counted(word.battles, 'battle')} with {what} dropped.")
    known = {word.plain for word in words}
    known |= BOTH_BAD if known & BOTH_BAD else frozenset()
    idle = [quoted(word) for word in own if plain_outcome(word) not in known]
    if idle:
        notes.append(f"no battle has the outcome {listed(idle, most=NAMES)}.")
    return notes
