#!/usr/bin/env bash
# Tests of v8.sh: every way but the build itself, with a cargo home, a project and tools made for the test.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
name=librusty_v8_simdutf_release_x86_64-unknown-linux-gnu.a.gz
kept=https___host_example_releases_v1_2_3_librusty_v8_simdutf_release_x86_64_unknown_linux_gnu_a_gz
passed=0
failed=0

tool() {
	printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
	chmod +x "$tools/$1"
}

# A project beside an empty shared/, whose lock file names v8 1.2.3; no download host answers.
arrange() {
	space=$(mktemp -d)
	tools=$space/tools
	root=$space/project
	home=$space/cargo
	shared=$space/shared/v8
	mkdir -p "$tools" "$root" "$shared" "$home/registry/src/crates/v8-1.2.3"
	printf 'version = 4\n\n[[package]]\nname = "v8"\nversion = "1.2.3"\n' >"$root/Cargo.lock"
	printf '  let default_base = "https://host.example/releases";\n' >"$home/registry/src/crates/v8-1.2.3/build.rs"
	: >"$home/registry/src/crates/v8-1.2.3/Cargo.toml"
	tool cargo 'echo simdutf,use_custom_libcxx'
	tool rustc 'echo host: x86_64-unknown-linux-gnu'
	tool curl "echo \"\$@\" >>'$space/curl.log'; exit 7"
}

archive_in() {
	mkdir -p "$1"
	printf 'a library' | gzip -9n >"$1/$name"
	(cd "$1" && sha256sum "$name" >SHA256SUMS)
}

run() {
	output=$(env -u RUSTY_V8_ARCHIVE -u RUSTY_V8_MIRROR PATH="$tools:$PATH" CARGO_HOME="$home" V8_ROOT="$root" \
		V8_ONLY_CHECK=1 "$@" "$here/v8.sh" 2>&1)
	code=$?
}

library() { cat "$home/.rusty_v8/$kept" 2>/dev/null; }
leftovers() { find "$home/.rusty_v8" -type f ! -name "$kept" 2>/dev/null | wc -l; }

check() {
	local claim=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		printf 'ok   %s\n' "$claim"
	else
		failed=$((failed + 1))
		printf 'FAIL %s\n     exit code %s, it said: %s\n' "$claim" "$code" "$output"
	fi
	rm -rf "$space"
}

says() { [[ $output == *"$1"* ]]; }

a_library_that_is_there_is_kept_as_it_is() {
	[ "$code" = 0 ] && says 'there already' && [ "$(library)" = mine ] && [ ! -e "$space/curl.log" ]
}
arrange
mkdir -p "$home/.rusty_v8"
printf mine >"$home/.rusty_v8/$kept"
archive_in "$shared"
run
check a_library_that_is_there_is_kept_as_it_is a_library_that_is_there_is_kept_as_it_is

it_is_copied() { [ "$code" = 0 ] && says copied && [ "$(library | gunzip)" = 'a library' ] && [ "$(leftovers)" = 0 ]; }
arrange
archive_in "$shared"
run
check shared_beside_the_project_is_copied it_is_copied

arrange
archive_in "$space/elsewhere"
run V8_ARCHIVE="$space/elsewhere"
check a_folder_in_v8_archive_is_copied it_is_copied

arrange
archive_in "$space/elsewhere"
run V8_ARCHIVE="$space/elsewhere/$name"
check a_file_in_v8_archive_is_copied it_is_copied

refused() { [ "$code" != 0 ] && says "$1" && [ -z "$(library)" ] && [ "$(leftovers)" = 0 ]; }
arrange
archive_in "$space/elsewhere"
printf x >>"$space/elsewhere/$name"
run V8_ARCHIVE="$space/elsewhere"
check a_wrong_checksum_in_v8_archive_stops refused 'not the one in SHA256SUMS'

arrange
archive_in "$space/elsewhere"
rm "$space/elsewhere/SHA256SUMS"
run V8_ARCHIVE="$space/elsewhere"
check an_archive_without_a_checksum_stops refused 'does not name'

arrange
run V8_ARCHIVE="$space/nowhere"
check a_v8_archive_that_is_not_there_stops refused 'does not give'

arrange
archive_in "$shared"
printf 'The library of the v8 crate 9.9.9\n' >"$shared/README.md"
run
check an_archive_for_another_version_is_not_taken refused 'is not for v8 1.2.3'

passed_over() { [ "$code" = 0 ] && says 'not the one in SHA256SUMS' && says 'cargo will fetch' && [ -z "$(library)" ]; }
arrange
archive_in "$shared"
printf x >>"$shared/$name"
tool curl 'exit 0'
run
check a_wrong_checksum_in_shared_is_passed_over passed_over

nothing_of_it_stays() { [ "$code" != 0 ] && [ -z "$(library)" ] && [ "$(leftovers)" = 0 ]; }
arrange
archive_in "$shared"
# shellcheck disable=SC2016 # the tool's own variables
tool cp 'head -c 5 "$1" >"$2"; kill -TERM $PPID; exit 1'
run
check a_copy_broken_off_leaves_nothing nothing_of_it_stays

the_name_is_not_there() { [ "$code" != 0 ] && [ -z "$(library)" ]; }
arrange
archive_in "$shared"
# shellcheck disable=SC2016
tool cp 'head -c 5 "$1" >"$2"; kill -KILL $PPID; exit 1'
run
check a_killed_copy_never_has_the_final_name the_name_is_not_there

cargo_fetches() {
	[ "$code" = 0 ] && says 'cargo will fetch' && [ -z "$(library)" ] &&
		grep -qF "https://host.example/releases/v1.2.3/$name" "$space/asked"
}
arrange
tool curl "echo \"\$@\" >'$space/asked'; exit 0"
run
check an_answering_download_host_leaves_it_to_cargo cargo_fetches

would_build() { [ "$code" = 3 ] && says 'built from source' && [ -z "$(library)" ]; }
arrange
run
check without_any_of_them_it_is_built_from_source would_build

sources_fetched() { [ "$code" = 0 ] && says 'fetching the crates' && says copied; }
arrange
archive_in "$shared"
mv "$home/registry" "$space/later"
tool cargo "[ \"\$1\" = tree ] && echo simdutf; [ \"\$1\" = fetch ] && mv '$space/later' '$home/registry'; true"
run
check the_crates_are_fetched_when_they_are_missing sources_fetched

printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
