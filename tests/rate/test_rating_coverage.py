"""Coverage of intervals of rating differences by simulation: bootstrap against Fisher."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat.models.rating.bradley_terry import fit
from deadheat.models.rating.pair_counts import pairs_of_rounds
from deadheat.models.rating.uncertainty import Refitter, fisher, sandwich_of_rounds
from deadheat.rate.evidence import RatingEvidence, difference_intervals
from deadheat.resampling.plans import Bootstrap

TRUTH = np.linspace(-0.3, 0.3, 5)
FIRST, SECOND = np.array([0]), np.array([1])


def covered(pairing, tables):
    """Return how often each interval of b_0 - b_1 holds the truth: 5 candidates, 20 splits."""
    held = {"fisher": 0, "sandwich": 0, "percentile": 0, "expanded-percentile": 0}
    weights = Bootstrap(replicates=400, seed=1).draw(0, n=5, m=20).judges
    for seed in range(tables):
        scores = TRUTH[:, None] + np.random.default_rng(seed).gumbel(size=(5, 20))
        pairs = pairs_of_rounds(scores, pairing=pairing)
        found = fit(pairs)
        again = Refitter(found)(pairs_of_rounds(scores, weights, pairing=pairing))
        drawn = RatingEvidence(ratings=found.ratings, replicates=again, units=20)
        evidence = {
            "fisher": RatingEvidence(ratings=found.ratings, covariance=fisher(found, pairs)),
            "sandwich": RatingEvidence(
                ratings=found.ratings,
                covariance=sandwich_of_rounds(found, scores, pairing=pairing),
            ),
        }
        for kind in held:
            ends = difference_intervals(
                evidence.get(kind, drawn), FIRST, SECOND, kind="wald" if kind in evidence else kind
            )
            held[kind] += int(ends.low[0] <= TRUTH[0] - TRUTH[1] <= ends.high[0])
    return {kind: number / tables for kind, number in held.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("pairing", "fishers"), [("all", 0.26), ("same", 0.85)])
def test_the_bootstrap_covers_where_fisher_fails(pairing, fishers):
    """Spec D: Fisher covers .26 (all pairs) and .85 (same split), the bootstrap .90."""
    found = covered(pairing, 400)
    assert found["fisher"] == pytest.approx(fishers, abs=0.08)
    assert found["percentile"] == pytest.approx(0.90, abs=0.05)
    assert found["sandwich"] > 0.87
    assert found["expanded-percentile"] > found["percentile"] + 0.01
