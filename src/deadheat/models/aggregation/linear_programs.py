"""Linear programs that grow: HiGHS with a warm start, or through scipy where highspy is absent."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from deadheat.ranking.consensus.relation import Rows
from deadheat.typing import Floats

WHOLE = 1e-6
LONGEST = 1e7  # seconds; HiGHS knows no infinity here


@dataclass(frozen=True, eq=False)
class Solved:
    """Hold the values of the variables, a lower bound of the optimum, and whether it is reached.

    ``values`` is None where no solution was found in time.
    """

    values: Floats | None
    bound: float
    optimal: bool


class Program(Protocol):
    """Minimise costs over variables between 0 and 1 under rows that may be added."""

    def add(self, *parts: Rows) -> None:
        """Add inequalities."""

    def relaxed(self, seconds: float) -> Solved:
        """Solve with fractions allowed."""

    def whole(self, seconds: float, *, gap: float, start: Floats | None = None) -> Solved:
        """Solve in whole numbers, from a solution, to within an absolute gap of the optimum."""

    def completed(self, seconds: float, values: Floats) -> Solved:
        """Solve in whole numbers, where the values that are whole already stay so."""


def program(costs: Floats) -> Program:
    """Return an empty program on highspy (extra ``fast``), else on scipy."""
    try:
        highspy: Any = importlib.import_module("highspy")
    except ImportError:
        return ScipyProgram(costs)
    return HighsProgram(highspy, costs)


def fixed(values: Floats) -> tuple[Floats, Floats]:
    """Return bounds that keep what is 0 or 1 and leave the rest free."""
    return np.floor(values + WHOLE), np.ceil(values - WHOLE)


class HighsProgram:
    """Keep one HiGHS model, so that every solution starts from the last."""

    def __init__(self, highspy: Any, costs: Floats) -> None:
        self.highspy = highspy
        self.size = len(costs)
        self.model = highspy.Highs()
        for option, value in {"output_flag": False, "threads": 1, "random_seed": 0}.items():
            self.model.setOptionValue(option, value)
        nothing, none = np.zeros(0), np.zeros(0, dtype=np.int32)
        self.model.addCols(
            self.size, costs, np.zeros(self.size), np.ones(self.size), 0, none, none, nothing
        )

    def add(self, *parts: Rows) -> None:
        """Add inequalities."""
        for rows in parts:
            number, width = rows.variables.shape
            status = self.model.addRows(
                number,
                np.full(number, -np.inf),
                rows.upper,
                number * width,
                np.arange(number, dtype=np.int32) * width,
                rows.variables.astype(np.int32).ravel(),
                rows.coefficients.ravel(),
            )
            assert status == self.highspy.HighsStatus.kOk, "HiGHS refuses a row"

    def relaxed(self, seconds: float) -> Solved:
        """Solve with fractions allowed, from the last basis."""
        self._integral(is_whole=False)
        self.model.setOptionValue("presolve", "off")  # it would lose the basis
        # For linear programs the clock of a model runs on from one solution to the next.
        values, optimal = self._run(self.model.getRunTime() + seconds)
        bound = self.model.getInfo().objective_function_value if optimal else 0.0
        return Solved(values, bound, optimal)

    def whole(self, seconds: float, *, gap: float, start: Floats | None = None) -> Solved:
        """Solve in whole numbers, from a solution, to within an absolute gap of the optimum."""
        self._integral(is_whole=True)
        self.model.setOptionValue("presolve", "choose")
        self.model.setOptionValue("mip_abs_gap", gap)
        self.model.setOptionValue("mip_rel_gap", 0.0)
        self.model.clearSolver()  # HiGHS would first complete the fractions of the last solution
        if start is not None:
            self.model.setSolution(self.size, np.arange(self.size, dtype=np.int32), start)
        values, optimal = self._run(seconds)
        return Solved(values, max(self.model.getInfo().mip_dual_bound, 0.0), optimal)

    def completed(self, seconds: float, values: Floats) -> Solved:
        """Solve in whole numbers, where the values that are whole already stay so."""
        every = np.arange(self.size, dtype=np.int32)
        self.model.changeColsBounds(self.size, every, *fixed(values))
        found = self.whole(seconds, gap=0.0)
        self.model.changeColsBounds(self.size, every, np.zeros(self.size), np.ones(self.size))
        return found

    def _run(self, limit: float) -> tuple[Floats | None, bool]:
        self.model.setOptionValue("time_limit", min(limit, LONGEST))
        self.model.run()
        optimal = self.model.getModelStatus() == self.highspy.HighsModelStatus.kOptimal
        solution = self.model.getSolution()
        values = np.array(solution.col_value) if solution.value_valid else None
        return values, optimal

    def _integral(self, *, is_whole: bool) -> None:
        kinds = np.full(self.size, int(is_whole), dtype=np.uint8)
        self.model.changeColsIntegrality(self.size, np.arange(self.size, dtype=np.int32), kinds)


@dataclass(eq=False)
class ScipyProgram:
    """Solve anew every time, with the HiGHS that scipy carries."""

    costs: Floats
    rows: list[Rows] = field(default_factory=list)

    def add(self, *parts: Rows) -> None:
        """Add inequalities."""
        self.rows += parts

    def relaxed(self, seconds: float) -> Solved:
        """Solve with fractions allowed."""
        return self._solved(seconds)

    def whole(self, seconds: float, *, gap: float, start: Floats | None = None) -> Solved:  # noqa: ARG002
        """Solve in whole numbers.

        scipy knows relative gaps only, 0 asks for the optimum itself, and no solution to start
        from.
        """
        return self._solved(seconds, whole=True)

    def completed(self, seconds: float, values: Floats) -> Solved:
        """Solve in whole numbers, where the values that are whole already stay so."""
        return self._solved(seconds, whole=True, between=fixed(values))

    def _solved(
        self,
        seconds: float,
        *,
        whole: bool = False,
        between: tuple[Floats | float, Floats | float] = (0.0, 1.0),
    ) -> Solved:
        from scipy.optimize import Bounds, LinearConstraint, milp

        found = milp(
            self.costs,
            integrality=np.full(len(self.costs), int(whole)),
            bounds=Bounds(*between),
            constraints=[LinearConstraint(*self._matrix())] if self.rows else [],
            options={"time_limit": min(seconds, LONGEST), "mip_rel_gap": 0.0},
        )
        optimal = found.status == 0
        bound = found.get("mip_dual_bound") if whole else found.fun if optimal else 0.0
        return Solved(found.x, max(float(bound or 0.0), 0.0), optimal)

    def _matrix(self) -> tuple[Any, float, Floats]:
        from scipy.sparse import csr_array

        widths = np.concatenate([np.full(len(r.upper), r.variables.shape[1]) for r in self.rows])
        starts = np.concatenate([[0], np.cumsum(widths)])
        indices = np.concatenate([r.variables.ravel() for r in self.rows])
        data = np.concatenate([r.coefficients.ravel() for r in self.rows])
        matrix = csr_array((data, indices, starts), shape=(len(widths), len(self.costs)))
        return matrix, -np.inf, np.concatenate([r.upper for r in self.rows])
