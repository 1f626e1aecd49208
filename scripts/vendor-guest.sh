#!/bin/bash
# vendor-guest.sh ROOT [stalls]: in the guest, run the test of Level Zero and the examples in a root
# directory that has it; the test once more with gpuoa.ko. With "stalls", only test EU stalls. Prints
# TAP.
#
# The build tree is mounted there as /gpuoa.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$1
driver=i915
[ ! -d /sys/module/xe ] || driver=xe
for dir in proc sys dev; do
	mount --rbind "/$dir" "$root/$dir"
done
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$BUILD" "$root/gpuoa"
in_root() { GPUOA_LOG=1 chroot "$root" /gpuoa/tools/gpuoa run -- "$@"; }

if [ "${2-}" = stalls ]; then
	chroot "$root" /gpuoa/frontend/igdmd/tests/vendor_stalls /gpuoa/lib/tests/stock_xe_stalls
	exit
fi

run_all() {
	in_root /gpuoa/frontend/igdmd/tests/vendor_ze
	in_root /gpuoa/examples/level-zero | grep '^RenderBasic ' | sed 's/^/# /'
	in_root /gpuoa/examples/level-zero RenderBasic | grep -E 'intervals|GpuTime|GpuCoreClocks' | sed 's/^#* */# /'
	in_root /gpuoa/examples/mdapi | grep '^OA  *RenderBasic ' | sed 's/^/# /'
	in_root /gpuoa/examples/mdapi RenderBasic 100 | grep -E 'GpuTime|GpuCoreClocks' | sed 's/^#* */# /'
	scripts/vm/modules.sh load gpuoa_$driver
	in_root /gpuoa/frontend/igdmd/tests/vendor_ze
}

# Number the tests of both runs without a break.
run_all | {
	number=0
	while IFS= read -r line; do
		case $line in
		1..*) continue ;;
		"ok "* | "not ok "*) number=$((number + 1)) line="${line%%ok *}ok $number ${line#*ok * }" ;;
		esac
		printf '%s\n' "$line"
	done
	echo "1..$number"
}
