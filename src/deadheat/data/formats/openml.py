"""Evaluations of OpenML, and scores of mlr3: runs of learners on tasks."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import one_way, stating, ways_by
from deadheat.data.reading.source import Stream

NEEDED = {"run_id", "task_id", "flow_name", "data_name", "function", "value"}
LOWER = {"root_mean_squared_error", "mean_absolute_error", "relative_absolute_error"}
LOWER |= {"root_relative_squared_error", "mean_prior_absolute_error", "usercpu_time_millis"}
LOWER |= {"usercpu_time_millis_training", "usercpu_time_millis_testing", "build_cpu_time"}
HIGHER = {"predictive_accuracy", "area_under_roc_curve", "f_measure", "precision", "recall"}
HIGHER |= {"kappa", "weighted_recall", "average_weighted_recall", "balanced_accuracy"}
OF_MLR3 = {"nr", "task_id", "learner_id", "resampling_id", "iteration"}
LOW_OF_MLR3 = {"ce", "bbrier", "mbrier", "logloss", "fpr", "fnr", "mse", "rmse", "mae", "mape"}
LOW_OF_MLR3 |= {"medae", "medse", "msle", "rmsle", "rae", "rse", "rrse", "sae", "sse", "bias"}
HIGH_OF_MLR3 = {"acc", "bacc", "auc", "prauc", "fbeta", "mcc", "precision", "recall", "rsq"}
HIGH_OF_MLR3 |= {"ktau", "srho", "sensitivity", "specificity", "tpr", "tnr", "npv", "ppv"}


@reads_dialect(
    "openml",
    "evaluations of OpenML",
    known_by="columns run_id, task_id, flow_name, data_name, function and value",
)
def openml(stream: Stream) -> Stream | None:
    """Score each flow on each data set by its function; several runs of a flow are asked about."""
    if not {*stream.columns} >= NEEDED:
        return None
    stream, ways = ways_by(stream, "data_name", "function", _is_lower)
    nouns = {"candidate": "flow", "judge": "dataset"}
    return stating(stream, layout="long", candidate="flow_name", judge="data_name", score="value",
                   noun=nouns, **one_way(ways))  # fmt: skip


def _is_lower(function: str) -> bool | None:
    return True if function in LOWER else False if function in HIGHER else None


@reads_dialect(
    "mlr3",
    "scores of mlr3",
    known_by="columns nr, task_id, learner_id, resampling_id, iteration and classif.ce or the like",
)
def mlr3(stream: Stream) -> Stream | None:
    """Average the iterations of each learner on each task; of several measures one is asked for."""
    measures = [name for name in stream.columns if name.startswith(("classif.", "regr."))]
    if not {*stream.columns} >= OF_MLR3 or not measures:
        return None
    score = measures[0] if len(measures) == 1 else None
    kind = (score or "").partition(".")[2]
    way = "lower" if kind in LOW_OF_MLR3 else "higher" if kind in HIGH_OF_MLR3 else None
    nouns = {"candidate": "learner", "judge": "task", "repeat": "iteration"}
    return stating(stream, layout="long", candidate="learner_id", judge="task_id", score=score,
                     repeat="iteration", combine="mean", better=way, noun=nouns)  # fmt: skip
