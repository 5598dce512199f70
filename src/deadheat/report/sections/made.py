"""How the page was made, and what to cite."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

from deadheat.core.version import __version__
from deadheat.output.text import flat, shown
from deadheat.report.contents import Contents
from deadheat.report.page import Section, tells

LABELS = {
    "command": "Command",
    "source": "Data",
    "sha256": "SHA-256 of the data",
    "candidates": "Candidates",
    "judges": "Judges",
    "battles": "Battles",
    "better": "Direction",
    "missing": "Missing scores",
    "rule": "Scoring rule",
    "tie_tol": "Tie tolerance",
    "function": "Ranking function",
    "plan": "Resampling",
    "replicates": "Resamples",
    "seed": "Seed",
    "alpha": "Level",
    "interval": "Intervals",
    "correction": "Correction",
    "strict": "Tests of all pairs",
    "errors": "Standard errors",
}
PACKAGES = ("numpy", "scipy", "altair", "vl-convert-python")
COUNTS = ("candidates", "judges", "battles", "replicates")


@tells(130)
def made(found: Contents) -> Section:
    facts = {**found.main.made, **found.also_made}
    return Section(
        name="made",
        title="How this was made",
        sentence="The same data, options and seed give the same page.",
        notes=found.left_out,
        template="made.html.j2",
        extra={
            "facts": [
                (label, _told(key, facts[key]))
                for key, label in LABELS.items()
                if facts.get(key) not in (None, "", [], ())
            ],
            "versions": [
                ("deadheat", __version__),
                ("Python", platform.python_version()),
                *((name, version(name)) for name in PACKAGES),
            ],
            "methods": "" if found.methods is None else found.methods.paragraph(),
            "references": []
            if found.methods is None
            else [r.full for r in found.methods.references],
        },
    )


def _told(key: str, value: Any) -> str:
    if key == "missing" and value == "error":
        return "none"  # any would have been refused
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, int) and key in COUNTS:
        return f"{value:,}"
    return shown(flat(value))
