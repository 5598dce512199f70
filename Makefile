# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/
READY := $(VENV)/.ready
# A file stays on one worker, so that what its tests share is made once; in the order of the
# folders, or the few slow tests of a browser would come last and alone.
QUICK := -n auto --dist loadfile --no-loadscope-reorder -m "not slow"
# Every worker has one core for itself; bytecode is kept, or each process would compile the house.
test cover: export OMP_NUM_THREADS := 1
test cover: export OPENBLAS_NUM_THREADS := 1
unexport PYTHONDONTWRITEBYTECODE

# Pages, pictures, commands and documentation: tracing them takes long and tells nothing.
SURFACES := tests/report tests/browser tests/cli tests/test_docs.py

.PHONY: setup demo test cover check kernels fuzz validity bench bench-peers docs papers data clean
.DEFAULT_GOAL := demo

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else "deadheat needs Python 3.11 or newer, %s is %d.%d.\nHint: make setup PYTHON=python3.12" % (sys.executable, v[0], v[1]))'
	$(PYTHON) -m venv $(VENV)
	$(RUN)python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[all,dev]"
	@touch $(READY)

demo: setup
	@$(RUN)deadheat demo

test: setup
	$(RUN)python -m pytest $(QUICK)

cover: setup  # the same tests; those of what computes say how much of it they reach
	$(RUN)python -m pytest $(QUICK) $(addprefix --ignore=,$(SURFACES)) --cov --cov-report=
	@$(RUN)python -m coverage report --fail-under=95
	$(RUN)python -m pytest $(QUICK) $(SURFACES)

check: setup
	$(RUN)ruff check .
	$(RUN)ruff format --check .
	$(RUN)mypy
	$(RUN)lint-imports --no-logo

fuzz: setup  # about an hour; after Ctrl-C the same command goes on, `rm -r .fuzz` begins anew
	$(RUN)python tests/fuzz/run.py --cases 20000

validity: setup  # hours; after Ctrl-C the same command goes on, `rm -r .validity` begins anew
	$(RUN)python tests/validity/run.py

kernels: setup
	$(RUN)python tools/kernels.py

bench: setup  # about half an hour; ratios to floors and to plain loops, one after the other
	$(RUN)python benchmarks/run.py

bench-peers: setup  # about half an hour; after Ctrl-C the same command goes on, `rm -r benchmarks/results` begins anew
	$(RUN)python benchmarks/growth.py
	$(RUN)python benchmarks/peers.py

docs: setup
	$(RUN)python tools/make_docs.py
	$(RUN)mkdocs build --strict --quiet

papers: setup  # about a minute; needs the development data beside the checkout
	$(RUN)python tools/make_papers.py

data: setup  # about 3 hours; after Ctrl-C the same command goes on
	$(RUN)python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[data]"
	$(RUN)python tools/make_compressors.py
	$(RUN)python tools/make_sat_race.py --jobs 2
	$(RUN)python tools/make_models.py --jobs 2
	$(RUN)python tools/make_arena.py

clean:
	rm -rf $(VENV) benchmarks/.venv build dist site .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +
