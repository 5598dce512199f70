"""What the battles of a log must be before they are counted."""

from __future__ import annotations

from deadheat.data.battle_log import Log
from deadheat.data.database import literal
from deadheat.data.wording import both, flag
from deadheat.errors import DataError, UsageError, counted, quoted

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
                f"ties in a column of their own: {both('draws', 'COL')}.",
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
                f"{flag('where', f'{column}!=')}.",
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
            f"{both('better', 'higher')} or {both('better', 'lower')}.",
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
        hint=f"mend the rows, or leave them out: {both('self_battles', 'drop')}.",
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
    both_sides = " ".join(flag("where", f"{c}!={name}") for c in (log.roles.left, log.roles.right))
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
        f"{both('right_wins', 'COL')} names a column of their wins."
    )


def refuse_bad_covariates(log: Log) -> None:
    """Refuse a covariate that is missing or infinite in some battle."""
    for k, covariate in enumerate(log.roles.covariates):
        bad = f"(z{k} IS NULL OR NOT isfinite(z{k}))"
        number = log.one(f"SELECT count(*) FROM ({log.rows()}) WHERE {bad}")[0]  # noqa: S608
        if number:
            columns = " and ".join(map(quoted, covariate.columns))
            raise DataError(
                f"{log.first(bad)}: the covariate {quoted(covariate.name)} ({columns}) is no "
                f"finite number ({counted(number, 'such row')}).",
                hint="give numbers, those of relative differences at least 0; or leave the rows "
                f"out with {flag('where', 'COL!=VALUE')}.",
            )
