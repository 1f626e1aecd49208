#!/bin/bash
# `make vm`: sees to it that the guest has what it needs (kernel, modules), then boots it
#
# vm.sh [COMMAND], or the command in $GPUOA_CMD; scripts/vm/run.sh says what else can be set
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

settings=$("$TOP/scripts/vm/kernel.sh" "${KERNEL:-6.12}")
KDIR=
eval "$settings"
[ -n "${NOMODULES-}" ] || "$TOP/scripts/build-modules.sh" "$KDIR" >&2

# A person at a terminal is to see something move.
if [ $# = 0 ] && [ -n "${GPUOA_CMD-}" ]; then
	set -- "$GPUOA_CMD"
	export INTERACTIVE=1
	case $GPUOA_CMD in
	*"gpuoa top"*) export SCENES="${SCENES-1}" SIM="${SIM-platform=tgl_gt2,hsw_gt2}" ;;
	esac
fi
exec "$TOP/scripts/vm/run.sh" "$@"
