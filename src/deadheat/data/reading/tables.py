"""The collector of tables: wide or long cells become scores of candidates by judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, filterfalse
from statistics import mode
from typing import Any, cast

import numpy as np

from deadheat.core.errors import (
    DataError,
    DeadheatError,
    MendByHandError,
    NotOneScoreError,
    TwoValuesError,
    UnknownNameError,
    UsageError,
    Words,
    bare,
    command_with,
    counted,
    listed,
    named,
    quoted,
    say,
)
from deadheat.core.memory import Meter, require
from deadheat.core.types import Booleans, Floats, Integers, MissingPolicy
from deadheat.core.weights import CAUTION, MISREAD, TRIFLE
from deadheat.data.reading.column_names import (
    begins_as_summary,
    is_called,
    is_summary,
    role_of,
    stands_beside,
    tells_days,
)
from deadheat.data.reading.layout import CHOICES, Long, Wide
from deadheat.data.reading.numbers import (
    BadCellError,
    Numbers,
    Parsed,
    another_header,
    bad_score,
    cell_hint,
    is_missing,
    looks_numeric,
    matrix,
)
from deadheat.data.reading.options import EQUAL_STRATA, REPLACED_BY, Options
from deadheat.data.reading.preview import Head, LinesAndRemedy, look_alikes, unique
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
    are_intervals,
    hold_intervals,
    likely_errors,
)
from deadheat.data.results import EVERY_OTHER_JUDGE, PLAIN, Nouns, Results, checked_names, read_only
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
# The columns of a table, block by block: of wide and long tables, and of runs.

ROLES_OF_NAMES = {"candidate", "judge"}
NAME = 250  # bytes that a name takes, with its place


class Codes(dict[str | None, int]):
    """Number the names in the order of their appearance; several spellings share one."""

    def __init__(self, name_of: Callable[[str | None], str]) -> None:
        super().__init__()
        self.names: dict[str, int] = {}
        self._name_of = name_of

    def __missing__(self, cell: str | None) -> int:
        code = self[cell] = self.names.setdefault(self._name_of(cell), len(self.names))
        return code


class Columns:
    """Names as codes and numbers as they are; ``row`` is the number of bytes that a row takes.

    Names of the roles ``anything`` may be empty; a ``layout`` may explain a bad cell.
    """

    def __init__(
        self,
        head: Head,
        names: Mapping[str, int],
        numeric: Mapping[str, int],
        *,
        row: int,
        anything: Container[str] = (),
        layout: Wide | None = None,
        as_runs: Mapping[str, object] | None = None,
    ) -> None:
        self.head, self._names, self._numeric, self._row = head, names, numeric, row
        self._anything, self._layout, self._as_runs = anything, layout, as_runs or {}
        self.codes = {role: Codes(head.name) for role in names}
        self.parts: dict[str, list[Integers]] = {role: [] for role in names}
        self.values: list[Floats] = []
        self._beside: list[Parsed] = []
        self._lines: list[Integers] = []
        self._meter = Meter(head.source)
        self.notes: list[str] = []

    def add(self, block: Block, numbers: Numbers) -> None:
        self._meter.add(self._row * block.size)
        numeric = list(self._numeric.values())
        try:
            parsed = matrix(block, numeric, numbers)
        except BadCellError as bad:
            row, position = divmod(bad.place, len(numeric))
            place = self._cell(block, row, k := numeric[position])
            error = _explain(self._layout, self.head, bad, block, row, k)
            raise error or bad_score(bad, self.head.source, place, numbers, self._as_runs) from None
        for role, k in self._names.items():
            codes, cells = self.codes[role], block.text(k)
            known = len(codes)
            self.parts[role].append(np.fromiter(map(codes.__getitem__, cells), np.int32))
            if "" in codes.names and role not in self._anything:
                row = next(i for i, cell in enumerate(cells) if not self.head.name(cell))
                raise DataError(
                    f"{self.head.source}: the {role} in {self._cell(block, row, k)}, has no name.",
                    hint="fill the empty cell or remove the row.",
                )
            self._meter.add(NAME * (len(codes) - known))
        self.values.append(parsed.values)
        self._beside.append(parsed)
        self._lines.append(np.asarray(block.lines, dtype=np.int64))

    def _cell(self, block: Block, row: int, k: int) -> str:
        return f"{self.head.unit} {block.lines[row]:,}, column {quoted(self.head.columns[k])}"

    def whole(self) -> dict[str, Any]:
        """Return every column of all blocks, and where the rows stand as ``lines``."""
        for role in ROLES_OF_NAMES.intersection(self.codes):
            self._take_quotes_off(role)
        columns: dict[str, Any] = {role: np.concatenate(p) for role, p in self.parts.items()}
        for k, role in enumerate(self._numeric):
            columns[role] = np.concatenate([values[:, k] for values in self.values])
        return columns | {"lines": np.concatenate(self._lines)}

    def _take_quotes_off(self, role: str) -> None:
        """Give a name in quotes the code of the same name without them, where both are there."""
        names = self.codes[role].names
        inner = {name: name[1:-1] for name in names if name[:1] == name[-1:] == '"' and name[2:]}
        pairs = {name: other for name, other in inner.items() if other in names}
        if not pairs:
            return
        places = [names[pairs.get(name, name)] for name in names]
        left, codes = np.unique(places, return_inverse=True)
        self.parts[role] = [codes[part].astype(np.int32) for part in self.parts[role]]
        known = [*names]
        self.codes[role].names = {known[k]: place for place, k in enumerate(left.tolist())}
        these = listed(map(bare, pairs), most=FEW_NAMES)
        self.notes.append(f"names that differ only by quotes are one {role}: {these}.")

    def place(self, i: int) -> str:
        return f"{self.head.unit} {np.concatenate(self._lines)[i]:,}"

    def texts(self, role: str) -> list[str]:
        """Return the names or words of all rows; none where no column has the role."""
        names = self.words(role)
        return [names[code] for part in self.parts.get(role, ()) for code in part.tolist()]

    def words(self, role: str) -> tuple[str, ...]:
        return tuple(self.codes[role].names) if role in self.codes else ()

    def alike(self) -> list[str]:
        """Return a note for each name that looks like an earlier one, and where both come first."""

        def first(role: str, code: int) -> str:
            return self.place(int(np.argmax(np.concatenate(self.parts[role]) == code)))

        roles = ("candidate", "judge")
        notes = (look_alikes(self.words(each), each, partial(first, each)) for each in roles)
        return [*self.notes, *chain.from_iterable(notes)]

    def beside(self, name: str, *, nothing: object = np.nan) -> Any:
        """Return percent signs, errors or brackets of all blocks, None where there is none."""
        found = [(getattr(part, name), part.values.shape) for part in self._beside]
        if all(each is None for each, _ in found):
            return None
        return np.concatenate([np.full(s, nothing) if each is None else each for each, s in found])


# ------------------------------------------------------------------------------
# Wide tables: one row per candidate or judge.

FEW_NAMES = 8
LEAST_ROWS, LEAST_COLUMNS, MOST_COLUMNS = 3, 3, 1_000  # where a column may be a mean of others
SOME_ROWS = 100  # that are looked at together
ALIKE = 0.9  # correlation of a column called a mean with the mean of the others
LEAST_PLACES = 4  # that a column of ranks has: fewer may be scores by chance
LEAST_BLOCK = 3  # consecutive rows, on average, that share a key
ROUNDED = 0.02  # of the spread of a row: a mean may be written with few digits
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
    _refuse_beside(across, by_rows, head, layout, options)
    notes = (*notes, *_perhaps_beside(across, by_rows, head, layout, options))
    judge = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    errors, told = _without_ranks(errors, brackets, values, judge, options.brackets)
    _refuse_mixed_percent(percent, values, judge, judges, head.source)
    facts: Facts = ()
    if layout.errors:
        _require_one_score(layout.errors, across)
        own = _own_errors(rows, layout.errors, values[:, 0], numbers)
        errors, facts, told = own.errors[:, None], (("errors", own.what),), (*told, *own.notes)
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
    _refuse_beside(across, values, head, layout, options)
    size, width = values.shape
    codes = rows.whole()
    lines = np.repeat(codes["lines"], width)
    down, right = np.repeat(codes["label"], width), np.tile(np.arange(width), size)
    found = (rows.beside("percent", nothing=False), *map(rows.beside, ("errors", "brackets")))
    percent, errors, brackets = (None if each is None else each.ravel() for each in found)
    judge, candidate = (down, right) if turned else (right, down)
    names = rows.words("label"), tuple(across)
    judges, candidates = names if turned else names[::-1]
    errors, told = _without_ranks(errors, brackets, values.ravel(), judge, options.brackets)
    _refuse_mixed_percent(percent, values.ravel(), judge, judges, head.source)
    facts: Facts = ()
    if layout.errors:
        _require_one_score(layout.errors, across)
        own = _own_errors(rows, layout.errors, values[:, 0], numbers)
        errors, facts, told = own.errors, (("errors", own.what),), (*told, *own.notes)
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
            *_perhaps_beside(across, values, head, layout, options),
        ),
    )


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


def _explain(
    layout: Wide | None, head: Head, bad: BadCellError, block: Block, row: int, k: int
) -> DeadheatError | None:
    column, line = quoted(head.columns[k]), block.lines[row]
    cells = block.text(k)
    names_things = is_called(head.columns[k], "identifier")  # such as a hash that begins with 7e5
    beside = names_things or _is_beside_scores(layout, head, k)
    if layout is not None and _of_only_score(layout, head, k):
        return _intervals_error(head, k)
    if layout is None or bad.infinite or (cell_hint(bad.text) and not beside):
        return None
    if block.size > 1 and not any(map(looks_numeric, cells)):
        name = head.columns[k]
        role = role_of(name)
        if layout.undecided is not None and not layout.long and not role:
            return layout.undecided
        words = listed(dict.fromkeys(quoted((cell or "").strip()) for cell in cells), most=3)
        fact = f"{head.source}: column {column} holds text ({words}), not scores."
        if layout.long and layout.label is not None and head.names_come_again(layout.label):
            hint = f"if it is a long table: {command_with(**layout.long)}"
            return NotOneScoreError(fact, hint=hint, remedy=layout.long)
        family = is_called(name, "stratum") and layout.rows_are_judges and not layout.about
        remedy: dict[str, Any] = {"stratum": name} if family else {"ignore": [name]}
        others = (other for other in head.columns if other != name)
        if names_things and any(is_called(other, "judge") for other in others):
            role = ""  # a hash beside the name of an instance
        if layout.label is not None and head.named and role_of(head.columns[layout.label]) == role:
            role = ""  # the rows have such a name already
        if role and not family:
            remedy = {role: name}
        return NotOneScoreError(fact, hint=_use_of(name, layout, head), remedy=remedy)
    fact = f"{head.unit} {line:,}, column {column}: {quoted(bad.text)} is not a number."
    fact = f"{head.source}: {fact}"
    if stands_beside(head.columns[k]) and cell_hint(bad.text):  # such as 70B parameters
        ignore = {"ignore": [head.columns[k]]}
        return NotOneScoreError(
            fact, hint=f"to leave it out: {command_with(**ignore)}", remedy=ignore
        )
    label = (block.text(layout.label)[row] if layout.label is not None else "") or ""
    first = head.first.lines[0] if head.first is not None else line + 1
    names = [block.text(k)[row] for k in layout.scores]
    hint = another_header(label, names, head.unit, line, first=first)
    return MendByHandError(fact, hint=hint) if hint else None


def _is_beside_scores(layout: Wide | None, head: Head, k: int) -> bool:
    """Return whether a column tells about scores: an interval 0.81-0.86, ranges of ranks."""
    some = layout is not None and any(map(head.is_numeric, layout.scores))
    return stands_beside(head.columns[k]) or (some and are_intervals(head.cells(k)))


def _intervals_error(head: Head, k: int) -> NotOneScoreError:
    """Return what asks whether intervals are kept as the errors of scores."""
    name = head.columns[k]
    some = dict.fromkeys(quoted(cell) for cell in head.cells(k) if not is_missing(cell))
    holds = f"column {quoted(name)} holds intervals ({listed(some, most=3)}), not scores"
    kept, ignore = {"standard_error": (name,)}, {"ignore": [name]}
    hint = f"to keep them as errors of the scores: {command_with(**kept)}"
    hint += f"\nto leave them out: {command_with(**ignore)}"
    return NotOneScoreError(f"{head.source}: {holds}.", hint=hint, remedy=kept)


def _of_only_score(layout: Wide, head: Head, k: int) -> bool:
    """Return whether a column holds the intervals of the only column of scores."""
    columns = [j for j in layout.scores if j != k and head.is_numeric(j)]
    numeric = [j for j in columns if not _tells_about_scores(head.columns[j])]
    if layout.rows_are_judges or layout.errors or len(numeric) != 1:
        return False
    return hold_intervals(head.cells(k), head.cells(numeric[0]))


def _tells_about_scores(name: str) -> bool:
    return stands_beside(name) or is_summary(name)


def _use_of(column: str, layout: Wide, head: Head) -> str:
    role = role_of(column)
    label = role_of(head.columns[layout.label]) if layout.label is not None else ""
    other = f"to leave it out: {command_with(ignore=[column])}"
    if layout.rows_are_judges and layout.undecided is None and not layout.about:
        other = f"to use it as the stratum: {command_with(stratum=column)}\n{other}"
    unlike = role != label if role and label else not (role or label)
    long = f"if it is a long table: {command_with(**layout.long)}" if layout.long else ""
    if long and layout.label is not None and head.names_come_again(layout.label):
        return long  # without the column they would still come again
    if role and not (long and unlike):
        other = f"if it names the {role}s: {command_with(**{role: column})}\n{other}"
    return "\n".join(filter(None, (other, long) if unlike else (long, other)))


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


def _perhaps_beside(
    across: Sequence[str], rows: Floats, head: Head, layout: Wide, options: Options
) -> Iterator[Words]:
    """Say which columns have numbers that look like something else than scores, if any have."""
    if not {"candidate", "judge"}.isdisjoint(head.states):
        return
    said = {*options.keep, *options.named_judges}
    kind = "candidate" if layout.rows_are_judges else "judge"
    columns = range(len(across))
    why = dict.fromkeys(_means_of_others(rows, columns), "is the mean of the others in every row")
    if layout.rows_are_judges:
        why |= dict.fromkeys(_in_blocks(rows, columns), "numbers blocks of rows")
    else:
        order = "numbers the rows in the order of their means"
        why |= dict.fromkeys(_in_their_order(rows, columns), order)
    for k, what in why.items():
        if across[k] not in said:
            fact = f"{kind} {quoted(across[k])} {what}"
            text = f"{fact}; if it holds no scores: {command_with(ignore=[across[k]])}"
            yield Words(text, page=f"{fact}.", weight=MISREAD, good=False)


def _refuse_beside(
    across: Sequence[str], rows: Floats, head: Head, layout: Wide, options: Options
) -> None:
    """Ask about the columns that by name tell about scores rather than hold them, if any do.

    A format that knows which column names the rows knows what the others are.
    """
    if not {"candidate", "judge"}.isdisjoint(head.states):
        return
    said = {*options.keep, *options.named_judges}
    errors = () if layout.rows_are_judges or layout.errors else likely_errors(across, rows)
    errors = () if any(across[k] in said for k in errors) else errors
    beside = {k for k, name in enumerate(across) if _tells_about_scores(name)} - {*errors}
    others = [k for k in range(len(across)) if k not in {*beside, *errors}]
    beside |= {k for k in others if begins_as_summary(across[k]) and _tracks(rows, k, others)}
    others = [k for k in others if k not in beside]
    again = [k for k in sorted(beside) if LEAST_BLOCK * len(np.unique(rows[:, k])) <= len(rows)]
    again = [k for k in again if not (across[k] in said or is_summary(across[k]))]
    again += _in_blocks(rows, [k for k in others if k not in beside], again) if again else []
    beside |= {*again}
    others = [k for k in others if k not in beside]
    names = [across[k] for k in sorted(beside) if across[k] not in said]
    if errors and others:
        raise _errors_beside([across[k] for k in errors], names, head)
    if not others or not names:
        return
    kind = "candidate" if layout.rows_are_judges else "judge"
    these = listed(map(quoted, names), most=FEW_NAMES)
    fact, it = f"column {these} is counted as a {kind}, but does not look like one", "it"
    holds = "it holds"
    if len(names) > 1:
        fact, it = f"columns {these} are counted as {kind}s, but do not look like them", "them"
        holds = "they hold"
    remedy: dict[str, Any] = {"ignore": names}
    ways = [f"to leave {it} out: {command_with(**remedy)}"]
    groups = [across[k] for k in again if across[k] in names]
    rest = {"ignore": left} if (left := [name for name in names if name not in groups]) else {}
    if layout.rows_are_judges and layout.label is None and groups:
        remedy = {"cluster": tuple(groups)} | rest
        strata = {"stratum": tuple(groups)} | rest
        each = f"rows of one {named(groups)}"
        ways = [f"if {each} are alike: {command_with(**remedy)}"]
        ways += [f"if {each} are drawn each for itself: {command_with(**strata)}"]
    elif layout.rows_are_judges and layout.combine != "error" and groups:
        remedy = {"judge": (*together(options, layout.names["judge"]), *groups)} | rest
        name = "name" if groups[1:] else "names"
        ways = [f"if {named(groups)} {name} judges too: {command_with(**remedy)}"]
    ways.append(f"if {holds} scores: {command_with(keep=names)}")
    raise UsageError(f"{head.source}: {fact}.", hint="\n".join(ways), remedy=remedy)


def _errors_beside(errors: Sequence[str], others: list[str], head: Head) -> UsageError:
    """Return what asks to keep the errors of the only scores, and to leave other columns out."""
    these = " and ".join(map(quoted, errors))
    fact = f"column {these} is counted as a judge, but says how far the scores may be off"
    it, holds = "it", "it holds"
    if len(errors) > 1:
        fact = f"columns {these} are counted as judges, but are the ends of an interval"
        it, holds = "them", "they hold"
    without = {"ignore": others} if others else {}
    remedy = {"standard_error": tuple(errors)} | without
    also = ""
    if others:
        more = listed(map(quoted, others), most=FEW_NAMES)
        some = f"columns {more} do" if len(others) > 1 else f"column {more} does"
        fact += f"; {some} not look like {'judges' if len(others) > 1 else 'one'} either"
        also = f", without {'the others' if len(others) > 1 else more}"
    ways = [
        f"to keep {it} as errors of the scores{also}: {command_with(**remedy)}",
        f"to leave {'all' if others else it} out: {command_with(ignore=[*errors, *others])}",
        f"if {holds} scores{also}: {command_with(keep=[*errors], **without)}",
    ]
    return UsageError(f"{head.source}: {fact}.", hint="\n".join(ways), remedy=remedy)


def _means_of_others(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return the only one of some columns that is their mean in every row, up to rounding.

    A row of equal scores tells nothing.
    """
    size, width = len(rows), len(columns)
    possible = size >= LEAST_ROWS and LEAST_COLUMNS <= width <= MOST_COLUMNS
    left, told = np.arange(width if possible else 0), 0
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, size if possible else 0, SOME_ROWS):
            some = rows[start : start + SOME_ROWS, columns]
            spreads = np.ptp(some, axis=1, keepdims=True)
            means = (some.sum(axis=1, keepdims=True) - some[:, left]) / (width - 1)
            near = np.abs(some[:, left] - means) <= ROUNDED * spreads
            left, told = left[near.all(axis=0)], told + int((spreads > 0).sum())
            if not len(left):
                break
    return [columns[k] for k in left.tolist()] if len(left) == 1 and told >= LEAST_ROWS else []


def _tracks(rows: Floats, k: int, columns: Sequence[int]) -> bool:
    """Return whether a column rises and falls with the mean of the others."""
    means, its = _means(rows, k, columns), rows[:, k]
    known = np.isfinite(means) & np.isfinite(its)
    if known.sum() < LEAST_ROWS:
        return False
    means, its = means[known] - means[known].mean(), its[known] - its[known].mean()
    spread = float(np.sqrt((means**2).sum() * (its**2).sum()))
    return spread > 0 and float(means @ its) >= ALIKE * spread


def _in_blocks(rows: Floats, columns: Sequence[int], groups: Sequence[int] = ()) -> list[int]:
    """Return columns that number blocks of rows: whole numbers that rise from block to block.

    Within the groups that some columns tell, also fractions: 0.1 and 0.2 for each of some sizes. A
    baseline that is constant within each data set rises and falls.
    """
    new = np.zeros(max(len(rows) - 1, 0), dtype=bool)
    for k in groups:
        new |= rows[1:, k] != rows[:-1, k]
    found = []
    for k in columns if LEAST_COLUMNS <= len(columns) <= MOST_COLUMNS else ():
        steps = np.diff(rows[:, k])
        blocks, most = 1 + int((steps != 0).sum()), len(rows) // LEAST_BLOCK
        whole = groups or (rows[:, k] % 1 == 0).all()
        if 1 + int(new.sum()) < blocks <= most and (steps >= 0)[~new].all() and whole:
            found.append(k)
    return found


def _in_their_order(rows: Floats, columns: Sequence[int]) -> list[int]:
    """Return columns that number the rows in the order of their means of the other columns."""
    size = len(rows)
    if size < LEAST_PLACES:
        return []
    places = np.arange(1, size + 1)
    found = []
    for k in (k for k in columns if (np.sort(rows[:, k]) == places).all()):
        steps = np.diff(_means(rows, k, columns)[np.argsort(rows[:, k])])
        if (steps < 0).all() or (steps > 0).all():
            found.append(k)
    return found


def _means(rows: Floats, k: int, columns: Sequence[int]) -> Floats:
    others = [other for other in columns if other != k]
    return rows[:, others].mean(axis=1) if others else np.full(len(rows), np.nan)


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
    size = ROW + CODE * rows.width
    columns = Columns(head, names, numeric, row=size, anything=said_beside, as_runs=layout.runs)
    about: dict[str, dict[int, str]] = {name: {} for name in layout.about}
    for block in head.rows():
        columns.add(block, numbers)
        rows.add(block)
        judges = columns.parts["judge"][-1].tolist()
        for name, k in layout.about.items():
            pairs = zip(judges, map(head.name, block.text(k)), strict=True)
            for judge, cell in dict.fromkeys(pairs):
                first = about[name].setdefault(judge, cell)
                if first != cell:
                    who, what = columns.words("judge")[judge], head.columns[layout.names["judge"]]
                    raise _two_values(head, options, what, who, name, [first, cell])
    whole = columns.whole()
    errors, brackets = map(columns.beside, ("errors", "brackets"))
    errors, brackets = (None if each is None else each[:, 0] for each in (errors, brackets))
    errors, told = _without_ranks(
        errors, brackets, whole["values"], whole["judge"], options.brackets
    )
    facts: Facts = ()
    if layout.errors and said_beside:
        own = _own_errors(columns, layout.errors, whole["values"], numbers)
        errors, facts, told = own.errors, (("errors", own.what),), (*told, *own.notes)
    roles = {role: each for role, each in whole.items() if role not in said_beside}
    cells = Cells(
        **{"errors": errors} | roles,
        candidates=columns.words("candidate"),
        judges=columns.words("judge"),
        repeats=columns.words("repeat"),
        source=head.source,
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
        about={name: [known[code] for code in table.judge_codes] for name, known in about.items()},
        facts=(*layout.facts, *facts, *table.facts),
        notes=(*table.notes, *columns.alike(), *told, *mixed),
    )


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
    lines = ", ".join(map(str, cells.lines[rows][:MOST_ROWS]))
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


# ------------------------------------------------------------------------------
# From a table to results: weights, strata and clusters of the judges, by columns or a sidecar.

NO_STRATUM = "(none)"


def results_of(table: Table, options: Options, weights: Floats | None, **more: Any) -> Results:
    strata, no_stratum = _labels(table, options, "stratum")
    clusters, no_cluster = _labels(table, options, "cluster")
    if options.weight == EQUAL_STRATA:
        if strata is None:
            raise strata_needed(table.families)
        sizes = Counter(strata)
        weights = np.array([len(strata) / (len(sizes) * sizes[label]) for label in strata])
    return Results(
        scores=read_only(table.values),  # nobody else has it: it need not be copied
        candidates=table.candidates,
        judges=table.judges,
        judge_weights=weights,
        strata=strata,
        clusters=table.origins if clusters is None else clusters,
        standard_errors=table.errors,
        missing=cast("MissingPolicy", options.missing or "error"),
        tie_tol=0.0 if options.tie_tol is None else options.tie_tol,
        by=options.by or "",
        heading=options.heading or "",
        total=options.total or "",
        notes=tuple(filter(None, (*table.notes, no_stratum, no_cluster))),
        **more,
    )


def strata_needed(families: Sequence[str]) -> UsageError:
    """Return what is said where strata are to count the same, and there are none."""
    fact = f"{say('weight', EQUAL_STRATA)} needs strata, and the table has none."
    ways = [f"strata in {quoted(c)}: {command_with(stratum=c)}" for c in families]
    return UsageError(fact, hint="\n".join([*ways, f"without it: {command_with(weight=None)}"]))


def weights_of(table: Table, options: Options, numbers: Numbers) -> Floats | None:
    if "weight" in table.about:
        cells = table.about["weight"]
        try:
            weights = numbers.floats(cells).values
            place = int(np.argmax(np.isnan(weights)))
            if not np.isnan(weights[place]):
                return weights
        except BadCellError as bad:
            place = bad.place
        judge = quoted(table.judges[place]) if table.judges else f"{place + 1:,}"
        fact = f"the weight of judge {judge} is {quoted(cells[place])}."
        raise DataError(fact, hint="a weight is a number of at least 0; 0 leaves a judge out.")
    if options.weights is None:
        return None
    by_judge = _of_judges(table, options.weights, "weights", default=1)
    for judge, weight in by_judge:
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            fact = f"the weight of judge {quoted(judge)} is {weight!r}, not a number."
            hint = f"in the sidecar, for instance: {judge} = 1.5; 0 leaves a judge out."
            raise UsageError(fact, hint=hint)
    return np.array([weight for _, weight in by_judge], dtype=np.float64)


def _labels(table: Table, options: Options, name: str) -> tuple[list[str] | None, str]:
    """Return the stratum or cluster of each judge, and a note where some have none."""
    labels = table.about.get(name)
    if labels is not None and "" in labels:
        without = f"{counted(labels.count(''), 'judge')} without a {name}"
        if name == "stratum":
            note = f"{without} form one called {NO_STRATUM}."
            return [label or NO_STRATUM for label in labels], note
        judges = table.judges or map(str, range(1, len(labels) + 1))
        pairs = zip(labels, judges, strict=True)
        return [one or other for one, other in pairs], f"{without} count as clusters of their own."
    given = getattr(options, REPLACED_BY[name])
    if labels is not None or given is None:
        return labels, ""
    by_judge = _of_judges(table, _label_by_judge(given, name), REPLACED_BY[name])
    judge = next((judge for judge, label in by_judge if label is None), None)
    if judge is not None:
        fact = f"the sidecar gives no {name} for judge {quoted(judge)}."
        raise UsageError(fact, hint="name every judge, or add '*' for all the others.")
    return [str(label) for _, label in by_judge], ""


def _label_by_judge(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return judge -> label, also from label = [judges]."""
    labels: dict[str, Any] = {}
    for key, value in given.items():
        many = isinstance(value, list)
        for judge, label in [(str(judge), key) for judge in value] if many else [(key, value)]:
            if labels.setdefault(judge, label) != label:
                both = f"{quoted(labels[judge])} and {quoted(label)}"
                fact = f"the sidecar gives judge {quoted(judge)} two values of {name}: {both}."
                raise UsageError(fact, hint=f"name it once: a judge has one {name}.")
    return labels


def _of_judges(
    table: Table, given: Mapping[str, Any], kind: str, default: object = None
) -> list[tuple[str, Any]]:
    judges = table.origins if table.origins is not None else table.judges
    judges = judges or checked_names((), table.values.shape[1], "judge", "")
    known = {*judges, EVERY_OTHER_JUDGE}
    for name in filterfalse(known.__contains__, given):
        raise UnknownNameError(f"judge in {kind}", name, set(judges))
    default = given.get(EVERY_OTHER_JUDGE, default)
    return [(judge, given.get(judge, default)) for judge in judges]
