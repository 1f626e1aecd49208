#!/bin/bash
# Common setup of tests in the guest, to be sourced: the command, a temporary directory, check()
# shellcheck disable=SC2034 # used by the tests

cd "$(dirname "$0")/../.." || exit 1
. selftests/wait.sh
. selftests/tap.sh
GPUOA=$PWD/${BUILD:-build}/tools/gpuoa
case ${BUILD-} in /*) GPUOA=$BUILD/tools/gpuoa ;; esac
export GPUOA
REFERENCE=$(dirname "$GPUOA")/../lib/tests/reference_metrics
SOURCES=$PWD

# Print what the metrics of the set RenderBasic should be between two timestamps.
reference() { # unit begin end
	(cd "$SOURCES" && "$REFERENCE" "$1" RenderBasic "$2" "$3")
}

if [ ! -e /sys/class/gpuoa/gpuoa0 ]; then
	echo "1..0 # SKIP no OA unit"
	exit 0
fi
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
cd "$DIR" || exit 1

# Losses in the output. None may occur in virtual time; otherwise a busy host may cause some.
LOSS=' 0 lost'
[ -n "${GPUOA_VIRTUAL_TIME-}" ] || LOSS=' ([0-9]+|some) lost'

has_users() { # unit, minimum number of opens
	[ "$(cat "/sys/class/gpuoa/$1/statistics/opens")" -ge "$2" ]
}

# Start gpuoa in the background, as $user, and wait until it has opened its unit.
start_user() { # unit, command...
	local unit=$1 opens
	shift
	opens=$(cat "/sys/class/gpuoa/$unit/statistics/opens")
	"$@" &
	user=$!
	wait_until has_users "$unit" $((opens + 1))
}
