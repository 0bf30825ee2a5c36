#!/usr/bin/env bash
# Checks that the machine has what a command of the Makefile needs, and installs what can be installed.
#
# usage: system.sh run|test|bench
#
# The toolchains (cargo, node, a C compiler) are only looked for. Debian packages are installed where this
# runs as root with apt-get (SETUP_INSTALL=0 forbids it), and otherwise named with the command for it.
set -euo pipefail
export LC_ALL=C

what=${1:-run}
chromium=${CHROMIUM:-/usr/bin/chromium}
chromium_shell=${CHROMIUM_SHELL:-${CHROMIUM:-/usr/bin/chromium-headless-shell}}
firefox=${FIREFOX:-/usr/bin/firefox-esr}
missing=()
packages=()
# Packages that would begin a service when they are installed.
services=()

has() { command -v "$1" >/dev/null 2>&1; }

lacks() { missing+=("$1"); }

check_toolchains() {
	has cargo || lacks 'cargo: install Rust with rustup'
	has rustc || lacks 'rustc: install Rust with rustup'
	if has node; then
		# Where it is older than 22, node.sh brings a newer one: by npm, which wants this much.
		local major
		major=$(node -p 'process.versions.node.split(".")[0]')
		[ "$major" -ge 18 ] || lacks "node 22 or newer (this is node $major)"
	else
		lacks 'node: version 22 or newer'
	fi
	has npm || lacks 'npm: it comes with node'
	has cc || lacks 'a C compiler: apt-get install -y build-essential'
	if [ ${#missing[@]} -gt 0 ]; then
		printf 'setup: missing\n' >&2
		printf '  - %s\n' "${missing[@]}" >&2
		exit 1
	fi
}

# Letters of a language without a font are empty boxes on screenshots and wrong widths in tests.
has_font() { has fc-list && [ -n "$(fc-list ":lang=$1" family | head -n 1)" ]; }

wanted_packages() {
	[ -x "$chromium" ] || packages+=(chromium)
	[ "$what" != test ] || [ -x "$chromium_shell" ] || packages+=(chromium-headless-shell)
	has fc-list || packages+=(fontconfig)
	{ has_font kk && has_font ka; } || packages+=(fonts-noto-core)
	if [ "$what" = test ]; then
		# The engines of Safari and Firefox; WebKit's browser draws on a display that nobody sees.
		has WebKitWebDriver || packages+=(webkit2gtk-driver)
		{ has xvfb-run && has xauth; } || packages+=(xvfb xauth)
		[ -x "$firefox" ] || packages+=(firefox-esr)
		# What reads the files of server/operation. None of them is to run as a service here.
		has promtool || services+=(prometheus)
		has redis-server || services+=(redis-server)
		has systemd-analyze || packages+=(systemd)
	fi
	# schemathesis is installed into a virtual environment (python.sh).
	python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3 python3-venv)
	# The proxy, and what makes its certificate.
	has haproxy || services+=(haproxy)
	has openssl || packages+=(openssl)
	if [ "$what" = bench ]; then
		has wrk || packages+=(wrk)
	fi
}

# Debian's own way to install without starting: invoke-rc.d asks this file.
policy=/usr/sbin/policy-rc.d
hold_services() {
	[ ${#services[@]} -gt 0 ] && [ ! -e "$policy" ] || return 0
	trap 'rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
}
# Nor at the next start of the machine.
disable_services() {
	local service
	for service in "${services[@]}"; do
		systemctl disable --quiet "$service" 2>/dev/null || true
	done
}

install_packages() {
	packages+=("${services[@]}")
	[ ${#packages[@]} -gt 0 ] || return 0
	local command="apt-get update && apt-get install -y --no-install-recommends ${packages[*]}"
	if [ "$(id -u)" -ne 0 ] || ! has apt-get || [ "${SETUP_INSTALL:-1}" != 1 ]; then
		printf 'setup: Debian packages are missing: %s\n' "${packages[*]}" >&2
		printf 'setup: install them with: %s\n' "$command" >&2
		printf 'setup: (a Chromium or Firefox elsewhere can be named with CHROMIUM=/path, FIREFOX=/path)\n' >&2
		exit 1
	fi
	printf 'setup: installing %s\n' "${packages[*]}"
	local log
	log=$(mktemp)
	hold_services
	if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
		--no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
		tail -n 30 "$log" >&2
		printf 'setup: that failed: %s\n' "$command" >&2
		exit 1
	fi
	rm -f "$log"
	disable_services
}

check_toolchains
if [ "$what" != run ]; then
	wanted_packages
	install_packages
fi
