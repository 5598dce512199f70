"""The collector of battles: the rows of a log become counted cells, by GROUP BY."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite, prod
from typing import Any

import numpy as np

from deadheat.core import errors
from deadheat.core.errors import DataError, UsageError, Words, counted, listed, quoted, say
from deadheat.core.types import Integers
from deadheat.core.weights import COUNTING_OF_SOME, LITTLE, MISREAD, TRIFLE
from deadheat.data.battles import Battles
from deadheat.data.reading import battle_outcomes as outcomes
from deadheat.data.reading.battle_columns import PERHAPS_WINS, Roles, noun_of_voter, roles_of
from deadheat.data.reading.battle_log import Given, Log, Survey, files_of, parts_of, trim_sql
from deadheat.data.reading.column_names import tokens
from deadheat.data.reading.database import database, duckdb_errors, literal
from deadheat.data.reading.preview import look_alikes, number_in, spelling
from deadheat.data.reading.source import Block, Facts, Stream, text_of
from deadheat.data.results import DIRECTIONS

POLICIES = ("error", "drop")
MOST_FACTS = 5  # files that are named one by one
NAMES = 5  # of candidates or words in a note


def collect_battles(source: Any, given: Given, running: Any = None) -> Battles:
    """Read a log; an engine with workers elsewhere counts the pairs of each file by itself.

    In this process one query for all files is quicker: DuckDB has threads of its own.
    """
    policy = given.get("self_battles", "error")
    if policy not in POLICIES:
        what = "way to treat battles of a candidate with itself"
        raise errors.UnknownNameError(what, policy, POLICIES)
    own = outcomes.own_outcomes(given.get("outcomes"))
    given = {**given, "category": _one_category(given.get("category"))}
    files = files_of(source)
    with database(files) as base:
        parts = parts_of(source, files, given, base)
        given = {**parts[0].states, **{k: v for k, v in given.items() if v not in (None, ())}}
        name = f"the log of {len(parts):,} files" if parts[1:] else parts[0].name
        roles = roles_of([*parts[0].fields], given, name)
        ordered = bool(given.get("ordered") or roles.order_by)
        if ordered and roles.counts:
            other = {"model": "bradley-terry"} if given.get("ordered") else {}
            order = {"order_by": None} if given.get("order_by") else {}
            hint = f"rated without an order: {errors.command_with(**order, **other)}"
            raise UsageError("columns of counts have no order of battles.", hint=hint)
        log = Log(base, parts, roles, name, given)
        keys = given.get("deduplicate")
        keys = [keys] if isinstance(keys, str) else keys
        repeats = log.drop_repeats(None if keys is True else [*map(str, keys)]) if keys else ""
        elsewhere = running is not None and running.workers and files[1:]
        by_file = running if elsewhere and not (keys or ordered) else None
        battles = battles_of(log, own, by_file, ordered=ordered, self_policy=policy)
        survey = log.survey()
        odd = [] if keys else _repeats_in_words(log, survey)
        odd += _voters_in_words(log, survey)
        odd += [] if given.get("left_score") else _scores_in_words(roles)
        span = f"{log.dated}, from {survey.first} to {survey.last}"
        more = (*battles.reading, *([("times", span)] if survey.first else ()))
    before = [f"{part.name}: {n}" if parts[1:] else n for part in parts for n in part.notes]
    alike = look_alikes(battles.candidates, "candidate", case=True)
    if given.get("rename") is None:
        alike += _spellings_in_words(battles)
    facts = [fact for part in parts for fact in part.facts]
    if parts[1:]:
        names = f"{len(parts):,}: {listed((p.name for p in parts), most=MOST_FACTS)}"
        facts.insert(1, ("files", names))
    return battles.changed(
        ordered=ordered,
        cluster_kind=roles.cluster or "",
        category_kind=roles.category or "",
        covariate_names=tuple(each.name for each in roles.covariates),
        source=name,
        reading=(*dict.fromkeys(facts), *roles.facts(parts[0].columns), *more),
        notes=tuple(dict.fromkeys(filter(None, (*before, repeats, *odd, *battles.notes, *alike)))),
        library=parts[0].library,
        nouns=replace(battles.nouns, candidate=roles.noun),
    )


def _one_category(given: str | Sequence[str] | None) -> str | None:
    columns = [given] if isinstance(given, str) else [*dict.fromkeys(given or ())]
    if len(columns) > 1:
        fact = f"a battle is in one category, and {listed(map(quoted, columns))} are given."
        each = (f"by {column}: {errors.command_with(category=column)}" for column in columns)
        raise UsageError(fact, hint="\n".join(each))
    return columns[0] if columns else None


def collect_columns(columns: Mapping[str, Any], given: Given) -> Battles:
    """Return battles that were given column by column; the columns are called by their roles."""
    present = {name: values for name, values in columns.items() if values is not None}
    lists = {n: v.tolist() if hasattr(v, "tolist") else list(v) for n, v in present.items()}
    first, size = next((name, len(values)) for name, values in lists.items())
    for name, values in lists.items():
        if len(values) != size:
            fact = f"{name} has {len(values):,} values, {first} has {size:,}."
            raise UsageError(fact, hint="give one value per battle in each column.")
    cells = [list(map(text_of, values)) for values in lists.values()]
    blocks = [Block(range(1, size + 1), cells)] if size else []
    stream = Stream(source="the battles", columns=list(lists), blocks=iter(blocks))
    roles = {name: name for name in lists if name != "covariates"}
    return collect_battles(stream, {**given, **roles})


FEWEST_VOTERS = 10  # fewer show nothing, drawn whole
OFTEN = 1.2  # votes of one voter, on average


def _repeats_in_words(log: Log, survey: Survey) -> list[str]:
    """Say that rows are there twice; a battle that counts twice looks like more evidence."""
    again = survey.rows - survey.identifiers
    if not again or not log.are_copies():
        return []
    rows = counted(survey.rows, "row")
    said = f"{again:,} of {rows} repeat another one with the same {log.identifier}"
    once = f"{say('deduplicate', log.identifier)} counts each battle once."
    return [Words(f"{said}; {once}", page=f"{said}.", weight=MISREAD)]


def _voters_in_words(log: Log, survey: Survey) -> list[str]:
    """Say that the log knows who voted: votes of one voter are alike, and not independent."""
    if survey.voters < FEWEST_VOTERS or survey.votes < OFTEN * survey.voters:
        return []
    noun, votes = noun_of_voter(log.voter), counted(survey.votes, "vote")
    said = f"{counted(survey.voters, noun)} cast {votes}, which are taken as independent"
    whole = f"{say('cluster', log.voter)} draws each {noun} whole."
    return [Words(f"{said}; {whole}", page=f"{said}.", weight=COUNTING_OF_SOME)]


def _spellings_in_words(battles: Battles) -> tuple[str, ...]:
    """Say which names differ only by case or spaces: one candidate then counts as several."""
    met = np.bincount(battles.left, battles.battles, battles.n)
    met += np.bincount(battles.right, battles.battles, battles.n)
    spelled: dict[str, list[int]] = {}
    for i, name in enumerate(battles.candidates):
        spelled.setdefault(spelling(name), []).append(i)
    several = [
        [*map(battles.candidates.__getitem__, sorted(each, key=lambda i: -met[i]))]
        for each in spelled.values()
        if len(each) > 1
    ]
    if not several:
        return ()
    alike = listed((" and ".join(map(quoted, names)) for names in several), most=NAMES)
    said = f"{alike} differ only by case or spaces"
    new = [f"{other}={usual}" for usual, *others in several for other in others]
    once = f"{say('rename', new[0] if len(new) == 1 else new)} counts them as one."
    return (Words(f"{said}; {once}", page=f"{said}.", weight=MISREAD),)


def _scores_in_words(roles: Roles) -> list[str]:
    """Say that columns were taken for scores, where they may count the wins of several games."""
    if PERHAPS_WINS.isdisjoint(word for column in roles.scores for word in tokens(column)):
        return []
    left, right = roles.scores
    said = f"{quoted(left)} and {quoted(right)} are scores of one match, and the higher wins"
    wins = f"{say('left_wins', left)} {say('right_wins', right)} takes them for numbers of wins."
    return [Words(f"{said}; {wins}", page=f"{said}.", weight=LITTLE)]


def battles_of(
    log: Log, own: dict[str, str], running: Any = None, *, ordered: bool, self_policy: str
) -> Battles:
    if log.roles.counts:
        _refuse_bad_counts(log)
    _count_pairs(log, None if log.roles.weight else running)
    _refuse_bad_names(log)
    if log.roles.weight is not None:
        _refuse_bad_weights(log, log.roles.weight)
    notes = _pair_notes(log, self_policy)
    words = _words(log)
    meant = {word.text: word.text for word in words}
    if log.roles.scores and "" not in own:
        _refuse_no_scores(log)
    if log.roles.told_by is not None:
        meant = outcomes.meanings(words, own, log.source, lambda w: log.first(f"w = {literal(w)}"))
        if set(meant.values()) == {"drop"}:
            hint = f"write who won into the column {quoted(log.roles.told_by)}."
            if own:
                hint = f"without own words for outcomes: {errors.command_with(outcomes=None)}"
            raise DataError(f"{log.source}: no battle is left: each is dropped.", hint=hint)
    notes += _word_notes(words, own, meant)
    cells = _cells(log, _outcome(log, meant), notes, ordered=ordered)
    return cells if log.roles.told_by is None else cells.changed(reading=_meanings(words, meant))


# ------------------------------------------------------------------------------
# Pairs: the battles of two candidates with one outcome, and what they must be.

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-9, 1e9  # summed as decimals, so that no order matters
_ODD_WEIGHT = f"x < 0 OR x > {LARGEST_WEIGHT:g} OR (x > 0 AND x < {SMALLEST_WEIGHT:g})"
BAD_WEIGHT = f"(x IS NULL OR isnan(x) OR {_ODD_WEIGHT})"
LARGEST_COUNT = 2**53 - 1  # of the whole numbers that no other is rounded to
NO_NAMES = ("nan", "none", "null", "na", "n/a", "<na>")


def _sums(log: Log) -> tuple[str, str]:
    """Return the SQL of the number of battles of a group of rows, and of their weight."""
    counts = log.roles.counts
    battles = "CAST(sum(c) AS BIGINT)" if counts else "count(*)"
    if log.roles.weight is None:
        return battles, battles
    exact = f"CASE WHEN NOT {BAD_WEIGHT} THEN CAST(x AS DECIMAL(38, 18)) END"
    return battles, f"sum({exact} * c)" if counts else f"sum({exact})"


def _count_pairs(log: Log, running: Any = None) -> None:
    """Count the battles of every pair with every outcome, and trim the names that are left."""
    battles, weight = _sums(log)
    bad = f"count(*) FILTER ({BAD_WEIGHT})" if log.roles.weight is not None else "0"
    counts = f"SELECT l, r, w, {battles} AS battles, {weight} AS weight, {bad} AS bad FROM "  # noqa: S608
    limit = " LIMIT 0" if running is not None else ""
    log.execute(
        f"CREATE TEMP TABLE written AS {counts} ({log.battles(log.rows())}) GROUP BY l, r, w{limit}"
    )
    if running is not None:
        queries = [
            (log.plain_path(k), f"{counts} ({log.battles(log.of_file(k))}) GROUP BY l, r, w")
            for k in range(len(log.parts))
        ]
        work = partial(_count_file, queries, running.workers)
        for columns in running.map(work, range(len(queries))):
            log.connection.register("part", columns)
            log.execute("INSERT INTO written SELECT * FROM part")
            log.connection.unregister("part")
    log.execute(
        "CREATE TEMP TABLE pairs AS SELECT a AS l, b AS r, o AS w, sum(battles) AS battles, "  # noqa: S608
        "sum(weight) AS weight, sum(bad) AS bad, max(l != a OR r != b OR w != o) AS blanks "
        f"FROM (SELECT *, {trim_sql('l')} AS a, {trim_sql('r')} AS b, "
        f"coalesce({trim_sql('w')}, '') AS o FROM written) GROUP BY a, b, o"
    )
    rows, log.trim = log.one("SELECT count(*), coalesce(max(blanks), false) FROM pairs")
    if not rows:
        raise log.no_rows_error()


def _count_file(queries: list[tuple[str, str]], workers: int, k: int) -> dict[str, Any]:
    """Return the counts of one file: a task for any engine, with its share of the memory."""
    path, query = queries[k]
    with database([path], among=workers) as base, duckdb_errors({path: path}, base.connection):
        columns = base.connection.execute(query).fetchnumpy()
    for name in "lr":  # an empty name is refused where its place is known
        absent, texts = np.ma.getmaskarray(columns[name]), np.ma.getdata(columns[name])
        texts[absent] = None
        columns[name] = texts
    return dict(columns)


def _empty(log: Log, condition: str, column: str, number: str) -> DataError:
    without = errors.command_with(where=[f"{column}!="])
    hint = f"fill the cells, or leave the rows out: {without}"
    return DataError(f"{log.first(condition)}: {quoted(column)} is empty ({number}).", hint=hint)


def _refuse_bad_counts(log: Log) -> None:
    total = 0
    for outcome, column in log.roles.counts.items():
        n = f"n_{outcome}"
        bad = f"({n} IS NULL OR NOT isfinite({n}) OR {n} < 0 OR {n} != trunc({n}))"
        number, lowest = log.one(f"SELECT count(*), min({n}) FROM ({log.rows()}) WHERE {bad}")  # noqa: S608
        if number:
            value = "empty or no number" if lowest is None else f"{lowest:g}"
            rows = counted(number, "such row")
            fact = f"{log.first(bad)}: the count {quoted(column)} is {value} ({rows})."
            hint = "write a whole number of at least 0 there, and ties in a column 'draws'."
            raise DataError(fact, hint=hint)
        highest, battles = log.one(
            f"SELECT coalesce(max({n}), 0), sum(least({n}, 2.0**60)::HUGEINT) FROM ({log.rows()})"  # noqa: S608
        )
        total += int(battles or 0)
        if highest > LARGEST_COUNT:
            place, cell = log.first_cell(f"{n} > {LARGEST_COUNT}", column)
            raise _too_many(f"{place}: the count {quoted(column)} is {quoted(cell)}")
    if total > LARGEST_COUNT:
        raise _too_many(f"{log.source} counts {total:,} battles")


def _refuse_no_scores(log: Log) -> None:
    """Refuse a match without a score: it may be still to come."""
    number = int(log.one("SELECT coalesce(sum(battles), 0) FROM pairs WHERE w = ''")[0])
    if number:
        left, right = log.roles.scores
        side = right if log.first_cell("w = ''", left)[1] else left
        raise _empty(log, "w = ''", side, counted(number, "such match", "such matches"))


def _too_many(fact: str) -> DataError:
    fact = f"{fact}, more than {LARGEST_COUNT:,}, up to which numbers are exact."
    return DataError(fact, hint="divide all counts by the same number.")


def _refuse_bad_names(log: Log) -> None:
    """Refuse an empty name, and numbers with decimals beside names: a table of scores has such."""
    names = (log.roles.left, log.roles.right)
    for side, column in zip("lr", names, strict=True):
        number = log.one(f"SELECT sum(battles) FROM pairs WHERE {side} IS NULL")[0]  # noqa: S608
        if number:
            raise _empty(log, f"{side} IS NULL", column, counted(int(number), "such battle"))
    numbers = ", ".join(
        f"bool_and({number} IS NOT NULL), coalesce(bool_or({number} != trunc({number})), false)"
        for number in (f"TRY_CAST({side} AS DOUBLE)" for side in "lr")
    )
    left, left_decimals, right, right_decimals = log.one(f"SELECT {numbers} FROM pairs")  # noqa: S608
    if left != right and (left_decimals if left else right_decimals):
        scores, others = names if left else names[::-1]
        what = f"column {quoted(scores)} holds numbers with decimals and column {quoted(others)}"
        raise UsageError(
            f"{log.source}: {what} names, so that they are not the two sides of battles.",
            hint="\n".join(
                f"if it is a table, {way} is better: {errors.ask('verdict', 'FILE', better=way)}"
                for way in DIRECTIONS
            ),
        )


def _refuse_bad_weights(log: Log, column: str) -> None:
    bad, total = log.one("SELECT sum(bad), sum(weight) FROM pairs")
    if bad:
        place, cell = log.first_cell(BAD_WEIGHT, column)
        what = f"{quoted(cell) if cell else 'an empty cell'} ({counted(int(bad), 'such battle')})"
        fact = f"{place}: the weight {quoted(column)} is no usable number but {what}."
        hint = f"weights are 0 or lie between {SMALLEST_WEIGHT:g} and {LARGEST_WEIGHT:g}."
        raise DataError(fact, hint=hint)
    if not total:
        fact = f"{log.source}: all weights are 0: no battle counts."
        raise DataError(fact, hint="give some battle a weight above 0.")


def _refuse_bad_covariates(log: Log) -> None:
    for k, covariate in enumerate(log.roles.covariates):
        bad = f"(z{k} IS NULL OR NOT isfinite(z{k}))"
        if number := log.count(bad):
            columns = " and ".join(map(quoted, covariate.columns))
            what = f"{quoted(covariate.name)} ({columns}) is no finite number"
            fact = f"{log.first(bad)}: the covariate {what} ({counted(number, 'such row')})."
            cells = [(column, log.first_cell(bad, column)[1]) for column in covariate.columns]
            odd = [f"{column}!={cell}" for column, cell in cells if not _is_finite(cell)]
            hint = "give numbers, those of relative differences at least 0."
            if odd:
                hint += f"\nwithout such rows: {errors.command_with(where=odd[:1])}"
            raise DataError(fact, hint=hint)


def _is_finite(cell: str) -> bool:
    number = number_in(cell)
    return number is not None and isfinite(number)


def _pair_notes(log: Log, policy: str) -> list[str]:
    """Refuse or note battles of one with itself, note names like nan, and wins of one side only."""
    roles, notes = log.roles, list[str]()
    number = int(log.one("SELECT coalesce(sum(battles), 0) FROM pairs WHERE l = r")[0])
    if number and policy == "error":
        name = log.one("SELECT l FROM pairs WHERE l = r ORDER BY battles DESC, l LIMIT 1")[0]
        often = f"({counted(number, 'such battle')}, e.g. of {quoted(name)})"
        fact = f"{log.first('l = r')}: a candidate battles with itself {often}."
        without = errors.command_with(self_battles="drop")
        hint = f"mend the rows, or leave them out: {without}"
        raise DataError(fact, hint=hint)
    if number:
        dropped = f"{counted(number, 'battle')} of a candidate with itself dropped."
        notes.append(Words(dropped, weight=TRIFLE))
    words = ", ".join(map(literal, NO_NAMES))
    odd = log.execute(
        f"SELECT name, sum(battles) FROM (SELECT unnest([l, r]) AS name, battles FROM pairs) "  # noqa: S608
        f"WHERE lower(name) IN ({words}) GROUP BY name ORDER BY name LIMIT 1"
    ).fetchall()
    for name, battles in odd:
        sides = [f"{column}!={name}" for column in (roles.left, roles.right)]
        what = f"is taken for the name of a candidate ({counted(int(battles), 'battle')})"
        way = f"if it stands for an empty cell, leave it out: {errors.command_with(where=sides)}"
        notes.append(f"{quoted(name)} {what}; {way}")
    both_orders = "SELECT count(*) FROM pairs a JOIN pairs b ON a.l = b.r AND a.r = b.l"
    if roles.left_wins and roles.right_wins is None and not log.one(both_orders)[0]:
        notes.append(
            f"{quoted(roles.left_wins)} counts wins of {quoted(roles.left)}, and no pair stands in "
            f"both orders, so that nobody in {quoted(roles.right)} ever won; "
            f"{say('right_wins')} names a column of their wins."
        )
    return notes


# ------------------------------------------------------------------------------
# Outcomes: the words of a log, as SQL and as notes.

MOST_OUTCOMES = 100_000
CODES = {"left": "1", "tie": "0", "right": "-1", "drop": "NULL"}


def _words(log: Log) -> list[outcomes.Word]:
    number = log.one("SELECT count(DISTINCT w) FROM pairs WHERE l != r")[0]
    if not number:
        fact = f"{log.source}: every battle is of a candidate with itself."
        both = f"columns {quoted(log.roles.left)} and {quoted(log.roles.right)}"
        raise DataError(fact, hint=f"{both} hold the same names: mend one of them.")
    if number > MOST_OUTCOMES:
        fact = f"{log.source}: {quoted(log.roles.told_by)} holds {number:,} different outcomes."
        taken = {log.roles.left, log.roles.right, log.roles.winner}
        free = [name for name in log.parts[0].fields if name not in taken]
        ways = (
            f"if {quoted(c)} says who won: {errors.command_with(winner=c)}" for c in free[:NAMES]
        )
        raise DataError(fact, hint="\n".join(ways) or "an outcome is left, right or tie.")
    rows = log.execute(
        "SELECT w, sum(battles), coalesce(sum(battles) FILTER (w = l), 0), "
        "coalesce(sum(battles) FILTER (w = r), 0) FROM pairs WHERE l != r GROUP BY w "
        "ORDER BY 2 DESC, w"
    ).fetchall()
    return [outcomes.Word(text, *map(int, numbers)) for text, *numbers in rows]


def _outcome(log: Log, meant: Mapping[str, str]) -> str:
    """Return the SQL of the outcome of a battle as a number, NULL to drop it."""
    words = {
        meaning: ", ".join(literal(word) for word, each in meant.items() if each == meaning)
        for meaning in (*CODES, "name")
    }
    present = {words[each]: code for each, code in CODES.items() if words[each]}
    cases = [f"WHEN w IN ({each}) THEN {code}" for each, code in present.items()]
    cases += ["WHEN w = l THEN 1 WHEN w = r THEN -1"] if words["name"] else []
    outcome = f"CAST(CASE {' '.join(cases)} END AS TINYINT)"
    if not words["name"]:
        return outcome
    kept = f" AND w NOT IN ({words['drop']})" if words["drop"] else ""
    wrong = f"{outcome} IS NULL AND l != r{kept}"
    row = log.execute(
        f"SELECT w, l, r FROM pairs WHERE {wrong} ORDER BY battles DESC, w, l, r LIMIT 1"  # noqa: S608
    ).fetchone()
    if row is not None:
        word, left, right = map(quoted, row)
        example = f"(e.g. {word} in a battle of {left} and {right})"
        fact = f"{log.first(wrong)}: the winner is neither of the two candidates {example}."
        raise DataError(fact, hint="where winners are called by their names, it is one of the two.")
    return outcome


def _meanings(words: list[outcomes.Word], meant: Mapping[str, str]) -> Facts:
    by_name = sum(word.battles for word in words if meant[word.text] == "name")
    said = [f"the winner's name ({by_name:,})"] if by_name else []
    said += [
        f"{quoted(word.text)} is {meant[word.text]} ({word.battles:,})"
        for word in words
        if meant[word.text] != "name"
    ]
    return (("outcomes", listed(said, most=NAMES)),)


def _word_notes(words: list[outcomes.Word], own: Given, meant: dict[str, str]) -> list[str]:
    notes = list[str]()
    ties = [word for word in words if word.plain in outcomes.BOTH_BAD and meant[word.text] == "tie"]
    if ties:
        number = counted(sum(word.battles for word in ties), "battle")
        drop = say("outcomes", f"{ties[0].text}=drop")
        notes.append(f"{number} in which both were bad count as ties; {drop} leaves them out.")
    for word in words:
        if meant[word.text] == "drop":
            what = f"the outcome {quoted(word.text)}" if word.text else "an empty outcome"
            dropped = f"{counted(word.battles, 'battle')} with {what} dropped."
            notes.append(Words(dropped, weight=TRIFLE))  # as somebody has said
    known = {word.plain for word in words}
    known |= outcomes.BOTH_BAD if known & outcomes.BOTH_BAD else frozenset()
    idle = [quoted(word) for word in own if outcomes.plain_outcome(word) not in known]
    if idle:
        notes.append(f"no battle has the outcome {listed(idle, most=NAMES)}.")
    return notes


# ------------------------------------------------------------------------------
# Cells: candidates, outcome, voter and category as numbers, counted by GROUP BY.

FEW = 4  # rows for one cell, at least: so many that DuckDB counts them rather than numpy
LARGEST_KEY = 2**62
SIDES = "SELECT DISTINCT unnest([l, r]) AS name FROM pairs ORDER BY name"


def _cells(log: Log, outcome: str, notes: list[str], *, ordered: bool) -> Battles:
    names = [name for (name,) in log.execute(SIDES).fetchall()]
    log.execute(f"CREATE TYPE candidate AS ENUM ({SIDES})")
    coding = _Coding(log, outcome)
    columns = coding.in_order() if ordered else coding.count_battles()
    beside = [columns[name] for name in coding.covariates]
    categories = "SELECT DISTINCT label, kc FROM labels_k ORDER BY kc"
    labels = log.execute(categories).fetchall() if "k" in coding.labels else []
    battles = Battles.from_cells(
        candidates=tuple(names),
        left=columns["lc"],
        right=columns["rc"],
        outcome=np.asarray(columns["o"], dtype=np.int8),
        battles=columns["battles"],
        weights=np.asarray(columns["weight"], dtype=np.float64),
        clusters=columns.get("gc"),
        categories=columns.get("kc"),
        category_names=tuple(label for label, _ in labels),
        covariates=np.column_stack(beside) if beside else None,
    ).without_absent()
    absent = sorted(set(names).difference(battles.candidates))
    if absent:
        number = f"{counted(len(absent), 'candidate')} {'has' if len(absent) == 1 else 'have'}"
        notes.append(f"{number} no battle left: {listed(map(quoted, absent), most=NAMES)}.")
    return battles.changed(notes=tuple(notes))


class _Coding:
    """Rows with numbers in place of names: ``lc``, ``rc``, ``o``, ``gc``, ``kc``, ``z0``, ``x``."""

    def __init__(self, log: Log, outcome: str) -> None:
        self.log, self._outcome, roles = log, outcome, log.roles
        self.covariates = [f"z{k}" for k in range(len(roles.covariates))]
        labels = (("g", roles.cluster), ("k", roles.category))
        self.labels = {alias: column for alias, column in labels if column is not None}
        self.keys = ["lc", "rc", "o", *(f"{alias}c" for alias in self.labels), *self.covariates]
        if roles.weight is not None:
            self.keys.append("x")  # battles of one cell weigh the same, and can be drawn again

    def _rows(self, rows: str, more: list[str], order: str = "") -> str:
        """Return the SQL of coded rows; a battle that is dropped or of one with itself is none."""
        code = "CAST(enum_code(TRY_CAST({0} AS candidate)) AS INTEGER) AS {0}c"
        sides = [code.format(side) for side in "lr"]
        keys = ["CAST(x AS DOUBLE) AS x" if key == "x" else key for key in self.keys[2:]]
        joins = "".join(f" JOIN labels_{alias} USING ({alias})" for alias in self.labels)
        columns = ", ".join([*sides, *keys, *more])
        rows = f"(SELECT *, {self._outcome} AS o FROM ({rows})){joins}"  # noqa: S608
        return f"SELECT {columns} FROM {rows} WHERE o IS NOT NULL AND l != r{order}"  # noqa: S608

    def count_battles(self) -> dict[str, Any]:
        log = self.log
        if self.keys == ["lc", "rc", "o"]:
            rows = self._rows("SELECT * FROM pairs", ["battles", "weight"])
            return self._summed(rows, "CAST(sum(battles) AS BIGINT)", "sum(weight)")
        sizes = self._number_labels()
        pairs, total = log.one("SELECT count(*), sum(battles) FROM pairs")
        rows = self._rows(log.battles(log.rows()), ["c"] * bool(log.roles.counts))
        if not self.covariates and FEW * pairs * prod(sizes) <= total:
            return self._summed(rows, *_sums(log))
        return group_rows(log.execute(rows).fetchnumpy(), self.keys)

    def _summed(self, rows: str, battles: str, weight: str) -> dict[str, Any]:
        keys = ", ".join(self.keys)
        return self.log.execute(
            f"SELECT {keys}, {battles} AS battles, CAST({weight} AS DOUBLE) AS weight "  # noqa: S608
            f"FROM ({rows}) GROUP BY {keys} ORDER BY {keys.replace('o', 'o DESC', 1)}"
        ).fetchnumpy()

    def in_order(self) -> dict[str, Any]:
        log = self.log
        self._number_labels()
        by = [_time(log, log.roles.order_by)] if log.roles.order_by is not None else []
        shuffled = bool(by or self.labels or log.kept)  # else the rows come as they stand
        order = f" ORDER BY {', '.join([*by, 'f', 'n'])}" if shuffled else ""
        rows = log.rows(numbered=shuffled)
        columns: dict[str, Any] = log.execute(self._rows(rows, [], order)).fetchnumpy()
        ones = np.ones(len(columns["lc"]), dtype=np.int64)
        return {**columns, "battles": ones, "weight": columns.get("x", ones)}

    def _number_labels(self) -> list[int]:
        """Make a table of numbered labels of each kind; return how many labels there are."""
        log, sizes = self.log, []
        _refuse_bad_covariates(log)
        for alias, column in self.labels.items():
            log.execute(
                f"CREATE TEMP TABLE labels_{alias} AS SELECT *, "  # noqa: S608
                f"CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS {alias}c "
                f"FROM (SELECT {alias}, {trim_sql(alias)} AS label FROM "
                f"(SELECT DISTINCT {alias} FROM ({log.rows()})))"
            )
            counts = f"count(*), count(label), max({alias}c)"
            number, named, last = log.one(f"SELECT {counts} FROM labels_{alias}")  # noqa: S608
            if named < number:
                raise _no_label(log, alias, column)
            sizes.append(int(last) + 1)
        return sizes


def _no_label(log: Log, alias: str, column: str) -> DataError:
    absent = f"{trim_sql(alias)} IS NULL"
    return _empty(log, absent, column, counted(log.count(absent), "such row"))


def _time(log: Log, column: str) -> str:
    """Return the SQL of a column of numbers or of points of time."""
    kinds = ("DOUBLE", "TIMESTAMPTZ")
    readable = ", ".join(f"count(TRY_CAST(t AS {kind}))" for kind in kinds)
    counts = f"count(*), count(t), {readable}"
    total, present, *read = log.one(f"SELECT {counts} FROM ({log.rows()})")  # noqa: S608
    if present < total:
        raise _no_label(log, "t", column)
    if total in read:
        return f"CAST(t AS {kinds[read.index(total)]})"
    bad = f"TRY_CAST(t AS {kinds[int(read[1] >= read[0])]}) IS NULL"
    fact = f"{log.first(bad)}: {quoted(column)} is neither a number nor a point of time."
    raise DataError(fact, hint="write all times as 2024-05-31 12:00:00, or all as numbers.")


def group_rows(columns: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return distinct rows in order of keys with sums of counts ``c`` and weights ``x``, else 1.

    Where most rows are alone, a sort is several times faster than a table of groups.
    """
    sortable: list[Any] = [-columns[key] if key == "o" else columns[key] for key in keys]
    packed, lows, sizes = _sort_key(sortable)
    if packed is not None and columns.keys() == {*keys}:
        rest, battles = np.unique(packed, return_counts=True)
        found = {}
        for key, low, size in zip(keys[::-1], lows[::-1], sizes[::-1], strict=True):
            rest, inside = np.divmod(rest, size)
            found[key] = (inside + low).astype(columns[key].dtype)
        return {**found, "o": -found["o"], "battles": battles, "weight": battles}
    sortable = sortable if packed is None else [packed]
    order = np.lexsort(sortable[::-1])
    new = np.arange(len(order)) == 0
    for column in sortable:  # one at a time: each is as long as the log
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    counts, weights = columns.get("c"), columns.get("x")
    if counts is None:
        battles = np.diff(starts, append=len(order))
    else:
        battles = np.add.reduceat(counts[order], starts)
        weights = None if weights is None else weights * counts
    weight = battles if weights is None else np.add.reduceat(weights[order], starts)
    firsts = {key: columns[key][order[starts]] for key in keys}
    return {**firsts, "battles": battles, "weight": weight}


def _sort_key(columns: Sequence[Any]) -> tuple[Integers | None, list[int], list[int]]:
    """Return an integer per row that sorts like the columns, their minima and sizes."""
    if not len(columns[0]) or any(column.dtype.kind == "f" for column in columns):
        return None, [], []
    lows = [int(column.min()) for column in columns]
    sizes = [int(column.max()) - low + 1 for column, low in zip(columns, lows, strict=True)]
    if prod(sizes) > LARGEST_KEY:
        return None, [], []
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, size in zip(columns, lows, sizes, strict=True):
        key *= size
        key += column
        key -= low
    return key, lows, sizes
