"""The fewest judges whose removal puts one candidate level with another, or ahead of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.data.results import Results
from deadheat.inference.parts import Parts
from deadheat.ranking.contributions import Contributions
from deadheat.ranking.function import RankingFunction
from deadheat.ranking.ranks import best_first, ranks
from deadheat.typing import Booleans, Floats


@dataclass(frozen=True, kw_only=True)
class Flip:
    """Hold the parts without which ``behind`` is level with ``ahead``, or has passed it."""

    ahead: int
    behind: int
    parts: tuple[int, ...]
    """What is left out, the part that does most for ``ahead`` first."""
    passed: bool
    """Whether ``behind`` is then ahead, and not only level."""

    def told(self, results: Results, parts: Parts) -> dict[str, Any]:
        """Return it with names."""
        return {
            "ahead": results.candidates[self.ahead],
            "behind": results.candidates[self.behind],
            "left_out": [parts.names[k] for k in self.parts],
            "passed": self.passed,
        }


@dataclass(frozen=True, eq=False)
class Flips:
    """Find the smallest flip sets of an additive ranking function."""

    results: Results
    f: RankingFunction
    contributions: Contributions
    parts: Parts

    def flip(self, ahead: int, behind: int) -> Flip | None:
        r"""Return the fewest parts to leave out so that ``behind`` is level or ahead.

        With :math:`d_k = w_k (q_{ak} - q_{bk})`, summed over the judges of each part, leave out
        the largest until the rest adds up to at most 0. No smaller set does: whatever set of as
        many parts is left out takes away no more. None where only leaving out everybody would do,
        and no parts where the two are level already.

        References
        ----------
        .. [1] Broderick, Giordano, Meager (2020), "An automatic finite-sample robustness metric:
               when can dropping a little data make a big difference?", for estimators in general.
        """
        given = self._given(ahead, behind)
        gains = self._gains(given)
        order = best_first(gains, unit=float(np.abs(given).max() * self.results.weights.max()))
        # Rounding may be off by a part, so the ranks of the two decide, and look both ways.
        number = int(np.count_nonzero(np.cumsum(gains[order][::-1])[::-1] > 0))
        while number > 0 and self._order(given, order[: number - 1], ahead, behind) <= 0:
            number -= 1
        while number < len(order):
            sign = self._order(given, order[:number], ahead, behind)
            if sign <= 0:
                left_out = tuple(order[:number].tolist())
                return Flip(ahead=ahead, behind=behind, parts=left_out, passed=sign < 0)
            number += 1
        return None

    def smallest(self, ahead: int, others: Iterable[int]) -> Flip | None:
        """Return the smallest flip of one candidate against any of the others, the first if equal.

        None where nothing puts any of them level.
        """
        best: Flip | None = None
        for behind in others:
            gains = self._gains(self._given(ahead, behind))
            largest = float(gains.max())
            least = gains.sum() / largest if largest > 0 else 0.0
            if best is not None and np.ceil(least * (1 - 1e-9)) >= len(best.parts):
                continue
            found = self.flip(ahead, behind)
            if found is not None and (best is None or len(found.parts) < len(best.parts)):
                best = found
        return best

    def _given(self, ahead: int, behind: int) -> Floats:
        """Return what the judges contribute to the two, (2, m), on the scale of counts."""
        return np.asarray(self.contributions.values[[ahead, behind]], dtype=np.float64)

    def _gains(self, given: Floats) -> Floats:
        """Return what each part adds to the lead, d."""
        return self.parts.sums(self.results.weights * (given[0] - given[1]))

    def _order(self, given: Floats, left_out: Any, ahead: int, behind: int) -> int:
        """Return 1 if the one ahead still is without these parts, 0 if level, -1 if behind.

        Where nobody is left to judge, it still is.
        """
        gone: Booleans = np.zeros(len(self.parts), dtype=bool)
        gone[left_out] = True
        rest = np.flatnonzero(~gone[self.parts.of_judge] & (self.results.weights > 0))
        if not len(rest):
            return 1
        weights = self.results.weights[rest]
        merits = (given[:, rest] * weights).sum(axis=1)
        merits /= weights.sum() * self.contributions.scale
        single = self.contributions.values.dtype == np.float32 and not self.contributions.counts
        unit = self.f.unit(self.results.scores[[ahead, behind]][:, rest], weights)
        places = ranks(merits.astype(np.float32) if single else merits, unit=unit)
        return int(np.sign(places[1] - places[0]))
