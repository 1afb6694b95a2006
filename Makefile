# Everything is built inside the tree: .venv for Python, node_modules for the type checker of the page.
.DEFAULT_GOAL := help
.PHONY: help run test soak mutants lint format bench growth cards lock clean

BIN := .venv/bin
IN_VENV := $(BIN)/python
PIP := $(IN_VENV) -m pip --quiet --quiet --no-input --disable-pip-version-check
SOURCES := git ls-files --cached --others --exclude-standard
PURE := server/simplesimon/rules/*,server/simplesimon/game.py,server/simplesimon/history.py,server/simplesimon/snapshots.py

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/run.stamp ## play on http://127.0.0.1:8000 (ARGS="--port 9000 --workers 2" for more)
	@exec $(IN_VENV) -m simplesimon serve $(ARGS)

# A part of the tests says nothing about coverage, so only the whole run passes the gate
test: .venv/dev.stamp ## all tests, and the coverage of the pure rooms (T=tests/test_game.py for some)
ifdef T
	@tools/browser $(IN_VENV) -m pytest $(T)
else
	@tools/browser $(IN_VENV) -m pytest --cov --cov-report=
	@echo "Branches of the pure rooms:"
	@$(IN_VENV) -m coverage report --include='$(PURE)' --fail-under=100
endif

soak: .venv/dev.stamp ## strike servers and stores while 50 games are played (SECONDS_EACH=600 for longer)
	@SOAK_S=$(SECONDS_EACH) SOAK_FIGURES=$(FIGURES) $(IN_VENV) -m pytest -s -o faulthandler_timeout=0 tests/system $(CHANCE)
SECONDS_EACH := 60
CHANCE := $(addprefix tests/test_,contract.py fuzz.py made_up.py cancelled.py comings.py one_byte.py)
FIGURES := soak.jsonl

mutants: .venv/dev.stamp ## take each protection away, and see that its test notices (ARGS="feed" for some)
	@$(IN_VENV) tests/mutants.py $(ARGS)

lint: .venv/dev.stamp node_modules/.stamp ## style, types, layers, sizes
	$(IN_VENV) -m ruff check
	$(IN_VENV) -m ruff format --check
	$(IN_VENV) -m mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/node node_modules/typescript/bin/tsc
	@! git grep -nIE --untracked '(py[p]i|python[h]osted|npm[j]s|debia[n])\.(org|com)' || \
		{ echo "A registry's host stands in the tree: packages are named, not located."; exit 1; }
	@$(SOURCES) -- '*.py' '*.js' '*.css' | tr '\n' '\0' | xargs -0 awk \
		'FNR == 251 { print FILENAME ": longer than 250 lines"; long = 1 } END { exit long }'

format: .venv/dev.stamp ## put the Python in order
	$(IN_VENV) -m ruff check --fix
	$(IN_VENV) -m ruff format

bench: .venv/dev.stamp ## measure the server beside others (ARGS="--quick" for two minutes)
	@$(IN_VENV) -m bench $(ARGS)

growth: .venv/bench.stamp ## measure how cost grows, and draw docs/growth-*.svg anew
	@$(IN_VENV) -m bench.growth $(ARGS)
	@$(IN_VENV) -m bench.plots

cards: ## draw the pack anew from its art
	python3 tools/draw_cards.py

lock: .venv/dev.stamp ## resolve the lock files anew
	$(PIP) install uv
	$(BIN)/uv pip compile $(LOCK) --group build --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	$(BIN)/uv pip compile $(LOCK) --group bench --constraint requirements-dev.lock --output-file requirements-bench.lock pyproject.toml
	$(BIN)/npm install --package-lock-only
# hashes for every platform and Python from 3.11 on, and no word of where the packages came from
LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-config --no-annotate \
	--upgrade --custom-compile-command 'make lock'

clean: ## remove all that was built or cached; games stay
	rm -rf .venv node_modules bench/build bench/peers/node_modules dist .coverage .*_cache .hypothesis soak.jsonl
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are older than their lock file when that changed, and .venv/bin/python is missing when its Python is gone
.venv/bin/python:
	@tools/venv

.venv/run.stamp: requirements.lock pyproject.toml .venv/bin/python
	@tools/venv
	@echo "Installing what the server needs ..."
	@$(PIP) install --require-hashes --requirement requirements.lock
	@$(PIP) install --no-build-isolation --no-deps --no-index --editable .
	@touch $@

.venv/dev.stamp: requirements-dev.lock .venv/run.stamp
	@echo "Installing what tests and checks need ..."
	@$(PIP) install --require-hashes --requirement requirements-dev.lock
	@touch $@

.venv/bench.stamp: requirements-bench.lock .venv/dev.stamp
	@echo "Installing what draws plots ..."
	@$(PIP) install --require-hashes --requirement requirements-bench.lock
	@touch $@

node_modules/.stamp: package.json package-lock.json .npmrc .venv/dev.stamp
	@echo "Installing the type checker of the page ..."
	@$(BIN)/npm ci --silent
	@touch $@
