"""What simulation has shown of our own promises: the one place of every error rate in a sentence.

Each constant names the promise of ``docs/validity.md`` that measured it; ``make validity`` measures
them again.
"""

from __future__ import annotations

SIMULTANEOUS_AT_20 = "91-95 %"  # bands of 10 means on 20 judges: lognormal scores, normal scores
SIMULTANEOUS_FIXED_AT_20 = "47-86 %"  # the same by one error over all resamples
