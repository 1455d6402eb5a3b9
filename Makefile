# Commands of the project; `make` alone lists them.

PORT ?= 8080
HOST ?= 127.0.0.1
# The demo, whose keys everybody knows, has a file of its own.
DB ?= data/demo.db
# Where `make install` puts the program: $(DESTDIR)$(PREFIX)/bin.
PREFIX ?= /usr/local
DESTDIR ?=
# Static standard library: the binary needs no Swift on the machine that it is copied to, and starts faster.
RELEASE = -c release --static-swift-stdlib
ROSTER = .build/release/roster

.PHONY: help packages build run install uninstall test lint format seed bench conformance fuzz docs check clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /|/' | awk -F'|' '{printf "make %-12s %s\n", $$1, $$2}'
	@echo "Settings: PORT=$(PORT) HOST=$(HOST) DB=$(DB) PREFIX=$(PREFIX), for example: make run PORT=9090"

packages:
	@sh .ci/packages

build: packages ## build the server in release mode
	swift build $(RELEASE) --product roster

run: build seed ## build, create the demo organisations in DB, and serve on HOST and PORT
	@exec $(ROSTER) serve --db "$(DB)" --host "$(HOST)" --port "$(PORT)"

install: build ## build, and put the program into PREFIX/bin
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(ROSTER) "$(DESTDIR)$(PREFIX)/bin/roster"

uninstall: ## remove the program from PREFIX/bin
	rm -f "$(DESTDIR)$(PREFIX)/bin/roster"

test: packages ## run every test
	swift test

lint: ## check the format of the sources, and the scripts
	swift format lint --strict --recursive --parallel --configuration .swift-format Package.swift Sources Tests
	@for script in .ci/run .ci/packages; do sh -n $$script || exit 1; done

format: ## bring the sources to the project's format
	swift format --in-place --recursive --parallel --configuration .swift-format Package.swift Sources Tests

seed: build ## create the demo organisations in the database DB
	@mkdir -p "$(dir $(DB))"
	$(ROSTER) seed seed/gridco.json seed/acme.json --db "$(DB)"

bench: build ## measure against the floor (needs wrk; docs/benchmarks.md has the other scripts)
	@test -x Benchmarks/run.sh || { echo "There is no Benchmarks/run.sh" >&2; exit 1; }
	Benchmarks/run.sh

conformance: build ## run the exchanges and public SCIM suites against a fresh server (needs Python)
	python3 Tests/Conformance/conformance.py $(ROSTER)

N ?= 1000000
fuzz: packages ## feed N random inputs to the parsers; SEED=… repeats a run
	swift build -c release --product fuzz
	.build/release/fuzz $(N) $(if $(SEED),--seed $(SEED))

docs: packages ## bring the generated parts of docs/conformance.md up to date
	ROSTER_WRITE_DOCS=1 swift test --filter ConformanceDocumentTests

check: ## everything that CI runs
	bash .ci/run

clean: ## remove what was built; databases stay
	swift package clean
	rm -rf .build
