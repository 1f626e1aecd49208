#!/bin/bash
# What tests of the gpuoa command in the guest begin with, sourced: the command, a directory of their own, check()

cd "$(dirname "$0")/../.." || exit 1
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

number=0
check() { # name, command
	local name=$1
	shift
	number=$((number + 1))
	if "$@" >out 2>&1; then
		echo "ok $number - $name"
	else
		sed 's/^/# /' out | head -20
		echo "not ok $number - $name"
	fi
}
