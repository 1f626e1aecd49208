#!/bin/bash
# Runs test programs one by one, on the host or in the guest, and keeps what each says for check.sh to count
#
# run-tests.sh DIR PROGRAM...: writes DIR/<program>.tap (standard output), .err and .status
set -u
. "$(dirname "$0")/vm/common.sh"

dir=$1
shift
mkdir -p "$dir"
for program in "$@"; do
	name=$(basename "$program")
	# A test may unload what it wants to; the next one finds the modules there again.
	if [ -n "${GPUOA_VM-}" ]; then
		"$TOP/scripts/vm/modules.sh" load || exit 125
	fi
	echo "$name"
	case $program in
	*/*) ;;
	*) program=./$program ;;
	esac
	timeout -k 5 "${TEST_TIMEOUT:-300}" "$program" >"$dir/$name.tap" 2>"$dir/$name.err" </dev/null
	echo $? >"$dir/$name.status"
done
