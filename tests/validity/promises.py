"""The promises, and how each is measured: a study draws a world, asks the package, and counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import deadheat as dh
from deadheat.statistics import error_rates
from validity import worlds

Cell = dict[str, Any]
Measured = dict[str, float]
REPLICATES = 999
DISTRIBUTIONS = ("normal", "t3", "lognormal", "skew", "0/1", "unequal", "ordinal")
OTHER_INTERVALS = ("basic", "bca", "expanded-percentile", "bootstrap-t")
FEW = [10, 15]
USUAL = [20, 50, 200]
TOLD_APART = "some pair told apart"
LEFT_OUT = "a given best left out of the set of the best"
ABOUT = 0.03  # how far a quoted figure may be off
SYMMETRIC = ("normal", "t3", "0/1", "unequal", "ordinal")


@dataclass(frozen=True, kw_only=True)
class Study:
    """A world with its parameters (cells), and what is counted in it: shares between 0 and 1."""

    name: str
    says: str
    measure: Callable[[Cell, np.random.Generator, int], Measured]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What is claimed of a measure, in every cell that ``where`` lets through."""

    study: str
    measure: str
    says: str
    at_most: float = math.inf
    at_least: float = -math.inf
    where: Callable[[Cell], bool] = field(default=lambda cell: True)

    def missed_by(self, share: float) -> float:
        """Return how far a measured share lies beyond what was promised; at most 0 if it holds."""
        return max(share - self.at_most, self.at_least - share)


def cells(**choices: Any) -> Iterator[Cell]:
    """Yield every combination of the choices."""
    for chosen in itertools.product(*choices.values()):
        yield dict(zip(choices, chosen, strict=True))


def _drawn(cell: Cell, rng: np.random.Generator, **gaps: Any) -> dh.Results:
    design = cell.get("design", "")
    return worlds.table(
        cell["kind"], rng, cell["n"], worlds.judges(design, cell.get("m", 0)), design=design, **gaps
    )


def _asked(seed: int, **more: Any) -> dict[str, Any]:
    return {"replicates": REPLICATES, "seed": seed, "engine": "serial", **more}


def _inside(low: float | None, truth: float, high: float | None) -> bool:
    below, above = (end is None for end in (low, high))
    return (below or low <= truth + 1e-12) and (above or truth - 1e-12 <= high)


def equal_candidates(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """All candidates are equal, so whatever is told apart is told apart wrongly."""
    table = _drawn(cell, rng)
    asked = _asked(seed, strict=True, test=cell.get("test", "max-t"))
    v = dh.verdict(table, by=cell.get("by", "mean"), **asked)
    rows = v.rows()
    found = {TOLD_APART: float(any(row["rank_low"] > 1 for row in rows))}
    first = next(row for row in rows if row["candidate"] == table.candidates[0])
    if first["may_be_best"] is not None:
        found[LEFT_OUT] = float(not first["may_be_best"])
    if "by" not in cell:
        truth = worlds.KINDS[cell["kind"]][1]
        leader = next(row for row in rows if row["rank"] == min(r["rank"] for r in rows))
        found["the leader's plain interval holds the truth"] = float(
            _inside(leader["low"], truth, leader["high"])
        )
        corrected = v.leader_corrected
        if corrected is not None:
            found["the leader's corrected interval holds the truth"] = float(
                _inside(corrected["low"], truth, corrected["high"])
            )
    return found


def default_groups(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """What the procedure of Fawcett et al. does where all candidates are equal."""
    table = _drawn(cell, rng)
    v = dh.verdict(table, by="mean", **_asked(seed))
    rows = v.rows()
    first = next(row for row in rows if row["candidate"] == table.candidates[0])
    outside = [row for row in rows if row["group"] > 1]
    return {
        "somebody misses the first group": float(bool(outside)),
        "a given best misses the first group": float(first["group"] > 1),
        LEFT_OUT: float(not first["may_be_best"]),
    }


def covered(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Intervals of a merit, of a difference of two, and of all merits at once."""
    table = _drawn(cell, rng)
    interval = cell.get("interval", "percentile")
    asked = _asked(seed, interval=interval, plan=cell.get("plan"))
    v = dh.verdict(table, by=cell.get("by", "mean"), **asked)
    truth = worlds.KINDS[cell["kind"]][1]
    held = [_inside(v.row(name).low, truth, v.row(name).high) for name in v.candidates]
    if interval == "simultaneous":
        return {"all merits are covered": float(all(held))}
    gap = v.compare(*v.candidates[:2]).paired
    return {
        "a merit is covered": float(held[0]),
        "a difference is covered": float(_inside(gap.low, 0.0, gap.high)),
    }


def rank_ranges(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Ranges of ranks over resamples, where neighbours differ by a fiftieth of an error."""
    gaps = 0.02 * np.sqrt(2 / cell["m"]) * np.arange(cell["n"])
    v = dh.verdict(_drawn(cell, rng, gaps=gaps), by="mean", **_asked(seed))
    held = [
        _inside(v.row(name).rank_low, true, v.row(name).rank_high)
        for true, name in enumerate(v.candidates, start=1)
    ]
    return {"a true rank is held": float(np.mean(held)), "all are held": float(all(held))}


def leader_among_unequals(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """The interval of the observed leader where the true means differ by one error each."""
    n, m = cell["n"], cell["m"]
    gaps = np.sqrt(2 / m) * np.arange(n)
    v = dh.verdict(_drawn(cell, rng, gaps=gaps), by="mean", **_asked(seed))
    found = v.leader_corrected
    truth = worlds.KINDS[cell["kind"]][1] - gaps[v.candidates.index(found["candidate"])]
    return {
        "the leader's corrected interval holds the truth": float(
            _inside(found["low"], truth, found["high"])
        )
    }


def power(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Two are best and eight are worse by three errors: how many of them are shown worse."""
    gaps = np.where(np.arange(10) < 2, 0.0, cell["gap"])
    if cell["kind"] == "0/1":
        chance = worlds.logit_gap(rng, cell["m"], gaps)
        table = dh.Results(scores=(rng.random(chance.shape) < chance) * 1.0, better="higher")
    else:
        error = np.sqrt((6 if cell["kind"] == "t3" else 2) / cell["m"])
        table = _drawn(cell, rng, gaps=gaps * error)
    v = dh.verdict(table, by="mean", strict=True, **_asked(seed))
    worse = [v.row(name) for name in v.candidates[2:]]
    return {
        "the worse are shown worse than the leader": float(
            np.mean([row.group > 1 for row in worse])
        ),
        "the worse are left out of the set of the best": float(
            np.mean([not row.may_be_best for row in worse])
        ),
    }


def detectable(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """The first is better by what one such table says could be seen: how often is it seen."""
    flat = dh.verdict(_drawn(cell, rng), by="mean", **_asked(seed))
    gap = flat.detectable
    if gap is None:
        return {}
    lower = np.where(np.arange(cell["n"]) == 0, 0.0, gap)
    v = dh.verdict(_drawn(cell, rng, gaps=lower), by="mean", **_asked(seed))
    second = v.row(v.candidates[1])
    return {"such a lead is seen": float(v.row(v.candidates[0]).group == 1 and second.group > 1)}


def rated_rounds(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Equal candidates, rated by their rounds."""
    table = worlds.table("normal", rng, cell["n"], cell["m"])
    return _rated(table, cell, seed)


def rated_log(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Equal players with ties, and with voters that are clusters."""
    return _rated(worlds.log(rng, cell["n"], cell["matches"], voters=cell["voters"]), cell, seed)


def _rated(source: Any, cell: Cell, seed: int) -> Measured:
    asked = _asked(seed, errors=cell["errors"], simulations=0)
    r = dh.rate(source, strict=True, **asked)
    found = {TOLD_APART: float(any(row["rank_low"] > 1 for row in r.rows()))}
    corrected = r.facts()["leader_corrected"]
    if corrected is not None:
        held = _inside(corrected["low"], 0.0, corrected["high"])
        found["the leader's corrected interval holds the truth"] = float(held)
    return found


def noise_judges(cell: Cell, rng: np.random.Generator, seed: int) -> Measured:
    """Judges who judge at random: whoever is accused of opposing the rest is accused wrongly."""
    table = worlds.table("normal", rng, cell["n"], cell["m"])
    return {"somebody is accused": float(bool(dh.agreement(table).facts()["opposing"]))}


STUDIES = (
    Study(
        name="equal",
        says="All candidates are equal; all pairs are tested (`--strict`, ranked by the mean).",
        measure=equal_candidates,
        cells=(
            *cells(kind=DISTRIBUTIONS, n=[5, 10, 30], m=USUAL),
            *cells(kind=["normal", "0/1", "lognormal"], n=[2], m=USUAL),
            *cells(kind=DISTRIBUTIONS, n=[5, 10, 30], m=FEW),
            *cells(
                kind=["normal", "skew"],
                n=[5, 10, 30],
                design=["strata 12 x 2", "strata 4 x 5", "strata 10 x 5", "clusters 20 x 3"],
            ),
            *cells(kind=["normal", "skew"], n=[5, 10, 30], m=[20, 50], design=["weights"]),
        ),
    ),
    Study(
        name="median",
        says="The same, ranked by the median.",
        measure=equal_candidates,
        cells=tuple(cells(kind=["normal", "t3", "lognormal"], n=[5, 10], m=USUAL, by=["median"])),
    ),
    Study(
        name="copeland",
        says="The same, ranked by Copeland, where no level is claimed.",
        measure=equal_candidates,
        cells=tuple(cells(kind=["normal"], n=[10], m=[*USUAL, 500, 1_000], by=["copeland"])),
    ),
    Study(
        name="groups",
        says="All candidates are equal; groups by the procedure of Fawcett et al., the default.",
        measure=default_groups,
        cells=(
            *cells(kind=["normal", "0/1", "lognormal"], n=[2, 10, 30], m=USUAL),
            *cells(kind=["t3", "skew", "unequal", "ordinal", "one lognormal"], n=[10], m=USUAL),
            *cells(
                kind=["normal"], n=[10], design=["strata 12 x 2", "strata 8 x 3", "strata 6 x 5"]
            ),
        ),
    ),
    Study(
        name="strata",
        says="95 % intervals by default where judges have strata.",
        measure=covered,
        cells=tuple(
            cells(
                kind=["normal", "t3", "skew"],
                n=[4],
                design=["strata 12 x 2", "strata 8 x 3", "strata 6 x 5", "strata 3 x 20"],
            )
        ),
    ),
    Study(
        name="percentile",
        says="95 % percentile intervals, as in the paper; a warning names the better kind.",
        measure=covered,
        cells=tuple(
            cells(kind=["normal", "lognormal", "0/1, p = .95"], n=[4], m=[10, 20, 50, 200])
        ),
    ),
    Study(
        name="kinds of intervals",
        says="Other 95 % intervals of one merit, on 20 judges.",
        measure=covered,
        cells=(
            *cells(kind=["normal", "lognormal"], n=[2], m=[20], interval=OTHER_INTERVALS),
            *cells(kind=["normal"], n=[2], m=[50], by=["median"], plan=["jackknife"]),
        ),
    ),
    Study(
        name="long tails",
        says="Equal candidates with long tails on opposite sides, or one with a long tail.",
        measure=equal_candidates,
        cells=(
            *cells(kind=["opposite lognormal"], n=[10, 30], m=[10, 15]),
            *cells(kind=["skew"], n=[10], m=[500], test=["wilcoxon-holm"]),
        ),
    ),
    Study(
        name="bands",
        says="95 % bands for all merits at once (`--interval simultaneous`).",
        measure=covered,
        cells=tuple(
            cells(
                kind=["normal", "lognormal", "0/1, p = .95"],
                n=[5],
                m=[10, 20, 50],
                interval=["simultaneous"],
            )
        ),
    ),
    Study(
        name="leader",
        says="The observed leader among unequal candidates.",
        measure=leader_among_unequals,
        cells=tuple(cells(kind=["normal", "lognormal"], n=[2, 10, 30], m=USUAL)),
    ),
    Study(
        name="rank ranges",
        says="Resampling ranges of ranks, where neighbours differ by a fiftieth of an error.",
        measure=rank_ranges,
        cells=tuple(cells(kind=["normal"], n=[10], m=[30, 200])),
    ),
    Study(
        name="power",
        says="Two best of ten; the others are worse by three errors (0/1: 1.7 on the log-odds).",
        measure=power,
        cells=(
            *cells(kind=["normal", "t3"], n=[10], m=[20, 50, 200], gap=[3.0]),
            *cells(kind=["0/1"], n=[10], m=[30, 50], gap=[1.7]),
        ),
    ),
    Study(
        name="detectable",
        says="The lead that, so the verdict says, would have been seen in four cases of five.",
        measure=detectable,
        cells=tuple(cells(kind=["normal"], n=[2, 5, 10], m=[50, 200])),
    ),
    Study(
        name="rounds",
        says="Equal candidates rated by rounds (`rate --strict`).",
        measure=rated_rounds,
        cells=(
            *cells(n=[5, 10, 20, 30], m=[10, 20, 50], errors=["sandwich"]),
            *cells(n=[5, 10], m=[10, 20], errors=["bootstrap"]),  # the same tests, other errors
        ),
    ),
    Study(
        name="logs",
        says="Equal players of a battle log, 30 % ties (`rate --strict`).",
        measure=rated_log,
        cells=(
            *cells(n=[10], matches=[300, 2000], voters=[0], errors=["sandwich"]),
            *cells(n=[10], matches=[300, 1000], voters=[50], errors=["sandwich"]),
        ),
    ),
    Study(
        name="agree",
        says="Judges who judge at random (`agree`).",
        measure=noise_judges,
        cells=tuple(cells(n=[5, 10], m=[5, 20, 50])),
    ),
)


def quoted(study: str, measure: str, name: str, low: float, high: float, **where: Any) -> Promise:
    """Return the promise that a figure of ``deadheat.statistics.error_rates`` is about right."""
    return Promise(
        study=study,
        measure=measure,
        says=f"`{name}`, as sentences quote it",
        at_least=low - ABOUT,
        at_most=high + ABOUT,
        where=lambda cell: (
            cell.get("kind") != "unequal"  # the quoted figures are of equal spreads
            and all(cell.get(key) == value for key, value in where.items())
        ),
    )


QUOTED = (
    *(
        quoted("groups", "somebody misses the first group", name, low / 100, high / 100, n=n, m=m)
        for name, (low, high), n, m in (
            ("EXCLUDED_OF_10_ON_20", error_rates.EXCLUDED_OF_10_ON_20, 10, 20),
            ("EXCLUDED_OF_10_FROM_50_ON", error_rates.EXCLUDED_OF_10_FROM_50_ON, 10, 50),
            ("EXCLUDED_OF_10_FROM_50_ON", error_rates.EXCLUDED_OF_10_FROM_50_ON, 10, 200),
        )
    ),
    *(
        quoted("kinds of intervals", "a merit is covered", f"COVERS_ON_20[{kind!r}]",
               low / 100, high / 100, interval=kind)
        for kind, (low, high) in error_rates.COVERS_ON_20.items()
        if kind in OTHER_INTERVALS
    ),
    quoted("percentile", "a merit is covered", "COVERS_ON_20['percentile']",
           error_rates.COVERS_ON_20["percentile"][1] / 100, 0.95, kind="normal", m=20),
    quoted("percentile", "a merit is covered", "COVERS_SHARES_ON_20",
           *[error_rates.COVERS_SHARES_ON_20 / 100] * 2, kind="0/1, p = .95", m=20),
    quoted("kinds of intervals", "a merit is covered", "JACKKNIFE_OF_MEDIANS_COVERS",
           *[error_rates.JACKKNIFE_OF_MEDIANS_COVERS / 100] * 2, by="median"),
    quoted("long tails", TOLD_APART, "WILCOXON_ERRS_ON_SKEWED",
           *[error_rates.WILCOXON_ERRS_ON_SKEWED / 100] * 2, test="wilcoxon-holm"),
    quoted("long tails", TOLD_APART, "SKEWED_TOLD_APART",
           *[error_rates.SKEWED_TOLD_APART] * 2, kind="opposite lognormal", n=30, m=10),
    *(
        quoted("groups", LEFT_OUT, f"LONG_TAIL_LEFT_OUT[{m}]", share, share,
               kind="one lognormal", m=m)
        for m, share in error_rates.LONG_TAIL_LEFT_OUT.items()
    ),
    *(
        quoted("copeland", TOLD_APART, f"COPELAND_TOLD_APART[{m}]", share, share, m=m)
        for m, share in error_rates.COPELAND_TOLD_APART.items()
    ),
    quoted("rank ranges", "a true rank is held", "RANGE_HOLDS_ONE_RANK",
           *(share / 100 for share in error_rates.RANGE_HOLDS_ONE_RANK)),
    quoted("rank ranges", "all are held", "RANGES_HOLD_ALL_RANKS",
           *(share / 100 for share in error_rates.RANGES_HOLD_ALL_RANKS)),
)  # fmt: skip
PROMISES = (
    *QUOTED,
    Promise(
        study="equal",
        measure=TOLD_APART,
        says="family-wise error of all pairs, from 20 judges on",
        at_most=0.06,
        where=lambda cell: cell.get("m", 20) >= 20,
    ),
    Promise(
        study="equal",
        measure=TOLD_APART,
        says="the same with 10 to 19 judges and symmetric differences",
        at_most=0.06,
        where=lambda cell: cell.get("m", 20) < 20 and cell["kind"] in SYMMETRIC,
    ),
    Promise(
        study="equal",
        measure=LEFT_OUT,
        says="the set of the best of a strict verdict misses a given best",
        at_most=0.07,
        where=lambda cell: cell.get("m", 20) >= 20,
    ),
    Promise(
        study="groups",
        measure=LEFT_OUT,
        says="the set of the best of a default verdict misses a given best",
        at_most=0.07,
        where=lambda cell: "lognormal" not in cell["kind"],  # no method can, on few judges
    ),
    Promise(
        study="equal",
        measure="the leader's corrected interval holds the truth",
        says="the corrected interval of the observed leader, all equal",
        at_least=0.93,
        where=lambda cell: cell.get("m", 20) >= 20 and cell["kind"] != "lognormal",
    ),
    Promise(
        study="leader",
        measure="the leader's corrected interval holds the truth",
        says="the same among unequals",
        at_least=0.93,
        where=lambda cell: cell["kind"] == "normal",
    ),
    Promise(
        study="median",
        measure=TOLD_APART,
        says="family-wise error of all pairs by the median",
        at_most=0.06,
    ),
    Promise(
        study="strata",
        measure="a merit is covered",
        says="95 % intervals of merits in small strata",
        at_least=0.92,
        where=lambda cell: cell["kind"] == "normal",
    ),
    Promise(
        study="strata",
        measure="a difference is covered",
        says="95 % intervals of differences in small strata",
        at_least=0.92,
        where=lambda cell: cell["kind"] == "normal",
    ),
    Promise(
        study="bands",
        measure="all merits are covered",
        says="simultaneous bands, normal scores",
        at_least=0.93,
        where=lambda cell: cell["kind"] == "normal",
    ),
    *(
        Promise(
            study="power",
            measure="the worse are shown worse than the leader",
            says=f"power of the tests of all pairs, {kind} scores on {m} judges",
            at_least=least,
            where=lambda cell, kind=kind, m=m: (cell["kind"], cell["m"]) == (kind, m),
        )
        for kind, m, least in (
            ("normal", 50, 0.48),
            ("normal", 200, 0.55),
            ("t3", 50, 0.5),
            ("0/1", 50, 0.56),
        )
    ),
    Promise(
        study="detectable",
        measure="such a lead is seen",
        says="the lead that would have been seen",
        at_least=0.7,
        at_most=0.95,
    ),
    Promise(
        study="rounds",
        measure=TOLD_APART,
        says="family-wise error of ratings by rounds",
        at_most=0.06,
    ),
    Promise(
        study="rounds",
        measure="the leader's corrected interval holds the truth",
        says="the corrected interval of the highest rating, all equal",
        at_least=0.93,
    ),
    Promise(
        study="logs",
        measure=TOLD_APART,
        says="family-wise error of ratings of battle logs",
        at_most=0.06,
    ),
    Promise(
        study="agree",
        measure="somebody is accused",
        says="no judge of noise is accused of opposing the rest",
        at_most=0.05,
    ),
)
