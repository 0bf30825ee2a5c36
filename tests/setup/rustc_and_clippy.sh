#!/bin/sh
# The compiler of the workspace's own crates while tests are built (RUSTC_WORKSPACE_WRAPPER): what is compiled is linted
# on the way. Clippy as a command of its own would check every crate of others once more, from the sources.
# The two largest crates, of the server and of the sandbox, are compiled in a third of the time as they are not optimised,
# and their sums panic when they overflow. What they stand on, V8 with it, is as fast as ever. (Assertions stay off:
# deno_core's macros want them as in its own build.)
case " $* " in
*" --crate-name dastarkhan "* | *" --crate-name sandbox "*)
	set -- "$@" -C opt-level=0 -C debug-assertions=off -C overflow-checks=on
	;;
esac
exec clippy-driver "$@" -D warnings
