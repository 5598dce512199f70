"""How likely each candidate is to beat the next one of the ranking on a judge drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from deadheat.core.types import Floats
from deadheat.data.results import Results
from deadheat.output.text import percent
from deadheat.ranking.function import FUNCTIONS
from deadheat.ranking.ranks import levels
from deadheat.report.charts.pixels import fitting, label_width
from deadheat.report.charts.rows import Axis, Rows, beside, heading, how_many, name_of, prose
from deadheat.report.charts.spec import data, field, layer, mark, tips
from deadheat.report.charts.theme import HUES, LABEL
from deadheat.report.picture import Picture, draws
from deadheat.statistics.evidence import Evidence, collect_evidence, merit_intervals
from deadheat.verdict.result import Verdict

MOST = 21  # candidates, more of whom must be asked for
NAMES = 0.55  # of the width, that a pair of names may take
EVEN = 0.5
TITLE = "Does the next one lose?"


class Improvement(NamedTuple):
    """Hold how often the first of each pair beats the second, ties as half, and the interval."""

    shares: Floats
    low: Floats
    high: Floats


def improvements(
    evidence: Evidence, pairs: Sequence[tuple[int, int]], *, alpha: float
) -> Improvement:
    r"""Return the probability that one candidate beats another on a judge drawn at random.

    .. math:: P(a > b) = \sum_j w_j \frac{1 + \mathrm{sign}(s_{aj} - s_{bj})}{2} \Big/ \sum_j w_j

    over the judges that know both. It is the mean of a table with a row for each pair, and so its
    interval is the percentile interval of that mean under the plan of the evidence (Agarwal et al.
    2021, NeurIPS 34).
    """
    results = evidence.results
    level = levels(results.scores, tolerance=results.tie_tol)
    a, b = (level[list(side)] for side in zip(*pairs, strict=True))
    won = np.where(np.isnan(a) | np.isnan(b), np.nan, (1 + np.sign(a - b)) / 2)
    table = Results(
        scores=won,
        candidates=[f"{i} {j}" for i, j in pairs],
        judges=list(results.judges),
        better="higher",
        judge_weights=results.weights,
        missing="available" if np.isnan(won).any() else results.missing,
    )
    found = collect_evidence(table, FUNCTIONS["mean"], evidence.plan, on=evidence.on)
    low, high = merit_intervals("percentile", found, alpha=alpha)
    return Improvement(np.asarray(found.observed), np.clip(low, 0, 1), np.clip(high, 0, 1))


@draws(Verdict)
def improvement(verdict: Verdict, *, width: int, top: int | None = None) -> Picture:
    """Show how likely each candidate is to beat the next one, with intervals."""
    nouns, names = verdict.nouns, verdict.candidates
    kept = verdict.order[: how_many(top, len(names), most=MOST)]
    if len(kept) < 2:
        alone = f"One {nouns.candidate} has no neighbour to beat."
        return Picture.sentence(TITLE, alone, width)
    pairs = list(pairwise(kept))
    shares, low, high = improvements(verdict.evidence, pairs, alpha=verdict.alpha)
    told = [f"{name_of(names[i])} over {name_of(names[j])}" for i, j in pairs]
    room = 0.85 * (NAMES * min(width, LABEL / 0.36) - label_width(" over ")) / 2  # digits are wide
    short = [f"{fitting(names[i], room)} over {fitting(names[j], room)}" for i, j in pairs]
    short = short if len(set(short)) == len(pairs) else told
    ends = [*zip(low.tolist(), high.tolist(), strict=True)]
    better, worse = sum(low > EVEN), sum(high < EVEN)
    few = f" The first {len(kept):,} of {nouns.candidates(len(names))} are shown."
    few = few if len(kept) < len(names) else ""
    level = percent(1 - verdict.alpha)
    alt = f"Probability that a {nouns.candidate} beats the next one on a {nouns.judge} drawn at "
    alt += f"random, with {level} intervals. " + prose(
        [
            f"{pair}: {percent(share)} ({percent(ends[k][0])} to {percent(ends[k][1])})."
            for k, (pair, share) in enumerate(zip(told, shares.tolist(), strict=True))
        ]
    )
    if not better and not worse:
        none = f"Nobody of the first {len(kept):,} clearly beats the next one"
        none += f": each wins {percent(shares.min())} to {percent(shares.max())} of the "
        few = verdict.evidence.results.judged_on
        none += f"{nouns.judges()}, and {few} do not tell that from half."
        return Picture.sentence(TITLE, none, width, alt=alt)
    reach = max(0.1, *(abs(end - EVEN) for pair in ends for end in pair)) * 1.05
    axis = Axis(max(0.0, EVEN - reach), min(1.0, EVEN + reach))
    chart = data(
        {
            "candidate": short[k],
            "pair": pair,
            **dict(zip("ab", (names[i] for i in pairs[k]), strict=True)),
            "at": share,
            "from": ends[k][0],
            "to": ends[k][1],
            "said": percent(share),
            "ahead": ends[k][0] > EVEN,
            "loses": ends[k][1] < EVEN,
            "off": False,
        }
        for k, (pair, share) in enumerate(zip(told, shares.tolist(), strict=True))
    )
    table = Rows(short, width, room=NAMES)
    x = axis.look("", width, orient=table.orient)
    x["title"] = f"share of {nouns.judges()} won, ties as half"
    x["axis"] |= {
        "format": ".0%",
        "values": _around_even(reach, max(1, round((1 - NAMES) * width) // 70)),
    }
    hint = tips(
        "pair:N",
        ("said:N", "share"),
        ("from:Q", "low", ".1%"),
        ("to:Q", "high", ".1%"),
    )
    both = {"y": table.y, "tooltip": hint}
    sides = (
        ("datum.ahead", "wins"),
        ("datum.loses", "loses"),
        ("!datum.ahead && !datum.loses", "muted"),
    )
    line = {"strokeWidth": 5, "opacity": 0.4, "strokeCap": "round"}
    dot = {"filled": True, "size": 60, "opacity": 1}
    layers = [
        mark("rule", data([{"at": EVEN}]), x=field("at:Q", **x), style="ink", strokeDash=[4, 3])
    ]
    for where, style in sides:
        look = {"where": where, **both, "style": style}
        layers += [
            mark("rule", chart, x=field("from:Q", **x), x2="to:Q", **look, **line),
            mark("point", chart, x=field("at:Q", **x), **look, **dot),
        ]
    upsets = f" {HUES['loses']}: the lower one wins more often, in {worse}." if worse else ""
    return Picture(
        view=table.framed(
            layer(*layers, beside(chart, table.y, "said:N"), heading("share", dx=8)), stiff=True
        ),
        title=TITLE,
        see=f"On what share of the {nouns.judges()} each {nouns.candidate} beats the next one of "
        f"the ranking. Bar: {level} interval. {HUES['wins']}: clearly more than half, in {better} "
        f"of {len(pairs)} pairs.{upsets}{few}",
        alt=alt,
    )


def _around_even(reach: float, most: int) -> list[float]:
    """Return shares to name on an axis: one half, and others at the same distance on each side."""
    for step in (0.1, 0.2, 0.4):
        side = int(reach / step)
        if 2 * side + 1 <= most:
            break
    return [round(EVEN + k * step, 2) for k in range(-side, side + 1)]
