#!/bin/bash
# vm.sh [COMMAND]: prepare kernel and modules for the guest, then boot it (`make vm`)
#
# The command can also be in $GPUOA_CMD. scripts/vm/run.sh documents the other variables.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

settings=$("$TOP/scripts/vm/kernel.sh" "${KERNEL:-6.12}")
KDIR=
eval "$settings"
[ -n "${NOMODULES-}" ] || "$TOP/scripts/build-modules.sh" "$KDIR" >&2

# On a terminal, show changing loads.
if [ $# = 0 ] && [ -n "${GPUOA_CMD-}" ]; then
	set -- "$GPUOA_CMD"
	export INTERACTIVE=1
	case $GPUOA_CMD in
	*"gpuoa top"*) export WORKLOADS="${WORKLOADS-1}" SIM="${SIM-platform=tgl_gt2,hsw_gt2}" ;;
	esac
fi
exec "$TOP/scripts/vm/run.sh" "$@"
