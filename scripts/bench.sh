#!/bin/bash
# bench.sh: run the benchmarks ($BENCHES on the host, $VM_BENCHES in the guest, $I915_BENCHES in a
# guest with a GPU of the stock i915) and print their results (`make bench`)
#
# $VM_BENCHES run twice: in real time, and in virtual time, where the clock counts the instructions
# of an emulated CPU. Documentation/user/performance.rst explains this, and why that CPU has one
# core and no fast string moves.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

in_guest() { # argument of the benchmarks
	CPUS=1 scripts/vm.sh "set -eo pipefail; scripts/vm/modules.sh load gpuoa_bench
		for p in $VM_BENCHES; do \"\$p\" $1; done" | results
}

results() { sed -n -e '/^bench: /p' -e '/^bench: /!w /dev/stderr'; }

cd "$TOP"
for program in ${BENCHES-}; do
	"$program" | grep '^bench: '
done
if [ -n "${VM_BENCHES-}" ]; then
	in_guest ns
	ICOUNT=1 in_guest instructions
fi
for program in ${I915_BENCHES-}; do
	GPU=tgl I915=error_capture=0 CPUS=1 TIMEOUT=1800 scripts/vm.sh "$program" | results
done
