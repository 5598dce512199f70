"""AMLB: ``results.csv`` of the OpenML AutoML Benchmark, and its reports with ``score``."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import one_way, stating, ways_by
from deadheat.data.reading.source import Stream

NEEDED = {"framework", "task", "fold", "result", "info"}
LOWER = {"logloss", "max_pce", "mean_pce", "mae", "mse", "msle", "rmse", "rmsle", "mase", "smape"}
LOWER |= {"mape", "nrmse", "wape", "mwql", "mean_naive_1_error", "ncrps", "wql"}
HIGHER = {"acc", "auc", "auc_ovo", "auc_ovr", "balacc", "f05", "f1", "f2", "pr_auc", "r2"}


@reads_dialect(
    "amlb",
    "results of AMLB, the AutoML benchmark",
    known_by="columns task, framework, fold, result and info",
)
def amlb(stream: Stream) -> Stream | None:
    """Take a score for each task; a failed run has none, and its error in ``info``."""
    columns = {*stream.columns}
    if not columns >= NEEDED or columns.isdisjoint({"metric", "score"}):
        return None
    ways = {"*": "higher"}  # a score, of reports, is turned already
    if "score" not in columns:
        stream, ways = ways_by(stream, "task", "metric", _is_lower)
    return stating(
        stream,
        layout="long",
        candidate="framework",
        judge="task",
        score="score" if "score" in columns else "result",
        repeat="fold",
        combine="mean",
        **one_way(ways),
    )


def _is_lower(metric: str) -> bool | None:
    """Later versions turn what is lower round, and call it neg_logloss."""
    if metric.startswith("neg_") or metric in HIGHER:
        return False
    return True if metric in LOWER else None
