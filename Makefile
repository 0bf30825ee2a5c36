# The commands of the project. `make run` and `make test` are all that a newcomer needs.
.DEFAULT_GOAL := help
# A newer Node than the machine's, where that is too old (tests/setup/node.sh).
export PATH := $(CURDIR)/target/node/bin:$(PATH)
# What is started is what was built, wherever the machine's settings would put it.
export CARGO_TARGET_DIR := $(CURDIR)/target
unexport CARGO_BUILD_TARGET
.PHONY: help run dev test faults soak bench fmt types setup

help:
	@echo 'make run    build and serve http://127.0.0.1:8080 with the sandbox upstream'
	@echo 'make dev    the same, rebuilding and reloading on every change'
	@echo 'make test   everything that CI runs, in the same order'
	@echo 'make faults the kills, freezes and restarts of make test, a thousand rounds of them, and three times the load'
	@echo 'make soak   an open page for two hours, half of the load for one, a tablet for a day by a quick clock: what grows'
	@echo 'make bench  measure renders, cache hits, start and memory on this machine; Lighthouse'
	@echo 'make fmt    format Rust and TypeScript'
	@echo 'make types  write components/lib/page-data.ts anew from the Rust structs'

# What every build needs: toolchains, the V8 library, the npm packages.
setup:
	@tests/setup/system.sh run
	@tests/setup/node.sh
	@tests/setup/v8.sh
	@tests/setup/npm.sh

run: setup
	cargo build --release --locked
	exec target/release/dastarkhan demo

dev: setup
	exec node tests/setup/dev.mjs

test: setup
	@tests/setup/system.sh test
	@tests/run.sh

# The same tests as in `make test`, in their long form.
faults: export FAULT_ROUNDS ?= 1000
faults: setup
	@tests/setup/system.sh test
	cargo build --release --locked
	SATURATION_SECONDS=30 node --test --test-concurrency=1 --test-timeout=14400000 tests/operation/saturation.test.mjs \
		tests/operation/shared.test.mjs tests/operation/rolling.test.mjs

soak: setup
	@tests/setup/system.sh test
	cargo build --release --locked
	node tests/bench/soak.mjs
	SOAK_MINUTES=60 node --test --test-timeout=7200000 tests/operation/half_load.test.mjs
	KIOSK_HOURS=24 node --test --test-timeout=3600000 tests/browser/kiosk_day.test.mjs

bench: export DASTARKHAN_BINARY := $(CURDIR)/target/dist/dastarkhan
bench: setup
	@tests/setup/system.sh bench
	cargo build --profile dist --locked
	node tests/bench/bench.mjs
	@test -n "$$BENCH_ONLY" || node tests/bench/session_page.mjs
	@test -n "$$BENCH_ONLY" || node tests/bench/slow_clients.mjs
	@test -n "$$BENCH_ONLY" || node tests/bench/browser.mjs
	@test -n "$$BENCH_ONLY" || node tests/bench/lighthouse.mjs

fmt: setup
	cargo fmt --all
	node_modules/.bin/biome check --write components tests

types: setup
	WRITE_TYPES=1 cargo test --workspace --release --locked --lib generated::
