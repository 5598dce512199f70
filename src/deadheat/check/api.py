"""What was understood of a table, what is odd about it, and what its winner hangs on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from deadheat.core.errors import (
    DeadheatError,
    UsageError,
    ask,
    command_with,
    counted,
    listed,
    quoted,
    say,
)
from deadheat.core.types import Booleans, Floats
from deadheat.data.battles import Battles
from deadheat.data.missing import apply_policy
from deadheat.data.reading.read import (
    OF_LOGS,
    about_logs,
    is_battle_log,
    peekable,
    read_battles,
    read_with_holes,
    require_known,
)
from deadheat.data.results import POLICIES, Results, provenance_of
from deadheat.models.rating.existence import existence
from deadheat.models.rating.pair_counts import CellPairs
from deadheat.output.result import Result, provenance
from deadheat.output.table import Grid
from deadheat.rank.words import names_in_words, who_by_what
from deadheat.ranking import on_tables
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.of_runs import function_for

if TYPE_CHECKING:
    from deadheat.check.schema import CheckRow

NEAR = 0.9  # the share of judges on which near-clones have the same score
AFFORDABLE = 300_000_000  # cells of all pairs of candidates
FAR = 50.0
RARE = 1_000  # of so many scores one may be a mistake
MOSTLY = 0.75
A_LOT = 0.05  # of all judges
ENOUGH_JUDGES = 5
SENTINELS = frozenset({-1, -9, -99, -999, -9999, 99, 999, 9999, 99999, 999999})
QUARTILES = np.array([0.25, 0.5, 0.75])
MOST_SUSPECTS = 1_000
MOST_ROWS = 1_000  # of holes and failed strata in the facts
OF_FILES = ("compression", "delimiter", "encoding", "header", "sidecar")
NAMED = 5  # candidates, judges, pairs or groups in a finding
FEW = 3  # places in a finding

Findings = list[tuple[str, str, bool]]
Part = tuple[Findings, dict[str, Any]]
"""Findings and facts about one side of a table."""


def check(table: Any, *, by: str | RankingFunction | None = None, **reading: Any) -> Check:
    """Say what was understood of a table and what is odd about it; refuse nothing that can be read.

    Parameters
    ----------
    table
        A :class:`Results`, a :class:`Runs`, a :class:`Battles`, a path, or any DataFrame;
        ``reading`` are the options of :func:`deadheat.read` or :func:`deadheat.read_battles`.
    by
        The ranking function that names the winner under each policy for missing scores:
        ``"average_rank"`` by default; of 0 and 1, and of runs by a rule, the mean.
    """
    require_known(check, {name: value for name, value in reading.items() if name not in OF_LOGS})
    with peekable(table, reading) as file:
        if is_battle_log(file, reading):
            return _check_log(read_battles(file, **about_logs(reading)), by)
        results = read_with_holes(file, **reading)
    f = on_tables.function_for(results, by)
    findings = _understood(results.reading)
    findings += _size(results)
    findings += [("note", note, True) for note in results.notes]
    details: dict[str, Any] = {}
    parts = [part(results) for part in (_holes, _judges, _candidates, _strata, _suspects, _ties)]
    for found, facts in (*parts, _policies(results, f), _functions(results, f)):
        findings += found
        details |= facts
    size = f"{results.nouns.candidates(results.n)} on {results.judged_on}"
    return Check(
        made=provenance_of(results, function=[f.name]),
        library=results.library,
        findings=tuple(dict.fromkeys(findings)),
        details=details,
        size=f"{size}, {results.direction()}",
    )


def _understood(reading: Sequence[tuple[str, str]]) -> Findings:
    """Return how the file was read; the command has no path, as what is saved may be published."""
    others = {"format": "; another: deadheat check FILE --from NAME"}
    return [(topic, f"{what}{others.get(topic, '')}", False) for topic, what in reading]


NO_TABLE: Mapping[str, Any] = {
    **{name: [] for name in ("holes", "constant_judges", "identical_judges", "clones")},
    **{name: [] for name in ("near_clones", "failed_strata", "suspicious")},
    "holes_in_all": 0,
    "winners_by_policy": {},
    "winners_by_function": {},
}


def _check_log(log: Battles, by: object) -> Check:
    if by is not None:
        fact = f"{say('by', by)} ranks a table of scores, and {log.source} is a battle log."
        raise UsageError(fact, hint=f"without it: {command_with(by=None)}")
    battles, models = counted(log.total, "battle"), log.nouns.candidates(log.n)
    findings = _understood(log.reading)
    findings.append(("size", f"{battles} of {models}", False))
    findings += [("note", str(note), True) for note in log.notes]
    met = np.bincount(log.left, log.battles, log.n) + np.bincount(log.right, log.battles, log.n)
    low, high = int(met.argmin()), int(met.argmax())
    least, most = f"{met[low]:,.0f} ({quoted(log.candidates[low])})", f"{met[high]:,.0f}"
    span = f"from {least} to {most} ({quoted(log.candidates[high])})"
    span = f"{most} of each" if met[low] == met[high] else span
    findings.append((f"per {log.nouns.candidate}", span, False))
    findings.append(("ties", f"{log.ties / log.total:.1%} of all battles", False))
    parts = existence(CellPairs(log).counts()).components
    if len(parts) > 1:
        apart = f"no battle links {len(parts):,} parts of the field"
        largest = f"the largest has {log.nouns.candidates(max(map(len, parts)))}"
        way = say("largest_part", value=True)
        findings.append(("parts", f"{apart}, and {largest}, which rate {way} rates", True))
    findings.append(("next", f"rate the battles: {ask('rate', 'FILE')}", False))
    return Check(
        made=provenance(source=log.source, sha256=log.sha256, candidates=log.n, battles=log.total),
        library=log.library,
        findings=tuple(dict.fromkeys(findings)),
        details={**NO_TABLE, "tied_share": log.ties / log.total},
        size=f"{models} in {battles}",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Check(Result):
    """Hold the findings about a table: (topic, finding, whether it deserves a second look)."""

    schema: ClassVar[str] = "deadheat.check/1"
    findings: tuple[tuple[str, str, bool], ...]
    details: dict[str, Any]
    size: str

    def rows(self) -> list[CheckRow]:
        return [{"topic": t, "finding": said, "look": look} for t, said, look in self.findings]

    def facts(self) -> dict[str, Any]:
        return self.details

    @property
    def verdict(self) -> str:
        looks = Counter(topic for topic, _, look in self.findings if look)
        if not looks:
            return f"{self.size}: nothing deserves a second look."
        topics = [name if number == 1 else f"{name} ({number})" for name, number in looks.items()]
        return f"{self.size}: {counted(looks.total(), 'finding')} to look at ({listed(topics)})."

    def grid(self) -> Grid:
        """Return the format, what to look at, the file in one row, what the headline leaves out."""
        first = [(topic, said) for topic, said, _ in self.findings if topic == "format"]
        rest = [(t, said, look) for t, said, look in self.findings if t != "format"]
        looks = [(topic, said) for topic, said, look in rest if look]
        others = [(topic, said) for topic, said, look in rest if not look]
        file = "; ".join(said for topic, said in others if topic in OF_FILES)
        left = [row for row in others if row[0] not in (*OF_FILES, "size", "direction")]
        cells = [*first, *looks, *([("file", file)] if file else []), *left]
        top = len(first)
        marked = frozenset((top + row, 0) for row in range(len(looks)))
        leading = max(top + len(looks), 1)
        return Grid.of(("topic", "finding"), cells, marked=marked, leading=leading)


# The findings, side by side with the facts.


def _size(results: Results) -> Findings:
    nouns = results.nouns
    size = f"{nouns.candidates(results.n)} x {results.judged_on}"
    findings = [("size", size, False), ("direction", results.direction(), False)]
    if results.n == 1:
        findings.append(("size", f"one {nouns.candidate}: it is first, whatever the scores", True))
    if results.tells_its_errors:
        how = "only its standard error says how far it may be off"
        findings.append(("size", f"one score for each {nouns.candidate}: {how}", False))
    elif results.m == 1:
        findings.append(("size", f"one {nouns.judge}: no interval or stability can be given", True))
    weights = results.weights
    if (weights != weights[0]).any():
        effective = weights.sum() ** 2 / (weights**2).sum()
        worth = f"worth {effective:.1f} equal {nouns.judges()}"
        what = f"from {weights.min():g} to {weights.max():g}, {worth}"
        findings.append(("weights", what, False))
    for kind in ("strata", "clusters"):
        labels = getattr(results, kind)
        if labels is not None:
            names, sizes = np.unique(labels, return_counts=True)
            low, high = int(sizes.min()), nouns.judges(int(sizes.max()))
            what = f"{len(names):,}, of {high if low == sizes.max() else f'{low:,} to {high}'}"
            findings.append((kind, what, False))
            single = int((sizes == 1).sum())
            if single and kind == "strata":
                what = f"{single:,} of one {nouns.judge}, where nothing can be resampled"
                findings.append((kind, what, single >= A_LOT * len(labels)))
    if said := results.uncertainty():
        findings.append(("standard errors", said, False))
    if results.tie_tol:
        findings.append(("ties", f"scores within {results.tie_tol:g} count as equal", False))
    return findings


def _holes(results: Results) -> Part:
    places = np.argwhere(results.holes)
    if not len(places):
        return [("holes", "none", False)], {"holes": [], "holes_in_all": 0}
    share = len(places) / results.scores.size
    judges = results.nouns.judges(len(np.unique(places[:, 1])))
    candidates = results.nouns.candidates(len(np.unique(places[:, 0])))
    first = "; ".join(results.place(i, j) for i, j in places[:FEW].tolist())
    what = f"{counted(len(places), 'cell')} missing ({share:.1%}), of {candidates} on {judges}: "
    found = [("holes", what + first + (" ..." if len(places) > FEW else ""), True)]
    silent = [results.candidates[i] for i in np.flatnonzero(results.holes.all(axis=1)).tolist()]
    if silent:
        what = f"no score at all for {results.nouns.candidates(len(silent))}: "
        found.append(("holes", what + listed(silent, most=NAMED), True))
    if (groups := components(results)) > 1:
        nouns = results.nouns
        none = f"{groups} groups of {nouns.candidates()} have no {nouns.judge} in common"
        found.append(("holes", f"{none}: pairwise functions cannot compare across them", True))
    who, on = results.candidates, results.judges
    named = [{"candidate": who[i], "judge": on[j]} for i, j in places[:MOST_ROWS]]
    return found, {"holes": named, "holes_in_all": len(places)}


def _judges(results: Results) -> Part:
    names, constant = results.judges, constant_judges(results)
    idle = np.flatnonzero(results.n - results.holes.sum(axis=0) < 2).tolist()
    same = _same_rows(results.scores.T, names, {*constant, *idle})
    facts = {"constant_judges": [names[j] for j in constant], "identical_judges": same}
    if results.n == 1:
        return [], facts
    found: Findings = []
    everybody, lone = "the same score for everybody on", "fewer than two scores on"
    for topic, which, what in (("constant", constant, everybody), ("idle", idle, lone)):
        if which:
            judges = listed((names[j] for j in which), most=NAMED)
            finding = f"{what} {results.nouns.judges(len(which))}: {judges}"
            few = len(which) <= FEW  # many are too easy or too hard, a few may be broken
            found.append((f"{topic} {results.nouns.judges()}", finding, few))
    if same:
        graded = np.unique(results.scores[~results.holes]).size > 2  # else chance makes copies
        found.append((f"identical {results.nouns.judges()}", _groups(same), graded))
    return found, facts


def _candidates(results: Results) -> Part:
    names = results.candidates
    silent = set(np.flatnonzero(results.holes.all(axis=1)).tolist())
    same = _same_rows(results.scores, names, silent)
    near = near_clones(results)
    found: Findings = []
    if same:
        found.append(("clones", f"the same scores everywhere: {_groups(same)}", True))
    if near is None:
        found.append(("clones", "too many cells to look for near-clones; exact ones only", False))
    elif near:
        pairs = [f"{quoted(names[i])} and {quoted(names[j])} ({s:.0%})" for i, j, s in near]
        what = f"equal on nearly all {results.nouns.judges()}: {_some(pairs, 'pairs')}"
        found.append(("near-clones", what, True))
    pairs_out = [{"candidates": [names[i], names[j]], "share": share} for i, j, share in near or []]
    return found, {"clones": same, "near_clones": pairs_out}


def _strata(results: Results) -> Part:
    failed = failed_strata(results)
    who, sentences = results.candidates, []
    for i, name, size in failed[:FEW]:
        where = f"all {results.nouns.judges(size)} of stratum {quoted(name)}, most others have not"
        sentences.append(f"{quoted(who[i])} has the worst score on {where}")
    sentences += [f"{len(failed) - FEW:,} more like these"] if len(failed) > FEW else []
    shown = failed[:MOST_ROWS]
    rows = [{"candidate": who[i], "stratum": name, "judges": size} for i, name, size in shown]
    few = len(failed) <= FEW  # where many fail on some strata, that is their nature
    return [("failed strata", what, few) for what in sentences], {"failed_strata": rows}


def _suspects(results: Results) -> Part:
    suspects = suspect_scores(results)
    rows, alike = [], dict[str, list[tuple[int, int, float]]]()
    for i, j, score, why in suspects:
        cell = {"candidate": results.candidates[i], "judge": results.judges[j]}
        rows.append(cell | {"score": score, "why": why})
        alike.setdefault(why, []).append((i, j, score))
    found: Findings = []
    for why, cells in alike.items():
        judges = results.nouns.judges(len({j for _, j, _ in cells}))
        places = "; ".join(f"{results.place(i, j)} has {score:g}" for i, j, score in cells[:FEW])
        more = f", and {len(cells) - FEW:,} more on {judges}" if len(cells) > FEW else ""
        found.append(("suspicious", f"{why}: {places}{more}", True))
    return found, {"suspicious": rows}


def _ties(results: Results) -> Part:
    """Return the share of (pair of candidates, judge) in which both scores are equal."""
    tied = pairs = 0
    for column in results.scores.T:
        known = column[~np.isnan(column)]
        _, counts = np.unique(known, return_counts=True)
        tied += int((counts * (counts - 1) // 2).sum())
        pairs += len(known) * (len(known) - 1) // 2
    share = tied / pairs if pairs else 0.0
    found = [("ties", f"{share:.1%} of all pairs of scores are equal", False)] if share else []
    return found, {"tied_share": share}


def _groups(groups: list[list[str]]) -> str:
    return _some([" = ".join(quoted(name) for name in group[:4]) for group in groups], "groups")


def _some(texts: Sequence[str], noun: str) -> str:
    more = f" and {len(texts) - NAMED} more {noun}" if len(texts) > NAMED else ""
    return f"{'; '.join(texts[:NAMED])}{more}"


# Whether the winner hangs on the policy for missing scores, or on the function.


def _policies(results: Results, f: RankingFunction) -> Part:
    if not results.has_holes:
        return [], {"winners_by_policy": {}}
    possible, errors = on_tables.first_by_policy(results, f)
    impossible = [f"{policy} is impossible ({errors[policy].clause})" for policy in errors]
    tried = (policy for policy in POLICIES if policy != "error")
    winners = {policy: [*possible[policy]] if policy in possible else None for policy in tried}
    changes = len(set(possible.values())) > 1
    lead = "who is first changes" if changes else "who is first does not change"
    who = who_by_what(possible, "under", results.nouns.candidate)
    words = "; ".join(filter(None, [who, *impossible]))
    what = f"{lead} with the policy for missing scores ({f.called(results)}): {words}"
    return [("policies", what, changes)], {"winners_by_policy": winners}


def _functions(results: Results, f: RankingFunction) -> Part:
    nothing: dict[str, Any] = {"winners_by_function": {}}
    if results.has_holes and results.missing == "error":
        return [], nothing
    try:
        results = apply_policy(results, results.missing)
    except DeadheatError as error:
        return [("policies", error.fact, True)], nothing
    f = function_for(results, f)
    others_too = on_tables.affordable(results) if results.m > 1 else []  # all follow one score
    tried = {f.name: f} | {other.name: other for other in others_too}
    fit, refusals = on_tables.usable(results, list(tried.values()))
    if f not in fit:
        return [("functions", refusal, True) for refusal in refusals], nothing
    first = on_tables.first_by(results, fit)
    others = {name: who for name, who in first.items() if who != first[f.name]}
    found: Findings = [("functions", refusal, False) for refusal in refusals]
    noun = results.nouns.candidate
    what = f"{names_in_words(first[f.name], noun)} first by {f.called(results)}"
    if others:
        what += f"; other ways of counting put others first: {who_by_what(others, 'by', noun)}"
    elif len(fit) > 1:
        what += f" and by all {len(fit) - 1} other ways of counting"
    found.append(("winner", what, bool(others)))
    worst = on_tables.winner_is_worst(results, first[f.name])
    found += [("direction", each, True) for each in worst]
    found += [("scales", each, True) for each in on_tables.scale_warnings(results, [f])]
    return found, {"winners_by_function": {name: list(who) for name, who in first.items()}}


# What is odd about a table: holes, constant judges, copies, values that look like mistakes.


def constant_judges(results: Results) -> list[int]:
    """Return the judges that give everybody they scored, two or more, the same score."""
    low, high = on_tables.lowest_and_highest(results)
    several = results.n - results.holes.sum(axis=0) > 1
    return np.flatnonzero((high == low) & several).tolist()


def near_clones(results: Results) -> list[tuple[int, int, float]] | None:
    """Return pairs that are equal on nearly all telling judges; None for too many cells."""
    n, m = results.n, results.m
    if n * n * m > AFFORDABLE:
        return None
    telling = np.setdiff1d(np.arange(m), constant_judges(results))
    if len(telling) < 3:
        return []
    scores = results.scores[:, telling]
    found = []
    for i in range(n - 1):
        with np.errstate(invalid="ignore", over="ignore"):  # what is infinitely far is not close
            apart = np.abs(scores[i] - scores[i + 1 :])
        same = (scores[i] == scores[i + 1 :]) | (apart <= results.tie_tol)
        both = ~(np.isnan(scores[i]) | np.isnan(scores[i + 1 :]))
        share = same.sum(axis=1) / np.maximum(both.sum(axis=1), 1)
        near = (share >= NEAR) & (share < 1) & (both.sum(axis=1) >= 3)
        found += [(i, int(i + 1 + k), float(share[k])) for k in np.flatnonzero(near)]
    return found


def failed_strata(results: Results) -> list[tuple[int, str, int]]:
    """Return candidates with the worst score on all of a stratum, unlike most others.

    A crash on a whole family looks like this. Of scored runs, the worst score is a failure.
    """
    if results.strata is None:
        return []
    names, place, sizes = np.unique(results.strata, return_inverse=True, return_counts=True)
    by_stratum = np.split(np.argsort(place, kind="stable"), np.cumsum(sizes)[:-1])
    low, high = on_tables.lowest_and_highest(results)
    found = []
    for name, its in zip(names.tolist(), by_stratum, strict=True):
        if np.count_nonzero(high[its] > low[its]) < ENOUGH_JUDGES:
            continue
        floor = results.scores.min() if results.rule else low[its]  # the slowest run has solved
        worst = (results.scores[:, its] == floor).all(axis=1)
        if 2 * np.count_nonzero(worst) < results.n:
            found += [(int(i), name, len(its)) for i in np.flatnonzero(worst)]
    return sorted(found, key=lambda one: -one[2])


def suspect_scores(results: Results) -> list[tuple[int, int, float, str]]:
    """Return scores that look like mistakes, and why; none of scored runs: times lie far apart."""
    scores = results.original
    fractions = np.count_nonzero((scores >= 0) & (scores <= 1)) >= MOSTLY * scores.size
    tests = [each for each in ODDITIES if fractions or not each.of_fractions]
    found: list[tuple[int, int, Oddity]] = []
    for j, column in enumerate(() if results.rule else scores.T):
        known = np.sort(column[np.isfinite(column)])
        for each in tests if len(known) > 3 else ():
            with np.errstate(over="ignore"):  # nothing is farther than infinitely far
                odd = each.is_odd(column, known)
            if odd is not None and odd.any():
                found += [(int(i), j, each) for i in np.flatnonzero(odd)]
                break
        if len(found) > MOST_SUSPECTS:
            break
    rare = [i for i, _, each in found if each.rare]
    # Who is far off again and again is simply bad, and times and costs often lie far apart.
    usual = len(rare) > max(FEW, scores.size // RARE) or len({*rare}) < len(rare)
    kept = ((i, j, each) for i, j, each in found if not (usual and each.rare))
    return [(i, j, float(scores[i, j]), each.why) for i, j, each in kept]


def _are_percentages(column: Floats, known: Floats) -> Booleans | None:
    if not (known[0] >= 0 and 1 < known[-1] <= 100):
        return None
    fractions = known[known <= 1]
    mixed = len(fractions) >= MOSTLY * len(known) and np.unique(fractions).size > 2
    return column > 1 if mixed else None


def _are_sentinels(column: Floats, known: Floats) -> Booleans | None:
    for value in SENTINELS.intersection((known[0], known[-1])):
        rest = known[known != value]
        if len(rest) > 2 and np.abs(rest - value).min() > 3 * np.ptp(rest) > 0:
            return np.asarray(column == value)
    return None


def _are_outliers(column: Floats, known: Floats) -> Booleans | None:
    places = (len(known) - 1) * QUARTILES
    low, middle, high = np.interp(places, np.arange(len(known)), known).tolist()
    far = FAR * (high - low)
    if not far or max(middle - known[0], known[-1] - middle) <= far:
        return None
    return np.asarray(np.abs(column - middle) > far)


class Oddity(NamedTuple):
    why: str
    is_odd: Callable[[Floats, Floats], Booleans | None]  # of all scores, and finite ones in order
    of_fractions: bool = False  # whether it is one only in a table of fractions
    rare: bool = False  # whether it is one only if it is rare


ODDITIES = (
    Oddity("above 1 among fractions, perhaps a percentage", _are_percentages, of_fractions=True),
    Oddity("a number often written for «missing», far from the others", _are_sentinels),
    Oddity(
        f"farther from the median than {FAR:.0f} times the spread of the middle half",
        _are_outliers,
        rare=True,
    ),
)


def components(results: Results) -> int:
    """Return into how many groups the candidates with scores fall that no common judge joins."""
    from scipy.sparse import block_array, csr_array
    from scipy.sparse.csgraph import connected_components

    seen = csr_array(~results.holes)
    _, group = connected_components(block_array([[None, seen], [seen.T, None]]), directed=False)
    return len(np.unique(group[: results.n][~results.holes.all(axis=1)]))


def _same_rows(rows: Floats, names: Sequence[str], dull: set[int]) -> list[list[str]]:
    """Return the names of rows that are the same to the last digit, but for dull ones."""
    groups: dict[bytes, list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault((np.ascontiguousarray(row) + 0.0).tobytes(), []).append(i)
    alike = (group for group in groups.values() if len(group) > 1 and group[0] not in dull)
    return [[names[i] for i in group] for group in alike]
