"""What was done, as the methods paragraph of a paper, with what to cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deadheat.agree.api import Agreement
from deadheat.core.errors import counted
from deadheat.criteria.result import Criteria, has_map
from deadheat.data.runs import Runs
from deadheat.influence.api import Influence, Removals
from deadheat.output.table import in_latex
from deadheat.output.text import number
from deadheat.rate.result import Ratings
from deadheat.rate.tournaments import RatingParts
from deadheat.resampling.plans import PlanKind
from deadheat.verdict.result import Verdict

# ------------------------------------------------------------------------------
# The papers whose methods deadheat uses, as people cite them and for BibTeX.


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Hold a work: who wrote it, when, its title, and where it appeared."""

    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    where: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The key in BibTeX: the first family name and the year."""
        family = self.authors[0].split(",")[0]
        return "".join(c for c in family.lower() if c.isascii() and c.isalpha()) + str(self.year)

    @property
    def short(self) -> str:
        """The work as a text cites it, such as ``Bradley and Terry, 1952``."""
        families = [author.split(",")[0] for author in self.authors]
        who = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        return f"{who}, {self.year}"

    @property
    def full(self) -> str:
        """The work as a list of references has it."""
        *others, last = self.authors
        who = f"{', '.join(others)} and {last}" if others else last
        found = dict(self.where)
        place = found.get("journal") or found.get("booktitle") or found.get("publisher")
        place = place or found.get("school") or found.get("howpublished") or ""
        volume = f" {found['volume']}" if "volume" in found else ""
        pages = f", {found['pages'].replace('--', '-')}" if "pages" in found else ""
        end = f" {place}{volume}{pages}." if place else ""
        return f"{who} ({self.year}). {self.title}.{end}"

    def bibtex(self) -> str:
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            **dict(self.where),
            "year": str(self.year),
        }
        lines = (f"  {name} = {{{value}}}," for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n" + "\n".join(lines) + "\n}\n"


def _work(kind: str, authors: str, year: int, title: str, **where: str) -> Reference:
    return Reference(
        kind=kind,
        authors=tuple(authors.split("; ")),
        year=year,
        title=title,
        where=tuple(where.items()),
    )


def _article(authors: str, year: int, title: str, place: str) -> Reference:
    """Return an article; its place is the journal, the volume and the pages."""
    journal, volume, pages = place.rsplit(", ", 2)
    return _work("article", authors, year, title, journal=journal, volume=volume, pages=pages)


FAWCETT = _work(
    "misc",
    "Fawcett, Chris; Vallati, Mauro; Hoos, Holger H.; Gerevini, Alfonso E.",
    2023,
    "Competitions in AI - Robustly Ranking Solvers Using Statistical Resampling",
    howpublished="arXiv:2308.05062",
)
PAVAO = _work(
    "inproceedings",
    "Pavao, Adrien; Vaccaro, Michael; Guyon, Isabelle",
    2021,
    "Judging competitions and benchmarks: a candidate election approach",
    booktitle="European Symposium on Artificial Neural Networks (ESANN)",
)
GOSIEWSKA = _work(
    "misc",
    "Gosiewska, Alicja; Woznica, Katarzyna; Bakala, Mateusz; Zwolinski, Maciej; Biecek, Przemyslaw",
    2019,
    "EPP: interpretable score of model predictive power",
    howpublished="arXiv:1908.09213",
)
HOLM = _article(
    "Holm, Sture",
    1979,
    "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics, 6, 65--70",
)
EFRON = _article(
    "Efron, Bradley",
    1979,
    "Bootstrap methods: another look at the jackknife",
    "Annals of Statistics, 7, 1--26",
)
BCA = _article(
    "Efron, Bradley",
    1987,
    "Better bootstrap confidence intervals",
    "Journal of the American Statistical Association, 82, 171--185",
)
RUBIN = _article(
    "Rubin, Donald B.",
    1981,
    "The Bayesian bootstrap",
    "Annals of Statistics, 9, 130--134",
)
POLITIS = _article(
    "Politis, Dimitris N.; Romano, Joseph P.",
    1994,
    "Large sample confidence regions based on subsamples under minimal assumptions",
    "Annals of Statistics, 22, 2031--2050",
)
JACKKNIFE = _article(
    "Efron, Bradley; Stein, Charles",
    1981,
    "The jackknife estimate of variance",
    "Annals of Statistics, 9, 586--596",
)
ROMANO = _article(
    "Romano, Joseph P.; Wolf, Michael",
    2005,
    "Stepwise multiple testing as formalized data snooping",
    "Econometrica, 73, 1237--1282",
)
HSU = _article(
    "Hsu, Jason C.",
    1984,
    "Constrained simultaneous confidence intervals for multiple comparisons with the best",
    "Annals of Statistics, 12, 1136--1144",
)
MOGSTAD = _article(
    "Mogstad, Magne; Romano, Joseph P.; Shaikh, Azeem M.; Wilhelm, Daniel",
    2024,
    "Inference for ranks with applications to mobility across neighbourhoods and academic "
    "achievement across countries",
    "Review of Economic Studies, 91, 476--518",
)
LEEUW = _work(
    "inproceedings",
    "de Leeuw, Jan",
    1977,
    "Applications of convex analysis to multidimensional scaling",
    booktitle="Recent Developments in Statistics",
    pages="133--145",
)
DOLAN = _article(
    "Dolan, Elizabeth D.; Moré, Jorge J.",
    2002,
    "Benchmarking optimization software with performance profiles",
    "Mathematical Programming, 91, 201--213",
)
WILCOXON = _article(
    "Wilcoxon, Frank",
    1945,
    "Individual comparisons by ranking methods",
    "Biometrics Bulletin, 1, 80--83",
)
NEMENYI = _work(
    "phdthesis",
    "Nemenyi, Peter Bjorn",
    1963,
    "Distribution-free multiple comparisons",
    school="Princeton University",
)
KENDALL = _article(
    "Kendall, Maurice G.; Babington Smith, Bernard",
    1939,
    "The problem of m rankings",
    "Annals of Mathematical Statistics, 10, 275--287",
)
BRADLEY = _article(
    "Bradley, Ralph Allan; Terry, Milton E.",
    1952,
    "Rank analysis of incomplete block designs: I. The method of paired comparisons",
    "Biometrika, 39, 324--345",
)
PLACKETT = _article(
    "Plackett, Robin L.",
    1975,
    "The analysis of permutations",
    "Journal of the Royal Statistical Society, Series C, 24, 193--202",
)
ELO = _work(
    "book",
    "Elo, Arpad E.",
    1978,
    "The rating of chessplayers, past and present",
    publisher="Arco",
)
HERBRICH = _work(
    "inproceedings",
    "Herbrich, Ralf; Minka, Tom; Graepel, Thore",
    2007,
    "TrueSkill: a Bayesian skill rating system",
    booktitle="Advances in Neural Information Processing Systems 19",
)


# ------------------------------------------------------------------------------

PLANS: dict[PlanKind, Reference] = {
    "bootstrap": EFRON,
    "bayesian": RUBIN,
    "subsample": POLITIS,
    "jackknife": JACKKNIFE,
}
TESTS: dict[str, tuple[str, tuple[Reference, ...]]] = {
    "max-t": ("the stepwise max-T test", (ROMANO,)),
    "sign-flip": ("the max-T test with random sign-flips", (ROMANO,)),
    "t-holm": ("paired t-tests with Holm's correction", (HOLM,)),
    "wilcoxon-holm": ("signed-rank tests with Holm's correction", (WILCOXON, HOLM)),
    "nemenyi": ("Nemenyi's test", (NEMENYI,)),
}
MODELS: dict[str, tuple[str, tuple[Reference, ...]]] = {
    "bradley-terry": ("the Bradley-Terry model", (BRADLEY,)),
    "epp": ("EPP, the Bradley-Terry model of rounds", (GOSIEWSKA, BRADLEY)),
    "plackett-luce": ("the Plackett-Luce model", (PLACKETT,)),
    "elo": ("Elo's method", (ELO,)),
    "gaussian": ("Gaussian beliefs about skills", (HERBRICH,)),
}


@dataclass(frozen=True)
class Sentence:
    """Hold a sentence without its full stop, and what it cites."""

    text: str
    cites: tuple[Reference, ...] = ()

    def plain(self) -> str:
        who = "; ".join(one.short for one in self.cites)
        return f"{self.text} ({who})." if who else f"{self.text}."

    def latex(self) -> str:
        keys = ",".join(one.key for one in self.cites)
        return in_latex(self.text) + (f"~\\cite{{{keys}}}." if keys else ".")


@dataclass(frozen=True)
class Methods:
    """Hold the sentences on what was done; it writes itself for people and for LaTeX."""

    sentences: tuple[Sentence, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        every = dict.fromkeys(cited for each in self.sentences for cited in each.cites)
        return tuple(sorted(every, key=lambda one: one.key))

    def text(self) -> str:
        """Return the paragraph, a blank line, and the references."""
        return "\n".join([self.paragraph(), "", *(one.full for one in self.references)])

    def paragraph(self) -> str:
        return " ".join(each.plain() for each in self.sentences)

    def latex(self) -> str:
        r"""Return the paragraph with ``\cite``; :meth:`bibtex` has the entries."""
        return " ".join(each.latex() for each in self.sentences) + "\n"

    def bibtex(self) -> str:
        """Return the entries of what is cited."""
        return "\n".join(one.bibtex() for one in self.references)


AGREED = (
    Sentence("How much the judges agree is Kendall's W, corrected for ties", (KENDALL,)),
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
        parts = influence.parts.counted(len(influence.parts))
        each = f"Each of {parts} was left out in turn, and the others ranked again"
        told.append(Sentence(each, (FAWCETT,)))
    if removals is not None:
        told.append(Sentence("Each candidate was left out in turn, and the others ranked again"))
    if agreement is not None:
        told += AGREED
    if criteria is not None:
        told += _criteria(criteria)
    if ratings is not None:
        told += _ratings(ratings)
    if runs is not None:
        told.append(Sentence("Runs are also shown as performance profiles", (DOLAN,)))
    version, digest = first.made["version"], first.made.get("sha256")
    data = f" (sha256 of the data: {digest})" if isinstance(digest, str) and digest else ""
    told.append(Sentence(f"All was computed with deadheat {version}{data}"))
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
        yield _tests(v, "Tie groups come from two-sided tests of all pairs at once by")
        ranges = "Ranges of ranks are simultaneous confidence sets from the same tests"
        counts = "Ranges of ranks count who is put above and below by the same tests"
        yield Sentence(ranges, (MOGSTAD,)) if v.sound else Sentence(counts)
    yield from _groups(v)
    if v.best is not None:
        yield Sentence(
            "Who may be the best comes from comparisons with the best, by the studentized "
            "bootstrap, and from the first group",
            (HSU,),
        )
    if v.strictly is None and v.all_pairs is not None and v.tested:
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
    plan, what = v.evidence.plan, v.evidence.plan.in_words(v.evidence.results.m)
    cited = PLANS[plan.kind]
    if not plan.random:
        return Sentence(f"The ranking was repeated on {what}", (cited,))
    seed = f"seed {v.made['seed']}"
    tested = "" if "tested" not in v.made else f" (leaders were tested on {v.made['tested']:,})"
    return Sentence(
        f"The ranking was repeated on {len(v.merits):,} resamples{tested}: {what}, {seed}", (cited,)
    )


def _intervals(v: Verdict) -> Sentence:
    level = f"{number(100 * (1 - v.alpha))} %"
    if not v.evidence.plan.random:
        return Sentence(f"Intervals of the merits have the level {level}, from jackknife errors")
    cited = (BCA,) if v.interval == "bca" else ()
    student = v.evidence.quantiles(v.interval) != v.interval
    levels = ", with the levels of Student's t" if student else ""
    return Sentence(f"Intervals of the merits are {level} {v.interval} intervals{levels}", cited)


def _groups(v: Verdict) -> Iterator[Sentence]:
    leader = (
        "is most often first in the resamples" if v.leader == "plurality" else "has the best merit"
    )
    correction = str(v.made["correction"])
    holm = (HOLM,) if correction == "holm" else ()
    what = "Tie groups" if v.strictly is None else "For comparison, groups were also made so"
    yield Sentence(
        f"{what}: the candidate that {leader} was tested one-sided against all others "
        f"(level {number(v.alpha)}, correction {correction}); those that the test did "
        "not put below it are in its group, and the rest was grouped likewise",
        (FAWCETT, *holm),
    )
    p = "k/B" if v.made["p_value"] == "paper" else "(k+1)/(B+1)"
    yield Sentence(f"A p-value is {p}, where k of B resamples do not put the leader ahead")


def _tests(v: Verdict, lead: str) -> Sentence:
    what, cited = TESTS[v.test]
    if v.evidence.contributions is None:
        what = "the max-T test with one error over all resamples"
    level = f"at the family-wise level {number(v.alpha)}"
    if v.too_few:
        level = f"whose error is not known with {v.units}"
    elif not v.tested:
        level = f"which controls no error, since {v.evidence.no_mean}"
    return Sentence(f"{lead} {what}, {level}", cited)


def _criteria(found: Criteria) -> Iterator[Sentence]:
    trials = counted(int(found.made["trials"]), "resampled table")
    names = counted(len(found.made["function"]), "ranking function")
    yield Sentence(f"{names} were compared on {trials} by empirical criteria", (PAVAO,))
    if has_map(found):
        yield Sentence(
            "The map of functions is a multidimensional scaling of how their rankings correlate",
            (LEEUW,),
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
            (FAWCETT, HOLM),
        )
    what, cited = (
        ("Holm's correction", HOLM) if tests.method.endswith("holm") else ("the max-T test", ROMANO)
    )
    told = f"at the family-wise level {level}" if found.shows else "whose error is not known"
    return Sentence(f"Groups of ratings come from tests of all pairs by {what}, {told}", (cited,))
