"""What the outcomes of a log mean, and what is said about them."""

from __future__ import annotations

from deadheat.data.battle_log import Log
from deadheat.data.battle_words import BOTH_BAD, CODES, Word, meanings, plain_outcome
from deadheat.data.database import literal
from deadheat.data.wording import both
from deadheat.errors import DataError, counted, listed, quoted

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
            hint=f"is it the column of the winner? {both('winner', 'COL')} names another.",
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
        f"{both('outcomes', f'{ties[0].text}=drop')} leaves them out."
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
