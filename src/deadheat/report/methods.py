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
from deadheat.verdict.result import Verdict


@dataclass(frozen=True)
class Reference:
    """Hold a work; ``where`` begins with what it appeared in."""

    kind: str
    authors: list[str]
    year: str
    title: str
    where: dict[str, str]

    @property
    def key(self) -> str:
        """The key in BibTeX: the first family name and the year."""
        family = self.authors[0].split(",")[0]
        return "".join(c for c in family.lower() if c.isascii() and c.isalpha()) + self.year

    @property
    def short(self) -> str:
        """The work as a text cites it, such as ``Bradley and Terry, 1952``."""
        families = [author.split(",")[0] for author in self.authors]
        who = " and ".join(families) if len(families) < 3 else f"{families[0]} et al."
        return f"{who}, {self.year}"

    @property
    def full(self) -> str:
        *others, last = self.authors
        who = f"{', '.join(others)} and {last}" if others else last
        place, *_ = self.where.values()
        volume = f" {self.where['volume']}" if "volume" in self.where else ""
        pages = f", {self.where['pages'].replace('--', '-')}" if "pages" in self.where else ""
        return f"{who} ({self.year}). {self.title}. {place}{volume}{pages}."

    def bibtex(self) -> str:
        fields = {"author": " and ".join(self.authors), "title": f"{{{self.title}}}"}
        fields |= {**self.where, "year": self.year}
        lines = (f"  {name} = {{{value}}}," for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n" + "\n".join(lines) + "\n}\n"


_WORKS = """
@misc Fawcett, Chris; Vallati, Mauro; Hoos, Holger H.; Gerevini, Alfonso E. | 2023 | Competitions in
  AI - Robustly Ranking Solvers Using Statistical Resampling | howpublished=arXiv:2308.05062
@inproceedings Pavao, Adrien; Vaccaro, Michael; Guyon, Isabelle | 2021 | Judging competitions and
  benchmarks: a candidate election approach | booktitle=European Symposium on Artificial Neural
  Networks (ESANN)
@misc Gosiewska, Alicja; Woznica, Katarzyna; Bakala, Mateusz; Zwolinski, Maciej; Biecek, Przemyslaw
  | 2019 | EPP: interpretable score of model predictive power | howpublished=arXiv:1908.09213
@article Holm, Sture | 1979 | A simple sequentially rejective multiple test procedure |
  journal=Scandinavian Journal of Statistics | volume=6 | pages=65--70
@article Efron, Bradley | 1979 | Bootstrap methods: another look at the jackknife |
  journal=Annals of Statistics | volume=7 | pages=1--26
@article Efron, Bradley | 1987 | Better bootstrap confidence intervals |
  journal=Journal of the American Statistical Association | volume=82 | pages=171--185
@article Rubin, Donald B. | 1981 | The Bayesian bootstrap |
  journal=Annals of Statistics | volume=9 | pages=130--134
@article Politis, Dimitris N.; Romano, Joseph P. | 1994 | Large sample confidence regions based on
  subsamples under minimal assumptions | journal=Annals of Statistics | volume=22 | pages=2031--2050
@article Efron, Bradley; Stein, Charles | 1981 | The jackknife estimate of variance |
  journal=Annals of Statistics | volume=9 | pages=586--596
@article Romano, Joseph P.; Wolf, Michael | 2005 | Stepwise multiple testing as formalized data
  snooping | journal=Econometrica | volume=73 | pages=1237--1282
@article Hsu, Jason C. | 1984 | Constrained simultaneous confidence intervals for multiple
  comparisons with the best | journal=Annals of Statistics | volume=12 | pages=1136--1144
@article Mogstad, Magne; Romano, Joseph P.; Shaikh, Azeem M.; Wilhelm, Daniel | 2024 | Inference for
  ranks with applications to mobility across neighbourhoods and academic achievement across
  countries | journal=Review of Economic Studies | volume=91 | pages=476--518
@inproceedings de Leeuw, Jan | 1977 | Applications of convex analysis to multidimensional scaling |
  booktitle=Recent Developments in Statistics | pages=133--145
@article Dolan, Elizabeth D.; Moré, Jorge J. | 2002 | Benchmarking optimization software with
  performance profiles | journal=Mathematical Programming | volume=91 | pages=201--213
@article Wilcoxon, Frank | 1945 | Individual comparisons by ranking methods |
  journal=Biometrics Bulletin | volume=1 | pages=80--83
@phdthesis Nemenyi, Peter Bjorn | 1963 | Distribution-free multiple comparisons |
  school=Princeton University
@article Kendall, Maurice G.; Babington Smith, Bernard | 1939 | The problem of m rankings |
  journal=Annals of Mathematical Statistics | volume=10 | pages=275--287
@article Bradley, Ralph Allan; Terry, Milton E. | 1952 | Rank analysis of incomplete block designs:
  I. The method of paired comparisons | journal=Biometrika | volume=39 | pages=324--345
@article Plackett, Robin L. | 1975 | The analysis of permutations |
  journal=Journal of the Royal Statistical Society, Series C | volume=24 | pages=193--202
@book Elo, Arpad E. | 1978 | The rating of chessplayers, past and present | publisher=Arco
@inproceedings Herbrich, Ralf; Minka, Tom; Graepel, Thore | 2007 | TrueSkill: a Bayesian skill
  rating system | booktitle=Advances in Neural Information Processing Systems 19
"""


def _work(entry: str) -> Reference:
    kind, rest = entry.split(maxsplit=1)
    authors, year, title, *where = " ".join(rest.split()).split(" | ")
    return Reference(kind, authors.split("; "), year, title, dict(w.split("=") for w in where))


WORKS = {work.key: work for work in map(_work, _WORKS.split("@")[1:])}
PLANS = {"bootstrap": "efron1979", "bayesian": "rubin1981", "subsample": "politis1994"}
TESTS = {
    "max-t": ("the stepwise max-T test", "romano2005"),
    "sign-flip": ("the max-T test with random sign-flips", "romano2005"),
    "t-holm": ("paired t-tests with Holm's correction", "holm1979"),
    "wilcoxon-holm": ("signed-rank tests with Holm's correction", "wilcoxon1945 holm1979"),
    "nemenyi": ("Nemenyi's test", "nemenyi1963"),
}
MODELS = {
    "bradley-terry": ("the Bradley-Terry model", "bradley1952"),
    "epp": ("EPP, the Bradley-Terry model of rounds", "gosiewska2019 bradley1952"),
    "plackett-luce": ("the Plackett-Luce model", "plackett1975"),
    "elo": ("Elo's method", "elo1978"),
    "gaussian": ("Gaussian beliefs about skills", "herbrich2007"),
}


@dataclass(frozen=True)
class Sentence:
    """Hold a sentence without its full stop, and the keys of the works that it cites."""

    text: str
    cites: str = ""

    def plain(self) -> str:
        who = "; ".join(WORKS[key].short for key in self.cites.split())
        return f"{self.text} ({who})." if who else f"{self.text}."

    def latex(self) -> str:
        cited = f"~\\cite{{{','.join(self.cites.split())}}}." if self.cites else "."
        return in_latex(self.text) + cited


@dataclass(frozen=True)
class Methods:
    """Hold the sentences on what was done; it writes itself for people and for LaTeX."""

    sentences: tuple[Sentence, ...]

    @property
    def references(self) -> tuple[Reference, ...]:
        every = {key for each in self.sentences for key in each.cites.split()}
        return tuple(WORKS[key] for key in sorted(every))

    def text(self) -> str:
        """Return the paragraph, a blank line, and the references."""
        return "\n".join([self.paragraph(), "", *(one.full for one in self.references)])

    def paragraph(self) -> str:
        return " ".join(each.plain() for each in self.sentences)

    def latex(self) -> str:
        return " ".join(each.latex() for each in self.sentences) + "\n"

    def bibtex(self) -> str:
        return "\n".join(one.bibtex() for one in self.references)


AGAIN = "was left out in turn, and the others ranked again"
AGREEMENT = (
    Sentence("How much the judges agree is Kendall's W, corrected for ties", "kendall1939"),
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
    """Return the methods paragraph of a page with these results: all that was done, and no more."""
    first = next(each for each in (v, ratings, criteria, agreement, influence) if each is not None)
    told = [] if v is None else [*_verdict(v)]
    if influence is not None:
        parts = influence.parts.in_words(len(influence.parts))
        told.append(Sentence(f"Each of {parts} {AGAIN}", "fawcett2023"))
    if removals is not None:
        told.append(Sentence(f"Each candidate {AGAIN}"))
    if agreement is not None:
        told += AGREEMENT
    if criteria is not None:
        told += _criteria(criteria)
    if ratings is not None:
        told += _ratings(ratings)
    if runs is not None:
        told.append(Sentence("Runs are also shown as performance profiles", "dolan2002"))
    version, digest = first.made["version"], first.made.get("sha256")
    data = f" (sha256 of the data: {digest})" if isinstance(digest, str) and digest else ""
    return Methods((*told, Sentence(f"All was computed with deadheat {version}{data}")))


def _verdict(v: Verdict) -> Iterator[Sentence]:
    results = v.evidence.results
    table = f"{v.nouns.candidates(results.n)} and {results.judged_on}"
    rule = f", scored by the rule {results.rule}" if results.rule else ""
    yield Sentence(f"The table has {table}{rule}")
    if results.missing != "error":
        yield Sentence(f"The policy on missing scores was {results.missing}")
    yield Sentence(f"The {v.nouns.candidates()} were ranked by {v.called}")
    yield from _resampling(v)
    yield from _groups(v)
    if v.best is not None:
        yield Sentence(
            "Who may be the best comes from comparisons with the best, by the studentized "
            "bootstrap, and from the first group",
            "hsu1984",
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


def _resampling(v: Verdict) -> Iterator[Sentence]:
    plan, what = v.evidence.plan, v.plan_in_words
    level = f"{number(100 * (1 - v.alpha))} %"
    if not plan.random:
        yield Sentence(f"The ranking was repeated on {what}", "efron1981")
        yield Sentence(f"Intervals of the merits have the level {level}, from jackknife errors")
        return
    tested = "" if "tested" not in v.made else f" (leaders were tested on {v.made['tested']:,})"
    times = f"{len(v.merits):,} resamples{tested}: {what}, seed {v.made['seed']}"
    yield Sentence(f"The ranking was repeated on {times}", PLANS[plan.kind])
    student = v.evidence.quantiles(v.interval) != v.interval
    intervals = f"{v.interval} intervals" + ", with the levels of Student's t" * student
    cites = "efron1987" if v.interval == "bca" else ""
    yield Sentence(f"Intervals of the merits are {level} {intervals}", cites)


def _groups(v: Verdict) -> Iterator[Sentence]:
    what = "Tie groups"
    if v.strictly is not None:
        what = "For comparison, groups were also made so"
        yield _tests(v, "Tie groups come from two-sided tests of all pairs at once by")
        sets = "Ranges of ranks are simultaneous confidence sets from the same tests"
        counts = "Ranges of ranks count who is put above and below by the same tests"
        yield Sentence(sets, "mogstad2024") if v.sound else Sentence(counts)
    often = "is most often first in the resamples"
    leader = often if v.leader == "plurality" else "has the best merit"
    correction = str(v.made["correction"])
    yield Sentence(
        f"{what}: the candidate that {leader} was tested one-sided against all others "
        f"(level {number(v.alpha)}, correction {correction}); those that the test did "
        "not put below it are in its group, and the rest was grouped likewise",
        "fawcett2023 holm1979" if correction == "holm" else "fawcett2023",
    )
    p = "k/B" if v.made["p_value"] == "paper" else "(k+1)/(B+1)"
    yield Sentence(f"A p-value is {p}, where k of B resamples do not put the leader ahead")


def _tests(v: Verdict, lead: str) -> Sentence:
    what, cites = TESTS[v.test]
    if v.evidence.contributions is None:
        what = "the max-T test with one error over all resamples"
    level = f"at the family-wise level {number(v.alpha)}"
    if v.too_few:
        level = f"whose error is not known with {v.units}"
    elif not v.tested:
        level = f"which controls no error, since {v.evidence.no_mean}"
    return Sentence(f"{lead} {what}, {level}", cites)


def _criteria(found: Criteria) -> Iterator[Sentence]:
    trials = counted(int(found.made["trials"]), "resampled table")
    names = counted(len(found.made["function"]), "ranking function")
    yield Sentence(f"{names} were compared on {trials} by empirical criteria", "pavao2021")
    if has_map(found):
        scaling = "a multidimensional scaling of how their rankings correlate"
        yield Sentence(f"The map of functions is {scaling}", "deleeuw1977")


def _ratings(found: Ratings | RatingParts) -> Iterator[Sentence]:
    model, errors = str(found.made["function"]), found.made["errors"]
    what, cites = MODELS.get(model, (f"the model {model}", ""))
    yield Sentence(f"Ratings come from {what}", cites)
    resamples = f"{found.made['replicates'] or 0:,} resamples, seed {found.made['seed']}"
    how, level = resamples if errors == "bootstrap" else errors, 1 - found.made["alpha"]
    yield Sentence(f"Their intervals have the level {number(100 * level)} % ({how})")
    if not isinstance(found, Ratings):
        return
    tests, alpha = found.grouped.tests, number(found.alpha)
    if tests is None:
        resampled = found.evidence.replicates is not None
        leader = "is most often first in the resamples" if resampled else "has the highest rating"
        yield Sentence(
            f"Groups of ratings: the candidate that {leader} was tested one-sided against all "
            f"others (level {alpha}, correction holm), and the rest was grouped likewise",
            "fawcett2023 holm1979",
        )
        return
    holm = tests.method.endswith("holm")
    what, cites = ("Holm's correction", "holm1979") if holm else ("the max-T test", "romano2005")
    error = f"at the family-wise level {alpha}" if found.shows else "whose error is not known"
    yield Sentence(f"Groups of ratings come from tests of all pairs by {what}, {error}", cites)
