#!/usr/bin/env bash
# Builds librusty_v8 from the sources of the `v8` crate with Debian's clang, lld, ninja and gn.
#
# usage: v8_build.sh CRATE_SOURCES ICU_DATA OUTPUT
#
# The crate's own build wants a toolchain that is fetched from elsewhere; Debian's gn is older than the
# crate's build files, so a copy of them is adapted first. About an hour and a half on two cores. The work
# folder is kept until the library is done: a build that was broken off goes on where it stood.
set -euo pipefail

crate=$1
icu=$2
output=$3
llvm=22
system_llvm=${V8_LLVM:-/usr/lib/llvm-$llvm}
work=${V8_BUILD_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/dastarkhan/$(basename "$crate")}
packages="clang-$llvm lld-$llvm llvm-$llvm libclang-rt-$llvm-dev ninja-build generate-ninja python3 pkg-config libglib2.0-dev"

say() { printf 'v8: %s\n' "$*"; }

need_tools() {
	local missing=()
	[ -x "$system_llvm/bin/clang" ] || missing+=("clang-$llvm")
	[ -x "$system_llvm/bin/ld.lld" ] || missing+=("lld-$llvm")
	[ -x "$system_llvm/bin/llvm-ar" ] || missing+=("llvm-$llvm")
	local tool
	for tool in gn ninja python3 pkg-config; do
		command -v "$tool" >/dev/null 2>&1 || missing+=("$tool")
	done
	[ ${#missing[@]} -eq 0 ] && return
	local install="apt-get update && apt-get install -y --no-install-recommends $packages"
	if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1 && [ "${SETUP_INSTALL:-1}" = 1 ]; then
		say "installing what the build needs (missing: ${missing[*]})"
		apt-get update -q >/dev/null
		# shellcheck disable=SC2086 # a list of package names
		DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages >/dev/null
		return
	fi
	say "missing: ${missing[*]}. Install them with: $install" >&2
	exit 1
}

# Where clang and its runtime library are looked for, in the layout that the build files expect.
lay_out_clang() {
	local base=$work/llvm runtime=$system_llvm/lib/clang/$llvm
	mkdir -p "$base/lib/clang/$llvm/lib/x86_64-unknown-linux-gnu"
	ln -sfn "$system_llvm/bin" "$base/bin"
	ln -sfn "$runtime/include" "$base/lib/clang/$llvm/include"
	ln -sfn "$runtime/lib/linux/libclang_rt.builtins-x86_64.a" \
		"$base/lib/clang/$llvm/lib/x86_64-unknown-linux-gnu/libclang_rt.builtins.a"
}

# Takes out of the build files what Debian's gn does not know.
adapt() {
	local src=$1
	sed -i 's/path_exists(rebase_path("\.ninja_deps", root_build_dir))/true/
		s|path_exists("//build/config/siso/\.sisoenv")|false|' "$src/build/toolchain/siso.gni"
	sed -i 's/path_exists([^()]*)/true/' \
		"$src/build/config/sysroot.gni" "$src/build/toolchain/rbe.gni" "$src/build/config/c++/modules.gni"
	sed -i 's/path_exists([^()]*)/false/
		/^ *c_additional_outputs =$/,/\]$/d' "$src/build/config/compiler/BUILD.gn"
	sed -i 's/{{cc_module_name}}/{{label_name}}/g
		/^ *inputs = rustc_wrapper_inputs$/d
		/^    tool("alink") {$/,/^    }$/ { /^ *inputs =$/,/\]$/d }' "$src/build/toolchain/gcc_toolchain.gni"
	sed -i '/^  action("generate_libcxx_modulemap") {$/,/^  }$/d' "$src/buildtools/third_party/libc++/BUILD.gn"
}

prepare() {
	[ -e "$work/prepared" ] && return
	say "preparing the sources in $work"
	rm -rf "$work/src"
	mkdir -p "$work"
	cp -R "$crate" "$work/src"
	chmod -R u+w "$work/src"
	mkdir -p "$work/src/third_party/icu/common"
	cp "$icu" "$work/src/third_party/icu/common/icudtl.dat"
	adapt "$work/src"
	: >"$work/prepared"
}

generate() {
	[ -e "$work/generated" ] && return
	say "writing the build description"
	rm -rf "$work/out"
	gn gen "$work/out" --root="$work/src" --args="is_debug=false use_custom_libcxx=true \
clang_base_path=\"$work/llvm\" clang_version=\"$llvm\" treat_warnings_as_errors=false \
v8_enable_sandbox=false v8_enable_pointer_compression=false v8_enable_v8_checks=false \
rusty_v8_enable_simdutf=true v8_monolithic_for_shared_library=true v8_enable_temporal_support=false \
enable_rust=false enable_rust_cxx=false symbol_level=0" >"$work/gn.log" 2>&1 || {
		tail -n 30 "$work/gn.log" >&2
		exit 1
	}
	# Flags of a newer clang, and its complaint about warnings that it does not know.
	find "$work/out" -name '*.ninja' -exec sed -i 's/ -fdiagnostics-show-inlining-chain//g
		s/ -fno-lifetime-dse//g
		s/ -Wno-unused-but-set-global/ -Wno-unknown-warning-option/g
		s/ -fsanitize-ignore-for-ubsan-feature=[^ ]*//g' {} +
	: >"$work/generated"
}

need_tools
prepare
lay_out_clang
generate
say "building (about an hour and a half on two cores; it goes on where it stood if it is broken off)"
export NINJA_STATUS='v8: [%f/%t %p, %e s] '
ninja -C "$work/out" rusty_v8
library=$work/out/obj/librusty_v8.a
say "packing"
"$system_llvm/bin/llvm-strip" --strip-debug "$library" -o "$work/librusty_v8.a"
mkdir -p "$(dirname "$output")"
partial=$(mktemp "$output.XXXXXX")
trap 'rm -f "$partial"' EXIT
gzip -9nc "$work/librusty_v8.a" >"$partial"
chmod 644 "$partial"
mv -f "$partial" "$output"
rm -rf "$work"
