PYTHON ?= python3
PORT ?= 8000
TO ?= .
ARGS ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
COMPILE = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" pyproject.toml

# What was compiled is kept, so that tests do not compile it again in every process; `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install serve dev demo test quick thorough flakes mutants deals check scripts schemas sizes names format words revisions lock sbom audit digests bench soak pictures site clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: .venv/.snug ## Make .venv with Snug in it

serve: .venv/.snug ## Start Snug (PORT=8000)
	@$(BIN)/snug serve --port $(PORT)

dev: .venv/.snug ## Start Snug for work on it: code and pages are read again, the log is on the terminal
	@$(BIN)/snug dev --port $(PORT)

demo: .venv/.snug ## Start Snug with every game in every status
	@$(BIN)/snug demo --port $(PORT)

test: .venv/.test ## Run the tests (ARGS="-k name")
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

quick: .venv/.test ## Run the quick tests: rules, services on SQLite, pages in process
	HYPOTHESIS_PROFILE=brisk $(BIN)/python -m pytest -n auto --dist worksteal -m "not (browser or postgres or slow)" \
		tests/engine tests/games tests/tournament tests/services tests/web $(ARGS)

thorough: .venv/.test ## Run all that is slow, and all depth (SNUG_SLICE=3,4 for two tenths)
	SNUG_SLICE=$${SNUG_SLICE:-all} $(BIN)/python -m pytest -n auto --dist worksteal -m thorough $(ARGS)

flakes: .venv/.test ## Run what depends on order or on waiting twenty times beside busy loops (ARGS="--times 3 tests/jobs")
	$(BIN)/python -m tests.flakes $(ARGS)

mutants: .venv/.test ## Plant small bugs one at a time, run what is near, name what survives (ARGS="--draw 40 --seed 7" for fresh ones)
	$(BIN)/python -m tests.mutants $(ARGS)

deals: .venv/.test ## Play 1,000 deals of every game at random, and 1,000 with good bots (ARGS="--deals 200 --first 3000")
	$(BIN)/python -m tests.simulation.deals $(ARGS)

check: .venv/.dev scripts schemas sizes names ## Check format, style, types, imports, sizes, templates and names
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/words.py check
	$(BIN)/python scripts/translations.py check

scripts:
	@command -v npm > /dev/null || { echo "To check the scripts: apt install nodejs npm"; exit 1; }
	@[ tests/js/node_modules/.package-lock.json -nt tests/js/package-lock.json ] || npm ci --prefix tests/js --silent
	tests/js/node_modules/.bin/eslint --config tests/js/eslint.config.js static tests/js
	tests/js/node_modules/.bin/tsc --project tests/js
	tests/js/node_modules/.bin/tsc --project tests/js/tsconfig.worker.json

# What others read of ours, by the schemas that came with the checker: nothing is fetched.
schemas: .venv/.dev
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

sizes:
	@find snug app -name '*.py' -exec wc -l {} + | sort -rn | awk ' \
		$$2 != "total" && $$1 > 300 { print $$1 " lines: " $$2 } \
		$$2 != "total" && $$1 > 500 { long = 1 } \
		END { if (long) { print "A file of the library or the room may have 500 lines at most."; exit 1 } }'
	@find snug app -name '*.py' ! -name '__init__.py' -printf '%h\n' | sort | uniq -c | awk ' \
		$$1 > 16 { print $$1 " modules: " $$2; full = 1 } \
		END { if (full) { print "A folder of the library or the room may have 16 modules at most."; exit 1 } }'
	@! grep -rn '{% set _ ' templates snug/games/*/templates examples || \
		{ echo "Templates write down what page.py says: they fold nothing."; exit 1; }

# As a word of code: in quotes, in a path, as a module. (Two keys are English words, too.)
names:
	@for key in $$(ls -d snug/games/[a-z]*/ | xargs -n 1 basename); do \
		! grep -rnE --include='*.py' --include='*.html' --exclude-dir=$$key "[\"'./_]$$key\b" snug app templates \
			|| { echo "The game $$key is named outside its folder."; exit 1; } \
	done

format: .venv/.dev ## Put the code into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

words: .venv/.snug ## Write the catalogue of all sentences, build/snug.pot, that translations start from
	@mkdir -p build
	$(BIN)/python scripts/words.py extract > build/snug.pot

revisions: ## Write down the hashes of new migrations; those that are written down stay as they are
	@cd migrations && for file in versions/*.py; do \
		grep -q "  $$file$$" revisions.sha256 || sha256sum "$$file" >> revisions.sha256; \
	done

lock: .venv/.dev ## Renew the pinned requirements (into TO=.); all three files get the same versions
	$(COMPILE) --upgrade --all-extras --output-file $(TO)/requirements-dev.txt > /dev/null
	cp $(TO)/requirements-dev.txt $(TO)/requirements-test.txt
	$(COMPILE) --extra build --extra test --output-file $(TO)/requirements-test.txt > /dev/null
	cp $(TO)/requirements-test.txt $(TO)/requirements.txt
	$(COMPILE) --extra build --extra metrics --output-file $(TO)/requirements.txt > /dev/null

sbom: .venv/.snug ## Write the bill of materials, build/sbom.json (CycloneDX)
	@mkdir -p build
	$(BIN)/python scripts/sbom.py > build/sbom.json

audit: .venv/.dev ## Ask whether advisories are known against what is pinned; says so where nobody can be asked
	@$(BIN)/python scripts/audit.py

digests: ## Pin the images by digest, in Dockerfile and docker-compose.yml, to what their tags are now; needs docker
	@for image in $$(grep -hoE '^(FROM|    image:) [a-z]+:[a-z0-9.-]+' Dockerfile docker-compose.yml | sed 's/.* //'); do \
		digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$$image") || exit 1; \
		sed -i "s|$$image\(@sha256:[0-9a-f]*\)\{0,1\}$$|$$image@$$digest|" Dockerfile docker-compose.yml; \
	done

bench: .venv/.test ## Measure, in one table (ARGS=move for its first rows)
	$(BIN)/python -m tests.bench $(ARGS)

soak: .venv/.test ## Try the promises at scale, for hours, and write the figures down (ARGS=kills=100; ARGS=--quick)
	$(BIN)/python -m tests.soak $(ARGS)

pictures: .venv/.test ## Take pictures of every page and game into pictures/ (ARGS=life; ARGS=readme for the README's)
	$(BIN)/python -m tests.pictures $(ARGS)

site: .venv/.dev ## Build the documentation into build/site; a dead link is an error
	@mkdir -p build
	$(BIN)/python scripts/site.py build/site-src
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

clean: ## Remove .venv and what the tools left behind; games stay
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache *.egg-info build dist
	find snug app migrations tests -name __pycache__ -prune -exec rm -rf {} +

# Each stamp is renewed when its requirements change, so that a second `make serve` installs nothing.
.venv/.python:
	@$(PYTHON) -c 'import sys; sys.exit("Snug needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv || { echo 'On Debian and Ubuntu: apt install python3-venv'; exit 1; }
	@touch $@

.venv/.snug: requirements.txt pyproject.toml setup.py | .venv/.python
	$(PIP) --require-hashes -r requirements.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/.test: requirements-test.txt .venv/.snug
	$(PIP) --require-hashes -r requirements-test.txt
	@touch $@

.venv/.dev: requirements-dev.txt .venv/.snug
	$(PIP) --require-hashes -r requirements-dev.txt
	@touch $@
