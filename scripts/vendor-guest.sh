#!/bin/bash
# vendor-guest.sh ROOT: in the guest, run the test of Level Zero and the example in a root directory
# that has it
#
# The build tree is mounted there as /gpuoa.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$1
for dir in proc sys dev; do
	mount --rbind "/$dir" "$root/$dir"
done
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$BUILD" "$root/gpuoa"
in_root() { GPUOA_LOG=1 chroot "$root" /gpuoa/tools/gpuoa run -- "$@"; }

in_root /gpuoa/frontend/igdmd/tests/vendor_ze
in_root /gpuoa/examples/level-zero | grep '^RenderBasic ' | sed 's/^/# /'
in_root /gpuoa/examples/level-zero RenderBasic | grep -E 'intervals|GpuTime|GpuCoreClocks' | sed 's/^#* */# /'
