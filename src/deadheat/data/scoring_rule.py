"""What a scoring rule is: runs in, one score per run out; one file in ``scoring/`` each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, get_args

import numpy as np

from deadheat.core.errors import (
    DataError,
    UnknownNameError,
    UsageError,
    command_with,
    say,
)
from deadheat.core.registry import Registry, plugins, spelled
from deadheat.core.types import Direction, Documented, Floats
from deadheat.data.runs import Runs
from deadheat.data.time_limit import limit_to_say, perhaps_limit

DEFAULT = "solved"
Kernel = Callable[[Runs], Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringRule(Documented):
    """Turn runs into scores, one per run; a callable with what people must know of it."""

    name: str
    kernel: Kernel  # gives NaN where a run has no score
    better: Direction = "higher"
    needs: tuple[str, ...] = ()  # the columns that it cannot do without
    total: str = ""  # what people call the sum of its scores, where they write the sum
    heading: str = ""  # what they call the number they write, if neither total nor name
    unit: str = ""  # of that number, where it is none of its own
    meaning: str = ""  # of that number, in a few words, where it needs some
    by: str = "mean"  # the ranking function that ranks its table
    replicate: str = ""  # the one that looks for the best seen again among whoever is present
    unsolved: bool = True  # whether a run that is not solved has a score of its own
    aliases: tuple[str, ...] = ()
    __doc__: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.better not in get_args(Direction):
            raise UnknownNameError("direction", str(self.better), get_args(Direction))

    def __call__(self, runs: Runs) -> Floats:
        """Return one score per run; refuse runs that lack a column, and a wrong answer."""
        for name in self.needs:
            if getattr(runs, name) is None:
                hint, cutoff = f"give it in a column called {name!r}.", name == "cutoff"
                hint = perhaps_limit(runs) if cutoff else hint
                remedy = {"cutoff": limit_to_say(runs)} if cutoff else None
                fact = f"{self.name} needs the {name} of every run, and {runs.source} has none."
                raise UsageError(fact, hint=hint, remedy=remedy)
        returned = self.kernel(runs)
        try:
            scores = np.asarray(returned)
            what = f"{scores.dtype} of shape {scores.shape}"
            good = scores.shape == (len(runs),) and scores.dtype.kind in "fiub"
        except Exception:  # noqa: BLE001 - whatever an object of the user's own raises
            what, good = f"a {type(returned).__name__} that is no array", False
        if not good:
            fact = f"scoring rule {self.name} returned {what} instead of {len(runs):,} numbers."
            raise UsageError(fact, hint="a rule returns one score per run.")
        if np.isinf(scores).any():
            row = int(np.argmax(np.isinf(scores)))
            fact = f"scoring rule {self.name} returned {scores[row]:g} for {runs.place(row)}."
            hint = "return a finite score for every run; NaN says that there is none."
            raise UsageError(fact, hint=hint)
        return np.asarray(scores, dtype=np.float64)

    def __repr__(self) -> str:
        return f"<scoring rule {self.name}, {self.better} is better>"


RULES: Registry[ScoringRule] = Registry(
    "scoring rule", partial(plugins, "deadheat.data.scoring", ScoringRule)
)
_families: list[Callable[[str], ScoringRule | None]] = []


def scores_runs(name: str, **claims: Any) -> Callable[[Kernel], ScoringRule]:
    """Make a scoring rule of a function ``Runs -> one score per run``.

    ``claims`` are ``better``; ``needs``, columns; ``total`` or ``heading``, what people call the
    number, ``unit`` and ``meaning`` of it; ``by`` and ``replicate``, ranking functions;
    ``unsolved``, whether such runs score; ``aliases``. A rule of one's own
    is given as ``rule=f``, or as FILE.py:NAME in a shell.
    """

    def decorate(kernel: Kernel) -> ScoringRule:
        made: dict[str, Any] = {"name": name, "kernel": kernel, "__doc__": kernel.__doc__} | claims
        try:
            return ScoringRule(**made)
        except TypeError as error:
            fact = f"cannot make the scoring rule {name!r}: {error}."
            hint = "help(deadheat.scores_runs) lists what can be said of a rule."
            raise UsageError(fact, hint=hint) from None

    return decorate


def family(maker: Callable[[str], ScoringRule | None]) -> Callable[[str], ScoringRule | None]:
    """Register a function that makes rules from names with a number in them, such as par7."""
    _families.append(maker)
    return maker


def rules() -> tuple[ScoringRule, ...]:
    return tuple(sorted(set(RULES.values()), key=lambda rule: rule.name))


def rule_of(given: str | Kernel | None, better: object = None) -> ScoringRule:
    """Return a rule by name, as it is, or of one's own function, whose direction is ``better``."""
    if isinstance(given, ScoringRule):
        rule = given
    elif callable(given):
        name = getattr(given, "__name__", type(given).__name__)
        way: Any = "higher" if better is None else better
        return ScoringRule(name=name, kernel=given, better=way, __doc__=given.__doc__)
    else:
        rule = _rule_named(DEFAULT if given is None else str(given))
    if better is not None and better != rule.better:
        fact = f"{say('better', better)} contradicts the rule {rule.name}: {rule.better} is better."
        raise UsageError(fact, hint=f"without it: {command_with(better=None)}")
    return rule


def not_solved(runs: Runs, scores: Floats, otherwise: float | Floats) -> Floats:
    return np.where(runs.solved, scores, otherwise)


def require_of_solved(runs: Runs, name: str, rule: str) -> Floats:
    """Return a column that every solved run must have; refuse a hole in it and negatives."""
    column: Floats = getattr(runs, name)
    for bad, what in ((np.isnan(column), "no"), (column < 0, "a negative")):
        found = runs.solved & bad
        if found.any():
            row = int(np.argmax(found))
            often = f"({int(found.sum()):,} such runs)"
            needs = f"{rule} needs one of at least 0 for every solved run"
            fact = f"{runs.place(row)} is solved, yet has {what} {name} {often}."
            raise DataError(fact, hint=f"{needs}: write it there, or another status.")
    return column


def known_rule(name: str) -> ScoringRule | None:
    """Return the rule of that name, also one such as par7; None where the package has none."""
    found = RULES.get(name)
    made = (maker(spelled(name).replace("_", "-")) for maker in _families) if found is None else ()
    return next(filter(None, made), found)


def _rule_named(name: str) -> ScoringRule:
    rule = known_rule(name)
    if rule is None:
        raise UnknownNameError("scoring rule", name, (rule.name for rule in rules()))
    return rule
