#!/bin/bash
# demo-stock-guest.sh: the guest's part of `make demo GPU=tgl`: gpuoa on a GPU of the stock i915 or
# xe ($DRIVER), first without gpuoa's modules, then with gpuoa.ko and gpuoa_i915.ko or gpuoa_xe.ko
set -euo pipefail
. "$(dirname "$0")/demo-common.sh"

MODULES=$BUILD/modules/$(uname -r)

vgpu() { "$BUILD/tools/gpuoa-vgpu" --ask "$GPUOA_VGPU" "$@"; }

vgpu workload frames >/dev/null

title "A virtual GPU ($GPU), driven by $DRIVER of Linux $(uname -r); no module of ours"
shown "$GPUOA" list
shown "$GPUOA" -q record -s "$SET" -F 1000 -o "$DIR/gpuoa.data" -- sleep 2
compare "$DIR/gpuoa.data"

title "The same GPU and driver, and our two modules beside them"
shown insmod "$MODULES/gpuoa.ko"
shown insmod "$MODULES/gpuoa_$DRIVER.ko"
shown cat "/sys/module/gpuoa_$DRIVER/parameters/gpus"
shown "$GPUOA" list

title "Stock perf records raw reports"
add_config
shown perf record -q -a -R -e "$event" -F 1000 -o "$DIR/perf.data" -- sleep 2
compare "$DIR/perf.data"

title "Stock perf counts"
# Only units with a built-in configuration have the named events.
events=gpuoa0/gpu-busy/,gpuoa0/gpu-time/
[ -e /sys/bus/event_source/devices/gpuoa0/events/gpu-busy ] || events=${event%/},timestamp/,${event%/},pec0/
shown perf stat -e "$events" -- sleep 1 2>&1 | sed '/^$/d'

finish
