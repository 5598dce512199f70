"""Conditions under which somebody's pipeline should stop: ``--fail-on``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.errors import UnknownNameError, UsageError, quoted
from deadheat.files import reads

if TYPE_CHECKING:
    from deadheat.inference.verdict import Verdict

CONDITIONS = ("tie-at-top", "winner-changed:NAME", "not-first:NAME", "groups-changed:FILE")


def require_condition(condition: str) -> None:
    """Refuse a condition that cannot be understood, before any work is done."""
    kind, colon, argument = condition.partition(":")
    known = {name.partition(":")[0]: ":" in name for name in CONDITIONS}
    if kind not in known:
        raise UnknownNameError("condition", condition, CONDITIONS)
    if known[kind] != bool(colon and argument):
        needs = f"needs a {_argument(kind)}" if known[kind] else "takes nothing after it"
        raise UsageError(
            f"the condition {quoted(condition)} {needs}.", hint=f"one of {', '.join(CONDITIONS)}."
        )
    if kind == "groups-changed":
        _groups_of(Path(argument))


def holds(v: Verdict, condition: str) -> str:
    """Return why a condition holds of a verdict, in a sentence; nothing where it does not.

    ``tie-at-top``
        More than one candidate is in the first group, or whether that is so is undecided.
    ``winner-changed:NAME``
        NAME is not ranked first, alone, by the merits as observed.
    ``not-first:NAME``
        NAME is not in the first group.
    ``groups-changed:FILE``
        The groups differ from those of a verdict that was saved as JSON.
    """
    require_condition(condition)
    kind, _, argument = condition.partition(":")
    if kind == "tie-at-top":
        tied = len(v.groups[0])
        if v.untested:
            return f"whether there is a tie at the top is undecided: {v.untested}."
        if v.undecided:
            return "whether there is a tie at the top is undecided: there are too few resamples."
        return f"{tied:,} candidates are in a dead heat for first place." if tied > 1 else ""
    if kind == "groups-changed":
        before = [set(group) for group in _groups_of(Path(argument))]
        now = [set(group) for group in v.groups]
        return f"the groups are not those of {argument}." if before != now else ""
    v.row(argument)  # raises where nobody has this name
    if kind == "winner-changed":
        first = " and ".join(quoted(name) for name in v.winners)
        return (
            f"{first} now ranks first, not {quoted(argument)} alone."
            if (v.winners != (argument,))
            else ""
        )
    return f"{quoted(argument)} is not in the first group." if argument not in v.groups[0] else ""


def _argument(kind: str) -> str:
    return "file" if kind == "groups-changed" else "name"


def _groups_of(path: Path) -> list[list[str]]:
    hint = "give what deadheat verdict --json wrote."
    reads(path, "the saved verdict")
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}.", hint=hint) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} holds no JSON.", hint=hint) from None
    try:
        return [[str(name) for name in group] for group in saved["facts"]["members"]]
    except (KeyError, TypeError):
        raise UsageError(f"{path} holds no saved verdict.", hint=hint) from None
