"""The four algorithms of the example `models` and the eleven settings of each.

Setting 0 is the default of scikit-learn. The other ten are drawn once from stated ranges, with a
seed, so that they are the same on every machine; for logistic regression they are a grid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from models.tasks import SEED

SETTINGS = 11
STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0)
Draw = Callable[[np.random.Generator], dict[str, Any]]


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number from low to high, uniform on the logarithmic scale, of three digits."""
    return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.3g}")


def whole_log_uniform(rng: np.random.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high, about uniform on the logarithmic scale."""
    return round(log_uniform(rng, low, high))


def boosting(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a setting of HistGradientBoostingClassifier."""
    return {
        "learning_rate": log_uniform(rng, 0.01, 0.5),
        "max_iter": whole_log_uniform(rng, 20, 150),
        "max_leaf_nodes": whole_log_uniform(rng, 3, 31),
        "min_samples_leaf": whole_log_uniform(rng, 5, 60),
        "l2_regularization": log_uniform(rng, 0.001, 10),
    }


def forest(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a setting of RandomForestClassifier."""
    return {
        "n_estimators": whole_log_uniform(rng, 10, 120),
        "max_features": float(f"{rng.uniform(0.05, 0.8):.2f}"),
        "min_samples_leaf": whole_log_uniform(rng, 1, 30),
        "criterion": str(rng.choice(["gini", "entropy"])),
    }


def neighbours(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a setting of KNeighborsClassifier."""
    return {
        "n_neighbors": whole_log_uniform(rng, 1, 80),
        "weights": str(rng.choice(["uniform", "distance"])),
        "p": int(rng.choice([1, 2])),
    }


def logistic(number: int) -> dict[str, Any]:
    """Return a point of the grid of LogisticRegression; l1_ratio 1 is the lasso, 0 the ridge."""
    ridge_or_lasso, strength = divmod(number - 1, len(STRENGTHS))
    return {"C": STRENGTHS[strength], "l1_ratio": ridge_or_lasso, "solver": "liblinear"}


DRAWS: dict[str, Draw] = {
    "boosting": boosting,
    "forest": forest,
    "neighbours": neighbours,
}
ALGORITHMS = (*DRAWS, "logistic")


def settings(algorithm: str) -> list[dict[str, Any]]:
    """Return the settings of an algorithm in order; the first is empty, the default."""
    others = range(1, SETTINGS)
    if algorithm == "logistic":
        return [{}, *(logistic(number) for number in others)]
    rng = np.random.default_rng([SEED, list(DRAWS).index(algorithm)])
    return [{}, *(DRAWS[algorithm](rng) for _ in others)]


def classifier(algorithm: str, setting: dict[str, Any], seed: int) -> Any:
    """Return the unfitted classifier of scikit-learn, of one thread."""
    from sklearn import ensemble, linear_model, neighbors

    if algorithm == "boosting":
        return ensemble.HistGradientBoostingClassifier(**setting, random_state=seed)
    if algorithm == "forest":
        return ensemble.RandomForestClassifier(**setting, random_state=seed, n_jobs=1)
    if algorithm == "neighbours":
        return neighbors.KNeighborsClassifier(**setting, n_jobs=1)
    return linear_model.LogisticRegression(**setting, random_state=seed)
