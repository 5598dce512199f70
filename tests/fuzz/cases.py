"""Case k of a seed: files, a command line, and what an independent reading finds in them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import click

from fuzz import mutators, tables
from fuzz.tables import HOSTILE

COMMANDS = {
    "rank": 20, "check": 14, "verdict": 14, "rate": 14, "score": 7, "compare": 6, "influence": 5,
    "agree": 5, "show": 7, "consensus": 4, "criteria": 4, "plot": 4, "axioms": 1, "report": 0.6,
    "list": 1, "demo": 0.2, "completion": 0.3, "verdikt": 0.2,
}  # fmt: skip
FUNCTIONS = (
    "mean", "average_rank", "borda", "copeland", "median", "plurality", "schulze", "minimax",
    "geometric_mean", "relative_difference", "instant_runoff", "ranked_pairs", "trimmed_mean",
    "majority_judgement", "success_rate", "kemeny", "epp", "average-rank", "all", "nonsense", "",
)  # fmt: skip
PLOTS = (
    "intervals", "ranks", "first", "heat-map", "ratings", "cactus", "pairs", "scatter",
    "win-matrix", "critical-difference", "judges-map", "influence", "criteria", "agreement",
    "performance-profile", "embedding", "tunability", "epp-bars", "condorcet", "nonsense",
)  # fmt: skip
INTEGERS = (
    "1",
    "2",
    "3",
    "7",
    "20",
    "0",
    "-1",
    "1000000000",
    "999999999999999999999",
    "x",
    "1e3",
    "",
)
FLOATS = ("0.05", "0.5", "1", "0.01", "0", "-1", "nan", "inf", "1e308", "1e-320", "x", "")
FAST = {
    "replicates": ("1", "20", "50", "50", "100", "100"),
    "trials": ("1", "5", "20", "50"),
    "q": ("2", "5"),
    "repeats": ("1", "2"),
    "time_limit": ("0.2", "1"),
    "budget": ("1", "20", "50"),
}
TAME: dict[str, tuple[str, ...]] = {
    "by": FUNCTIONS[:-2], "seed": ("0", "1", "77"), "alpha": ("0.05", "0.1", "0.5"),
    "engine": ("serial", "threads:2"), "tie_tol": ("0", "0.01", "0.5"), "top": ("1", "2"),
    "interval": ("percentile", "bca", "basic", "bootstrap-t", "wilson", "expanded-percentile"),
    "output": ("out.csv", "out.json", "out.txt", "out.md", "out.tex"), "title": HOSTILE,
    "centre": ("0", "1500"), "strength": ("0.1", "1"), "simulations": ("5", "20"),
    **dict.fromkeys(
        ("format", "json", "quiet", "missing", "plan", "strict", "show", "correlation", "ties",
         "penalty", "scale", "errors", "model", "pairing", "distance", "weak", "leader", "p_value",
         "test", "over", "stability", "compat", "theme", "ranks"), ()
    ),
}  # fmt: skip
SIDECARS = (
    'better = "lower"', 'better = "higher"', 'candidates = "columns"', "tie_tol = 0.01",
    'missing = "worst"', 'ignore = ["a"]', '[weights]\nj0 = 2', '[strata]\nj0 = "x"', "sheet = 1",
    'delimiter = ";"', 'layout = "long"', '[columns]\nscore = "score"', "tie_tol = " + "9" * 5000,
    "better = 3", "nonsense = 1", 'encoding = "hex"', 'rule = "par2"\ncutoff = 10',
    "a = " + "[" * 3000,
)  # fmt: skip
OWN = (
    "return scores.mean(axis=1)", "return scores", "return scores.max(axis=1) + float('inf')",
    "return None", "print('hello'); return scores.sum(axis=1)", "raise ValueError('\\x1b[31mno')",
    "return [float('nan')] * len(scores)", "scores[:] = 0; return scores[:, 0]",
    "import sys; sys.exit(0)",
    "return ['a'] * len(scores)", "return scores.mean(axis=1) * 1j", "return own(scores)",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What to run, where ``files`` are relative to a folder of its own."""

    seed: int
    number: int
    files: dict[str, bytes]
    args: tuple[str, ...]
    stdin: bytes = b""
    table: str = ""
    """The name of the file that an independent reading looks at; empty where none does."""
    reading: dict[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> set[str]:
        """The files that the command line names, other than to write them, and the sidecars.

        ``show`` reads a saved result, which has none.
        """
        before = ("", *self.args)
        told = {
            arg.partition(":")[0].removesuffix("/*")
            for option, arg in zip(before, self.args, strict=False)
            if option not in {"-o", "--output", "--bundle"}
        }
        read = {name for name in self.files if {name, name.partition("/")[0]} & told}
        beside = {f"{name.partition('.')[0]}.toml" for name in read if self.args[0] != "show"}
        return read | (beside & set(self.files))


@cache
def commands() -> dict[str, tuple[click.Parameter, ...]]:
    """Return the parameters of every command."""
    from deadheat.cli.program import deadheat

    context = click.Context(deadheat)
    found = {}
    for name in deadheat.list_commands(context):
        command = deadheat.get_command(context, name)
        assert command is not None
        found[name] = tuple(command.params)
    return found


@cache
def saved() -> tuple[tuple[str, bytes], ...]:
    """Return results of every kind as they are saved."""
    import deadheat as dh

    table = dh.Results(
        scores=[[0.9, 0.8, 0.7, 0.9], [0.8, 0.9, 0.6, 0.5], [0.5, 0.4, 0.3, 0.6]],
        candidates=["rf", "svm", "knn"],
        judges=["a", "b", "c", "d"],
        better="higher",
    )
    results = (
        dh.rank(table, by=["mean", "copeland"]),
        dh.verdict(table, by="mean", replicates=50),
        dh.influence(table, by="mean"),
        dh.agreement(table),
        dh.consensus(table),
        dh.criteria(table, trials=20, q=3, repeats=2),
        dh.rate(table, replicates=20),
        dh.check(table),
    )
    return tuple((type(r).__name__, r.to_json().encode()) for r in results)


def case(seed: int, number: int) -> Case:
    """Return case ``number`` of a seed; it depends on nothing else."""
    rng = Random(f"{seed}/{number}")
    if rng.random() < 0.15:
        return _reading(seed, number, rng)
    name = rng.choices(list(COMMANDS), list(COMMANDS.values()))[0]
    tame = rng.random() < 0.55
    table = rng.choice(_fitting(name, tame=tame))(rng)
    file, content = tables.written(table, rng)
    if not tame and rng.random() < 0.7:
        content = mutators.mutated(file, content, rng)
    files = {file: content, "own.py": _own(rng), "official.csv": _official(table, rng)}
    if name == "show" or (name == "plot" and rng.random() < 0.2):
        kind, document = rng.choice(saved())
        file = f"{kind}.json"
        files[file] = mutators.mutated(file, document, rng) if rng.random() < 0.8 else document
    if not tame and rng.random() < 0.25:
        side = "\n".join(rng.sample(SIDECARS, rng.randrange(1, 3))).encode()
        side = mutators.mutated("x.toml", side, rng) if rng.random() < 0.3 else side
        stem = file.rsplit("/", 1)[-1].partition(".")[0]
        files[f"{file.rpartition('/')[0]}/{stem}.toml".lstrip("/")] = side
    stdin = b""
    named = file
    if rng.random() < 0.04:
        stdin, named = content, "-"
    elif name == "rate" and rng.random() < 0.1:  # a log in several files
        folder = rng.choice(("log", "day=1", "a b", "it's", "[x]", "50%"))
        files |= {f"{folder}/{k}-{file.replace('/', '-')}": content for k in range(2)}
        named = rng.choice((folder, f"{folder}/*"))
    args = (name, *_arguments(name, named, table, files, rng, tame=tame))
    return Case(seed, number, files, args, stdin)


def _fitting(command: str, *, tame: bool) -> tuple[Any, ...]:
    """Return the kinds of tables that a command is made for; where not tame, others too."""
    made_for = (tables.wide, tables.wide, tables.long, tables.runs)
    if command == "rate":
        made_for = (tables.battles, tables.battles, tables.wide, tables.long)
    if command == "score":
        made_for = (tables.runs,)
    return made_for if tame else made_for + tables.KINDS


def _own(rng: Random) -> bytes:
    body = rng.choice(OWN)
    return (
        f"import deadheat as dh\n\n@dh.ranks_table('own')\ndef own(scores):\n    {body}\n".encode()
    )


def _official(table: tables.Table, rng: Random) -> bytes:
    first = [row[0] for row in table.rows]
    rng.shuffle(first)
    lines = [json.dumps(name)[1:-1] for name in dict.fromkeys(first)]
    return "\n".join(("candidate", *lines)).encode("utf-8", "replace")


def _arguments(
    command: str,
    file: str,
    table: tables.Table,
    files: dict[str, bytes],
    rng: Random,
    *,
    tame: bool,
) -> list[str]:
    if command not in commands():
        return [file]
    known = {p.name: p for p in commands()[command]}
    args = _positional(command, file, table, rng)
    options = dict(zip(table.options[::2], table.options[1::2], strict=True))
    usable = {opt for p in known.values() for opt in p.opts}
    chosen = [[k, v] for k, v in options.items() if k in usable and (tame or rng.random() < 0.95)]
    for name, values in FAST.items():
        if name in known and command != "plot" and (tame or rng.random() < 0.97):
            chosen.append([known[name].opts[0], rng.choice(values)])
    free = [p for p in known.values() if isinstance(p, click.Option) and p.name not in FAST]
    if tame:
        free = [p for p in free if p.name in TAME and (TAME[p.name] or _is_closed(p))]
    for parameter in rng.sample(free, min(len(free), rng.choice((0, 0, 1, 1, 2, 3, 5)))):
        if tame:
            chosen.append(_tame_option(parameter, rng))
        else:
            chosen.append(_option(parameter, table, files, rng))
    if command in {"plot", "report"} and rng.random() < 0.9:
        suffix = rng.choice(("svg", "html", "json", "png")) if command == "plot" else "html"
        chosen.append(["-o", f"out.{suffix}"])
    rng.shuffle(chosen)
    for option in chosen:
        args.extend(option)
    return args


def _is_closed(parameter: click.Parameter) -> bool:
    return getattr(parameter, "is_flag", False) or isinstance(parameter.type, click.Choice)


def _tame_option(parameter: click.Parameter, rng: Random) -> list[str]:
    """Return an option that often makes sense."""
    option = rng.choice(parameter.opts)
    if getattr(parameter, "is_flag", False):
        return [option]
    if isinstance(parameter.type, click.Choice):
        return [option, str(rng.choice(list(parameter.type.choices)))]
    return [option, rng.choice(TAME[str(parameter.name)])]


def _positional(command: str, file: str, table: tables.Table, rng: Random) -> list[str]:
    if command == "demo":
        return []
    if command == "list":
        return [rng.choice(("functions", "criteria", "axioms", "plots", "formats", "scoring", "x"))]
    if command == "completion":
        return [rng.choice(("bash", "zsh", "fish", "x"))]
    if command == "axioms":
        return [rng.choice(FUNCTIONS[:4])] if rng.random() < 0.5 else ["--table", file]
    if command == "compare":
        pool = [row[0] for row in table.rows] + list(table.header[1:])
        return [file, *(rng.choice(pool) or "x" for _ in range(2))]
    if command == "plot":
        return [file, rng.choice(PLOTS)]
    return [file] if rng.random() < 0.97 else [rng.choice(("missing.csv", ".", "", "own.py"))]


def _option(
    parameter: click.Parameter, table: tables.Table, files: dict[str, bytes], rng: Random
) -> list[str]:
    option = rng.choice(parameter.opts)
    if getattr(parameter, "is_flag", False):
        return [option]
    kind = parameter.type
    if isinstance(kind, click.Choice):
        valid = rng.random() < 0.93
        return [
            option,
            str(rng.choice(list(kind.choices)) if valid else rng.choice(tables.HOSTILE)),
        ]
    if isinstance(kind, click.types.IntParamType):
        return [option, rng.choice(INTEGERS)]
    if isinstance(kind, click.types.FloatParamType):
        return [option, rng.choice(FLOATS)]
    return [option, _value(str(parameter.name), table, files, rng)]


def _value(name: str, table: tables.Table, files: dict[str, bytes], rng: Random) -> str:
    """Return a value of an option that takes text."""
    column = rng.choice(table.header) if rng.random() < 0.85 else rng.choice(tables.HOSTILE)
    cell = rng.choice(rng.choice(table.rows)) if table.rows else ""
    if name == "output":
        names = (
            "out.csv",
            "out.json",
            "out.txt",
            "out.md",
            "out.tex",
            "no/such/x.csv",
            ".",
            "out.x",
        )
        return rng.choice((*names, *files))
    if name in {"sidecar", "official", "table", "bundle", "file", "more"}:
        return rng.choice((*files, "missing.toml", ".", "bundle"))
    if name == "by":
        own = rng.random() < 0.15
        return "own.py:own" if own else ",".join(rng.sample(FUNCTIONS, rng.choice((1, 1, 2, 3))))
    special = {
        "where": (f"{column}={cell}", f"{column}!={cell}", column, "=", f"{column}=="),
        "delimiter": (",", ";", "tab", "space", "\\t", "ab", "", "\n", '"'),
        "encoding": ("utf-8", "latin-1", "utf-16", "hex", "rot13", "idna", "x", "base64"),
        "engine": ("serial", "threads", "threads:2", "threads:0", "threads:99999999", "dask", ""),
        "interval": (*TAME["interval"], "x"),
        "cutoff": ("10", "1e308", column, "nan", "-5", ""),
        "sheet": ("Sheet", "Sheet1", "0", "99", "a'b", "[x]", ""),
        "anchor": (f"{cell}=1500", cell, "=1", f"{cell}=x", f"{cell}=1e308"),
        "fail_on": ("tie-at-top", f"not-first:{cell}", f"winner-changed:{cell}", "x",
                    "groups-changed:own.py"),
        "width": ("column", "page", "100", "1e9", "0", "x"),
        "statuses": (f"{cell}=solved", f"{cell}=timeout", "=", f"{cell}=x"),
        "outcomes": (f"{cell}=left", f"{cell}=tie", "=", f"{cell}=x"),
        "rule": ("par2", "solved", "ipc-sat", "par1e9", "par0", "own.py:own", "x"),
        "title": tables.HOSTILE,
    }  # fmt: skip
    return rng.choice(special.get(name, (column, column, column, cell, "", "nope")))


def _reading(seed: int, number: int, rng: Random) -> Case:
    """Return a table of scores whose means tell whether it was read as it stands."""
    table = rng.choice((tables.wide, tables.wide, tables.long))(rng)
    form = rng.choice(("csv", "csv", "csv", "jsonl", "json", "parquet", "xlsx"))
    delimiter = rng.choice((",", ",", ";", "\t"))
    encoding = rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16"))
    if form == "csv":
        content = tables.text(table, rng, delimiter, encoding)
    elif form == "parquet":
        content = tables.parquet(table)
    elif form == "xlsx":
        content = tables.excel(table)
    else:
        objects = list(map(json.dumps, tables.records(table)))
        content = ("\n".join(objects) if form == "jsonl" else f"[{','.join(objects)}]").encode()
    file = f"{rng.choice(('', '', 'x=5/', 'model=a/'))}table.{form}"
    if rng.random() < 0.5:
        content = mutators.mutated(file, content, rng)
    args = ("rank", file, "--by", "mean", "--better", "higher", "--json")
    reading = {"kind": table.kind, "rows_are_judges": table.rows_are_judges, "header": table.header,
               "delimiter": delimiter, "encoding": encoding, "form": form}  # fmt: skip
    return Case(seed, number, {file: content}, args, table=file, reading=reading)
