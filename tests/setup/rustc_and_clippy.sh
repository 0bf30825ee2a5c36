#!/bin/sh
# The compiler of the workspace's own crates while tests are built (RUSTC_WORKSPACE_WRAPPER): what is compiled is linted
# on the way. Clippy as a command of its own would check every crate of others once more, from the sources.
# Not optimised, and sums that overflow panic: the server's own lines are compiled in a third of the time, and what they
# stand on, V8 with it, is as fast as ever. (Assertions stay off: deno_core's macros want them as in its own build.)
exec clippy-driver "$@" -D warnings -C opt-level=0 -C debug-assertions=off -C overflow-checks=on
