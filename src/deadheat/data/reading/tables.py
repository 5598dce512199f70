"""The collector of tables: wide or long cells become scores of candidates by judges."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mode
from typing import Any, ClassVar

import numpy as np

from deadheat.core.errors import (
    DataError,
    NotOneScoreError,
    TwoValuesError,
    UsageError,
    Words,
    command_with,
    counted,
    listed,
    named,
    quoted,
    say,
)
from deadheat.core.memory import budget, require
from deadheat.core.types import Booleans, Floats, Integers
from deadheat.core.weights import CAUTION, MISREAD, TRIFLE
from deadheat.data.reading.beside import LEAST_BLOCK, not_scores
from deadheat.data.reading.column_names import (
    is_summary,
    tells_days,
)
from deadheat.data.reading.columns import ROLES_OF_NAMES, Codes, Columns
from deadheat.data.reading.layout import CHOICES, Long, Wide
from deadheat.data.reading.numbers import (
    Numbers,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.preview import Head, LinesAndRemedy, unique
from deadheat.data.reading.repeats import (
    Rows,
    apart_by,
    as_judges,
    averaged,
    is_repetition,
    may_tell,
    own_columns,
    tell_repeats,
    together,
    ways_to_keep,
)
from deadheat.data.reading.source import Block, Facts
from deadheat.data.reading.uncertainty import (
    ErrorColumns,
    Errors,
)
from deadheat.data.results import PLAIN, Nouns
from deadheat.data.runs import first_repeat


@dataclass(frozen=True, kw_only=True)
class Table:
    """Candidates x judges as the source has them, before directions and policies.

    ``about`` has the stratum, cluster and weight of each judge. Of a long table, ``judge_codes``
    says which judge each column is, and ``origins`` whose repeats became judges.
    """

    values: Floats
    candidates: Sequence[str] = ()
    judges: Sequence[str] = ()
    judge_codes: Sequence[int] = ()
    about: dict[str, list[str]] = field(default_factory=dict)
    origins: Sequence[str] | None = None
    facts: Facts = ()
    notes: tuple[str, ...] = ()
    errors: Floats | None = None  # the standard error of each score, where it is known
    families: Sequence[str] = ()  # columns that could be the stratum
    failed: Floats | None = None  # how runs ended that have a word instead of a time
    repeated_by: str = ""  # the column that tells repeats apart, where they became judges


USUAL = 0.5  # of all scores: a standard error stands behind most of them, or behind none


def _without_ranks(
    errors: Floats | None, brackets: Floats | None, values: Floats, judge: Any, said: str | None
) -> tuple[Floats | None, tuple[str, ...]]:
    """Return standard errors without ranks and counts, and a note on what was taken for which.

    ``said`` is what whole numbers in brackets are, where somebody said it.
    """
    if errors is None or brackets is None or said == "error":
        return errors, ()
    whole = ~np.isnan(brackets)
    judges = [judge[whole] == j for j in np.unique(judge[whole])]
    pairs = [(brackets[whole][its], values[whole][its]) for its in judges if its.sum() > 1]
    ranked = bool(pairs) and all(_are_ranks(*pair) for pair in pairs)
    left, known = int(whole.sum()), int((~np.isnan(values)).sum())
    what = "a whole number in brackets behind a score is"
    told = f"{what} the standard error of its last digits"
    told += f"; if it is a count: {command_with(brackets='count')}"
    if said or ranked or left < USUAL * known:
        errors = np.where(whole, np.nan, errors)
        told = f"{what} its rank, and is left out"
        if not ranked:
            some = f"behind {left:,} of {counted(known, 'score')}"
            told = f"the whole numbers in brackets {some} are counts, and are left out"
        told += (
            f"; if they are standard errors of the last digits: {command_with(brackets='error')}"
        )
    notes = (told,) if left and not said else ()
    return None if np.isnan(errors).all() else errors, notes


def _are_ranks(ranks: Floats, scores: Floats) -> bool:
    """Return whether whole numbers behind the scores of a judge follow their order."""
    order = np.argsort(ranks, kind="stable")
    steps, rises = np.diff(scores[order]), np.diff(ranks[order]) > 0
    follow = any((steps[rises] * way <= 0).all() for way in (1, -1))
    return bool(ranks.min() == 1 and ranks.max() <= len(ranks) and rises.any() and follow)


def _refuse_mixed_percent(
    percent: Booleans | None, values: Floats, judge: Any, judges: Sequence[str], source: str
) -> None:
    if percent is None:
        return
    score = ~np.isnan(values)
    for j in np.intersect1d(judge[score & percent], judge[score & ~percent])[:1]:
        name = quoted(judges[j]) if judges else f"{j + 1:,}"
        fact = f"{source}: judge {name} has scores with and without a percent sign."
        hint = "write all of them in one way: 91.2% and 0.912 would not be comparable."
        raise DataError(fact, hint=hint)


# ------------------------------------------------------------------------------
# Wide tables: one row per candidate or judge.

CELL = 24  # bytes that a score takes at most, when the rows are put together


def wide_table(head: Head, layout: Wide, numbers: Numbers, options: Options) -> Table:
    again = layout.combine != "error"
    said_beside = layout.errors.roles if layout.errors else {}
    names = layout.about | said_beside | ({} if layout.label is None else {"label": layout.label})
    free = [k for k in own_columns(head, options) if k not in layout.scores]
    keys = [layout.label] if layout.label is not None and layout.combine == "mean" else []
    seen = Rows.telling(head, keys, free if keys else ())
    rows = Columns(
        head,
        names | ({} if layout.repeat is None else {"repeat": layout.repeat}),
        {str(k): k for k in layout.scores},
        row=(ROW if again else CELL) * len(layout.scores) + CODE * seen.width,
        anything=(*(() if again else ("label",)), *layout.about, *said_beside),
        layout=layout,
        as_runs=layout.runs,
    )
    turned = layout.rows_are_judges

    def ways() -> LinesAndRemedy:
        """Return what to do about names of rows that come again."""
        decided = None if layout.undecided is not None else turned
        lines, remedy = ways_to_keep(head, options, layout.label, rows_are_judges=decided)
        long = [f"if it is a long table: {command_with(**layout.long)}"] if layout.long else []
        return (*long, *lines), remedy

    kinds = ("judge", "candidate") if turned else ("candidate", "judge")
    for block in head.rows():
        rows.add(block, numbers)
        seen.add(block)
        if layout.undecided is not None:
            unique(rows.texts("label"), "row", head.source, rows.place, ways=ways)
            raise layout.undecided
    down, across = rows.texts("label"), [head.name(head.columns[k]) for k in layout.scores]
    across = across if head.named else []
    alike = (
        *(() if again else unique(down, kinds[0], head.source, rows.place, ways=ways)),
        *unique(across, kinds[1], head.source, lambda i: f"column {layout.scores[i] + 1:,}"),
    )
    notes = (
        *(*layout.notes, *alike),
        *_summaries(down, kinds[0], layout, head),
        *_groups_left_out(head, layout, options),
    )
    if again:
        table = _with_rows_combined(rows, layout, across, numbers, options)
        rows_are = layout.names["judge"] if turned else None
        mixed = averaged(seen, options, keys, rows_are, free) if keys else []
        table = replace(table, notes=(*table.notes, *mixed))
        return replace(table, notes=(*notes, *table.notes))
    judges, candidates = (down, across) if turned else (across, down)
    beside = map(rows.beside, ("errors", "brackets", "failed"))
    found = (rows.beside("percent", nothing=False), *beside)
    percent, errors, brackets, failed = (e.T if turned and e is not None else e for e in found)
    values = _stack_blocks(rows.values, turned=turned)
    by_rows = values.T if turned else values
    notes = (*notes, *not_scores(across, by_rows, head, layout, options))
    judge = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    if layout.errors:
        _require_one_score(layout.errors, across)
    _refuse_mixed_percent(percent, values, judge, judges, head.source)
    kept = _without_ranks(errors, brackets, values, judge, options.brackets)
    errors, facts, told = _with_own_errors(kept, rows, layout.errors, values, numbers)
    return Table(
        values=values,
        candidates=candidates,
        judges=judges,
        about={name: rows.texts(name) for name in layout.about},
        facts=(*layout.facts, *facts),
        notes=(*notes, *told),
        errors=errors,
        failed=failed,
    )


def _with_rows_combined(
    rows: Columns, layout: Wide, across: Sequence[str], numbers: Numbers, options: Options
) -> Table:
    """Return a wide table whose rows of one name are averaged, or are judges of their own."""
    head, turned = rows.head, layout.rows_are_judges
    values = np.concatenate(rows.values)
    doubts = not_scores(across, values, head, layout, options)
    size, width = values.shape
    codes = rows.whole()
    lines = np.repeat(codes["lines"], width)
    down, right = np.repeat(codes["label"], width), np.tile(np.arange(width), size)
    found = (rows.beside("percent", nothing=False), *map(rows.beside, ("errors", "brackets")))
    percent, errors, brackets = (None if each is None else each.ravel() for each in found)
    judge, candidate = (down, right) if turned else (right, down)
    names = rows.words("label"), tuple(across)
    judges, candidates = names if turned else names[::-1]
    if layout.errors:
        _require_one_score(layout.errors, across)
    _refuse_mixed_percent(percent, values.ravel(), judge, judges, head.source)
    kept = _without_ranks(errors, brackets, values.ravel(), judge, options.brackets)
    errors, facts, told = _with_own_errors(kept, rows, layout.errors, values.ravel(), numbers)
    about: dict[str, list[str]] = {}
    for name in layout.about:
        known: dict[int, str] = {}
        for code, text in zip(codes["label"].tolist(), rows.texts(name), strict=True):
            if known.setdefault(code, text) != text:
                raise _two_values(
                    head, options, layout.names["judge"], judges[code], name, [known[code], text]
                )
        about[name] = [*known.values()]
    cells = Cells(
        candidate=candidate,
        judge=judge,
        values=values.ravel(),
        lines=lines,
        candidates=candidates,
        judges=judges,
        source=head.source,
        repeat=None if layout.repeat is None else np.repeat(codes["repeat"], width),
        repeats=rows.words("repeat"),
        errors=errors,
    )
    table = table_of(cells, combine=layout.combine, available=options.missing == "available")
    by = layout.repeat if table.origins is not None else None
    return replace(
        table,
        repeated_by="" if by is None else head.columns[by],
        about={name: [known[code] for code in table.judge_codes] for name, known in about.items()},
        facts=(*layout.facts, *facts, *table.facts),
        notes=(
            *(*table.notes, *told),
            *doubts,
        ),
    )


def _with_own_errors(
    known: tuple[Floats | None, tuple[str, ...]],
    columns: Columns,
    errors: ErrorColumns | None,
    scores: Floats,
    numbers: Numbers,
) -> tuple[Floats | None, Facts, tuple[str, ...]]:
    """Return standard errors and notes, those of columns of texts where there are some."""
    if errors is None:
        return known[0], (), known[1]
    own = _own_errors(columns, errors, scores.ravel(), numbers)
    return own.errors.reshape(scores.shape), (("errors", own.what),), (*known[1], *own.notes)


def _own_errors(columns: Columns, errors: ErrorColumns, scores: Floats, numbers: Numbers) -> Errors:
    """Return the standard error of the score of each row, from columns of texts."""
    cells = [columns.texts(role) for role in errors.roles]
    return errors.errors(cells, scores, numbers, columns.place)


def _require_one_score(errors: ErrorColumns, across: Sequence[str]) -> None:
    """Refuse several columns of scores where errors belong to one."""
    if len(across) == 1:
        return
    whose = f"{say('standard_error')} is about one column of scores"
    fact = f"{errors.head.source}: {whose}, and there are {len(across):,}: {listed(across)}."
    ways = (f"of {quoted(name)}: {command_with(score=name)}" for name in across[:CHOICES])
    raise UsageError(fact, hint="\n".join(ways))


def _summaries(down: Sequence[str], kind: str, layout: Wide, head: Head) -> Iterator[Words]:
    label = head.columns[layout.label] if layout.label is not None and head.named else ""
    role = "competitor" if kind == "candidate" else "judge"
    for name in filter(is_summary, down):
        without = [f"{label}!={name}"]
        way = f"to leave it out: {command_with(where=without)}"
        fact = f"{kind} {quoted(name)} looks like a summary, not a {role}"
        text, remedy = f"{fact}; {way if label else 'remove it?'}", {"where": without}
        yield Words(text, page=f"{fact}.", weight=MISREAD, remedy=remedy if label else None)


def _groups_left_out(head: Head, layout: Wide, options: Options) -> list[Words]:
    """Return a remark where rows without names are judges, and what groups them is left out."""
    groups = [
        name
        for name in dict.fromkeys(options.ignore)
        for k in head.all_at(name)
        if (head.holds_whole_numbers(k) or not head.is_numeric(k))
        and LEAST_BLOCK < LEAST_BLOCK * len({*head.kept(k)}) <= len(head.kept(k))
    ]
    if not (layout.rows_are_judges and layout.label is None and groups) or options.about_judges:
        return []
    _, said = ways_to_keep(head, options, None, rows_are_judges=True)
    ignore = tuple(name for name in options.ignore if name not in groups) or None
    said = said or {"cluster": tuple(groups), "ignore": ignore}
    group = "group" if groups[1:] else "groups"
    fact = f"every row is counted as a judge of its own, though {named(groups)} {group} the rows"
    text = f"{fact}: rows of one group may be alike; to keep them together: {command_with(**said)}"
    return [Words(text, page=f"{fact}.", weight=MISREAD, good=False)]


def _stack_blocks(parts: list[Floats], *, turned: bool) -> Floats:
    """Return the blocks as one table, candidates first, freeing each block on the way."""
    if len(parts) == 1 and not turned:
        return parts[0]
    shape = (sum(map(len, parts)), parts[0].shape[1])
    table = np.empty(shape[::-1] if turned else shape)
    rows = table.T if turned else table
    parts.reverse()
    done = 0
    while parts:
        part = parts.pop()
        rows[done : done + len(part)] = part
        done += len(part)
    return table


# ------------------------------------------------------------------------------
# Long tables: one row per score.

CODE = 8  # bytes of the code of a cell
ROW = 90  # bytes that a row takes at most, when rows are put together and repeats looked for


def _two_values(
    head: Head, options: Options, column: str, judge: str, name: str, values: Sequence[str]
) -> TwoValuesError:
    """Return that a judge has two strata, clusters or weights, and that more columns name it."""
    hint = f"a {name} belongs to a judge and is the same in all of its rows."
    if name != "weight":
        parts = together(options, getattr(options, name))
        said = as_judges(head, options, together(options, column), [*map(head.at, parts)])
        names = "name" if parts[1:] else "names"
        hint += f"\nif {named([*map(quoted, parts)])} {names} judges too: {command_with(**said)}"
    two = [quoted(value) for value in sorted(values)]
    return TwoValuesError(head.source, "judge", judge, name, two, hint=hint)


class AboutJudges:
    """What columns say about the judges of a long table: one thing in all rows of a judge."""

    def __init__(self, head: Head, layout: Long, options: Options) -> None:
        self._head, self._layout, self._options = head, layout, options
        self._known: dict[str, dict[int, str]] = {name: {} for name in layout.about}
        self._texts = {name: Codes(head.name) for name in layout.about}

    def add(self, block: Block, columns: Columns) -> None:
        judges = columns.parts["judge"][-1].astype(np.int64)
        for name, k in self._layout.about.items():
            codes = self._texts[name]
            pairs = block.each(k, codes.__getitem__, np.int64) + judges * len(codes.names)
            texts, width = [*codes.names], len(codes.names)
            distinct, first = np.unique(pairs, return_index=True)
            for pair in distinct[np.argsort(first)].tolist():
                judge, cell = pair // width, texts[pair % width]
                known = self._known[name].setdefault(judge, cell)
                if known != cell:
                    column = self._head.columns[self._layout.names["judge"]]
                    who, said = columns.words("judge")[judge], [known, cell]
                    raise _two_values(self._head, self._options, column, who, name, said)

    def of(self, judges: Sequence[int]) -> dict[str, list[str]]:
        return {name: [known[code] for code in judges] for name, known in self._known.items()}


def _filled(
    head: Head, layout: Long, read: Iterable[int], numbers: Numbers, options: Options
) -> Table | None:
    """Return the table of rows that can be read again, put in place one block after the other.

    None where whoever has all rows at once knows better: scores come again, names differ by quotes,
    the table is too large or nearly empty.
    """
    about, tiles, total = AboutJudges(head, layout, options), Tiles(), 0
    columns = Columns(head, layout.names, {"values": layout.score}, row=0, as_runs=layout.runs)
    for block in head.rows(read):
        columns.add(block, numbers)
        about.add(block, columns)
        candidate, judge, values = columns.taken()
        tiles.put(candidate, judge, values)
        total += block.size
        n, m = (len(columns.codes[role].names) for role in ("candidate", "judge"))
        if Tiles.CELL * n * m > budget():
            return None
    if columns.differ_by_quotes or (n * m > LARGE and total < NEARLY_EMPTY * n * m):
        return None
    if tiles.count() < total:
        if ROW * total > budget():
            raise _several_among_many(head, read, columns, options)
        return None
    return Table(
        values=tiles.whole(n, m),
        candidates=columns.words("candidate"),
        judges=columns.words("judge"),
        judge_codes=range(m),
        about=about.of(range(m)),
        facts=layout.facts,
        notes=tuple(columns.alike()),
    )


def _several_among_many(
    head: Head, read: Iterable[int], columns: Columns, options: Options
) -> NotOneScoreError:
    """Return that a candidate has several scores on a judge, of rows too many to keep."""
    known = [columns.codes[role] for role in ("candidate", "judge")]
    n, m = (len(codes.names) for codes in known)
    places = [columns.names[role] for role in ("candidate", "judge")]

    def keys(block: Block) -> Integers:
        one, other = (
            block.each(k, codes.__getitem__, np.int64)
            for k, codes in zip(places, known, strict=True)
        )
        both: Integers = one * m + other
        return both

    seen, repeated = np.zeros((2, n * m), dtype=bool)
    for block in head.rows(read):
        met, counts = np.unique(keys(block), return_counts=True)
        repeated[met[(counts > 1) | seen[met]]] = True
        seen[met] = True
    key, lines = -1, list[int]()
    for block in head.rows(read):
        found = keys(block)
        for row in np.flatnonzero(repeated[found])[:1] if key < 0 else ():
            key = int(found[row])
        lines += np.asarray(block.lines)[found == key].tolist()
    candidate, judge = (np.full(len(lines), code) for code in divmod(key, m))
    cells = Cells(
        candidate=candidate,
        judge=judge,
        values=np.full(len(lines), np.nan),
        lines=np.array(lines),
        candidates=columns.words("candidate"),
        judges=columns.words("judge"),
        source=head.source,
        spot=head.spot,
        nouns=options.nouns(*(head.columns[k] for k in places)),
    )
    return _several_scores(cells, np.arange(len(lines)))


def long_table(head: Head, layout: Long, numbers: Numbers, options: Options) -> Table:
    numeric, said_beside = {"values": layout.score}, dict[str, int]()
    if layout.errors and layout.errors.are_plain:
        numeric |= {"errors": layout.errors.places[0]}
    elif layout.errors:
        said_beside = layout.errors.roles
    names = layout.names | said_beside
    keys = [layout.names[role] for role in ("candidate", "judge")]
    free = [head.columns.index(name) for name in layout.unused]
    kinds = may_tell(head, keys, free)
    free += [layout.names["repeat"]] if "repeat" in layout.names else []
    rows = Rows.telling(head, keys, free)
    read = {*names.values(), *numeric.values(), *layout.about.values(), *rows.columns}
    plain = names.keys() == ROLES_OF_NAMES and not layout.errors
    if plain and options.combine in {None, "error"} and head.reads_numbers(layout.score):
        table = _filled(head, layout, read, numbers, options)
        if table is not None:
            return table
    size = ROW + CODE * rows.width
    columns = Columns(head, names, numeric, row=size, anything=said_beside, as_runs=layout.runs)
    about = AboutJudges(head, layout, options)
    for block in head.rows(read):
        columns.add(block, numbers)
        rows.add(block)
        about.add(block, columns)
    whole = columns.whole()
    errors, brackets = map(columns.beside, ("errors", "brackets"))
    errors, brackets = (None if each is None else each[:, 0] for each in (errors, brackets))
    kept = _without_ranks(errors, brackets, whole["values"], whole["judge"], options.brackets)
    texts = layout.errors if said_beside else None
    errors, facts, told = _with_own_errors(kept, columns, texts, whole["values"], numbers)
    roles = {role: each for role, each in whole.items() if role not in said_beside}
    cells = Cells(
        **{"errors": errors} | roles,
        candidates=columns.words("candidate"),
        judges=columns.words("judge"),
        repeats=columns.words("repeat"),
        source=head.source,
        spot=head.spot,
        unused={head.columns[k]: mode(head.cells(k)) for k in kinds},
        nouns=options.nouns(*(head.columns[k] for k in keys)),
    )
    percent = columns.beside("percent", nothing=False)
    percent = None if percent is None else percent[:, 0]
    _refuse_mixed_percent(percent, cells.values, cells.judge, cells.judges, head.source)
    available = options.missing == "available"
    combine, judge = options.combine or "error", head.columns[keys[1]]
    try:
        table = table_of(cells, combine=combine, available=available)
    except NotOneScoreError as repeats:
        raise tell_repeats(repeats, rows, options, keys, free) from None
    mixed = averaged(rows, options, keys, judge, free) if combine == "mean" else []
    by = [layout.names["repeat"]] if "repeat" in layout.names else []
    if table.origins is not None and not by:
        by = [k for k in apart_by(rows, keys, free) if is_repetition(head.columns[k])]
    return replace(
        table,
        repeated_by=head.columns[by[-1]] if by else "",
        about=about.of(table.judge_codes),
        facts=(*layout.facts, *facts, *table.facts),
        notes=(*table.notes, *columns.alike(), *told, *mixed),
    )


# ------------------------------------------------------------------------------
# A table that is filled while nobody knows how many candidates and judges it will have.


class Tiles:
    """Scores in tiles, made where a score falls; they take no more than the table, at the end, too.

    A page of memory that nobody touches is not taken, so that a tile may be too large.
    """

    CELL: ClassVar[int] = 9  # bytes: a score, and whether there is one
    HEIGHT, WIDTH = 128, 4_096

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], tuple[Floats, Booleans]] = {}

    def put(self, candidate: Integers, judge: Integers, values: Floats) -> None:
        down, right = candidate // self.HEIGHT, judge // self.WIDTH
        inside = candidate % self.HEIGHT * self.WIDTH + judge % self.WIDTH
        tile = down.astype(np.int64) << 32 | right
        order = np.argsort(tile, kind="stable")  # of scores in one cell the last stays
        ordered = tile[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        for rows in np.split(order, starts[1:]):
            place = int(down[rows[0]]), int(right[rows[0]])
            scores, known = self._tiles.get(place) or self._made(place)
            scores[inside[rows]] = values[rows]
            known[inside[rows]] = True

    def _made(self, place: tuple[int, int]) -> tuple[Floats, Booleans]:
        size = self.HEIGHT * self.WIDTH
        pages = mmap.mmap(-1, self.CELL * size)  # what the heap frees, the process may still have
        scores = np.frombuffer(pages, np.float64, size)
        known = np.frombuffer(pages, np.bool_, size, offset=scores.nbytes)
        made = self._tiles[place] = (scores, known)
        return made

    def count(self) -> int:
        """Return how many cells have a score."""
        return sum(int(np.count_nonzero(known)) for _, known in self._tiles.values())

    def whole(self, candidates: int, judges: int) -> Floats:
        """Return the table, NaN where no score was put; each tile is freed on the way."""
        table = np.empty((candidates, judges))
        for down in range(-(-candidates // self.HEIGHT)):
            for right in range(-(-judges // self.WIDTH)):
                top, left = down * self.HEIGHT, right * self.WIDTH
                part = table[top : top + self.HEIGHT, left : left + self.WIDTH]
                part.fill(np.nan)
                if (tile := self._tiles.pop((down, right), None)) is not None:
                    shape = self.HEIGHT, self.WIDTH
                    cells = tuple(slice(size) for size in part.shape)
                    scores, known = (each.reshape(shape)[cells] for each in tile)
                    np.copyto(part, scores, where=known)
        return table


# ------------------------------------------------------------------------------
# From rows of (candidate, judge, score) to a table, with repeats refused or combined.

LARGE = 200_000_000  # cells: only a mistake in the columns makes such a table nearly empty
NEARLY_EMPTY = 0.001
MOST_ROWS = 5
SCORE = 24  # bytes that a cell of the table takes at most, while it is made
MANY = 0.05  # of the cells: so many decide something


@dataclass(frozen=True, kw_only=True)
class Cells:
    candidate: Integers
    judge: Integers
    values: Floats
    lines: Integers
    candidates: tuple[str, ...]
    judges: tuple[str, ...]
    source: str
    spot: Callable[[int], str] = str  # where a line stands
    repeat: Integers | None = None
    repeats: tuple[str, ...] = ()
    unused: Mapping[str, str] = field(default_factory=dict)  # column -> its usual value
    errors: Floats | None = None
    nouns: Nouns = PLAIN

    @property
    def keys(self) -> Integers:
        return self.candidate.astype(np.int64) * len(self.judges) + self.judge


def table_of(cells: Cells, *, combine: str, available: bool) -> Table:
    more: dict[str, Any] = {}
    if combine == "judges":
        cells, more = _repeats_as_judges(cells)
    n, m = len(cells.candidates), len(cells.judges)
    both = f"{cells.source}: {counted(n, 'candidate')} x {counted(m, 'judge')}"
    if n * m > LARGE and len(cells.values) < NEARLY_EMPTY * n * m:
        pairs = [(role, c) for role in ("judge", "candidate") for c in [*cells.unused][:CHOICES]]
        ways = (f"{role}s in {quoted(c)}: {command_with(**{role: c})}" for role, c in pairs)
        hint = "\n".join(ways) or "leave out the rows of whoever has few scores."
        raise DataError(f"{both}, yet only {counted(len(cells.values), 'score')}.", hint=hint)
    require(SCORE * n * m, f"{both} are too many")
    if combine == "mean":
        values, more = _averages(cells, n, m, available=available)
    else:
        rows = first_repeat(cells.keys)
        if len(rows):
            raise _several_scores(cells, rows)
        values = np.full((n, m), np.nan)
        values[cells.candidate, cells.judge] = cells.values
        if cells.errors is not None:
            more["errors"] = np.full((n, m), np.nan)
            more["errors"][cells.candidate, cells.judge] = cells.errors
    more = {"judge_codes": range(m)} | more
    return Table(values=values, candidates=cells.candidates, judges=cells.judges, **more)


def _several_scores(cells: Cells, rows: Integers) -> NotOneScoreError:
    who = quoted(cells.candidates[cells.candidate[rows[0]]])
    judge = quoted(cells.judges[cells.judge[rows[0]]])
    lines = ", ".join(map(cells.spot, cells.lines[rows][:MOST_ROWS].tolist()))
    lines += ", ..." if len(rows) > MOST_ROWS else ""
    who, judge = f"{cells.nouns.candidate} {who}", f"{cells.nouns.judge} {judge}"
    fact = f"{who} has {len(rows):,} scores on {judge} (rows {lines})."
    ways = {"judges": "make each repeat a judge", "mean": "take the mean of repeats"}
    each = (f"{way}: {command_with(combine=c)}" for c, way in ways.items())
    kept = [f"{name}={value}" for name, value in cells.unused.items()][:CHOICES]
    some = (f"only rows with {quoted(of)}: {command_with(where=[of])}" for of in kept)
    hint = "\n".join((*some, *each))
    return NotOneScoreError(f"{cells.source}: {fact}", hint=hint, remedy={"combine": "mean"})


def _averages(cells: Cells, n: int, m: int, *, available: bool) -> tuple[Floats, dict[str, Any]]:
    keys, scores = cells.keys, cells.values
    rows = np.bincount(keys, minlength=n * m)
    if available:
        keys, scores = keys[~np.isnan(scores)], scores[~np.isnan(scores)]
    counts = np.bincount(keys, minlength=n * m)
    rising = np.argsort(scores, kind="stable")  # a sum follows its order
    sums = np.bincount(keys[rising], weights=scores[rising], minlength=n * m)
    with np.errstate(invalid="ignore"):
        values = np.where(counts, sums / np.where(counts, counts, 1), np.nan)
    notes: list[str] = []
    if lost := int((np.isnan(values) & (rows > 1)).sum()):
        way = "" if available else f"; {say('missing', 'available')} averages the others"
        why = "without any score in its repeats" if available else "with a missing repeat"
        text = f"{counted(lost, 'cell')} {why} counted as missing{way}."
        notes.append(Words(text, weight=CAUTION if lost > MANY * n * m else TRIFLE))
    if fewer := int(((counts > 0) & (counts < rows)).sum()):
        text = f"{counted(fewer, 'cell')} averaged over the repeats that are not missing."
        notes.append(Words(text, weight=CAUTION if fewer > MANY * n * m else TRIFLE))
    least, most = int(rows[rows > 0].min()), int(rows.max())
    span = counted(most, "score") if least == most else f"{least:,} to {most:,} scores"
    facts = (("repeats", f"averaged, {span} per cell"),)
    days = [name for name in cells.unused if tells_days(name)]
    if most > 1 and days:
        some = say("where", f"{days[0]}>={cells.unused[days[0]]}")
        notes.append(f"{span} per cell are averaged, whatever their {days[0]}; fewer: {some}.")
    more: dict[str, Any] = {"facts": facts, "notes": tuple(notes)}
    if cells.errors is not None:  # of a mean of independent scores; one unknown leaves it unknown
        squares = np.bincount(cells.keys, weights=cells.errors**2, minlength=n * m)
        more["errors"] = (np.sqrt(squares) / np.where(rows, rows, np.nan)).reshape(n, m)
    return values.reshape(n, m), more


def _repeats_as_judges(cells: Cells) -> tuple[Cells, dict[str, Any]]:
    """Make each repeat a judge of its own, which remembers the judge it repeats."""
    numbers, words = cells.repeat, cells.repeats
    if numbers is None:
        numbers = occurrences(cells.keys)
        words = tuple(str(k + 1) for k in range(int(numbers.max()) + 1))
    pairs = cells.judge.astype(np.int64) * len(words) + numbers
    distinct, place = np.unique(pairs, return_inverse=True)
    codes, repeats = (each.tolist() for each in np.divmod(distinct, len(words)))
    origins = tuple(cells.judges[code] for code in codes)
    names = tuple(f"{name} #{words[k]}" for name, k in zip(origins, repeats, strict=True))
    per_judge = np.bincount(codes, minlength=len(cells.judges))
    least, most = int(per_judge.min()), int(per_judge.max())
    uneven = f"judges have {least:,} to {most:,} repeats; those with more count more."
    return replace(cells, judge=place, judges=names, repeat=None), {
        "judge_codes": codes,
        "origins": origins,
        "facts": (("repeats", f"each is a judge, clustered by {len(cells.judges):,} originals"),),
        "notes": (uneven,) if least < most else (),
    }


def occurrences(keys: Integers) -> Integers:
    """Return 0 for the first row of each key, 1 for the second, and so on."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(keys)])
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.arange(len(keys)) - np.repeat(starts, lengths)
    return numbers
