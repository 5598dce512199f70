"""challengeR: a row for each algorithm and case of a task, with the columns of its manual."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import stating
from deadheat.data.reading.source import Stream

NEEDED = {"alg_name", "value", "case"}


@reads_dialect(
    "challenger", "results as of challengeR", known_by="columns alg_name, value and case"
)
def challenger(stream: Stream) -> Stream | None:
    """Take each case of each task as a judge: numbers of cases start anew in every task."""
    if not {*stream.columns} >= NEEDED:
        return None
    task = "task" if "task" in stream.columns else None
    judge = (task, "case") if task else "case"
    nouns = {"candidate": "algorithm", "judge": "case"}
    return stating(stream, layout="long", candidate="alg_name", judge=judge, score="value",
                   noun=nouns)  # fmt: skip
