#!/usr/bin/env bash
# Makes sure that the static library of the exact `v8` crate in Cargo.lock is where the crate's build script
# looks first, so that plain `cargo build` works. In this order:
#   1. it is there already;
#   2. V8_ARCHIVE (a file or folder) or ../shared/v8 has it: checked against SHA256SUMS beside it and copied;
#   3. the crate's download host answers: cargo will fetch it by itself;
#   4. it is built from the crate's sources with Debian's tools (v8_build.sh), and kept.
# V8_ONLY_CHECK=1 stops before way 4 with exit code 3.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=${V8_ROOT:-$(cd "$here/../.." && pwd)}
cargo_home=${CARGO_HOME:-$HOME/.cargo}

say() { printf 'v8: %s\n' "$*"; }
fail() {
	say "$*" >&2
	exit 1
}

locked_version() {
	awk '/^name = "'"$1"'"$/ { found = 1 } found && /^version = / { gsub(/[" ]|version =/, ""); print; exit }' \
		"$root/Cargo.lock"
}

# The unpacked sources of a crate: they hold the rule for the library's name.
crate_sources() {
	local found
	for found in "$cargo_home"/registry/src/*/"$1-$2"; do
		if [ -f "$found/Cargo.toml" ]; then
			printf '%s\n' "$found"
			return
		fi
	done
	return 1
}

# The file's address by the rule of the crate's build.rs: base/vVERSION/librusty_v8FEATURES_release_TARGET.a.gz
library_url() {
	local base features target suffix=''
	base=${RUSTY_V8_MIRROR:-$(sed -n 's/^ *let default_base = "\(.*\)";$/\1/p' "$sources/build.rs" | head -n 1)}
	[ -n "$base" ] || fail "the build script of v8 $version does not name its download place as expected"
	features=,$(cd "$root" && cargo tree --locked --quiet -p v8 --depth 0 -f '{f}' -e normal | head -n 1),
	[[ $features == *,v8_enable_pointer_compression,* ]] && suffix+=_ptrcomp
	[[ $features == *,v8_enable_sandbox,* ]] && suffix+=_sandbox
	[[ $features == *,simdutf,* ]] && suffix+=_simdutf
	target=$(rustc -vV | sed -n 's/^host: //p')
	printf '%s/v%s/librusty_v8%s_release_%s.a.gz\n' "$base" "$version" "$suffix" "$target"
}

# Copies to the place that cargo looks in. The name appears only when the whole file is there.
copy_in() {
	mkdir -p "$(dirname "$library")"
	partial=$(mktemp "$library.XXXXXX")
	cp "$1" "$partial"
	if [ "$(sha256sum <"$partial" | cut -d' ' -f1)" != "$2" ]; then
		rm -f "$partial"
		return 1
	fi
	chmod 644 "$partial"
	mv -f "$partial" "$library"
	partial=''
}

# Takes the archive from a file or folder. Codes: 0 taken, 1 not there, 2 there but not to be trusted.
take_from() {
	local place=$1 file folder name sum
	if [ -d "$place" ]; then
		folder=$place
		file=$place/$archive
		[ -f "$file" ] || file=${file%.gz}
	else
		folder=$(dirname "$place")
		file=$place
	fi
	[ -f "$file" ] || return 1
	name=$(basename "$file")
	if [ -f "$folder/README.md" ] && ! grep -qF "$version" "$folder/README.md"; then
		say "$file is not for v8 $version, says the README beside it" >&2
		return 2
	fi
	sum=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1; exit }' "$folder/SHA256SUMS" 2>/dev/null || true)
	if [ -z "$sum" ]; then
		say "$folder/SHA256SUMS does not name $name: not taken" >&2
		return 2
	fi
	if ! copy_in "$file" "$sum"; then
		say "the SHA-256 of $file is not the one in SHA256SUMS: not taken" >&2
		return 2
	fi
	say "copied $name from $folder"
}

host_answers() {
	if command -v curl >/dev/null 2>&1; then
		curl -sfIL --connect-timeout 5 --max-time 20 -o /dev/null "$url"
	else
		python3 - "$url" 2>/dev/null <<-'PYTHON'
			import sys, urllib.request
			urllib.request.urlopen(urllib.request.Request(sys.argv[1], method="HEAD"), timeout=10)
		PYTHON
	fi
}

build_it() {
	local icu_version icu
	[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
		fail "the build from source is known for Linux on x86-64 only; give the library of v8 $version in V8_ARCHIVE"
	icu_version=$(locked_version deno_core_icudata)
	icu=$(crate_sources deno_core_icudata "$icu_version") || fail "the crate deno_core_icudata $icu_version is not unpacked"
	"$here/v8_build.sh" "$sources" "$icu/src/icudtl.dat" "$library"
	say "built v8 $version and kept it as $library"
}

partial=''
trap '[ -z "$partial" ] || rm -f "$partial"' EXIT
trap 'exit 130' INT TERM HUP

if [ -n "${RUSTY_V8_ARCHIVE:-}" ]; then
	say "RUSTY_V8_ARCHIVE is set: the crate takes that file"
	exit 0
fi
version=$(locked_version v8)
[ -n "$version" ] || fail "Cargo.lock names no crate v8"
if ! sources=$(crate_sources v8 "$version"); then
	say "fetching the crates"
	(cd "$root" && cargo fetch --locked --quiet)
	sources=$(crate_sources v8 "$version") || fail "cargo fetch did not bring the crate v8 $version"
fi
url=$(library_url)
archive=${url##*/}
library=$cargo_home/.rusty_v8/${url//[^[:alnum:]]/_}
# What a killed copy left behind.
find "$cargo_home/.rusty_v8" -name "${library##*/}.??????" -mmin +60 -delete 2>/dev/null || true

if [ -s "$library" ]; then
	say "the library of v8 $version is there already"
	exit 0
fi
if [ -n "${V8_ARCHIVE:-}" ]; then
	take_from "$V8_ARCHIVE" && exit 0
	fail "V8_ARCHIVE ($V8_ARCHIVE) does not give $archive"
fi
take_from "$root/../shared/v8" && exit 0
if host_answers; then
	say "the crate's download host answers: cargo will fetch the library of v8 $version"
	exit 0
fi
if [ "${V8_ONLY_CHECK:-}" = 1 ]; then
	say "the library of v8 $version would have to be built from source"
	exit 3
fi
say "the library of v8 $version is not here and its download host does not answer: building it"
build_it
