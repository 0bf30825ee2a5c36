#!/bin/sh
# The compiler of the workspace's own crates while tests are built (RUSTC_WORKSPACE_WRAPPER): what is compiled is linted
# on the way. Clippy as a command of its own would check every crate of others once more, from the sources.
# Sums that overflow panic, so that tests find them. What the product's tests ask is optimised as far as they notice: the
# server is compiled in half of the time, and they take no longer. Unit tests are compiled in a third of the time as they
# are not optimised: they are done within seconds. Four parts a crate instead of sixteen compile what is inlined less often
# anew, and still keep two cores busy. (Assertions stay off: deno_core's macros want them as in its own build.)
case " $* " in
*" --test "*) set -- "$@" -C opt-level=0 -C debug-assertions=off ;;
*" --crate-name compression "* | *" --crate-name finding "* | *" --crate-name pixels "*) ;;
*" opt-level=3 "*) set -- "$@" -C opt-level=1 ;;
esac
exec clippy-driver "$@" -C codegen-units=4 -D warnings -C overflow-checks=on
