"""What simulation has shown of our own promises: the one place of every error rate in a sentence.

Each constant says where it comes from: the specification, or a study of ``docs/validity.md``.
``make validity`` fails where a study contradicts one.
"""

from __future__ import annotations

# Fawcett's groups at alpha = .05, all candidates equal: somebody is excluded from the first group.
# Spec C1, (c+1)/(k+1), 999 resamples: 10 candidates on 20 judges, and on 50 to 500, over five kinds
# of scores. C1 does not say its R.
EXCLUDED_OF_10_ON_20 = (33, 47)
EXCLUDED_OF_10_FROM_50_ON = (20, 35)
# Resampling ranges of ranks at 95 %, spec C7, R = 600: one true rank, all true ranks at once.
RANGE_HOLDS_ONE_RANK = (83, 86)
RANGES_HOLD_ALL_RANKS = (21, 28)
# Coverage of 95 % intervals on 20 judges: lognormal scores, normal scores (spec C2).
COVERS_ON_20 = {
    "percentile": (86, 92),
    "basic": (83, 92),
    "bca": (88, 92),
    "expanded-percentile": (88, 95),
    "bootstrap-t": (92, 95),
    "simultaneous": (89, 96),  # bands of 2 to 10 means, study "bands"
}
# Bands by one error for all resamples: lognormal means with holes, normal medians.
SIMULTANEOUS_FIXED_ON_20 = (47, 93)
# The same of any bootstrap interval of a share of .95 (spec C2).
COVERS_SHARES_ON_20 = 64
# Jackknife intervals of 95 % of medians. Taken over from the sentence that quoted it; which
# simulation made it is not recorded.
JACKKNIFE_OF_MEDIANS_COVERS = 71
# Wilcoxon's test with Holm, skewed differences of 10 equal means on 500 judges, study "long tails".
WILCOXON_ERRS_ON_SKEWED = 95
# Tests of all pairs by Copeland, 10 equal candidates: by number of judges, how often some are told
# apart (spec C7, 600 tables each, and study "copeland", 350 each).
COPELAND_TOLD_APART = {20: 0.40, 50: 0.33, 200: 0.28, 500: 0.24, 1_000: 0.22}
# Tests of all pairs (max-t), 30 equal candidates of opposite lognormal scores on 10 judges: how
# often some are told apart (600 tables; 10 candidates .08, 30 on 15 judges .08, on 20 .06).
SKEWED_TOLD_APART = 0.19
# The set of the best, one lognormal candidate among 9 normal ones, all equal: by number of judges,
# how often it is left out (1,000 tables).
LONG_TAIL_LEFT_OUT = {20: 0.10, 50: 0.08, 200: 0.05}


def per_cent(share: int | tuple[int, int]) -> str:
    return f"{share} %" if isinstance(share, int) else f"{share[0]}-{share[1]} %"
