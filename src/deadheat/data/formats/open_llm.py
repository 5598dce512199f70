"""The Open LLM Leaderboard: the rows of its data set "contents", in whatever file they are."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import apart, stating
from deadheat.data.reading.source import Stream

NAME, RUN, RAW = "fullname", "eval_name", " Raw"


@reads_dialect(
    "open-llm",
    "an Open LLM Leaderboard",
    known_by="columns eval_name, fullname, Precision, and NAME Raw beside NAME",
)
def open_llm(stream: Stream) -> Stream | None:
    """Take the scores between chance and perfect, of which the board's average is made."""
    columns = stream.columns
    scores = {name for name in columns if f"{name}{RAW}" in columns}
    if not scores or not {NAME, RUN, "Precision"} <= {*columns}:
        return None
    others = tuple(name for name in columns if name != NAME and name not in scores)
    stream = apart(stream, NAME, RUN)
    nouns = {"candidate": "model", "judge": "benchmark"}
    return stating(stream, layout="wide", candidate=NAME, ignore=others, better="higher",
                   noun=nouns)  # fmt: skip
