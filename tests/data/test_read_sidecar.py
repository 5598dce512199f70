"""The TOML file beside a table."""

import gzip

import pytest

import deadheat as dh
from deadheat.core.errors import DataError, UnknownNameError, UsageError
from deadheat.data.reading.read import read

WIDE = "model,iris,adult,note\nsvm,1,2,x\nrf,3,,y\n"


@pytest.fixture
def beside(table):
    def write(sidecar, name="results.toml", content=WIDE):
        table(sidecar, name)
        return table(content)

    return write


@pytest.mark.parametrize("name", ["results.toml", "results.csv.toml"])
def test_a_sidecar_beside_the_table_is_found_and_reported(beside, name):
    results = read(beside('better = "lower"\nignore = ["note"]\n', name))
    assert results.better == ("lower", "lower")
    assert dict(results.reading)["sidecar"] == name
    assert dict(results.reading)["columns not used"] == "note"


@pytest.mark.parametrize("name", ["results.toml", "results.csv.toml", "results.csv.gz.toml"])
def test_a_compressed_table_has_the_same_sidecar(table, name):
    table('better = "lower"\nignore = ["note"]\n', name)
    path = table(gzip.compress(WIDE.encode()), "results.csv.gz")
    assert read(path).better == ("lower", "lower")


def test_a_sidecar_can_be_named(table):
    other = table('better = "lower"\nignore = ["note"]\n', "elsewhere.toml")
    assert read(table(WIDE), sidecar=other).better == ("lower", "lower")
    with pytest.raises(DataError, match="no sidecar file"):
        read(table(WIDE), sidecar="nowhere.toml")


def test_an_argument_beats_the_sidecar(beside):
    path = beside('better = "lower"\nmissing = "worst"\nignore = ["note"]\n[weights]\niris = 2\n')
    assert read(path, better="higher").better == ("higher", "higher")
    assert read(path).missing == "worst"
    assert read(path, missing="available").missing == "available"


def test_everything_about_a_wide_table_can_be_said(beside):
    path = beside(
        """
        better = { adult = "lower", "*" = "higher" }
        layout = "wide"
        candidates = "rows"
        missing = "drop-candidates"
        tie_tol = 0.5
        ignore = ["note"]
        delimiter = ","
        decimal = "."
        header = true
        encoding = "utf-8"
        [weights]
        iris = 2.5
        [strata]
        iris = "easy"
        adult = "hard"
        [clusters]
        one = ["iris", "adult"]
        """
    )
    results = read(path)
    assert results.better == ("higher", "lower")
    assert results.candidates == ("svm",)
    assert results.tie_tol == 0.5
    assert results.weights.tolist() == [2.5, 1]
    assert results.strata == ("easy", "hard")
    assert results.clusters == ("one", "one")


def test_columns_and_repeats_of_a_long_table_can_be_said(beside):
    content = "who,where,seed,what,kind\na,x,1,5,k\na,x,2,7,k\n"
    sidecar = """
        better = { x = "lower" }
        combine = "judges"
        repeat = "seed"
        [columns]
        candidate = "who"
        judge = "where"
        score = "what"
        stratum = "kind"
        [weights]
        x = 3
        """
    results = read(beside(sidecar, content=content))
    assert results.judges == ("x #1", "x #2")
    assert results.better == ("lower", "lower")
    assert results.weights.tolist() == [3, 3]
    assert results.strata == ("k", "k")


@pytest.mark.parametrize(
    ("sidecar", "kind", "message"),
    [
        ('bettr = "lower"', UnknownNameError, "unknown key in results.toml 'bettr'.*'better'"),
        ("better = = 1", DataError, "results.toml is no valid TOML.*line 1"),
        ("header = 1", UsageError, "header must be true or false, got 1"),
        ("tie_tol = true", UsageError, "tie_tol must be"),
        ('[columns]\nscores = "x"', UnknownNameError, "'scores'. Did you mean 'score'"),
        ("[columns]\nscore = 1", UsageError, "columns.score must be text"),
        ('ignore = ["nte"]', UnknownNameError, "unknown column 'nte'. Did you mean 'note'"),
        ('ignore=["note"]\n[weights]\nirs = 1', UnknownNameError, "judge in weights 'irs'.*'iris'"),
        ('ignore=["note"]\n[weights]\niris = "x"', UsageError, "weight of judge 'iris' is 'x'"),
        ('ignore=["note"]\n[weights]\niris = -1', DataError, "weight of judge 'iris' is -1"),
        ('ignore=["note"]\n[strata]\niris = "x"', UsageError, "no stratum for judge 'adult'"),
        (
            'ignore=["note"]\n[clusters]\na=["iris"]\nb=["iris"]',
            UsageError,
            "two values of cluster",
        ),
        ('ignore=["note"]\n[strata]\nx=["irs"]', UnknownNameError, "judge in strata 'irs'"),
        ('missing = "wurst"', UnknownNameError, "missing policy 'wurst'. Did you mean 'worst'"),
    ],
)
def test_a_wrong_sidecar_is_refused(beside, sidecar, kind, message):
    with pytest.raises(kind, match=message):
        read(beside(sidecar), better="higher")


def test_a_sidecar_that_is_no_text_is_refused(table):
    table(b"\xff\xfe\x00", "results.toml")
    with pytest.raises(DataError, match="not UTF-8"):
        read(table(WIDE), better="higher")


def test_judges_without_names_are_called_by_their_numbers(beside):
    path = beside(
        'better = "higher"\ncandidates = "columns"\n[weights]\njudge_2 = 5\n', content="1 2\n3 4\n"
    )
    assert read(path).weights.tolist() == [1, 5]


def test_a_column_beats_the_weights_of_the_sidecar(beside):
    path = beside('better = "higher"\n[weights]\nx = 9\n', content="task,w,a\nx,2,1\ny,3,2\n")
    assert read(path, weight="w").weights.tolist() == [2, 3]


CONTRADICTIONS = [  # a line of the sidecar, what is said here, how the note begins and ends
    ('better = "lower"', {"better": "higher"}, 'better = "lower"', "'higher' was said"),
    ('[better]\niris = "lower"', {"better": "higher"}, "[better]", "'higher' was said"),
    ('better = "lower"', {"better": {"*": "higher"}}, 'better = "lower"', "another for each was"),
    ('missing = "worst"', {"missing": "available"}, 'missing = "worst"', "'available' was said"),
    ("tie_tol = 0.5", {"tie_tol": 0.25}, "tie_tol = 0.5", "'0.25' was said"),
    ('delimiter = ";"', {"delimiter": "comma"}, 'delimiter = ";"', "',' was said"),
    ('decimal = ","', {"decimal": "."}, 'decimal = ","', "'.' was said"),
    ('encoding = "utf-16"', {"encoding": "utf-8"}, 'encoding = "utf-16"', "'utf-8' was said"),
    ("header = false", {"header": True}, "header = false", "'True' was said"),
    ('candidates = "columns"', {"candidates": "rows"}, 'candidates = "columns"', "'rows' was said"),
    ('candidates = "columns"', {"candidate": "model"}, 'candidates = "columns"', "rows are cand"),
    ('layout = "long"', {"candidates": "rows"}, 'layout = "long"', "the layout is long"),
    ('[columns]\nscore = "iris"', {"layout": "wide"}, 'score = "iris"', "the layout is wide"),
    ('[columns]\njudge = "model"', {"candidate": "model"}, 'judge = "model"', "both name the col"),
]  # fmt: skip


@pytest.mark.parametrize(("sidecar", "said", "theirs", "mine"), CONTRADICTIONS)
def test_what_is_said_wins_and_every_contradiction_is_told(beside, sidecar, said, theirs, mine):
    content = "model,iris,adult\nsvm,1,2\nrf,3,4\n"
    said = {"better": "higher"} | said
    results = read(beside(sidecar + "\n", content=content), **said)
    assert (results.candidates, results.better) == (("svm", "rf"), ("higher", "higher"))
    [note] = [note for note in results.notes if note.startswith("results.toml")]
    assert note.startswith(f"results.toml says {theirs}, which does not count: ")
    assert mine in note


def test_what_agrees_is_not_told(beside):
    path = beside('better = "lower"\ndelimiter = ","\nignore = ["note"]\nmissing = "worst"\n')
    again = read(path, better="lower", delimiter="comma", missing="worst", ignore="note")
    assert again.notes == read(path).notes


def test_a_column_that_is_said_beats_the_tables_of_the_sidecar(beside):
    content = "task,w,kind,a,b\nx,1,k,1,2\ny,2,l,3,4\n"
    path = beside('better = "higher"\n[weights]\nx = 9\n[strata]\n"*" = "s"\n', content=content)
    results = read(path, weight="w", stratum="kind")
    assert (results.weights.tolist(), results.strata) == ([1, 2], ("k", "l"))
    assert results.notes == (
        "results.toml says [weights], which does not count: weight='w' was said.",
        "results.toml says [strata], which does not count: stratum='kind' was said.",
    )


def test_a_column_that_is_said_is_not_left_out(beside):
    content = "model,task,auc,f1\na,x,1,4\nb,x,2,3\n"
    path = beside('better = "higher"\nignore = ["f1"]\n', content=content)
    results = read(path, score="f1")
    assert results.scores.tolist() == [[4], [3]]
    assert results.notes == ("results.toml leaves out column 'f1', yet score='f1' uses it.",)


def test_a_sidecar_of_runs_is_beaten_too(beside):
    content = "solver,instance,status,time\na,x,ok,3\nb,x,timeout,9\n"
    path = beside('rule = "par2"\ncutoff = 9\nbetter = "lower"\n', content=content)
    results = read(path, rule="solved", cutoff=10)
    assert (results.rule, results.scores.tolist()) == ("solved", [[1], [0]])
    told = [note for note in results.notes if note.startswith("results.toml")]
    assert [note.split(", which")[0] for note in told] == [
        'results.toml says better = "lower"',
        'results.toml says rule = "par2"',
        "results.toml says cutoff = 9",
    ]


def test_a_sidecar_beside_a_battle_log_is_obeyed_or_told(beside):
    from deadheat.data.reading.read import is_battle_log, read_battles

    content = "model_a,model_b,winner\nx,y,model_a\n"
    path = beside('better = "higher"\n', content=content)
    assert not is_battle_log(path, {})
    [note] = read_battles(path).notes
    assert note == "results.toml beside it is not read: a sidecar is about a table of scores."


def test_what_a_sidecar_says_of_another_format_is_removed_there(table):
    table('sheet = "zz"\n', "results.toml")
    path = table("model,a\nx,1\ny,2\n")
    with pytest.raises(UsageError) as caught:
        read(path, better="higher")
    assert str(caught.value) == (
        "sheet in results.toml means nothing for a text table (results.csv).\n"
        "Hint: remove that line of results.toml."
    )
    with pytest.raises(UsageError, match="sheet= means nothing for a text table"):
        read(path, better="higher", sheet="zz")


def test_a_named_sidecar_is_heeded_when_a_file_is_looked_at_first(tmp_path):
    """`rate` looks whether a file is a battle log: the file beside it must not split its rows."""
    path = tmp_path / "t.csv"
    path.write_text("judge,a,b,c\n" + "".join(f"j{k},{k},{k + 1},{k % 2}\n" for k in range(12)))
    (tmp_path / "t.csv.toml").write_text('delimiter = ";"')
    (tmp_path / "other.toml").write_text('better = "higher"\ncandidates = "columns"')
    found = dh.rate(str(path), sidecar=str(tmp_path / "other.toml"), replicates=50)
    assert set(found.candidates) == {"a", "b", "c"}


def test_a_sidecar_that_is_not_utf8_says_how_to_mend_it(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("model,x,y\na,1,2\nb,2,3\n")
    (tmp_path / "t.csv.toml").write_bytes('better = "höher"'.encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8") as caught:
        dh.read(str(path))
    assert "save it as UTF-8" in caught.value.hint


def test_what_a_sidecar_contradicts_is_removed_there(tmp_path):
    (tmp_path / "s.csv").write_text("model,task,accuracy\na,t,1\nb,t,2\n")
    (tmp_path / "s.toml").write_text('layout = "wide"\n[columns]\nscore = "accuracy"\n')
    with pytest.raises(UsageError, match=r"if it is wide: remove score from s\.toml\."):
        dh.read(tmp_path / "s.csv")
