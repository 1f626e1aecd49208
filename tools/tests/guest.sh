#!/bin/bash
# What tests of the gpuoa command in the guest begin with, sourced: the command, a directory of their own, check()
# shellcheck disable=SC2034 # what is set here is for them

cd "$(dirname "$0")/../.." || exit 1
. selftests/wait.sh
. selftests/tap.sh
GPUOA=$PWD/${BUILD:-build}/tools/gpuoa
case ${BUILD-} in /*) GPUOA=$BUILD/tools/gpuoa ;; esac
export GPUOA

if [ ! -e /sys/class/gpuoa/gpuoa0 ]; then
	echo "1..0 # SKIP no OA unit"
	exit 0
fi
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
cd "$DIR" || exit 1

# What was lost is told. In virtual time nothing may be; elsewhere a busy host may hold up everybody.
LOSS=' 0 lost'
[ -n "${GPUOA_VIRTUAL_TIME-}" ] || LOSS=' ([0-9]+|some) lost'

has_users() { # unit number: it was opened that often, or more
	[ "$(cat "/sys/class/gpuoa/$1/statistics/opens")" -ge "$2" ]
}

# Runs gpuoa in the background, as $user, and comes back when it has its unit.
start_user() { # unit, command...
	local unit=$1 opens
	shift
	opens=$(cat "/sys/class/gpuoa/$unit/statistics/opens")
	"$@" &
	user=$!
	wait_until has_users "$unit" $((opens + 1))
}
