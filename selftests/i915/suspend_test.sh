#!/bin/bash
# A guest whose GPU the stock i915 drives suspends to idle and comes back, and the GPU works as before; so does the GPU alone
#
# The kernel's test of suspend goes through all that drivers do for it, and back after a second. It does not wait for somebody
# to wake it: the clock of QEMU's q35 wakes only guests that are suspended to memory.
set -u
. selftests/i915/guest.sh
batches=$BUILD/selftests/test_i915_exec
success=/sys/power/suspend_stats/success

works() { "$batches" -t each_engine_stores; }

# With gpuoa_guest.ko, which keeps the file system.
suspends() {
	local before
	before=$(<$success)
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	echo platform >/sys/power/pm_test
	echo freeze >/sys/power/state || return
	dmesg | grep -E "PM: |i915" | tail -20
	[ "$(<$success)" = $((before + 1)) ]
}

# i915 lets the GPU suspend when it has been idle for some time, ten seconds unless it is told otherwise.
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

# i915 has set up all registers anew.
streams() { "$BUILD/selftests/test_i915_perf" -t reports_are_what_the_gpu_did; }

check "batches run" works
check "the guest's files can stay awake" scripts/vm/modules.sh load gpuoa_guest
check "the guest suspends to idle and comes back" suspends
check "batches run" works
check "streams hold what the GPU did" streams
check "once more" suspends
check "batches run" works
check "the GPU suspends while nobody uses it" suspends_at_run_time
check "batches run" works
check "streams hold what the GPU did" streams
check "the module is removed" scripts/vm/modules.sh unload
plan
