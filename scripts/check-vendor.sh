#!/bin/bash
# check-vendor.sh: run Debian's Level Zero on gpuoa's libigdmd.so.1 and libigdml.so.1, on a virtual
# GPU that the stock driver drives, without and with gpuoa.ko (`make check-vendor`, also with GPU=skl,
# GPU=lnl or GPU=bmg, and with KERNEL=7.3)
#
# Level Zero is that of Debian's unstable release. Its packages are installed in a root directory of
# their own, VENDOR_ROOT, by default in the user's cache, and kept there until this script needs
# others. Needs root and, when it installs them, the network. Prints TAP.
#
# STALLS=1 instead tests EU stalls of Level Zero and of gpuoa, on Lunar Lake with the stock xe of 7.3.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

VENDOR_ROOT=${VENDOR_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/gpuoa/vendor-root}
# The driver needs Intel's compiler to execute command lists on Xe2; that of GPUs up to gen11 always
# needs its own version.
PACKAGES=libze1,libze-intel-gpu1,libze-intel-gpu-legacy1-1,libze-dev,libigc2,libigdfcl2,libigc1
PACKAGES+=,libigdfcl1,libexpat1,libdw1t64
TEST=$BUILD/frontend/igdmd/tests/vendor_ze

[ "$(id -u)" = 0 ] || die "to make a root directory with Debian's packages takes root"
if [ "$(cat "$VENDOR_ROOT/made" 2>/dev/null)" != "$PACKAGES" ]; then
	note "installing Level Zero in $VENDOR_ROOT"
	rm -rf "$VENDOR_ROOT"
	mkdir -p "$(dirname "$VENDOR_ROOT")"
	# a mirror that is not up to date will do
	mmdebstrap --quiet --variant=apt --architectures=amd64 --include=$PACKAGES \
		--aptopt='Acquire::Check-Valid-Until "false"' unstable "$VENDOR_ROOT"
	mkdir -p "$VENDOR_ROOT/gpuoa"
	echo "$PACKAGES" >"$VENDOR_ROOT/made"
fi
make --no-print-directory -s lib tools "$TEST" "$BUILD/examples/level-zero" "$BUILD/examples/mdapi" \
	"${TEST%/*}/vendor_stalls" "$BUILD/lib/tests/stock_xe_stalls" \
	VENDOR_ROOT="$VENDOR_ROOT" ZE_HEADERS="$VENDOR_ROOT/usr/include" >&2
part=
if [ -n "${STALLS-}" ]; then
	part=stalls
	export GPU=${GPU:-lnl} KERNEL=7.3 NOMODULES=1
fi
GPU=${GPU:-tgl} I915=error_capture=0 KERNEL=${KERNEL:-6.12} TIMEOUT=${TIMEOUT:-900} \
	MEM=${MEM:-2560} scripts/vm.sh "scripts/vendor-guest.sh $VENDOR_ROOT $part"
