#!/bin/bash
# `make demo`: the main job, start to end, on a virtual GPU in a VM; fails unless the numbers agree with the truth
#
# GPU=tgl, or another one of gpuoa-vgpu: the stock i915 drives it
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

make -C "$TOP" -s -j"$(nproc)" lib tools >&2
export KERNEL=${KERNEL:-6.12}
note "boots Debian's Linux $KERNEL in QEMU, with a virtual GPU; nothing more is to be seen for half a minute, or two without KVM"
if [ -n "${GPU-}" ]; then
	I915=${I915-error_capture=0} exec "$TOP/scripts/vm.sh" "bash scripts/demo-i915-guest.sh"
fi
exec "$TOP/scripts/vm.sh" "bash scripts/demo-guest.sh"
