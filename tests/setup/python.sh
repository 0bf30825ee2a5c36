#!/usr/bin/env bash
# Makes the virtual environment with schemathesis in target/python, when tests/schemathesis/requirements.txt
# or the machine's Python is another one than it was made from.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "$0")/../.." && pwd)
wanted=$root/tests/schemathesis/requirements.txt
venv=${PYTHON_VENV:-$root/target/python}

# One at a time: two test processes may want it at once.
mkdir -p "$(dirname "$venv")"
exec 9>"$venv.lock"
flock 9

state() { python3 --version && cat "$wanted"; }
if [ -x "$venv/bin/schemathesis" ] && state | cmp -s - "$venv/.installed"; then
	exit 0
fi
echo "python: installing the packages of ${wanted#"$root"/} into ${venv#"$root"/}"
rm -rf "$venv"
if ! python3 -m venv "$venv"; then
	echo 'python: a virtual environment cannot be made; on Debian: apt-get install -y python3-venv' >&2
	exit 1
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r "$wanted"
state >"$venv/.installed"
