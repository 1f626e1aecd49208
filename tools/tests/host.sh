# Common setup of tests on the host, to be sourced: the command, a temporary directory, check()
# shellcheck shell=bash disable=SC2034 # used by the tests

cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
GPUOA=$BUILD/tools/gpuoa
. selftests/tap.sh
. selftests/wait.sh
DIR=$(mktemp -d)
trap 'rm -rf "$DIR" 2>/dev/null' EXIT # a browser's child may still write there

# Skip the test if a command was not built, because its library is missing.
needs() { # command, packages
	[ ! -x "$BUILD/tools/gpuoa-$1" ] || return
	echo "1..0 # SKIP gpuoa-$1 is not built: $2 missing"
	exit
}

# Set $full to a device that is always full: /dev/full, or a new node if the machine has none.
find_full() {
	full=/dev/full
	[ ! -c $full ] || return 0
	full=$DIR/full
	[ -c "$full" ] || mknod "$full" c 1 7 2>/dev/null
	{ [ -c "$full" ] && : >"$full"; } 2>/dev/null && return
	echo "there is no device /dev/full, and none can be made"
	return $SKIPPED
}
