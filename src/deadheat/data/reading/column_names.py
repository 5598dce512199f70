"""The names by which people call their candidates, judges and scores."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import cast

from deadheat.core.types import Direction

# Rounds tell the repetitions of a judge apart, or name judges where nothing else does; what is
# beside stands beside scores, also as the first or last word of a name; of lower scores less is
# better, unless a word turns them, as in neg_log_loss.
VOCABULARY = """
candidate: candidate model algorithm algo alg solver method system team participant learner
    classifier clf player framework planner estimator approach submission competitor entrant
    contestant agent tool engine optimizer regressor predictor bot username user modell verfahren
perhaps_candidate: name entry config configuration variant
judge: judge task dataset instance problem item question case testcase test benchmark voter prompt
    environment env game query topic example sample puzzle exercise event race rater annotator
    reviewer datensatz aufgabe
round: round fold split seed rep repeat repetition replicate cv iteration resample k cvfold
    outerfold innerfold randomseed
identifier: hash id file filename uuid
score: score value result metricvalue accuracy acc auc f1 error loss solved resolved coverage
    performance reward points cost time runtime rating mark grade rmse mae mse logloss perplexity
    latency par2 par10
answer: answer response verdict termination solverresult runresult
status: status runstatus result outcome error exitstatus solverstatus terminationstatus
    solutionstatus returnstatus answer response verdict termination solverresult runresult
time: time cputime runtime cpu seconds wallclock walltime duration wallclocktime solvetime
    solvingtime totaltime elapsed elapsedtime usertime realtime timesec cputimesec walltimesec
    cpusecond
quality: quality cost plancost objective objectivevalue obj makespan accuracy acc auc error loss
    score value
repeat: seed repetition rep repeat run trial randomseed
cutoff: cutoff timeout limit timelimit cutofftime
verified: verified verification checkerresult verifierresult checkresult
stratum: domain family stratum subtrack category track benchmarkset
track: track subtrack league division
day: date day timestamp
no_name: index id rowname row unnamed0 label key name
counted: run trial subject no nr num number observation obs
weight: weight weights gewicht
beside: id index rank ranking place position pos n count vote ci cilow cihigh cilower ciupper lower
    upper lowerbound upperbound std stdev stddev sd se sem stderr stderror token date timestamp
    param parameter entries submissions attempts rang platz anzahl datum
    weight weights gewicht size year release released price dimension dim memory contextlength
beside_last: std stdev stderr se sd tokens params parameters date lower timestamp count votes upper
    ci size year price dimensions rank length usage standarderror
beside_first: num n ci
standard_error: se sem stderr stderror standarderror
interval: ci cis interval confidence conf moe margin
low_end: low lower lo lb lcl cilow cilower lowerbound
high_end: high upper hi ub ucl cihigh ciupper upperbound
summary: total sum mean average avg overall median mittelwert durchschnitt mittel summe
lower: error errors err loss logloss time times runtime walltime seconds secs rank cost costs rmse
    mae mse mape smape latency perplexity ppl penalty duration regret brier fid wer cer failures
    crps nll par2 par10 misclassification overhead emissions
higher: accuracy acc auc auroc auprc roc f1 solved resolved r2 precision recall reward bleu rouge
    ndcg mrr dice iou wins winrate coverage correct success ssim psnr kappa mcc throughput speedup
    sensitivity specificity pass passed
turning: neg negative negated minus inverse inverted
"""
WORDS = {
    kind: frozenset(words.split())
    for kind, _, words in (
        each.partition(":") for each in re.split(r"\n(?=\w)", VOCABULARY.strip())
    )
}
JUDGES, ROUNDS = WORDS["judge"], WORDS["round"]
CANDIDATES, WEAK_CANDIDATES = WORDS["candidate"], WORDS["perhaps_candidate"]
WEAKLY = {"candidate": WEAK_CANDIDATES, "judge": ROUNDS | {"hash", "filename"}}
LAST_WORDS = {"score": WORDS["score"], "time": {"time"}, "quality": WORDS["quality"]}
UNRIVALLED = ("candidate", "judge", "score", "time", "quality", "cutoff", "verified", "stratum")

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


@cache
def _vocabulary(*kinds: str) -> frozenset[str]:
    return frozenset[str]().union(*(WORDS[kind] for kind in kinds))


def is_called(name: str, *kinds: str) -> bool:
    """Return whether a name is one of those that the vocabulary has for some kinds of things."""
    known = _vocabulary(*kinds)
    return plain(name, known) in known


def names_rows(name: str) -> bool:
    return is_called(name, "judge", "round", "candidate", "perhaps_candidate")


def role_of(name: str) -> str:
    """Return whether a column of this name holds candidates or judges; neither gives nothing."""
    if is_called(name, "candidate"):
        return "candidate"
    return "judge" if is_called(name, "judge", "round", "identifier") else ""


IN_FULL = {"algo": "algorithm", "alg": "algorithm", "clf": "classifier", "env": "environment"}
IN_FULL |= {"testcase": "test case", "cvfold": "fold", "outerfold": "fold", "innerfold": "fold"}
IN_FULL |= {"modell": "model", "verfahren": "method", "datensatz": "dataset", "aufgabe": "task"}
IN_FULL |= {"rep": "repeat", "cv": "fold", "k": "fold", "randomseed": "seed"}


def noun_of(name: str, *kinds: str) -> str:
    """Return what sentences call the things in a column, where its name tells, else nothing.

    >>> noun_of("Solver_names", "candidate"), noun_of("algo", "candidate"), noun_of("x", "judge")
    ('solver', 'algorithm', '')
    """
    known = _vocabulary(*kinds)
    noun = plain(name, known)
    return IN_FULL.get(noun, noun) if noun in known else ""


def common_word(columns: Sequence[str]) -> str:
    """Return the word that all columns share beside their numbers, else nothing.

    >>> common_word(["task_01", "task_02"]), common_word(["Fold 1", "Fold 2"]), common_word(["a"])
    ('task', 'fold', '')
    """
    shared = {re.sub(r"[\W_]*\d+$", "", name).casefold() for name in columns}
    numbered = all(name[-1:].isdigit() for name in columns)
    return shared.pop() if numbered and len(shared) == 1 < len(columns) else ""


def names_rounds(name: str, columns: Sequence[str]) -> bool:
    """Return whether a column tells rounds apart; ``k`` beside ``j`` is a letter and does not.

    >>> names_rounds("Fold", ["A"]), names_rounds("k", ["A", "B"]), names_rounds("k", ["i", "j"])
    (True, True, False)
    """
    letters = len(name) == 1 and any(chr(ord(name) + step) in columns for step in (-1, 1))
    return is_called(name, "round") and not letters


def is_unnamed(name: str) -> bool:
    """Return whether a column has no name, or the one that pandas makes up for it."""
    return plain(name) in {"", "unnamed0"}


def is_mean_time(name: str) -> bool:
    """Return whether a name says that scores are times that people average: PAR2, PAR10.

    >>> [*filter(is_mean_time, ("PAR10", "par2", "par-2", "parts", "runtime"))]
    ['PAR10', 'par2', 'par-2']
    """
    return tokens(name)[:1] == ["par"] and "".join(tokens(name)[1:]).isdigit()


def stands_beside(name: str) -> bool:
    """Return whether a column of this name tells about scores (a rank, a count) and holds none.

    >>> [*filter(stands_beside, ("rank", "acc_stderr", "Params (B)", "95% CI", "iris"))]
    ['rank', 'acc_stderr', 'Params (B)', '95% CI']
    """
    name = name.partition("(")[0] or name  # a unit, as in Params (B)
    words = tokens(name)
    ends = {*words[-1:], "".join(words[-2:])} & WORDS["beside_last"]
    return (len(words) > 1 and bool(ends or words[0] in WORDS["beside_first"])) or is_called(
        name, "beside"
    )


PER_CENT = re.compile(r"\d+(?:\.\d+)?(?=\s*%)|(?<!\d)9[059](?!\d)")
USUAL_LEVEL = 0.95
HALF = 50.0


def _per_cent(name: str) -> list[float]:
    return [x for x in map(float, PER_CENT.findall(name)) if 0 < x < 100]


def level_of(*names: str) -> float:
    """Return the level of an interval by the names of its columns; 95 % where they tell none.

    >>> level_of("95% CI"), level_of("CI90_low", "CI90_high"), level_of("2.5%", "97.5%")
    (0.95, 0.9, 0.95)
    """
    found = [x for name in names for x in _per_cent(name)]
    if len(found) == 2 and abs(sum(found) - 100) < 1e-9 and found[0] != found[1]:
        return abs(found[1] - found[0]) / 100
    return next((x / 100 for x in found if x >= HALF), USUAL_LEVEL)


def names_standard_error(name: str) -> bool:
    """Return whether a column of this name holds standard errors.

    >>> [*filter(names_standard_error, ("acc_stderr", "Std. Error", "SE", "std", "error", "sex"))]
    ['acc_stderr', 'Std. Error', 'SE']
    """
    words = tokens(name)
    return not WORDS["standard_error"].isdisjoint((*words, *map("".join, pairwise(words))))


def names_interval(name: str) -> bool:
    """Return whether a column of this name holds intervals, or half their widths.

    >>> [*filter(names_interval, ("95% CI", "CI (90 %)", "confidence", "margin of error", "city"))]
    ['95% CI', 'CI (90 %)', 'confidence', 'margin of error']
    """
    return not WORDS["interval"].isdisjoint(tokens(name))


def ends_of_intervals(columns: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of columns that are called the lower and the upper end of one thing.

    >>> ends_of_intervals(["score", "CI low", "CI high"]), ends_of_intervals(["x", "2.5%", "97.5%"])
    ([(1, 2)], [(1, 2)])
    >>> ends_of_intervals(["a lower", "b upper"]), ends_of_intervals(["low", "fare"])
    ([], [])
    """
    ends: dict[tuple[str, ...], dict[str, int]] = {}
    for k, name in enumerate(columns):
        words = tokens(name)
        for end in ("low_end", "high_end"):
            rest = tuple("" if word in WORDS[end] else word for word in words)
            if rest != tuple(words):
                ends.setdefault(rest, {}).setdefault(end, k)
        for x in _per_cent(name)[:1]:
            rest = tuple(word for word in words if not word.isdigit())
            end = "low_end" if x < HALF else "high_end"
            ends.setdefault((f"{min(x, 100 - x):g} %", *rest), {}).setdefault(end, k)
    return [(pair["low_end"], pair["high_end"]) for pair in ends.values() if len(pair) > 1]


def is_summary(name: str) -> bool:
    """Return whether a name is that of a total or mean, perhaps with what it is made of.

    >>> [*filter(is_summary, ("Average (56 datasets)", "total", "Mean score", "Total War"))]
    ['Average (56 datasets)', 'total']
    """
    return (name.partition("(")[0] or name).strip().lower() in WORDS["summary"]


def begins_as_summary(name: str) -> bool:
    """Return whether a name begins as that of a mean does: ``Mean score``, also ``Total War``."""
    return not WORDS["summary"].isdisjoint(tokens(name)[:1])


ARROWS = {"\u2191": "higher", "\u2193": "lower"}


def tells_days(name: str) -> bool:
    """Return whether a column of this name holds dates: ``release_date``."""
    return not WORDS["day"].isdisjoint(tokens(name))


def is_label(name: str) -> bool:
    """Return whether a column of this name holds names even where they are numbers."""
    kinds = ("judge", "round", "identifier", "candidate", "no_name")
    return plain(name) == "" or is_called(name, *kinds)


def matches(role: str, columns: Sequence[str]) -> list[int]:
    """Return the columns that look like the candidate, the judge, the score ..., by strength.

    The word itself beats its synonyms, and a whole name beats one that only ends so; several are
    left where the names do not settle it. How a process ended is often called status and what it
    answered result: there the word itself settles nothing.
    """
    names = [plain(column, WORDS[role]) for column in columns]
    weak, last = WEAKLY.get(role, frozenset()), LAST_WORDS.get(role, frozenset())
    ends = [plain(c, weak) in weak or not last.isdisjoint(tokens(c)[-1:]) for c in columns]
    tiers = (
        [k for k, name in enumerate(names) if name == role and role in UNRIVALLED],
        [k for k, name in enumerate(names) if name in WORDS[role]],
        [k for k, weakly in enumerate(ends) if weakly],
    )
    return next(filter(None, tiers), [])


def usual_direction(name: str) -> Direction | None:
    """Return which way scores of a name are better; None where it does not tell.

    >>> [*map(usual_direction, ("Toxicity (lower is better)", "FID \u2193", "val_acc", "iris"))]
    ['lower', 'lower', 'higher', None]
    """
    parts = tokens(name)
    if "better" in parts or not {*ARROWS}.isdisjoint(name):
        said = {*parts, *(ARROWS[sign] for sign in name if sign in ARROWS)} & {"lower", "higher"}
        return cast("Direction", said.pop()) if len(said) == 1 else None
    pairs = {a + b for a, b in pairwise(parts)}  # r2, f1, par10, log loss
    words = {*parts, *pairs} - ({"time"} if "series" in parts else set())
    low, high = bool(words & WORDS["lower"]), bool(words & WORDS["higher"])
    if low == high or words & WORDS["turning"]:
        return None
    return "lower" if low else "higher"
