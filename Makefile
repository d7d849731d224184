# Everything runs in a virtual environment of the project's own; a second run reuses it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Every library that has an adapter, each in an environment of its own: its extra has to be enough.
ADAPTERS ?= jax blackjax numpyro tfp emcee pymc
BENCHMARKS := $(filter-out benchmarks/bench_vectorised.py,$(sort $(wildcard benchmarks/bench_*.py)))

.PHONY: help demo test adapters quality bench scoreboard docs figures lint clean

help:
	@echo "make demo     the paper's story in the terminal"
	@echo "make test     all tests but the slow suites"
	@echo "make adapters the tests of adapters to other libraries, one environment each (ADAPTERS='jax emcee' chooses)"
	@echo "make quality  the slow suites: false alarm rates and power, measured"
	@echo "make bench    the benchmarks, one table each"
	@echo "make scoreboard  every kernel of other libraries on every target it can take: hours; goes on where it stopped"
	@echo "make figures  the plots that the docs show, from real runs"
	@echo "make docs     the site in docs/_build/html, after running every block of code in it"
	@echo "make lint     ruff and mypy"

# A group of dependencies is installed once and again only when pyproject.toml changes.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mcassay needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.plots: pyproject.toml $(VENV)/.installed
	$(PIP) install --editable '.[plots]'
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.installed
	$(PIP) install --group test
	@touch $@

$(VENV)/.docs: pyproject.toml $(VENV)/.installed
	$(PIP) install --group docs
	@touch $@

$(VENV)/.lint: pyproject.toml $(VENV)/.installed
	$(PIP) install --group lint
	@touch $@

demo: $(VENV)/.plots
	$(BIN)/python -m mcassay.demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

adapters: $(ADAPTERS:%=.venvs/%/.installed)
	@for name in $(ADAPTERS); do \
	  .venvs/$$name/bin/python -m pytest tests/adapters/test_$$name.py || exit 1; \
	  page=docs/how-to/$$name.md; [ ! -f $$page ] || .venvs/$$name/bin/python docs/pages.py $$page || exit 1; \
	done

.venvs/%/.installed: pyproject.toml
	$(PYTHON) -m venv .venvs/$*
	.venvs/$*/bin/python -m pip --disable-pip-version-check --quiet install --upgrade 'pip>=25.1'
	.venvs/$*/bin/python -m pip --disable-pip-version-check --quiet install --editable '.[$*]' --group adapters
	@touch $@

quality: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --override-ini 'norecursedirs=.*' --override-ini timeout=0 tests/quality

bench: $(VENV)/.test .venvs/blackjax/.installed
	@for benchmark in $(BENCHMARKS); do $(BIN)/python $$benchmark || exit 1; done
	.venvs/blackjax/bin/python benchmarks/bench_vectorised.py

# Each library in the environment of its adapter; SCOREBOARD='--budget 300' makes it short.
scoreboard: $(VENV)/.test $(ADAPTERS:%=.venvs/%/.installed)
	$(BIN)/python benchmarks/scoreboard.py --library house $(SCOREBOARD)
	@for name in $(filter-out jax,$(ADAPTERS)); do .venvs/$$name/bin/python benchmarks/scoreboard.py --library $$name $(SCOREBOARD) || exit 1; done

figures: $(VENV)/.plots $(VENV)/.test
	$(BIN)/python docs/make_figures.py
	$(BIN)/python docs/make_posteriors.py

# The pages plot, fit and test: they use what the tests use.
docs: $(VENV)/.test $(VENV)/.docs
	$(BIN)/python docs/pages.py
	$(BIN)/sphinx-build -W --keep-going -n -q -b html docs docs/_build/html

# mypy reads the libraries that the package is an optional front end to, so it needs them there.
lint: $(VENV)/.test $(VENV)/.lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .venvs build dist docs/_build docs/reference/generated .pytest_cache .mypy_cache .ruff_cache
