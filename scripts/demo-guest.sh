#!/bin/bash
# demo-guest.sh: the guest's part of `make demo`: list, record with perf and gpuoa, compare with the
# reference
set -euo pipefail
. "$(dirname "$0")/demo-common.sh"

title "A virtual Haswell GT2, Linux $(uname -r)"
shown "$GPUOA" list
title "Stock perf records raw reports"
add_config
shown perf record -q -a -R -m 32M -e "$event" -F 10000 -o "$DIR/perf.data" -- sleep 2
compare "$DIR/perf.data"

title "gpuoa records the same"
shown "$GPUOA" -q record -s "$SET" -F 10000 -o "$DIR/gpuoa.data" -- sleep 2
compare "$DIR/gpuoa.data"

title "gpuoa stat, as perf stat"
shown "$GPUOA" stat -s "$SET" -m GpuTime,GpuBusy,EuActive,EuStall,PsThreads,GtiReadThroughput -- sleep 1

finish
