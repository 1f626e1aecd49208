#!/bin/bash
# The stock xe of a virtual GPU with gpuoa_xe.ko attached: resets of a GT, system and runtime
# suspend, removal of the GPU from the bus, while events are open or not. gpuoa programs the unit
# again, and the events continue.
#
# On Linux 6.12 no GT is reset, because its xe warns then. Streams of xe itself are closed before
# each of these, since xe does not restore their units, and accesses memory outside of the buffer
# when the tail register has lost its value.
set -u
driver=xe
. selftests/i915/guest.sh
mount -t debugfs none /sys/kernel/debug 2>/dev/null

# On the debug kernel, lockdep sometimes reports that xe frees a buffer and still holds its lock.
works() {
	if [ "$KERNEL" = debug-xe ]; then
		echo "xe of Linux 6.12 frees a locked buffer"
		return "$SKIPPED"
	fi
	passes "$BUILD/selftests/test_xe_stock" batches_store_on_each_engine
}

# Record a set of a unit while a command runs, and until there are more reports than before.
during_recording() { # unit set command...
	local unit=$1 set=$2 pid before status=0
	shift 2
	rm -f "$tmp/recording"
	gpuoa record -d "$unit" -s "$set" -p 1000000 -o "$tmp/recording" -- sleep 1000 >"$tmp/record" 2>&1 &
	pid=$!
	wait_until has_bytes "$tmp/recording" 50000
	"$@" || status=1
	before=$(stat -c %s "$tmp/recording")
	wait_until has_bytes "$tmp/recording" $((before + 100000)) || status=1
	kill -INT $pid
	wait $pid
	cat "$tmp/record"
	return $status
}
loss_is_reported() { grep -E ' [1-9][0-9]* lost|some lost' "$tmp/record"; }

resets_done() { # GT
	dmesg | grep -c "GT$1: reset done"
}
resets() { # GT
	local before
	before=$(resets_done "$1")
	echo 1 >"$(echo /sys/kernel/debug/dri/*/"gt$1"/force_reset_sync | cut -d ' ' -f 1)" &&
		[ "$(resets_done "$1")" -gt "$before" ]
}
check_reset() { # name, command
	case $(uname -r) in
	6.12.*) skip "$1" "xe of Linux 6.12 warns when a GT is reset" ;;
	*) check "$@" ;;
	esac
}
continues_after_reset() { during_recording "$(unit)" RenderBasic resets 0 && loss_is_reported; }
media_continues_after_reset() { during_recording "$(unit_of OAM0)" MediaSet1 resets 1 && loss_is_reported; }

# The totals of a recording do not include the time of lost reports, but the reference does.
records_without_loss() { # unit set file
	gpuoa record -d "$1" -s "$2" -p 1000000 -o "$3" -- sleep 0.3 >"$3.said" 2>&1
	cat "$3.said"
	grep -q ' 0 lost' "$3.said"
}

# Record metrics by the unit's stream, which is open and keeps its configuration, and compare them
# with the reference. FILE.names are the metrics that are not 0.
records_metrics() { # unit set file
	local begin end
	wait_until records_without_loss "$1" "$2" "$3" &&
		gpuoa report --total --json "$3" >"$3.totals" || return
	begin=$(sed 's/.*"begin_ticks": *\([0-9]*\).*/\1/' "$3.totals")
	end=$(sed 's/.*"end_ticks": *\([0-9]*\).*/\1/' "$3.totals")
	"$BUILD/lib/tests/reference_metrics" "$1" "$2" "$begin" "$end" >"$3.reference" &&
		awk -v totals="$(cat "$3.totals")" -f scripts/compare.awk "$3.reference" &&
		awk '$2 != 0 { print $1 }' "$3.reference" >"$3.names"
}

logged() { dmesg | grep -c "$1 oa config"; } # opening stream|changed to
has_logged() { [ "$(logged "$1")" -gt "$2" ]; }

# The configuration is written by the open stream, so that no other process gets the unit meanwhile.
resets_with_metrics() { # unit set GT
	local opened changed
	records_metrics "$1" "$2" "$tmp/before" || return
	opened=$(logged 'opening stream')
	changed=$(logged 'changed to')
	resets "$3" && wait_until has_logged 'changed to' "$changed" &&
		records_metrics "$1" "$2" "$tmp/after" &&
		diff "$tmp/before.names" "$tmp/after.names" && [ "$(wc -l <"$tmp/after.names")" -gt 3 ] &&
		[ "$(logged 'opening stream')" = "$opened" ]
}
metrics_are_true_after_reset() { # type of the unit, set, GT
	local status debug=/sys/module/drm/parameters/debug
	vgpu workload steady
	echo 2 >$debug # messages of the driver
	during_recording "$(unit_of "$1")" "$2" resets_with_metrics "$(unit_of "$1")" "$2" "$3"
	status=$?
	echo 0 >$debug
	vgpu workload frames
	return $status
}

continues_after_suspend() { during_recording "$(unit)" RenderBasic suspends && loss_is_reported; }

idle_gpu_suspends() {
	echo auto >$power/control
	wait_until sleeps
	sleeps
}
in_use_stays_awake() { during_recording "$(unit)" RenderBasic fails sleeps; }

metrics_equal_reference() { GPUS_SAMPLE=20 "$BUILD/lib/tests/gpus_reference"; }

removed_from_bus() {
	echo 1 >/sys/bus/pci/devices/$device/remove
	[ ! -e /sys/bus/pci/devices/$device ] && [ -z "$(cat "$gpus")" ] && [ -z "$(unit)" ]
}
found_on_bus() {
	echo 1 >/sys/bus/pci/rescan
	wait_until attached
	attached
}

vgpu workload frames >/dev/null
check "the module attaches to the GPU" load
check "gpuoa_guest.ko is loaded" scripts/vm/modules.sh load gpuoa_guest
check_reset "event continues after a reset of the GT" continues_after_reset
check_reset "event of a media unit continues after a reset of its GT" media_continues_after_reset
check_reset "metrics equal the reference after a reset of the GT" metrics_are_true_after_reset OA RenderBasic 0
check_reset "metrics of a media unit equal the reference after a reset" metrics_are_true_after_reset OAM0 MediaSet1 1
check "event continues after the system was suspended" continues_after_suspend
check "GPU in use stays awake" in_use_stays_awake
check "idle GPU suspends" idle_gpu_suspends
check "guest suspends while the GPU is suspended" suspends
check "batches run" works
check "metrics equal the reference" metrics_equal_reference
check "GPU is removed from the bus" removed_from_bus
check "GPU is found on the bus again" found_on_bus
check "batches run" works
check "all modules are removed" unload
plan
