#!/bin/bash
# gpuoa attached to the stock i915 on a virtual GPU, by gpuoa_i915.ko: drivers, modules and events come and go
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0
gpus=/sys/module/gpuoa_i915/parameters/gpus
bus=/sys/bus/pci/drivers/i915
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

# No other GPU is in the way.
load() { scripts/vm/modules.sh unload && scripts/vm/modules.sh load gpuoa_i915; }
unload() { scripts/vm/modules.sh unload && [ ! -d /sys/module/gpuoa_i915 ]; }
# The number of a unit is free when the last event of it has gone: the next one may have another.
unit() { ls /sys/class/gpuoa; }
attached() { [ "$(cat $gpus)" = "$device: attached" ] && [[ $(unit) = gpuoa? ]]; }
perf_records() {
	perf record -a -R -e "$(unit)/metric_set=1/" -c 500000 -o "$tmp/perf.data" sleep 2 || return
	[ "$(perf report -D -i "$tmp/perf.data" 2>/dev/null | grep -c PERF_RECORD_SAMPLE)" -ge 100 ]
}

# Wait until somebody has the unit.
in_use() {
	for _ in {1..300}; do
		[ "$(cat /sys/module/gpuoa_i915/refcnt)" -gt 0 ] && return
		sleep 0.1
	done
	return 1
}

stays_while_used() {
	perf record -a -R -e "$(unit)/metric_set=1/" -c 1000000 -o "$tmp/p" sleep 1000 >"$tmp/perf" 2>&1 &
	local pid=$!
	in_use || return
	! rmmod gpuoa_i915 && ! rmmod i915 && attached
	local status=$?
	kill -INT $pid
	wait $pid
	return $status
}
unbinds() { echo $device >$bus/unbind && [ -z "$(cat $gpus)" ] && [ -z "$(unit)" ]; }
binds() { echo $device >$bus/bind && scripts/vm/awake.sh && attached; }
i915_goes_and_comes() {
	# shellcheck disable=SC2086 # a list of parameters
	modprobe -r i915 && [ -z "$(cat $gpus)" ] && modprobe i915 ${I915-} && scripts/vm/awake.sh && attached
}
others_are_left_alone() {
	insmod "$BUILD/modules/$(uname -r)/gpuoa_i915.ko" only=0000:00:03.0 && grep "not attached" $gpus &&
		rmmod gpuoa_i915
}
unbound_in_use() { "$BUILD/selftests/test_i915_gpuoa" -t an_unbound_driver_ends_the_event; }

check "the module attaches to the GPU" load
check "perf records" perf_records
check "a module that is in use stays" stays_while_used
check "an event ends when the driver lets go of the GPU" unbound_in_use
check "the driver lets go of the GPU" unbinds
check "it takes it again" binds
check "the driver is removed and inserted" i915_goes_and_comes
check "perf records" perf_records
check "gpuoa is removed" unload
check "gpuoa is inserted" load
check "and removed while the driver is not there" sh -c "echo $device >$bus/unbind && rmmod gpuoa_i915 && echo $device >$bus/bind"
check "it attaches to no other GPU than it is told" others_are_left_alone
check "all is removed" unload
echo "1..$number"
