"""What tells the two sides of a battle apart beside their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deadheat.data.battle_sides import partner_of
from deadheat.data.roles import tokens
from deadheat.errors import UsageError, quoted


@dataclass(frozen=True, kw_only=True)
class Covariate:
    """What tells two sides apart beside their names: a difference, or one column for each side."""

    name: str
    columns: tuple[str, ...]


def given_covariates(given: Any, columns: Sequence[str] = ()) -> tuple[Covariate, ...]:
    """Return covariates from a mapping, or from texts ``COL``, ``LEFT,RIGHT``, ``NAME=LEFT,RIGHT``.

    One column that nobody named is a difference, so it must not be that of one side among
    ``columns``.

    >>> given_covariates(["dlen", "len_a,len_b", "lists=la,lb"])[2]
    Covariate(name='lists', columns=('la', 'lb'))
    """
    if isinstance(given, Mapping):
        return tuple(_covariate(str(name), columns) for name, columns in given.items())
    texts = [given] if isinstance(given, str) else list(given or ())
    found = []
    for each in texts:
        if not isinstance(each, str):
            found.append(_covariate("", each))
            continue
        name, equals, listed = each.rpartition("=")
        found.append(_covariate(name if equals else "", listed.split(",")))
        if not equals and "," not in listed:
            _refuse_one_side(listed.strip(), columns)
    return tuple(found)


def _covariate(name: str, columns: Any) -> Covariate:
    parts = (columns,) if isinstance(columns, str) else tuple(map(str, columns))
    parts = tuple(part.strip() for part in parts)
    if len(parts) not in (1, 2) or not all(parts):
        raise UsageError(
            f"a covariate needs one column of differences or two, left and right, got {columns!r}.",
            hint="for instance covariates='length=tokens_a,tokens_b' "
            "(--covariate length=tokens_a,tokens_b).",
        )
    return Covariate(name=name.strip() or " - ".join(parts), columns=parts)


def _refuse_one_side(column: str, columns: Sequence[str]) -> None:
    pair = partner_of(column, columns)
    if pair is None:
        return
    sides = [tokens(name) for name in pair]
    name = "_".join(word for word in sides[0] if word in sides[1])
    said = f"{name}={','.join(pair)}"
    raise UsageError(
        f"the covariate {quoted(column)} is a quality of one side: a single column is taken as "
        "left minus right.",
        hint=f"name both sides: covariates={said!r} (--covariate {said}); if it is a difference "
        f"indeed, give it a name: covariates='NAME={column}' (--covariate NAME={column}).",
    )
