"""Who won a battle, and the words by which people say so."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.data.wording import flag
from deadheat.errors import DataError, UnknownNameError, UsageError, counted, quoted

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


def given_outcomes(given: Any) -> dict[str, str]:
    """Return what words of one's own mean, from a mapping or from WORD=MEANING,WORD=MEANING."""
    if isinstance(given, Mapping):
        return {str(word): _meant(str(word), meaning) for word, meaning in given.items()}
    texts = [given] if isinstance(given, str) else list(given or ())
    found = {}
    for part in (part for text in texts for part in str(text).split(",")):
        word, equals, meaning = part.rpartition("=")
        if not equals:
            raise UsageError(
                f"--outcomes needs WORD=MEANING, got {part!r}.",
                hint="for instance --outcomes 'model_1=left,model_2=right,skip=drop'.",
            )
        found[word] = _meant(word, meaning)
    return found


def _meant(word: str, meaning: object) -> str:
    plain = plain_outcome(str(meaning))
    if plain not in {*MEANINGS, "draw"}:
        raise UnknownNameError(f"meaning of the outcome {quoted(word)}", str(meaning), MEANINGS)
    return "tie" if plain == "draw" else plain


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
            f"{flag('outcomes', asked)}, in Python outcomes=... with the same text."
        )
        if self.readings:
            ways = " or ".join(
                ", ".join(f"{word.text} = {reading[word.plain]}" for word in words)
                for reading in self.readings
            )
            return DataError(
                f"{source}: the outcomes {', '.join(told)}{more} can be read as {ways}.", hint=hint
            )
        noun = (
            "an unknown outcome"
            if len(self.words) == 1
            else (f"{len(self.words):,} unknown outcomes")
        )
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
                hint=f"say which: {flag('outcomes', f'{word.text}={by_word[word.text]}')}, or "
                f"{flag('outcomes', f'{word.text}=name')} where the winner is called by its name.",
            )


def _told(word: Word, place: str) -> str:
    text = quoted(word.text) if word.text else "an empty cell"
    near = difflib.get_close_matches(word.plain, sorted(_KNOWN), n=1, cutoff=0.7)
    guess = f"; did you mean {_KNOWN[near[0]]!r}?" if word.plain and near else ""
    where = f", first in {place}" if place else ""
    return f"{text} ({counted(word.battles, 'battle')}{where}{guess})"


_KNOWN = {word: word.replace(" ", "_") for word in ("model a", "model b", *_UNIVERSAL)}
