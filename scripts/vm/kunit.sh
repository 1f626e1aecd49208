#!/bin/bash
# Runs the KUnit suites in the guest, by loading gpuoa_test.ko; their results (KTAP) go to the directory given
#
# The shell copies them itself: three programs for each of 37 suites take a minute on the debug kernel.
set -eu
. "$(dirname "$0")/common.sh"

dir=$1
mkdir -p "$dir"
"$TOP/scripts/vm/modules.sh" load gpuoa_test
for results in /sys/kernel/debug/kunit/*/results; do
	suite=${results%/results}
	suite=${suite##*/}
	mapfile -t lines <"$results"
	printf '%s\n' "${lines[@]}" >"$dir/$suite.tap"
	echo 0 >"$dir/$suite.status"
	echo "$suite"
done
