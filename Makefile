# make demo    build, evaluate, judge and report a small benchmark on this machine
# make test    the quick tests          make lint    style, types, import rules
# make install  the environment alone     make install-dev  with the tools for tests and checks
# make cluster PostgreSQL, an object store, a server, two workers: the whole of it on this machine
# make clean   remove the environment and what the demo left
#
# PYTHON=python3.12       the interpreter (3.11 or newer) the environment is made with
# TORCH_INDEX=URL         a package index with CPU builds of torch. Without it, the default index is
#                         asked, which on Linux may mean several GB of GPU libraries.

PYTHON ?= python3
TORCH_INDEX ?=
TORCH := torch==2.13.0

VENV := .venv
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet
# The stamps carry a checksum of what decides the environment: unchanged files mean no install.
SUM := $(shell cat pyproject.toml requirements/*.txt | cksum | tr ' ' '-')
RUNTIME := $(VENV)/.runtime-$(SUM)
DEV := $(VENV)/.dev-$(SUM)

.PHONY: demo test lint cluster install install-dev clean

demo: $(RUNTIME)
	@$(VENV)/bin/voxmem demo

test: $(DEV)
	@$(VENV)/bin/python -m pytest -m "not slow" -n 2

lint: $(DEV)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

cluster: $(DEV)
	@$(VENV)/bin/python -m tests.cluster.walk

install: $(RUNTIME)
install-dev: $(DEV)

$(RUNTIME):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "voxmem needs Python 3.11 or newer: run make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "[1/4] creating $(VENV)"
	@test -x $(VENV)/bin/python && $(VENV)/bin/python -m pip --version >/dev/null 2>&1 || \
	  $(PYTHON) -m venv --clear $(VENV) || \
	  { echo "no virtual environment could be made: install your system's python3-venv"; exit 1; }
	@echo "[2/4] installing $(TORCH), alone and exactly, so that no other build of it is drawn in"
	@$(PIP) install $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) $(TORCH)
	@echo "[3/4] installing voxmem and what it needs (about 3 minutes, 2.4 GB)"
	@$(PIP) install --editable '.[speech,gates,chitchat,s3]'
	@echo "[4/4] installing three packages without their dependencies"
	@$(PIP) install --no-deps --requirement requirements/no-deps.txt
	@rm -f $(VENV)/.runtime-* $(VENV)/.dev-*
	@touch $@

$(DEV): $(RUNTIME)
	@echo "installing the tools for tests and checks"
	@$(PIP) install --editable '.[speech,gates,chitchat,s3,dev]'
	@$(PIP) install --no-deps --target $(VENV)/for-tests --upgrade --requirement requirements/for-tests.txt
	@touch $@

clean:
	rm -rf $(VENV) voxmem-demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find voxmem tasks flows tests -name __pycache__ -type d -prune -exec rm -rf {} +
