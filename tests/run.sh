#!/usr/bin/env bash
# Runs every check of the project in CI's order and closes with the total counts.
#
# usage: run.sh [STAGE…]      all stages, or only the named ones
#
# With STAGES_MINUTES set, what still runs after so many minutes is killed, and told as failed with the end of its output.
#
# A stage that fails does not keep the next ones from running. The output of each is in target/test-logs/;
# that of a failed one is shown. Everything compiles in the release profile, so that nothing compiles twice.
# shellcheck disable=SC2317 # stages are called by their names
# shellcheck disable=SC2030,SC2031 # what a subshell has counted comes back by a file
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C CARGO_TERM_COLOR=never FORCE_COLOR=0 NO_COLOR=1 PATH=$PWD/target/node/bin:$PATH

# The workspace's own crates are linted as they are compiled.
export RUSTC_WORKSPACE_WRAPPER=$PWD/tests/setup/rustc_and_clippy.sh

logs=target/test-logs
passed=0
failed=0
skipped=0
began=$SECONDS

stage_setup() {
	tests/setup/v8_test.sh && node --test --test-reporter=tap tests/longest_first.test.mjs tests/cargo_tests.test.mjs \
		tests/setup/setup.test.mjs
}
stage_shell() {
	if command -v shellcheck >/dev/null 2>&1; then
		shellcheck tests/run.sh tests/setup/*.sh .ci/run
	else
		for script in tests/run.sh tests/setup/*.sh .ci/run; do bash -n "$script" || return 1; done
	fi
}
stage_rustfmt() { cargo fmt --all --check; }
stage_biome() { node_modules/.bin/biome ci --colors=off components tests; }
stage_tsc() { node_modules/.bin/tsc -p components; }
stage_front() { node components/build/test.mjs; }
# Files, exports and packages that nothing uses; then files that only tests use.
stage_knip() {
	node_modules/.bin/knip --no-progress && node_modules/.bin/knip --no-progress --production --include files
}
# Licences, sources, banned and doubled crates.
stage_supply() { node --test --test-reporter=tap tests/supply/*.test.mjs; }
# Clippy lints what it compiles. Builds target/release/dastarkhan too, which the browser stage runs.
stage_compile() { cargo test --workspace --release --locked --no-run; }
# Tests wait for what they ask more than they compute: with one for each core most of the time nothing was done.
stage_cargo() {
	export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$(($(nproc) * 4))}
	cargo test --workspace --release --locked --no-run --message-format=json-render-diagnostics |
		node tests/cargo_tests.mjs 2 &&
		cargo test --workspace --release --locked --doc
}
stage_schemathesis() {
	tests/setup/python.sh &&
		cargo test --workspace --release --locked --test api -- --ignored --nocapture schemathesis::
}
# What requirements.md and the READMEs name is there.
stage_requirements() { node --test --test-reporter=tap tests/requirements.test.mjs tests/readmes.test.mjs; }
# Every state of every screen, a file for each language: they compute all the time and are equally long.
stage_walks() { node tests/longest_first.mjs 4 420000 tests/browser/walk_*.test.mjs; }
# Two files more than there are cores: with one less, cores are idle once what runs beside them has ended.
stage_browser() {
	local files
	mapfile -t files < <(printf '%s\n' tests/browser/*.test.mjs | grep -v /walk_)
	node tests/longest_first.mjs $(($(nproc) + 2)) 420000 "${files[@]}"
}
# WebKit, Firefox and Chromiums of long ago, all at once: the last of three would have nothing beside it. Each file starts
# the product for itself.
stage_engines() { node tests/longest_first.mjs 3 420000 tests/engines/*.test.mjs; }
# Proxy, rules, alerts, dashboard, unit and image, by the tools that read them; the product behind the proxy.
# Two files at a time: they wait for processes that end and for those that come back.
stage_operation() {
	node tests/longest_first.mjs 2 300000 tests/operation/*.test.mjs
}

stages=(setup shell rustfmt biome tsc knip front supply compile cargo walks requirements engines operation schemathesis browser)

# Adds up what the runners say in a log. A stage that says nothing counts as one check.
count() {
	local log=$1 code=$2 p f s
	p=0 f=0 s=0
	read -r p f s < <(awk '
		/^test result: / { p += $4; f += $6; s += $8 }
		/^(#|ℹ) pass [0-9]+$/ { p += $3 }
		/^(#|ℹ) fail [0-9]+$/ { f += $3 }
		/^(#|ℹ) cancelled [0-9]+$/ { f += $3 }
		/^(#|ℹ) skipped [0-9]+$/ { s += $3 }
		/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3 }
		# Ended well, as the machine can not do what it needs (tests/product/support.rs).
		/^# not run: / { p--; s++ }
		# Failed at first, passed when tried once more (longest_first.mjs).
		/^# unsteady [0-9]+$/ { p += $3; f -= $3 }
		END { print p + 0, f + 0, s + 0 }' "$log")
	if [ $((p + f)) -eq 0 ]; then
		if [ "$code" -eq 0 ]; then p=1; else f=1; fi
	elif [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then
		f=1
	fi
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
	counts="$p passed, $f failed"
	[ "$s" -eq 0 ] || counts+=", $s skipped"
}

# Whether the stages have had all their time. Who ends a run from without gets no results of it.
over() { [ -n "${STAGES_MINUTES:-}" ] && [ $((SECONDS - began)) -ge $((STAGES_MINUTES * 60)) ]; }

kill_tree() {
	local children child
	children=$(cat /proc/"$1"/task/*/children 2>/dev/null)
	for child in $children; do kill_tree "$child"; done
	kill -9 "$1" 2>/dev/null
}

# Kills what a shell runs, but for this watcher and for the stages beside, which are watched by their own.
kill_stage() {
	local children child
	children=$(cat /proc/"$1"/task/*/children 2>/dev/null)
	for child in $children; do
		[ "$child" = "$BASHPID" ] || [ "$child" = "${others:-}" ] || kill_tree "$child"
	done
}

# Says every minute that a long stage is alive, and where it stands: the last test, or the last line.
watch() {
	local log=$1 shell=$2 start=$SECONDS last
	while sleep 60 >/dev/null 2>&1; do
		if over; then
			printf 'killed: all stages together have %d minutes\n' "$STAGES_MINUTES" >>"$log"
			kill_stage "$shell"
		fi
		last=$(tail -n 40 "$log" | tr -d '\r' | grep -E '^(not )?ok |^test |Compiling|Checking' | tail -n 1)
		[ -n "$last" ] || last=$(tail -n 1 "$log" | tr -d '\r')
		printf '       … %4d s: %.100s\n' $((SECONDS - start)) "$last"
	done
}

# What failed, by name and with the first lines of why: the runners (node's TAP, cargo's) say it in the midst of a
# log of a thousand lines, and who reads a result often has its end only.
failures() {
	awk '
		/^not ok / { print; why = 14; next }
		/^(ok |# )/ { why = 0 }
		why > 0 && !/duration_ms|^  ---|type:|failureType|code:|^  stack/ { print "    " $0; why-- }
		/^test .* FAILED$/ { print }
		/panicked at/ { print "    " $0; if (getline > 0) print "    " $0 }' "$1" | cut -c1-300 | head -n 120
}

# All ticks of the processor until now, and those in which it had nothing to do.
ticks() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6 }' /proc/stat; }

# How long a stage took and what part of that the machine was idle: what more could be done at the same time.
spent() {
	local start=$1 all=$2 idle=$3 all_now idle_now
	read -r all_now idle_now < <(ticks)
	printf '%d s, %d %% idle' $((SECONDS - start)) $(((idle_now - idle) * 100 / (all_now - all + 1)))
}

run_stage() {
	local name=$1 log=$logs/$1.log start=$SECONDS shell=$BASHPID all idle code watcher
	number=$((number + 1))
	read -r all idle < <(ticks)
	printf '[%d/%d] %s\n' "$number" "$total" "$name"
	: >"$log"
	watch "$log" "$shell" &
	watcher=$!
	if over; then
		printf 'not begun: all stages together have %d minutes\n' "$STAGES_MINUTES" >"$log"
		code=1
	else
		"stage_$name" >>"$log" 2>&1 </dev/null
		code=$?
	fi
	kill "$watcher" 2>/dev/null
	wait "$watcher" 2>/dev/null
	count "$log" "$code"
	if [ "$code" -eq 0 ]; then
		printf '       ok: %s (%s)\n' "$counts" "$(spent "$start" "$all" "$idle")"
		if grep -q '^# unsteady [1-9]' "$log"; then
			printf '       What passed only when it was tried once more:\n'
			failures "$log" | tee -a "$logs/unsteady.txt" | sed 's/^/       ~ /'
		fi
	else
		printf '       FAILED with exit code %d: %s (%s). The end of %s:\n' "$code" "$counts" \
			"$(spent "$start" "$all" "$idle")" "$log"
		tail -n 30 "$log" | sed 's/^/       | /'
		printf '       What failed in it:\n'
		failures "$log" | tee -a "$logs/failures.txt" | sed 's/^/       ! /'
	fi
}

# The names in a file of failures, each with the first line of why.
told() {
	[ -s "$2" ] || return 0
	printf '%s:\n' "$1"
	awk '
		/^(not ok |test )/ { print; why = 1; next }
		/panicked at/ { print; if (getline > 0) print; next }
		why && /error:/ { if (sub(/: *[|>]-?$/, ":")) { text = $0; getline; sub(/^ +/, ""); $0 = text " " $0 } print; why = 0 }' "$2" |
		cut -c1-300 | head -n 60
}

# What tests write need not outlive them. A disk gets slow when thousands of files a second come and go: a third of all
# time was spent on finding room for one.
in_memory() {
	[ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ] || return 0
	[ "$(df -m --output=avail /dev/shm | tail -n 1)" -ge 6144 ] || return 0
	TMPDIR=$(mktemp -d /dev/shm/dastarkhan-tests-XXXXXX)
	# Each product that a test starts would draw the pictures of its sandbox anew.
	export TMPDIR SANDBOX_PICTURES_DIR=$TMPDIR/pictures
	trap 'rm -rf "$TMPDIR"' EXIT
}

# Beside which later stage one runs: what waits for processes that come back leaves its time to browsers. What computes all
# the time is the last of them: it fills the cores once nothing else is left.
beside() {
	case $1 in
	setup | shell | rustfmt | biome | tsc | knip | front | supply) echo compile ;;
	requirements | engines | operation | schemathesis) echo browser ;;
	esac
}

# A stage, and the others beside it, whose results are told after its own.
together() {
	local stage=$1 others name p=0 f=1 s=0
	shift
	if [ $# -eq 0 ]; then
		run_stage "$stage"
		return
	fi
	rm -f "$logs/beside.count"
	(
		# With less a browser beside four others gets next to nothing, and what it is asked comes too late.
		renice -n 4 -p "$BASHPID" >/dev/null
		passed=0 failed=0 skipped=0
		for name in "$@"; do run_stage "$name"; done
		printf '%d %d %d\n' "$passed" "$failed" "$skipped" >"$logs/beside.count"
	) >"$logs/beside.txt" 2>&1 &
	others=$!
	number=$((number + $#))
	run_stage "$stage"
	# Those that go on alone are told as they go.
	tail -n +1 -f --pid="$others" "$logs/beside.txt"
	wait "$others"
	# What has ended without its counts has failed.
	[ ! -s "$logs/beside.count" ] || read -r p f s <"$logs/beside.count"
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
}

# A function: an edit of this file does not reach a run under way.
main() {
	mkdir -p "$logs"
	in_memory
	[ $# -eq 0 ] || stages=("$@")
	total=${#stages[@]}
	number=0
	: >"$logs/failures.txt"
	: >"$logs/unsteady.txt"
	waiting=()
	for stage in "${stages[@]}"; do
		partner=$(beside "$stage")
		case " ${stages[*]} " in
		*" ${partner:-none} "*) waiting+=("$stage") ;;
		*)
			together "$stage" "${waiting[@]}"
			waiting=()
			;;
		esac
	done
	told "failed" "$logs/failures.txt"
	told "passed only when tried once more" "$logs/unsteady.txt"
	printf 'all stages in %d min %d s\n' $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60))
	if [ "$skipped" -gt 0 ]; then
		printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	else
		printf '%d passed, %d failed\n' "$passed" "$failed"
	fi
	[ "$failed" -eq 0 ]
}
# On one line, so that it is read before anything runs.
main "$@"; exit
