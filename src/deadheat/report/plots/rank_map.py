"""The distribution of bootstrap ranks as a heat map."""

from __future__ import annotations

from deadheat.inference.verdict import Verdict
from deadheat.report.picture import Picture
from deadheat.report.rank_cells import aggregation, heat, in_words
from deadheat.report.registry import draws


@draws(Verdict)
def rank_map(verdict: Verdict, *, width: int) -> Picture:
    """Show the share of resamples in which each candidate has each rank, as a heat map."""
    return Picture(
        chart=heat(verdict, width),
        title="How often each candidate has each rank",
        see="The deeper the colour, the more often a candidate has that rank when the judges are "
        f"drawn again; the frame is its rank as observed{aggregation(verdict)}.",
        alt=in_words(verdict),
    )
