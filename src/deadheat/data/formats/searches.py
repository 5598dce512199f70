"""Searches for hyperparameters: ``cv_results_`` of scikit-learn and frames of Optuna studies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import official_by, remembered, stating
from deadheat.data.reading.source import Block, Stream

NOUNS = {"candidate": "setting", "judge": "split"}
SPLIT = re.compile(r"split\d+_test_(.+)")
OF_OPTUNA = {"number", "state", "datetime_start", "datetime_complete"}
HALVING = ("iter", "n_resources")
VALUE = re.compile(r"value|values?_.+")  # of one objective, of one with a name, of several


@reads_dialect(
    "sklearn-search",
    "a cv_results_ of scikit-learn",
    known_by="columns params, mean_fit_time and split0_test_NAME",
)
def cv_results(stream: Stream) -> Stream | None:
    """Take each split as a judge; scorers of scikit-learn are the higher the better.

    Of several metrics, each is a stratum of splits. Of a search by halving, only the settings of
    the last iteration had all resources; ranks over all iterations are no order of these.
    """
    found = {name: match[1] for name in stream.columns if (match := SPLIT.fullmatch(name))}
    if not found or not {*stream.columns} >= {"params", "mean_fit_time"}:
        return None
    others = tuple(name for name in stream.columns if name != "params" and name not in found)
    strata, ranks = found if len({*found.values()}) > 1 else {}, dict[str, float]()
    rank = f"rank_test_{next(iter(found.values()))}"
    if {*HALVING} <= {*others}:
        stream = _last_iteration(stream)
    elif rank in others and not strata:
        stream, ranks = official_by(stream, "params", rank)
    stream = stating(stream, layout="wide", candidate="params", ignore=others, better="higher",
                     strata=strata, official=ranks, noun=NOUNS)  # fmt: skip
    note = f"splits of {len({*found.values()})} metrics are judges; each metric is a stratum."
    return replace(stream, notes=(*stream.notes, note)) if strata else stream


def _last_iteration(stream: Stream) -> Stream:
    stream, rows = remembered(stream, *HALVING)
    last = max({*rows}, key=lambda row: float(row[0]), default=("", ""))
    note = f"only the settings of the last iteration count ({last[1]} {HALVING[1]})."
    blocks = _having(stream.blocks, stream.columns.index(HALVING[0]), last[0])
    return replace(stream, blocks=blocks, notes=(*stream.notes, note))


@reads_dialect(
    "optuna",
    "a frame of an Optuna study",
    known_by="columns number, value, datetime_start, datetime_complete and state",
)
def optuna(stream: Stream) -> Stream | None:
    """Take one value for each trial that is complete; of several objectives, all."""
    values = [name for name in stream.columns if VALUE.fullmatch(name)]
    if not {*stream.columns} >= OF_OPTUNA or not values:
        return None
    others = tuple(name for name in stream.columns if name not in {"number", *values})
    nouns = {"candidate": "trial", "judge": "objective"}
    note = "only trials whose state is COMPLETE count."
    blocks = _having(stream.blocks, stream.columns.index("state"), "COMPLETE")
    stream = replace(stream, blocks=blocks, notes=(*stream.notes, note))
    return stating(stream, layout="wide", candidate="number", ignore=others, noun=nouns)


def _having(blocks: Iterator[Block], column: int, value: str) -> Iterator[Block]:
    for block in blocks:
        if rows := [
            i for i, cell in enumerate(block.text(column)) if (cell or "").strip() == value
        ]:
            yield block.of_rows(rows)
