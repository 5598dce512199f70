"""Small random tables, thousands at a time: a pool of judges, and profiles that choose from it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from deadheat.axioms.axiom import Axiom
from deadheat.typing import Floats

CANDIDATES = (3, 3, 4, 3, 4, 5, 2)
LEVELS = (2, 3, 4, 5, 9)
POOL = 14
BATCHES = (128, 256, 512)  # profiles: what is easy to find is found early; then as the last


@dataclass(frozen=True, eq=False)
class Pool:
    """Hold judges to choose from (n, m), and how often each is there in each profile (B, m)."""

    scores: Floats
    profiles: Floats


def pool(axiom: Axiom, batch: int, *, seed: int) -> Pool:
    """Return batch number ``batch``, which depends on its number, the axiom and the seed alone.

    Scores are small whole numbers above 0, so that they are on every scale. A third of the pools
    have ties, a third have none, and a third hold orders with their rotations, which make cycles.
    """
    key = (zlib.crc32(axiom.name.encode()), batch)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    n = CANDIDATES[batch % len(CANDIDATES)]
    size = BATCHES[min(batch, len(BATCHES) - 1)]
    most = int(rng.choice(axiom.most_judges))
    return Pool(KINDS[int(rng.integers(len(KINDS)))](rng, n), _profiles(rng, size, most))


def _with_ties(rng: np.random.Generator, n: int) -> Floats:
    return rng.integers(1, rng.choice(LEVELS) + 1, (n, POOL)).astype(np.float64)


def _strict(rng: np.random.Generator, n: int) -> Floats:
    return rng.permuted(np.tile(np.arange(1.0, n + 1)[:, None], POOL), axis=0)


def _cyclic(rng: np.random.Generator, n: int) -> Floats:
    orders = _strict(rng, n)
    rotated = [np.roll(orders[:, k // n], k % n) for k in range(POOL)]
    return np.column_stack(rotated)


KINDS = (_with_ties, _strict, _cyclic)


def _profiles(rng: np.random.Generator, size: int, most: int) -> Floats:
    """Return how often each judge is there, one to ``most`` judges in all, (B, m)."""
    number = rng.integers(1, most + 1, size)
    chosen = rng.integers(0, POOL, (size, most))
    profiles = np.zeros((size, POOL))
    row, place = np.nonzero(np.arange(most) < number[:, None])
    np.add.at(profiles, (row, chosen[row, place]), 1)
    return profiles
