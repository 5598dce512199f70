"""Real tables of the shared development data."""

import json

import pytest

import deadheat as dh
from deadheat.core.errors import UsageError
from deadheat.data.reading.read import read

pytestmark = pytest.mark.shared

SIZES = {
    "esann2021/AutoDL-AUC.csv": (13, 66),
    "esann2021/OpenML.csv": (292, 76),
    "esann2021/Statlog.csv": (24, 22),
    "cd_diagram/example.csv": (5, 15),
    "mteb_en/scores_long.csv.gz": (377, 56),
    "epp_auc_scores/auc_scores.csv": (80, 20),
    "alpaca_eval2/preference_wide.csv.gz": (58, 805),
}


@pytest.mark.parametrize("name", SIZES)
def test_tables_are_understood_without_any_option(shared_data, name):
    results = read(shared_data / name, better="higher")
    assert (results.n, results.m) == SIZES[name]


def test_tables_are_understood_with_the_columns_named(shared_data):
    sat = read(
        shared_data / "sat2016/main.csv.gz", better="higher", score="solved", stratum="subtrack"
    )
    assert (sat.n, sat.m, len(set(sat.strata))) == (29, 500, 2)
    amlb = read(
        shared_data / "amlb2019/all_results_1h.csv.gz",
        better="higher", judge="task", score="result", repeat="fold", combine="mean",
        stratum="type", missing="worst",
    )  # fmt: skip
    assert (amlb.n, amlb.m) == (7, 35)
    tabm = read(
        shared_data / "tabm/test_scores.csv.gz",
        better="higher", score="test_score", repeat="seed", combine="judges",
    )  # fmt: skip
    assert (tabm.n, tabm.m, len(set(tabm.clusters))) == (13, 86 * 15, 86)
    challenge = read(
        shared_data / "challengeR/data_matrix.csv", better="higher", where="task=c_ideal"
    )
    assert (challenge.n, challenge.m) == (5, 50)


def test_text_beside_the_scores_is_pointed_at(shared_data):
    path = shared_data / "planning_hapori/hardest-opt-cost.csv.gz"
    with pytest.raises(UsageError, match="column 'domain' holds text") as asked:
        read(path, better="lower")
    assert asked.value.remedy == {"stratum": "domain", "missing": "worst"}
    results = read(path, better="lower", stratum="domain", missing="worst")
    assert (results.n, results.m, len(set(results.strata))) == (30, 1946, 78)


def ranks_of(name, *keys, within=5e-5, **said):
    return pytest.param(name, keys, "average_rank", within, said, id=f"{name} {keys[-1]}")


SCMAMP = "demsar_garcia_herrera"
FIGURES = [
    ranks_of(f"{SCMAMP}/data.gh.2008.csv", "published", "data.gh.2008 average ranks"),
    ranks_of(f"{SCMAMP}/data.gh.2010.csv", "computed", "data.gh.2010 average ranks"),
    ranks_of("cd_diagram/example.csv", "computed", "average_ranks"),
    *(
        ranks_of("critdd/2d_example.csv", "computed", "average_ranks", f"diagram{k}",
                 better="lower", where=f"diagram=diagram{k}")
        for k in (1, 2, 3, 4)
    ),
    pytest.param("swebench_bashonly/resolved.csv.gz", ("computed", "percent_resolved"), "mean",
                 1e-9, {}, id="swebench"),
    ranks_of("tabm/test_scores.csv.gz", "computed", "average_rank_on_81_complete_datasets",
             within=1.1 / 81, missing="drop-judges"),  # whose means of 15 seeds are not rounded
]  # fmt: skip


@pytest.mark.parametrize(("name", "keys", "by", "within", "said"), FIGURES)
def test_tables_give_their_figures_by_the_first_hint(shared_data, name, keys, by, within, said):
    """Only the direction is said, and what the first answer of ``deadheat FILE`` proposes."""
    path, said = shared_data / name, {"better": "higher", **said}
    for _ in range(4):
        try:
            table = dh.read(path, **said)
            break
        except UsageError as asked:
            said = {**asked.remedy, **said}
    expected = json.loads((path.parent / "meta.json").read_text())
    for key in keys:
        expected = expected[key]
    shown = {row["candidate"]: row["shown"] for row in dh.rank(table, by=by).rows()}
    assert shown == pytest.approx(expected, abs=within)
