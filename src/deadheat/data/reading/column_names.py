"""The names by which people call their candidates, judges and scores."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from deadheat.core.types import Direction


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that name judges: in a long table their column, in a wide one what its rows are.
JUDGES = _words("""
    judge task dataset instance problem item question case testcase test benchmark voter prompt
    environment env game query topic example sample puzzle exercise event race rater annotator
    reviewer
""")
# Words that tell the repetitions of a judge apart, or name judges where nothing else does.
ROUNDS = _words("""
    round fold split seed rep repeat repetition replicate cv iteration resample k cvfold
    outerfold innerfold randomseed
""")
IDENTIFIERS = _words("hash id file filename uuid")
JUDGE_LABELS = JUDGES | ROUNDS | IDENTIFIERS  # of the first column of a wide table
CANDIDATES = _words("""
    candidate model algorithm algo alg solver method system team participant learner classifier
    clf player framework planner estimator approach submission competitor entrant contestant
    agent tool engine optimizer regressor predictor bot username user
""")
WEAK_CANDIDATES = _words("name entry config configuration variant")
SCORES = _words("""
    score value result metricvalue accuracy acc auc f1 error loss solved resolved coverage
    performance reward points cost time runtime rating mark grade rmse mae mse logloss
    perplexity latency par2 par10
""")
ANSWERS = _words("answer response verdict termination solverresult runresult")
STATUSES = ANSWERS | _words("""
    status runstatus result outcome error exitstatus solverstatus terminationstatus
    solutionstatus returnstatus
""")
TIMES = _words("""
    time cputime runtime cpu seconds wallclock walltime duration wallclocktime solvetime
    solvingtime totaltime elapsed elapsedtime usertime realtime timesec cputimesec walltimesec
    cpusecond
""")
QUALITIES = _words("""
    quality cost plancost objective objectivevalue obj makespan accuracy acc auc error loss
    score value
""")
REPEATS = _words("seed repetition rep repeat run trial randomseed")
CUTOFFS = _words("cutoff timeout limit timelimit cutofftime")
VERIFICATIONS = _words("verified verification checkerresult verifierresult checkresult")
FAMILIES = _words("domain family stratum subtrack category track benchmarkset")
NO_NAME = {""} | _words("index id rowname row unnamed0 label key name")
COUNTED = _words("run trial subject no nr num number observation obs")
BESIDE_SCORES = _words("""
    id index rank ranking place position pos n count vote ci cilow cihigh cilower ciupper lower
    upper lowerbound upperbound std stdev stddev sd se sem stderr stderror token date timestamp
    param parameter
""")
LAST_BESIDE = _words("""
    std stdev stderr se sd tokens params parameters date lower timestamp count votes upper
""")
FIRST_BESIDE = _words("num n ci")
SUMMARIES = _words("total sum mean average avg overall median")
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
LOWER = _words("""
    error errors err loss logloss time times runtime walltime seconds secs rank cost costs rmse
    mae mse mape smape latency perplexity ppl penalty duration regret brier fid wer cer failures
    crps nll par2 par10 misclassification overhead emissions
""")
HIGHER = _words("""
    accuracy acc auc auroc auprc roc f1 solved resolved r2 precision recall reward bleu rouge
    ndcg mrr dice iou wins winrate coverage correct success ssim psnr kappa mcc throughput
    speedup sensitivity specificity
""")
TURNING = _words("neg negative negated minus inverse inverted")  # neg_log_loss

_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SUFFIXES = {"name", "names", "id", "ids"}


def tokens(name: str) -> list[str]:
    """Return the words of a name in lower case: ``DataSet_id`` gives data, set, id."""
    return [word.lower() for word in _TOKEN.findall(name)]


def plain(name: str, known: Collection[str] = ()) -> str:
    """Return a column name without case, separators, suffix and plural."""
    words = tokens(name)
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    joined = "".join(words)
    singular = joined.removesuffix("s")
    return singular if joined not in known and singular in known else joined


def _is(name: str, known: Collection[str]) -> bool:
    return plain(name, known) in known


def names_rows(name: str) -> bool:
    return _is(name, JUDGES | ROUNDS | CANDIDATES | WEAK_CANDIDATES)


def role_of(name: str) -> str:
    """Return whether a column of this name holds candidates or judges; neither gives nothing."""
    if _is(name, CANDIDATES):
        return "candidate"
    return "judge" if _is(name, JUDGE_LABELS) else ""


def names_rounds(name: str, columns: Sequence[str]) -> bool:
    """Return whether a column of this name tells rounds apart.

    Just ``k`` does not where its neighbour in the alphabet is a column too: they are letters.

    >>> names_rounds("Fold", ["A"]), names_rounds("k", ["A", "B"]), names_rounds("k", ["i", "j"])
    (True, True, False)
    """
    letters = len(name) == 1 and any(chr(ord(name) + step) in columns for step in (-1, 1))
    return _is(name, ROUNDS) and not letters


def counts_rows(name: str) -> bool:
    return _is(name, COUNTED)


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
    return _is(name, BESIDE_SCORES)


def is_summary(name: str) -> bool:
    return name.strip().lower() in SUMMARIES


def is_answer(name: str) -> bool:
    """Return whether a column of this name may hold statuses, or answers of any other kind."""
    return _is(name, ANSWERS)


def is_label(name: str) -> bool:
    """Return whether a column of this name holds names even where they are numbers."""
    return _is(name, JUDGE_LABELS | CANDIDATES | NO_NAME)


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
        return _is(column, WEAKLY[role])
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
