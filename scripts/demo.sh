#!/bin/bash
# `make demo`: the main job, start to end, on a virtual GPU in a VM; fails unless the numbers agree with the truth
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

make -C "$TOP" -s -j"$(nproc)" lib tools >&2
KERNEL=${KERNEL:-6.12} exec "$TOP/scripts/vm.sh" "bash scripts/demo-guest.sh"
