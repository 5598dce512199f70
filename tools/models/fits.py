"""One block of the example `models`: the eleven settings of an algorithm on one split of a task."""

from __future__ import annotations

import time
import warnings
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from models.settings import classifier, settings
from models.tasks import SEED, TASKS, Table, Task, load

SPLITS = 20
TEST_SHARE = 0.3
COLUMNS = ("algorithm", "setting", "task", "cluster", "split", "auc", "accuracy", "fit_time")


class Block(NamedTuple):
    """Name a block of work."""

    task: str
    split: int
    algorithm: str


@lru_cache(maxsize=1)
def table(name: str) -> tuple[Task, Table]:
    """Return a task and its rows; blocks of one task follow each other, so one is kept."""
    task = next(task for task in TASKS if task.name == name)
    return task, load(task)


@lru_cache(maxsize=1)
def parts(name: str) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return the train and test rows of all splits of a task, stratified, the same for all."""
    from sklearn.model_selection import StratifiedShuffleSplit

    positive = table(name)[1].positive
    splitter = StratifiedShuffleSplit(SPLITS, test_size=TEST_SHARE, random_state=SEED)
    return list(splitter.split(np.zeros(len(positive)), positive))


def preparation(features: Any) -> Any:
    """Return what makes numbers of a data frame; it is fitted on the training rows alone.

    Numbers: missing ones become the median, then mean 0 and variance 1. Words: a missing one is a
    word of its own, then one column for each word; words that training did not have are zeros.
    """
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = features.select_dtypes("number").columns.tolist()
    words = [column for column in features.columns if column not in numbers]
    return make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
        (
            make_pipeline(
                SimpleImputer(strategy="constant", fill_value="missing"),
                OneHotEncoder(handle_unknown="ignore", sparse_output=False),
            ),
            words,
        ),
    )


def scores(model: Any, train: Any, answers: Any, test: Any, truth: Any) -> tuple[str, str, str]:
    """Fit a model; return AUC, accuracy and CPU seconds of the fit, all empty if it failed."""
    from sklearn.metrics import accuracy_score, roc_auc_score

    try:
        started = time.process_time()
        model.fit(train, answers)
        seconds = time.process_time() - started
        chance = model.predict_proba(test)[:, 1]
        auc, accuracy = roc_auc_score(truth, chance), accuracy_score(truth, model.predict(test))
    except (ValueError, ArithmeticError, MemoryError, np.linalg.LinAlgError):
        return "", "", ""
    return f"{auc:.5f}", f"{accuracy:.5f}", f"{seconds:.4f}"


def fit(block: Block) -> list[list[str]]:
    """Return the rows of a block, one for each setting, as text in the order of COLUMNS."""
    from threadpoolctl import threadpool_limits

    task, data = table(block.task)
    train, test = parts(block.task)[block.split]
    ready = preparation(data.features)
    rows = []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = ready.fit_transform(data.features.iloc[train])
        unknown = ready.transform(data.features.iloc[test])
        for number, setting in enumerate(settings(block.algorithm)):
            model = classifier(block.algorithm, setting, block.split)
            found = scores(model, known, data.positive[train], unknown, data.positive[test])
            rows.append(
                [block.algorithm, str(number), task.name, task.family, str(block.split), *found]
            )
    return rows
