# What tests of the gpuoa command on the host begin with, sourced: the command, a directory of their own, check()
# shellcheck shell=bash disable=SC2034 # what is set here is for them

cd "$(dirname "$0")/../.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
GPUOA=$BUILD/tools/gpuoa
. selftests/tap.sh
. selftests/wait.sh
DIR=$(mktemp -d)
trap 'rm -rf "$DIR" 2>/dev/null' EXIT # what a browser leaves may still be busy

# Without a library, the command that needs it is not built.
needs() { # command, packages
	[ ! -x "$BUILD/tools/gpuoa-$1" ] || return
	echo "1..0 # SKIP gpuoa-$1 is not built: $2 missing"
	exit
}

# Find a device that is always full, for $full: /dev/full, or one of our own where the machine has none.
find_full() {
	full=/dev/full
	[ ! -c $full ] || return 0
	full=$DIR/full
	[ -c "$full" ] || mknod "$full" c 1 7 2>/dev/null
	{ [ -c "$full" ] && : >"$full"; } 2>/dev/null && return
	echo "there is no device /dev/full, and none can be made"
	return $SKIPPED
}
