"""Fawcett, Vallati, Hoos, Gerevini (2023): SAT Competition 2016, three of its tracks."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.core.errors import DataError
from deadheat.data.examples import load
from deadheat.data.reading.read import read
from deadheat.data.results import Results
from deadheat.influence.api import influence
from deadheat.reproduce.paper import DataSet, Finding, Number, Paper, Request
from deadheat.verdict.api import verdict
from deadheat.verdict.result import Verdict

PAPER = Paper(
    name="fawcett2023",
    citation="Fawcett, Vallati, Hoos, Gerevini (2023), Competitions in AI - Robustly Ranking "
    "Solvers Using Statistical Resampling",
)
SAT2016 = DataSet(
    name="sat2016",
    origin="satcompetition/2016 on GitHub, commit 75becb1: main.csv, and the official ranking of "
    "results.html",
    files={
        "main.csv.gz": "4e6b1cc464f46a9cc6c1b39c0da194cf1b0370de549e7bac3345127c13c06ff4",
        "official_ranking.csv": "36c429b5ab987fdefd729a9bb482012020e3a6a10cd1107a5ae3feda235ea9db",
    },
)
EXAMPLE = "sat-race"
WHERE: dict[str, list[str]] = {
    "main": [],
    "main-app": ["subtrack=application"],
    "main-craft": ["subtrack=crafted"],
}
KINDS = {
    "any": "all",
    "top10_set": "top 10, composition",
    "top10_order": "top 10, order",
    "top3_set": "top 3, composition",
    "top3_order": "top 3, order",
}
TABLE_1 = {
    "main": "164 0 105 0 36",
    "main-app": "93 56 20 3 8",
    "main-craft": "71 6 26 7 4",
}
AMONG = ("all", "top 10", "top 3")
COUNTS = {"groups": "groups", "ties": "ties", "inversions": "inversions", "mean_iqr": "mean IQR"}
TABLE_2 = {
    "main": "4 181 0 4.224 1 45 0 4.75 1 3 0 3.50",
    "main-app": "3 351 0 7.569 1 45 0 7.80 1 3 0 4.00",
    "main-craft": "3 135 1 3.241 1 45 0 3.20 1 3 0 1.50",
}
TABLE_3 = {
    "MapleCOMSPS_DRUP / seq_LRB_VSIDS_drup": "38.16",
    "Riss6 / noPP_DRAT": "29.66",
    "Lingeling bbc main / default": "21.15",
}
OTHERS = "23.01"
SIZES, FRACTIONAL = "17 10 1 1", "9 22.5 28 29"
SEEDS = 10  # over which what the authors drew may vary
DRAWN = "The authors' resamples are not known; other seeds give other values."


@cache
def _table(path: Path, track: str) -> Results:
    return read(
        path,
        candidate="candidate",
        judge="instance",
        score="solved",
        better="higher",
        where=WHERE[track],
    )


def _tracks(request: Request) -> dict[str, Results]:
    path = request.path(SAT2016.name, "main.csv.gz") if request.has(SAT2016) else None
    if path is None:
        return {EXAMPLE: read(load(EXAMPLE))}
    return {track: _table(path, track) for track in WHERE}


def _official(request: Request, track: str) -> dict[str, tuple[int, int]]:
    """Return total and number of each solver of a track; nobody where an example is taken."""
    path = request.path(SAT2016.name, "official_ranking.csv") if request.has(SAT2016) else None
    if path is None:
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["track"] == track]
    if not rows:
        fact = f"{path} has no row of the track {track}."
        raise DataError(fact, hint="it needs the columns track, solver_as_printed, total_solved.")
    printed = [(row["solver_as_printed"].rsplit(",", 2), row["total_solved"]) for row in rows]
    return {f"{solver} / {v}": (int(total), int(number)) for (solver, v, number), total in printed}


def _verdict(request: Request, track: str, table: Results, seed: int = 0) -> Verdict:
    """Return the verdict of the paper: p = count/k, and the later number first in a tie."""
    known = _official(request, track)
    order = sorted(known, key=lambda who: (-known[who][0], -known[who][1]))
    how: dict[str, Any] = {"replicates": request.replicates, "engine": request.engine}
    return verdict(
        table,
        by="mean",
        compat="fawcett-paper",
        official=order or None,
        seed=request.seed + seed,
        **how,
    )


@PAPER.item(
    "table1",
    "Table 1: instances without which the ranking changes",
    data=SAT2016,
    example=EXAMPLE,
)
def table1(request: Request) -> Iterator[Finding]:
    for track, table in _tracks(request).items():
        known = _official(request, track)
        later_first = sorted(known, key=lambda who: -known[who][1]) or None
        facts = influence(table, by="mean", official=later_first, engine=request.engine).facts()
        printed = TABLE_1.get(track, "").split() or [""] * len(KINDS)
        for (kind, said), number in zip(KINDS.items(), printed, strict=True):
            yield Number(what=f"{track}: {said}", ours=facts[kind], printed=number)


@PAPER.item("table2", "Table 2: groups, ties, inversions", data=SAT2016, example=EXAMPLE)
def table2(request: Request) -> Iterator[Finding]:
    for track, table in _tracks(request).items():
        seeds = range(SEEDS if track in TABLE_2 else 1)
        verdicts = (_verdict(request, track, table, seed) for seed in seeds)
        tables = [{row["among"]: row for row in v.table("summary").rows()} for v in verdicts]
        printed = iter(TABLE_2.get(track, "").split() or [""] * len(AMONG) * len(COUNTS))
        for among in AMONG:
            for key, said in COUNTS.items():
                values = np.array([found[among][key] for found in tables if among in found])
                number = next(printed)
                if not len(values):
                    continue
                drawn = float(values.std(ddof=1)) if len(values) > 1 else 0.0
                yield Number(
                    what=f"{track}, {among}: {said}",
                    ours=float(values[0]),
                    printed=number,
                    error=drawn,
                    why=DRAWN if drawn else "",
                )


@PAPER.item("table3", "Table 3: how often a solver is first", data=SAT2016, example=EXAMPLE)
def table3(request: Request) -> Iterator[Finding]:
    track, table = next(iter(_tracks(request).items()))
    v = _verdict(request, track, table)
    shares = {who: 100 * share for who, share in zip(v.candidates, v.spread.first, strict=True)}
    first = [who for who in TABLE_3 if who in shares] or sorted(shares, key=lambda w: -shares[w])
    shown = first[: len(TABLE_3)]
    size = len(v.merits)
    for who in shown:
        yield _share(f"{track}: {who}, % first", shares[who], TABLE_3.get(who, ""), size)
    rest = sum(share for who, share in shares.items() if who not in shown)
    printed = OTHERS if track in TABLE_1 else ""
    yield _share(f"{track}: all others together, % first", rest, printed, size)
    ever = int(np.count_nonzero(v.spread.first))
    number = "16" if track in TABLE_1 else ""
    yield Number(what=f"{track}: solvers ever first", ours=ever, printed=number, why=DRAWN)


def _share(what: str, percent: float, printed: str, size: int) -> Number:
    p = min(percent / 100, 1.0)
    # Two independent runs of the same size: theirs and ours.
    return Number(
        what=what, ours=percent, printed=printed, error=100 * (2 * p * (1 - p) / size) ** 0.5
    )


@PAPER.item("table4", "Table 4: the robust ranking", data=SAT2016, example=EXAMPLE)
def table4(request: Request) -> Iterator[Finding]:
    track, table = next(iter(_tracks(request).items()))
    v = _verdict(request, track, table)
    rows = v.table("groups").rows()
    original = track in TABLE_1
    sizes, places = SIZES.split(), FRACTIONAL.split()
    for k, row in enumerate(rows):
        there = original and k < len(sizes)
        number, group = (sizes[k], places[k]) if there else ("", "")
        why = "Print lists 18 + 9, against its own 17-way tie and 181 ties (erratum F10)."
        yield Number(
            what=f"{track}: solvers in group {k + 1}", ours=row["size"], printed=number, why=why
        )
        rank = float(row["fractional_rank"])
        yield Number(what=f"{track}: fractional rank {k + 1}", ours=rank, printed=group)
    yield v.plot("groups")


@PAPER.item("figure1", "Figure 1: intervals of the top 10", data=SAT2016, example=EXAMPLE)
def figure1(request: Request) -> Iterator[Finding]:
    track, table = next(iter(_tracks(request).items()))
    v = _verdict(request, track, table)
    for row in v.table("intervals").rows():
        heading = next(key for key in row if key not in ("candidate", "low", "high", "median"))
        for key, said in ((heading, "score"), ("low", "lower end"), ("high", "upper end")):
            yield Number(what=f"{track}: {row['candidate']}, {said}", ours=float(row[key]))
    yield v.plot("intervals")
