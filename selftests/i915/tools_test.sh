#!/bin/bash
# Debian's tools on the stock i915 of a virtual GPU: i915-perf-recorder, -control and -configs,
# intel_gpu_top, benchmarks; gpuoa and i915-perf-reader agree about a recording
set -u
. selftests/i915/guest.sh
. tools/tests/i915_reader.sh
benchmarks=/usr/libexec/igt-gpu-tools/benchmarks
metrics=/sys/class/drm/card0/metrics

lists_sets() { [ "$(i915-perf-recorder -m list | tee "$tmp/sets" | wc -l)" -gt 3 ]; }

records_a_set() { # set
	recorder_begins "$1" "$tmp/$1" 50000
	local status=$?
	recorder_ends
	return $status
}

# Compare all metrics of all intervals, also of files written by gpuoa in this format.
gpuoa_agrees() { # set
	until_readable "$tmp/$1" records_a_set "$1" || return
	"$BUILD/tools/gpuoa" report --csv "$tmp/$1" >"$tmp/csv" || return
	reader "$tmp/$1" >"$tmp/values"
	agrees "$tmp/csv" "$tmp/values"
}

rewritten_is_equal() { # set
	"$BUILD/tools/gpuoa" export -o "$tmp/again.record" "$tmp/$1" || return
	cmp <(i915-perf-reader -r -c all "$tmp/$1") <(i915-perf-reader -r -c all "$tmp/again.record")
}

# The recorder keeps recent data in a ring, and writes it to a file on request of the control tool.
dump() {
	rm -f "$tmp/fifo"
	i915-perf-recorder -m RenderBasic -p 0.001 -s 64 -f "$tmp/fifo" >"$tmp/recorder" 2>&1 &
	recorder=$!
	wait_until test -p "$tmp/fifo" && nap 0.5 &&
		i915-perf-control -f "$tmp/fifo" -d "$tmp/dump" && wait_until has_bytes "$tmp/dump" 20000
	recorder_ends
}

control_dumps() {
	dump
	until_readable "$tmp/dump" dump || return
	i915-perf-reader -c GpuTime "$tmp/dump" | grep -c '^ *GpuTime: *[1-9]'
	[ "$(i915-perf-reader -c GpuTime "$tmp/dump" | grep -c '^ *GpuTime: *[1-9]')" -gt 0 ]
}

# The recorder has registered its sets with the kernel.
configs_are_listed_and_purged() {
	local n
	n=$(find $metrics -mindepth 1 -maxdepth 1 | wc -l)
	i915-perf-configs --list | tee "$tmp/configs"
	[ "$n" -gt 1 ] && [ "$(grep -c '[0-9a-f]\{8\}-[0-9a-f]\{4\}-' "$tmp/configs")" -ge 1 ] || return
	i915-perf-configs --purge
	find $metrics -mindepth 1 -maxdepth 1
	[ "$(find $metrics -mindepth 1 -maxdepth 1 | wc -l)" -lt "$n" ]
}

gpu_top_runs() {
	timeout 20 intel_gpu_top -J -s 200 -o "$tmp/top" &
	local pid=$!
	wait_until grep -q '"rc6"' "$tmp/top"
	kill -INT $pid
	wait $pid
	cat "$tmp/top"
	grep -q '"frequency"' "$tmp/top" && grep -q '"Render/3D' "$tmp/top"
}

benchmark() { # name argument...
	local name=$1
	shift
	timeout "$(scaled 30)" "$benchmarks/$name" "$@"
}

vgpu workload steady >"$tmp/said"
check "i915-perf-recorder lists sets" lists_sets
# Debian's tools have no TestOa for Haswell.
sets=(RenderBasic TestOa)
[ "${GPU%%,*}" != hsw ] || sets=(RenderBasic)
for set in "${sets[@]}"; do
	check "i915-perf-recorder records $set" records_a_set "$set"
	check "gpuoa report of $set equals i915-perf-reader" gpuoa_agrees "$set"
done
check "exported recording equals the original in i915-perf-reader" rewritten_is_equal "${sets[-1]}"
check "i915-perf-control dumps the newest reports" control_dumps
check "i915-perf-configs lists and purges sets" configs_are_listed_and_purged
check "intel_gpu_top prints the GPU" gpu_top_runs
check "gem_exec_nop runs" benchmark gem_exec_nop -r 1
plan
