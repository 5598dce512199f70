"""Who won a battle, and the words by which people say so."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.core.errors import DataError, UnknownNameError, command_with, counted, quoted
from deadheat.data.reading.options import word_meanings

MEANINGS = ("left", "right", "tie", "drop", "name")
MOST_WORDS = 12
WHERE_OUTCOME = f"where ? is one of {', '.join(MEANINGS[:-1])}"
OUTCOME_OF_WORD = {WHERE_OUTCOME: "{}=?"}

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
_SIDES = dict.fromkeys(("a", "1", "x", "one", "left"), "left")
_SIDES |= dict.fromkeys(("b", "2", "y", "two", "right"), "right")
_FILLERS = {
    *("model", "player", "team", "system", "candidate", "assistant", "response", "answer", "bot"),
    *("option", "side", "agent", "output", "generator", "method", "algorithm", "item", "wins"),
    *("win", "won", "is", "better", "winner", "the"),
}
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
# Where all three are there; both are common, so that somebody has to say which.
OF_THREE = (
    {"1": "left", "2": "right", "0": "tie"},
    {"0": "left", "1": "right", "2": "tie"},
)
POINTS = re.compile(r"\s*(\d+)\s*[-:\u2013]\s*(\d+)\s*")  # of both sides, as 2:1 or 2-1


@dataclass(frozen=True)
class Word:
    """An outcome as it stands in a log, how often, and how often it names the left or right one."""

    text: str
    battles: int
    left: int = 0
    right: int = 0

    @property
    def plain(self) -> str:
        return plain_outcome(self.text)

    @property
    def is_name(self) -> bool:
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
    own = {}
    for word, meaning in word_meanings(given, "outcomes", "MEANING", OUTCOME_OF_WORD).items():
        plain = plain_outcome(meaning)
        if plain not in {*MEANINGS, "draw"}:
            raise UnknownNameError(f"meaning of the outcome {quoted(word)}", meaning, MEANINGS)
        own[word] = "tie" if plain == "draw" else plain
    return own


Place = Callable[[str], str]  # of the first battle with an outcome
Unread = tuple[Sequence[Word], Sequence[Mapping[str, str]]]  # words, and how they could be read


def meanings(
    words: Sequence[Word], own: Mapping[str, str], source: str, place: Place = lambda _: ""
) -> dict[str, str]:
    """Return what each word of a log means: ``left``, ``right``, ``tie``, ``drop`` or ``name``.

    A word is one that everybody knows, one of a convention that explains all the other words too,
    or the name of one of the two candidates. What can be read in two ways is refused like what
    cannot be read at all; ``own`` settles it. ``place`` says where a word stands first.
    """
    said = {word.text: meaning for word in words if (meaning := _own(word, own))}
    rest = [word for word in words if word.text not in said]
    named = [word for word in rest if word.is_name]
    by_word, unread = _by_word(rest)
    if named:
        by_name, others = _by_word([word for word in rest if not word.is_name])
        if others is None and unread is not None:
            return said | by_name | {word.text: "name" for word in named}
        if others is None:
            _refuse_two_readings(named, by_word, source)
        unread = unread and others
    if unread is not None:
        raise _unknown(*unread, source, place)
    return said | by_word


def _own(word: Word, own: Mapping[str, str]) -> str:
    """Return what the caller says about a word: spelled so, spelled alike, or meaning the same."""
    if word.text in own:
        return own[word.text]
    plain = {plain_outcome(key): meaning for key, meaning in own.items()}
    if word.plain in BOTH_BAD and word.plain not in plain:
        return next((plain[other] for other in sorted(BOTH_BAD) if other in plain), "")
    return plain.get(word.plain, "")


def _by_word(words: Iterable[Word]) -> tuple[dict[str, str], Unread | None]:
    """Return what words mean whatever the candidates are called, and those that mean nothing."""
    known = {word: known_outcome(word.plain) or _by_points(word.text) for word in words}
    meant = {word.text: meaning for word, meaning in known.items() if meaning}
    rest = [word for word, meaning in known.items() if not meaning]
    if not rest:
        return meant, None
    plain = {word.plain for word in rest}
    readings: list[dict[str, str]] = []
    fit = [each for each in CONVENTIONS if each.keys() >= plain]
    for each in (*fit, *(each for each in OF_THREE if each.keys() == plain)):
        if (reading := {p: each[p] for p in plain}) not in readings:
            readings.append(reading)
    if len(readings) != 1:
        readings.sort(key=lambda reading: not {"left", "right"} <= {*reading.values()})
        return meant, (rest, readings)
    return meant | {word.text: readings[0][word.plain] for word in rest}, None


def known_outcome(plain: str) -> str:
    """Return what a plain word means whatever stands beside it, or nothing."""
    if plain in _UNIVERSAL:
        return _UNIVERSAL[plain]
    tokens = re.findall(r"[^\W\d_]+|\d+", plain)
    sides = [token for token in tokens if token not in _FILLERS]
    if len(sides) == 1 and len(tokens) > 1:
        return _SIDES.get(sides[0], _UNIVERSAL.get(sides[0], ""))
    return ""


def _by_points(word: str) -> str:
    """Return what points of both sides mean, or nothing."""
    found = POINTS.fullmatch(word)
    left, right = map(int, found.groups()) if found else (None, None)
    if left is None or right is None:
        return ""
    return "tie" if left == right else "left" if left > right else "right"


def _unknown(
    unread: Sequence[Word], readings: Sequence[Mapping[str, str]], source: str, place: Place
) -> DataError:
    unread = sorted(unread, key=lambda word: (-word.battles, word.text))
    words = [word.text for word in unread[:MOST_WORDS]]
    known = ", ".join(_word_and_place(word, place) for word in unread[:MOST_WORDS])
    known += f" and {len(unread) - MOST_WORDS:,} more" if len(unread) > MOST_WORDS else ""
    noun = "an unknown outcome" if len(unread) == 1 else f"{len(unread):,} unknown outcomes"
    fact = f"{source} has {noun}: {known}."
    if readings:
        pairs = ([f"{word} = {each[plain_outcome(word)]}" for word in words] for each in readings)
        ways = " or ".join(map(", ".join, pairs))
        fact = f"{source}: the outcomes {known} can be read as {ways}."
        said = [",".join(f"{w}={each[plain_outcome(w)]}" for w in words) for each in readings]
        hint = "\n".join(f"where {one}: {command_with(outcomes=[one])}" for one in said)
        return DataError(fact, hint=hint)
    each = command_with(outcomes=[",".join(f"{word}=?" for word in words)])
    return DataError(fact, hint=f"say what each means, {WHERE_OUTCOME}: {each}")


def _word_and_place(word: Word, place: Place) -> str:
    text = quoted(word.text) if word.text else "an empty cell"
    near = difflib.get_close_matches(word.plain, sorted(_KNOWN), n=1, cutoff=0.7)
    guess = f"; did you mean {_KNOWN[near[0]]!r}?" if word.plain and near else ""
    where = f", first in {where}" if (where := place(word.text)) else ""
    return f"{text} ({counted(word.battles, 'battle')}{where}{guess})"


def _refuse_two_readings(named: Sequence[Word], by_word: Mapping[str, str], source: str) -> None:
    """Refuse a word that is an outcome and a candidate, where that makes a difference."""
    for word in named:
        meant = by_word[word.text]
        if meant == "tie" or (word.right if meant == "left" else word.left):
            both = f"is the name of a candidate and also the word for {meant}."
            ways = {"name": "if it names the winner", meant: f"if it means {meant}"}
            texts = (
                f"{way}: {command_with(outcomes=[f'{word.text}={each}'])}"
                for each, way in ways.items()
            )
            fact = f"{source}: the outcome {quoted(word.text)} {both}"
            raise DataError(fact, hint="\n".join(texts))
