# Two commands set everything up: `make demo` and `make test`.
VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin

.PHONY: demo test check lint types layers values clean

demo: $(VENV)/.runtime
	$(BIN)/tracegen generate demo --out out/demo --force
	$(BIN)/tracegen check out/demo
	$(BIN)/tracegen stats out/demo
	$(BIN)/tracegen show out/demo --language en --with-pii

test: $(VENV)/.test
	$(BIN)/python -m pytest -q

values: $(VENV)/.test
	$(BIN)/python -m benchmarks.values

check: lint types layers

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/tracegen lint

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

$(VENV)/.pip:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	touch $@

$(VENV)/.runtime: pyproject.toml $(VENV)/.pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.test: $(VENV)/.runtime
	$(BIN)/python -m pip install --quiet --group test
	touch $@

$(VENV)/.dev: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) build dist
