#!/bin/bash
# A guest with the stock i915 suspends to idle and resumes, and the GPU works as before; the same
# for runtime suspend of the GPU.
#
# The kernel's suspend test calls all suspend callbacks of drivers, and resumes after a second. It
# needs no wakeup event: the RTC of QEMU's q35 wakes guests from S3 only.
set -u
. selftests/i915/guest.sh
batches=$BUILD/selftests/test_i915_exec
success=/sys/power/suspend_stats/success

works() { "$batches" -t each_engine_stores; }

# Needs gpuoa_guest.ko, which keeps the file system working.
suspends() {
	local before
	before=$(<$success)
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	echo platform >/sys/power/pm_test
	echo freeze >/sys/power/state || return
	dmesg | grep -E "PM: |i915" | tail -20
	[ "$(<$success)" = $((before + 1)) ]
}

# i915 suspends an idle GPU after autosuspend_delay_ms, 10 s by default.
power=/sys/bus/pci/devices/$device/power
sleeps() { [ "$(<$power/runtime_status)" = suspended ]; }
suspends_at_run_time() {
	local before status=0
	before=$(<$power/autosuspend_delay_ms)
	echo 100 >$power/autosuspend_delay_ms
	wait_until sleeps
	sleeps || status=1
	echo "$before" >$power/autosuspend_delay_ms
	return $status
}

# i915 has rewritten all registers.
streams() { "$BUILD/selftests/test_i915_perf" -t reports_are_what_the_gpu_did; }

check "batches run" works
check "gpuoa_guest.ko is loaded" scripts/vm/modules.sh load gpuoa_guest
check "guest suspends to idle and resumes" suspends
check "batches run" works
check "streams hold what the GPU did" streams
check "guest suspends to idle and resumes again" suspends
check "batches run" works
check "idle GPU suspends" suspends_at_run_time
check "batches run" works
check "streams hold what the GPU did" streams
check "gpuoa_guest.ko is removed" scripts/vm/modules.sh unload
plan
