#!/bin/bash
# A guest with the stock i915 suspends to idle and resumes, and the GPU works as before; the same
# for runtime suspend of the GPU.
set -u
. selftests/i915/guest.sh
batches=$BUILD/selftests/test_i915_exec

works() { passes "$batches" each_engine_stores; }

# i915 suspends an idle GPU after autosuspend_delay_ms, 10 s by default.
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
streams() { passes "$BUILD/selftests/test_i915_perf" reports_equal_the_reference; }

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
