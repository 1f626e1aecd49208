#!/bin/bash
# gpuoa with gpuoa_i915.ko on a virtual GPU: binding and unbinding, module removal, open events
set -u
. selftests/i915/guest.sh

in_use() { [ "$(</sys/module/gpuoa_i915/refcnt)" -gt 0 ]; }

rmmod_fails_in_use() {
	gpuoa record -d "$(unit)" -s RenderBasic -p 1000000 -o "$tmp/data" -- sleep 1000 >"$tmp/record" 2>&1 &
	local pid=$!
	wait_until in_use || return
	! rmmod gpuoa_i915 && ! rmmod i915 && attached
	local status=$?
	kill -INT $pid
	wait $pid
	return $status
}
detaches() { unbinds && [ -z "$(cat "$gpus")" ] && [ -z "$(unit)" ]; }
attaches() { binds && attached; }
reloads_i915() { removes && [ -z "$(cat "$gpus")" ] && inserts && attached; }
attaches_to_selected_only() {
	insmod "$BUILD/modules/$(uname -r)/gpuoa_i915.ko" only=0000:00:03.0 && grep "not attached" "$gpus" &&
		rmmod gpuoa_i915
}
events() { passes "$BUILD/selftests/test_i915_gpuoa" reports_equal_the_reference; }
event_ends_at_unbind() { passes "$BUILD/selftests/test_i915_gpuoa" unbind_ends_event; }

check "the module attaches to the GPU" load
check "events hold what the GPU did" events
check "rmmod of a module in use fails" rmmod_fails_in_use
check "event ends when the driver unbinds" event_ends_at_unbind
check "driver unbinds from the GPU" detaches
check "driver binds to the GPU again" attaches
check "driver module is reloaded" reloads_i915
check "events hold what the GPU did" events
check "gpuoa modules are removed" unload
check "gpuoa modules are inserted" load
check "gpuoa modules are removed without the driver" sh -c "echo $device >$bus/unbind && rmmod gpuoa_i915 && echo $device >$bus/bind"
check "module attaches to the selected GPU only" attaches_to_selected_only
check "all modules are removed" unload
plan
