#!/bin/bash
# bench.sh: run the benchmarks ($BENCHES on the host, $I915_BENCHES in a guest with a GPU of the
# stock i915) and print their results (`make bench`)
#
# A guest has one CPU, so that its idle time is that of the whole guest.
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

results() { sed -n -e '/^bench: /p' -e '/^bench: /!w /dev/stderr'; }

cd "$TOP"
for program in ${BENCHES-}; do
	"$program" | grep '^bench: '
done
for program in ${I915_BENCHES-}; do
	GPU=tgl I915=error_capture=0 CPUS=1 TIMEOUT=1800 scripts/vm.sh "$program" | results
done
