#!/bin/bash
# `make bench`: runs the benchmarks in $BENCHES here and those in $VM_BENCHES in the guest; prints their result lines
set -euo pipefail
. "$(dirname "$0")/vm/common.sh"

cd "$TOP"
for program in ${BENCHES-}; do
	"$program" | grep '^bench: '
done
if [ -n "${VM_BENCHES-}" ]; then
	# shellcheck disable=SC2016 # the guest expands it
	scripts/vm.sh "set -eo pipefail; for p in $VM_BENCHES; do \"\$p\"; done" | grep '^bench: '
fi
