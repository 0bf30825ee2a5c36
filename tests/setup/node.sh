#!/usr/bin/env bash
# Where the machine's Node is older than 22 (20 has ended), brings a newer one from its npm package into target/node:
# the Makefile, run.sh and build.rs look there first.
set -euo pipefail
export LC_ALL=C

# As make writes it (CURDIR): without links, or our own Node would not be known in PATH.
root=$(cd "$(dirname "$0")/../.." && pwd -P)
wanted=$root/tests/setup/node
place=$root/target/node

major() { "$1" -p 'process.versions.node.split(".")[0]'; }

# The machine's own: this may have been called with ours ahead in PATH.
own=$(PATH=${PATH//"$place/bin:"/} command -v node)
if [ "$(major "$own")" -ge 22 ]; then
	rm -rf "$place"
	exit 0
fi
if [ -x "$place/bin/node" ] && cmp -s "$wanted/package-lock.json" "$place/package-lock.json"; then
	exit 0
fi
echo "node: $("$own" --version) is too old, installing the one of ${wanted#"$root"/}"
rm -rf "$place"
mkdir -p "$place/bin"
cp "$wanted"/package*.json "$place/"
(cd "$place" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
for node in "$place"/node_modules/node-*/bin/node; do
	if [ ! -x "$node" ] || [ "$(major "$node")" -lt 22 ]; then
		rm -rf "$place"
		echo 'node: install Node.js 22 or newer; for this machine there is no npm package of it' >&2
		exit 1
	fi
	ln -s "$node" "$place/bin/node"
done
