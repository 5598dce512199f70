"""The names by which people call their candidates, judges and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from deadheat.core.types import Direction

# Words that name judges: in a long table their column, in a wide one what its rows are.
JUDGES = frozenset(
    [
        *("judge", "task", "dataset", "instance", "problem", "item", "question", "case"),
        *("testcase", "test", "benchmark", "voter", "prompt", "environment", "env", "game"),
        *("query", "topic", "example", "sample", "puzzle", "exercise", "event", "race"),
        *("rater", "annotator", "reviewer"),
    ]
)
# Words that tell the repetitions of a judge apart, or name judges where nothing else does.
ROUNDS = frozenset(
    [
        *("round", "fold", "split", "seed", "rep", "repeat", "repetition", "replicate", "cv"),
        *("iteration", "resample", "k", "cvfold", "outerfold", "innerfold", "randomseed"),
    ]
)
IDENTIFIERS = frozenset(["hash", "id", "file", "filename", "uuid"])
JUDGE_LABELS = JUDGES | ROUNDS | IDENTIFIERS  # of the first column of a wide table
CANDIDATES = frozenset(
    [
        *("candidate", "model", "algorithm", "algo", "alg", "solver", "method", "system", "team"),
        *("participant", "learner", "classifier", "clf", "player", "framework", "planner"),
        *("estimator", "approach", "submission", "competitor", "entrant", "contestant", "agent"),
        *("tool", "engine", "optimizer", "regressor", "predictor", "bot", "username", "user"),
    ]
)
WEAK_CANDIDATES = frozenset({"name", "entry", "config", "configuration", "variant"})
SCORES = frozenset(
    [
        *("score", "value", "result", "metricvalue", "accuracy", "acc", "auc", "f1", "error"),
        *("loss", "solved", "resolved", "coverage", "performance", "reward", "points", "cost"),
        *("time", "runtime", "rating", "mark", "grade", "rmse", "mae", "mse", "logloss"),
        *("perplexity", "latency", "par2", "par10"),
    ]
)
ANSWERS = frozenset({"answer", "response", "verdict", "termination", "solverresult", "runresult"})
STATUSES = ANSWERS | frozenset(
    [
        *("status", "runstatus", "result", "outcome", "error", "exitstatus", "solverstatus"),
        *("terminationstatus", "solutionstatus", "returnstatus"),
    ]
)
TIMES = frozenset(
    [
        *("time", "cputime", "runtime", "cpu", "seconds", "wallclock", "walltime", "duration"),
        *("wallclocktime", "solvetime", "solvingtime", "totaltime", "elapsed", "elapsedtime"),
        *("usertime", "realtime", "timesec", "cputimesec", "walltimesec", "cpusecond"),
    ]
)
QUALITIES = frozenset(
    [
        *("quality", "cost", "plancost", "objective", "objectivevalue", "obj", "makespan"),
        *("accuracy", "acc", "auc", "error", "loss", "score", "value"),
    ]
)
REPEATS = frozenset({"seed", "repetition", "rep", "repeat", "run", "trial", "randomseed"})
CUTOFFS = frozenset({"cutoff", "timeout", "limit", "timelimit", "cutofftime"})
VERIFICATIONS = frozenset(
    {"verified", "verification", "checkerresult", "verifierresult", "checkresult"}
)
FAMILIES = frozenset(
    {"domain", "family", "stratum", "subtrack", "category", "track", "benchmarkset"}
)
NO_NAME = frozenset({"", "index", "id", "rowname", "row", "unnamed0", "label", "key", "name"})
COUNTED = frozenset({"run", "trial", "subject", "no", "nr", "num", "number", "observation", "obs"})
BESIDE_SCORES = frozenset(
    [
        *("id", "index", "rank", "ranking", "place", "position", "pos", "n", "count", "vote"),
        *("ci", "cilow", "cihigh", "cilower", "ciupper", "lower", "upper", "lowerbound"),
        *("upperbound", "std", "stdev", "stddev", "sd", "se", "sem", "stderr", "stderror", "token"),
        *("date", "timestamp", "param", "parameter"),
    ]
)
LAST_BESIDE = frozenset(
    [
        *("std", "stdev", "stderr", "se", "sd", "tokens", "params", "parameters", "date", "lower"),
        *("timestamp", "count", "votes", "upper"),
    ]
)
FIRST_BESIDE = frozenset({"num", "n", "ci"})
SUMMARIES = frozenset({"total", "sum", "mean", "average", "avg", "overall", "median"})
ROLES = {
    "candidate": CANDIDATES,
    "judge": JUDGES,
    "score": SCORES,
    "status": STATUSES,
    "time": TIMES,
    "quality": QUALITIES,
    "repeat": REPEATS,
    "cutoff": CUTOFFS,
    "verified": VERIFICATIONS,
    "stratum": FAMILIES,
}
WEAKLY = {"candidate": WEAK_CANDIDATES, "judge": ROUNDS | {"hash", "filename"}}
UNRIVALLED = ("candidate", "judge", "score", "time", "quality", "cutoff", "verified", "stratum")

# Words in the names of scores of which less, or more, is better.
LOWER = frozenset(
    [
        *("error", "errors", "err", "loss", "logloss", "time", "times", "runtime", "walltime"),
        *("seconds", "secs", "rank", "cost", "costs", "rmse", "mae", "mse", "mape", "smape"),
        *("latency", "perplexity", "ppl", "penalty", "duration", "regret", "brier", "fid", "wer"),
        *("cer", "failures", "crps", "nll", "par2", "par10", "misclassification", "overhead"),
        *("emissions",),
    ]
)
HIGHER = frozenset(
    [
        *("accuracy", "acc", "auc", "auroc", "auprc", "roc", "f1", "solved", "resolved", "r2"),
        *("precision", "recall", "reward", "bleu", "rouge", "ndcg", "mrr", "dice", "iou", "wins"),
        *("winrate", "coverage", "correct", "success", "ssim", "psnr", "kappa", "mcc"),
        *("throughput", "speedup", "sensitivity", "specificity"),
    ]
)
TURNING = frozenset(["neg", "negative", "negated", "minus", "inverse", "inverted"])  # neg_log_loss

_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SUFFIXES = {"name", "names", "id", "ids"}


def tokens(name: str) -> list[str]:
    """Return the words of a name in lower case: ``DataSet_id`` gives data, set, id."""
    return [word.lower() for word in _TOKEN.findall(name)]


def plain(name: str, known: Iterable[str] = ()) -> str:
    """Return a column name without case, separators, suffix and plural."""
    words = tokens(name)
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    joined = "".join(words)
    singular = joined.removesuffix("s")
    return singular if joined not in known and singular in known else joined


def names_rows(name: str) -> bool:
    known = JUDGES | ROUNDS | CANDIDATES | WEAK_CANDIDATES
    return plain(name, known) in known


def role_of(name: str) -> str:
    """Return whether a column of this name holds candidates or judges; neither gives nothing."""
    if plain(name, CANDIDATES) in CANDIDATES:
        return "candidate"
    return "judge" if plain(name, JUDGE_LABELS) in JUDGE_LABELS else ""


def names_rounds(name: str, columns: Sequence[str]) -> bool:
    """Return whether a column of this name tells rounds apart.

    Just ``k`` does not where its neighbour in the alphabet is a column too: they are letters.

    >>> names_rounds("Fold", ["A"]), names_rounds("k", ["A", "B"]), names_rounds("k", ["i", "j"])
    (True, True, False)
    """
    if plain(name, ROUNDS) not in ROUNDS:
        return False
    return len(name) > 1 or not any(chr(ord(name) + step) in columns for step in (-1, 1))


def counts_rows(name: str) -> bool:
    return plain(name, COUNTED) in COUNTED


def is_unnamed(name: str) -> bool:
    """Return whether a column has no name, or the one that pandas makes up for it."""
    return plain(name) in {"", "unnamed0"}


def stands_beside(name: str) -> bool:
    """Return whether a column of this name tells about scores (a rank, a count) and holds none.

    >>> [*filter(stands_beside, ("rank", "acc_stderr", "num_votes", "CI low", "iris"))]
    ['rank', 'acc_stderr', 'num_votes', 'CI low']
    """
    words = tokens(name)
    if len(words) > 1 and (words[0] in FIRST_BESIDE or words[-1] in LAST_BESIDE):
        return True
    return plain(name, BESIDE_SCORES) in BESIDE_SCORES


def is_summary(name: str) -> bool:
    return name.strip().lower() in SUMMARIES


def is_answer(name: str) -> bool:
    """Return whether a column of this name may hold statuses, or answers of any other kind."""
    return plain(name, ANSWERS) in ANSWERS


def is_label(name: str) -> bool:
    known = JUDGE_LABELS | CANDIDATES | NO_NAME
    return plain(name, known) in known


def matches(role: str, columns: Sequence[str]) -> list[int]:
    """Return the columns that look like the candidate, the judge, the score ..., by strength.

    The word itself beats its synonyms, and a whole name beats one that only ends so; the list
    has more than one entry where the names do not settle it. How a process ended is often called
    status and what it answered result: there the word itself settles nothing.
    """
    strong = ROLES[role]
    names = [plain(column, strong) for column in columns]
    tiers = [
        [k for k, name in enumerate(names) if name == role and role in UNRIVALLED],
        [k for k, name in enumerate(names) if name in strong],
        [k for k, column in enumerate(columns) if _weakly(role, column)],
    ]
    return next((tier for tier in tiers if tier), [])


def _weakly(role: str, column: str) -> bool:
    if role in WEAKLY:
        return plain(column, WEAKLY[role]) in WEAKLY[role]
    words = tokens(column)
    last = {"score": SCORES, "time": {"time"}, "quality": QUALITIES}.get(role, frozenset())
    return bool(words) and words[-1] in last


def usual_direction(name: str) -> Direction | None:
    parts = tokens(name)
    pairs = {a + b for a, b in pairwise(parts)}  # r2, f1, par10, log loss
    words = {*parts, *pairs} - ({"time"} if "series" in parts else set())
    low, high = bool(words & LOWER), bool(words & HIGHER)
    if low == high or words & TURNING:
        return None
    return "lower" if low else "higher"
