"""Which columns of a battle log hold what: said, or guessed by their names and reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from deadheat.core.errors import (
    UnknownNameError,
    UsageError,
    command_with,
    listed,
    quoted,
    say,
)
from deadheat.data.reading.column_names import CANDIDATES, WEAK_CANDIDATES, noun_of, tokens
from deadheat.data.reading.source import Facts, layout_facts

# The two sides of a battle, as they stand in names of columns; where several fit, the first wins.
SIDES = (
    *(("left", "right"), ("a", "b"), ("1", "2"), ("home", "away"), ("white", "black")),
    *(("first", "second"), ("one", "two"), ("x", "y"), ("winner", "loser")),
)
MOST_WAYS = 4  # that a hint spells out
WORDS = frozenset(word for pair in SIDES for word in pair)
OF_SIDES = {"home": "team", "away": "team", "white": "player", "black": "player"}
STEMS = CANDIDATES | WEAK_CANDIDATES | {"", "generator", "option", "side", "item", "opponent"}


def sides_of(columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return pairs of columns that may name the two candidates; a bare a or 1 comes last."""
    named = [name for name in columns if not WORDS.isdisjoint(tokens(name))]
    for bare_letters in (False, True) if len(named) > 1 else ():
        for left, right in SIDES:
            others = _stems(named, right)
            found = [
                (one, others[stem])
                for stem, one in _stems(named, left).items()
                if stem in STEMS and stem in others and (stem or len(left) > 1 or bare_letters)
            ]
            if found:
                return [pair for pair in found if tokens(pair[0]) == [left]] or found
    return []


def _stems(columns: Iterable[str], side: str) -> dict[str, str]:
    """Return what is left of the names that tell a side, and those names."""
    found: dict[str, str] = {}
    for name in columns:
        words = tokens(name)
        if len(words) > 2 and words[-1] in {"name", "id"}:
            words.pop()
        if words.count(side) == 1 and len(words) <= 2:
            words.remove(side)
            found.setdefault("".join(words), name)
    return found


def pair_of(name: str, columns: Sequence[str]) -> tuple[str, str] | None:
    """Return a column and that of the other side, left first, where both are there."""
    words = tokens(name)
    plain = {tuple(tokens(column)): column for column in reversed(columns)}
    for left, right in SIDES:
        for side, other in ((left, right), (right, left)):
            if words.count(side) == 1 and len(words) > 1:
                there = plain.get(tuple(other if word == side else word for word in words))
                if there is not None:
                    return (name, there) if side == left else (there, name)
    return None


class Covariate(NamedTuple):
    """What tells two sides apart beside their names: a difference, or one column for each side."""

    name: str
    columns: tuple[str, ...]


def covariates_of(given: Any, columns: Sequence[str] = ()) -> tuple[Covariate, ...]:
    """Return covariates from a mapping, or from texts ``COL``, ``LEFT,RIGHT``, ``NAME=LEFT,RIGHT``.

    One column that nobody named is a difference, so it must not be that of one side among
    ``columns``.

    >>> covariates_of(["dlen", "len_a,len_b", "lists=la,lb"])[2]
    Covariate(name='lists', columns=('la', 'lb'))
    """
    if isinstance(given, Mapping):
        return tuple(_covariate(str(name), parts) for name, parts in given.items())
    found = []
    for each in [given] if isinstance(given, str) else list(given or ()):
        if not isinstance(each, str):
            found.append(_covariate("", each))
            continue
        name, equals, parts = each.rpartition("=")
        others = [other for other in given if other != each] if each != given else []
        found.append(_covariate(name, parts.split(","), others))
        column = parts.strip()
        if not equals and "," not in parts:
            _refuse_unknown_quality(column, columns, others)
        pair = None if equals or "," in parts else pair_of(column, columns)
        if pair is not None:
            left, right = map(tokens, pair)
            both = "_".join(word for word in left if word in right)
            ways = {
                "if it is the quality of one side": f"{both}={pair[0]},{pair[1]}",
                "if it is a difference": f"{both or 'difference'}={column}",
            }
            hint = "\n".join(
                f"{way}: {command_with(covariates=(*others, told))}" for way, told in ways.items()
            )
            fact = f"the covariate {quoted(column)} is a quality of one side, no difference."
            raise UsageError(fact, hint=hint)
    return tuple(found)


def _refuse_unknown_quality(column: str, columns: Sequence[str], others: Sequence[object]) -> None:
    """Refuse a quality that no column is called by, where some columns are of both sides."""
    if not columns or column.partition(".")[0] in columns:
        return
    pairs = dict.fromkeys(filter(None, (pair_of(name, columns) for name in columns)))
    ways = []
    for left, right in pairs:
        both = "_".join(word for word in tokens(left) if word in tokens(right))
        if both not in STEMS:
            told = (*others, f"{both}={left},{right}")
            ways.append(f"{quoted(left)} and {quoted(right)}: {command_with(covariates=told)}")
    if ways:
        fact = f"no column is called {quoted(column)}; these are of both sides."
        raise UsageError(fact, hint="\n".join(ways))


def _covariate(name: str, columns: Any, others: Sequence[object] = ()) -> Covariate:
    parts = (columns,) if isinstance(columns, str) else tuple(map(str, columns))
    parts = tuple(part.strip() for part in parts)
    if len(parts) not in (1, 2) or not all(parts):
        fact = f"a covariate needs a column of differences, or left and right, got {columns!r}."
        told = [part for part in parts if part][:2]
        way = "with the first two" if told else "without it"
        named = f"{name}={','.join(told)}" if name else ",".join(told)
        both = command_with(covariates=(*others, *([named] if told else [])) or None)
        raise UsageError(fact, hint=f"{way}: {both}")
    return Covariate(name=name.strip() or " - ".join(parts), columns=parts)


# ------------------------------------------------------------------------------
# The roles of all columns.

WINNERS = (
    *("winner", "result", "outcome", "preference", "preferred", "verdict", "vote", "choice"),
    *("label", "judgment", "judgement", "ftr"),
)
WINS = frozenset({"win", "wins", "won", "victory", "victories"})
LOSSES = frozenset({"loss", "losses", "lost", "defeat", "defeats"})
DRAWS = frozenset({"draw", "draws", "drawn", "tie", "ties", "tied"})
SCORES = frozenset({"goal", "goals", "score", "scores", "points", "pts", "runs", "sets"})
PERHAPS_WINS = SCORES - {"goal", "goals", "runs"}  # of several games that a row stands for
VOTERS = frozenset(
    [
        *("voter", "worker", "user", "username", "judge", "annotator", "rater", "reviewer"),
        *("participant", "evaluator", "labeler", "labeller"),
    ]
)
IDENTIFIERS = frozenset({"id", "uid", "uuid", "hash"})
OF_BATTLES = frozenset(
    [
        *("battle", "match", "game", "vote", "comparison", "annotation", "judgment", "judgement"),
        *("conversation", "question", "record", "row", "pair"),
    ]
)
NOUNS = {
    "left": "left candidate",
    "right": "right candidate",
    "winner": "winner",
    "left_wins": "wins of the left candidate",
    "right_wins": "wins of the right candidate",
    "draws": "draws",
    "left_score": "score of the left candidate",
    "right_score": "score of the right candidate",
}
COUNTS = frozenset({"left_wins", "right_wins", "draws"})
SCORED = frozenset({"left_score", "right_score"})


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The columns that are used; where none says who won, the left one has won every battle."""

    left: str
    right: str
    winner: str | None = None
    left_wins: str | None = None
    right_wins: str | None = None
    draws: str | None = None
    left_score: str | None = None
    right_score: str | None = None
    weight: str | None = None
    cluster: str | None = None
    category: str | None = None
    order_by: str | None = None
    covariates: tuple[Covariate, ...] = ()
    guessed: bool = False

    @property
    def noun(self) -> str:
        """What sentences call a candidate: the word before or after the side, where it is one."""
        words = tokens(self.left)
        known = (noun_of(word, "candidate") for word in words)
        usual = (OF_SIDES[word] for word in words if word in OF_SIDES)
        return next(filter(None, (*known, *usual)), "candidate")

    @property
    def counts(self) -> dict[str, str]:
        """The columns of counts by the outcome they count."""
        pairs = (("left", self.left_wins), ("right", self.right_wins), ("tie", self.draws))
        return {outcome: column for outcome, column in pairs if column is not None}

    @property
    def scores(self) -> tuple[str, ...]:
        """The columns of the scores of both sides, where the higher one wins a battle."""
        return tuple(filter(None, (self.left_score, self.right_score)))

    @property
    def told_by(self) -> str | None:
        """The column that says of each battle who won, or the first of two that do."""
        return self.winner or self.left_score

    @property
    def columns(self) -> dict[str, object]:
        """The columns of sides and outcomes by their roles."""
        return {role: column for role in NOUNS if (column := getattr(self, role)) is not None}

    @property
    def used(self) -> tuple[str, ...]:
        sides = (self.left, self.right, self.winner, *self.counts.values(), *self.scores)
        more = (self.weight, self.cluster, self.category, self.order_by)
        beside = (column for each in self.covariates for column in each.columns)
        return tuple(dict.fromkeys(filter(None, (*sides, *more, *beside))))

    def facts(self, columns: Sequence[str]) -> Facts:
        named = ((role.replace("_", " "), column) for role, column in self.columns.items())
        said = ", ".join(f"{role} {quoted(column)}" for role, column in named)
        if self.scores:
            said += "; the higher wins"
        elif self.winner is None and self.right_wins is None:
            said += f"; the left one won{' that often' if self.left_wins is not None else ''}"
        tops = {column.partition(".")[0] for column in self.used} | set(self.used)
        unused = [column for column in columns if column not in tops]
        facts = layout_facts("battles", said, unused, guessed=self.guessed)
        if not (voter := self.voter(columns)):
            return facts
        whole = f"none; {say('cluster', voter)} draws each {noun_of_voter(voter)} whole"
        return (*facts, ("clusters", whole))

    def voter(self, columns: Sequence[str]) -> str:
        """Return the column of who voted, by its name, where nothing is clustered; or nothing."""
        if self.cluster is not None or self.counts:
            return ""
        free = (name for name in columns if name not in self.used)
        return next((name for name in free if noun_of_voter(name)), "")

    def identifier(self, columns: Sequence[str]) -> str:
        """Return the column that tells battles apart, by its name; or nothing."""
        free = (name for name in columns if name not in self.used)
        return next(filter(_identifies, () if self.counts else free), "")


def noun_of_voter(column: str) -> str:
    """Return what the name of a column calls a voter; nothing where it names something else.

    >>> [noun_of_voter(name) for name in ("worker_id", "human judge", "judge_comment", "users")]
    ['worker', 'judge', '', '']
    """
    words = tokens(column)
    while len(words) > 1 and words[-1] in IDENTIFIERS | {"name"}:
        words.pop()
    return words[-1] if words and words[-1] in VOTERS else ""


def _identifies(column: str) -> bool:
    words = tokens(column)
    return bool(words) and words[-1] in IDENTIFIERS and {*words[:-1]} <= OF_BATTLES


def looks_like_battles(columns: Sequence[str]) -> bool:
    """Return whether names of columns are plainly those of a battle log."""
    sides = sides_of(columns)
    if not sides:
        return False
    free = [name for name in columns if name not in sides[0]]
    return any(tokens(name) == ["winner"] for name in columns) or bool(_wins_of_both(free))


def holds_battles(cells: Mapping[str, list[str]]) -> bool:
    """Return whether columns are those of a log, or two sides are names where somebody may win."""
    if looks_like_battles([*cells]):
        return True
    for sides in sides_of([*cells])[:1]:
        free = [name for name in cells if name not in sides]
        plain = {"".join(tokens(name)) for name in free}
        told = plain & {*WINS, *WINNERS} or _of_both(free, SCORES)
        if told and not plain & CANDIDATES:
            names = (any(map(str.strip, cells[k])) and not holds_numbers(cells[k]) for k in sides)
            return all(names)
    return False


def holds_numbers(cells: list[str]) -> bool:
    """Return whether all cells that are not empty are numbers; False where all are empty."""
    try:
        return bool([float(cell.replace(",", ".")) for cell in cells if cell.strip()])
    except ValueError:
        return False


def roles_of(columns: Sequence[str], given: Mapping[str, Any], source: str) -> Roles:
    roles = (*NOUNS, "weight", "category")
    said = {role: given[role] for role in roles if given.get(role) is not None}
    guessed = not {"left", "right"} <= said.keys()
    if guessed:
        said = _sides(columns, said, source)
    if not said.keys() & {"winner", "left_wins", "right_wins", *SCORED}:
        said |= _outcome(columns, said, source)
        guessed = True
    _refuse_contradictions(said, columns)
    covariates = covariates_of(given.get("covariates"), columns)
    more: Any = {role: given.get(role) for role in ("cluster", "order_by")}
    if isinstance(more["cluster"], list | tuple):
        names = listed(map(quoted, more["cluster"]))
        fact = f"{source}: battles have one column of clusters, yet {names} are named."
        hint = "\n".join(f"{quoted(c)}: {command_with(cluster=c)}" for c in more["cluster"])
        raise UsageError(fact, hint=hint)
    return Roles(**said, **more, covariates=covariates, guessed=guessed)


def _sides(columns: Sequence[str], said: dict[str, str], source: str) -> dict[str, str]:
    pairs = sides_of(columns)
    for role, place in (("left", 0), ("right", 1)):
        if role in said:
            if said[role] not in columns:
                raise UnknownNameError(f"column of {source}:", said[role], columns)
            pairs = [pair for pair in pairs if pair[place] == said[role]]
    if len(pairs) == 1:
        return {"left": pairs[0][0], "right": pairs[0][1]} | said
    names = [quoted(pair["left" in said]) for pair in pairs]
    guess = (
        f"It could be {listed(names)}" if pairs else f"No name tells; there are {listed(columns)}"
    )
    fact = f"{source}: which columns hold the candidates of a battle? {guess}."
    if not pairs:
        taken = {*said.values(), *(name for name in columns if "".join(tokens(name)) in WINNERS)}
        free = iter([name for name in columns if name not in taken])
        pairs = [(said.get("left") or next(free, ""), said.get("right") or next(free, ""))]
    ways = [
        f"{quoted(one)} and {quoted(two)}: {command_with(left=one, right=two)}"
        for one, two in reversed(pairs)
        if one and two
    ]
    raise UsageError(fact, hint="\n".join(ways) or "a log has a column for each of both.")


def _outcome(columns: Sequence[str], said: dict[str, str], source: str) -> dict[str, str]:
    if "winner" in tokens(said["left"]) and "loser" in tokens(said["right"]):
        return {}
    free = [name for name in columns if name not in said.values()]
    plain = {"".join(tokens(name)): name for name in reversed(free)}
    winners = [plain[word] for word in WINNERS if word in plain]
    if winners:
        return {"winner": winners[0]}
    counts = _wins_of_both(free)
    if not counts:  # a column of wins that names no side, and one of losses beside it
        roles = (("left_wins", WINS), ("right_wins", LOSSES), ("draws", DRAWS))
        alone = {role: [plain[word] for word in plain if word in words] for role, words in roles}
        if len(alone["left_wins"]) == 1 and all(len(names) < 2 for names in alone.values()):
            counts = {role: names[0] for role, names in alone.items() if names}
    if not counts and (scores := _of_both(free, SCORES)):
        return dict(zip(("left_score", "right_score"), scores, strict=True))
    if not counts:
        fact = f"{source}: which column says who won? No name tells; there are {listed(columns)}."
        ways = [f"{quoted(each)}: {command_with(winner=each)}" for each in free[:MOST_WAYS]]
        pair = next(filter(None, (pair_of(name, free) for name in free)), None)
        if pair is not None:
            left, right = pair
            higher = command_with(left_score=left, right_score=right)
            ways.insert(0, f"the higher of {quoted(left)} and {quoted(right)}: {higher}")
        if len(free) == 2:  # perhaps of both sides
            both = command_with(left_wins=free[0], right_wins=free[1])
            ways.append(f"the wins of the left one and of the right one: {both}")
        raise UsageError(fact, hint="\n".join(ways) or "add a column 'winner': left, right, tie.")
    return counts | ({"draws": said["draws"]} if "draws" in said else {})


def _wins_of_both(free: Sequence[str]) -> dict[str, str]:
    if not (wins := _of_both(free, WINS)):
        return {}
    draws = [name for name in free if "".join(tokens(name)) in DRAWS][:1]
    return dict(zip(("left_wins", "right_wins", "draws"), [*wins, *draws], strict=False))


def _of_both(free: Sequence[str], words: frozenset[str]) -> tuple[str, ...]:
    """Return the columns of the left and of the right one that are called by some words."""
    for sides in SIDES:
        found = [[each for stem, each in _stems(free, s).items() if stem in words] for s in sides]
        if all(found):
            return tuple(names[0] for names in found)
    return ()


def _refuse_contradictions(said: Mapping[str, str], columns: Sequence[str]) -> None:
    fact, wins, ways = "", said.get("left_wins"), dict[str, dict[str, Any]]()
    pairs = combinations([role for role in NOUNS if role in said], 2)
    one, other = next(((a, b) for a, b in pairs if said[a] == said[b]), ("", ""))
    scored = said.keys() & SCORED
    if scored and (others := said.keys() & {"winner", *COUNTS}):
        fact = "scores of both sides say who won, and so do a column of winners or counts."
        ways = {
            "by the scores": dict.fromkeys(sorted(others)),
            "without the scores": dict.fromkeys(sorted(scored)),
        }
    elif len(scored) == 1:
        (there,) = scored
        (open_role,) = SCORED - scored
        fact = f"the {NOUNS[there]} is named, that of the other one is not."
        pair = pair_of(said[there], columns)
        some = (
            [pair[pair[0] == said[there]]]
            if pair
            else [c for c in columns if c not in said.values()]
        )
        ways = {quoted(c): {open_role: c} for c in some[:MOST_WAYS]}
    elif "winner" in said and said.keys() & COUNTS:
        fact = "a battle log has a column of winners or columns of counts, not both."
        counts = dict.fromkeys(said.keys() & COUNTS)
        ways = {"without the counts": counts, "without the winner": {"winner": None}}
    elif "right_wins" in said and wins is None:
        fact = f"the {NOUNS['right_wins']} are counted, those of the left one are not."
        pair = pair_of(said["right_wins"], columns)
        some = [name for name in columns if name not in said.values()]
        ways = {quoted(c): {"left_wins": c} for c in (pair[:1] if pair else some[:MOST_WAYS])}
    elif wins and "right_wins" not in said and (pair := pair_of(wins, columns)):
        there = " and ".join(map(quoted, pair))
        fact = f"the wins of one side are counted, {quoted(wins)}, yet there are {there}."
        ways = {"name both": {"left_wins": pair[0], "right_wins": pair[1]}}
    elif one:
        roles = f"both the {NOUNS[one]} and the {NOUNS[other]}"
        fact = f"column {quoted(said[one])} cannot hold {roles}."
        some = [name for name in columns if name not in said.values()]
        ways = {f"{NOUNS[other]} in {quoted(c)}": {other: c} for c in some[:MOST_WAYS]}
        if (one, other) == ("left_wins", "right_wins"):
            ways["if only the left one is counted"] = {"right_wins": None}
    if fact:
        texts = (f"{way}: {command_with(**told)}" for way, told in ways.items())
        raise UsageError(fact, hint="\n".join(texts) or "add a column for the other.")
