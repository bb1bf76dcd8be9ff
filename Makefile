# Everything here also runs by hand; `make` alone lists the targets. Needs GNU make and a python3.

PY := .venv/bin/python
NODE = $(shell python3 scripts/setup.py --path node)
TSC = $(NODE) node_modules/typescript/bin/tsc
LOCK = uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --upgrade \
    --custom-compile-command 'make lock'
PORT ?= 8000
# Where the site will be served from, for the addresses that must be absolute.
SITE_URL ?=
AT = $(if $(SITE_URL),--site-url '$(SITE_URL)')
# Passed on to pytest, for example ARGS='-k comma'
ARGS ?=

.PHONY: help setup setup-browser setup-browsers build serve check lint format test \
    test-browsers check-models screenshots bench lock clean distclean
.NOTPARALLEL:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv and node_modules as the lock files say
	@python3 scripts/setup.py

setup-browser: ## the same, and find or install a Chromium
	@python3 scripts/setup.py --browser

setup-browsers: ## the same, and find or install Firefox and WebKitGTK too
	@python3 scripts/setup.py --browsers

build: setup ## build the site into dist/ (SITE_URL=https://… for absolute addresses)
	$(PY) build.py build --node '$(NODE)' $(AT)

serve: build ## build, then serve dist/ on this machine (PORT=8000)
	$(PY) build.py serve --port $(PORT)

check: setup ## check the links, languages and origins of the site in dist/
	$(PY) build.py check $(AT)

lint: setup ## style and types, of Python and of the scripts
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(TSC) -p tsconfig.json
	$(TSC) -p tsconfig.worker.json

format: setup ## rewrite the Python code in the common style
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

test: setup-browser lint build ## lint, build, and all tests in a real browser (ARGS='-k name')
	NODE='$(NODE)' $(PY) -m pytest $(ARGS)

test-browsers: setup-browsers ## the essentials in three engines, and copies saved with Ctrl+S
	NODE='$(NODE)' $(PY) -m pytest tests/browsers $(ARGS)

check-models: .venv-models/installed ## compare counts with Transformers and PEFT (installs gigabytes)
	.venv-models/bin/python -m pytest -c tests/models/pytest.ini tests/models $(ARGS)

.venv-models/installed: requirements/models.txt | setup
	$(PY) -m venv --clear .venv-models
	.venv-models/bin/python -m pip install --quiet --require-hashes -r requirements/models.txt
	touch $@

screenshots: setup-browser build ## take the pictures of the README anew
	$(PY) scripts/screenshots.py

bench: setup-browser build ## time the start of the built site beside floor and stock (ARGS=--write)
	$(PY) scripts/bench_runtime.py $(ARGS)

lock: ## pin the newest packages that the requirements allow (needs uv and npm on PATH)
	$(LOCK) --python-version 3.13 requirements/dev.in -o requirements/dev.txt
	$(LOCK) --python-version 3.13 requirements/models.in -o requirements/models.txt
	$(LOCK) --python-version 3.13 requirements/node.in -o requirements/node.txt
	$(LOCK) --python-version 3.8 requirements/uv.in -o requirements/uv.txt
	npm install --package-lock-only --ignore-scripts

clean: ## remove what the build, the linters and the tests made
	find dist -mindepth 1 ! -path dist/.gitignore -delete
	rm -rf .cache .hypothesis .mypy_cache .ruff_cache build test-results
	find . \( -name .git -o -name ".venv*" -o -name .tools -o -name node_modules \) -prune \
	    -o -name __pycache__ -prune -exec rm -r {} +

distclean: clean ## remove what the set-up made too
	rm -rf .venv .venv-models .tools .toolchain.json node_modules
