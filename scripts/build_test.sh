#!/bin/bash
# build_test.sh: check the parts and flags of `make` if packages are missing; prints TAP. Nothing is
# built: `make -n` prints the commands
set -u
cd "$(dirname "$0")/.." || exit 1
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
. selftests/tap.sh

# Print the commands of a build from scratch.
dry_run() { # make's arguments
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -n BUILD="$DIR/build" "$@" 2>&1
}
left_out() { # make's arguments
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -s left-out BUILD="$DIR/build" "$@" 2>&1
}
# Create a pkg-config that finds all packages except the given ones.
without() { # package...
	# shellcheck disable=SC2016 # for the script that is written
	printf '#!/bin/sh\ncase " %s " in *" $2 "*) exit 1 ;; esac\nexec pkg-config "$@"\n' "$*" >"$DIR/pkg-config"
	chmod +x "$DIR/pkg-config"
	echo "$DIR/pkg-config"
}

names_packages() {
	left_out PKG_CONFIG="$(without ncursesw libmicrohttpd)" >"$DIR/out"
	cat "$DIR/out"
	grep -E '^  gpuoa top +libncurses-dev +ncurses-devel +ncurses$' "$DIR/out" &&
		grep -E '^  gpuoa exporter +libmicrohttpd-dev ' "$DIR/out" && ! grep 'gpuoa plot' "$DIR/out"
}
names_nothing() {
	left_out >"$DIR/out"
	cat "$DIR/out"
	command -v protoc-c >/dev/null || { grep 'gpuoa export -f perfetto' "$DIR/out" && return; }
	[ ! -s "$DIR/out" ]
}
builds_the_rest() {
	dry_run lib tools PKG_CONFIG=/nowhere/pkg-config >"$DIR/out" || return
	grep -q 'tools/gpuoa-export' "$DIR/out" && ! grep -qE 'tools/gpuoa-top|export/perfetto|HAVE_PROTOBUF' "$DIR/out"
}
installs_what_is_built() {
	dry_run install-files PKG_CONFIG="$(without ncursesw libmicrohttpd)" >"$DIR/out" || return
	! grep -E 'install .*(gpuoa-top|gpuoa-exporter|grafana)' "$DIR/out"
}
names_libdrm() {
	! dry_run lib PKG_CONFIG=/nowhere DRM_DIR= >"$DIR/out" && grep 'no headers of libdrm; install *libdrm-dev' "$DIR/out"
}
# User-space flags only; Kbuild has separate flags.
passes_cppflags() {
	dry_run lib tools tests CPPFLAGS='-DGIVEN=1 -I/given' CXX=g++ >"$DIR/out"
	grep -E '^(gcc|g\+\+) .*-c ' "$DIR/out" >"$DIR/compiled"
	[ "$(wc -l <"$DIR/compiled")" -gt 100 ] && ! grep -v -e '-DGIVEN=1' "$DIR/compiled"
}
headers_of_the_tree_first() {
	! grep -F -e '-I/given' "$DIR/compiled" && grep -qF -e '-isystem /given' "$DIR/compiled"
}
no_headers() {
	INSTALLED=$DIR BUILD=$DIR/build scripts/build-modules.sh --if-headers >"$DIR/out" 2>&1 && grep 'linux-headers-amd64' "$DIR/out"
}
old_headers() {
	mkdir -p "$DIR/modules/5.10.0-1/build" && touch "$DIR/modules/5.10.0-1/build/Makefile"
	INSTALLED=$DIR/modules BUILD=$DIR/build scripts/build-modules.sh --if-headers 2>&1 | grep 'no headers of a kernel from 6.1 on'
}
wants_headers() {
	! INSTALLED=$DIR BUILD=$DIR/build scripts/build-modules.sh >"$DIR/out" 2>&1 && grep 'cannot build the modules' "$DIR/out"
}

check "make names the packages of omitted parts" names_packages
check "make names no installed package" names_nothing
check "make builds library and tools without pkg-config" builds_the_rest
check "make without libdrm names its package" names_libdrm
check "make install skips omitted parts" installs_what_is_built
check "CPPFLAGS reach every compilation" passes_cppflags
check "headers of the tree come before those of CPPFLAGS" headers_of_the_tree_first
check "make succeeds without kernel headers" no_headers
check "make skips headers of old kernels" old_headers
check "make modules requires kernel headers" wants_headers
echo "1..$number"
