"""One result at least of every schema that deadheat writes, small and made once."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

import deadheat as dh
from deadheat.cli.catalogue import CATALOGUES, catalogue_of
from deadheat.cli.demo import Demonstration
from deadheat.influence.api import removals
from deadheat.output.result import Result

NAMES = ("ada", "bob", "cyd", "dan")
LEVELS = np.array([1.0, 0.6, 0.0, -1.0])
FEW = {"replicates": 99}
RUNS = {
    "solver": ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"],
    "instance": ["p1", "p2", "p3", "p4"] * 3,
    "status": ["ok", "timeout", "ok", "ok"] * 2 + ["ok", "ok", "timeout", "timeout"],
    "time": [10.0, 100.0, 30.0, 5.0, 20.0, 100.0, 3.0, 7.0, 1.0, 60.0, 100.0, 100.0],
}


def scores(**more: object) -> dh.Results:
    """Scores around the levels of four candidates."""
    noise = np.random.default_rng(0).normal(size=(4, 24))
    table = {"candidates": NAMES, "better": "higher"} | more
    return dh.Results(scores=LEVELS[:, None] + noise, **table)


def holes() -> dh.Results:
    """A table with a hole, equal judges and a constant one."""
    rows = [[1.0, 1, 5, 2], [2, 2, 5, np.nan], [2, 2, 5, 1]]
    return dh.Results(scores=rows, candidates=["a", "b", "c"], better="higher")


def battles(**more: object) -> dh.Battles:
    """A log in which the levels are log-odds; every tenth battle is a tie."""
    rng = np.random.default_rng(1)
    pairs = np.array([rng.choice(4, 2, replace=False) for _ in range(200)])
    won = rng.random(200) < 1 / (1 + np.exp(LEVELS[pairs[:, 1]] - LEVELS[pairs[:, 0]]))
    winner = np.where(rng.random(200) < 0.1, "tie", np.where(won, "left", "right"))
    names = np.array(NAMES)
    sides = {"left": names[pairs[:, 0]].tolist(), "right": names[pairs[:, 1]].tolist()}
    return dh.Battles(**sides, winner=winner.tolist(), **more)


def separated() -> dh.Battles:
    """A log in which somebody never lost."""
    return dh.Battles(
        left=["a", "a", "b", "c"],
        right=["b", "c", "c", "b"],
        winner=["left", "left", "left", "left"],
    )


def own_errors() -> dh.Results:
    """One score for each of four candidates, with its standard error, which one lacks."""
    errors = [[0.02], [0.03], [0.02], [np.nan]]
    return dh.Results(
        scores=[[0.91], [0.9], [0.8], [0.7]],
        standard_errors=errors,
        candidates=NAMES,
        judges=["accuracy"],
        better="higher",
    )


def tournaments() -> pl.DataFrame:
    """Scores of three algorithms on two data sets in five rounds each."""
    rng = np.random.default_rng(2)
    rows = [(a, d, str(r)) for a in NAMES for d in ("d1", "d2") for r in range(6)]
    noise = rng.normal(size=len(rows))
    level = dict(zip(NAMES, LEVELS, strict=True))
    columns = {
        "model": [a for a, _, _ in rows],
        "data": [d for _, d, _ in rows],
        "round": [r for _, _, r in rows],
        "score": [float(level[a] + x) for (a, _, _), x in zip(rows, noise, strict=True)],
    }
    return pl.DataFrame(columns)


@cache
def samples() -> dict[str, Result]:
    """Return results by a name that says what they are."""
    table, log = scores(), battles()
    compressors = dh.examples.load("compressors")
    judged = dh.verdict(compressors, **FEW)
    strictly = dh.verdict(
        table, strict=True, by="mean", official=["bob", "ada", "cyd", "dan"], **FEW
    )
    agreed = dh.agreement(table.of_judges(np.arange(24) < 8), by=["mean", "copeland"])
    measured = dh.criteria(table, trials=20, repeats=2, q=5)
    rated, logged = dh.rate(table, **FEW), dh.rate(log, **FEW)
    parts = dh.rate(
        tournaments(), tournament="data", round="round", candidate="model", score="score",
        better="higher", **FEW,
    )  # fmt: skip
    frame = tournaments()
    names = dict(
        zip(dict.fromkeys(frame["model"]), ("svm", "tree", "svm+tree", "knn"), strict=False)
    )
    costly = dh.rate(
        frame.with_columns(pl.col("model").replace(names), pl.lit(1.5).alias("cost")),
        tournament="data", round="round", candidate="model", score="score", better="higher",
        cost="cost", teams="+", **FEW,
    )  # fmt: skip
    by_category = dh.rate(battles(category=["easy", "hard"] * 100), **FEW)
    strict_rates = dh.rate(table, strict=True, **FEW)
    tuned = table.changed(candidates=("svm #1", "svm #2", "tree #1", "tree #2"))
    found: dict[str, Result] = {
        "rank": dh.rank(compressors, by=["average_rank", "copeland"]),
        "rank of own errors": dh.rank(own_errors()),
        "check": dh.check(compressors),
        "check of holes": dh.check(holes()),
        "score": dh.score(pl.DataFrame(RUNS), rule="par2", cutoff=100),
        "score of seeds": dh.score(
            pl.DataFrame(
                RUNS
                | {
                    "seed": ["1", "2"] * 6,
                    "family": ["x", "x", "y", "y"] * 3,
                    "instance": ["p1", "p1", "p2", "p2"] * 3,
                }
            ),
            rule="par2",
            cutoff=100,
            stratum="family",
            repeat="seed",
        ),
        "verdict": judged,
        "strict verdict": strictly,
        "verdict of battles' ranks": dh.verdict(table, by="copeland", plan="jackknife"),
        "demo": Demonstration(made=judged.made, title="compressors", shown=judged),
        "compare": dh.compare(table, "ada", "bob", by="mean", **FEW),
        "compare by copeland": dh.compare(compressors, "bzip2-9", "lzma-9e", by="copeland", **FEW),
        "influence": dh.influence(compressors),
        "influence of the mean": dh.influence(table, by="mean"),
        "influence of tables": dh.influence([table, compressors]),
        "verdict of tables": dh.verdict([table, compressors], **FEW),
        "removals": removals(table, by="copeland"),
        "consensus": dh.consensus(compressors),
        "axioms": dh.axioms("mean", only="majority", budget=50),
        "axioms of a table": dh.axioms("mean", table=compressors, only=["majority", "condorcet"]),
        "criteria": measured,
        "criteria of two": dh.criteria([table, compressors], trials=20, repeats=2, q=5),
        "criteria of a benchmark": dh.criteria(
            [table, table.changed(scores=table.scores**2, source="b")],
            trials=20,
            repeats=2,
            q=5,
            benchmarks={"both": [table.source, "b"]},
        ),
        "criteria convergence": dh.convergence(table, trials=10),
        "criteria meta-ranking": measured.meta_ranking(),
        "agree": agreed,
        "agree of tables": dh.agreement([table, compressors]),
        "rate": rated,
        "rate of a log": logged,
        "rate without losses": dh.rate(separated(), **FEW),
        "rate by elo": dh.rate(battles(ordered=True), model="elo", **FEW),
        "rate of parts": parts,
        "rate of categories": by_category,
        "rate by beliefs": dh.rate(battles(ordered=True), model="gaussian", **FEW),
        "rate of sides": dh.rate(log, advantage=True, **FEW),
        "rate of rankings": dh.rate(table, model="plackett-luce", **FEW),
        "rate strictly": strict_rates.table("pairs"),
        "rate tuned": dh.rate(tuned, **FEW).table("tunability"),
    }
    recomputed = dh.reproduce("pavao2021", "supplement-table4")
    found |= {"reproduce": recomputed, "reproduce table": recomputed.table("supplement-table4")}
    found |= {f"verdict {name}": strictly.table(name) for name in
              ("groups", "summary", "inversions", "first", "intervals", "ranks", "tests",
               "pairs")}  # fmt: skip
    found |= {f"agree {name}": agreed.table(name) for name in
              ("judges", "matrix", "clusters", "functions")}  # fmt: skip
    found |= {f"criteria {name}": measured.view(name) for name in ("correlations", "tables")}
    found |= {
        f"rate {name}": rated.table(name) for name in ("matrix", "pairs", "groups", "calibration")
    }
    found |= {f"parts {name}": costly.table(name) for name in ("tuning", "ensembles")}
    tables = (
        "means",
        "tournaments",
        "navigation",
        "embedding",
        "matrix",
        "pairs",
        "groups",
        "calibration",
        "tunability",
    )
    for name in tables:
        found[f"parts {name}"] = parts.table(name)
        if name not in ("navigation", "embedding", "tunability"):
            found[f"categories {name}"] = by_category.table(name)
    found |= {f"list {name}": catalogue_of(name) for name in CATALOGUES}
    return found


@cache
def of_the_page() -> dict[str, Result]:
    """Return a report and its tables by schema, of scores with a hole and a very long name."""
    table = scores().scores.copy()
    table[0, 0] = np.nan
    names = ("a" * 900, *NAMES[1:])
    holed = dh.Results(scores=table, candidates=names, better="higher", missing="worst")
    found = dh.report(holed, by="mean", **FEW)
    tables = [told.result for section in found.sections for told in section.tables]
    pages = {f"page {each.schema}": each for each in (found, *tables)}
    return pages | {"page of a log": dh.report(battles(), **FEW)}


def families(n: int = 9, m: int = 60) -> dh.Results:
    """Return a close race in strata of 1 to 24, won by another one by places than by times."""
    rng = np.random.default_rng(3)
    times = rng.lognormal(np.linspace(0, 0.8, n)[:, None], 0.9, (n, m)).round(3)
    times[0, ::9] += 12  # often the fastest, and sometimes very slow
    strata = ["alone", *["small"] * 5, *["middle"] * 30, *["large"] * 24]
    names = [f"solver {i}" for i in range(n)]
    return dh.Results(scores=times, candidates=names, strata=strata, better="lower")
