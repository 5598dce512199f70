"""Which columns of a battle log hold what: said, or guessed by their names and reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from deadheat.data.battle_covariates import Covariate, given_covariates
from deadheat.data.battle_sides import SIDES, partner_of, sides_of, stems
from deadheat.data.roles import CANDIDATES, tokens
from deadheat.data.stream import Facts
from deadheat.data.wording import both, flag
from deadheat.errors import UnknownNameError, UsageError, listed, quoted

WINNERS = (
    *("winner", "result", "outcome", "preference", "preferred", "verdict", "vote", "choice"),
    *("label", "judgment", "judgement", "ftr"),
)
WINS = frozenset({"win", "wins", "won", "victory", "victories"})
LOSSES = frozenset({"loss", "losses", "lost", "defeat", "defeats"})
DRAWS = frozenset({"draw", "draws", "drawn", "tie", "ties", "tied"})
VOTERS = frozenset({"voter", "worker", "user", "judge", "annotator", "rater", "reviewer"})
COLUMNS = ("left", "right", "winner", "left_wins", "right_wins", "draws", "weight", "category")
NOUNS = {
    "left": "left candidate",
    "right": "right candidate",
    "winner": "winner",
    "left_wins": "wins of the left candidate",
    "right_wins": "wins of the right candidate",
    "draws": "draws",
}


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The names of the columns that are used.

    Without ``winner`` and ``left_wins`` the left candidate has won every battle.
    """

    left: str
    right: str
    winner: str | None = None
    left_wins: str | None = None
    right_wins: str | None = None
    draws: str | None = None
    weight: str | None = None
    cluster: str | None = None
    category: str | None = None
    order_by: str | None = None
    covariates: tuple[Covariate, ...] = ()
    guessed: bool = False

    @property
    def counts(self) -> dict[str, str]:
        """The columns of counts by the outcome they count."""
        pairs = (("left", self.left_wins), ("right", self.right_wins), ("tie", self.draws))
        return {outcome: column for outcome, column in pairs if column is not None}

    @property
    def used(self) -> tuple[str, ...]:
        """Every column that is used, once."""
        named = (
            *(self.left, self.right, self.winner, *self.counts.values(), self.weight),
            *(self.cluster, self.category, self.order_by),
        )
        beside = (column for each in self.covariates for column in each.columns)
        return tuple(dict.fromkeys([*filter(None, named), *beside]))

    def facts(self, columns: Sequence[str]) -> Facts:
        """Return what was understood of the columns, for a report."""
        roles = ("left", "right", "winner", "left_wins", "right_wins", "draws")
        said = ", ".join(
            f"{role.replace('_', ' ')} {quoted(column)}"
            for role in roles
            if (column := getattr(self, role)) is not None
        )
        if self.winner is None:
            said += "" if self.right_wins is not None else "; the left one won"
            said += " that often" if self.left_wins is not None and self.right_wins is None else ""
        facts = [("layout", f"battles{' (guessed)' if self.guessed else ''}: {said}")]
        tops = {column.partition(".")[0] for column in self.used} | set(self.used)
        unused = [column for column in columns if column not in tops]
        if unused:
            facts.append(("columns not used", listed(unused)))
        voters = [column for column in unused if set(tokens(column)) & VOTERS]
        if self.cluster is None and voters:
            told = f"none; {both('cluster', voters[0])} resamples whole voters"
            facts.append(("clusters", told))
        return tuple(facts)


def looks_like_battles(columns: Sequence[str]) -> bool:
    """Return whether names of columns are plainly those of a battle log.

    >>> looks_like_battles(["model_a", "model_b", "winner", "turn"])
    True
    >>> looks_like_battles(["home.team", "away.team", "home.wins", "away.wins"])
    True
    >>> looks_like_battles(["model", "a", "b"])
    False
    """
    sides = sides_of(columns)
    if not sides:
        return False
    free = [name for name in columns if name not in sides[0]]
    return any(tokens(name) == ["winner"] for name in columns) or bool(_counts(free, {}))


def may_be_battles(columns: Sequence[str]) -> tuple[str, str] | None:
    """Return two sides beside which a column may say who won; only their cells can tell.

    >>> may_be_battles(["home", "away", "result"]), may_be_battles(["home", "away", "wins"])
    (('home', 'away'), ('home', 'away'))
    >>> may_be_battles(["player", "first", "second", "result"])
    """
    for sides in sides_of(columns)[:1]:
        rest = [tokens(name) for name in columns if name not in sides]
        plain = {"".join(words) for words in rest}
        if plain & (WINS | {"result", "outcome"}) and not plain & CANDIDATES:
            return sides
    return None


def roles_of(columns: Sequence[str], given: Mapping[str, Any], source: str) -> Roles:
    """Return the columns that were named, and guess those that every log has."""
    said = {role: given[role] for role in COLUMNS if given.get(role) is not None}
    guessed = not {"left", "right"} <= said.keys()
    if guessed:
        said = _sides(columns, said, source)
    if not said.keys() & {"winner", "left_wins", "right_wins"}:
        said, by_name = _outcome(columns, said, source)
        guessed = guessed or by_name
    _check(said, columns)
    return Roles(
        **said,
        cluster=given.get("cluster"),
        order_by=given.get("order_by"),
        covariates=given_covariates(given.get("covariates"), columns),
        guessed=guessed,
    )


def _sides(columns: Sequence[str], said: dict[str, str], source: str) -> dict[str, str]:
    pairs = sides_of(columns)
    for role, place in (("left", 0), ("right", 1)):
        if role in said:
            require_columns([said[role]], columns, source)
            pairs = [pair for pair in pairs if pair[place] == said[role]]
    if len(pairs) == 1:
        return {"left": pairs[0][0], "right": pairs[0][1]} | said
    role = "right" if "left" in said else "left"
    which = (
        f"It could be {listed(quoted(pair[role == 'right']) for pair in pairs)}"
        if pairs
        else "No name tells"
    )
    raise UsageError(
        f"{source}: which columns hold the candidates of a battle? {which}.",
        hint=f"say {both('left', 'COL')}, {both('right', 'COL')} and {both('winner', 'COL')}; "
        f"there are {listed(columns)}.",
    )


def _outcome(
    columns: Sequence[str], said: dict[str, str], source: str
) -> tuple[dict[str, str], bool]:
    """Return the column of the winner, or those of counts, and whether its name told."""
    if "winner" in tokens(said["left"]) and "loser" in tokens(said["right"]):
        return said, True
    free = [name for name in columns if name not in said.values()]
    plain = {"".join(tokens(name)): name for name in reversed(free)}
    for word in WINNERS:
        if word in plain:
            return {**said, "winner": plain[word]}, True
    counts = _counts(free, said) or _wins_of_left(free)
    if counts:
        return said | counts, True
    raise UsageError(
        f"{source}: which column says who won? No name tells.",
        hint=f"say {both('winner', 'COL')}, or {both('left_wins', 'COL')} and "
        f"{both('right_wins', 'COL')} for columns of counts; there are {listed(columns)}.",
    )


def _counts(free: Sequence[str], said: Mapping[str, str]) -> dict[str, str]:
    for left, right in SIDES:
        wins = [
            next((name for stem, name in stems(free, side).items() if stem in WINS), None)
            for side in (left, right)
        ]
        if wins[0] is not None and wins[1] is not None:
            found = {"left_wins": wins[0], "right_wins": wins[1]}
            draws = next((name for name in free if "".join(tokens(name)) in DRAWS), None)
            return found if draws is None or "draws" in said else {**found, "draws": draws}
    return {}


def _wins_of_left(free: Sequence[str]) -> dict[str, str]:
    """Return a column of wins that names no side, and one of losses beside it."""
    plain = {"".join(tokens(name)): name for name in reversed(free)}
    roles = (("left_wins", WINS), ("right_wins", LOSSES), ("draws", DRAWS))
    found = {role: [plain[word] for word in plain if word in words] for role, words in roles}
    if len(found["left_wins"]) != 1 or any(len(names) > 1 for names in found.values()):
        return {}
    return {role: names[0] for role, names in found.items() if names}


def _check(said: Mapping[str, str], columns: Sequence[str]) -> None:
    if "winner" in said and said.keys() & {"left_wins", "right_wins", "draws"}:
        raise UsageError(
            "a battle log has a column of winners or columns of counts, not both.",
            hint=f"leave out {flag('winner', said['winner'])}, or the counts.",
        )
    if "right_wins" in said and "left_wins" not in said:
        raise UsageError(
            f"the {NOUNS['right_wins']} are counted, those of the left one are not.",
            hint=f"name their column: {both('left_wins', 'COL')}.",
        )
    if "left_wins" in said and "right_wins" not in said:
        pair = partner_of(said["left_wins"], columns)
        if pair is not None:
            raise UsageError(
                f"the wins of one side are counted, {quoted(said['left_wins'])}, yet there are "
                f"{quoted(pair[0])} and {quoted(pair[1])}.",
                hint=f"name both: {both('left_wins', pair[0])}, {both('right_wins', pair[1])}.",
            )
    for one, other in combinations([role for role in NOUNS if role in said], 2):
        if said[one] == said[other]:
            lone = {one, other} == {"left_wins", "right_wins"}
            alone = f"; where only the left one is counted, {both('left_wins', said[one])} alone"
            raise UsageError(
                f"column {quoted(said[one])} cannot hold both the {NOUNS[one]} and the "
                f"{NOUNS[other]}.",
                hint=f"name both: {both(one, 'COL')} and {both(other, 'COL')}"
                f"{alone if lone else ''}.",
            )


def require_columns(names: Iterable[str], known: Sequence[str], place: str) -> None:
    """Refuse a file that lacks a column."""
    for name in names:
        if name not in known:
            raise UnknownNameError(f"column of {place}:", name, known)
