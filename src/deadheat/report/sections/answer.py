"""The answer in one sentence, with three facts."""

from __future__ import annotations

from deadheat.report.contents import Contents
from deadheat.report.page import Section, tells
from deadheat.report.summary import summary


@tells(10)
def answer(found: Contents) -> Section:
    """Say who won and how sure that is."""
    said = summary(found)
    return Section(
        name="answer",
        title="The answer",
        sentence=said.headline,
        notes=said.lines,
        template="answer.html.j2",
        extra={"summary": said},
    )
