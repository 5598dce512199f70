"""What simulation has shown of our own promises: the one place of every error rate in a sentence.

Each constant names the promise of ``docs/validity.md`` that measured it; ``make validity`` measures
them again.
"""

from __future__ import annotations

SIMULTANEOUS_AT_20 = "89-96 %"  # bands of 2-10 means on 20 judges: lognormal scores, normal scores
SIMULTANEOUS_FIXED_AT_20 = "47-93 %"  # by one error: lognormal means with holes, normal medians
# Tests of all pairs by Copeland, 10 equal candidates: by number of judges, how often some are told
# apart (table C7 of the specification, 600 tables each).
COPELAND_TOLD_APART = {20: 0.39, 50: 0.33, 200: 0.25, 500: 0.23, 1_000: 0.18}
# Tests of all pairs (max-t), 30 equal candidates of opposite lognormal scores on 10 judges: how
# often some are told apart (600 tables; 10 candidates .08, 30 on 15 judges .08, on 20 .06).
SKEWED_TOLD_APART = 0.19
# The set of the best, one lognormal candidate among 9 normal ones, all equal: by number of judges,
# how often it is left out (1,000 tables).
LONG_TAIL_LEFT_OUT = {20: 0.10, 50: 0.08, 200: 0.05}
