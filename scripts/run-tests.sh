#!/bin/bash
# Runs test programs one by one, on the host or in the guest, and keeps what each says for check.sh to count
#
# run-tests.sh DIR PROGRAM...: writes DIR/<program>.tap (standard output), .err and .status
set -u
. "$(dirname "$0")/vm/common.sh"

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
	timeout -k 5 "${TEST_TIMEOUT:-300}" "$program" >"$dir/$name.tap" 2>"$dir/$name.err" </dev/null
	status=$?
	echo $status >"$dir/$name.status"
	echo "$name: status $status, $((SECONDS - begin)) s"
done
