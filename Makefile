# Twolane's commands. `make run` and `make test` set up all they need; `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 3
QUICK := tests/engine tests/domains tests/cases/test_cases.py tests/db tests/test_rooms.py \
	$(addprefix tests/pages/test_,every_page.py chat.py) \
	$(addprefix --deselect=tests/,$(addprefix engine/test_,flips.py properties.py record.py bad_lines.py anatomy.py) \
		$(addprefix db/test_,concurrency.py isolation.py migrations.py policy_versions.py copying.py \
			files.py::test_an_import_shows_progress_and_is_undone_in_one_go))
CHECKED := engine domains telemetry db llm evals assistant mcp_door ui pages app.py mcp_server.py settings.py

INSTALL = -m pip install --disable-pip-version-check --require-hashes -r
LOCK = $(VENV)/tools/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url

.DEFAULT_GOAL := help
# The tests start many processes: compiled code is kept, also where the shell says otherwise.
unexport PYTHONDONTWRITEBYTECODE

# Checking types anew takes a core for most of a minute: it goes on beside the tests, and what it says comes last.
BESIDE_TYPES = said=$$(mktemp); $(BIN)/mypy $(CHECKED) > $$said 2>&1 & types=$$!; \
	trap 'kill $$types; rm -f $$said; exit 130' INT TERM; \
	$(BIN)/python -m pytest -n $(WORKERS) $(1); tests=$$?; \
	wait $$types; types=$$?; echo "Types:"; cat $$said; rm -f $$said; exit $$((tests ? tests : types))

.PHONY: help run bulk tracing test test-all test-quick test-long check lint format browser postgres model seed bench bench-writers bench-engine bench-compose bench-llm bench-chat bench-sessions bench-mcp inspector evals screenshots lock audit clean

help: ## List every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run-ready ## Install what is missing and start the workbench
	@$(BIN)/python -m llm.weights || true
	@$(BIN)/streamlit run app.py --server.port $(PORT)

bulk: $(VENV)/.bulk-ready ## Install what bulk runs need beside the workbench: Dask and DuckDB (docs/bulk.md)

tracing: $(VENV)/.tracing-ready ## Install what sends OpenTelemetry spans to a collector (docs/deploy.md)

test: lint browser inspector postgres model ## Install what the tests need, a browser included, and run the checks and tests
	@$(call BESIDE_TYPES,--durations=10 -m "not thorough")

test-all: export EVERY_ROUND = 1
test-all: lint browser inspector postgres model ## Every test there is, each as often as it can be tried: for a night, or before a release
	@$(call BESIDE_TYPES,--durations=10)

test-quick: WORKERS = 2# nothing here waits, and a third process would only load everything once more
test-quick: lint ## Lint, types, engine, store and pages without a browser: for the loop while editing
	@$(call BESIDE_TYPES,-m "not thorough" -k "not postgresql" $(QUICK))

test-long: $(VENV)/.test-ready browser postgres model ## Hours: a million fuzzed messages, public data (DATA=FOLDER), the model over all cases, a soak
	@$(BIN)/python -m benchmarks.long_run

check: lint ## Lint, formatting and types
	@$(BIN)/mypy $(CHECKED)

lint: $(VENV)/.test-ready ## Lint and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/.test-ready ## Mend what the linter and the formatter can mend
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

browser: $(VENV)/.test-ready ## Get the browser that the tests drive, and axe-core, which they look at pages with
	@$(BIN)/python -m tests.browser.get_browser
	@$(BIN)/python -m tests.browser.get_axe

postgres: $(VENV)/.test-ready ## Get the programs of a PostgreSQL server, on which the tests of the store run as well
	@$(BIN)/python -m tests.get_postgres

inspector: $(VENV)/.test-ready ## Get the MCP client that the tests use beside ours
	@$(BIN)/python -m tests.mcp_door.get_inspector

model: $(VENV)/.run-ready ## Get the weights of the embedded model into its cache folder, if they are missing
	@$(BIN)/python -m llm.weights

seed: $(VENV)/.run-ready ## Put the demo people's demo tasks and machines back to their start; others stay
	@$(BIN)/python -m db.seed

bench: $(VENV)/.test-ready postgres ## Measure search and resolve at 1,000, 100,000 and 1,000,000 tasks, on both databases
	@$(BIN)/python -m benchmarks.search

bench-writers: $(VENV)/.test-ready postgres ## Let 32 threads in each of 4 processes write at once, on both databases, and count
	@$(BIN)/python -m benchmarks.writers

bench-engine: $(VENV)/.bench-ready ## Measure a decision beside hassil, a classifier and the baseline
	@$(BIN)/python -m benchmarks.decide

bench-chat: $(VENV)/.test-ready browser ## Measure in Chromium how soon the engine's card is on the screen
	@$(BIN)/python -m benchmarks.chat

bench-sessions: $(VENV)/.test-ready model ## Let twenty people chat at once for a minute, and count every task
	@$(BIN)/python -m benchmarks.sessions

bench-compose: $(VENV)/.run-ready ## Measure composing with ten thousand machines beside spec 5's own loop
	@$(BIN)/python -m benchmarks.compose

bench-mcp: $(VENV)/.test-ready ## Let fifty MCP clients work at once for half a minute, and count every task
	@$(BIN)/python -m benchmarks.mcp_clients

bench-llm: $(VENV)/.test-ready model ## Measure how long the embedded model takes a message
	@$(BIN)/python -m benchmarks.embedded

evals: $(VENV)/.run-ready ## Run the engine over our own cases and print how it does
	@$(BIN)/python -m evals

screenshots: $(VENV)/.test-ready browser ## Take the pictures in docs/ from the running app
	@$(BIN)/python -m tests.browser.take_screenshots

lock: $(VENV)/.tools-ready ## Write the constraints files anew: every package with the hashes of all its files, for every platform
	@$(LOCK) requirements.txt --output-file constraints.txt
	@$(LOCK) requirements-bulk.txt --constraints constraints.txt --output-file constraints-bulk.txt
	@$(LOCK) requirements-tracing.txt --constraints constraints.txt --output-file constraints-tracing.txt
	@$(LOCK) requirements-dev.txt --constraints constraints.txt --output-file constraints-dev.txt
	@$(LOCK) benchmarks/requirements.txt --constraints constraints.txt --output-file benchmarks/constraints.txt
	@$(LOCK) requirements-tools.txt --output-file constraints-tools.txt

audit: $(VENV)/.tools-ready ## Ask a database on the network whether anything we install has known vulnerabilities
	@$(VENV)/tools/bin/pip-audit --strict --disable-pip --require-hashes \
		$(foreach file,constraints.txt constraints-bulk.txt constraints-tracing.txt constraints-dev.txt benchmarks/constraints.txt constraints-tools.txt,--requirement $(file))

clean: ## Remove the virtual environment and caches; the database stays
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/mcp_door/inspector/node_modules tests/browser/axe/node_modules

# The stamps below are newer than the requirement files exactly when nothing has to be installed.
$(VENV)/.run-ready: requirements.txt constraints.txt | $(VENV)/bin/python
	@echo "Installing what the workbench needs (once; a minute or two) …"
	@$(BIN)/python $(INSTALL) constraints.txt
	@touch $@

$(VENV)/.bulk-ready: requirements-bulk.txt constraints-bulk.txt $(VENV)/.run-ready
	@echo "Installing what bulk runs need (once) …"
	@$(BIN)/python $(INSTALL) constraints-bulk.txt
	@touch $@

$(VENV)/.tracing-ready: requirements-tracing.txt constraints-tracing.txt $(VENV)/.run-ready
	@echo "Installing what sends spans (once) …"
	@$(BIN)/python $(INSTALL) constraints-tracing.txt
	@touch $@

$(VENV)/.test-ready: requirements-dev.txt constraints-dev.txt $(VENV)/.bulk-ready
	@echo "Installing what the tests need (once) …"
	@$(BIN)/python $(INSTALL) constraints-dev.txt
	@touch $@

$(VENV)/.bench-ready: benchmarks/requirements.txt benchmarks/constraints.txt $(VENV)/.run-ready
	@echo "Installing what the comparison needs (once) …"
	@$(BIN)/python $(INSTALL) benchmarks/constraints.txt
	@touch $@

$(VENV)/.tools-ready: requirements-tools.txt constraints-tools.txt | $(VENV)/bin/python
	@$(BIN)/python -m venv $(VENV)/tools
	@$(VENV)/tools/bin/python $(INSTALL) constraints-tools.txt
	@touch $@

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Twolane needs Python 3.11 or later; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "No virtual environment could be made. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
