#!/bin/bash
# kunit.sh DIR: run the KUnit suites in the guest by loading gpuoa_test.ko; results (KTAP) go to DIR
#
# The shell copies the results itself: three programs for each of 37 suites take a minute on the
# debug kernel.
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
