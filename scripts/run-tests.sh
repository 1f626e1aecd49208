#!/bin/bash
# Runs test programs one by one, on the host or in the guest, and keeps what each says for check.sh to count
#
# run-tests.sh DIR PROGRAM...: writes DIR/<program>.tap (standard output), .err and .status
#
# A program may run for TEST_TIMEOUT=300 seconds times the slowness, which is measured before each and which it gets as
# $GPUOA_SLOWNESS.
set -u
. "$(dirname "$0")/vm/common.sh"
. "$(dirname "$0")/vm/slowness.sh"

# Each test finds a new device, whatever the one before has left. A module that something still holds is a bug.
fresh_modules() {
	"$TOP/scripts/vm/modules.sh" unload || echo "BUG: modules cannot be unloaded before $name" >/dev/kmsg
	"$TOP/scripts/vm/modules.sh" load || exit 125
}

dir=$1
shift
mkdir -p "$dir"
for program in "$@"; do
	name=$(basename "$program")
	[ -z "${GPUOA_VM-}" ] || fresh_modules
	begin=$SECONDS
	case $program in
	*/*) ;;
	*) program=./$program ;;
	esac
	slowness
	timeout -k 5 $((${TEST_TIMEOUT:-300} * GPUOA_SLOWNESS)) "$program" >"$dir/$name.tap" 2>"$dir/$name.err" </dev/null
	status=$?
	echo $status >"$dir/$name.status"
	echo "$name: status $status, $((SECONDS - begin)) s (slowness $GPUOA_SLOWNESS)"
done
