#!/bin/bash
# demo-i915-guest.sh: the guest's part of `make demo GPU=tgl`: gpuoa on a GPU of the stock i915,
# first without gpuoa's modules, then with gpuoa.ko and gpuoa_i915.ko
set -euo pipefail
. "$(dirname "$0")/demo-common.sh"

MODULES=$BUILD/modules/$(uname -r)
# Metrics of the set that are plain counters or derived from two of them; lib/tests covers all
# others.
METRICS=GpuTime,GpuCoreClocks,GpuBusy,VsThreads,HsThreads,DsThreads,CsThreads,GsThreads,PsThreads

vgpu() { "$BUILD/tools/gpuoa-vgpu" --ask "$GPUOA_VGPU" "$@"; }

# The virtual GPU provides true counter values and, on Haswell, true metrics. i915 provides 36 bits
# of the time.
truth() { # begin end
	local now begin end
	now=$(vgpu timestamp)
	end=$((now - ((now - $2) & 0xfffffffff)))
	begin=$((end - (($2 - $1) & 0xfffffffff)))
	vgpu truth "$begin" "$end" | awk -v frequency="$frequency" '
		BEGIN { split("VsThreads HsThreads DsThreads CsThreads GsThreads PsThreads", threads, " ") }
		$1 == "metric" { print; told = 1 }
		$1 == "counter" { counter[$2] = $3 }
		$1 == "ticks" { ticks = $2 }
		END {
			if (told)
				exit
			printf "metric GpuTime %.0f/%d\n", ticks * 1e9, frequency
			print "metric GpuCoreClocks " counter["clock"] "/1"
			printf "metric GpuBusy %.0f/%.0f\n", counter["A0"] * 100, counter["clock"]
			for (i in threads)
				print "metric " threads[i] " " counter["A" i] "/1"
		}'
}

frequency=$("$GPUOA" list --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "timestamp_frequency") f = i }
	NR == 2 { print $f }')
vgpu scene frames >/dev/null

title "A virtual GPU ($GPU), driven by i915 of Linux $(uname -r); no module of ours"
shown "$GPUOA" list
shown "$GPUOA" -q record -s "$SET" -F 1000 -o "$DIR/gpuoa.data" -- sleep 2
compare "$DIR/gpuoa.data" -m $METRICS

title "The same GPU and driver, and our two modules beside them"
shown insmod "$MODULES/gpuoa.ko"
shown insmod "$MODULES/gpuoa_i915.ko"
shown cat /sys/module/gpuoa_i915/parameters/gpus
shown "$GPUOA" list

title "Stock perf records raw reports"
upload
shown perf record -q -a -R -e "$event" -F 1000 -o "$DIR/perf.data" -- sleep 2
compare "$DIR/perf.data" -m $METRICS

title "Stock perf counts"
shown perf stat -e gpuoa0/gpu-busy/,gpuoa0/gpu-time/ -- sleep 1 2>&1 | sed '/^$/d'

finish
