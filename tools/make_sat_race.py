"""Make the example `sat-race`: the SAT solvers of python-sat on seeded instances.

Run `python tools/make_sat_race.py`; it needs the extra `data`. Every finished run is kept in
build/sat-race/journal.csv at once: after Ctrl-C the same command goes on where it stopped. When all
runs are there, it writes src/deadheat/data/examples/sat-race/runs.csv.gz and the numbers of the
datasheet.
"""

from __future__ import annotations

import argparse
import signal
import sys
from array import array
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sat_race.datasheet import fill
from sat_race.instances import INSTANCES, Instance
from sat_race.journal import Journal, StaleJournalError, digest, job_of, write_table
from sat_race.race import Answers, DisagreementError, Job, in_random_order, race
from sat_race.run import pack
from sat_race.shuffle import shuffled
from sat_race.solvers import SOLVERS, check_present

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src/deadheat/data/examples/sat-race/runs.csv.gz"
JOURNAL = ROOT / "build/sat-race/journal.csv"
ORDER_SEED = 20261116

Formulas = dict[tuple[str, int], "array[int]"]


def make_formulas(instances: tuple[Instance, ...]) -> Formulas:
    """Generate every instance and its shuffled copies."""
    formulas: Formulas = {}
    for instance in instances:
        clauses = instance.clauses()
        for seed in instance.seeds:
            formulas[instance.name, seed] = pack(shuffled(clauses, seed))
    return formulas


def all_jobs(instances: tuple[Instance, ...]) -> list[Job]:
    """List every run, in the seeded random order."""
    return in_random_order(
        [Job(s, i.name, seed) for s in SOLVERS for i in instances for seed in i.seeds], ORDER_SEED
    )


def bar(console: Console) -> Progress:
    """Make a progress bar without a thread of its own, since the race forks."""
    return Progress(
        TextColumn("sat-race"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        TextColumn("{task.description}"),
        console=console,
        auto_refresh=False,
    )


def hold(journal: Journal, formulas: Formulas, *, at_once: int, console: Console) -> None:
    """Run what the journal lacks."""
    families = {instance.name: instance.family for instance in INSTANCES}
    answers = Answers()
    for row in journal.rows:
        answers.check(job_of(row), row["status"], row["answer"])
    done = {job_of(row) for row in journal.rows}
    jobs = all_jobs(INSTANCES)
    left = [job for job in jobs if job not in done]
    with bar(console) as progress:
        task = progress.add_task("", total=len(jobs), completed=len(jobs) - len(left))
        runs = race(left, formulas, cutoff=journal.cutoff, at_once=at_once)
        with closing(runs):
            for job, outcome in runs:
                answers.check(job, outcome.status, outcome.answer)
                journal.append(job, families[job.instance], outcome)
                progress.update(task, advance=1, description=f"{job.solver} {job.instance}")
                progress.refresh()
                if not console.is_terminal and len(journal.rows) % 100 == 0:
                    console.print(f"{len(journal.rows)} of {len(jobs)} runs")


def finished_on(journal: Path) -> str:
    """Give the day of the last run."""
    return datetime.fromtimestamp(journal.stat().st_mtime, tz=UTC).date().isoformat()


def main() -> int:
    """Hold the race, then write the table and the datasheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default: 2)")
    parser.add_argument("--cutoff", type=float, default=10.0, help="CPU seconds (default: 10)")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    console = Console(stderr=True)
    check_present()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        formulas = make_formulas(INSTANCES)
        digests = {key: digest(packed) for key, packed in formulas.items()}
        with Journal(options.journal, cutoff=options.cutoff, digests=digests) as journal:
            hold(journal, formulas, at_once=options.jobs, console=console)
    except KeyboardInterrupt:
        console.print("Stopped. The same command goes on from here.")
        return 130
    except (DisagreementError, StaleJournalError) as error:
        console.print(f"Error: {error}", style="red")
        return 3
    write_table(journal.rows, options.target)
    fill(options.target, date=finished_on(options.journal))
    console.print(f"Wrote {len(journal.rows)} runs to {options.target.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
