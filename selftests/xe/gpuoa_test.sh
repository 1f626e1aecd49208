#!/bin/bash
# gpuoa with gpuoa_xe.ko on a virtual GPU: events and tools, module removal, binding and unbinding
set -u
driver=xe
. selftests/i915/guest.sh

warns() {
	modinfo -F description "$BUILD/modules/$(uname -r)/gpuoa_xe.ko" | grep 'alongside xe' &&
		dmesg | grep 'gpuoa_xe: drives .* alongside xe'
}

# gpuoa has the units that xe offers, by the same names; xe's own are hidden. Linux 6.12 offers OA
# and OAMG, later ones OA, OAM0 and, on Battlemage, OAM1.
units_are_described() {
	local units
	units=$(sort /sys/class/gpuoa/*/unit | xargs)
	echo "units of xe: $xe_units; of gpuoa: $units"
	[ -n "$xe_units" ] && [ "$units" = "$xe_units" ] || return
	gpuoa list --csv >"$tmp/list" || return
	cat "$tmp/list"
	[ "$(grep -c '^gpuoa' "$tmp/list")" = "$(wc -w <<<"$units")" ] && ! grep '^xe:' "$tmp/list"
}

events() { "$BUILD/selftests/test_xe_gpuoa" -T unbind_ends_event; }
event_ends_at_unbind() { passes "$BUILD/selftests/test_xe_gpuoa" unbind_ends_event; }

# The units of gpuoa come first, so this tests them and not xe's. The library reads all sets by xe.
metrics_equal_reference() {
	GPUS_SAMPLE=9 "$BUILD/lib/tests/gpus_reference" >"$tmp/reference"
	local status=$?
	cat "$tmp/reference"
	! grep '^ok .*xe:' "$tmp/reference" && grep -q '^ok .*gpuoa.* OAM' "$tmp/reference" && return $status
}

perf_records() {
	perf record -a -B -N -R -e "$(unit)/metric_set=1/" -c 500000 -o "$tmp/perf.data" sleep 0.3 || return
	perf report --stats -i "$tmp/perf.data" >"$tmp/stats" 2>&1
	cat "$tmp/stats"
	[ "$(sed -n '/ SAMPLE events: /{s/.*: *\([0-9]*\).*/\1/p;q}' "$tmp/stats")" -ge 10 ]
}

names_user_of_unit() {
	local said pid
	gpuoa record -d "$xe_unit" -s RenderBasic -o "$tmp/recording" -- sleep 1000 >"$tmp/record" 2>&1 &
	pid=$!
	wait_until has_bytes "$tmp/recording" 20000
	said=$(gpuoa record -d "$(unit)" -s RenderBasic -o "$tmp/none" -- true 2>&1)
	kill -INT $pid
	wait $pid
	cat "$tmp/record"
	echo "$said"
	[[ $said = *"has it from the GPU's driver (i915-perf or xe)"* ]]
}

in_use() { [ "$(</sys/module/gpuoa_xe/refcnt)" -gt 0 ]; }

rmmod_fails_in_use() {
	gpuoa record -d "$(unit)" -s RenderBasic -p 1000000 -o "$tmp/data" -- sleep 1000 >"$tmp/record" 2>&1 &
	local pid=$!
	wait_until in_use || return
	! rmmod gpuoa_xe && ! rmmod gpuoa && ! rmmod xe && attached
	local status=$?
	kill -INT $pid
	wait $pid
	return $status
}

detaches() { unbinds && [ -z "$(cat "$gpus")" ] && [ -z "$(unit)" ]; }
attaches() { binds && attached; }
removed_without_driver() { unbinds && rmmod gpuoa_xe && rmmod gpuoa && binds; }
attaches_to_selected_only() {
	scripts/vm/modules.sh load gpuoa || return
	insmod "$BUILD/modules/$(uname -r)/gpuoa_xe.ko" only=0000:00:03.0 && grep "not attached" "$gpus" &&
		rmmod gpuoa_xe
}
loader_gets_eagain() {
	scripts/vm/modules.sh load gpuoa && GPUOA_MODULE="$BUILD/modules/$(uname -r)/gpuoa_xe.ko" \
		passes "$BUILD/selftests/test_xe_gpuoa" loader_gets_eagain && attached
}
events_deliver_reports() { passes "$BUILD/selftests/test_xe_gpuoa" event_delivers_reports_in_order; }

scripts/vm/modules.sh unload
xe_units=$(gpuoa list | awk '/^xe:/ { print $2 }' | sort | xargs)
# The number is that of the GPU's node, which changes if the driver was bound again.
xe_unit=$(gpuoa list | awk '/^xe:/ && $2 == "OA" { print $1 }')

vgpu workload frames >/dev/null
check "the module attaches to the GPU" load
check "attaching is logged" attached
check "driving registers alongside xe is logged" warns
check "units are described and xe's are hidden" units_are_described
check "test_xe_gpuoa passes" events
check "metrics equal the reference" metrics_equal_reference
vgpu workload frames >/dev/null
check "perf record records" perf_records
check "unit in use by xe is an error" names_user_of_unit
check "rmmod of a module in use fails" rmmod_fails_in_use
check "event ends when the driver unbinds" event_ends_at_unbind
check "driver unbinds from the GPU" detaches
check "driver binds to the GPU again" attaches
check "events deliver reports" events_deliver_reports
check "gpuoa modules are removed without the driver" removed_without_driver
check "gpuoa modules are inserted" load
check "gpuoa modules are removed" unload
check "module attaches to the selected GPU only" attaches_to_selected_only
check "all modules are removed" unload
check "process that loads the module gets EAGAIN" loader_gets_eagain
check "event delivers reports after that process has exited" events_deliver_reports
check "modules are removed after that" unload
plan
