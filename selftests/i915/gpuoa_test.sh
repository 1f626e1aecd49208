#!/bin/bash
# gpuoa with gpuoa_i915.ko on a virtual GPU: events and tools
set -u
. selftests/i915/guest.sh

warns() {
	modinfo -F description "$BUILD/modules/$(uname -r)/gpuoa_i915.ko" | grep 'alongside i915' &&
		dmesg | grep 'gpuoa_i915: drives .* alongside i915'
}

events() { "$BUILD/selftests/test_i915_gpuoa" -T unbind_ends_event; }

# The GPU's names refer to gpuoa's unit rather than to i915-perf. A GPU with a display also has a
# name controlD64, of a device that no longer exists.
each_name_selects_unit() {
	local name drm=/sys/bus/pci/devices/$device/drm
	for name in "$drm"/card* "$drm"/renderD*; do
		gpuoa -d "${name##*/}" list --csv | grep "^$(unit)," || return
		gpuoa -d "/dev/dri/${name##*/}" list --csv | grep "^$(unit)," || return
	done
	gpuoa -d $device list --csv | grep "^$(unit),"
}

# Before 6.12, a PMU is a child of no device.
is_child_of_gpu() {
	case $(uname -r) in
	6.1.*) echo "before 6.12" && return "$SKIPPED" ;;
	esac
	readlink -f "/sys/bus/event_source/devices/$(unit)" | grep "/$device/"
}

perf_records() {
	perf record -a -B -N -R -e "$(unit)/metric_set=1/" -c 500000 -o "$tmp/perf.data" sleep 0.3 || return
	perf report --stats -i "$tmp/perf.data" >"$tmp/stats" 2>&1
	cat "$tmp/stats"
	[ "$(sed -n '/ SAMPLE events: /{s/.*: *\([0-9]*\).*/\1/p;q}' "$tmp/stats")" -ge 10 ]
}

# Number in a line of JSON
json() { # key
	sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$tmp/total"
}

# Compare clocks and the percentage of busy clocks between two times with the reference.
is_true() { # from to clocks busy
	local clocks=$3 busy=$4
	vgpu reference "$1" "$2" >"$tmp/reference" || return
	grep -E '^counter (A0|A41|C2|clock) ' "$tmp/reference"
	# Haswell's reports have no clock; in this set C2 and A41 count instead.
	awk -v clocks="$clocks" -v busy="$busy" '
		$1 == "counter" { counter[$2] = $3 }
		END {
			all = "clock" in counter ? counter["clock"] : counter["C2"]
			gpu = "clock" in counter ? counter["A0"] : counter["A41"]
			exit !(all > 0 && all == clocks && (gpu * 100 / all - busy) ^ 2 < 1e-4)
		}' "$tmp/reference"
}

# Print what a recording and the unit say of lost reports.
losses() { # file
	gpuoa export -f jsonl -m GpuBusy "$1" | grep '"gap"'
	perf report --stats -i "$1" 2>/dev/null | grep -E 'LOST|THROTTLE'
	grep . "/sys/class/gpuoa/$(unit)"/statistics/*
}

# If a recording does not match the reference, keep it with the results.
report_is_true() { # file
	gpuoa report --total --json -m GpuCoreClocks,GpuBusy "$1" >"$tmp/total" || return
	cat "$tmp/total"
	is_true "$(json begin_ticks)" "$(json end_ticks)" "$(json GpuCoreClocks)" "$(json GpuBusy)" && return
	losses "$1"
	cp "$1" "$OUT"
	return 1
}

recording_is_true() {
	vgpu workload frames && gpuoa record -d "$(unit)" -s RenderBasic -p 1000000 -o "$tmp/gpuoa.data" -- sleep 0.5 &&
		report_is_true "$tmp/gpuoa.data"
}

perf_recording_is_true() {
	local event
	event=$(gpuoa add-config -d "$(unit)" -s RenderBasic) &&
		perf record -q -a -B -N -R -m 16M -e "$event" -c 1000000 -o "$tmp/perf.data" -- sleep 0.5 && report_is_true "$tmp/perf.data"
}

# Output: "SET: GPU time ... (ticks FROM to TO)", followed by the metrics
stat_is_true() {
	gpuoa stat -d "$(unit)" -s RenderBasic -m GpuCoreClocks,GpuBusy -- sleep 0.5 >"$tmp/stat" 2>&1 || { cat "$tmp/stat"; return 1; }
	cat "$tmp/stat"
	# shellcheck disable=SC2046 # four words
	is_true $(awk 'match($0, /ticks [0-9]+ to [0-9]+/) { split(substr($0, RSTART, RLENGTH), t, " ") }
		{ gsub(/,/, "", $1) }
		/ GpuCoreClocks / { clocks = $1 }
		/ GpuBusy / { busy = $1 }
		END { print t[2], t[4], clocks, busy }' "$tmp/stat")
}

# The virtual GPU's load would count for the query's context between two batches.
has_queries() { vgpu workload idle >/dev/null && "$BUILD/frontend/igdmd/tests/guest_igdml"; }

names_user_of_unit() {
	local said
	recorder_begins RenderBasic "$tmp/recording" 20000 || return
	said=$(gpuoa record -d "$(unit)" -s RenderBasic -o "$tmp/none" -- true 2>&1)
	recorder_ends
	echo "$said"
	[[ $said = *"has it from the GPU's driver (i915-perf or xe)"* ]]
}

vgpu workload frames >/dev/null
check "the module attaches to the GPU" load
check "attaching is logged" attached
check "driving registers alongside i915 is logged" warns
check "each name of the GPU selects the unit" each_name_selects_unit
check "PMU is a child of the GPU" is_child_of_gpu
check "test_i915_gpuoa passes" events
check "test_i915_lease passes" "$BUILD/selftests/test_i915_lease"
check "perf record records" perf_records
check "gpuoa record equals the reference" recording_is_true
check "perf record equals the reference" perf_recording_is_true
check "gpuoa stat equals the reference" stat_is_true
check "libigdmd.so.1 serves two programs at once" "$BUILD/frontend/igdmd/tests/guest_igdmd"
check "libigdml.so.1 has queries" has_queries
check "unit in use by i915-perf is an error" names_user_of_unit
check "gpuoa modules are removed" unload
plan
