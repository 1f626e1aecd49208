#!/bin/bash
# Runs the KUnit suites in the guest, by loading gpuoa_test.ko; their results (KTAP) go to the directory given
set -eu
. "$(dirname "$0")/common.sh"

dir=$1
mkdir -p "$dir"
"$TOP/scripts/vm/modules.sh" load gpuoa_test
for results in /sys/kernel/debug/kunit/*/results; do
	suite=$(basename "$(dirname "$results")")
	cat "$results" >"$dir/$suite.tap"
	echo 0 >"$dir/$suite.status"
	echo "$suite"
done
