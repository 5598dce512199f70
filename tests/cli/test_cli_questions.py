"""Files that leave things open: one message, one command to copy, and it leads to a verdict.

Every file is made with a winner, called ``best``; the hint is followed to the letter.
"""

from __future__ import annotations

import csv
import io
import json
import random
import shlex

import pytest

MODELS = ("best", "fair", "poor")
SOLVERS = ("minisat", "best", "glucose")


def text(rows, delimiter=","):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def quality(draw, name, spread=0.05):
    return round(0.9 - 0.2 * (name != "best") - 0.1 * (name == "poor") + draw.gauss(0, spread), 3)


def seconds(draw, name):
    return round(draw.uniform(1, 50) + 40 * (name != "best"), 2)


def solvers_as_columns(draw, delimiter=",", size=60):
    """Rows are instances with a hash and a family; some cells are empty."""
    rows = [["benchmark", "hash", "family", *SOLVERS]]
    for k in range(size):
        times = [seconds(draw, name) for name in SOLVERS]
        times[k % 3] = "" if k % 20 == 0 else times[k % 3]
        rows.append([f"bench-{k}.cnf", f"{draw.getrandbits(64):x}", f"fam{k % 4}", *times])
    return text(rows, delimiter)


def many_candidates(draw):
    names = [*(f"m{k}" for k in range(2999)), "best"]
    scores = {
        name: [round(draw.random(), 3) + (name == "best") for _ in "abcdef"] for name in names
    }
    return text([["model", *"abcdef"], *([name, *scores[name]] for name in names)])


def holes_nearly_everywhere(draw):
    rows = [["model", *(f"t{j}" for j in range(100))]]
    for i, name in enumerate(("best", "b", "c", "d", "e", "f")):
        cells = (quality(draw, name) if j < 2 or (j + i) % 6 else "" for j in range(100))
        rows.append([name, *cells])
    return text(rows)


def leaderboard(draw, delimiter=",", first="rank"):
    """What stands beside scores is in favour of others: the best is the smallest and the last."""
    head = [first, "model", "Params (B)", "Year", "mmlu", "gsm8k", "arc", "95% CI", "votes"]
    rows = []
    for k, name in enumerate(("a", "b", "c", "d", "best")):
        scores = [round(60 + 2 * k + draw.random(), 1) for _ in range(3)]
        rows.append([k + 1, name, 70 - 9 * k, 2025 - k, *scores, "61.2-63.4", 900 - k])
    return text([head, *rows], delimiter)


def board_with_intervals(draw):
    rows = [["Rank", "Model", "Arena Score", "MMLU", "CI lower", "CI upper", "License"]]
    for k, name in enumerate(("best", "b", "c", "d")):
        score = 1200 - 9 * k
        rows.append([k + 1, name, score, 80 - k + draw.random(), score - 9, score + 9, "MIT"])
    return text(rows)


def repeated_runs(draw):
    rows = ([m, f"t{t}", s, quality(draw, m)] for m in MODELS for t in range(12) for s in range(3))
    return text([["model", "task", "seed", "accuracy"], *rows])


def folds_and_metrics(draw):
    """A row for each framework, task and fold, with more numbers than the score."""
    rows = [["framework", "task", "fold", "type", "score", "duration", "train_rows", "columns"]]
    for name in MODELS:
        for t in range(8):
            for fold in range(3):
                kind, late = ("binary", "multiclass")[t % 2], draw.uniform(1, 99)
                rows.append(
                    [name, f"t{t}", fold, kind, quality(draw, name), round(late, 1), 900, 9]
                )
    return text(rows)


def two_scores(draw):
    rows = [["model", "dataset", "test_score", "val_score", "note"]]
    for name in MODELS:
        scores = (quality(draw, name) for _ in range(9))
        rows += [[name, f"d{t}", s, round(draw.random(), 3), "ok"] for t, s in enumerate(scores)]
    return text(rows)


def no_word_tells(draw, delimiter=","):
    """Neither the direction nor where the candidates are: many rows, few columns."""
    head = ["", "fair", "best", "poor"]
    rows = ([f"x{k}", *(quality(draw, name) for name in head[1:])] for k in range(30))
    return text([head, *rows], delimiter)


def log_of_matches(draw, columns=("date", "model_a", "model_b", "winner", "tokens"), sides="ab"):
    rows = [columns]
    for k in range(150):
        left, right = draw.sample(MODELS, 2)
        strong = left if MODELS.index(left) < MODELS.index(right) else right
        won = strong if draw.random() < 0.8 else right if strong is left else left
        word = {"ab": ("model_a", "model_b"), "01": ("1", "-1"), "ha": ("home", "away")}[sides]
        row = [f"2025-03-{k % 28 + 1:02}", left, right, word[won == right], draw.randint(1, 99)]
        rows.append(row[: len(columns)])
    return text(rows)


def football(draw):
    return log_of_matches(draw, ("season", "home", "away", "result"), "01")


def log_with_blanks(draw):
    head = ("day played", "home team", "away team", "result", "number of fans")
    return log_of_matches(draw, head, "ha")


def counts_of_wins(draw):
    rows = [["home.team", "away.team", "home.wins", "away.wins"]]
    pairs = (("best", "fair"), ("fair", "poor"), ("best", "poor"), ("poor", "best"))
    for left, right in pairs:
        ahead = 20 if MODELS.index(left) < MODELS.index(right) else 5
        rows.append([left, right, ahead + draw.randint(0, 3), 25 - ahead])
    return text(rows)


def runs(draw, head, row):
    rows = [head]
    for name in SOLVERS:
        for k in range(24):
            solved = draw.random() < (0.95 if name == "best" else 0.5)
            time = seconds(draw, name) if solved else 5000
            rows.append(row(name, k, solved, time))
    return text(rows)


def two_statuses(draw):
    head = ["solver", "instance", "status", "time", "result"]
    ends = {True: ("solved", "SAT"), False: ("timeout", "UNKNOWN")}
    return runs(draw, head, lambda s, k, ok, t: [s, f"i{k}", ends[ok][0], t, ends[ok][1]])


def runs_with_families(draw):
    head = ["planner", "domain", "problem", "status", "cpu_time"]
    return runs(
        draw,
        head,
        lambda s, k, ok, t: [s, f"d{k // 6}", f"p{k % 6}", "solved" if ok else "timeout", t],
    )


def absent_runs(draw):
    head = ["solver", "instance", "status", "time"]
    whole = runs(draw, head, lambda s, k, ok, t: [s, f"i{k}", "solved" if ok else "timeout", t])
    lines = whole.splitlines()
    return "\n".join(line for k, line in enumerate(lines) if k % 9 != 5 or ",i" not in line)


def verifier(draw):
    head = ["solver", "instance", "status", "time", "verified"]
    words = {True: "solved", False: "timeout"}
    return runs(
        draw,
        head,
        lambda s, k, ok, t: [s, f"i{k}", words[ok], t, "approved by drat-trim" if ok else ""],
    )


def groups_before_names(draw):
    """The first column comes again on every row; the second names the rows."""
    rows = [["organisation", "system name", "squad", "boolq", "rte", "cola"]]
    for k, name in enumerate(("fair", "best", "poor", "new", "old")):
        rows.append([f"lab {k % 2}", name, *(quality(draw, name) for _ in range(4))])
    return text(rows)


def json_lines(draw):
    pairs = ((name, f"t{t // 2}") for name in MODELS for t in range(20))
    rows = ({"model": m, "task": t, "accuracy": quality(draw, m)} for m, t in pairs)
    return "\n".join(map(json.dumps, rows))


def failures_left_empty(draw, size=60):
    """Who solves most has the longest times: averages of what is there crown the poorest."""
    limit, share = 900, {"best": 0.95, "minisat": 0.7, "glucose": 0.4}
    rows = [["instance", "family", *SOLVERS]]
    for k in range(size):
        times = []
        for solver in SOLVERS:
            solved = draw.random() < share[solver]
            times.append(round(draw.uniform(5, limit * share[solver]), 2) if solved else "")
        rows.append([f"i{k}.cnf", f"fam{k % 4}", *times])
    return text(rows)


def weights_beside(draw):
    """Rows are tasks, and one column says how much each counts."""
    rows = [["task", "weight", *MODELS]]
    return text(rows + [[f"t{k}", k % 3 + 1, *(100 * quality(draw, m) for m in MODELS)]
                        for k in range(40)])  # fmt: skip


def one_column_goes_the_other_way(draw):
    """Of thirteen columns one says in brackets that lower is better: there the best is last."""
    head = ["model", *(f"subject {k}" for k in range(12)), "Toxicity (lower is better)"]
    wide = [[m, *(100 * quality(draw, m) for _ in range(12)), 9 - k] for k, m in enumerate(MODELS)]
    return text([head, *wide])


def interval_beside_a_mean(draw):
    """A board whose intervals are of its score; ranks, votes and a mean stand beside them."""
    head = ["Rank", "Model", "Arena Score", "95% CI", "Votes", "Average win rate"]
    rows = [[k + 1, m, 1400 - 60 * k, f"±{4 + k}", 9000 - k, 0.7 - 0.1 * k]
            for k, m in enumerate(MODELS)]  # fmt: skip
    return text([head, *rows])


FILES = {
    "solvers as columns": solvers_as_columns,
    "solvers as columns, tabs": lambda draw: solvers_as_columns(draw, "\t", 300),
    "solvers as columns, semicolons": lambda draw: solvers_as_columns(draw, ";", 12),
    "3,000 x 6": many_candidates,
    "holes": holes_nearly_everywhere,
    "leaderboard": leaderboard,
    "leaderboard, semicolons": lambda draw: leaderboard(draw, ";", "#"),
    "intervals": board_with_intervals,
    "repeats": repeated_runs,
    "folds and metrics": folds_and_metrics,
    "two scores": two_scores,
    "no word tells": no_word_tells,
    "no word tells, bars": lambda draw: no_word_tells(draw, "|"),
    "log with dates": log_of_matches,
    "football": football,
    "log with blanks": log_with_blanks,
    "counts": counts_of_wins,
    "two statuses": two_statuses,
    "families": runs_with_families,
    "absent runs": absent_runs,
    "verifier": verifier,
    "groups before names": groups_before_names,
    "JSON lines": json_lines,
    "failures left empty": failures_left_empty,
    "weights": weights_beside,
    "one column goes the other way": one_column_goes_the_other_way,
    "interval beside a mean": interval_beside_a_mean,
}
LOWER = {"solvers as columns", "solvers as columns, tabs", "solvers as columns, semicolons"}


def commands_in(said):
    """Return the commands that a message ends in, the likeliest first."""
    lines = [line[line.index("deadheat ") :] for line in said.splitlines() if "deadheat " in line]
    return [shlex.split(line)[1:] for line in lines]


def copied(said, *, lower):
    """Return the command that a reader copies who knows whether lower scores win."""
    commands = commands_in(said)
    wanted = "lower" if lower else "higher"
    known = [words for words in commands if "--better" not in words or wanted in words]
    return known[0]


@pytest.mark.parametrize("kind", FILES)
def test_the_second_command_is_copied_from_the_hint_of_the_first(run, tmp_path, kind):
    path = tmp_path / f"my results{'.jsonl' if kind == 'JSON lines' else '.csv'}"
    path.write_text(FILES[kind](random.Random(7)))
    first = run(path)
    assert first.exit_code in (2, 3), first.stdout
    assert first.stderr.count("Hint: ") == 1
    assert not {"COL", "FILE"} & {*first.stderr.split()}
    second = run(*copied(first.stderr, lower=kind in LOWER))
    assert second.exit_code == 0, f"{first.stderr}\n{second.stderr}"
    table = list(csv.DictReader(io.StringIO(second.stdout), delimiter="\t"))
    assert table[0]["candidate"] == "best", f"{first.stderr}\n{second.stdout}\n{second.stderr}"


def test_goals_of_both_sides_say_who_won(run, tmp_path):
    path = tmp_path / "goals.csv"
    rows = ["date,home,away,home_goals,away_goals", "2024-01-01,A,B,2,1", "2024-01-08,B,C,0,0"]
    rows += ["2024-01-15,C,A,1,3", "2024-01-22,A,C,0,1"]
    path.write_text("\n".join(rows))
    said = run(path)
    assert said.exit_code == 2
    (rate,) = commands_in(said.stderr)
    assert run(*rate).exit_code == 0
    assert run(*rate).stdout == run("rate", path).stdout


def test_numbers_of_both_sides_may_be_scores(run, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("home,away,home_xg,away_xg\nA,B,2.5,1\nB,C,0,0\nC,A,1,3\nA,C,0,1\n")
    for command in ((), ("rate",), ("rate", "--left", "home")):
        said = run(*command[:1], path, *command[1:])
        assert said.exit_code == 2
        assert run(*commands_in(said.stderr)[0]).exit_code == 0


def test_the_battles_of_some_rows_are_rated(run, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(log_of_matches(random.Random(5)))
    some = ("--where", "date>=2025-03-05", "--where", "tokens>9", "--delimiter", "comma")
    said = run("rank", path, "--better", "higher", *some).stderr
    words = commands_in(said)[0]
    assert words[:2] == ["rate", str(path)]
    assert [words[k + 1] for k, word in enumerate(words) if word == "--where"] == [*some[1:4:2]]
    assert run(*words).exit_code == 0


def test_all_questions_come_at_once(run, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(solvers_as_columns(random.Random(1)))
    said = run("verdict", path).stderr
    assert said.startswith("error: results.csv leaves 4 things open:\n1. ")
    assert "'hash' holds text" in said
    assert "--stratum family" in said
    assert "is missing" in said
    assert said.count("Hint: ") == 1


BOARD = (("gpt-x", 1310, 5), ("claude-y", 1305, 6), ("gemini-z", 1290, 4), ("llama-w", 1250, 5))
CELLS = {
    "+5/-4": lambda s, e: f"+{e}/-{e - 1}",
    "+5/-5": lambda s, e: f"+{e} / \u2212{e}",
    "±5": lambda s, e: f"±{e}",
    "5": lambda s, e: e,
    "1305-1315": lambda s, e: f"{s - e}-{s + e}",
    "1305 \u2013 1315": lambda s, e: f"{s - e} \u2013 {s + e}",
    "[1305, 1315]": lambda s, e: f"[{s - e}, {s + e}]",
    "(1305,1315)": lambda s, e: f"({s - e},{s + e})",
}
ENDS = [("CI low", "CI high"), ("Lower bound", "Upper bound"), ("lo", "hi"), ("2.5%", "97.5%")]


def board(columns):
    """A board with a rank, votes and a licence; ``columns`` are called and made so."""
    rows = [["Rank", "Model", "Score", *(name for name, _ in columns), "Votes", "License"]]
    for k, (name, score, error) in enumerate(BOARD):
        cells = [cell(score, error) for _, cell in columns]
        rows.append([k + 1, name, score, *cells, 9000 - 900 * k, ("MIT", "own")[k % 2]])
    return text(rows)


BOARDS = {
    **{f"{head} {cell}": [(head, made)] for cell, made in CELLS.items()
       for head in ("95% CI", "90 % interval")},
    **{f"{low}, {high}": [(low, lambda s, e: s - e), (high, lambda s, e: s + e)]
       for low, high in ENDS},
    "stderr": [("Std. Error", lambda s, e: e / 2)],
    "SE": [("SE", lambda s, e: f"±{e / 2}")],
}  # fmt: skip


@pytest.mark.parametrize("shape", BOARDS)
def test_one_score_with_its_error_is_answered_by_the_second_command(run, tmp_path, shape):
    """What says how far scores may be off is kept; rank, votes and licence are asked about."""
    path = tmp_path / "board.csv"
    path.write_text(board(BOARDS[shape]))
    command = copied(run(path).stderr, lower=False)
    said = {
        flag: {command[k + 1] for k, word in enumerate(command) if word == flag}
        for flag in ("--standard-error", "--ignore")
    }
    kept = {name for name, _ in BOARDS[shape]}
    assert said == {"--standard-error": kept, "--ignore": {"Rank", "Votes", "License"}}
    for question in ([], ["verdict"], ["rank"]):
        answer = run(*question, *command, "--json")
        assert answer.exit_code == 0, answer.stderr
        whole = json.loads(answer.stdout)
        assert whole["schema"] == "deadheat.rank/1"
        first = "Dead heat: 2 of 4 models share first place (Score, own standard errors)."
        assert whole["sentences"][0] == first
        assert whole["facts"]["level"] == ["gpt-x", "claude-y"]


def test_errors_in_the_cells_leave_only_the_direction_open(run, tmp_path):
    path = tmp_path / "pm.csv"
    path.write_text("team,accuracy\nalpha,0.912 ± 0.004\nbeta,0.910 ± 0.005\ngamma,0.884 ± 0.006\n")
    command = copied(run(path).stderr, lower=False)
    assert command[1:] == ["--better", "higher"]
    table = run(*command, "--format", "table").stdout
    assert table.startswith("Dead heat: 2 of 3 teams share first place (accuracy, own standard")
    separate = "one-sided z-tests of independent scores at 5 % do not separate them"
    assert separate in " ".join(table.split())
    assert table.count("   =   ") == 2


@pytest.mark.parametrize("more", ["--strict", "--alpha 0.1", "--plan jackknife", "--show groups"])
def test_what_needs_resamples_is_refused_with_the_command_that_answers(run, tmp_path, more):
    path = tmp_path / "pm.csv"
    path.write_text("team,accuracy\na,0.9 ± 0.1\nb,0.8 ± 0.1\n")
    said = run("verdict", path, "--better", "higher", *more.split())
    assert said.exit_code == 3
    assert commands_in(said.stderr) == [["rank", str(path), "--better", "higher"]]


@pytest.mark.parametrize("question", ["rank", "check"])
def test_one_score_without_an_error_claims_no_agreement(run, tmp_path, question):
    path = tmp_path / "board.csv"
    path.write_text("model,accuracy\na,0.9\nb,0.8\nc,0.7\n")
    answer = run(question, path, "--better", "higher", "--format", "table")
    assert "a is first by accuracy." in answer.stdout or "a first by accuracy" in answer.stdout
    assert not {"18", "average", "function", "counting"} & {*answer.stdout.split()}
    if question == "rank":
        assert "--standard-error COL" in " ".join(answer.stdout.split())


@pytest.mark.parametrize("first", ["rank", "#"])
def test_what_describes_a_candidate_is_asked_about_or_told(run, tmp_path, first):
    path = tmp_path / "board.csv"
    path.write_text(leaderboard(random.Random(3), first=first))
    asked = run(path).stderr
    command = copied(asked, lower=False)
    left_out = {command[k + 1] for k, word in enumerate(command) if word == "--ignore"}
    assert left_out == {"Params (B)", "Year", "95% CI", "votes"} | ({first} - {"#"})
    told = run(path, "--better", "higher", "--ignore", "95% CI").stderr
    assert "'Params (B)', 'Year', 'votes'" in told
    assert "--ignore 'Params (B)' --ignore Year --ignore votes" in told


def test_sizes_with_a_unit_and_ranks_are_left_out_by_the_first_hint(run, tmp_path):
    path, draw = tmp_path / "board.csv", random.Random(3)
    rows = [["Rank", "Model", "Params", "MMLU", "GPQA", "BBH"]]
    for k, (name, size) in enumerate(zip(MODELS, ("", "70B", "123B"), strict=True), start=1):
        rows.append([k, name, size, *(quality(draw, name) for _ in range(3))])
    path.write_text(text(rows))
    command = copied(run(path).stderr, lower=False)
    left_out = [command[k + 1] for k, word in enumerate(command) if word == "--ignore"]
    assert left_out == ["Params", "Rank"]
    assert run(*command).exit_code == 0
    asked = run(path, "--better", "higher", "--ignore", "Params")
    assert "column 'Rank' is counted as a judge" in asked.stderr


def test_rows_that_groups_leave_alone_are_the_first_thing_said(run, tmp_path):
    path, draw = tmp_path / "folds.csv", random.Random(3)
    rows = [["db", "A", "B", "C"]]
    rows += [[k // 10, *(f"{draw.random():.3f}" for _ in "ABC")] for k in range(40)]
    path.write_text(text(rows))
    words = ["--better", "higher", "--candidates", "columns"]
    found = run(path, *words, "--ignore", "db", "--format", "json", "--replicates", "99")
    reason = json.loads(found.stdout)["reasons"][0]
    assert reason["says"].startswith("Every row is counted as a judge of its own, though db groups")
    assert reason["good"] is False
    kept = run(path, *words, "--cluster", "db", "--format", "json", "--replicates", "99")
    assert kept.exit_code == 0
    assert "of its own" not in kept.stdout


def test_a_word_that_no_command_can_mend_is_not_led_in_a_circle(run, tmp_path):
    (tmp_path / "t.csv").write_text("skier,a,b\nx,61.2,DNF\ny,60.1,62.0\nz,63,64\n")
    said = run(tmp_path / "t.csv").stderr
    assert "'DNF' is not a number" in said
    assert not commands_in(said)


def test_help_all_of_no_command_is_answered(run):
    done = run("--help-all")
    assert done.exit_code == 2
    assert "deadheat has no --help-all" in done.stderr
