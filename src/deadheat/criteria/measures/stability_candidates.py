"""How little a ranking depends on which candidates there are."""

from __future__ import annotations

import numpy as np

from deadheat.criteria.criterion import Measured, criterion
from deadheat.criteria.pairs_of import kendall_of_pairs, spearman_of_pairs
from deadheat.criteria.resamples import Resamples


@criterion("stability_candidates", heading="field redrawn", over="candidates", certain="iia")
def stability_candidates(resamples: Resamples) -> Measured:
    r"""Tell how alike the rankings are when the candidates are drawn again.

    .. math:: \frac{2}{q(q-1)} \sum_{s<t} \sigma(r_s, r_t)

    where each correlation is over the different candidates that both tables have.

    Notes
    -----
    Differs from [1]_, which divides by m (m - 1) instead of q (q - 1). Pairs of tables that share
    fewer than two candidates, or of which one ranking ties all that they share, have no
    correlation; they are skipped and counted. A function that looks at no rival (mean, median)
    has 1, whatever the table.

    References
    ----------
    .. [1] Pavao, Vaccaro, Guyon (2021), "Judging competitions and benchmarks", ESANN, sec. 2.3.
    """
    kendall = resamples.task.correlation == "kendall"
    of_pairs = kendall_of_pairs if kendall else spearman_of_pairs
    values, skipped = [], 0
    for groups in resamples.groups:
        found = of_pairs(groups)[np.triu_indices(len(groups), 1)]
        defined = ~np.isnan(found)
        values.append(float(found[defined].mean()) if defined.any() else np.nan)
        skipped += int((~defined).sum())
    lacking = {"pairs of rankings without a correlation": np.array([skipped])}
    return Measured(np.array(values)[:, None], lacking)
