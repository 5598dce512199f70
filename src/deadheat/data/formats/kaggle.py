"""Kaggle: the leaderboard of a competition, as it is downloaded."""

from __future__ import annotations

from deadheat.data.formats import reads_dialect
from deadheat.data.reading.documents import apart, official_by, stating
from deadheat.data.reading.source import Stream

NEEDED = {"TeamId", "TeamName", "Score"}
RANK = "Rank"


@reads_dialect("kaggle", "a Kaggle leaderboard", known_by="columns TeamId, TeamName and Score")
def kaggle(stream: Stream) -> Stream | None:
    """Take one score for each team; whether higher wins depends on the competition."""
    if not {*stream.columns} >= NEEDED:
        return None
    others = tuple(name for name in stream.columns if name not in {"TeamName", "Score"})
    stream, ranks = apart(stream, "TeamName", "TeamId"), dict[str, float]()
    if RANK in stream.columns:
        stream, ranks = official_by(stream, "TeamName", RANK)
    nouns = {"candidate": "team"}
    return stating(stream, layout="wide", candidate="TeamName", ignore=others, official=ranks,
                   noun=nouns)  # fmt: skip
