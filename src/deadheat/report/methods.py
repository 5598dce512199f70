"""What was done, as the methods paragraph of a paper, with what to cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deadheat.criteria.mapped import has_map
from deadheat.criteria.result import Criteria
from deadheat.data.runs import Runs
from deadheat.errors import counted
from deadheat.inference.agreement import Agreement
from deadheat.inference.claims import sound, tested, too_few, units
from deadheat.inference.influence import Influence
from deadheat.inference.rating_claims import shows
from deadheat.inference.rating_parts import RatingParts
from deadheat.inference.ratings import Ratings
from deadheat.inference.removal import Removals
from deadheat.inference.verdict import Verdict
from deadheat.markup import in_latex, in_markdown
from deadheat.report import references as papers
from deadheat.report.references import Reference
from deadheat.resampling.choice import plan_in_words
from deadheat.resampling.plans import Bayesian, Jackknife, Subsample
from deadheat.text import number

TESTS: dict[str, tuple[str, tuple[Reference, ...]]] = {
    "max-t": ("the stepwise max-T test", (papers.ROMANO,)),
    "sign-flip": ("the max-T test with random sign-flips", (papers.ROMANO,)),
    "t-holm": ("paired t-tests with Holm's correction", (papers.HOLM,)),
    "wilcoxon-holm": (
        "signed-rank tests with Holm's correction",
        (papers.WILCOXON, papers.HOLM),
    ),
    "nemenyi": ("Nemenyi's test", (papers.NEMENYI,)),
}
MODELS: dict[str, tuple[str, tuple[Reference, ...]]] = {
    "bradley-terry": ("the Bradley-Terry model", (papers.BRADLEY,)),
    "epp": (
        "EPP, the Bradley-Terry model of rounds",
        (papers.GOSIEWSKA, papers.BRADLEY),
    ),
    "plackett-luce": ("the Plackett-Luce model", (papers.PLACKETT,)),
    "elo": ("Elo's method", (papers.ELO,)),
    "gaussian": ("Gaussian beliefs about skills", (papers.HERBRICH,)),
}


@dataclass(frozen=True)
class Sentence:
    """Hold a sentence without its full stop, and what it cites."""

    text: str
    cites: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Methods:
    """Hold the sentences on what was done; it writes itself for people, Markdown and LaTeX."""

    sentences: tuple[Sentence, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        """What is cited, each once, by author."""
        every = dict.fromkeys(cited for each in self.sentences for cited in each.cites)
        return tuple(sorted(every, key=lambda one: one.key))

    def text(self) -> str:
        """Return the paragraph, a blank line, and the references."""
        return "\n".join([self.paragraph(), "", *(one.full for one in self.references)])

    def paragraph(self) -> str:
        """Return the paragraph alone."""
        return " ".join(_cited(each) for each in self.sentences)

    def markdown(self) -> str:
        """Return the paragraph and a list of references."""
        said = " ".join(in_markdown(_cited(each)) for each in self.sentences)
        listed = (f"- {in_markdown(one.full)}" for one in self.references)
        return "\n".join([said, "", *listed, ""])

    def latex(self) -> str:
        r"""Return the paragraph with ``\cite``; :meth:`bibtex` has the entries."""
        return " ".join(map(_in_latex, self.sentences)) + "\n"

    def bibtex(self) -> str:
        """Return the entries of what is cited."""
        return "\n".join(one.bibtex() for one in self.references)


AGREED = (
    Sentence("How much the judges agree is Kendall's W, corrected for ties", (papers.KENDALL,)),
    Sentence(
        "Judges were clustered by average linkage of rank correlations, and mapped by the "
        "principal components of the ranks that they give"
    ),
)


def methods(
    v: Verdict | None = None,
    *,
    influence: Influence | None = None,
    removals: Removals | None = None,
    criteria: Criteria | None = None,
    agreement: Agreement | None = None,
    ratings: Ratings | RatingParts | None = None,
    runs: Runs | None = None,
) -> Methods:
    """Return the methods paragraph of a page with these results: all that was done, and no more.

    Examples
    --------
    >>> import deadheat as dh
    >>> v = dh.verdict(dh.examples.load("compressors"), replicates=200)
    >>> print(methods(v).sentences[1].text)
    The candidates were ranked by average rank
    """
    first = next(each for each in (v, ratings, criteria, agreement, influence) if each is not None)
    told = [] if v is None else [*_verdict(v)]
    if influence is not None:
        told.append(_influence(influence))
    if removals is not None:
        told.append(Sentence("Each candidate was left out in turn, and the others ranked again"))
    if agreement is not None:
        told += AGREED
    if criteria is not None:
        told += _criteria(criteria)
    if ratings is not None:
        told += _ratings(ratings)
    if runs is not None:
        told.append(Sentence("Runs are also shown as performance profiles", (papers.DOLAN,)))
    version = first.made["version"]
    told.append(Sentence(f"All was computed with deadheat {version}{_digest(first.made)}"))
    return Methods(tuple(told))


def _verdict(v: Verdict) -> Iterator[Sentence]:
    results = v.evidence.results
    table = f"{counted(results.n, 'candidate')} and {counted(results.m, 'judge')}"
    scored = f", scored by the rule {results.rule}" if results.rule else ""
    yield Sentence(f"The table has {table}{scored}")
    if results.missing != "error":
        yield Sentence(f"The policy on missing scores was {results.missing}")
    by = v.called.replace("_", " ")
    yield Sentence(f"The candidates were ranked by {by}")
    yield _resampling(v)
    yield _intervals(v)
    if v.strictly is not None:
        yield from _strict(v)
    yield from _groups(v)
    if v.best is not None:
        yield Sentence(
            "Who may be the best comes from comparisons with the best, by the studentized "
            "bootstrap, and from the first group",
            (papers.HSU,),
        )
    if v.strictly is None and v.all_pairs is not None and tested(v):
        yield _tests(v, "All pairs were also tested at once, two-sided, by")
    if v.has_official:
        yield Sentence("The official order was compared with the groups and had no part in them")
    yield Sentence(
        "Two candidates are compared by the same resamples, without a correction for there being "
        "many pairs"
    )
    if v.first_by:
        others = counted(len(v.first_by), "other ranking function")
        yield Sentence(f"Who is first was also asked of {others}")


def _resampling(v: Verdict) -> Sentence:
    plan, what = v.evidence.plan, plan_in_words(v.evidence.results, v.evidence.plan)
    if isinstance(plan, Jackknife):
        return Sentence(f"The ranking was repeated on {what}", (papers.JACKKNIFE,))
    cited = papers.EFRON
    if isinstance(plan, Bayesian):
        cited = papers.RUBIN
    if isinstance(plan, Subsample):
        cited = papers.POLITIS
    seed = f"seed {v.made['seed']}"
    tested = "" if "tested" not in v.made else f" (leaders were tested on {v.made['tested']:,})"
    return Sentence(
        f"The ranking was repeated on {len(v.merits):,} resamples{tested}: {what}, {seed}", (cited,)
    )


def _intervals(v: Verdict) -> Sentence:
    level = f"{number(100 * (1 - v.alpha))} %"
    if isinstance(v.evidence.plan, Jackknife):
        return Sentence(f"Intervals of the merits have the level {level}, from jackknife errors")
    cited = (papers.BCA,) if v.interval == "bca" else ()
    student = v.evidence.quantiles(v.interval) != v.interval
    levels = ", with the levels of Student's t" if student else ""
    return Sentence(f"Intervals of the merits are {level} {v.interval} intervals{levels}", cited)


def _groups(v: Verdict) -> Iterator[Sentence]:
    leader = (
        "is most often first in the resamples" if v.leader == "plurality" else "has the best merit"
    )
    correction = str(v.made["correction"])
    holm = (papers.HOLM,) if correction == "holm" else ()
    what = "Tie groups" if v.strictly is None else "For comparison, groups were also made so"
    yield Sentence(
        f"{what}: the candidate that {leader} was tested one-sided against all others "
        f"(level {number(v.alpha)}, correction {correction}); those that the test did "
        "not put below it are in its group, and the rest was grouped likewise",
        (papers.FAWCETT, *holm),
    )
    p = "k/B" if v.made["p_value"] == "paper" else "(k+1)/(B+1)"
    yield Sentence(f"A p-value is {p}, where k of B resamples do not put the leader ahead")


def _strict(v: Verdict) -> Iterator[Sentence]:
    yield _tests(v, "Tie groups come from two-sided tests of all pairs at once by")
    if sound(v):
        yield Sentence(
            "Ranges of ranks are simultaneous confidence sets from the same tests",
            (papers.MOGSTAD,),
        )
    else:
        yield Sentence("Ranges of ranks count who is put above and below by the same tests")


def _tests(v: Verdict, lead: str) -> Sentence:
    what, cited = TESTS[v.test]
    if v.evidence.contributions is None:
        what = "the max-T test with one error over all resamples"
    level = f"at the family-wise level {number(v.alpha)}"
    if too_few(v):
        level = f"whose error is not known with {units(v)}"
    elif not tested(v):
        level = f"which controls no error, since {v.evidence.no_mean}"
    return Sentence(f"{lead} {what}, {level}", cited)


def _influence(found: Influence) -> Sentence:
    return Sentence(
        f"Each of {found.parts.counted(len(found.parts))} was left out in turn, and the others "
        "ranked again",
        (papers.FAWCETT,),
    )


def _criteria(found: Criteria) -> Iterator[Sentence]:
    trials = counted(int(found.made["trials"]), "resampled table")
    names = counted(len(found.made["function"]), "ranking function")
    yield Sentence(f"{names} were compared on {trials} by empirical criteria", (papers.PAVAO,))
    if has_map(found):
        yield Sentence(
            "The map of functions is a multidimensional scaling of how their rankings correlate",
            (papers.LEEUW,),
        )


def _ratings(found: Ratings | RatingParts) -> Iterator[Sentence]:
    model = str(found.made["function"])
    what, cited = MODELS.get(model, (f"the model {model}", ()))
    yield Sentence(f"Ratings come from {what}", cited)
    level = number(100 * (1 - found.made["alpha"]))
    drawn = f"{found.made['replicates'] or 0:,} resamples, seed {found.made['seed']}"
    how = drawn if found.made["errors"] == "bootstrap" else found.made["errors"]
    yield Sentence(f"Their intervals have the level {level} % ({how})")
    if isinstance(found, Ratings):
        yield _rating_groups(found)


def _rating_groups(found: Ratings) -> Sentence:
    level = number(found.alpha)
    tests = found.grouped.tests
    if tests is None:
        resampled = found.evidence.replicates is not None
        leader = "is most often first in the resamples" if resampled else "has the highest rating"
        return Sentence(
            f"Groups of ratings: the candidate that {leader} was tested one-sided against all "
            f"others (level {level}, correction holm), and the rest was grouped likewise",
            (papers.FAWCETT, papers.HOLM),
        )
    what, cited = (
        ("Holm's correction", papers.HOLM)
        if tests.method.endswith("holm")
        else ("the max-T test", papers.ROMANO)
    )
    told = f"at the family-wise level {level}" if shows(found) else "whose error is not known"
    return Sentence(f"Groups of ratings come from tests of all pairs by {what}, {told}", (cited,))


def _digest(made: object) -> str:
    digest = made.get("sha256") if isinstance(made, dict) else None
    return f" (sha256 of the data: {digest})" if isinstance(digest, str) and digest else ""


def _cited(sentence: Sentence) -> str:
    who = "; ".join(one.short for one in sentence.cites)
    return f"{sentence.text} ({who})." if who else f"{sentence.text}."


def _in_latex(sentence: Sentence) -> str:
    keys = ",".join(one.key for one in sentence.cites)
    said = in_latex(sentence.text)
    return f"{said}~\\cite{{{keys}}}." if keys else f"{said}."
