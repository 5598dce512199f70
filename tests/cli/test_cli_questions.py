"""Files that leave things open: one message, one command to copy, and it leads to a verdict."""

from __future__ import annotations

import random
import shlex

import pytest

DRAW = random.Random(1)


def solvers_as_columns():
    """Rows are instances with a hash and a family; some cells are empty."""
    lines = ["benchmark,hash,family,kissat,minisat,glucose"]
    for k in range(60):
        times = [f"{DRAW.uniform(1, 50) + 20 * j:.2f}" for j in range(3)]
        times[k % 3] = "" if k % 20 == 0 else times[k % 3]
        lines.append(f"bench-{k}.cnf,{DRAW.getrandbits(64):x},fam{k % 4},{','.join(times)}")
    return "\n".join(lines)


def many_candidates():
    rows = (",".join(f"{DRAW.gauss(k / 1000, 1):.3f}" for _ in range(6)) for k in range(3000))
    return "\n".join(["model,a,b,c,d,e,f", *(f"m{k},{row}" for k, row in enumerate(rows))])


def holes_nearly_everywhere():
    lines = ["model," + ",".join(f"t{j}" for j in range(100))]
    for i in range(6):
        cells = [
            "" if j >= 2 and (j + i) % 6 == 0 else f"{DRAW.gauss(i, 1):.3f}" for j in range(100)
        ]
        lines.append(f"m{i},{','.join(cells)}")
    return "\n".join(lines)


def leaderboard():
    lines = ["rank,model,arena_score,mmlu,gsm8k,votes,ci_lower,ci_upper"]
    for k in range(12):
        low = 60 - k
        lines.append(
            f"{k + 1},llm-{k},{1200 - 7 * k},{low}.5,{low + 3}.1,{900 + k},{low},{low + 9}"
        )
    return "\n".join(lines)


def repeated_runs():
    lines = ["model,task,seed,accuracy"]
    for m in "abc":
        lines += [f"{m},t{t},{s},{DRAW.random():.3f}" for t in range(12) for s in range(3)]
    return "\n".join(lines)


FILES = {
    "solvers as columns": solvers_as_columns,
    "3,000 x 6": many_candidates,
    "holes": holes_nearly_everywhere,
    "leaderboard": leaderboard,
    "repeats": repeated_runs,
}


def command_in(hint):
    """Return the last command that a hint ends in."""
    (*_, last) = (line for line in hint.splitlines() if "deadheat " in line)
    return shlex.split(last[last.index("deadheat ") :].rstrip(". "))[1:]


@pytest.mark.parametrize("kind", FILES)
def test_the_second_command_is_copied_from_the_hint_of_the_first(run, tmp_path, kind):
    path = tmp_path / "results.csv"
    path.write_text(FILES[kind]() + "\n")
    first = run("verdict", path)
    assert first.exit_code in (2, 3), first.stdout
    second = run(*command_in(first.stderr))
    assert second.exit_code == 0, f"{first.stderr}\n{second.stderr}"
    assert second.stdout.startswith("candidate\t")


def test_all_questions_come_at_once(run, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(solvers_as_columns() + "\n")
    said = run("verdict", path).stderr
    assert said.startswith("error: results.csv leaves 4 things open:\n1. ")
    assert "'hash' holds text" in said
    assert "--stratum family" in said
    assert "is missing" in said
    assert said.count("Hint: ") == 1
