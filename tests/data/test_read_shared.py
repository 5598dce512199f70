"""Real tables of the shared development data."""

import pytest

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
