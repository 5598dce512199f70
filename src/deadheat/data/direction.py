"""Directions that look wrong: an error that should be high, an accuracy that should be low."""

from __future__ import annotations

from itertools import pairwise

from deadheat.data.results import Results
from deadheat.data.roles import tokens
from deadheat.errors import listed, quoted
from deadheat.typing import Direction

LOWER = frozenset(
    [
        "error",
        "errors",
        "err",
        "loss",
        "logloss",
        "time",
        "times",
        "runtime",
        "walltime",
        "seconds",
        "secs",
        "rank",
        "cost",
        "costs",
        "rmse",
        "mae",
        "mse",
        "mape",
        "smape",
        "latency",
        "perplexity",
        "ppl",
        "penalty",
        "duration",
        "regret",
        "brier",
        "fid",
        "wer",
        "cer",
        "failures",
        "crps",
        "nll",
        "par2",
        "par10",
        "misclassification",
        "overhead",
        "emissions",
    ]
)
HIGHER = frozenset(
    [
        "accuracy",
        "acc",
        "auc",
        "auroc",
        "auprc",
        "roc",
        "f1",
        "solved",
        "resolved",
        "r2",
        "precision",
        "recall",
        "reward",
        "bleu",
        "rouge",
        "ndcg",
        "mrr",
        "dice",
        "iou",
        "wins",
        "winrate",
        "coverage",
        "correct",
        "success",
        "ssim",
        "psnr",
        "kappa",
        "mcc",
        "throughput",
        "speedup",
        "sensitivity",
        "specificity",
    ]
)
TURNING = frozenset(["neg", "negative", "negated", "minus", "inverse", "inverted"])  # neg_log_loss
MOST_NAMED = 3
CHANCE = 0.05  # of many names may hold such a word by chance: a data set called cooking-time


def usual_direction(name: str) -> Direction | None:
    """Return the direction that a name suggests, if it suggests one."""
    words = _words(name)
    if words & TURNING:
        return None
    low, high = bool(words & LOWER), bool(words & HIGHER)
    if low == high:
        return None
    return "lower" if low else "higher"


def _words(name: str) -> set[str]:
    parts = tokens(name)
    pairs = {a + b for a, b in pairwise(parts)}  # r2, f1, par10, log loss
    series = {"time"} if "series" in parts else set()
    return (set(parts) | pairs) - series


def direction_warnings(results: Results, *, score: str = "") -> tuple[str, ...]:
    """Return warnings where a direction contradicts the name of a judge or of the scores.

    ``score`` is the column of a long table that the scores came from.
    """
    told = []
    usual = usual_direction(score) if score else None
    if usual is not None and all(given != usual for given in results.better):
        told.append(_sentence(f"the scores are called {quoted(score)}", results.better[0], usual))
    pairs = list(zip(results.judges, results.better, strict=True))
    for given, other in (("higher", "lower"), ("lower", "higher")):
        asked = [name for name, better in pairs if better == given]
        found = [name for name in asked if usual_direction(name) == other]
        if len(found) > CHANCE * len(asked):
            names = listed((quoted(name) for name in found), most=MOST_NAMED)
            noun = "a judge is called" if len(found) == 1 else "judges are called"
            told.append(_sentence(f"{noun} {names}", given, other))
    return tuple(told)


def _sentence(fact: str, given: str, usual: str) -> str:
    return f"{fact}, yet {given} is said to be better; usually {usual} is. Check --better."
