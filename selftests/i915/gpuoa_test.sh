#!/bin/bash
# gpuoa attached to the stock i915 on a virtual GPU, by gpuoa_i915.ko: events and tools
set -u
. selftests/i915/guest.sh

events() { "$BUILD/selftests/test_i915_gpuoa" -T an_unbound_driver_ends_the_event; }

# i915 offers the GPU, too, but by none of these.
each_name_means_the_unit() {
	local name
	for name in /sys/bus/pci/devices/$device/drm/*; do
		gpuoa -d "${name##*/}" list --csv | grep "^$(unit)," || return
		gpuoa -d "/dev/dri/${name##*/}" list --csv | grep "^$(unit)," || return
	done
	gpuoa -d $device list --csv | grep "^$(unit),"
}

perf_records() {
	perf record -a -B -N -R -e "$(unit)/metric_set=1/" -c 500000 -o "$tmp/perf.data" sleep 0.3 || return
	perf report --stats -i "$tmp/perf.data" >"$tmp/stats" 2>&1
	cat "$tmp/stats"
	[ "$(sed -n '/ SAMPLE events: /{s/.*: *\([0-9]*\).*/\1/p;q}' "$tmp/stats")" -ge 10 ]
}

# A number of a line of JSON
json() { # key
	sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$tmp/total"
}

# What the report says of clocks and of busy ones, against what the GPU knows of the same time
report_is_true() {
	local clocks busy
	vgpu scene frames || return
	gpuoa record -d "$(unit)" -s RenderBasic -p 1000000 -o "$tmp/gpuoa.data" -- sleep 0.5 || return
	gpuoa report --total --json -m GpuCoreClocks,GpuBusy "$tmp/gpuoa.data" >"$tmp/total" || return
	cat "$tmp/total"
	clocks=$(json GpuCoreClocks) busy=$(json GpuBusy)
	vgpu truth "$(json begin_ticks)" "$(json end_ticks)" >"$tmp/truth" || return
	grep -E '^counter (A0|A41|C2|clock) ' "$tmp/truth"
	# Haswell has no clock in its reports; the set has both counted elsewhere.
	awk -v clocks="$clocks" -v busy="$busy" '
		$1 == "counter" { counter[$2] = $3 }
		END {
			all = "clock" in counter ? counter["clock"] : counter["C2"]
			gpu = "clock" in counter ? counter["A0"] : counter["A41"]
			exit !(all > 0 && all == clocks && (gpu * 100 / all - busy) ^ 2 < 1e-4)
		}' "$tmp/truth"
}

says_who_has_it() {
	local said
	recorder_begins RenderBasic "$tmp/recording" 20000 || return
	said=$(gpuoa record -d "$(unit)" -s RenderBasic -o "$tmp/none" -- true 2>&1)
	recorder_ends
	echo "$said"
	[[ $said = *"has it from the GPU's driver (i915-perf)"* ]]
}

vgpu scene frames >/dev/null
check "the module attaches to the GPU" load
check "and says so" attached
check "each name of the GPU means the unit" each_name_means_the_unit
check "events hold what the GPU did, and go wrong as they ought to" events
check "perf records" perf_records
check "gpuoa records, and what it reports is what the GPU did" report_is_true
check "gpuoa says that i915-perf has the unit" says_who_has_it
check "gpuoa is removed" unload
plan
