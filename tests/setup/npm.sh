#!/usr/bin/env bash
# Installs the npm packages when package-lock.json is newer than what is installed.
set -euo pipefail

cd "$(dirname "$0")/../.."
stamp=node_modules/.installed
if [ -e "$stamp" ] && cmp -s package-lock.json "$stamp"; then
	exit 0
fi
if grep -q '"resolved"' package-lock.json; then
	echo 'npm: package-lock.json names download addresses; write it with: npm install --omit-lockfile-registry-resolved' >&2
	exit 1
fi
echo 'npm: installing the packages of package-lock.json'
# The packages' own install scripts are not run: what they would fetch is in the packages already. Those of development
# build the bundle: they are wanted wherever NODE_ENV or npm's settings leave them out.
npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json "$stamp"
