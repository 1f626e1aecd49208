#!/bin/bash
# check-igt.sh [TEST[:SUBTEST,...]...]: run tests of Debian's igt-gpu-tools on a virtual GPU that
# the stock xe drives (`make check-igt`, also with GPU=bmg, GPU=ptl,
# IGT='xe_oa:oa-*,mmio-*,!oa-exponents')
#
# SUBTEST is a pattern, with ! in front for subtests that are not run. The packages are those of
# Debian's unstable release. They are installed in a separate root directory, IGT_ROOT, by default
# in the user's cache, and kept there. Needs root and, when it installs them, the network. Prints
# TAP; the tests' own output is in OUT, by default build/igt. A subtest has LIMIT=120 seconds times
# the timeout scale.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

IGT_ROOT=${IGT_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/gpuoa/igt-root}
TESTS=(xe_query xe_gt_freq "xe_pm:d3hot*,s2idle*,s3*" xe_oa xe_exec_store "xe_exec_basic:once*"
	xe_exec_reset xe_exec_mix_modes xe_exec_queue_property "xe_exec_compute_mode:once*"
	"xe_exec_balancer:once*")

[ "$(id -u)" = 0 ] || die "to make a root directory with Debian's packages takes root"
if [ ! -e "$IGT_ROOT/usr/libexec/igt-gpu-tools/xe_oa" ]; then
	note "installing igt-gpu-tools in $IGT_ROOT"
	rm -rf "$IGT_ROOT"
	mkdir -p "$(dirname "$IGT_ROOT")"
	# a mirror that is not up to date will do
	mmdebstrap --quiet --variant=apt --architectures=amd64 --include=igt-gpu-tools-tests \
		--aptopt='Acquire::Check-Valid-Until "false"' unstable "$IGT_ROOT"
fi
make --no-print-directory -s tools >&2
[ $# -gt 0 ] || set -- "${TESTS[@]}"
export GPU=${GPU:-lnl} KERNEL=${KERNEL:-7.3} MEM=${MEM:-2048} TIMEOUT=${TIMEOUT:-3600}
OUT=${OUT:-$BUILD/igt} scripts/vm.sh \
	"scripts/igt-guest.sh $IGT_ROOT ${LIMIT:-120}$(printf " '%s'" "$@")"
