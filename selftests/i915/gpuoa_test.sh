#!/bin/bash
# gpuoa attached to the stock i915 on a virtual GPU, by gpuoa_i915.ko: events and tools
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0
gpus=/sys/module/gpuoa_i915/parameters/gpus
device=0000:00:02.0

check() { # description command...
	local what=$1
	shift
	number=$((number + 1))
	if "$@" >"$tmp/said" 2>&1; then
		echo "ok $number - $what"
	else
		sed 's/^/# /' "$tmp/said" | tail -60
		echo "not ok $number - $what"
	fi
}

vgpu() { "$BUILD/tools/gpuoa-vgpu" --ask "$GPUOA_VGPU" "$@"; }
# No other GPU is in the way.
load() { scripts/vm/modules.sh unload && scripts/vm/modules.sh load gpuoa_i915; }
unload() { scripts/vm/modules.sh unload && [ ! -d /sys/module/gpuoa_i915 ]; }
# The number of a unit is free when the last event of it has gone: the next one may have another.
unit() { ls /sys/class/gpuoa; }
attached() { [ "$(cat $gpus)" = "$device: attached" ] && [[ $(unit) = gpuoa? ]]; }
events() { "$BUILD/selftests/test_i915_gpuoa" -T an_unbound_driver_ends_the_event; }

perf_records() {
	perf record -a -R -e "$(unit)/metric_set=1/" -c 500000 -o "$tmp/perf.data" sleep 2 || return
	[ "$(perf report -D -i "$tmp/perf.data" 2>/dev/null | grep -c PERF_RECORD_SAMPLE)" -ge 100 ]
}

# What the report says of clocks and of busy ones, against what the GPU knows of the same time
report_is_true() {
	local from to clocks busy answer
	vgpu scene frames || return
	gpuoa record -d "$(unit)" -s RenderBasic -p 1000000 -o "$tmp/gpuoa.data" -- sleep 2 || return
	gpuoa report --total --json -m GpuCoreClocks,GpuBusy "$tmp/gpuoa.data" >"$tmp/total" || return
	cat "$tmp/total"
	read -r from to clocks busy < <(python3 -c '
import json, sys
total = json.loads(sys.stdin.readline())
metrics = total.get("metrics", total)
print(total["begin_ticks"], total["end_ticks"], metrics["GpuCoreClocks"], metrics["GpuBusy"])' <"$tmp/total")
	answer=$(vgpu truth "$from" "$to") || return
	echo "$from..$to: $clocks clocks, $busy % busy; truth: $(grep -E '^counter (A0|A41|C2|clock) ' <<<"$answer" | tr '\n' ' ')"
	# Haswell has no clock in its reports; the set has both counted elsewhere.
	awk -v clocks="$clocks" -v busy="$busy" '
		$1 == "counter" { counter[$2] = $3 }
		END {
			all = "clock" in counter ? counter["clock"] : counter["C2"]
			gpu = "clock" in counter ? counter["A0"] : counter["A41"]
			exit !(all > 0 && all == clocks && (gpu * 100 / all - busy) ^ 2 < 1e-4)
		}' <<<"$answer"
}

says_who_has_it() {
	i915-perf-recorder -m RenderBasic -p 0.001 -o "$tmp/recording" >"$tmp/recorder" 2>&1 &
	local pid=$! said
	for _ in {1..300}; do
		[ "$(stat -c %s "$tmp/recording" 2>/dev/null || echo 0)" -gt 20000 ] && break
		sleep 0.1
	done
	said=$(gpuoa record -d "$(unit)" -s RenderBasic -o "$tmp/none" -- true 2>&1)
	kill -INT $pid
	wait $pid
	echo "$said"
	[[ $said = *"has it from the GPU's driver (i915-perf)"* ]]
}

vgpu scene frames >/dev/null
check "the module attaches to the GPU" load
check "and says so" attached
check "events hold what the GPU did, and go wrong as they ought to" events
check "perf records" perf_records
check "gpuoa records, and what it reports is what the GPU did" report_is_true
check "gpuoa says that i915-perf has the unit" says_who_has_it
check "gpuoa is removed" unload
echo "1..$number"
