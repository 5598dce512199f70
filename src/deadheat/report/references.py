"""The papers whose methods deadheat uses, as people cite them and for BibTeX."""

from __future__ import annotations

from dataclasses import dataclass


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
        """Return the entry for BibTeX."""
        fields = {
            "author": " and ".join(self.authors),
            "title": f"{{{self.title}}}",
            **dict(self.where),
            "year": str(self.year),
        }
        lines = (f"  {name} = {{{value}}}," for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n" + "\n".join(lines) + "\n}\n"


def _article(
    authors: str, year: int, title: str, journal: str, volume: str, pages: str
) -> Reference:
    return Reference(
        kind="article",
        authors=tuple(authors.split("; ")),
        year=year,
        title=title,
        where=(("journal", journal), ("volume", volume), ("pages", pages)),
    )


def _other(kind: str, authors: str, year: int, title: str, **where: str) -> Reference:
    return Reference(
        kind=kind,
        authors=tuple(authors.split("; ")),
        year=year,
        title=title,
        where=tuple(where.items()),
    )


FAWCETT = _other(
    "misc",
    "Fawcett, Chris; Vallati, Mauro; Hoos, Holger H.; Gerevini, Alfonso E.",
    2023,
    "Competitions in AI - Robustly Ranking Solvers Using Statistical Resampling",
    howpublished="arXiv:2308.05062",
)
PAVAO = _other(
    "inproceedings",
    "Pavao, Adrien; Vaccaro, Michael; Guyon, Isabelle",
    2021,
    "Judging competitions and benchmarks: a candidate election approach",
    booktitle="European Symposium on Artificial Neural Networks (ESANN)",
)
GOSIEWSKA = _other(
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
    "Scandinavian Journal of Statistics",
    "6",
    "65--70",
)
EFRON = _article(
    "Efron, Bradley",
    1979,
    "Bootstrap methods: another look at the jackknife",
    "Annals of Statistics",
    "7",
    "1--26",
)
BCA = _article(
    "Efron, Bradley",
    1987,
    "Better bootstrap confidence intervals",
    "Journal of the American Statistical Association",
    "82",
    "171--185",
)
RUBIN = _article(
    "Rubin, Donald B.", 1981, "The Bayesian bootstrap", "Annals of Statistics", "9", "130--134"
)
POLITIS = _article(
    "Politis, Dimitris N.; Romano, Joseph P.",
    1994,
    "Large sample confidence regions based on subsamples under minimal assumptions",
    "Annals of Statistics",
    "22",
    "2031--2050",
)
JACKKNIFE = _article(
    "Efron, Bradley; Stein, Charles",
    1981,
    "The jackknife estimate of variance",
    "Annals of Statistics",
    "9",
    "586--596",
)
ROMANO = _article(
    "Romano, Joseph P.; Wolf, Michael",
    2005,
    "Stepwise multiple testing as formalized data snooping",
    "Econometrica",
    "73",
    "1237--1282",
)
HSU = _article(
    "Hsu, Jason C.",
    1984,
    "Constrained simultaneous confidence intervals for multiple comparisons with the best",
    "Annals of Statistics",
    "12",
    "1136--1144",
)
MOGSTAD = _article(
    "Mogstad, Magne; Romano, Joseph P.; Shaikh, Azeem M.; Wilhelm, Daniel",
    2024,
    "Inference for ranks with applications to mobility across neighbourhoods and academic "
    "achievement across countries",
    "Review of Economic Studies",
    "91",
    "476--518",
)
LEEUW = _other(
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
    "Mathematical Programming",
    "91",
    "201--213",
)
WILCOXON = _article(
    "Wilcoxon, Frank",
    1945,
    "Individual comparisons by ranking methods",
    "Biometrics Bulletin",
    "1",
    "80--83",
)
NEMENYI = _other(
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
    "Annals of Mathematical Statistics",
    "10",
    "275--287",
)
BRADLEY = _article(
    "Bradley, Ralph Allan; Terry, Milton E.",
    1952,
    "Rank analysis of incomplete block designs: I. The method of paired comparisons",
    "Biometrika",
    "39",
    "324--345",
)
PLACKETT = _article(
    "Plackett, Robin L.",
    1975,
    "The analysis of permutations",
    "Journal of the Royal Statistical Society, Series C",
    "24",
    "193--202",
)
ELO = _other(
    "book",
    "Elo, Arpad E.",
    1978,
    "The rating of chessplayers, past and present",
    publisher="Arco",
)
HERBRICH = _other(
    "inproceedings",
    "Herbrich, Ralf; Minka, Tom; Graepel, Thore",
    2007,
    "TrueSkill: a Bayesian skill rating system",
    booktitle="Advances in Neural Information Processing Systems 19",
)
