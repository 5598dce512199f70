"""The instances of the competition: 17 families with 12 or more of graded size each.

The sizes were chosen by a pilot with a few solvers, so that about a third is easy for most, and on
about a third some time out; none was taken out after the race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sat_race.families import circuits, drawn, extremal, parity, proofs, search, sorting
from sat_race.formula import Clauses

COPIES = (0, 1, 2)


@dataclass(frozen=True)
class Instance:
    """A name, a family, and a way to make the clauses; `seeds` are its copies."""

    name: str
    family: str
    clauses: Callable[[], Clauses]
    seeds: tuple[int, ...] = (0,)


def _said(key: str, value: Any) -> str:
    if value is True:
        return key
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def ladder(
    family: str, make: Callable[..., Clauses], *rungs: dict[str, Any], copied: Iterable[int] = ()
) -> list[Instance]:
    """Make one instance for each rung; the rungs at the places in `copied` are run three times."""
    twice = set(copied)
    found = []
    for place, rung in enumerate(rungs):
        options = {"seed": place + 1, **rung}
        words = [_said(k, v) for k, v in rung.items() if v is not False and k != "seed"]
        name = "-".join([make.__name__, *words, f"s{options['seed']}"]).replace("_", "-")
        seeds = COPIES if place in twice else (0,)
        found.append(Instance(name, family, partial(make, **options), seeds))
    return found


def _random() -> list[Instance]:
    three = [{"k": 3, "variables": n, "ratio": 4.26} for n in range(120, 260, 10)]
    five = [{"k": 5, "variables": n, "ratio": 21.1} for n in (32, 36, 38, 40, 42, 44, 46, 48)]
    seven = [{"k": 7, "variables": n, "ratio": 87.8} for n in (24, 26, 28, 30, 32, 34)]
    colour = [
        *({"vertices": n, "degree": 4.69, "colours": 3} for n in (200, 240, 260, 280, 300, 330)),
        *({"vertices": n, "degree": 4.6, "colours": 3, "planted": True} for n in (400, 500)),
        *({"vertices": n, "degree": 8.7, "colours": 4} for n in (90, 120)),
        *({"vertices": n, "degree": 13.0, "colours": 5} for n in (54, 60)),
    ]
    squares = [
        {"order": n, "holes": h}
        for n, h in (
            *((33, 0.42), (36, 0.42), (38, 0.42), (39, 0.42), (40, 0.42), (42, 0.42)),
            *((34, 0.43), (36, 0.43), (37, 0.43), (38, 0.43), (40, 0.43), (34, 0.44)),
        )
    ]
    return [
        *ladder("random-3sat", drawn.ksat, *three, copied=(8, 11)),
        *ladder("random-ksat", drawn.ksat, *five, *seven, copied=(4,)),
        *ladder("colouring", drawn.colouring, *colour, copied=(2, 10)),
        *ladder("quasigroup", drawn.quasigroup, *squares, copied=(6,)),
    ]


def _parity() -> list[Instance]:
    systems = [
        {"variables": n, "equations": n, "satisfiable": good}
        for n, good in ((260, False), (300, False), (340, False), (320, True), (360, True))
    ]
    learning = [
        {"bits": n, "samples": 2 * n, "wrong": w}
        for n, w in ((18, 2), (20, 2), (22, 2), (23, 2), (18, 3), (19, 3), (20, 3))
    ]
    grids = [
        {"rows": r, "columns": c}
        for r, c in ((10, 4), (14, 4), (18, 4), (24, 4), (6, 5), (7, 5), (9, 5))
    ]
    regular = [
        {"vertices": v, "degree": d}
        for v, d in ((40, 3), (46, 3), (50, 3), (56, 3), (18, 4), (20, 4), (12, 5))
    ]
    return [
        *ladder("parity", parity.xor_system, *systems),
        *ladder("parity", parity.parity_learning, *learning, copied=(3,)),
        *ladder("tseitin", parity.tseitin_grid, *grids, copied=(2,)),
        *ladder("tseitin", parity.tseitin_regular, *regular, copied=(2,)),
    ]


def _proofs() -> list[Instance]:
    plain = [{"pigeons": n + 1, "holes": n} for n in (7, 8, 9, 10)]
    functional = [{"pigeons": n + 1, "holes": n, "functional": True} for n in (8, 9)]
    roomy = [{"pigeons": 2 * n + 1, "holes": n, "room": 2} for n in (4, 5, 6, 7)]
    gaps = [{"pigeons": n, "holes": n, "missing": 0.6} for n in (14, 18)]
    cliques = [
        {"vertices": v, "clique": k, "colours": c}
        for v, k, c in (
            *((6, 4, 3), (7, 4, 3), (8, 4, 3), (9, 4, 3), (10, 4, 3), (12, 4, 3)),
            *((6, 5, 4), (7, 5, 4), (8, 5, 4), (30, 10, 10), (40, 12, 12), (16, 7, 7)),
        )
    ]
    orders = [{"size": n} for n in (10, 12, 14, 16, 18, 22)]
    exempt = [{"size": n, "exempt": True} for n in (30, 40)]
    pyramids = [{"height": h, "width": w} for h, w in ((30, 2), (50, 2), (12, 3), (16, 3))]
    return [
        *ladder("pigeonhole", proofs.pigeonhole, *plain, *functional, *roomy, *gaps, copied=(2,)),
        *ladder("clique-colouring", proofs.clique_colouring, *cliques, copied=(4,)),
        *ladder("ordering", proofs.ordering, *orders, *exempt, copied=(2,)),
        *ladder("ordering", proofs.pebbling, *pyramids),
    ]


def _extremal() -> list[Instance]:
    numbers = [
        {"n": n, "lengths": lengths}
        for n, lengths in (
            *((58, (3, 8)), (55, (4, 5)), (76, (3, 9)), (77, (3, 9)), (96, (3, 10))),
            *((97, (3, 10)), (108, (3, 11)), (71, (4, 6)), (50, (3, 3, 4))),
        )
    ]
    edges = [
        {"n": n, "cliques": cliques} for n, cliques in ((9, (3, 4)), (17, (4, 4)), (16, (3, 3, 3)))
    ]
    sums = [{"n": n, "colours": 4} for n in (43, 44)]
    return [
        *ladder("extremal", extremal.van_der_waerden, *numbers, copied=(3,)),
        *ladder("extremal", extremal.ramsey, *edges),
        *ladder("extremal", extremal.schur, *sums, copied=(1,)),
    ]


def _circuits() -> list[Instance]:
    products = [{"bits": n} for n in (13, 14, 15, 16, 17, 18)]
    primes = [{"bits": n, "prime": True} for n in (10, 11, 12, 13, 14, 15)]
    multipliers = [
        {"bits": n, "wrong": wrong}
        for n, wrong in ((5, False), (6, False), (7, False), (16, True), (24, True))
    ]
    adders = [
        {"bits": n, "terms": t, "wrong": wrong}
        for n, t, wrong in (
            *((12, 3, False), (20, 3, False), (8, 4, False), (9, 4, False), (10, 4, False)),
            *((12, 4, False), (32, 5, True)),
        )
    ]
    hashes = [
        {"width": 16, "rounds": r, "unknown": u, "satisfiable": good}
        for r, u, good in (
            *((16, 12, True), (20, 13, True), (20, 14, True), (20, 15, True), (20, 16, True)),
            *((24, 16, True), (20, 18, True), (16, 12, False), (20, 11, False)),
            *((20, 12, False), (20, 13, False), (24, 14, False)),
        )
    ]
    return [
        *ladder("factoring", circuits.factoring, *products, *primes, copied=(3, 9)),
        *ladder("equivalence", circuits.multiplier_miter, *multipliers, copied=(1,)),
        *ladder("equivalence", circuits.adder_miter, *adders, copied=(2,)),
        *ladder("hash", circuits.hash_inversion, *hashes, copied=(3, 9)),
    ]


def _bounded() -> list[Instance]:
    networks = [{"wires": w, "depth": d} for w, d in ((6, 5), (7, 5), (7, 6), (8, 5), (8, 6))]
    same = [{"wires": n} for n in (10, 12, 14, 15, 16, 17, 18)]
    opened = [
        {"jobs": j, "longest": d, "slack": s} for j, d, s in ((6, 50, 0), (9, 20, 0), (12, 6, 0))
    ]
    shops = [
        {"jobs": j, "machines": m, "longest": 10, "slack": s}
        for j, m, s in (
            *((12, 12, 18), (12, 12, 21), (8, 6, 1), (9, 6, 2), (10, 6, 1), (11, 6, 3)),
            *((10, 8, 4), (11, 8, 4), (13, 6, 3)),
        )
    ]
    slides = [
        {"rows": 3, "columns": 3, "depth": d, "missing": m}
        for d, m in (
            *((20, 0), (23, 0), (25, 0), (27, 0), (28, 0), (29, 0), (30, 0), (31, 0)),
            *((24, 2), (26, 2), (28, 2), (30, 2)),
        )
    ]
    machines = [
        {"bits": b, "steps": s, "missing": m}
        for b, s, m in (
            *((10, 8, 0), (12, 9, 0), (13, 9, 0), (14, 10, 0), (15, 10, 0), (16, 11, 0)),
            *((10, 8, 1), (12, 9, 1), (13, 9, 1), (14, 10, 1), (15, 10, 1), (16, 11, 1)),
        )
    ]
    return [
        *ladder("sorting", sorting.search, *networks, copied=(4,)),
        *ladder("sorting", sorting.equivalent, *same, copied=(4,)),
        *ladder("scheduling", search.open_shop, *opened),
        *ladder("scheduling", search.job_shop, *shops, copied=(4,)),
        *ladder("planning", search.sliding, *slides, copied=(4,)),
        *ladder("bmc", search.machine, *machines, copied=(3, 9)),
    ]


INSTANCES = (*_random(), *_parity(), *_proofs(), *_extremal(), *_circuits(), *_bounded())
