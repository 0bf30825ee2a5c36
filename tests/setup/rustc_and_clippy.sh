#!/bin/sh
# The compiler of the workspace's own crates while tests are built (RUSTC_WORKSPACE_WRAPPER): what is compiled is linted
# on the way. Clippy as a command of its own would check every crate of others once more, from the sources.
exec clippy-driver "$@" -D warnings
