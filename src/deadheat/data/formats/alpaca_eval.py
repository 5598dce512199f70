"""AlpacaEval: its leaderboards, and the annotations of each model against one baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from deadheat.core.errors import DataError, say
from deadheat.core.memory import Meter
from deadheat.data.formats import reads_dialect, reads_format
from deadheat.data.reading.documents import (
    CELL,
    files_in,
    number_of,
    objects_in,
    stating,
    stream,
)
from deadheat.data.reading.options import Options
from deadheat.data.reading.source import Source, Stream

WINS, CONTROLLED = "win_rate", "length_controlled_winrate"
ERRORS = {WINS: "standard_error", CONTROLLED: "lc_standard_error"}
NEEDED = {WINS, "standard_error", "n_wins", "n_wins_base", "n_total"}
FILE = "annotations.json"
OF_ANNOTATIONS = {"instruction", "generator_1", "generator_2", "preference"}
BASELINE, MODEL, LEVEL = 1, 2, (0, 1.5)  # preferences; those between tell how sure a judge was


@reads_dialect(
    "alpaca-eval-board",
    "a leaderboard of AlpacaEval",
    known_by="columns win_rate, standard_error, n_wins, n_wins_base and n_total",
)
def board(stream: Stream) -> Stream | None:
    """Rank by what the official board ranks by: the length-controlled win rate, where there is."""
    if not {*stream.columns} >= NEEDED:
        return None
    score = CONTROLLED if {CONTROLLED, ERRORS[CONTROLLED]} <= {*stream.columns} else WINS
    plain = f"{say('score', WINS)} {say('standard_error', ERRORS[WINS])}"
    note = f"the official board ranks by {CONTROLLED}; by {WINS}: {plain}"
    first, *others = stream.columns  # which has no name in the official files
    columns = ["model" if first not in NEEDED and "model" not in others else first, *others]
    states: dict[str, Any] = {"candidate": "model", "score": score, "standard_error": ERRORS[score]}
    states |= {"layout": "wide", "better": dict.fromkeys(ERRORS, "higher")}
    stream = stating(replace(stream, columns=columns), **states, noun={"candidate": "model"})
    notes = (*stream.notes, note) if score == CONTROLLED else stream.notes
    return replace(stream, notes=notes)


@reads_format(
    "alpaca-eval",
    "annotations of AlpacaEval",
    known_by="annotations.json of a folder, with generator_1, generator_2 and preference",
)
def read_annotations(source: Source, options: Options) -> Stream:  # noqa: ARG001
    """Score each model on each instruction: 0 where the baseline is preferred, 1 where it is."""
    files = files_in(source, lambda name: name.rpartition("/")[2] == FILE)
    rows = [row for _, part in files for row in _rows(part)]
    if not rows:
        raise DataError(f"{source.name} holds no annotations.", hint="was the judge asked?")
    baselines = list(dict.fromkeys(row[0] for row in rows))
    if len(baselines) > 1:
        fact = f"{source.name} has several baselines: {', '.join(baselines[:3])}."
        raise DataError(fact, hint="read the annotations against one baseline.")
    judges: dict[tuple[str, str], str] = {}
    for row in rows:
        judges.setdefault((row[2], row[3]), f"item {len(judges) + 1}")
    cells = [[row[1], judges[row[2], row[3]], row[4], row[2]] for row in rows]
    named = all(row[2] for row in rows) and len({row[2] for row in rows}) > 1
    states: dict[str, Any] = {"layout": "long", "candidate": "model", "judge": "item"}
    states |= {"score": "win", "better": "higher", "noun": {"candidate": "model", "judge": "item"}}
    states |= {"stratum": "dataset"} if named else {}
    note = f"a score of 1 is a win against {baselines[0]}, 0 a defeat."
    return stream(source, ["model", "item", "win", "dataset"], cells, states=states, notes=(note,))


@read_annotations.recognises
def _is_annotations(source: Source) -> str:
    if any(name.rpartition("/")[2] == FILE for name in source.listing or ()):
        return f"it holds {FILE}"
    known = source.keys >= OF_ANNOTATIONS
    return "its objects have generator_1, generator_2 and preference" if known else ""


def _rows(part: Source) -> Iterator[tuple[str, str, str, str, float | None]]:
    """Yield baseline, model, dataset, instruction and the share of a win."""
    meter = Meter(part.name)
    for item in objects_in(part):
        names = (item.get(k) for k in ("generator_1", "generator_2", "dataset", "instruction"))
        baseline, model, dataset, instruction = ("" if n is None else str(n) for n in names)
        given = number_of(item.get("preference"))
        if given in LEVEL:
            given = 1.5
        elif given is not None and not BASELINE <= given <= MODEL:
            fact = f"{part.name}: a preference is {given:g}."
            raise DataError(fact, hint="1 prefers the baseline, 2 the model.")
        meter.add(CELL + len(instruction))
        yield baseline, model, dataset, instruction, None if given is None else given - 1
