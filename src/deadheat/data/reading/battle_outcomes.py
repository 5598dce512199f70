"""What the outcomes of a log mean, and what is said about them."""

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
    say,
)
from deadheat.data.reading.battle_log import Log
from deadheat.data.reading.database import literal
from deadheat.data.reading.options import words_meant

# What the battles of a log must be before they are counted.

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-9, 1e9  # summed as decimals, so that no order matters
BAD_WEIGHT = (
    f"(x IS NULL OR isnan(x) OR x < 0 OR x > {LARGEST_WEIGHT:g} "
    f"OR (x > 0 AND x < {SMALLEST_WEIGHT:g}))"
)
LARGEST_COUNT = 2**53 - 1  # of the whole numbers that no other is rounded to
NO_NAMES = ("nan", "none", "null", "na", "n/a", "<na>")


def refuse_bad_counts(log: Log) -> None:
    """Refuse counts that are no whole numbers of at least 0, or too large to be exact."""
    total = 0
    for outcome, column in log.roles.counts.items():
        count = f"n_{outcome}"
        bad = (
            f"({count} IS NULL OR NOT isfinite({count}) OR {count} < 0 "
            f"OR {count} != trunc({count}))"
        )
        number, lowest = log.one(
            f"SELECT count(*), min({count}) FROM ({log.rows()}) WHERE {bad}"  # noqa: S608
        )
        if number:
            value = "empty or no number" if lowest is None else f"{lowest:g}"
            raise DataError(
                f"{log.first(bad)}: the count {quoted(column)} is {value} "
                f"({counted(number, 'such row')}).",
                hint="counts are whole numbers of at least 0; write 0 where nobody won, and count "
                f"ties in a column of their own: {say('draws', 'COL')}.",
            )
        highest, battles = log.one(
            f"SELECT coalesce(max({count}), 0), sum(least({count}, 2.0**60)::HUGEINT) "  # noqa: S608
            f"FROM ({log.rows()})"
        )
        total += int(battles or 0)
        if highest > LARGEST_COUNT:
            place, cell = log.first_cell(f"{count} > {LARGEST_COUNT}", column)
            raise _too_many(f"{place}: the count {quoted(column)} is {quoted(cell)}")
    if total > LARGEST_COUNT:
        raise _too_many(f"{log.source} counts {total:,} battles")


def _too_many(fact: str) -> DataError:
    return DataError(
        f"{fact}, more than {LARGEST_COUNT:,}, up to which numbers are exact.",
        hint="count smaller numbers of battles: divide all counts by the same number.",
    )


def refuse_nameless(log: Log) -> None:
    """Refuse a battle with an empty name."""
    for side, column in (("l", log.roles.left), ("r", log.roles.right)):
        number = log.one(f"SELECT sum(battles) FROM pairs WHERE {side} IS NULL")[0]  # noqa: S608
        if number:
            raise DataError(
                f"{log.first(f'{side} IS NULL')}: {quoted(column)} is empty "
                f"({counted(int(number), 'such battle')}).",
                hint="every battle names both candidates; mend the rows, or leave them out with "
                f"{say('where', f'{column}!=')}.",
            )


def refuse_scores_for_names(log: Log) -> None:
    """Refuse a side of numbers with decimals beside one of names: a table of scores has such."""
    asked = ", ".join(
        f"bool_and({number} IS NOT NULL), coalesce(bool_or({number} != trunc({number})), false)"
        for number in (f"TRY_CAST({side} AS DOUBLE)" for side in ("l", "r"))
    )
    all_left, some_left, all_right, some_right = log.one(f"SELECT {asked} FROM pairs")  # noqa: S608
    if all_left == all_right:
        return
    numbers, names = log.roles.left, log.roles.right
    decimals = some_left
    if all_right:
        numbers, names, decimals = names, numbers, some_right
    if decimals:
        raise UsageError(
            f"{log.source}: column {quoted(numbers)} holds numbers with decimals and column "
            f"{quoted(names)} names, so that they are not the two sides of battles.",
            hint="if it is a table of scores, leave out --left, --right and --winner and say "
            f"{say('better', 'higher')} or {say('better', 'lower')}.",
        )


def refuse_bad_weights(log: Log) -> None:
    """Refuse weights that are no numbers of at least 0, and those that weigh nothing together."""
    if log.roles.weight is None:
        return
    bad, total = log.one("SELECT sum(bad), sum(weight) FROM pairs")
    if bad:
        place, cell = log.first_cell(BAD_WEIGHT, log.roles.weight)
        raise DataError(
            f"{place}: the weight {quoted(log.roles.weight)} is no usable number but "
            f"{quoted(cell) if cell else 'an empty cell'} ({counted(int(bad), 'such battle')}).",
            hint=f"weights are 0, which counts for nothing, or lie between {SMALLEST_WEIGHT:g} and "
            f"{LARGEST_WEIGHT:g}.",
        )
    if not total:
        raise DataError(
            f"{log.source}: all weights are 0: no battle counts.",
            hint="give some battle a weight above 0.",
        )


def self_battles(log: Log, policy: str) -> str:
    """Refuse battles of a candidate with itself, or say that they are dropped."""
    number = int(log.one("SELECT coalesce(sum(battles), 0) FROM pairs WHERE l = r")[0])
    if not number:
        return ""
    if policy == "drop":
        return f"{counted(number, 'battle')} of a candidate with itself dropped."
    name = log.one("SELECT l FROM pairs WHERE l = r ORDER BY battles DESC, l LIMIT 1")[0]
    raise DataError(
        f"{log.first('l = r')}: a candidate battles with itself "
        f"({counted(number, 'such battle')}, e.g. of {quoted(name)}).",
        hint=f"mend the rows, or leave them out: {say('self_battles', 'drop')}.",
    )


def odd_names(log: Log) -> str:
    """Return what to say of candidates whose names look like empty cells."""
    words = ", ".join(map(literal, NO_NAMES))
    rows = log.execute(
        f"SELECT name, sum(battles) FROM (SELECT unnest([l, r]) AS name, battles FROM pairs) "  # noqa: S608
        f"WHERE lower(name) IN ({words}) GROUP BY name ORDER BY name"
    ).fetchall()
    if not rows:
        return ""
    name, battles = rows[0]
    both_sides = " ".join(say("where", f"{c}!={name}") for c in (log.roles.left, log.roles.right))
    return (
        f"{quoted(name)} is taken for the name of a candidate ({counted(int(battles), 'battle')}); "
        f"if it stands for an empty cell, leave it out: {both_sides}."
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
    """Refuse a covariate that is missing or infinite in some battle."""
    for k, covariate in enumerate(log.roles.covariates):
        bad = f"(z{k} IS NULL OR NOT isfinite(z{k}))"
        number = log.count(bad)
        if number:
            columns = " and ".join(map(quoted, covariate.columns))
            raise DataError(
                f"{log.first(bad)}: the covariate {quoted(covariate.name)} ({columns}) is no "
                f"finite number ({counted(number, 'such row')}).",
                hint="give numbers, those of relative differences at least 0; or leave the rows "
                f"out with {say('where', 'COL!=VALUE')}.",
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
        """The word without case and signs; a number in its shortest form."""
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
    """Return what words of one's own mean, from a mapping or from WORD=MEANING,WORD=MEANING."""
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
        if isinstance(by_word, dict):
            _refuse_two_readings(named, by_word, source)
        else:
            return said | by_name | {word.text: "name" for word in named}
    if isinstance(by_word, dict):
        return said | by_word
    unknown = by_word if by_name is None else by_name
    assert not isinstance(unknown, dict)
    raise unknown.error(source, place)


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
        """Return what is wrong with them and what to say."""
        words = sorted(self.words, key=lambda word: (-word.battles, word.text))[:MOST_WORDS]
        places = place([word.text for word in words])
        told = [_told(word, places.get(word.text, "")) for word in words]
        more = f" and {len(self.words) - len(words):,} more" if len(self.words) > MOST_WORDS else ""
        asked = ",".join(f"{word.text}=?" for word in words)
        hint = (
            f"say what each means, where ? is one of left, right, tie, drop: "
            f"{say('outcomes', asked)}."
        )
        if self.readings:
            ways = " or ".join(
                ", ".join(f"{word.text} = {reading[word.plain]}" for word in words)
                for reading in self.readings
            )
            return DataError(
                f"{source}: the outcomes {', '.join(told)}{more} can be read as {ways}.", hint=hint
            )
        many = len(self.words)
        noun = "an unknown outcome" if many == 1 else f"{many:,} unknown outcomes"
        return DataError(f"{source} has {noun}: {', '.join(told)}{more}.", hint=hint)


def _by_word(words: Iterable[Word]) -> dict[str, str] | _Unread:
    """Return what the words mean whatever the candidates are called, or which mean nothing."""
    known = {word: known_outcome(word.plain) for word in words}
    found = {word.text: meaning for word, meaning in known.items() if meaning}
    rest = [word for word, meaning in known.items() if not meaning]
    if not rest:
        return found
    fitting = [each for each in CONVENTIONS if each.keys() >= {word.plain for word in rest}]
    if not fitting:
        return _Unread(rest)
    readings = [{word.plain: each[word.plain] for word in rest} for each in fitting]
    distinct = [each for k, each in enumerate(readings) if each not in readings[:k]]
    if len(distinct) > 1:
        return _Unread(rest, distinct)
    return found | {word.text: distinct[0][word.plain] for word in rest}


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
    agreeing = {"left": "right", "right": "left"}
    for word in named:
        other = agreeing.get(by_word[word.text])
        if other is None or getattr(word, other):
            raise DataError(
                f"{source}: the outcome {quoted(word.text)} is the name of a candidate and also "
                f"the word for {by_word[word.text]}.",
                hint=f"say which: {say('outcomes', f'{word.text}={by_word[word.text]}')}, or "
                f"{say('outcomes', f'{word.text}=name')} where the winner is called by its name.",
            )


def _told(word: Word, place: str) -> str:
    text = quoted(word.text) if word.text else "an empty cell"
    near = difflib.get_close_matches(word.plain, sorted(_KNOWN), n=1, cutoff=0.7)
    guess = f"; did you mean {_KNOWN[near[0]]!r}?" if word.plain and near else ""
    where = f", first in {place}" if place else ""
    return f"{text} ({counted(word.battles, 'battle')}{where}{guess})"


_KNOWN = {word: word.replace(" ", "_") for word in ("model a", "model b", *_UNIVERSAL)}


# ------------------------------------------------------------------------------
# What the outcomes of a log are in SQL, and what is said about them.

MOST_OUTCOMES = 100_000
NAMES = 5  # of words in a note


def settled_outcomes(log: Log, own: dict[str, str]) -> tuple[str, list[str]]:
    """Return the SQL of the outcome of a battle as a number, NULL to drop it, and what to say."""
    words = _words(log)
    if log.roles.winner is None:
        found = {word.text: word.text for word in words}
    else:
        found = meanings(words, own, log.source, log.firsts)
    named = "name" in found.values()
    outcome = _sql(found, named=named)
    if named:
        _refuse_other_names(log, outcome, found)
    return outcome, [_both_bad(words, found), *_dropped(words, found), _not_found(words, own)]


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


def _sql(found: dict[str, str], *, named: bool) -> str:
    cases = []
    for meaning, code in {**CODES, "drop": "NULL"}.items():
        words = [literal(word) for word, meant in found.items() if meant == meaning]
        if words:
            cases.append(f"WHEN w IN ({', '.join(words)}) THEN {code}")
    by_name = "WHEN w = l THEN 1 WHEN w = r THEN -1 " if named else ""
    return f"CAST(CASE {' '.join(cases)} {by_name}END AS TINYINT)"


def _refuse_other_names(log: Log, outcome: str, found: dict[str, str]) -> None:
    dropped = [literal(word) for word, meant in found.items() if meant == "drop"]
    wrong = f"{outcome} IS NULL AND l != r" + (
        f" AND w NOT IN ({', '.join(dropped)})" if dropped else ""
    )
    row = log.execute(
        f"SELECT w, l, r FROM pairs WHERE {wrong} ORDER BY battles DESC, w, l, r LIMIT 1"  # noqa: S608
    ).fetchone()
    if row is not None:
        raise DataError(
            f"{log.first(wrong)}: the winner is neither of the two candidates (e.g. "
            f"{quoted(row[0])} in a battle of {quoted(row[1])} and {quoted(row[2])}).",
            hint="where winners are called by their names, it is one of the two.",
        )


def _both_bad(words: list[Word], found: dict[str, str]) -> str:
    ties = [w for w in words if w.plain in BOTH_BAD and found[w.text] == "tie"]
    if not ties:
        return ""
    number = sum(word.battles for word in ties)
    return (
        f"{counted(number, 'battle')} in which both were bad count as ties; "
        f"{say('outcomes', f'{ties[0].text}=drop')} leaves them out."
    )


def _dropped(words: list[Word], found: dict[str, str]) -> list[str]:
    return [
        f"{counted(word.battles, 'battle')} with "
        f"{f'the outcome {quoted(word.text)}' if word.text else 'an empty outcome'} dropped."
        for word in words
        if found[word.text] == "drop"
    ]


def _not_found(words: list[Word], own: dict[str, str]) -> str:
    known = {word.plain for word in words}
    bad = bool(known & BOTH_BAD)
    idle = [
        quoted(key)
        for key in own
        if plain_outcome(key) not in known and not (bad and plain_outcome(key) in BOTH_BAD)
    ]
    return f"no battle has the outcome {listed(idle, most=NAMES)}." if idle else ""
