"""Who moves away from whom where no finite ratings fit best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.typing import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Levels:
    """Hold who moves away from whom as the likelihood grows.

    Parameters
    ----------
    part
        (n,), the number of the part of each candidate: those whose differences stay finite.
    above
        (K, K), whether the first part moves up from the second without limit. Where neither does
        from the other, the matches do not tell which way they go.
    """

    part: Integers
    above: Booleans

    @classmethod
    def unknown(cls, n: int) -> Levels:
        """Return everybody as a part of which nothing is known."""
        return cls(np.arange(n), np.zeros((n, n), dtype=bool))

    @classmethod
    def of(cls, together: Booleans, above: Booleans) -> Levels:
        """Return the parts of who stays together (n, n), and of who is above whom (n, n)."""
        heads, part = np.unique(together.argmax(axis=1), return_inverse=True)
        return cls(part, above[np.ix_(heads, heads)])

    def mle(self, within: Floats) -> Floats:
        """Return the plain ratings (n,), given those within the largest part.

        They sum to 0 there. Whoever is above that part has +inf, below -inf, else NaN. Where all
        are alone, only who leaves all others above or below has one of these.
        """
        sizes = np.bincount(self.part)
        largest = int(sizes.argmax())
        if sizes[largest] == 1:
            up, down = (side.sum(axis=1) == len(sizes) - 1 for side in (self.above, self.above.T))
        else:
            up, down = self.above[:, largest], self.above[largest]
        mle = np.where(up, np.inf, np.where(down, -np.inf, np.nan))[self.part]
        if sizes[largest] > 1:
            inside = self.part == largest
            mle[inside] = within[inside] - within[inside].mean()
        return np.asarray(mle)
