"""Triples of candidates that beat each other in a circle, which no ratings can show."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from deadheat.ranking.blocks import WORKING_SET
from deadheat.typing import Floats, Integers

DENSE = 0.05  # share of pairs that met, above which a full matrix is faster


@dataclass(frozen=True, kw_only=True)
class CyclicTriples:
    """Hold how many triples are cyclic, by majority, and of how many.

    Attributes
    ----------
    number
        Triples in which i beats j, j beats k and k beats i.
    triples
        Triples in which every pair met and neither side has exactly half of the wins.
    most
        As many as could be cyclic if every pair had met: one in four, for large n.
    """

    number: int
    triples: int
    most: int

    @property
    def consistence(self) -> float:
        """Kendall's coefficient: 1 without a cycle, 0 with the most there can be; NaN for n < 3."""
        return 1 - self.number / self.most if self.most else float("nan")


def cyclic_triples(n: int, first: Integers, second: Integers, lead: Floats) -> CyclicTriples:
    r"""Count the cyclic triples of the majority relation.

    If every pair met and none is even, with :math:`s_i` the rivals that i beats [1]_,

    .. math:: d = \binom n 3 - \sum_i \binom{s_i}{2}

    Otherwise :math:`d = tr(A^3) / 3` with :math:`A_{ij} = 1` where i beats j. Both are exact.

    Parameters
    ----------
    first, second
        The pairs that met, each once, (P,).
    lead
        What ``first`` won less what it lost, (P,): its sign is who beat whom, 0 nobody.

    References
    ----------
    .. [1] Kendall, Babington Smith (1940), "On the method of paired comparisons", Biometrika 31.

    Examples
    --------
    >>> pairs = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> cyclic_triples(3, *pairs, lead=np.array([1.0, -1.0, 1.0])).number
    1
    """
    decided = np.flatnonzero(lead)
    ahead = np.where(lead[decided] > 0, first[decided], second[decided])
    behind = np.where(lead[decided] > 0, second[decided], first[decided])
    most = (n**3 - n) // 24 if n % 2 else (n**3 - 4 * n) // 24
    if len(decided) == n * (n - 1) // 2:
        beaten = np.bincount(ahead, minlength=n)
        number = comb(n, 3) - int((beaten * (beaten - 1) // 2).sum())
        return CyclicTriples(number=number, triples=comb(n, 3), most=most)
    cycles, chains = _closed(n, ahead, behind)
    return CyclicTriples(number=cycles, triples=cycles + chains, most=most)


def _closed(n: int, ahead: Integers, behind: Integers) -> tuple[int, int]:
    """Return the cyclic triples, and the transitive ones, of a relation that has gaps."""
    if len(ahead) < DENSE * n * n / 2:
        from scipy.sparse import csr_array

        a = csr_array((np.ones(len(ahead)), (ahead, behind)), shape=(n, n))
        two = a @ a
        return int(two.multiply(a.T).sum()) // 3, int(two.multiply(a).sum())
    whole = np.zeros((n, n), dtype=np.float32)  # counts of at most n are exact
    whole[ahead, behind] = 1
    cycles = chains = 0
    step = max(1, WORKING_SET // n)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        two = whole[rows] @ whole
        cycles += int((two * whole[:, rows].T).sum(dtype=np.float64))
        chains += int((two * whole[rows]).sum(dtype=np.float64))
    return cycles // 3, chains
